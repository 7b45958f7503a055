"""What a run of characters is wherever it stands: cut out of a text, looked up once and remembered."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from threadmill.dates.text.lexicon import FUSED, UNKNOWN, Lexicon, Phrase, Sense
from threadmill.dates.text.markup import BARRIER
from threadmill.dates.text.numbers import classify_number

_ASCII = re.compile(r"[0-9]+|[a-z]+|\s+|\x01+|.", re.DOTALL)
_ASCII_DIGITS = frozenset("0123456789")
# Signs that do not change a word (the vowel signs of Arabic and Hebrew among them), and letters of the Arabic
# script typed for one another: the word list is built with the same.
_PLAIN: dict[int, int | None] = {
    **dict.fromkeys([0xAD, 0x640, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x61C]),
    **dict.fromkeys([*range(0x64B, 0x653), 0x670, *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2]),
    **str.maketrans("أإآٱىيكةۀ", "ااااییکهه"),
}
_SIGNS = {sign: sign for sign in "/-.,:'\\()|+;"} | {"[": "(", "]": ")"}
_IS_FUSED = re.compile(f"[{FUSED}]")
# A few megabytes at most: longer runs are no words, and a list of names is not worth keeping.
_LONGEST_KEPT, _MOST_KEPT = 24, 20_000


@lru_cache(maxsize=1)
def _marks() -> str:
    """Combining signs that are part of a word, as ranges of a character class."""
    return (
        "".join(chr(code) for code in range(0x300, 0x2000) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
        + "\u200c\u200d\u200b\u00ad\u00b7"
    )


@lru_cache(maxsize=8)
def _general(fused: str) -> re.Pattern[str]:
    marks = re.escape(_marks())
    letter = f"(?![{FUSED}])[^\\W\\d_]"
    return re.compile(f"[0-9]+|{fused}|{letter}(?:{letter}|[{marks}])*|\\s+|\\x01+|.", re.DOTALL)


@lru_cache(maxsize=1)
def _spaced() -> re.Pattern[str]:
    """The same where no script without spaces is used, as in most texts: no look ahead at every letter."""
    return re.compile(f"[0-9]+|[^\\W\\d_]+(?:[{re.escape(_marks())}]+[^\\W\\d_]*)*|\\s+|\\x01+|.", re.DOTALL)


class Piece(NamedTuple):
    """One run of characters."""

    letter: str
    number: int  # its value, -1 when it is no number
    senses: tuple[Sense, ...]
    phrases: tuple[Phrase, ...]  # those that begin with it
    word: str  # as it is looked up; empty when it is no word


class Pieces(dict[str, Piece]):
    """The pieces met so far under one lexicon; forums say the same words over and over."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, raw: str) -> Piece:
        piece = _classify_piece(raw, self._lexicon)
        if len(raw) <= _LONGEST_KEPT:
            self[raw] = piece
        return piece

    def cut(self, text: str) -> list[str]:
        """The pieces of a folded text; together they are the text."""
        if len(self) > _MOST_KEPT:
            self.clear()
        if text.isascii():
            return _ASCII.findall(text)
        pattern = _general(self._lexicon.fused.pattern) if _IS_FUSED.search(text) else _spaced()
        return pattern.findall(text)


@lru_cache(maxsize=8)
def find_pieces(lexicon: Lexicon) -> Pieces:
    """The pieces met under a lexicon."""
    return Pieces(lexicon)


def _classify_piece(raw: str, lexicon: Lexicon) -> Piece:
    first = raw[0]
    if first.isspace():
        return Piece(" ", -1, (), (), "")
    if first in _ASCII_DIGITS:
        return Piece(classify_number(raw), int(raw) if len(raw) <= 18 else -1, (), (), "")
    if first == BARRIER:
        return Piece("<", -1, (), (), "")
    word = _clean(raw)
    known = lexicon.words.get(word)
    if known:
        return Piece(known.letter, -1, known.senses, lexicon.phrases.get(word, ()), word)
    if _IS_FUSED.match(raw):
        return Piece("x", -1, (), (), "")
    if first.isalnum() and not first.isdecimal():
        return Piece(UNKNOWN, -1, (), lexicon.phrases.get(word, ()), word)
    return Piece(_SIGNS.get(first, "?"), -1, (), (), "")


def _clean(word: str) -> str:
    """A word without signs that do not change it, composed."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", word).translate(_PLAIN)
