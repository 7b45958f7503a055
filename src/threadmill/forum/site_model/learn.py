"""From sampled pages of a forum to its model: families of addresses, wrapper, orders and page sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from threadmill.forum.index.index_order import IndexOrder, ThreadDates, find_site_order
from threadmill.forum.index.rows_by_url import find_rows_by_url
from threadmill.forum.link_urls import strip_session
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import PageClass, classify_page
from threadmill.forum.paging.cursors import find_cursor_parameter
from threadmill.forum.paging.page_urls import PageUrlStyle, find_url_style, most_common_style
from threadmill.forum.posts.comments import add_comments
from threadmill.forum.posts.post_columns import find_post_columns
from threadmill.forum.posts.read_posts import PostOrder
from threadmill.forum.read_page import IndexPage, ThreadPage, extract_index, extract_thread
from threadmill.forum.records.date_columns import settle_site_date_order
from threadmill.forum.site_model.link_shapes import link_texts
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_groups import UrlGroups, VisitedPage
from threadmill.forum.site_model.url_patterns import matches_any
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.forum.site_model.wrapper_learning import learn_wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import ThreadRow

# Records a page must show before its columns can teach a wrapper (the spec's region has three or more).
_MIN_RECORDS = 3


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page fetched to learn from."""

    url: str
    tree: Tree
    now: datetime  # of the site, as its answer said


class AnalysedSample:
    """A sample with what its reading found, worked out once."""

    def __init__(self, sample: SamplePage) -> None:
        self.url = strip_session(sample.url)
        self.analysis = PageAnalysis(sample.tree, sample.now)
        self.kind: PageClass = classify_page(self.analysis)
        self._index: IndexPage | None = None
        self._thread: ThreadPage | None = None

    @property
    def index(self) -> IndexPage:
        """Read as an index page."""
        if self._index is None:
            self._index = extract_index(self.analysis)
        return self._index

    @property
    def thread(self) -> ThreadPage:
        """Read as a thread page."""
        if self._thread is None:
            self._thread = extract_thread(self.analysis)
        return self._thread


def learn(samples: Sequence[SamplePage], entry: str = "") -> ForumModel:
    """The model of the forum these pages are of."""
    return learn_from_analysed(
        {strip_session(sample.url): AnalysedSample(sample) for sample in samples}, entry
    )


def learn_from_analysed(pages: Mapping[str, AnalysedSample], entry: str = "") -> ForumModel:
    """The same from samples that were read before, by the addresses they were asked for."""
    known = list(pages.values())
    here = entry or (known[0].url if known else "")
    families = UrlGroups([visited_page(asked, page) for asked, page in pages.items()], here)
    threads = UrlFamily(families.threads())
    boards = UrlFamily(families.boards())
    thread_pages = [
        page for page in known if matches_any(threads.patterns, page.url) or _is_later(threads, page)
    ]
    if not thread_pages:
        thread_pages = [page for page in known if page.kind.kind == "thread"]
    index_pages = [
        page
        for page in known
        if page not in thread_pages and "index" in {page.kind.kind, families.kind_of(page.url)}
    ]
    wrapper = _learn_wrapper(thread_pages)
    threads = _with_paging(threads, thread_pages, wrapper)
    boards = _with_paging(boards, index_pages, None)
    return ForumModel(
        entry=here,
        boards=boards,
        threads=threads,
        wrapper=wrapper,
        index_order=_index_order(index_pages, thread_pages, wrapper, threads),
        post_order=_post_order(thread_pages, wrapper),
        two_dates=any(page.index.two_dates for page in index_pages),
        samples=len(known),
    )


def visited_page(asked: str, page: AnalysedSample) -> VisitedPage:
    """A page as far as its address and links go."""
    index = page.index if page.kind.kind == "index" else None
    links = link_texts(page.analysis.outline)
    paging = index.paging if index else None
    later = [url for url in links if paging and paging.slot and paging.slot.number_in(url) is not None]
    later += [paging.next] if paging and paging.next else []
    return VisitedPage(
        asked,
        page.url,
        page.kind.kind,
        links,
        [row.url for row in index.rows] if index else [],
        [row.url for row in index.boards] if index else [],
        frozenset(strip_session(url) for url in later),
        {row.url: day.date.isoformat() for row in index.rows if (day := row.active or row.created)}
        if index
        else {},
    )


def _is_later(family: UrlFamily, page: AnalysedSample) -> bool:
    return bool(family.patterns) and family.split(page.url) is not None


def _learn_wrapper(pages: Sequence[AnalysedSample]) -> Wrapper | None:
    tables = []
    dates = []
    for page in pages:
        finding = page.analysis.found_posts
        if finding and finding.sure and len(finding.table.records) >= _MIN_RECORDS:
            read = (finding.table, find_post_columns(finding.table, page.analysis.now))
            tables.append(add_comments(read, page.analysis.splits, page.analysis.now))
            dates.append((list(read[1].dates.values()), page.analysis.now))
    return learn_wrapper(tables, settle_site_date_order(dates))


def _with_paging(family: UrlFamily, pages: Sequence[AnalysedSample], wrapper: Wrapper | None) -> UrlFamily:
    styles: list[PageUrlStyle | None] = []
    sizes: Counter[int] = Counter()
    cursors: Counter[str] = Counter()
    for page in pages:
        paging = (extract_thread(page.analysis, wrapper) if wrapper else page.index).paging
        base = paging.first if paging.first and paging.number != 1 else page.url
        styles.append(find_url_style(base, paging) if paging.slot else None)
        if paging.slot is None and (name := find_cursor_parameter(page.url, paging.next)):
            cursors[name] += 1
        if paging.next:
            size = len(extract_thread(page.analysis, wrapper).posts) if wrapper else len(page.index.rows)
            sizes[size] += 1
    style = most_common_style(styles)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    cursor = cursors.most_common(1)[0][0] if cursors and style is None else ""
    return UrlFamily(
        family.patterns, style, (style.step if style and style.step > 1 else usual) or None, cursor
    )


def _post_order(pages: Sequence[AnalysedSample], wrapper: Wrapper | None) -> PostOrder | None:
    votes = Counter(order for page in pages if (order := extract_thread(page.analysis, wrapper).order))
    return votes.most_common(1)[0][0] if votes else None


def _index_order(
    indexes: Sequence[AnalysedSample],
    pages: Sequence[AnalysedSample],
    wrapper: Wrapper | None,
    threads: UrlFamily,
) -> IndexOrder | None:
    visits = _visits(pages, wrapper, threads)
    rows = [_rows_of(page, threads) for page in indexes]
    # Where nothing tells them apart (every thread was answered at once) the rule of forums stands.
    return find_site_order(rows, visits) or (IndexOrder.ACTIVITY if any(rows) else None)


def _rows_of(page: AnalysedSample, threads: UrlFamily) -> Sequence[ThreadRow]:
    """The rows that lead to threads: a box of the latest posts may look more like a list than the list."""
    own = [row for row in page.index.rows if threads.split(row.url)]
    known = find_rows_by_url(page.analysis, lambda url: (threads.split(url) or (None,))[0])
    return known.rows if known and len(known.rows) > len(own) else own


def _visits(
    pages: Sequence[AnalysedSample], wrapper: Wrapper | None, threads: UrlFamily
) -> dict[str, ThreadDates]:
    """When threads began and ended, as far as the samples show it."""
    firsts: dict[str, ThreadDates] = {}
    seen: dict[str, list[tuple[int, ThreadPage]]] = defaultdict(list)
    for page in pages:
        base, number = threads.split(page.url) or (page.url, 1)
        seen[base].append((number, extract_thread(page.analysis, wrapper)))
    for base, parts in seen.items():
        dates = [
            post.date for _, part in sorted(parts, key=lambda p: p[0]) for post in part.posts if post.date
        ]
        whole = all(part.paging.next is None for number, part in parts if number == max(n for n, _ in parts))
        begun = any(number == 1 for number, _ in parts)
        if dates:
            ordered = sorted(
                dates, key=lambda moment: (moment.date, moment.time.isoformat() if moment.time else "")
            )
            firsts[base] = ThreadDates(ordered[0] if begun else None, ordered[-1] if whole else None)
    return firsts
