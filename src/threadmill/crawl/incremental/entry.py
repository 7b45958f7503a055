"""From any page of a forum to its entry page: the one with the most boards."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urlsplit

from threadmill.crawl.incremental.answers import PageCame
from threadmill.forum.pages import index_of
from threadmill.forum.reading import Reading
from threadmill.page.links import find_links
from threadmill.page.tree import Tree
from threadmill.urls import resolve

Fetch = Callable[[str], Awaitable[PageCame | None]]

# The source's hint for entry pages, on any page of the site.
_FORUM_WORD = re.compile(r"forum|board|communit|bbs|discus", re.IGNORECASE)
_MOST_CANDIDATES = 5


async def find_entry(start: str, fetch: Fetch) -> str | None:
    """The entry page's URL; None when nothing on the way looks like a forum."""
    came = await fetch(start)
    if came is None or not came.readable:
        return None
    tree = came.tree()
    best = (_boards(tree, came), 0, came.capture.url)
    if best[0] >= 2 or _is_root(came.capture.url):
        return came.capture.url if _looks_like_index(tree, came) else None
    for order, url in enumerate(_candidates(tree, came.capture.url)):
        if order >= _MOST_CANDIDATES or best[0] >= 2:
            break
        other = await fetch(url)
        if other is not None and other.readable:
            best = max(best, (_boards(other.tree(), other), -order, other.capture.url))
    return best[2]


def _boards(tree: Tree, came: PageCame) -> int:
    return len(index_of(Reading(tree, came.now)).boards)


def _looks_like_index(tree: Tree, came: PageCame) -> bool:
    page = index_of(Reading(tree, came.now))
    return bool(page.boards or page.rows)


def _is_root(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in {"", "/"} and not parts.query


def _candidates(tree: Tree, url: str) -> Iterator[str]:
    """Links that look like an entry, then the directories above the page, the nearest last."""
    seen = {url}
    host = urlsplit(url).netloc
    links = [link for link in find_links(tree).urls if urlsplit(link).netloc == host]
    entries = [link for link in links if link.endswith("/") and _FORUM_WORD.search(urlsplit(link).path)]
    for link in [*sorted(set(entries), key=len), *_above(url)]:
        if link not in seen:
            seen.add(link)
            yield link


def _above(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    pieces = [piece for piece in parts.path.split("/") if piece]
    for depth in range(len(pieces)):
        path = "/".join(pieces[:depth])
        above = resolve(f"{parts.scheme}://{parts.netloc}/{path}{'/' if path else ''}")
        if above:
            yield above
