"""The rows of an index page whose addresses are known: each title link makes one row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace

from threadmill.forum.addresses import absolute
from threadmill.forum.counts import find_counts
from threadmill.forum.lists import RowList
from threadmill.forum.outline import Outline
from threadmill.forum.reading import Reading
from threadmill.forum.records import split
from threadmill.forum.rows import ReadList, read_list
from threadmill.forum.table import Table

# One link shows no boundary between rows.
_FEWEST = 2
_MOST = 0.6


def rows_of_family(reading: Reading, name_of: Callable[[str], str | None]) -> ReadList | None:
    """The rows whose titles lead to addresses that have a name; None when the page shows too few."""
    outline = reading.outline
    anchors = _title_links(reading, name_of)
    if len(anchors) < _FEWEST:
        return None
    records = split(outline, anchors)
    if not records:
        return None
    table = Table(outline, records, reading.dates)
    titles = dict(enumerate(anchors))
    read = read_list(RowList(table, titles, 1.0), reading.now)
    replies, views = find_counts(table, titles)
    rows = [
        replace(row, replies=replies.get(number), views=views.get(number))
        for number, row in enumerate(read.rows)
    ]
    return replace(read, rows=tuple(rows))


def _title_links(reading: Reading, name_of: Callable[[str], str | None]) -> list[int]:
    """For each name the link that looks most like a title, of those in the page's main list."""
    outline = reading.outline
    dated = {cell.element for cell in reading.dates}
    found: dict[str, list[tuple[bool, bool, int, int]]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        target = absolute(outline.base, href)
        name = name_of(target) if target else None
        if name is not None:
            # A link to the last post has a fragment, or a date for its text; a counter is short.
            found[name].append(("#" not in href, index not in dated, outline.text_length(index), -index))
    holder = _main_list(outline, sorted(-max(links)[3] for links in found.values()))
    # A box of the latest threads names some of them a second time, outside the list.
    inside = ([link for link in links if outline.is_under(-link[3], holder)] for links in found.values())
    return sorted(-max(links)[3] for links in inside if links)


def _main_list(outline: Outline, links: list[int]) -> int:
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
