"""The counters of rows: numbers that stand in the same words or the same cell of every row."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from threadmill.forum.index.row_lists import is_link_name, read_counter
from threadmill.forum.index.rows import REPLIES, VIEWS, page_links
from threadmill.forum.link_urls import absolute_url
from threadmill.forum.records.record_table import RecordTable

_WORDS = re.compile(r"[^\W\d_]+")
_PAIR = re.compile(r"[(\[]?\s*(\d{1,9})\s*[/|]\s*(\d{1,9})\s*[)\]]?")
_LONGEST = 30  # characters of a counter with its label; more is a sentence
_COVER = 0.8  # of the rows must have it

_MOST_NUMBERS = 10  # a row with more is a sheet of figures

Counts = dict[int, int]


def find_counts(table: RecordTable, titles: dict[int, int]) -> tuple[Counts, Counts]:
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


def find_numbers(table: RecordTable, titles: dict[int, int]) -> list[dict[str, int]]:
    """Every number of each row by the name of its column, which is the same on all pages of a site.

    What a column counts is for those to find out who have read what the rows lead to. A label in the same
    text is left out of the name: "1 comment" and "2 comments" are one column.
    """
    bare: dict[str, Counts] = defaultdict(dict)
    for number, row in enumerate(_numbered(table, titles)):
        seen: Counter[str] = Counter()
        for cell, _, value in row:
            seen[cell] += 1
            bare[f"{cell} {seen[cell]}"][number] = value
    full = [(name, column) for name, column in bare.items() if len(column) >= _COVER * len(table.records)]
    return [
        {name: column[number] for name, column in full[:_MOST_NUMBERS] if number in column}
        for number in range(len(table.records))
    ]


def _columns(table: RecordTable, titles: dict[int, int]) -> dict[tuple[str, str, int], Counts]:
    """Number texts of the rows by cell, label and how-manieth."""
    columns: dict[tuple[str, str, int], Counts] = defaultdict(dict)
    for number, row in enumerate(_numbered(table, titles)):
        seen: Counter[tuple[str, str]] = Counter()
        for cell, label, value in row:
            seen[cell, label] += 1
            columns[cell, label, seen[cell, label]][number] = value
    return columns


def _numbered(table: RecordTable, titles: dict[int, int]) -> Iterator[list[tuple[str, str, int]]]:
    """Of each row its numbers: cell, words around the number in the same text, value."""
    outline = table.outline
    dated = table.dated
    for number, segments in enumerate(table.segments):
        found = []
        paging = _paging(table, titles, number)
        for segment in segments:
            owner = outline.segment_owner[segment]
            text = outline.segments[segment].strip()
            if len(text) > _LONGEST or owner in dated or _is_title(table, titles, number, owner):
                continue
            if is_link_name(outline, owner) or any(outline.is_under(owner, link) for link in paging):
                continue
            # The names of rows themselves tell odd from even and full from empty ones.
            cell = outline.tags[owner] if owner in table.roots else outline.symbols[owner]
            label = " ".join(_WORDS.findall(text.lower()))
            found += [(cell, label, value) for value in _numbers(text)]
        yield found


def _paging(table: RecordTable, titles: dict[int, int], number: int) -> list[int]:
    """The links of a row to the pages of its thread: "1 2 3 … 17" counts nothing.

    Another number than 1 that leads to the thread itself is no page link: it may be that of its replies.
    """
    outline, title = table.outline, titles.get(number)
    href = outline.hrefs[title] if title is not None else None
    url = absolute_url(outline.base, href) if href else None
    links = page_links(table, number, url) if url else []
    if all(target == url for _, target in links):
        return []
    return [index for index, target in links if target != url or outline.text(index, 12).strip() == "1"]


def _numbers(text: str) -> list[int]:
    """The counter a text is, or the two of "(17/86)"."""
    pair = _PAIR.fullmatch(text)
    if pair:
        return [int(pair[1]), int(pair[2])]
    value = read_counter(text)
    return [] if value is None else [value]


def _is_title(table: RecordTable, titles: dict[int, int], number: int, owner: int) -> bool:
    return number in titles and table.outline.is_under(owner, titles[number])
