"""The counters of rows: numbers that stand in the same words or the same cell of every row."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from threadmill.forum.lists import read_counter
from threadmill.forum.rows import REPLIES, VIEWS
from threadmill.forum.table import Table

_WORDS = re.compile(r"[^\W\d_]+")
_PAIR = re.compile(r"[(\[]?\s*(\d{1,9})\s*[/|]\s*(\d{1,9})\s*[)\]]?")
_LONGEST = 30  # characters of a counter with its label; more is a sentence
_COVER = 0.8  # of the rows must have it

Counts = dict[int, int]


def find_counts(table: Table, titles: dict[int, int]) -> tuple[Counts, Counts]:
    """Replies and views of each row: by their labels; without labels views are what sums up to more."""
    columns = _columns(table, titles)
    wanted = _COVER * len(table.records)
    full = {key: column for key, column in columns.items() if len(column) >= wanted}
    replies = next((column for key, column in full.items() if REPLIES.search(key[1])), None)
    views = next((column for key, column in full.items() if VIEWS.search(key[1])), None)
    unnamed = [column for key, column in full.items() if column is not replies and column is not views]
    unnamed.sort(key=lambda column: sum(column.values()))
    if replies is None and unnamed:
        replies = unnamed.pop(0)
    if views is None and unnamed:
        views = unnamed[-1]
    return replies or {}, views or {}


def _columns(table: Table, titles: dict[int, int]) -> dict[tuple[str, str, int], Counts]:
    """Number texts of the rows by cell, label and how-manieth."""
    outline = table.outline
    dated = table.dated
    columns: dict[tuple[str, str, int], Counts] = defaultdict(dict)
    for number, segments in enumerate(table.segments):
        seen: Counter[tuple[str, str]] = Counter()
        for segment in segments:
            owner = outline.segment_owner[segment]
            text = outline.segments[segment].strip()
            if len(text) > _LONGEST or owner in dated or _is_title(table, titles, number, owner):
                continue
            # The names of rows themselves tell odd from even and full from empty ones.
            cell = outline.tags[owner] if owner in table.roots else outline.symbols[owner]
            kind = (cell, " ".join(_WORDS.findall(text.lower())))
            for value in _numbers(text):
                seen[kind] += 1
                columns[(*kind, seen[kind])][number] = value
    return columns


def _numbers(text: str) -> list[int]:
    """The counter a text is, or the two of "(17/86)"."""
    pair = _PAIR.fullmatch(text)
    if pair:
        return [int(pair[1]), int(pair[2])]
    value = read_counter(text)
    return [] if value is None else [value]


def _is_title(table: Table, titles: dict[int, int], number: int, owner: int) -> bool:
    return number in titles and table.outline.is_under(owner, titles[number])
