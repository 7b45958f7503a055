"""Keyword in context: where the phrases of a question stand in a text, with what is around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from threadmill.corpus.search.entries import term_spans
from threadmill.corpus.search.query import Phrase


@dataclass(frozen=True, slots=True)
class Line:
    """One place: what stands before it, the words, what follows."""

    left: str
    match: str
    right: str


def concordance(text: str, phrases: Sequence[Phrase], width: int = 40) -> list[Line]:
    """The places of any of the phrases in order, none inside another; without any, the beginning."""
    found = sorted(set(_places(text, phrases)), key=lambda place: (place[0], -place[1]))
    lines: list[Line] = []
    last = 0
    for start, end in found:
        if start >= last:
            lines.append(_line(text, start, end, width))
            last = end
    return lines or [_line(text, 0, 0, width)]


def _places(text: str, phrases: Sequence[Phrase]) -> Iterator[tuple[int, int]]:
    spans = term_spans(text)
    words = [word for _, _, word in spans]
    for phrase in phrases:
        length = len(phrase.words)
        for at in range(len(words) - length + 1):
            if _is_at(words, at, phrase):
                yield spans[at][0], spans[at + length - 1][1]


def _is_at(words: list[str], at: int, phrase: Phrase) -> bool:
    *firm, last = phrase.words
    if words[at : at + len(firm)] != firm:
        return False
    word = words[at + len(firm)]
    return word.startswith(last) if phrase.prefix else word == last


def _line(text: str, start: int, end: int, width: int) -> Line:
    left = " ".join(text[max(0, start - 2 * width) : start].split())
    right = " ".join(text[end : end + 2 * width].split())
    space_before = " " if text[start - 1 : start].isspace() else ""
    space_after = " " if text[end : end + 1].isspace() else ""
    return Line(
        (left + space_before)[-width:], " ".join(text[start:end].split()), (space_after + right)[:width]
    )
