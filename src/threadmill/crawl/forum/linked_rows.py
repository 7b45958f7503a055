"""The threads and boards an index page leads to: what its rows tell, set right by where their links lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from threadmill.crawl.forum.knowledge import Lore
from threadmill.forum.index.rows_by_url import find_ids_outside_list, find_rows_by_url
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.read_page import IndexPage
from threadmill.page.parse.links import find_links
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve

_LIST = 3  # rows that make a list
_MOST = 0.6  # of its rows have a counter


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What an index page leads to."""

    threads: dict[str, ThreadRow]  # by key, in the page's order
    boards: dict[str, BoardRow]  # by URL
    links: dict[str, ThreadRow]  # threads that no row tells of, by key: only their links were seen
    apart: tuple[str, ...] = ()  # threads named outside the list of threads, by key, in the page's order


def find_skeleton(reading: PageAnalysis, page: IndexPage, lore: Lore) -> Skeleton:
    """Rows by the learnt addresses and as the page alone shows them; then links that stand in no row.

    Of the two readings the one that tells more about the rows they share goes first: not row by row, so
    that the same columns are compared from one visit to the next.
    """
    alone: list[ThreadRow | BoardRow] = [*page.rows, *page.boards]
    known = _known_rows(reading, lore, "thread")
    threads = _first_told([[*known], alone], lore, "thread")
    boards = _first_told([[*_known_rows(reading, lore, "index")], alone], lore, "index")
    places = _places(reading, lore)
    aside = _named_aside(_named(known, lore, "thread"), threads, places)
    ordered = sorted(threads.keys() - aside, key=lambda key: places.get(key, len(places)))
    found = _with_links(
        reading,
        lore,
        {key: _as_thread(threads[key]) for key in ordered},
        {key: _as_board(row) for key, row in boards.items()},
    )
    return replace(found, apart=tuple(find_ids_outside_list(reading, _namer(lore, "thread"))))


def _named_aside(
    rows: Mapping[str, ThreadRow | BoardRow],
    threads: Mapping[str, ThreadRow | BoardRow],
    places: Mapping[str, int],
) -> set[str]:
    """Threads that a box of the latest ones names: before or behind the list, and without its counters."""
    counted = [row for row in rows.values() if _as_thread(row).replies is not None]
    if len(rows) < _LIST or len(counted) < _MOST * len(rows):
        return set()
    found = [places[key] for key in rows if key in places]
    return {
        key
        for key, row in threads.items()
        if key not in rows
        and _as_thread(row).replies is None
        and not min(found, default=0) < places.get(key, -1) < max(found, default=0)
    }


def _places(reading: PageAnalysis, lore: Lore) -> dict[str, int]:
    """Where on the page each thread is first linked: two readings of rows have two orders."""
    places: dict[str, int] = {}
    for place, url in enumerate(find_links(reading.tree).urls):
        places.setdefault(lore.key_of(url), place)
    return places


def _first_told(
    readings: list[Sequence[ThreadRow | BoardRow]], lore: Lore, wanted: str
) -> dict[str, ThreadRow | BoardRow]:
    """Rows that lead to one kind of page, by name; the richer reading's first."""
    told = [_named(rows, lore, wanted) for rows in readings]
    shared = set.intersection(*(set(rows) for rows in told))
    told.sort(key=lambda rows: -sum(_richness(rows[name]) for name in shared))
    found: dict[str, ThreadRow | BoardRow] = {}
    for rows in told:
        for name, row in rows.items():
            found.setdefault(name, row)
    return found


def _named(rows: Sequence[ThreadRow | BoardRow], lore: Lore, wanted: str) -> dict[str, ThreadRow | BoardRow]:
    found: dict[str, ThreadRow | BoardRow] = {}
    for row in rows:
        url = resolve(row.url) or row.url
        kind = lore.leads_to(url)
        if kind == "unknown":
            kind = "thread" if isinstance(row, ThreadRow) else "index"
        if kind == wanted:
            name = lore.key_of(url) if kind == "thread" else lore.board_base(url)
            # A box at the side names the same boards again, in a list of its own.
            if name not in found or _richness(row) > _richness(found[name]):
                found[name] = replace(row, url=url if kind == "thread" else name)
    return found


def _richness(row: ThreadRow | BoardRow) -> int:
    """How much a row tells of the activity behind it; a box at the side tells dates, no counters."""
    counts = (row.replies, row.views) if isinstance(row, ThreadRow) else (row.threads, row.posts)
    counted = sum(told is not None for told in counts)
    return counted + 2 * bool(counted) + (row.active is not None)


def _with_links(
    reading: PageAnalysis, lore: Lore, threads: dict[str, ThreadRow], boards: dict[str, BoardRow]
) -> Skeleton:
    unread: dict[str, ThreadRow] = {}
    for url in find_links(reading.tree).urls:
        kind = lore.model.kind_of_url(url)
        if kind == "thread" and (key := lore.key_of(url)) not in threads:
            unread.setdefault(key, ThreadRow(url, ""))
        elif kind == "index":
            base = lore.board_base(url)
            boards.setdefault(base, BoardRow(base, ""))
    return Skeleton(threads, boards, unread)


def _namer(lore: Lore, wanted: str) -> Callable[[str], str | None]:
    """What gives an address its name, if it leads to one kind of page."""

    def name(url: str) -> str | None:
        found = resolve(url)
        if found is None or lore.model.kind_of_url(found) != wanted:
            return None
        return lore.key_of(found) if wanted == "thread" else found

    return name


def _known_rows(reading: PageAnalysis, lore: Lore, wanted: str) -> Sequence[ThreadRow]:
    read = find_rows_by_url(reading, _namer(lore, wanted), lore.row_shape(wanted))
    if read and read.shape:
        lore.shapes.add(f"{wanted} {read.shape}")
    return read.rows if read else ()


def _as_thread(row: ThreadRow | BoardRow) -> ThreadRow:
    if isinstance(row, ThreadRow):
        return row
    return ThreadRow(row.url, row.title, replies=row.threads, views=row.posts, active=row.active)


def _as_board(row: ThreadRow | BoardRow) -> BoardRow:
    if isinstance(row, BoardRow):
        return row
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)
