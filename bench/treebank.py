"""Universal Dependencies files as raw text with gold sentences, tokens, lemmas; a part of them held back."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Their licence forbids commercial use: they are measured on and nothing is trained on them.
NON_COMMERCIAL = frozenset({"bg", "hu", "it", "pl", "uk"})

# Of the other languages every third unit is held back.
_HELD_EVERY = 3
_SENTENCES_PER_UNIT = 5


@dataclass(frozen=True, slots=True)
class Word:
    """A surface token: its form, gold lemma (None for a multiword token), tag, and what follows it."""

    form: str
    space_after: bool
    lemma: str | None
    upos: str
    parts: tuple[tuple[str, str], ...] = ()  # lemma and tag of each word of a multiword token

    @property
    def full_lemma(self) -> str:
        """The lemma; of a multiword token those of its words with a plus between them."""
        return "+".join(lemma for lemma, _ in self.parts) if self.parts else self.lemma or "_"

    @property
    def full_tag(self) -> str:
        """The tag; of a multiword token those of its words with a plus between them."""
        return "+".join(tag for _, tag in self.parts) if self.parts else self.upos


Sentence = list[Word]


@dataclass(slots=True)
class Unit:
    """A paragraph, or five sentences in a row where a file marks no paragraphs."""

    sentences: list[Sentence] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The raw text; white space between sentences where the file says there is some."""
        parts = [w.form + (" " if w.space_after else "") for s in self.sentences for w in s]
        return " ".join("".join(parts).split())

    def sentence_spans(self) -> set[tuple[int, int]]:
        """Sentences as offsets that count no white space, so that two cuttings can be compared."""
        return spans("".join(w.form for w in s) for s in self.sentences)

    def token_spans(self) -> set[tuple[int, int]]:
        """Tokens as offsets that count no white space."""
        return spans(w.form for s in self.sentences for w in s)


@dataclass(frozen=True, slots=True)
class Treebank:
    """One language's file, cut into units."""

    language: str
    units: tuple[Unit, ...]
    name: str = ""  # such as cs_cac

    @property
    def free(self) -> bool:
        """Whether a table trained on it may be shipped."""
        return self.language not in NON_COMMERCIAL

    def training(self) -> list[Unit]:
        """What may be trained on: nothing of a non-commercial file."""
        return [u for i, u in enumerate(self.units) if self.free and i % _HELD_EVERY != 2]

    def held(self) -> list[Unit]:
        """What no table has seen: all of a non-commercial file, a third of the others."""
        return [u for i, u in enumerate(self.units) if not self.free or i % _HELD_EVERY == 2]


def spans(pieces: Iterator[str]) -> set[tuple[int, int]]:
    """Offsets of consecutive pieces of text, white space not counted."""
    found, at = set(), 0
    for piece in pieces:
        length = len("".join(piece.split()))
        if length:
            found.add((at, at + length))
        at += length
    return found


def load(directory: Path) -> list[Treebank]:
    """All files XX_name-ud-*.conllu[.xz] of a directory, in order of language."""
    files = sorted([*directory.glob("*.conllu.xz"), *directory.glob("*.conllu")])
    return [Treebank(f.name.partition("_")[0], tuple(read_units(f)), f.name.partition("-")[0]) for f in files]


def read_units(file: Path) -> Iterator[Unit]:
    """The units of one file."""
    return _units(_read(file))


def _read(file: Path) -> str:
    return lzma.open(file, "rt").read() if file.suffix == ".xz" else file.read_text()


def _units(text: str) -> Iterator[Unit]:
    paragraphs = "\n# newpar" in text
    unit = Unit()
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        new = any(line.startswith(("# newdoc", "# newpar")) for line in lines)
        full = not paragraphs and len(unit.sentences) == _SENTENCES_PER_UNIT
        if (new or full) and unit.sentences:
            yield unit
            unit = Unit()
        words = list(_words(lines))
        if words:
            unit.sentences.append(words)
    if unit.sentences:
        yield unit


def _words(lines: list[str]) -> Iterator[Word]:
    covered, surface = 0, None
    parts: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith("#") or not line:
            continue
        identifier, form, lemma, upos, _, _, _, _, _, misc = line.split("\t")
        space = "SpaceAfter=No" not in misc
        if "-" in identifier:
            covered, surface, parts = int(identifier.partition("-")[2]), (form, space), []
        elif "." in identifier:
            continue
        elif int(identifier) > covered:
            yield Word(form, space, lemma, upos)
        elif surface is not None:
            parts.append((lemma, upos))
            if int(identifier) == covered:
                yield Word(*surface, None, "_", tuple(parts))
