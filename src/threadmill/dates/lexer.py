"""Cuts a text into tokens and gives each a class letter, so that the grammar can read a short string."""

from __future__ import annotations

import re
import unicodedata
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

    def attribute_at(self, offset: int) -> Attribute | None:
        """The attribute value that covers an offset."""
        for attribute in self.attributes:
            if attribute.start <= offset < attribute.end:
                return attribute
        return None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the text as it was given."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end]


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
    raw = _cut(folded, lexicon)
    return _classify(folded, raw, lexicon, attributes, places)


def _move(attributes: list[Attribute], places: list[int]) -> list[Attribute]:
    new: dict[int, int] = {}
    for now, before in enumerate(places):
        new.setdefault(before, now)
    return [Attribute(new.get(a.start, 0), new.get(a.end, 0), a.telling) for a in attributes]


def _cut(folded: str, lexicon: Lexicon) -> list[tuple[int, int, int]]:
    pattern = _ASCII if folded.isascii() else _general(lexicon.fused.pattern)
    return [(match.lastindex or 0, match.start(), match.end()) for match in pattern.finditer(folded)]


def _classify(
    folded: str,
    raw: list[tuple[int, int, int]],
    lexicon: Lexicon,
    attributes: list[Attribute],
    places: list[int] | None,
) -> Tokens:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    numbers: list[int] = []
    senses: list[tuple[Sense, ...]] = []
    index, count = 0, len(raw)
    while index < count:
        kind, start, end = raw[index]
        number, step = -1, 1
        meaning: tuple[Sense, ...] = ()
        if kind == 2:
            letter, meaning, step = _read_word(folded, raw, index, lexicon)
            end = raw[index + step - 1][2]
        elif kind == 1:
            letter = classify_number(folded[start:end])
            number = int(folded[start:end]) if end - start <= 18 else -1
        elif kind == 3:
            letter = " "
        elif kind == 4:
            letter = "<"
        else:
            char = folded[start]
            letter = (
                char if char in _PLAIN else ("x" if kind == 5 and end - start and char > "\u0e00" else "?")
            )
        letters.append(letter)
        starts.append(start)
        ends.append(end)
        numbers.append(number)
        senses.append(meaning)
        index += step
    return Tokens(folded, "".join(letters), starts, ends, numbers, senses, attributes, places)


def _read_word(
    folded: str, raw: list[tuple[int, int, int]], index: int, lexicon: Lexicon
) -> tuple[str, tuple[Sense, ...], int]:
    """Class letter, senses and length in tokens of the word or phrase that begins here."""
    word = _clean(folded[raw[index][1] : raw[index][2]])
    for phrase in lexicon.phrases.get(word, ()):
        steps = _match_phrase(folded, raw, index + 1, phrase.rest)
        if steps:
            return phrase.letter, phrase.senses, steps + 1
    known = lexicon.words.get(word)
    if known:
        return known.letter, known.senses, 1
    return UNKNOWN, (), 1


def _match_phrase(folded: str, raw: list[tuple[int, int, int]], index: int, rest: tuple[str, ...]) -> int:
    """How many tokens from here the rest of a phrase takes; 0 when it does not stand here."""
    first = index
    for part in rest:
        gap = 0
        while (
            index < len(raw) and gap < 3 and (raw[index][0] == 3 or folded[raw[index][1]] in _INSIDE_PHRASES)
        ):
            index, gap = index + 1, gap + 1
        if index >= len(raw) or raw[index][0] != 2 or not gap:
            return 0
        if _clean(folded[raw[index][1] : raw[index][2]]) != part:
            return 0
        index += 1
    return index - first


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
