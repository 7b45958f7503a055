"""Cuts a text into tokens and gives each a class letter, so that the grammar can read a short string."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from threadmill.dates.text.folding import decode_entities, fold
from threadmill.dates.text.lexicon import UNKNOWN, Lexicon, Sense
from threadmill.dates.text.markup import VEIL, Attribute, veil_addresses, veil_markup
from threadmill.dates.text.phrases import join_phrases
from threadmill.dates.text.word_classes import Piece, Pieces, find_pieces

_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")


class Tokens(NamedTuple):
    """A text's tokens: class letters as one string, and beside it offsets and meanings."""

    text: str  # folded, with markup and addresses veiled
    letters: str
    starts: list[int]
    ends: list[int]
    numbers: Sequence[int]  # the value of a number, -1 for others
    senses: Sequence[tuple[Sense, ...]]
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


def _cut_seams(raw: list[str], seams: frozenset[int], known: Pieces) -> list[str]:
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


def _is_name(piece: Piece) -> bool:
    return any(sense.role in {"month", "weekday"} for sense in piece.senses)


def _classify(
    folded: str,
    seams: frozenset[int],
    lexicon: Lexicon,
    attributes: list[Attribute],
    places: list[int] | None,
) -> Tokens:
    known = find_pieces(lexicon)
    raw = known.cut(folded)
    if seams:
        raw = _cut_seams(raw, seams, known)
    pieces = [known[piece] for piece in raw]
    ends = list(accumulate(map(len, raw)))
    starts = [0, *ends][: len(ends)]  # the tokens cover the text without gaps
    if not pieces:
        return Tokens(folded, "", [], [], [], [], attributes, places, seams)
    letters, numbers, senses, phrases, _ = zip(*pieces, strict=True)
    if any(phrases):
        pieces, starts, ends = join_phrases(pieces, starts, ends)
        letters, numbers, senses, _, _ = zip(*pieces, strict=True)
    return Tokens(folded, "".join(letters), starts, ends, numbers, senses, attributes, places, seams)
