"""A document cut into sentences and tokens, as every output format takes it, made fit to be written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from threadmill.corpus.text.delimited_text import count, to_forms, to_sentences, to_text
from threadmill.types import Token

IMAGE = "__IMG__"
Attributes = tuple[tuple[str, str], ...]

# CWB cuts a value after 4,095 bytes and a line after 65,534, manatee is content with that too.
MOST_VALUE_BYTES = 4095
_MOST_ATTRIBUTES = 15

# What no line and no tag may hold: controls, surrogates, characters that are none.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
_NOT_IN_URL = re.compile(r"[\s|\"'<>\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_IN_NAME = re.compile(r"[^a-z0-9_]+")


class Span(NamedTuple):
    """A link or an image: from one token of a passage up to, not including, another.

    A tuple, as cut passages are: pages have hundreds.
    """

    url: str
    start: int
    end: int
    kind: str = "link"  # or "image", which covers one token IMAGE


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph or a heading: sentences, with what links out of them."""

    sentences: tuple[tuple[Token, ...], ...]
    spans: tuple[Span, ...] = ()
    attributes: Attributes = ()
    duplicate: bool = False

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, sentence by sentence."""
        return tuple(token for sentence in self.sentences for token in sentence)

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return sum(map(len, self.sentences))

    @property
    def text(self) -> str:
        """The text it was cut from, white space runs as one space."""
        return "".join(t.form + " " * t.space_after for t in self.tokens).strip()


class CutPassage(NamedTuple):
    """A paragraph as the splitter leaves it, words without lemma or tag: the fast way, no object a token."""

    cut: str  # see cut_text
    spans: tuple[Span, ...] = ()

    @property
    def attributes(self) -> Attributes:
        """It has none."""
        return ()

    @property
    def duplicate(self) -> bool:
        """That is for later stages to find out."""
        return False

    @property
    def sentences(self) -> tuple[tuple[Token, ...], ...]:
        """The sentences as tokens."""
        sentences = to_sentences(self.cut)
        spaces = [*(sentence[0] == " " for sentence in sentences[1:]), True]
        return tuple(
            tuple(to_tokens(to_forms(s), space)) for s, space in zip(sentences, spaces, strict=False)
        )

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, sentence by sentence."""
        return tuple(token for sentence in self.sentences for token in sentence)

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return count(self.cut) if self.cut else 0

    @property
    def text(self) -> str:
        """The text it was cut from, white space runs as one space."""
        return to_text(self.cut)


def to_tokens(forms: list[str], space_after: bool = True) -> list[Token]:
    """Forms that keep the space before them as tokens that know whether white space follows."""
    spaces = [following[0] == " " for following in forms[1:]]
    spaces.append(space_after)
    return [Token(form.lstrip(" "), space) for form, space in zip(forms, spaces, strict=True)]


AnyPassage = Passage | CutPassage


@dataclass(frozen=True, slots=True)
class Section:
    """A post of a thread, or a quote in it."""

    name: str
    attributes: Attributes = ()
    children: tuple[AnyPassage | Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One page or thread, ready to be written."""

    attributes: Attributes
    children: tuple[AnyPassage | Section, ...] = ()
    head: AnyPassage | None = None
    duplicate: bool = False

    def attribute(self, name: str) -> str:
        """The value of an attribute, or nothing."""
        return next((value for key, value in self.attributes if key == name), "")

    def passages(self) -> Iterator[AnyPassage]:
        """All passages in order, the head apart."""
        yield from _passages(self.children)


def _passages(children: Iterable[AnyPassage | Section]) -> Iterator[AnyPassage]:
    for child in children:
        if isinstance(child, Section):
            yield from _passages(child.children)
        else:
            yield child


def clean_text(text: str) -> str:
    """NFC, white space as single spaces, no controls: what a document is made from before it is cut."""
    spaced = " ".join(text.split())
    if spaced.isprintable() and (spaced.isascii() or unicodedata.is_normalized("NFC", spaced)):
        return spaced
    return unicodedata.normalize("NFC", " ".join(_CONTROLS.sub("", spaced).split()))


def clean_texts(texts: list[str]) -> list[str]:
    """The same of many; where all are clean already, as most are, one look tells."""
    whole = " ".join(filter(None, texts))
    spaced = "  " not in whole and whole.strip(" ") == whole
    if spaced and whole.isprintable() and (whole.isascii() or unicodedata.is_normalized("NFC", whole)):
        return texts
    return list(map(clean_text, texts))


def clean_url(url: str) -> str:
    """Percent-encodes what would break a line, a tag or an index: white space, quotes, brackets, the bar."""
    if url.isascii() and len(url) <= MOST_VALUE_BYTES and not _NOT_IN_URL.search(url):
        return url
    return _cut(_NOT_IN_URL.sub(_percent, url.strip()))


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "replace"))


def clean_name(name: str) -> str:
    """A name any corpus manager takes: [a-z][a-z0-9_]*."""
    plain = _NOT_IN_NAME.sub("_", name.lower()).strip("_") or "x"
    return plain if plain[0].isalpha() else f"x{plain}"


def clean_value(value: str) -> str:
    """A value that fits into one line and one kind of quotes."""
    text = clean_text(value)
    if '"' in text and "'" in text:
        text = text.replace('"', "\u201d")
    return _cut(text).rstrip()


def _cut(value: str) -> str:
    encoded = value.encode("utf-8", "replace")
    return value if len(encoded) <= MOST_VALUE_BYTES else encoded[:MOST_VALUE_BYTES].decode("utf-8", "ignore")


def clean_attributes(attributes: Attributes) -> Attributes:
    """Names and values that can be written; of two with one name the first, and no more than a line holds."""
    kept: dict[str, str] = {}
    for name, value in attributes:
        cleaned = clean_url(value) if name == "url" or name.endswith("_url") else clean_value(value)
        kept.setdefault(clean_name(name), cleaned)
    return tuple(kept.items())[:_MOST_ATTRIBUTES]


def canonical(document: Document) -> Document:
    """The same document as it can be written by any dialect and read back."""
    head = _passage(document.head) if document.head else None
    return Document(
        clean_attributes(document.attributes),
        _children(document.children),
        replace(head, attributes=(), duplicate=False) if head else None,
        document.duplicate,
    )


def _children(children: Iterable[AnyPassage | Section]) -> tuple[AnyPassage | Section, ...]:
    found: list[AnyPassage | Section] = []
    for child in children:
        if isinstance(child, Section):
            name = clean_name(child.name)
            found.append(Section(name, clean_attributes(child.attributes), _children(child.children)))
        elif (passage := _passage(child)) is not None:
            found.append(passage)
    return tuple(found)


def _passage(passage: AnyPassage) -> Passage | None:
    """Clean forms, no empty sentence, links that do not overlap; None when no sentence is left."""
    spans = _fitting(passage)
    images = {span.start for span in spans if span.kind == "image"}
    sentences: list[tuple[Token, ...]] = []
    at = 0
    for sentence in passage.sentences:
        sentences.append(tuple(_token(token, at + i in images) for i, token in enumerate(sentence)))
        at += len(sentence)
    kept = [sentence for sentence in sentences if sentence]
    if not kept:
        return None
    kept[-1] = (*kept[-1][:-1], replace(kept[-1][-1], space_after=True))
    return Passage(tuple(kept), spans, clean_attributes(passage.attributes), passage.duplicate)


def _token(token: Token, image: bool) -> Token:
    form = "".join(clean_text(token.form).split()) or "\ufffd"
    if (form == IMAGE) != image:
        form = IMAGE if image else "_IMG_"
    lemma = clean_text(token.lemma) or None if token.lemma else None
    tag = clean_text(token.tag) or None if token.tag else None
    return Token(_cut(form), token.space_after, lemma, tag)


def _fitting(passage: AnyPassage) -> tuple[Span, ...]:
    """Spans inside the passage, in order; of links that overlap the first, of images one a token."""
    length = len(passage.tokens)
    kept: list[Span] = []
    taken = {"link": 0, "image": 0}
    for span in sorted(passage.spans, key=lambda s: (s.start, s.end)):
        end = span.start + 1 if span.kind == "image" else span.end
        if taken[span.kind] <= span.start < end <= length and span.url.strip():
            kept.append(Span(clean_url(span.url), span.start, end, span.kind))
            taken[span.kind] = end
    # The inner one first, as a line with both says it: an image is never longer than the link around it.
    return tuple(sorted(kept, key=lambda s: (s.end, s.end - s.start, s.kind)))
