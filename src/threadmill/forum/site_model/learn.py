"""Makes the model of a forum from sample pages: URL patterns, wrapper, orders and page sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from threadmill.forum.index.index_order import IndexOrder, ThreadDates, find_site_order
from threadmill.forum.index.rows_by_url import find_rows_by_url
from threadmill.forum.link_urls import absolute_url, same_site, strip_session
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import PageClass, classify_page
from threadmill.forum.paging.cursors import find_cursor_parameter
from threadmill.forum.paging.page_urls import PageUrlStyle, find_url_style, most_common_style
from threadmill.forum.posts.comments import add_comments
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.posts.read_posts import PostOrder
from threadmill.forum.read_page import IndexPage, ThreadPage, extract_index, extract_thread
from threadmill.forum.records.date_columns import settle_site_date_order
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_groups import UrlGroups, VisitedPage
from threadmill.forum.site_model.url_patterns import matches_any
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.forum.site_model.wrapper_learning import learn_wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import ThreadRow

# A page with fewer records is not used to learn a wrapper: the region of the spec has three or more.
_MIN_RECORDS = 3


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page that was fetched to learn from."""

    url: str
    tree: Tree
    now: datetime  # by the clock of the site, from its response


class AnalysedSample:
    """A sample page with its class. It is read as an index and as a thread when first asked for."""

    def __init__(self, sample: SamplePage) -> None:
        self.url = strip_session(sample.url)
        self.analysis = PageAnalysis(sample.tree, sample.now)
        self.page_class: PageClass = classify_page(self.analysis)

    @property
    def kind(self) -> str:
        """Index, thread or other."""
        return self.page_class.kind

    @cached_property
    def index(self) -> IndexPage:
        """The page read as an index."""
        return extract_index(self.analysis)

    @cached_property
    def thread(self) -> ThreadPage:
        """The page read as a thread, without a wrapper."""
        return extract_thread(self.analysis)

    @cached_property
    def links(self) -> dict[str, int]:
        """The links of the page on its own site: URL → length of its longest link text."""
        outline = self.analysis.outline
        found: dict[str, int] = {}
        for index, href in enumerate(outline.hrefs):
            target = absolute_url(outline.base, href) if href else None
            if target and target.startswith("http") and same_site(target, outline.base):
                found[target] = max(found.get(target, 0), outline.text_length(index))
        return found


def learn(samples: Sequence[SamplePage], entry: str = "") -> ForumModel:
    """The model of the forum that the sample pages belong to. `entry` is the URL of its start page."""
    return learn_from_analysed(
        {strip_session(sample.url): AnalysedSample(sample) for sample in samples}, entry
    )


def learn_from_analysed(pages: Mapping[str, AnalysedSample], entry: str = "") -> ForumModel:
    """The same from samples that were analysed before, by the URLs that were asked for."""
    samples = list(pages.values())
    start = entry or (samples[0].url if samples else "")
    groups = UrlGroups([visited_page(asked, page) for asked, page in pages.items()], start)
    threads = UrlFamily(groups.threads())
    boards = UrlFamily(groups.boards())
    thread_pages = [
        page for page in samples if matches_any(threads.patterns, page.url) or _is_in_family(threads, page)
    ]
    if not thread_pages:
        thread_pages = [page for page in samples if page.kind == "thread"]
    index_pages = [
        page
        for page in samples
        if page not in thread_pages and "index" in {page.kind, groups.kind_of(page.url)}
    ]
    wrapper = _learn_wrapper(thread_pages)
    threads = _learn_paging(threads, thread_pages, wrapper)
    boards = _learn_paging(boards, index_pages, None)
    return ForumModel(
        entry=start,
        boards=boards,
        threads=threads,
        wrapper=wrapper,
        index_order=_find_index_order(index_pages, thread_pages, wrapper, threads),
        post_order=_find_post_order(thread_pages, wrapper),
        two_dates=any(page.index.two_dates for page in index_pages),
        samples=len(samples),
    )


def visited_page(asked: str, page: AnalysedSample) -> VisitedPage:
    """The URL and the links of a sample page."""
    if page.kind != "index":
        return VisitedPage(asked, page.url, page.kind, page.links, [], [])
    index, paging = page.index, page.index.paging
    later = [url for url in page.links if paging.slot and paging.slot.number_in(url) is not None]
    later += [paging.next] if paging.next else []
    return VisitedPage(
        asked,
        page.url,
        page.kind,
        page.links,
        [row.url for row in index.rows],
        [row.url for row in index.boards],
        frozenset(strip_session(url) for url in later),
        {row.url: day.date.isoformat() for row in index.rows if (day := row.active or row.created)},
    )


def _is_in_family(family: UrlFamily, page: AnalysedSample) -> bool:
    return bool(family.patterns) and family.split(page.url) is not None


def _learn_wrapper(pages: Sequence[AnalysedSample]) -> Wrapper | None:
    """The wrapper of the thread pages whose posts are sure and not too few."""
    tables = []
    dates = []
    for page in pages:
        analysis = page.analysis
        found = analysis.found_posts
        if found and found.sure and len(found.table.records) >= _MIN_RECORDS:
            columns = find_post_columns(found.table, analysis.now)
            tables.append(add_comments((found.table, columns), analysis.splits, analysis.now))
            dates.append((list(columns.dates.values()), analysis.now))
    return learn_wrapper(tables, settle_site_date_order(dates))


def _learn_paging(family: UrlFamily, pages: Sequence[AnalysedSample], wrapper: Wrapper | None) -> UrlFamily:
    """The family with page URLs, page size and cursor. With a wrapper, pages are read as threads."""
    styles: list[PageUrlStyle | None] = []
    sizes: Counter[int] = Counter()
    cursors: Counter[str] = Counter()
    for page in pages:
        paging = (extract_thread(page.analysis, wrapper) if wrapper else page.index).paging
        base = paging.first if paging.first and paging.number != 1 else page.url
        styles.append(find_url_style(base, paging) if paging.slot else None)
        if paging.slot is None and (name := find_cursor_parameter(page.url, paging.next)):
            cursors[name] += 1
        if paging.next:  # the page is full
            size = len(extract_thread(page.analysis, wrapper).posts) if wrapper else len(page.index.rows)
            sizes[size] += 1
    style = most_common_style(styles)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    page_size = (style.step if style and style.step > 1 else usual) or None
    cursor = cursors.most_common(1)[0][0] if cursors and style is None else ""
    return UrlFamily(family.patterns, style, page_size, cursor)


def _find_post_order(pages: Sequence[AnalysedSample], wrapper: Wrapper | None) -> PostOrder | None:
    votes = Counter(order for page in pages if (order := extract_thread(page.analysis, wrapper).order))
    return votes.most_common(1)[0][0] if votes else None


def _find_index_order(
    indexes: Sequence[AnalysedSample],
    pages: Sequence[AnalysedSample],
    wrapper: Wrapper | None,
    threads: UrlFamily,
) -> IndexOrder | None:
    """The order of the index pages. Where nothing decides, it is by activity, as on most forums."""
    dates = _find_thread_dates(pages, wrapper, threads)
    rows = [_find_thread_rows(page, threads) for page in indexes]
    return find_site_order(rows, dates) or (IndexOrder.ACTIVITY if any(rows) else None)


def _find_thread_rows(page: AnalysedSample, threads: UrlFamily) -> Sequence[ThreadRow]:
    """The rows that lead to threads. A box of the latest posts may look more like a list than they do."""
    own = [row for row in page.index.rows if threads.split(row.url)]
    by_url = find_rows_by_url(page.analysis, lambda url: (threads.split(url) or (None,))[0])
    return by_url.rows if by_url and len(by_url.rows) > len(own) else own


def _find_thread_dates(
    pages: Sequence[AnalysedSample], wrapper: Wrapper | None, threads: UrlFamily
) -> dict[str, ThreadDates]:
    """The dates of first and last posts, for threads whose first or last page is among the samples."""
    found: dict[str, ThreadDates] = {}
    seen: dict[str, list[tuple[int, ThreadPage]]] = defaultdict(list)
    for page in pages:
        base, number = threads.split(page.url) or (page.url, 1)
        seen[base].append((number, extract_thread(page.analysis, wrapper)))
    for base, parts in seen.items():
        dates = [
            post.date for _, part in sorted(parts, key=lambda p: p[0]) for post in part.posts if post.date
        ]
        highest = max(number for number, _ in parts)
        has_last = all(part.paging.next is None for number, part in parts if number == highest)
        has_first = any(number == 1 for number, _ in parts)
        if dates:
            ordered = sorted(
                dates, key=lambda moment: (moment.date, moment.time.isoformat() if moment.time else "")
            )
            found[base] = ThreadDates(ordered[0] if has_first else None, ordered[-1] if has_last else None)
    return found
