"""Which pages to look at to learn a forum from one of its addresses; whoever drives it fetches them."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from urllib.parse import urljoin, urlsplit

from threadmill.forum.link_urls import absolute_url, same_site, strip_session
from threadmill.forum.page_class.classify import PageClass
from threadmill.forum.site_model.learn import AnalysedSample, SamplePage, learn_from_analysed, visited_page
from threadmill.forum.site_model.link_shapes import group_by_shape, link_texts
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.url_groups import UrlGroups, is_same_page, lists_threads_of_all_boards
from threadmill.types import ThreadRow

_FORUM_WORD = re.compile(r"forum|board|communit|bbs|discus|foro|talk", re.IGNORECASE)
_MAX_ENTRIES, _MAX_BOARDS, _MAX_THREADS = 4, 4, 9
_ENOUGH_PAGES = 3  # pages of a site that show what stands on all of them
_MAX_SHAPES = 5  # groups of links tried where the rows of a page led nowhere

Exploration = Generator[str, "SamplePage | None", ForumModel]
Visit = Generator[str, "SamplePage | None", "AnalysedSample | None"]
Pages = dict[str, AnalysedSample]


def explore(start: str) -> Exploration:
    """Yields addresses to fetch, takes their pages (None when there is none), returns the forum's model."""
    pages: Pages = {}
    first = yield from _visit(start, pages)
    if first is None:
        return ForumModel(strip_session(start))
    entry = yield from _find_entry(first, pages)
    boards = yield from _visit_boards(entry, pages)
    if not any(page.kind.kind == "index" for page in boards):
        # short titles out of order look like names of boards
        lists = [page for page in pages.values() if page.kind.kind == "index" and page is not entry]
        boards = [*lists, *boards]
    yield from _visit_threads(boards, pages)
    return learn_from_analysed(pages, entry.url)


def _visit(url: str, pages: Pages) -> Visit:
    address = strip_session(url)
    if address not in pages:
        home = next(iter(pages), address)
        if not same_site(address, home):  # a row may link to anywhere
            return None
        sample = yield url
        if sample is None:
            return None
        pages[address] = AnalysedSample(sample)
    return pages[address]


def _find_entry(first: AnalysedSample, pages: Pages) -> Generator[str, SamplePage | None, AnalysedSample]:
    """The page with the most boards among the start, its breadcrumbs and the site's obvious addresses."""
    candidates = [first]
    for url in entry_candidates(first)[:_MAX_ENTRIES]:
        page = yield from _visit(url, pages)
        if page is not None:
            candidates.append(page)
    urls = {page.url for page in candidates}
    best = max(candidates, key=lambda page: (_lists(page, urls), *_entry_weight(page)))
    if best.kind.kind != "index" and _entry_weight(best)[0] > 0:
        best.kind = PageClass("index", 0.5, "", "boards")  # nothing on the way looks more like an entry
    return best


def _lists(page: AnalysedSample, candidates: set[str]) -> int:
    """How many of the candidates a page lists as its boards: what lists the others is above them."""
    if page.kind.kind == "thread":
        return 0
    return len({strip_session(board.url) for board in page.index.boards} & (candidates - {page.url}))


def _entry_weight(page: AnalysedSample) -> tuple[float, int]:
    index = page.index
    if page.kind.kind != "index":  # a start page with few boards may look like something else
        doubtful = page.kind.confidence < 0.95 and len(index.boards) >= 2
        return (len(index.boards) - 1.5 if doubtful else -1.0, -len(page.url))
    return (len(index.boards) or (0.5 if index.rows else 0), -len(page.url))


def entry_candidates(page: AnalysedSample) -> list[str]:
    """Addresses that may be the forum's start page, the likeliest first."""
    outline = page.analysis.outline
    linked: dict[str, int] = {}
    for index, href in enumerate(outline.hrefs):
        target = absolute_url(outline.base, href) if href else None
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
    return [url for url in sorted(weights, key=lambda url: -weights[url]) if strip_session(url) != page.url]


def _prefixes(path: str) -> set[str]:
    pieces = path.split("/")
    return {"/".join(pieces[:size]).rstrip("/") + "/" for size in range(1, len(pieces))}


def _visit_boards(
    entry: AnalysedSample, pages: Pages
) -> Generator[str, SamplePage | None, list[AnalysedSample]]:
    """Some index pages with threads on them; a second page of one of them."""
    listed = sorted(entry.index.boards, key=lambda board: -(board.posts or board.threads or 0))
    if entry.kind.kind == "index":
        yield from _visit_all((board.url for board in listed[:_MAX_BOARDS]), pages)
    found = _lists_of_threads(pages)
    if not [page for page in found if page is not entry]:
        more = yield from _try_shapes(entry, pages, "index")
        found = [*_lists_of_threads(pages), *(page for page in more if page.kind.kind == "other")]
    for page in found:
        if page.index.paging.next:
            yield from _visit(page.index.paging.next, pages)
            break
    return found


def _visit_all(urls: Iterable[str], pages: Pages) -> Generator[str, SamplePage | None, list[AnalysedSample]]:
    found = []
    for url in urls:
        page = yield from _visit(url, pages)
        found += [page] if page else []
    return found


def _lists_of_threads(pages: Pages) -> list[AnalysedSample]:
    found = [page for page in pages.values() if page.kind.kind == "index" and page.index.rows]
    # A page of boards whose last posts look like a list of threads teaches less than a board.
    return sorted(found, key=lambda page: bool(page.index.boards))


def _try_shapes(
    source: AnalysedSample, pages: Pages, wanted: str
) -> Generator[str, SamplePage | None, list[AnalysedSample]]:
    """Where rows led nowhere: one link of each group of like addresses, the wordiest group first."""
    texts = link_texts(source.analysis.outline)
    groups = group_by_shape(url for url in texts if texts[url] and url != source.url)
    groups = [group for group in groups if len(group) > 1] or groups
    groups.sort(key=lambda group: -sum(min(texts[url], 60) for url in group))
    for group in groups[:_MAX_SHAPES]:
        if any(url in pages for url in group):
            continue
        group.sort(key=lambda url: -texts[url])
        page = yield from _first_of_kind(group, source, pages, wanted)
        if page is None:
            continue
        found = [page]
        if not lists_threads_of_all_boards(visited_page("", source), [visited_page("", page)], len(group)):
            found += yield from _visit_all(group[1:_MAX_BOARDS], pages)
        return found
    return []


def _first_of_kind(group: list[str], source: AnalysedSample, pages: Pages, wanted: str) -> Visit:
    """The first page of a group if it is what is wanted; one like nothing may be an empty board."""
    for url in dict.fromkeys((group[0], group[len(group) // 2], group[-1])):
        page = yield from _visit(url, pages)
        if page is not None and is_same_page(visited_page("", page), visited_page("", source)):
            continue  # the source itself under another address
        kind = _kind_by_family(page, source, pages) if page else ""
        if kind == wanted:
            return page
        if kind not in {"", "other"}:
            return None
    return None


def _kind_by_family(page: AnalysedSample, entry: AnalysedSample, pages: Pages) -> str:
    if page.kind.kind != "other":
        return page.kind.kind
    families = UrlGroups([visited_page(asked, known) for asked, known in pages.items()], entry.url)
    return families.kind_of(page.url)


def _visit_threads(boards: list[AnalysedSample], pages: Pages) -> Generator[str, SamplePage | None, None]:
    """Threads of each board: the longest, with its next page, and others."""
    share = max(2, _MAX_THREADS // max(1, len(boards)))
    common = _common_links(pages)
    for board in boards[:_MAX_THREADS]:
        for row in _choose(_own_rows(board, common), share):
            page = yield from _visit(row.url, pages)
            if page is not None and page.kind.kind == "thread" and page.thread.paging.next:
                yield from _visit(page.thread.paging.next, pages)
    if boards and not any(page.kind.kind == "thread" for page in pages.values()):
        yield from _try_shapes(boards[0], pages, "thread")


def _common_links(pages: Pages) -> set[str]:
    """What all pages seen so far link to: menus, and boxes of the latest posts."""
    if len(pages) < _ENOUGH_PAGES:
        return set()
    return set.intersection(*(set(link_texts(page.analysis.outline)) for page in pages.values()))


def _own_rows(board: AnalysedSample, common: set[str]) -> list[ThreadRow]:
    """The rows of a board, or of another list of its page when they stand on every page of the site."""
    rows = [row for row in board.index.rows if strip_session(row.url) not in common]
    if rows or not common:
        return rows
    for read in board.analysis.parsed_row_lists:
        rows = [row for row in read.rows if strip_session(row.url) not in common]
        if len(rows) > 1:
            return rows
    return []


def _choose(rows: list[ThreadRow], count: int) -> list[ThreadRow]:
    ranked = sorted(rows, key=lambda row: -(row.replies or 0))
    return list(dict.fromkeys([*ranked[: count - 1], *ranked[len(ranked) // 2 : len(ranked) // 2 + 1]]))[
        :count
    ]
