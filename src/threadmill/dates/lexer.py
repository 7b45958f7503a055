"""Cuts a text into tokens and gives each a class letter, so that the grammar can read a short string."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from threadmill.dates.folding import decode_entities, fold
from threadmill.dates.lexicon import FUSED, UNKNOWN, Lexicon, Phrase, Sense
from threadmill.dates.markup import BARRIER, VEIL, Attribute, veil_addresses, veil_markup

# Years a forum can show; the Buddhist and the Persian ones are the same span.
FIRST_YEAR, LAST_YEAR = 1970, 2050
BUDDHIST, PERSIAN = 543, 621
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
# A phrase may have these between its words.
_INSIDE_PHRASES = frozenset(" '-.")
_IS_FUSED = re.compile(f"[{FUSED}]")
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")
# A few megabytes at most: longer runs are no words, and a list of names is not worth keeping.
_LONGEST_KEPT, _MOST_KEPT = 24, 20_000


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
    seams: frozenset[int]  # where words have grown together

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
    return re.compile(f"[0-9]+|{fused}|{letter}(?:{letter}|[{marks}])*|\\s+|\\x01+|.", re.DOTALL)


def tokenise(text: str, lexicon: Lexicon) -> Tokens:
    """Read a text or an HTML fragment into tokens."""
    veiled, attributes = veil_markup(text)
    places: list[int] | None = None
    if "&" in veiled:
        veiled, places = decode_entities(veiled)
        if places is not None and attributes:
            attributes = _move(attributes, places)
    folded = veil_addresses(fold(veiled))
    return _classify(folded, _seams(veiled, folded), lexicon, attributes, places)


def _seams(text: str, folded: str) -> frozenset[int]:
    """Where two words have grown together, as text taken out of markup has them: «by SmithMarch 5»."""
    if not _SEAM.search(text):
        return frozenset()
    return frozenset(m.start() for m in _SEAM.finditer(text) if folded[m.start()] != VEIL)


def _move(attributes: list[Attribute], places: list[int]) -> list[Attribute]:
    new: dict[int, int] = {}
    for now, before in enumerate(places):
        new.setdefault(before, now)
    return [Attribute(new.get(a.start, 0), new.get(a.end, 0), a.telling) for a in attributes]


class _Piece(NamedTuple):
    """What a run of characters is wherever it stands: looked up once, for all texts."""

    letter: str
    number: int  # its value, -1 when it is no number
    senses: tuple[Sense, ...]
    phrases: tuple[Phrase, ...]  # those that begin with it
    word: str  # as it is looked up; empty when it is no word


class _Pieces(dict[str, _Piece]):
    """The pieces met so far under one lexicon; forums say the same words over and over."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, raw: str) -> _Piece:
        piece = _classify_piece(raw, self._lexicon)
        if len(raw) <= _LONGEST_KEPT:
            self[raw] = piece
        return piece

    def cut(self, text: str) -> list[str]:
        """The pieces of a folded text; together they are the text."""
        if len(self) > _MOST_KEPT:
            self.clear()
        pattern = _ASCII if text.isascii() else _general(self._lexicon.fused.pattern)
        return pattern.findall(text)


@lru_cache(maxsize=8)
def _pieces(lexicon: Lexicon) -> _Pieces:
    return _Pieces(lexicon)


def _classify_piece(raw: str, lexicon: Lexicon) -> _Piece:
    first = raw[0]
    if first.isspace():
        return _Piece(" ", -1, (), (), "")
    if first in _ASCII_DIGITS:
        return _Piece(classify_number(raw), int(raw) if len(raw) <= 18 else -1, (), (), "")
    if first == BARRIER:
        return _Piece("<", -1, (), (), "")
    word = _clean(raw)
    known = lexicon.words.get(word)
    if known:
        return _Piece(known.letter, -1, known.senses, lexicon.phrases.get(word, ()), word)
    if _IS_FUSED.match(raw):
        return _Piece("x", -1, (), (), "")
    if first.isalnum() and not first.isdecimal():
        return _Piece(UNKNOWN, -1, (), lexicon.phrases.get(word, ()), word)
    return _Piece(_SIGNS.get(first, "?"), -1, (), (), "")


def _cut_seams(raw: list[str], seams: frozenset[int], known: _Pieces) -> list[str]:
    """The pieces with grown-together ones cut, where what follows a seam is the name of a month or a day."""
    pieces: list[str] = []
    place = 0
    for piece in raw:
        last = 0
        for cut in range(1, len(piece)) if known[piece].letter == UNKNOWN else ():
            if place + cut in seams and _is_name(known[_word_at(piece, cut, seams, place)]):
                pieces.append(piece[last:cut])
                last = cut
        pieces.append(piece[last:])
        place += len(piece)
    return pieces


def _word_at(piece: str, cut: int, seams: frozenset[int], place: int) -> str:
    end = next((at for at in range(cut + 1, len(piece)) if place + at in seams), len(piece))
    return piece[cut:end]


def _is_name(piece: _Piece) -> bool:
    return any(sense.role in {"month", "weekday"} for sense in piece.senses)


def _classify(
    folded: str,
    seams: frozenset[int],
    lexicon: Lexicon,
    attributes: list[Attribute],
    places: list[int] | None,
) -> Tokens:
    known = _pieces(lexicon)
    raw = known.cut(folded)
    if seams:
        raw = _cut_seams(raw, seams, known)
    pieces = [known[piece] for piece in raw]
    ends = list(accumulate(map(len, raw)))
    starts = [0, *ends][: len(ends)]  # the tokens cover the text without gaps
    if any(piece.phrases for piece in pieces):
        pieces, starts, ends = _join_phrases(pieces, starts, ends)
    return Tokens(
        folded,
        "".join([piece.letter for piece in pieces]),
        starts,
        ends,
        [piece.number for piece in pieces],
        [piece.senses for piece in pieces],
        attributes,
        places,
        seams,
    )


def _join_phrases(
    pieces: list[_Piece], starts: list[int], ends: list[int]
) -> tuple[list[_Piece], list[int], list[int]]:
    """The same with every phrase made one piece."""
    joined: list[_Piece] = []
    first_of: list[int] = []
    last_of: list[int] = []
    index = 0
    while index < len(pieces):
        piece, last = pieces[index], index
        if piece.phrases:
            piece, last = _find_phrase(pieces, index)
        joined.append(piece)
        first_of.append(starts[index])
        last_of.append(ends[last])
        index = last + 1
    return joined, first_of, last_of


def _find_phrase(pieces: list[_Piece], index: int) -> tuple[_Piece, int]:
    """The phrase that begins with a piece, or the piece alone, and the last piece of it."""
    for phrase in pieces[index].phrases:
        last = _match_phrase(pieces, index, phrase.rest)
        if last and not (phrase.senses[0].role == "relunit" and _follows_number(pieces, index)):
            return _Piece(phrase.letter, -1, phrase.senses, (), pieces[index].word), last
    return pieces[index], index


def _follows_number(pieces: list[_Piece], index: int) -> bool:
    """Vietnamese «tuần trước» is last week, «2 tuần trước» two weeks ago."""
    index -= 1
    if index >= 0 and pieces[index].letter == " ":
        index -= 1
    return index >= 0 and pieces[index].number >= 0


def _match_phrase(pieces: list[_Piece], index: int, rest: tuple[str, ...]) -> int:
    """The last piece of a phrase whose first word stands at a piece; 0 when its rest does not follow."""
    count = len(pieces)
    for part in rest:
        index += 1
        gap = 0
        while index < count and gap < 3 and not pieces[index].word:
            if pieces[index].letter not in _INSIDE_PHRASES:
                return 0
            index, gap = index + 1, gap + 1
        if index >= count or not gap or pieces[index].word != part:
            return 0
    return index


def _clean(word: str) -> str:
    """A word without signs that do not change it, composed."""
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", word).translate(_PLAIN)


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
    if length in {12, 14} and FIRST_YEAR <= value // 10 ** (length - 4) <= LAST_YEAR:
        return "F" if classify_number(digits[:8]) == "E" else "L"
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
