"""Which pages to look at to learn a forum from one of its addresses; whoever drives it fetches them."""

from __future__ import annotations

import re
from collections.abc import Generator
from urllib.parse import urljoin, urlsplit

from threadmill.forum.addresses import absolute, clean, same_site
from threadmill.forum.classify import PageClass
from threadmill.forum.learn import Known, Sample, learn_known
from threadmill.forum.model import ForumModel
from threadmill.types import ThreadRow

_FORUM_WORD = re.compile(r"forum|board|communit|bbs|discus|foro|talk", re.IGNORECASE)
_MAX_ENTRIES, _MAX_BOARDS, _MAX_THREADS = 4, 4, 9

Exploration = Generator[str, "Sample | None", ForumModel]


def explore(start: str) -> Exploration:
    """Yields addresses to fetch, takes their pages (None when there is none), returns the forum's model."""
    pages: dict[str, Known] = {}
    first = yield from _visit(start, pages)
    if first is None:
        return ForumModel(clean(start))
    entry = yield from _find_entry(first, pages)
    boards = yield from _visit_boards(entry, pages)
    yield from _visit_threads(boards, pages)
    return learn_known(list(pages.values()), entry.url)


def _visit(url: str, pages: dict[str, Known]) -> Generator[str, Sample | None, Known | None]:
    address = clean(url)
    if address not in pages:
        sample = yield url
        if sample is None:
            return None
        pages[address] = Known(sample)
    return pages[address]


def _find_entry(first: Known, pages: dict[str, Known]) -> Generator[str, Sample | None, Known]:
    """The page with the most boards among the start, its breadcrumbs and the site's obvious addresses."""
    candidates = [first]
    for url in entry_candidates(first)[:_MAX_ENTRIES]:
        page = yield from _visit(url, pages)
        if page is not None:
            candidates.append(page)
    best = max(candidates, key=_entry_weight)
    if best.kind.kind != "index" and _entry_weight(best)[0] > 0:
        best.kind = PageClass("index", 0.5, "", "boards")  # nothing on the way looks more like an entry
    return best


def _entry_weight(page: Known) -> tuple[float, int]:
    index = page.index
    if page.kind.kind != "index":  # a start page with few boards may look like something else
        doubtful = page.kind.confidence < 0.95 and len(index.boards) >= 2
        return (len(index.boards) - 1.5 if doubtful else -1.0, -len(page.url))
    return (len(index.boards) or (0.5 if index.rows else 0), -len(page.url))


def entry_candidates(page: Known) -> list[str]:
    """Addresses that may be the forum's start page, the likeliest first."""
    outline = page.reading.outline
    linked: dict[str, int] = {}
    for index, href in enumerate(outline.hrefs):
        target = absolute(outline.base, href) if href else None
        if target and same_site(target, page.url):
            linked.setdefault(target, index)
    parts = urlsplit(page.url)
    prefixes = _prefixes(parts.path)
    weights: dict[str, float] = {}
    for target, index in linked.items():
        path = urlsplit(target)
        weight = 0.0
        if path.path.rstrip("/") + "/" in prefixes and not path.query:
            weight += 2.0
        if path.path.endswith("/") and _FORUM_WORD.search(path.path) and not path.query:
            weight += 1.0
        if path.path.rpartition("/")[2].startswith("index.") and not path.query:
            weight += 1.5
        if weight:
            weights[target] = weight - index / max(1, len(outline)) - 0.1 * path.path.count("/")
    root = urljoin(page.url, "/")
    weights.setdefault(root, 0.5)
    return [url for url in sorted(weights, key=lambda url: -weights[url]) if clean(url) != page.url]


def _prefixes(path: str) -> set[str]:
    pieces = path.split("/")
    return {"/".join(pieces[:size]).rstrip("/") + "/" for size in range(1, len(pieces))}


def _visit_boards(entry: Known, pages: dict[str, Known]) -> Generator[str, Sample | None, list[Known]]:
    """Some index pages with threads on them; a second page of one of them."""
    if entry.kind.kind != "index":
        return [page for page in pages.values() if page.kind.kind == "index" and page.index.rows]
    found = [entry] if entry.index.rows and not entry.index.boards else []
    boards = sorted(entry.index.boards, key=lambda board: -(board.posts or board.threads or 0))
    for board in boards[:_MAX_BOARDS]:
        page = yield from _visit(board.url, pages)
        if page is not None and page.kind.kind == "index" and page.index.rows:
            found.append(page)
    found += [
        page for page in pages.values() if page not in found and page.kind.kind == "index" and page.index.rows
    ]
    for page in found:
        if page.index.paging.next:
            yield from _visit(page.index.paging.next, pages)
            break
    return found


def _visit_threads(boards: list[Known], pages: dict[str, Known]) -> Generator[str, Sample | None, None]:
    """Threads of each board: the longest, with its next page, and others."""
    if not boards:
        return
    share = max(2, _MAX_THREADS // len(boards))
    for board in boards[:_MAX_THREADS]:
        for row in _choose(list(board.index.rows), share):
            page = yield from _visit(row.url, pages)
            if page is not None and page.kind.kind == "thread" and page.thread.paging.next:
                yield from _visit(page.thread.paging.next, pages)


def _choose(rows: list[ThreadRow], count: int) -> list[ThreadRow]:
    ranked = sorted(rows, key=lambda row: -(row.replies or 0))
    return list(dict.fromkeys([*ranked[: count - 1], *ranked[len(ranked) // 2 : len(ranked) // 2 + 1]]))[
        :count
    ]
