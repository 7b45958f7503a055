"""Cuts a text into tokens and gives each a class letter, so that the grammar can read a short string."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from threadmill.dates.folding import decode_entities, fold
from threadmill.dates.lexicon import FUSED, UNKNOWN, Lexicon, Sense
from threadmill.dates.markup import BARRIER, Attribute, veil_addresses, veil_markup

# Years a forum can show; the Buddhist and the Persian ones are the same span.
FIRST_YEAR, LAST_YEAR = 1970, 2050
BUDDHIST, PERSIAN = 543, 621
_ASCII = re.compile(r"([0-9]+)|([a-z]+)|(\s+)|(\x01+)|(.)", re.DOTALL)
_DROPPED = dict.fromkeys([0xAD, 0x640, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x61C])
_DIGITS, _WORD, _SPACE, _MARKUP, _FUSED_CHAR = 1, 2, 3, 4, 5  # groups of the two patterns
_PLAIN = frozenset("/-.,:'\\()|+;")
# A phrase may have these between its words.
_INSIDE_PHRASES = frozenset(" '-.")


class Tokens(NamedTuple):
    """A text's tokens: class letters as one string, and beside it offsets and meanings."""

    text: str  # folded, with markup and addresses veiled
    letters: str
    starts: list[int]
    ends: list[int]
    numbers: list[int]  # the value of a number, -1 for others
    senses: list[tuple[Sense, ...]]
    attributes: list[Attribute]
    places: list[int] | None  # offsets before character references were resolved

    @property
    def may_be_date(self) -> bool:
        """Whether there is a number at all: without one only words for days and weekdays are dates."""
        return any(number >= 0 for number in self.numbers)

    def attribute_at(self, offset: int) -> Attribute | None:
        """The attribute value that covers an offset."""
        index = bisect_right(self.attributes, offset, key=_start) - 1
        if index >= 0 and offset < self.attributes[index].end:
            return self.attributes[index]
        return None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the text as it was given."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end]


def _start(attribute: Attribute) -> int:
    return attribute.start


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
    return re.compile(
        f"([0-9]+)|({fused}|{letter}(?:{letter}|[{marks}])*)|(\\s+)|(\\x01+)|([{FUSED}])|(.)", re.DOTALL
    )


def tokenise(text: str, lexicon: Lexicon) -> Tokens:
    """Read a text or an HTML fragment into tokens."""
    veiled, attributes = veil_markup(text)
    places: list[int] | None = None
    if "&" in veiled:
        veiled, places = decode_entities(veiled)
        if places is not None and attributes:
            attributes = _move(attributes, places)
    folded = veil_addresses(fold(veiled))
    return _classify(folded, lexicon, attributes, places)


def _move(attributes: list[Attribute], places: list[int]) -> list[Attribute]:
    new: dict[int, int] = {}
    for now, before in enumerate(places):
        new.setdefault(before, now)
    return [Attribute(new.get(a.start, 0), new.get(a.end, 0), a.telling) for a in attributes]


class _Cut:
    """A text cut into raw tokens: what kind each is, and where it begins and ends."""

    __slots__ = ("ends", "kinds", "starts", "text")

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text = text
        self.kinds: list[int] = []
        self.ends: list[int] = []
        for match in pattern.finditer(text):
            self.kinds.append(match.lastindex or 0)
            self.ends.append(match.end())
        self.starts = [0, *self.ends[:-1]]  # the tokens cover the text without gaps

    def word(self, index: int) -> str:
        """A token as a word to look up."""
        return _clean(self.text[self.starts[index] : self.ends[index]])


def _classify(folded: str, lexicon: Lexicon, attributes: list[Attribute], places: list[int] | None) -> Tokens:
    cut = _Cut(folded, _ASCII if folded.isascii() else _general(lexicon.fused.pattern))
    kept = Tokens(folded, "", [], [], [], [], attributes, places)
    letters: list[str] = []
    index, count = 0, len(cut.kinds)
    while index < count:
        kind, start, last = cut.kinds[index], cut.starts[index], index
        number = -1
        meaning: tuple[Sense, ...] = ()
        if kind == _SPACE:
            letter = " "
        elif kind == _DIGITS:
            digits = folded[start : cut.ends[index]]
            letter = classify_number(digits)
            number = int(digits) if len(digits) <= 18 else -1
        elif kind == _WORD:
            letter, meaning, last = _read_word(cut, index, lexicon)
        else:
            letter = _classify_sign(kind, folded[start])
        letters.append(letter)
        kept.starts.append(start)
        kept.ends.append(cut.ends[last])
        kept.numbers.append(number)
        kept.senses.append(meaning)
        index = last + 1
    return kept._replace(letters="".join(letters))


def _classify_sign(kind: int, char: str) -> str:
    if kind == _MARKUP:
        return "<"
    if char in _PLAIN:
        return char
    return "x" if kind == _FUSED_CHAR and char > "\u0e00" else "?"


def _read_word(cut: _Cut, index: int, lexicon: Lexicon) -> tuple[str, tuple[Sense, ...], int]:
    """Class letter and senses of the word or phrase that begins here, and the last token of it."""
    word = cut.word(index)
    for phrase in lexicon.phrases.get(word, ()):
        last = _match_phrase(cut, index, phrase.rest)
        if last and not (phrase.senses[0].role == "relunit" and _follows_number(cut, index)):
            return phrase.letter, phrase.senses, last
    known = lexicon.words.get(word)
    if known:
        return known.letter, known.senses, index
    return UNKNOWN, (), index


def _follows_number(cut: _Cut, index: int) -> bool:
    """Vietnamese «tuần trước» is last week, «2 tuần trước» two weeks ago."""
    index -= 1
    if index >= 0 and cut.kinds[index] == _SPACE:
        index -= 1
    return index >= 0 and cut.kinds[index] == _DIGITS


def _match_phrase(cut: _Cut, index: int, rest: tuple[str, ...]) -> int:
    """The last token of a phrase whose first word stands at a token; 0 when its rest does not follow."""
    count = len(cut.kinds)
    for part in rest:
        index += 1
        gap = 0
        while index < count and gap < 3 and cut.kinds[index] != _WORD:
            if cut.kinds[index] != _SPACE and cut.text[cut.starts[index]] not in _INSIDE_PHRASES:
                return 0
            index, gap = index + 1, gap + 1
        if index >= count or not gap or cut.kinds[index] != _WORD or cut.word(index) != part:
            return 0
    return index


def _clean(word: str) -> str:
    """A word without signs that do not change it, composed."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", word.translate(_DROPPED))


def classify_number(digits: str) -> str:
    """The class letter of a run of digits: what its length and value allow it to be."""
    length = len(digits)
    if length == 1:
        return "1" if digits != "0" else "0"
    if length == 2:
        return _TWO_DIGITS[int(digits)]
    value = int(digits) if length <= 14 else -1
    if length == 4:
        return _classify_year(value)
    if length == 8 and FIRST_YEAR <= value // 10000 <= LAST_YEAR:
        month, day = value // 100 % 100, value % 100
        return "E" if 1 <= month <= 12 and 1 <= day <= 31 else "L"
    if length == 14 and FIRST_YEAR <= value // 10**10 <= LAST_YEAR:
        return "F"
    if length in {10, 13} and digits[0] in "123456789":
        return "P"
    return "8" if length == 3 else "L"


_TWO_DIGITS = ["7"] + ["2"] * 12 + ["3"] * 12 + ["4"] * 7 + ["5"] * 28 + ["6"] * 40


def _classify_year(value: int) -> str:
    if FIRST_YEAR <= value <= LAST_YEAR:
        return "Y"
    if (
        FIRST_YEAR + BUDDHIST <= value <= LAST_YEAR + BUDDHIST
        or FIRST_YEAR - PERSIAN <= value <= LAST_YEAR - PERSIAN
    ):
        return "B"
    return "9"


__all__ = ["BARRIER", "Tokens", "tokenise"]
