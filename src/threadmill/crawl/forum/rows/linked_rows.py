"""Finds the threads and boards that an index page links to, with what its rows say about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.forum.index.rows_by_url import find_ids_in_rows_of, find_ids_outside_list, find_rows_by_url
from threadmill.forum.link_urls import absolute_url, names_service_page, same_site, strip_session
from threadmill.forum.read_page import IndexPage, PageAnalysis
from threadmill.forum.site_model.url_shapes import group_by_shape
from threadmill.page.parse.links import find_links
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve

_MIN_LIST = 3  # rows that make a list
_MIN_BOARDS = 2  # known boards that make a list one of boards
_MIN_COUNTED = 0.6  # of the rows of a list have a counter


@dataclass(frozen=True, slots=True)
class LinkedRows:
    """What an index page links to."""

    threads: dict[str, ThreadRow]  # by key, in the order of the page
    boards: dict[str, BoardRow]  # by URL
    links: dict[str, ThreadRow]  # threads that have a link but no row, by key
    box_threads: tuple[str, ...] = ()  # keys of threads named outside the list of threads, in page order
    beside_start: frozenset[str] = frozenset()  # URLs of boards linked beside the start page: in a breadcrumb
    linked_again: frozenset[str] = frozenset()  # keys of threads with more links than others of the page


def find_linked_rows(analysis: PageAnalysis, page: IndexPage, layout: LayoutKnowledge) -> LinkedRows:
    """Find rows by the learnt URL patterns and by the page alone, then links that are in no row.

    Of these two readings, the one that says more about their shared rows is preferred. This holds for the
    whole page and not row by row, so that the same columns are compared at each visit.
    """
    by_page: list[ThreadRow | BoardRow] = [*page.rows, *page.boards]
    by_url = _rows_by_url(analysis, layout, "thread")
    threads = _merge_readings([[*by_url], by_page], layout, "thread")
    boards = _merge_readings([[*_rows_by_url(analysis, layout, "index")], by_page], layout, "index")
    boards |= _find_boards_among(page.boards, boards, layout)
    mentioned = find_ids_in_rows_of(analysis, _namer(layout, "thread"), _namer(layout, "index"))
    for key in _find_last_post_links(threads, layout) | (mentioned & threads.keys()):
        del threads[key]
    in_list = {key: row for key, row in _rows_by_name(by_url, layout, "thread").items() if key in threads}
    places = _link_places(analysis, layout, list(in_list))
    in_boxes = _find_box_rows(in_list, threads, places)
    rank = {key: number for number, key in enumerate(in_list)}
    ordered = sorted(
        (key for key in threads if key not in in_boxes),
        key=lambda key: (places.get(key, len(places)), rank.get(key, -1)),
    )
    found = _add_links(
        analysis,
        layout,
        {key: _as_thread(threads[key]) for key in ordered},
        _as_boards(boards),
    )
    return replace(
        found,
        box_threads=tuple(find_ids_outside_list(analysis, _namer(layout, "thread"))),
        beside_start=frozenset(_find_boards_beside_start(analysis, layout)),
        linked_again=_find_linked_again(analysis, layout, threads),
    )


def _find_linked_again(
    analysis: PageAnalysis, layout: LayoutKnowledge, threads: Collection[str]
) -> frozenset[str]:
    """The threads with more links than the others: the only thread of a board may stand in a box too."""
    hrefs = (href for href in analysis.outline.hrefs if href)
    urls = (url for href in hrefs if (url := absolute_url(analysis.outline.base, href)))
    count = Counter(key for url in urls if (key := layout.thread_key(url)) in threads)
    return frozenset(key for key in count if count[key] > min(count.values()))


def _find_boards_beside_start(analysis: PageAnalysis, layout: LayoutKnowledge) -> set[str]:
    """Boards whose links stand beside one to the start page, in a breadcrumb or menu.

    These boards are not below the board of the page, but above or beside it.
    """
    outline, start = analysis.outline, _folder(layout.model.entry)
    urls = {
        index: url
        for index, href in enumerate(outline.hrefs)
        if href and (url := absolute_url(outline.base, href))
    }
    kinds = {index: layout.model.kind_of_url(url) for index, url in urls.items()}
    homes = {index for index, url in urls.items() if kinds[index] == "entry" or _folder(url) == start}
    found: set[str] = set()
    for home in homes:
        top = outline.parent[home]
        near = [index for index in urls if outline.is_under(index, top)]
        while top > 0 and len({urls[index] for index in near}) == 1:
            top = outline.parent[top]
            near = [index for index in urls if outline.is_under(index, top)]
        if not any(kinds[index].startswith("thread") for index in near):
            found.update(layout.board_url(urls[index]) for index in near if kinds[index] == "index")
    return found


def _folder(url: str) -> str:
    """A URL without the script that a folder shows by itself: "/forum/index.php" is "/forum/"."""
    return re.sub(r"/(?:index|default|home)\.\w+$", "/", strip_session(url))


def _find_boards_among(
    rows: Sequence[BoardRow], boards: Mapping[str, ThreadRow | BoardRow], layout: LayoutKnowledge
) -> dict[str, ThreadRow | BoardRow]:
    """Rows in a list of boards that no URL pattern fits, but that show posts: boards that were empty.

    It must show a date where the others do. Elsewhere a second number and a URL like theirs tell.
    """
    known = [row for row in rows if layout.board_url(resolve(row.url) or row.url) in boards]
    dated = any(row.active for row in known)
    others: dict[str, ThreadRow | BoardRow] = {
        url: replace(row, url=url)
        for row in rows
        if row.posts
        and (row.active if dated else row.threads)
        and (url := resolve(row.url))
        and layout.link_kind(url) == "other"
        and same_site(url, layout.model.entry)
    }
    if not dated:  # a year stands beside the links below the list, too
        alike = group_by_shape([*boards, *others])
        named = {url for group in alike if not boards.keys().isdisjoint(group) for url in group}
        others = {url: row for url, row in others.items() if url in named and not names_service_page(url)}
    return others if len(known) >= max(_MIN_BOARDS, len(others)) else {}


def _find_last_post_links(threads: Mapping[str, ThreadRow | BoardRow], layout: LayoutKnowledge) -> set[str]:
    """Keys that only the links to last posts have: a link of a row to its own thread is no thread itself."""
    rows = {key: _as_thread(row) for key, row in threads.items()}
    leads = {layout.thread_key(row.active_url): key for key, row in rows.items() if row.active_url}
    return {
        key for key, own in leads.items() if own != key and key in threads and not _information(threads[key])
    }


def _find_box_rows(
    rows: Mapping[str, ThreadRow | BoardRow],
    threads: Mapping[str, ThreadRow | BoardRow],
    places: Mapping[str, int],
) -> set[str]:
    """Threads in a box of latest posts: before or after the list, and without the counters of the list."""
    counted = [row for row in rows.values() if _as_thread(row).replies is not None]
    if len(rows) < _MIN_LIST or len(counted) < _MIN_COUNTED * len(rows):
        return set()
    found = [places[key] for key in rows if key in places]
    return {
        key
        for key, row in threads.items()
        if key not in rows
        and _as_thread(row).replies is None
        and not min(found, default=0) < places.get(key, -1) < max(found, default=0)
    }


def _link_places(analysis: PageAnalysis, layout: LayoutKnowledge, in_list: Sequence[str]) -> dict[str, int]:
    """Where on the page each thread is first linked. The two readings of rows have different orders.

    Threads of the main list keep its order: a box before the list may link some of them in another one.
    """
    places: dict[str, int] = {}
    for place, url in enumerate(find_links(analysis.tree).urls):
        places.setdefault(layout.thread_key(url), place)
    last = -1
    for key in in_list:
        last = places[key] = max(last, places.get(key, last))
    return places


def _merge_readings(
    readings: list[Sequence[ThreadRow | BoardRow]], layout: LayoutKnowledge, kind: str
) -> dict[str, ThreadRow | BoardRow]:
    """Rows that lead to one kind of page, by name. The reading with more information goes first."""
    named = [_rows_by_name(rows, layout, kind) for rows in readings]
    shared = set.intersection(*(set(rows) for rows in named))
    named.sort(key=lambda rows: -sum(_information(rows[name]) for name in shared))
    found: dict[str, ThreadRow | BoardRow] = {}
    for rows in named:
        for name, row in rows.items():
            found.setdefault(name, row)
    return found


def _rows_by_name(
    rows: Sequence[ThreadRow | BoardRow], layout: LayoutKnowledge, wanted: str
) -> dict[str, ThreadRow | BoardRow]:
    """The rows of one kind by thread key or board URL. Of two rows the one with more information is kept."""
    found: dict[str, ThreadRow | BoardRow] = {}
    for row in rows:
        url = resolve(row.url) or row.url
        kind = layout.link_kind(url)
        if kind == "unknown":
            kind = "thread" if isinstance(row, ThreadRow) else "index"
        if kind == wanted:
            name = layout.thread_key(url) if kind == "thread" else layout.board_url(url)
            # A box at the side may list the same boards again.
            if name not in found or _information(row) > _information(found[name]):
                found[name] = replace(row, url=url if kind == "thread" else name)
    return found


def _information(row: ThreadRow | BoardRow) -> int:
    """How much a row says about activity. Counters weigh more: a box at the side shows dates only."""
    counts = (row.replies, row.views) if isinstance(row, ThreadRow) else (row.threads, row.posts)
    counted = sum(count is not None for count in counts)
    return counted + 2 * bool(counted) + (row.active is not None)


def _add_links(
    analysis: PageAnalysis,
    layout: LayoutKnowledge,
    threads: dict[str, ThreadRow],
    boards: dict[str, BoardRow],
) -> LinkedRows:
    links: dict[str, ThreadRow] = {}
    last_posts = {layout.thread_key(row.active_url) for row in threads.values() if row.active_url}
    for url in find_links(analysis.tree).urls:
        kind = layout.model.kind_of_url(url)
        if names_service_page(url):  # a broad pattern may match it, but no row says that it is a board
            continue
        if kind == "thread" and (key := layout.thread_key(url)) not in threads and key not in last_posts:
            links.setdefault(key, ThreadRow(url, ""))
        elif kind == "index":
            base = layout.board_url(url)
            boards.setdefault(base, BoardRow(base, ""))
    if not threads:  # icons beside the titles lead to the threads: they are the list
        threads, links = links, {}
    return LinkedRows(threads, boards, links)


def _namer(layout: LayoutKnowledge, wanted: str) -> Callable[[str], str | None]:
    """A function that names URLs of one kind of page, and returns None for all others."""

    def name(url: str) -> str | None:
        found = resolve(url)
        if found is None or layout.model.kind_of_url(found) != wanted or names_service_page(found):
            return None
        return layout.thread_key(found) if wanted == "thread" else found

    return name


def _rows_by_url(analysis: PageAnalysis, layout: LayoutKnowledge, kind: str) -> Sequence[ThreadRow]:
    read = find_rows_by_url(analysis, _namer(layout, kind), layout.row_shape(kind))
    if read and read.shape:
        layout.shapes.add(f"{kind} {read.shape}")
    return read.rows if read else ()


def _as_thread(row: ThreadRow | BoardRow) -> ThreadRow:
    if isinstance(row, ThreadRow):
        return row
    return ThreadRow(row.url, row.title, replies=row.threads, views=row.posts, active=row.active)


def _as_boards(rows: Mapping[str, ThreadRow | BoardRow]) -> dict[str, BoardRow]:
    """The rows of boards. Read as rows of threads, posts were taken for replies: the larger number."""
    boards = {key: _as_board(row) for key, row in rows.items()}
    read = [boards[key] for key, row in rows.items() if isinstance(row, ThreadRow)]
    counted = [(row.threads, row.posts) for row in read if row.threads is not None and row.posts is not None]
    if sum(one for one, _ in counted) <= sum(other for _, other in counted):
        return boards
    swapped = {row.url for row in read}
    return {
        key: replace(row, threads=row.posts, posts=row.threads) if row.url in swapped else row
        for key, row in boards.items()
    }


def _as_board(row: ThreadRow | BoardRow) -> BoardRow:
    if isinstance(row, BoardRow):
        return row
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)
