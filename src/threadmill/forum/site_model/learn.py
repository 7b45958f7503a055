"""Makes the model of a forum from sample pages: URL patterns, wrapper, orders and page sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from threadmill.forum.index.counters_and_boards import is_reply_title
from threadmill.forum.index.rows import IndexOrder, ThreadDates, find_site_order
from threadmill.forum.index.rows_by_url import find_rows_by_url
from threadmill.forum.link_urls import absolute_url, names_file, same_site, strip_session, url_fields
from threadmill.forum.page_class.classify import PageClass, classify_page
from threadmill.forum.paging.page_urls import (
    PageUrlStyle,
    find_url_style,
    most_common_style,
)
from threadmill.forum.paging.pager import Paging
from threadmill.forum.posts.post_records import drop_inserts
from threadmill.forum.posts.read_posts import read_columns, share_whole
from threadmill.forum.read_page import (
    IndexPage,
    PageAnalysis,
    PostOrder,
    ThreadPage,
    extract_index,
    extract_thread,
)
from threadmill.forum.records.date_columns import settle_site_date_order
from threadmill.forum.site_model.learn_wrapper import Page, learn_wrapper
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.single_posts import read_side_by_side
from threadmill.forum.site_model.url_groups import UrlGroups
from threadmill.forum.site_model.url_patterns import (
    UrlPattern,
    learn_naming,
    matches_any,
    merge_patterns,
    without_title,
)
from threadmill.forum.site_model.visited_pages import VisitedPage
from threadmill.forum.site_model.wrapper import NEAR, Wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import BoardRow, ThreadRow

# An offset grows by the items of a page, or by fewer if comments are shown too. A cursor is the ID of a post.
_MIN_FIRSTS = 0.5  # of the threads of lists have a first page of their own; some lists link last pages too
_NEARLY_ALL = 0.9  # of the links to single pages in rows; other numbers in rows may look like pages
_MAX_STEP = 3  # times the items of a page
# A page with fewer records is not used to learn a wrapper: the region of the spec has three or more.
_MIN_RECORDS = 3
_WHOLE = 0.8  # of the records of a page; adverts and posts of guests may lack something
_LONG_TITLE = 200  # characters
_MIN_PAIRS = 2  # pages with two posts each, where no page has more


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
    def _link_elements(self) -> dict[str, int]:
        """The links of the page on its own site: URL → the element with its longest link text."""
        outline = self.analysis.outline
        found: dict[str, int] = {}
        for index, href in enumerate(outline.hrefs):
            target = absolute_url(outline.base, href) if href else None
            if (
                target
                and target.startswith("http")
                and same_site(target, outline.base)
                and not names_file(target)
            ):
                known = found.setdefault(target, index)
                if outline.text_length(index) > outline.text_length(known):
                    found[target] = index
        return found

    @cached_property
    def links(self) -> dict[str, int]:
        """The links of the page on its own site: URL → letters of its longest link text, or 1 for numbers.

        A date may have more characters than a title: "2016-2-28 12:30" beside five Chinese ones.
        """
        outline = self.analysis.outline
        letters = {
            url: sum(map(str.isalpha, outline.text(index, _LONG_TITLE)))
            for url, index in self._link_elements.items()
        }
        return {
            url: letters[url] or min(1, outline.text_length(index))
            for url, index in self._link_elements.items()
        }

    @cached_property
    def places(self) -> dict[str, str]:
        """Where these links stand: URL → the names of the elements around the link."""
        outline = self.analysis.outline
        return {url: outline.chain(outline.parent[i], NEAR) for url, i in self._link_elements.items()}


def learn(samples: Sequence[SamplePage], entry: str = "") -> ForumModel:
    """The model of the forum that the sample pages belong to. `entry` is the URL of its start page."""
    return learn_from_analysed(
        {strip_session(sample.url): AnalysedSample(sample) for sample in samples}, entry
    )


def learn_from_analysed(pages: Mapping[str, AnalysedSample], entry: str = "") -> ForumModel:
    """The same from samples that were analysed before, by the URLs that were asked for."""
    samples = list(pages.values())
    listed = {strip_session(row.url) for page in samples if page.kind == "index" for row in page.index.rows}
    for page in samples:
        if page.kind == "thread":
            page.thread = _without_next_thread(page.thread, listed)
    start = entry or (samples[0].url if samples else "")
    groups = UrlGroups([visited_page(asked, page) for asked, page in pages.items()], start)
    threads = UrlFamily(groups.threads())
    boards = UrlFamily(groups.boards())
    thread_pages = _with_followers([page for page in samples if _is_in_family(threads, page)], pages)
    if not thread_pages:
        thread_pages = [page for page in samples if page.kind == "thread"]
    index_pages = [
        page
        for page in samples
        if page not in thread_pages and "index" in {page.kind, groups.kind_of(page.url)}
    ]
    known = _known_urls(start, threads, boards)
    wrapper = _learn_wrapper(thread_pages, known)
    read = [
        (page.url, _without_next_thread(extract_thread(page.analysis, wrapper), listed))
        for page in thread_pages
    ]
    threads = _learn_paging(threads, [(url, page.paging, len(page.posts)) for url, page in read])
    boards = _learn_paging(
        boards, [(page.url, page.index.paging, len(page.index.rows)) for page in index_pages]
    )
    rows = {strip_session(row.url) for page in index_pages for row in page.index.rows}
    if threads.style and not _keeps_apart(threads, rows):
        threads = replace(threads, style=None)  # "next" leads to the next thread
    if threads.style is None:
        threads = replace(threads, style=_style_in_rows(threads, index_pages))
    threads, boards = _learn_naming(threads, index_pages), _learn_naming(boards, index_pages)
    threads = replace(threads, plain=_have_plain_pages(threads, index_pages))
    threads = _with_untitled(threads, boards, samples, index_pages)
    threads = replace(threads, patterns=_with_page_of_list(threads, boards, index_pages))
    return ForumModel(
        entry=start,
        boards=boards,
        threads=threads,
        wrapper=wrapper,
        index_order=_find_index_order(index_pages, thread_pages, wrapper, threads),
        post_order=_find_post_order(thread_pages, wrapper),
        two_dates=any(page.index.two_dates for page in index_pages),
        samples=len(samples),
        start_lists_latest=groups.start_lists_latest(),
    )


def _without_next_thread(page: ThreadPage, listed: Collection[str]) -> ThreadPage:
    """A thread page whose "next" is the next thread where a row of a list leads there."""
    onward = page.paging.next
    return replace(page, paging=Paging()) if onward and strip_session(onward) in listed else page


def visited_page(asked: str, page: AnalysedSample) -> VisitedPage:
    """The URL and the links of a sample page."""
    sure = page.page_class.confidence
    if page.kind == "other":
        is_notice = page.page_class.reason in {
            "login",
            "message",
            "empty shell",
        }  # or a board without threads
        return VisitedPage(
            asked, page.url, page.kind, page.links, places=page.places, confidence=sure, is_notice=is_notice
        )
    if page.kind == "thread":
        posts, onward = len(page.thread.posts), page.thread.paging.next
        return VisitedPage(
            asked,
            page.url,
            page.kind,
            page.links,
            places=page.places,
            posts=posts,
            next=onward,
            confidence=sure,
            people=frozenset(strip_session(post.author_url) for post in page.thread.posts if post.author_url),
        )
    index, paging = page.index, page.index.paging
    rows: list[ThreadRow | BoardRow] = [*index.rows, *index.boards]
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
        page.places,
        next=paging.next,
        confidence=sure,
        answers=frozenset(row.url for row in rows if is_reply_title(row.title)),
    )


def _is_in_family(family: UrlFamily, page: AnalysedSample) -> bool:
    return bool(family.patterns) and family.split(page.url) is not None


def _with_followers(
    threads: list[AnalysedSample], pages: Mapping[str, AnalysedSample]
) -> list[AnalysedSample]:
    """The thread pages, and the second pages of threads. How their URLs are written is not known yet."""
    followers = [pages.get(strip_session(page.thread.paging.next or "")) for page in threads]
    more = [page for page in followers if page and page.kind == "thread" and page not in threads]
    return [page for page in pages.values() if page in threads or page in more]


def _learn_wrapper(pages: Sequence[AnalysedSample], is_known: Callable[[str], bool]) -> Wrapper | None:
    """The wrapper of the thread pages whose posts are sure and not too few. Else that of single posts."""
    found = _sure_posts(pages, _MIN_RECORDS)
    if not found:
        # A young forum has threads of one or two posts. Two on a page may be chance, so several pages decide.
        pairs = [
            (page, now)
            for page, now in _sure_posts(pages, _MIN_RECORDS - 1)
            if len(page[1].bodies.keys() & page[1].authors.keys() & page[1].dates.keys()) > 1
        ]
        found = pairs if len(pairs) >= _MIN_PAIRS else []
    if not found:
        return _learn_single_posts(pages, is_known)
    found = _without_misread(found)
    dates = [(list(columns.dates.values()), now) for (_, columns), now in found]
    return learn_wrapper([page for page, _ in found], settle_site_date_order(dates))


def _sure_posts(pages: Sequence[AnalysedSample], least: int) -> list[tuple[Page, datetime]]:
    """The records of pages whose posts are sure, and at least so many, with the time of the page."""
    found = []
    for page in pages:
        analysis = page.analysis
        posts = analysis.found_posts
        if posts and posts.sure and len(posts.table.records) >= least:
            read = read_columns(drop_inserts(posts.table), analysis.splits, analysis.now)
            found.append((read, analysis.now))
    return found


def _without_misread(read: list[tuple[Page, datetime]]) -> list[tuple[Page, datetime]]:
    """The pages without those whose records lack authors, dates or texts, where most pages lack none.

    There the page was cut at the wrong places, and its columns would be learnt beside the right ones.
    """
    whole = [page for page in read if share_whole(page[0]) >= _WHOLE]
    return whole if 2 * len(whole) > len(read) else read


def _known_urls(start: str, threads: UrlFamily, boards: UrlFamily) -> Callable[[str], bool]:
    """Whether a URL is known to lead to a list or a thread."""
    return lambda url: (
        url == start or any(family.patterns and family.split(url) is not None for family in (threads, boards))
    )


def _learn_single_posts(pages: Sequence[AnalysedSample], is_known: Callable[[str], bool]) -> Wrapper | None:
    """The wrapper of thread pages with one post each, where their markup alone tells what is what."""
    unlabelled = [page.analysis for page in pages if page.analysis.messages is None]
    found = read_side_by_side(unlabelled, is_known)
    if found is None:
        return None
    dates = (list(found[1].dates.values()), unlabelled[0].now)
    return learn_wrapper([found], settle_site_date_order([dates]))


def _learn_paging(family: UrlFamily, read: Iterable[tuple[str, Paging, int]]) -> UrlFamily:
    """The family with page URLs and page size, by the URL, the pager and the items of some pages."""
    styles: list[PageUrlStyle | None] = []
    others: list[PageUrlStyle | None] = []  # of lists with URLs of their own, such as a start page
    sizes: Counter[int] = Counter()
    for url, paging, items in read:
        style = find_url_style(paging.first if paging.first and paging.number != 1 else url, paging)
        if style and items and style.step > _MAX_STEP * items:
            style = style.as_cursor()  # no offset: it grows by more than the page shows
        bases = [url, style.split(url)[0]] if style else [url]
        is_member = not family.patterns or any(matches_any(family.patterns, base) for base in bases)
        (styles if is_member else others).append(style)
        if paging.next:  # the page is full
            sizes[items] += 1
    style = most_common_style(styles) or most_common_style(others)
    usual = sizes.most_common(1)[0][0] if sizes else 0
    return UrlFamily(family.patterns, style, (style.step if style and style.step > 1 else usual) or None)


def _style_in_rows(family: UrlFamily, lists: Sequence[AnalysedSample]) -> PageUrlStyle | None:
    """How rows write the later pages of their threads. No sample had one, so only the place is known."""
    found = [
        find_url_style(row.url, Paging(next=url))
        for page in lists
        for row in page.index.rows
        if matches_any(family.patterns, row.url)
        for url in row.page_urls
        if not matches_any(family.patterns, url)
    ]
    style = most_common_style(found)
    return style.as_cursor() if style else None


def _have_plain_pages(family: UrlFamily, lists: Sequence[AnalysedSample]) -> bool:
    """Whether the rows of lists link later pages of their threads ("1 2 3") in the style of the family."""
    linked = [url for page in lists for row in page.index.rows for url in row.page_urls]
    pages = [found[1] for url in linked if (found := family.split(url))]
    return len(pages) >= _NEARLY_ALL * len(linked) and max(pages, default=1) > 1


def _keeps_apart(family: UrlFamily, threads: Collection[str]) -> bool:
    """Whether different threads have different first pages. Else the number of the style is their ID.

    Behind "t,12.html" a page adds ",2": then "t,12" is no page 12, because no thread is called "t".
    """
    firsts = {family.base_and_page(url)[0] for url in threads}
    return len(firsts) >= _MIN_FIRSTS * len(threads)


def _learn_naming(family: UrlFamily, lists: Sequence[AnalysedSample]) -> UrlFamily:
    """The family with the fields that name its members, by the links of the index pages.

    The number of the page is no part of a member's URL.
    """
    page_field = family.style.parameter if family.style else ""
    patterns = [
        replace(pattern, fields=tuple(one for one in pattern.fields if one[0] != page_field))
        for pattern in family.patterns
    ]
    family = replace(family, patterns=merge_patterns(patterns))
    members = [[found[0] for url in page.links if (found := family.split(url)) is not None] for page in lists]
    return replace(family, patterns=tuple(learn_naming(pattern, members) for pattern in family.patterns))


def _with_untitled(
    threads: UrlFamily,
    boards: UrlFamily,
    samples: Sequence[AnalysedSample],
    lists: Sequence[AnalysedSample],
) -> UrlFamily:
    """The family with URLs of threads whose title left no words, unless these lead to other pages."""
    others = [page.url for page in samples if page.kind != "thread"]
    others += [row.url for page in lists for row in page.index.boards]
    found = (without_title(pattern) for pattern in threads.patterns)
    untitled = tuple(
        pattern
        for pattern in found
        if pattern and not any(matches_any((pattern,), boards.base_and_page(url)[0]) for url in others)
    )
    return replace(threads, patterns=(*threads.patterns, *untitled))


def _with_page_of_list(
    threads: UrlFamily, boards: UrlFamily, lists: Sequence[AnalysedSample]
) -> tuple[UrlPattern, ...]:
    """The patterns of threads, where links on later pages of lists also have the page of the list.

    On "board?b=2&page=3" they are written "board?b=2&id=71&page=3". This says nothing about the thread.
    """
    name = boards.style.parameter if boards.style else ""
    if not name or (threads.style and threads.style.parameter == name):
        return threads.patterns
    found: set[UrlPattern] = set()
    for page in lists:
        number = url_fields(page.url).get(name)
        for url in page.links if number else ():
            fields = url_fields(url)
            rest = {field: value for field, value in fields.items() if field != name}
            if fields.get(name) == number:
                found.update(pattern for pattern in threads.patterns if pattern.matches(rest))
    return tuple(
        replace(pattern, free=tuple(sorted({*pattern.free, name}))) if pattern in found else pattern
        for pattern in threads.patterns
    )


def _find_post_order(pages: Sequence[AnalysedSample], wrapper: Wrapper | None) -> PostOrder | None:
    votes = Counter(order for page in pages if (order := extract_thread(page.analysis, wrapper).order))
    return votes.most_common(1)[0][0] if votes else None


def _find_index_order(
    indexes: Sequence[AnalysedSample],
    pages: Sequence[AnalysedSample],
    wrapper: Wrapper | None,
    threads: UrlFamily,
) -> IndexOrder | None:
    """The order of the index pages. None where nothing decides."""
    dates = _find_thread_dates(pages, wrapper, threads)
    rows = [_find_thread_rows(page, threads) for page in indexes]
    return find_site_order(rows, dates)


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
