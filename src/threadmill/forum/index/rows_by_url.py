"""The rows of an index page whose addresses are known: each title link makes one row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from threadmill.forum.index.row_counters import find_counts, find_numbers
from threadmill.forum.index.row_lists import RowList
from threadmill.forum.index.rows import ParsedRowList, parse_row_list
from threadmill.forum.link_urls import absolute_url
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, split_records

# One link shows no boundary between rows.
_FEWEST = 2
_MOST = 0.6
_DEEP = 4  # tags that tell a heading from a row


def find_rows_by_url(
    analysis: PageAnalysis, name_of: Callable[[str], str | None], shape: str | None = None
) -> ParsedRowList | None:
    """The rows whose titles lead to addresses that have a name; None when the page shows too few.

    One link alone shows no boundary between rows; but where it stands as the titles of other pages do, in
    the shape of a row that they taught, it is a row.
    """
    outline = analysis.outline
    anchors = _title_links(analysis, name_of)
    records = split_records(outline, anchors) if len(anchors) >= _FEWEST else []
    if not records and shape and (single := _lone_record(analysis, name_of, shape)):
        records = [single]
    if not records:
        return None
    table = RecordTable(outline, records, analysis.dates)
    titles = {number: record.anchor for number, record in enumerate(records)}
    read = parse_row_list(RowList(table, titles, 1.0), analysis.now)
    replies, views = find_counts(table, titles)
    numbers = find_numbers(table, titles)
    rows = [
        replace(row, replies=replies.get(number), views=views.get(number), numbers=numbers[number])
        for number, row in enumerate(read.rows)
    ]
    # A box of the latest threads has rows, too, but hardly any with a counter.
    counted = sum(row.replies is not None for row in rows) >= _MOST * len(rows)
    return replace(read, rows=tuple(rows), shape=_common_shape(outline, records) if counted else "")


def _common_shape(outline: PageOutline, records: Sequence[PageRecord]) -> str:
    """How most rows are built from their top down to the title; empty where a row is several elements."""
    shapes = Counter(
        _shape(outline, record.start, record.anchor) for record in records if len(record.roots) == 1
    )
    shape, count = shapes.most_common(1)[0] if shapes else ("", 0)
    return shape if count >= max(_FEWEST, _MOST * len(records)) else ""


def _shape(outline: PageOutline, root: int, anchor: int) -> str:
    """The row's own name, and the tags from it down to the title."""
    tags = []
    index = anchor
    while index != root:
        tags.append(outline.tags[index])
        index = outline.parent[index]
    return " ".join((outline.symbols[root], *reversed(tags)))


def _lone_record(
    analysis: PageAnalysis, name_of: Callable[[str], str | None], shape: str
) -> PageRecord | None:
    """The only link on the page that stands in a row of a known shape."""
    outline = analysis.outline
    name, *tags = shape.split(" ")
    found: dict[str, PageRecord] = {}
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        chain, up = [], index
        for _ in tags:
            chain.append(outline.tags[up])
            up = outline.parent[up]
            if up < 0:
                break
        if up < 0 or chain[::-1] != tags or outline.symbols[up] != name:
            continue
        target = absolute_url(outline.base, href)
        known = name_of(target) if target else None
        if known is not None:
            found.setdefault(known, PageRecord(index, (up,)))
    return next(iter(found.values())) if len(found) == 1 else None


def _title_links(analysis: PageAnalysis, name_of: Callable[[str], str | None]) -> list[int]:
    """For each name the link that looks most like a title, of those in the page's main list."""
    outline = analysis.outline
    links = _named_links(analysis, name_of)
    holder = _main_list(outline, sorted(found[-1] for found in links.values()))
    # A box of the latest threads names some of them a second time, outside the list.
    inside = ([index for index in found if outline.is_under(index, holder)] for found in links.values())
    return sorted(found[-1] for found in inside if found)


def names_outside_list(analysis: PageAnalysis, name_of: Callable[[str], str | None]) -> list[str]:
    """The names that stand outside the page's main list, in order: those of a box of the latest threads."""
    outline = analysis.outline
    links = _named_links(analysis, name_of)
    holder = _main_list(outline, sorted(found[-1] for found in links.values()))
    places = {
        name: min(outside)
        for name, found in links.items()
        if (outside := [index for index in found if not outline.is_under(index, holder)])
    }
    return sorted(places, key=lambda name: places[name])


def _named_links(analysis: PageAnalysis, name_of: Callable[[str], str | None]) -> dict[str, list[int]]:
    """All links with a name; of each name's links the likeliest title last."""
    outline = analysis.outline
    dated = {cell.element for cell in analysis.dates}
    links: dict[str, list[int]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        target = absolute_url(outline.base, href)
        name = name_of(target) if target else None
        if name is not None:
            links[name].append(index)
    # The heading above a list may name its first row once more: rows are where most names stand.
    usual = Counter(
        place for found in links.values() for place in {_place(outline, index) for index in found}
    )

    def likeness(index: int) -> tuple[bool, bool, int, int, int]:
        # A link to the last post has a fragment, or a date for its text; a counter is short.
        plain = "#" not in (outline.hrefs[index] or "")
        return plain, index not in dated, outline.text_length(index), usual[_place(outline, index)], -index

    return {name: sorted(found, key=likeness) for name, found in links.items()}


def _place(outline: PageOutline, index: int) -> str:
    """The tags that a link stands in."""
    tags: list[str] = []
    while index >= 0 and len(tags) < _DEEP:
        tags.append(outline.tags[index])
        index = outline.parent[index]
    return " ".join(tags)


def _main_list(outline: PageOutline, links: list[int]) -> int:
    """The lowest element that holds most of the links: a box at the side holds few."""
    wanted = _MOST * len(links)
    holder = 0
    while True:
        inside: Counter[int] = Counter(
            outline.child_towards(holder, link)
            for link in links
            if link != holder and outline.is_under(link, holder)
        )
        child, count = inside.most_common(1)[0] if inside else (0, 0)
        if count < wanted or count < _FEWEST:
            return holder
        holder = child
