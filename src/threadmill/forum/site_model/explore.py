"""Chooses the pages from which a forum is learnt. The caller fetches them and sends them back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from urllib.parse import urljoin, urlsplit

from threadmill.forum.index.counters_and_boards import is_reply_title
from threadmill.forum.link_urls import (
    absolute_url,
    names_file,
    names_service_page,
    same_site,
    strip_session,
)
from threadmill.forum.page_class.classify import PageClass
from threadmill.forum.site_model.learn import AnalysedSample, SamplePage, learn_from_analysed, visited_page
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.url_groups import UrlGroups
from threadmill.forum.site_model.url_shapes import group_by_shape
from threadmill.forum.site_model.visited_pages import is_same_page, lists_threads_of_all_boards
from threadmill.types import BoardRow, ThreadRow

_FORUM_WORD = re.compile(r"forum|board|communit|bbs|discus|foro|talk", re.IGNORECASE)
_MAX_ENTRIES, _MAX_BOARDS, _MAX_THREADS = 4, 4, 9
_ENOUGH_THREADS = 6  # pages; single posts are read side by side from four on, and one may be of another kind
_MIN_PAGES = 3  # of a site, before links on all of them count as framing
_COMMON = 0.8  # of the pages: some have no boxes, and no page links itself
_MAX_GROUPS = 5  # groups of links that are tried where the rows of a page led nowhere
_SMALL_GROUP = 2  # links
_MAX_PAGES = 40  # fetched to learn a forum whose rows tell little
_MAX_FRUITLESS = 6  # pages in a row that are neither lists nor threads
_MAX_SOURCES = 8  # pages whose links are tried
_SURE = 0.9  # confidence in the class of a page, from which one page speaks for its group
_CALLED = 0.5  # confidence in a class that other pages tell
_MAX_MESSAGES = 3  # answers whose whole threads are looked for
_MIN_WORDS = 15  # characters of a post that is found again; "Thanks!" stands on many pages
_MAX_LINK_TEXT = 60  # characters of a link that count for the weight of its group

Exploration = Generator[str, "SamplePage | None", ForumModel]
_Visit = Generator[str, "SamplePage | None", "AnalysedSample | None"]
_Visits = Generator[str, "SamplePage | None", "list[AnalysedSample]"]
_Pages = dict[str, AnalysedSample]


def explore(start: str) -> Exploration:
    """Yield URLs to fetch, take their pages (None for a page that cannot be fetched), return the model.

    The start page comes first, then possible entries, some boards, and some threads of each board.
    """
    pages: _Pages = {}
    first = yield from _visit(start, pages)
    if first is None:
        return ForumModel(strip_session(start))
    entry = yield from _find_entry(first, pages)
    boards = yield from _visit_boards(entry, pages)
    if not any(page.kind == "index" for page in boards):
        # Short titles out of order look like names of boards.
        lists = [page for page in pages.values() if page.kind == "index" and page is not entry]
        boards = [*lists, *boards]
    yield from _visit_threads(boards, pages)
    yield from _try_unseen_groups(entry, pages)
    yield from _seek_whole_threads(pages)
    return learn_from_analysed(pages, entry.url)


def _visit(url: str, pages: _Pages) -> _Visit:
    """The page at a URL: fetched once, and only on the site of the start page."""
    key = strip_session(url)
    if key not in pages:
        home = next(iter(pages), key)
        if key != home and (not same_site(key, home) or names_file(key)):  # a row may link anywhere
            return None
        sample = yield url
        if sample is None:
            return None
        pages[key] = AnalysedSample(sample)
    return pages[key]


def _visit_all(urls: Iterable[str], pages: _Pages) -> _Visits:
    found = []
    for url in urls:
        page = yield from _visit(url, pages)
        found += [page] if page else []
    return found


# ---- the entry ----


def _find_entry(first: AnalysedSample, pages: _Pages) -> Generator[str, SamplePage | None, AnalysedSample]:
    """The page with the most boards, of the start page, its breadcrumbs and the obvious URLs of the site."""
    candidates = [first]
    for url in find_entry_candidates(first)[:_MAX_ENTRIES]:
        page = yield from _visit(url, pages)
        if page is not None:
            candidates.append(page)
    urls = {page.url for page in candidates}
    if first.kind == "index" and first.index.rows:  # a menu of the site that leads to it is no list of boards
        candidates = [page for page in candidates if page is first or _is_surely_index(page)]
    best = max(candidates, key=lambda page: (_count_listed(page, urls), *_entry_weight(page)))
    if best is not first and (yield from _is_one_of_several_lists(best, first, pages)):
        best = first
    if best.kind != "index" and _entry_weight(best)[0] <= _entry_weight(first)[0]:
        best = first  # none is a list, so a shorter URL tells nothing
    if best.kind != "index" and _entry_weight(best)[0] > 0:
        # No other candidate looks more like an entry.
        best.page_class = PageClass("index", _CALLED, "", "boards")
    return best


def _is_one_of_several_lists(
    page: AnalysedSample, first: AnalysedSample, pages: _Pages
) -> Generator[str, SamplePage | None, bool]:
    """Whether a list of threads is one of several that the start page links, in a list that was not read.

    The name of a board may have the word "discussion" too.
    """
    if first.index.rows or first.index.boards or page.index.boards or not page.index.rows:
        return False
    alike = next((group for group in group_by_shape([page.url, *first.links]) if page.url in group), [])
    others = [url for url in alike if url not in pages and not names_service_page(url)]
    other = (yield from _visit(others[0], pages)) if others else None
    return (
        other is not None
        and other.kind == "index"
        and bool(other.index.rows)
        and not is_same_page(visited_page("", other), visited_page("", page))
    )


def _is_surely_index(page: AnalysedSample) -> bool:
    return page.kind == "index" and page.page_class.confidence >= _CALLED


def _count_listed(page: AnalysedSample, candidates: set[str]) -> int:
    """How many other candidates a page lists as boards. A page that lists the others is above them."""
    if page.kind == "thread":
        return 0
    return len({strip_session(board.url) for board in page.index.boards} & (candidates - {page.url}))


def _entry_weight(page: AnalysedSample) -> tuple[float, int]:
    """How much a page looks like the entry of a forum: its boards, then a short URL."""
    index = page.index
    if page.kind != "index":  # a start page with few boards may be misread
        doubtful = page.page_class.confidence < 0.95 and len(index.boards) >= 2
        return (len(index.boards) - 1.5 if doubtful else -1.0, -len(page.url))
    return (len(index.boards) or (0.5 if index.rows else 0), -len(page.url))


def find_entry_candidates(page: AnalysedSample) -> list[str]:
    """URLs that may be the start page of the forum, likeliest first."""
    outline = page.analysis.outline
    linked: dict[str, int] = {}
    for index, href in enumerate(outline.hrefs):
        target = absolute_url(outline.base, href) if href else None
        if target and same_site(target, page.url):
            linked.setdefault(target, index)
    folders = _folders_above(urlsplit(page.url).path)
    weights: dict[str, float] = {}
    for target, index in linked.items():
        parts = urlsplit(target)
        weight = 0.0
        if parts.path.rstrip("/") + "/" in folders and not parts.query:
            weight += 2.0
        if parts.path.endswith("/") and _FORUM_WORD.search(parts.path) and not parts.query:
            weight += 1.0
        if parts.path.rpartition("/")[2].startswith("index.") and not parts.query:
            weight += 1.5
        if weight:
            weights[target] = weight - index / max(1, len(outline)) - 0.1 * parts.path.count("/")
    root = urljoin(page.url, "/")
    weights.setdefault(root, 0.5)
    return [url for url in sorted(weights, key=lambda url: -weights[url]) if strip_session(url) != page.url]


def _folders_above(path: str) -> set[str]:
    """The folders of a path: "/", "/a/" and "/a/b/" of "/a/b/c"."""
    pieces = path.split("/")
    return {"/".join(pieces[:size]).rstrip("/") + "/" for size in range(1, len(pieces))}


# ---- boards ----


def _visit_boards(entry: AnalysedSample, pages: _Pages) -> _Visits:
    """Some index pages with threads, the busiest boards first, and the second page of one of them."""
    listed = sorted(entry.index.boards, key=lambda board: -(board.posts or board.threads or 0))
    if entry.kind == "index":
        yield from _visit_all((board.url for board in listed[:_MAX_BOARDS]), pages)
    found = _lists_of_threads(pages)
    if not [page for page in found if page is not entry]:
        more = yield from _try_link_groups(entry, pages, "index")
        found = [*_lists_of_threads(pages), *(page for page in more if page.kind == "other")]
    for page in found:
        if page.index.paging.next:
            yield from _visit(page.index.paging.next, pages)
            break
    return found


def _lists_of_threads(pages: _Pages) -> list[AnalysedSample]:
    found = [page for page in pages.values() if page.kind == "index" and page.index.rows]
    # The last posts in a list of boards may look like a list of threads. A board shows more.
    return sorted(found, key=lambda page: bool(page.index.boards))


def _try_link_groups(source: AnalysedSample, pages: _Pages, wanted: str) -> _Visits:
    """Pages of the wanted kind where rows led nowhere: one link of each group of like URLs is tried.

    The group with the most link text comes first. Where a group is small, the next ones are tried too: the
    boards of a site may have several pages each ("/a/list.html", "/a/tree.html", "/b/list.html").
    """
    lengths = source.links
    groups = group_by_shape(
        url for url in lengths if lengths[url] and url != source.url and not names_service_page(url)
    )
    groups = [group for group in groups if len(group) > 1] or groups
    groups.sort(key=lambda group: -sum(min(lengths[url], _MAX_LINK_TEXT) for url in group))
    found: list[AnalysedSample] = []
    for group in groups[:_MAX_GROUPS]:
        if any(url in pages for url in group) or len(found) >= _MAX_BOARDS:
            continue
        group.sort(key=lambda url: -lengths[url])
        page = yield from _visit_first_of_kind(group, source, pages, wanted)
        if page is None:
            continue
        found.append(page)
        if not lists_threads_of_all_boards(visited_page("", source), [visited_page("", page)], len(group)):
            found += yield from _visit_all(group[1:_MAX_BOARDS], pages)
        if len(group) > _SMALL_GROUP:
            break
    return found


def _visit_first_of_kind(group: list[str], source: AnalysedSample, pages: _Pages, wanted: str) -> _Visit:
    """The first page of a group if it is of the wanted kind. A page of no kind may be an empty board."""
    for url in dict.fromkeys((group[0], group[len(group) // 2], group[-1])):
        page = yield from _visit(url, pages)
        if page is not None and is_same_page(visited_page("", page), visited_page("", source)):
            continue  # the source itself under another URL
        kind = _kind_by_group(page, source, pages) if page else ""
        if kind == wanted:
            return page
        if kind not in {"", "other"}:
            return None
    return None


def _kind_by_group(page: AnalysedSample, entry: AnalysedSample, pages: _Pages) -> str:
    """The kind of a page. If it is "other", the kind of pages with like URLs."""
    if page.kind != "other":
        return page.kind
    groups = UrlGroups([visited_page(asked, sample) for asked, sample in pages.items()], entry.url)
    return groups.kind_of(page.url)


# ---- threads ----


def _visit_threads(boards: list[AnalysedSample], pages: _Pages) -> Generator[str, SamplePage | None, None]:
    """Fetch some threads of each board, the longest first, each with its second page.

    Rows of a board may lead to lists of threads instead, such as one for each month.
    """
    share = max(2, _MAX_THREADS // max(1, len(boards)))
    common = _find_common_links(pages)
    known, deeper = set(pages), list[AnalysedSample]()
    for board in boards[:_MAX_THREADS]:
        for row in _choose_threads(_find_own_rows(board, common), share):
            page = yield from _visit(row.url, pages)
            if page is not None and page.kind == "thread" and page.thread.paging.next:
                yield from _visit(page.thread.paging.next, pages)
            elif page is not None and page.kind == "index" and page.index.rows and page.url not in known:
                deeper.append(page)
    if any(page.kind == "thread" for page in pages.values()):
        yield from _add_threads(boards, pages, common)
    elif not boards:
        return
    elif deeper:
        yield from _visit_threads(deeper, pages)
    else:
        yield from _try_link_groups(boards[0], pages, "thread")


def _add_threads(
    boards: list[AnalysedSample], pages: _Pages, common: set[str]
) -> Generator[str, SamplePage | None, None]:
    """Fetch further threads until some were: where each has one post, only several show what a post is."""
    rows = [row for board in boards for row in _find_own_rows(board, common)]
    groups = group_by_shape([*(strip_session(row.url) for row in rows), *pages])
    group_of = {url: group for group in groups for url in group}
    tried = 0
    for row in rows:
        threads = sum(page.kind == "thread" for page in pages.values())
        if tried >= 2 * _ENOUGH_THREADS or threads >= _ENOUGH_THREADS:
            return
        if not _leads_elsewhere(group_of[strip_session(row.url)], pages):
            tried += 1
            yield from _visit(row.url, pages)


def _leads_elsewhere(alike: Sequence[str], pages: _Pages) -> bool:
    """Whether several pages with URLs that are written alike were fetched, and none is a thread.

    A tree of subjects has a row for each message. Their pages say little about whole threads.
    """
    kinds = [pages[url].kind for url in alike if url in pages]
    return len(kinds) >= _MAX_MESSAGES and "thread" not in kinds


# ---- what rows did not lead to ----


def _try_unseen_groups(entry: AnalysedSample, pages: _Pages) -> Generator[str, SamplePage | None, None]:
    """Fetch pages of URL groups that nothing was fetched of, until boards and threads are proven by pages.

    Rows may be misread: a start page with one board, an index page that shows posts, lists one step deeper.
    The links of these pages are still there.
    """
    fruitless, tried = 0, set[str]()
    while len(pages) < _MAX_PAGES and fruitless < _MAX_FRUITLESS and not _is_proven(entry, pages):
        group = _choose_group(entry, pages, tried)
        if group is None:
            return
        tried.add(group[0])
        page = yield from _visit(group[0], pages)
        if page is None or page.kind == "other":
            fruitless += 1
            continue
        fruitless = 0
        more = yield from _visit_all(group[1:_MAX_BOARDS], pages)
        for found in [page, *more]:
            paging = found.thread.paging if found.kind == "thread" else found.index.paging
            if found.kind != "other" and paging.next:
                yield from _visit(paging.next, pages)
                break
        if page.kind == "index":
            yield from _visit_threads([one for one in (page, *more) if one.kind == "index"], pages)


def _is_proven(entry: AnalysedSample, pages: _Pages) -> bool:
    """Whether a list of threads was fetched, and some of the threads that it lists.

    The start page alone is no such list: it may show the latest threads of boards in a box. Such a box on all
    pages makes no list of any of them.
    """
    threads = {page.url for page in pages.values() if page.kind == "thread"} - _find_common_links(pages)
    lists = [page for page in pages.values() if page.kind == "index"]
    listed = [len(threads.intersection(page.links)) for page in lists if page is not entry]
    paged = entry.kind == "index" and bool(entry.index.paging.next)
    return any(count > 1 for count in listed) or (paged and len(threads.intersection(entry.links)) > 1)


def _choose_group(entry: AnalysedSample, pages: _Pages, tried: set[str]) -> list[str] | None:
    """The most promising group of URLs of which no page was fetched, the most promising URL first."""
    others = [page for page in pages.values() if page is not entry]
    sources = [entry, *sorted(others, key=lambda page: ("index", "thread", "other").index(page.kind))]
    lengths: dict[str, int] = {}
    for source in sources[:_MAX_SOURCES]:
        for url, length in source.links.items():
            lengths[url] = max(length, lengths.get(url, 0))
    fetched = {**{page.url: page for page in pages.values()}, **pages}
    best: tuple[float, list[str]] | None = None
    for group in group_by_shape(dict.fromkeys([*lengths, *tried, *fetched])):
        seen = {id(fetched[url]): fetched[url] for url in group if url in fetched}
        if not tried.isdisjoint(group) or not _is_open(list(seen.values())):
            continue
        wanted = [
            url for url in group if url not in fetched and lengths.get(url) and not names_service_page(url)
        ]
        if not wanted:
            continue
        wanted.sort(key=lambda url: -lengths[url])
        weight = sum(min(lengths[url], _MAX_LINK_TEXT) for url in wanted)
        if best is None or weight > best[0]:
            best = weight, wanted
    return best[1] if best else None


def _is_open(seen: list[AnalysedSample]) -> bool:
    """Whether the fetched pages of a group leave open what it is: there is none, or one of a doubtful kind.

    A board with a single thread looks like that thread, where lists show posts.
    """
    return not seen or (len(seen) == 1 and seen[0].page_class.confidence < _SURE)


def _find_common_links(pages: _Pages) -> set[str]:
    """The links that nearly all pages share: menus, and boxes of the latest posts."""
    if len(pages) < _MIN_PAGES:
        return set()
    count = Counter(url for page in pages.values() for url in page.links)
    return {url for url in count if count[url] >= _COMMON * len(pages)}


def _find_own_rows(board: AnalysedSample, common: set[str]) -> list[ThreadRow]:
    """The rows of a board. If all of them are links of every page, the rows of another list of the page."""
    rows = [row for row in board.index.rows if strip_session(row.url) not in common]
    if rows or not common:
        return rows
    for parsed in board.analysis.parsed_row_lists:
        rows = [row for row in parsed.rows if strip_session(row.url) not in common]
        if len(rows) > 1:
            return rows
    return []


def _choose_threads(rows: list[ThreadRow], count: int) -> list[ThreadRow]:
    """The threads with the most replies, and one of medium length.

    In a list of messages also one of each other form of URL: threads and their answers may differ in it.
    """
    ranked = sorted(rows, key=lambda row: (not row.page_urls, -(row.replies or 0)))
    middle = len(ranked) // 2
    usual = list(dict.fromkeys([*ranked[: count - 1], *ranked[middle : middle + 1]]))[:count]
    if not any(is_reply_title(row.title) for row in rows):
        return usual
    chosen = {row.url for row in usual}
    groups = group_by_shape(row.url for row in rows)[:_MAX_GROUPS]
    others = {group[0] for group in groups if len(group) > 1 and chosen.isdisjoint(group)}
    return [*usual, *(row for row in rows if row.url in others)]


def _seek_whole_threads(pages: _Pages) -> Generator[str, SamplePage | None, None]:
    """Fetch pages that show the whole thread of a message, where the lists lead to single messages.

    The page of an answer links it. It shows the text of this answer among others.
    """
    common = _find_common_links(pages)  # a box of the latest threads makes no list of a thread
    index_pages = [page for page in pages.values() if page.kind == "index"]
    lists = [page for page in index_pages if not common.issuperset(_links_of(page))]
    rows: list[ThreadRow | BoardRow] = []
    for page in lists:
        rows += [*page.index.rows, *page.index.boards]
    answers = {strip_session(row.url) for row in rows if is_reply_title(row.title)}
    messages = [pages[url] for url in pages if url in answers]
    for message in messages[:_MAX_MESSAGES]:
        for group in _open_groups(message, pages, lists):
            found = yield from _visit(group[0], pages)
            if found is None or not _contains(found, message):
                continue
            alike = (url for one in lists for url in one.links if url not in pages)
            wanted = next(one for one in group_by_shape([group[0], *alike, *pages]) if group[0] in one)
            unseen = [url for url in wanted if url not in pages]
            yield from _visit_all(unseen[: _MAX_BOARDS - 1], pages)
            _call_threads([pages[url] for url in wanted if url in pages])
            return


def _call_threads(alike: list[AnalysedSample]) -> None:
    """Call pages threads that show several posts. One of them shows messages that have pages of their own.

    A box of the latest threads may be more of a list than a short thread is a thread.
    """
    for page in alike:
        if page.kind != "thread" and len(page.thread.posts) > 1:
            page.page_class = PageClass("thread", _CALLED, "", "posts")


def _links_of(page: AnalysedSample) -> list[str]:
    """The URLs of the rows of a list."""
    urls = [*(row.url for row in page.index.rows), *(row.url for row in page.index.boards)]
    return [strip_session(url) for url in urls]


def _open_groups(source: AnalysedSample, pages: _Pages, lists: list[AnalysedSample]) -> list[list[str]]:
    """The links of a message in groups that may show whole threads: of other form than its own URL.

    No page of such a group was fetched, or only ones with a single post: a thread that nobody answered.
    """
    known = {page.url for page in lists}
    links = [url for url in source.links if not names_service_page(url)]
    groups = [
        group
        for group in group_by_shape([*links, *pages])
        if source.url not in group
        and known.isdisjoint(group)
        and not any(
            pages[url].kind == "thread" and len(pages[url].thread.posts) > 1 for url in group if url in pages
        )
    ]
    unseen = [[url for url in group if url not in pages] for group in groups]
    # One link leads to the whole thread, but many to messages of it.
    return sorted((group for group in unseen if group), key=len)[:_MAX_GROUPS]


def _contains(page: AnalysedSample, message: AnalysedSample) -> bool:
    """Does a page show several posts, and one of them stands on the page of a message too?"""
    posts = page.thread.posts
    text = message.analysis.outline.text(0) if len(posts) > 1 else ""
    shown = (" ".join(post.text.split()) for post in posts)
    return any(len(words) >= _MIN_WORDS and words in text for words in shown)
