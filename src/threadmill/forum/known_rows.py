"""The rows of an index page whose addresses are known: each title link makes one row."""

from __future__ import annotations

from collections import Counter
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
    best: dict[str, tuple[bool, bool, int, int]] = {}
    for index, href in enumerate(outline.hrefs):
        if not href or not outline.text_length(index):
            continue
        target = absolute(outline.base, href)
        name = name_of(target) if target else None
        if name is not None:
            # A link to the last post has a fragment, or a date for its text; a counter is short.
            weight = ("#" not in href, index not in dated, outline.text_length(index), -index)
            best[name] = max(best.get(name, weight), weight)
    return _main_list(outline, sorted(-weight[3] for weight in best.values()))


def _main_list(outline: Outline, links: list[int]) -> list[int]:
    """The links below the lowest element that holds most of them: a box at the side holds few."""
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
            break
        holder = child
    return [link for link in links if outline.is_under(link, holder)]
