"""The threads and boards an index page leads to: what its rows tell, set right by where their links lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from threadmill.crawl.incremental.lore import Lore
from threadmill.forum.known_rows import rows_of_family
from threadmill.forum.pages import IndexPage
from threadmill.forum.reading import Reading
from threadmill.page.links import find_links
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What an index page leads to."""

    threads: dict[str, ThreadRow]  # by key, in the page's order
    boards: dict[str, BoardRow]  # by URL
    links: dict[str, ThreadRow]  # threads that no row tells of, by key: only their links were seen


def find_skeleton(reading: Reading, page: IndexPage, lore: Lore) -> Skeleton:
    """Rows by the learnt addresses, else as the page alone shows them; then links that stand in no row."""
    threads: dict[str, ThreadRow] = {}
    boards: dict[str, BoardRow] = {}
    rows: list[ThreadRow | BoardRow] = [*_known_rows(reading, lore), *page.rows, *page.boards]
    for row in rows:
        url = resolve(row.url) or row.url
        kind = lore.leads_to(url)
        if kind == "unknown":
            kind = "thread" if isinstance(row, ThreadRow) else "index"
        if kind == "thread":
            threads.setdefault(lore.key_of(url), replace(_as_thread(row), url=url))
        elif kind == "index":
            base = lore.board_base(url)
            boards.setdefault(base, replace(_as_board(row), url=base))
    unread: dict[str, ThreadRow] = {}
    for url in find_links(reading.tree).urls:
        kind = lore.model.kind_of_url(url)
        if kind == "thread" and (key := lore.key_of(url)) not in threads:
            unread.setdefault(key, ThreadRow(url, ""))
        elif kind == "index":
            base = lore.board_base(url)
            boards.setdefault(base, BoardRow(base, ""))
    return Skeleton(threads, boards, unread)


def _known_rows(reading: Reading, lore: Lore) -> Iterator[ThreadRow]:
    def name(url: str, kind: str) -> str | None:
        found = resolve(url)
        if found is None or lore.model.kind_of_url(found) != kind:
            return None
        return lore.key_of(found) if kind == "thread" else found

    for kind in ("thread", "index"):
        read = rows_of_family(reading, lambda url, kind=kind: name(url, kind))  # type: ignore[misc]
        yield from read.rows if read else ()


def _as_thread(row: ThreadRow | BoardRow) -> ThreadRow:
    if isinstance(row, ThreadRow):
        return row
    return ThreadRow(row.url, row.title, replies=row.threads, views=row.posts, active=row.active)


def _as_board(row: ThreadRow | BoardRow) -> BoardRow:
    if isinstance(row, BoardRow):
        return row
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)
