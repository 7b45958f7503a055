"""Keyword in context: finds the phrases of a query in a text, with the words around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from threadmill.corpus.search.entries import term_spans
from threadmill.corpus.search.query import QueryPhrase


@dataclass(frozen=True, slots=True)
class ConcordanceLine:
    """One match with the text before and after it."""

    left: str
    match: str
    right: str


def concordance(text: str, phrases: Sequence[QueryPhrase], width: int = 40) -> list[ConcordanceLine]:
    """All matches of the phrases in order, without overlaps. If there is none, the beginning of the text."""
    found = sorted(set(_find_matches(text, phrases)), key=lambda place: (place[0], -place[1]))
    lines: list[ConcordanceLine] = []
    last = 0
    for start, end in found:
        if start >= last:
            lines.append(_make_line(text, start, end, width))
            last = end
    return lines or [_make_line(text, 0, 0, width)]


def _find_matches(text: str, phrases: Sequence[QueryPhrase]) -> Iterator[tuple[int, int]]:
    spans = term_spans(text)
    words = [word for _, _, word in spans]
    for phrase in phrases:
        length = len(phrase.words)
        for at in range(len(words) - length + 1):
            if _matches_at(words, at, phrase):
                yield spans[at][0], spans[at + length - 1][1]


def _matches_at(words: list[str], at: int, phrase: QueryPhrase) -> bool:
    *before, last = phrase.words
    if words[at : at + len(before)] != before:
        return False
    word = words[at + len(before)]
    return word.startswith(last) if phrase.prefix else word == last


def _make_line(text: str, start: int, end: int, width: int) -> ConcordanceLine:
    left = " ".join(text[max(0, start - 2 * width) : start].split())
    right = " ".join(text[end : end + 2 * width].split())
    space_before = " " if text[start - 1 : start].isspace() else ""
    space_after = " " if text[end : end + 1].isspace() else ""
    return ConcordanceLine(
        (left + space_before)[-width:], " ".join(text[start:end].split()), (space_after + right)[:width]
    )
