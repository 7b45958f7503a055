"""What the tokeniser has to know of a language: its abbreviations, frequent words and habits of spelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from threadmill.corpus.text import language_data as tables

Hyphens = Literal["keep", "prefix", "split"]

# Where a full stop after an abbreviation stays with it ("Dr." is one position); elsewhere it stands alone, as
# the treebanks of these languages have it.
_STOP_APART = frozenset({"cs", "pl", "sk", "tr", "uk", "be", "lt", "lv"})
# "3." is an ordinal number.
_ORDINALS = frozenset({
    "bs", "cs", "da", "de", "et", "fi", "hr", "hu", "is",
    "lb", "mk", "nb", "nn", "pl", "sk", "sl", "sr", "tr",
})  # fmt: skip
# l'eau, dell'acqua, l'home: the article is a position of its own.
_ELISION = frozenset({"fr", "it", "ca", "lij", "oc", "vec", "lmo", "pms", "scn"})
_HYPHENS: dict[str, Hyphens] = {"en": "prefix", "de": "split", "tr": "split", "cs": "split", "sk": "split"}
_STEPS = ((0, "a"), (30, "b"), (150, "c"), (500, "d"))  # from which rank on; other words are "e"


@dataclass(frozen=True, slots=True)
class Profile:
    """One language as the tokeniser and the sentence splitter see it."""

    language: str
    abbreviations: frozenset[str] = frozenset()  # lower case, without the final full stop
    steps: dict[str, str] = field(
        default_factory=dict, hash=False, compare=False
    )  # frequent word → how frequent
    stop_attached: bool = True
    ordinals: bool = False
    elision: bool = False
    hyphens: Hyphens = "keep"


@cache
def known_languages() -> frozenset[str]:
    """Languages with lists of their own; any other is cut by the general rules."""
    return tables.names("languages")


@lru_cache(maxsize=80)
def profile(language: str) -> Profile:
    """The profile of a language by its code ("pt", "pt-BR"); an unknown code is no error."""
    code = language.replace("_", "-").partition("-")[0].lower()
    code = {"no": "nb", "hbs": "hr", "sh": "hr", "cmn": "zh"}.get(code, code)
    entry = tables.entry("languages", code)
    abbreviations = frozenset(entry.get("abbreviations", ()))
    parts = {part for a in abbreviations if "." in a for part in a.split(".")[:-1]}  # "z." of "z. B."
    return Profile(
        language=code,
        abbreviations=abbreviations | parts,
        steps=_steps(entry.get("words", ())),
        stop_attached=code not in _STOP_APART,
        ordinals=code in _ORDINALS,
        elision=code in _ELISION,
        hyphens=_HYPHENS.get(code, "keep"),
    )


def _steps(words: Sequence[str]) -> dict[str, str]:
    """How frequent each of these words is, the most frequent first."""
    steps: dict[str, str] = {}
    for (first, step), end in zip(_STEPS, [*(first for first, _ in _STEPS[1:]), len(words)], strict=True):
        steps.update(dict.fromkeys(words[first:end], step))
    return steps


@cache
def frequent_words(rank: int) -> frozenset[str]:
    """The most frequent words of every language, up to a rank."""
    entries = (tables.entry("languages", code) for code in known_languages())
    return frozenset(word for entry in entries for word in entry.get("words", ())[:rank])
