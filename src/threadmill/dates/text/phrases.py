"""Makes one piece of the words of a phrase: «il y a», «last week»."""

from __future__ import annotations

from threadmill.dates.text.word_classes import Piece

# A phrase may have these between its words.
_INSIDE_PHRASES = frozenset(" '-.")


def join_phrases(
    pieces: list[Piece], starts: list[int], ends: list[int]
) -> tuple[list[Piece], list[int], list[int]]:
    """The pieces with every phrase made one, and where each begins and ends."""
    joined: list[Piece] = []
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


def _find_phrase(pieces: list[Piece], index: int) -> tuple[Piece, int]:
    """The phrase that begins with a piece, or the piece alone, and the last piece of it."""
    for phrase in pieces[index].phrases:
        last = _match_phrase(pieces, index, phrase.rest)
        if last and not (phrase.senses[0].role == "relunit" and _follows_number(pieces, index)):
            return Piece(phrase.letter, -1, phrase.senses, (), pieces[index].word), last
    return pieces[index], index


def _follows_number(pieces: list[Piece], index: int) -> bool:
    """Vietnamese «tuần trước» is last week, «2 tuần trước» two weeks ago."""
    index -= 1
    if index >= 0 and pieces[index].letter == " ":
        index -= 1
    return index >= 0 and pieces[index].number >= 0


def _match_phrase(pieces: list[Piece], index: int, rest: tuple[str, ...]) -> int:
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
