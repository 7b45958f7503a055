"""The threads and boards an index page leads to: what its rows tell, set right by where their links lead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from threadmill.crawl.incremental.lore import Lore
from threadmill.forum.pages import IndexPage
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What an index page leads to."""

    threads: dict[str, ThreadRow]  # by key, in the page's order
    boards: dict[str, BoardRow]  # by URL
    links: dict[str, ThreadRow]  # threads that no row tells of, by key: only their links were seen


def find_skeleton(page: IndexPage, links: Iterable[str], lore: Lore) -> Skeleton:
    """Sort rows by where they lead; add links that fit the learnt addresses and stand in no row."""
    threads: dict[str, ThreadRow] = {}
    boards: dict[str, BoardRow] = {}
    for row in (*page.rows, *page.boards):
        url = resolve(row.url) or row.url
        kind = lore.leads_to(url)
        if kind == "unknown":
            kind = "thread" if isinstance(row, ThreadRow) else "index"
        if kind == "thread":
            threads.setdefault(lore.key_of(url), replace(_as_thread(row), url=url))
        elif kind == "index":
            boards.setdefault(url, replace(_as_board(row), url=url))
    unread: dict[str, ThreadRow] = {}
    for url in links:
        kind = lore.model.kind_of_url(url)
        if kind == "thread" and (key := lore.key_of(url)) not in threads:
            unread.setdefault(key, ThreadRow(url, ""))
        elif kind == "index":
            boards.setdefault(url, BoardRow(url, ""))
    return Skeleton(threads, boards, unread)


def _as_thread(row: ThreadRow | BoardRow) -> ThreadRow:
    if isinstance(row, ThreadRow):
        return row
    return ThreadRow(row.url, row.title, replies=row.threads, views=row.posts, active=row.active)


def _as_board(row: ThreadRow | BoardRow) -> BoardRow:
    if isinstance(row, BoardRow):
        return row
    return BoardRow(row.url, row.title, row.replies, row.views, row.active)
