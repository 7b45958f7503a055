"""Reads one page of a forum: its posts or rows, its pager and its order.

`PageAnalysis` holds what is known about the page. Each part is computed once, when it is first asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import groupby, pairwise

from threadmill.forum.index.row_lists import RowList, find_row_lists, find_single_row, move_aside
from threadmill.forum.index.rows import (
    IndexOrder,
    ParsedRowList,
    as_board,
    find_index_order,
    find_sub_boards,
    parse_row_list,
)
from threadmill.forum.link_urls import (
    absolute_url,
    is_unnamed,
    names_file,
    names_service_page,
    same_site,
    url_fields,
)
from threadmill.forum.paging.pager import Paging, find_paging
from threadmill.forum.posts.adverts import find_list_entries
from threadmill.forum.posts.author_names import PERSON_WORDS, labels_author
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.posts.bodies import find_unread_texts
from threadmill.forum.posts.few_posts import find_short_post, find_single_post
from threadmill.forum.posts.messages import Messages, find_messages
from threadmill.forum.posts.post_columns import PostColumns
from threadmill.forum.posts.post_records import (
    FoundPosts,
    PageSplit,
    choose_posts,
    find_page_splits,
    find_posts,
)
from threadmill.forum.posts.read_posts import read_columns, read_posts
from threadmill.forum.records.date_columns import PageDate, find_page_dates, read_page_dates, sort_key
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.wrapper import Wrapper, apply_wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import BoardRow, Moment, Post, ThreadRow

_GOOD_RECORDS = 0.5  # the least confidence in posts that have linked names instead of labels
# A wrapper that finds a smaller share of the expected columns does not fit. The page is read without it.
MIN_FIT = 0.6
# The scores that a list needs. Menus reach 0.3. Boards without readable counters may stay below that, but
# they link to their last threads, which gives a boardness of 1.5 or more.
_MIN_LIST, _MIN_BOARD_LIST, _SURE_BOARDS = 0.35, 0.15, 1.5
_MIN_OF_BEST_LIST = 0.25  # of the score of the best list


class PostOrder(StrEnum):
    """The order of the posts of a thread."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A page of posts."""

    posts: tuple[Post, ...]
    paging: Paging
    title: str = ""
    order: PostOrder | None = None
    confidence: float = 0.0  # that the records are posts: 0 none, 1 sure
    wrapped: bool = False  # read with the wrapper
    misfit: bool = False  # the wrapper did not fit: the page has another layout
    unread: tuple[str, ...] = ()  # beginnings of sentences outside the posts


@dataclass(frozen=True, slots=True)
class ThreadRecords:
    """Where the posts of a page are, and their authors, dates and bodies."""

    table: RecordTable
    columns: PostColumns
    confidence: float
    date_order: str = ""  # of day, month and year, if the wrapper knows it
    wrapped: bool = False


@dataclass(frozen=True, slots=True)
class IndexPage:
    """A page of threads, boards or both."""

    rows: tuple[ThreadRow, ...]
    boards: tuple[BoardRow, ...]
    paging: Paging
    title: str = ""
    order: IndexOrder | None = None
    two_dates: bool = False  # rows show creation and last activity


class PageAnalysis:
    """One page and what was found on it so far: outline, dates, posts and rows."""

    def __init__(self, tree: Tree, now: datetime) -> None:
        self.tree = tree
        self.now = now

    @cached_property
    def outline(self) -> PageOutline:
        """The elements of the page as flat lists."""
        return PageOutline(self.tree)

    @cached_property
    def dates(self) -> list[PageDate]:
        """Every date on the page."""
        return find_page_dates(self.outline)

    @cached_property
    def splits(self) -> list[PageSplit]:
        """The ways to split the page into records, best first."""
        return find_page_splits(self.outline, self.dates)

    @cached_property
    def found_posts(self) -> FoundPosts | None:
        """The records that look most like posts."""
        return find_posts(self.outline, self.dates, self.splits)

    @cached_property
    def single_post(self) -> RecordTable | None:
        """The post of the page, if it had only one."""
        return find_single_post(self.outline, self.dates)

    @cached_property
    def chosen_posts(self) -> tuple[RecordTable, float] | None:
        """The posts by this page alone, without a wrapper, and the confidence in them."""
        return choose_posts(
            self.found_posts,
            lambda: self.single_post,
            lambda: find_short_post(self.outline, self.dates),
        )

    @cached_property
    def messages(self) -> Messages | None:
        """The messages of the page with a labelled head. None where records with linked names are better."""
        if not labels_author(self.outline) and "pre" not in self.outline.tags:
            return None  # neither a labelled head nor preformatted text
        found = find_messages(self.outline, self.now)
        if found is None or self.chosen_posts is None:
            return found
        table, confidence = self.chosen_posts
        if len(table.records) < max(2, len(found.posts)) or confidence < _GOOD_RECORDS:
            return found
        authors = find_authors(table).authors.values()
        linked = sum(author.href is not None for author in authors)
        return None if 2 * linked > len(table.records) else found

    @cached_property
    def row_lists(self) -> list[RowList]:
        """The records that look most like rows of an index, best list first."""
        return _add_single_row(
            self.outline, self.dates, find_row_lists(self.outline, self.dates, self.splits)
        )

    @cached_property
    def parsed_row_lists(self) -> list[ParsedRowList]:
        """What the rows of each of the `row_lists` say."""
        return [parse_row_list(found, self.now) for found in self.row_lists]

    @cached_property
    def previews(self) -> tuple[ThreadRow, ...]:
        """The threads whose posts the page shows, if it shows posts of several."""
        found = self.found_posts
        return find_thread_previews(self.outline, found.table, self.now) if found else ()


def read_thread(tree: Tree, now: datetime, wrapper: Wrapper | None = None) -> ThreadPage:
    """The posts of a thread page. They are read with the wrapper if it fits."""
    return extract_thread(PageAnalysis(tree, now), wrapper)


def extract_thread(analysis: PageAnalysis, wrapper: Wrapper | None = None) -> ThreadPage:
    """The same as `read_thread`, for a page whose analysis has begun."""
    if analysis.messages is not None:
        return _message_page(analysis, analysis.messages)
    outline = analysis.outline
    found = find_thread_records(analysis, wrapper)
    if found is None:
        return ThreadPage((), find_paging(outline), outline.title, misfit=wrapper is not None)
    read = read_posts(found.table, found.columns, analysis.now, found.date_order)
    posts = tuple(post for post in read if not _is_hollow(post))
    spans = _record_spans(outline, found.table)
    paging = find_paging(outline, spans)
    misfit = wrapper is not None and not found.wrapped
    order = find_post_order(posts)
    people = {post.author for post in posts if post.author}
    unread = find_unread_texts(outline, spans, lambda: {date.element for date in analysis.dates}, people)
    return ThreadPage(posts, paging, outline.title, order, found.confidence, found.wrapped, misfit, unread)


def _is_hollow(post: Post) -> bool:
    """Whether a record shows nothing of a post: such records are gaps between posts or parts of them.

    A date alone is none either: hidden forms for a new comment have one, and lines between the posts of days.
    """
    shown = post.text or post.author or post.quotes or post.links
    return not shown and "<img" not in post.html


def is_list_of_links(posts: Sequence[Post], url: str) -> bool:
    """Whether each "post" is nothing but a link to a page of its own: the lines of a list, no posts."""
    targets = {_only_link(post, url) for post in posts}
    return 1 < len(posts) == len(targets) and None not in targets


def _only_link(post: Post, url: str) -> str | None:
    """The page of the same site whose link is the whole text of a post."""
    whole = (link.url.partition("#")[0] for link in post.links if link.text.split() == post.text.split())
    own = url.partition("#")[0]
    return next((page for page in whole if post.text and page != own and same_site(page, url)), None)


def find_thread_records(analysis: PageAnalysis, wrapper: Wrapper | None = None) -> ThreadRecords | None:
    """The elements of a thread page that are posts and their parts. None if there are no posts."""
    if wrapper is not None:
        table, columns, fit = apply_wrapper(wrapper, analysis.outline)
        if fit >= MIN_FIT:
            return ThreadRecords(table, columns, fit, wrapper.order, wrapped=True)
    found = analysis.chosen_posts
    if found is None:
        return None
    table, confidence = found
    table, columns = read_columns(table, analysis.splits, analysis.now)
    if len(find_list_entries(table, columns)) == len(table.records) and analysis.single_post is not None:
        table, columns = read_columns(analysis.single_post, [], analysis.now)
    return ThreadRecords(table, columns, confidence)


def _message_page(analysis: PageAnalysis, messages: Messages) -> ThreadPage:
    """A page of messages with labelled heads. One message alone has no pages: "next" leads to another one."""
    posts, outline = messages.posts, analysis.outline
    paging = find_paging(outline, list(messages.spans)) if len(posts) > 1 else Paging()
    return ThreadPage(posts, paging, outline.title, find_post_order(posts), 1.0)


def _record_spans(outline: PageOutline, table: RecordTable) -> list[tuple[int, int]]:
    """The ranges of the records.

    A first post may have taken the box of the replies. This box is left out, and the pager in it counts.
    """
    starts = sorted(root for record in table.records for root in record.roots)
    return [
        (start, end)
        for record in table.records
        for start, end in record.spans(outline)
        if start <= record.anchor < end or bisect_right(starts, start) == bisect_left(starts, end)
    ]


def _add_single_row(
    outline: PageOutline, dates: Sequence[PageDate], lists: Sequence[RowList]
) -> list[RowList]:
    """The lists of a page and its single row, best first. What stands apart from the heading is at the side.

    A row counts only beside lists that are menus, or that stand farther from the heading of the page than it
    does: boxes of the latest posts.
    """
    single = find_single_row(outline, dates)
    real = [found for found in lists if not found.is_menu and not found.aside]
    heading = next((index for index, tag in enumerate(outline.tags) if tag == "h1"), -1)
    depths = {id(found): _depth_with(outline, heading, found) for found in real}
    if single is not None:
        own = _depth_with(outline, heading, single)
        if all(depth < own for depth in depths.values()):
            depths[id(single)] = own
        else:
            single = None
    nearest = max(depths.values(), default=0)
    found = [move_aside(one) if depths.get(id(one), nearest) < nearest else one for one in lists]
    found += [single] if single else []
    return sorted(found, key=lambda one: -one.score)


def _depth_with(outline: PageOutline, heading: int, found: RowList) -> int:
    """How deep the lowest element stands that holds the heading of the page and the list."""
    if heading < 0:
        return 0
    return outline.depth[outline.common_ancestor(heading, found.table.records[0].start)]


def read_index(tree: Tree, now: datetime) -> IndexPage:
    """The threads and boards of an index page."""
    return extract_index(PageAnalysis(tree, now))


def extract_index(analysis: PageAnalysis) -> IndexPage:
    """The same as `read_index`, for a page whose analysis has begun.

    Boards come from every list that is good enough. Threads come from the best list only.
    """
    rows: list[ThreadRow] = []
    boards: list[BoardRow] = []
    two_dates = in_box = False
    spans: list[tuple[int, int]] = []
    for found, parsed in chosen_lists(analysis):
        spans += _record_spans(analysis.outline, found.table)
        if parsed.boardness > 0:
            boards += [as_board(row) for row in parsed.rows]
            boards += find_sub_boards(found, parsed)
        elif not rows:
            rows += parsed.rows
            two_dates, in_box = parsed.two_dates, found.aside
    if analysis.previews and (in_box or len(analysis.previews) >= len(rows)):
        rows, two_dates = list(analysis.previews), False
    paging = find_paging(analysis.outline, spans, is_list=True)
    title = analysis.outline.title
    return IndexPage(tuple(rows), tuple(boards), paging, title, find_index_order(rows), two_dates)


def chosen_lists(analysis: PageAnalysis) -> Iterator[tuple[RowList, ParsedRowList]]:
    """The lists of an index page that are good enough to be read."""
    best = max((found.worth for found in analysis.row_lists), default=0.0)
    for found, parsed in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True):
        least = _MIN_BOARD_LIST if parsed.boardness >= _SURE_BOARDS else _MIN_LIST
        if (found.worth >= least or not found.is_menu) and found.worth >= _MIN_OF_BEST_LIST * best:
            yield found, parsed


def find_post_order(posts: Sequence[Post]) -> PostOrder | None:
    """The order of posts by their dates, else by their ids; None when neither tells.

    Replies to replies are left out where at least three posts are none: they follow an order of their own.
    """
    top_level = [post.date for post in posts if post.date and post.parent is None]
    moments = top_level if len(top_level) >= 3 else [post.date for post in posts if post.date]
    order = _direction([sort_key(moment) for moment in moments])
    if order is not None:
        return order
    # Days without a time may be equal. The ids of the site are not.
    return _direction(
        [
            int(post.post_id)
            for post in posts
            if post.post_id and post.post_id.isdecimal() and post.parent is None
        ]
    )


def _direction(values: Sequence[int] | Sequence[tuple[int, float]]) -> PostOrder | None:
    """The more frequent direction between neighbours; None when both are as frequent."""
    up = sum(one < other for one, other in pairwise(values))  # type: ignore[operator]
    down = sum(one > other for one, other in pairwise(values))  # type: ignore[operator]
    if up == down:
        return None
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING


_DIGITS = re.compile(r"\d+")
_NEARLY_ALL = 0.9  # of the posts have a link of the kind
_MOSTLY = 0.7  # of the threads show several posts
_MIN_POSTS = 3  # two posts by two people may link two profiles
_MIN_BUTTONS = 3
_DAY_IN_URL = re.compile(r"(?<!\d)(?:19|20)\d\d[-/]\d\d?[-/]\d\d?(?!\d)")
_MAX_LABEL = 40  # characters of a link that is a button or a number
_MAX_TITLE = 120

_Links = list[tuple[int, str]]  # element and target
_Runs = list[tuple[int, int]]  # first and last element


def find_thread_previews(outline: PageOutline, table: RecordTable, now: datetime) -> tuple[ThreadRow, ...]:
    """One row for each thread whose posts the page shows. Empty on a page of a single thread.

    The last of these posts is the last one of the thread.
    """
    if len(table.records) < _MIN_POSTS:
        return ()
    starts = sorted(record.start for record in table.records)
    groups = _group_links(outline)
    points = _points_of_posts(table)
    shared = [runs for links in groups if (runs := _find_shared_runs(links, table, starts))]
    found = [
        links
        for links in groups
        # A page for writing a reply names the thread too, but it does not show the thread.
        if not names_service_page(links[0][1]) and _name_threads(outline, links, points, shared)
    ]
    links: dict[str, int] = {}
    for element, target in min(found, key=lambda links: links[0][0], default=[]):
        links.setdefault(target, element)
    latest = _latest_by_thread(table, list(links.values()), now)
    return tuple(
        ThreadRow(url=target, title=_title_before(outline, element), active=latest.get(place))
        for place, (target, element) in enumerate(links.items())
    )


def _latest_by_thread(table: RecordTable, links: Sequence[int], now: datetime) -> dict[int, Moment]:
    """The latest date of the posts of each thread, by its place. Its link stands before or in the first."""
    dates: dict[
        int, PageDate
    ] = {}  # the first date of each post; the first post of a thread may stand deeper
    for column in table.date_columns.values():
        for number, date in column.items():
            dates[number] = min(dates.get(number, date), date, key=lambda one: one.element)
    own = [dates.get(table.owner[link]) for link in links]
    begins = [min(link, date.element) if date else link for link, date in zip(links, own, strict=True)]
    latest: dict[int, Moment] = {}
    read = read_page_dates(list(dates.values()), now)
    for date, moment in zip(dates.values(), read, strict=True):
        place = bisect_right(begins, date.element) - 1
        if moment is not None and place >= 0:
            latest[place] = max(latest.get(place, moment), moment, key=sort_key)
    return latest


def _group_links(outline: PageOutline) -> list[_Links]:
    """The links of the page with the same label and URLs that are built alike."""
    groups: dict[tuple[str, int, tuple[str, ...], bool], _Links] = defaultdict(list)
    here = absolute_url(outline.base, outline.base)
    for element, href in enumerate(outline.hrefs):
        if not href or outline.text_length(element) > _MAX_LABEL or PERSON_WORDS.search(href):
            continue
        target = absolute_url(outline.base, href)
        if target and target != here and same_site(target, outline.base) and not names_file(target):
            label = _DIGITS.sub("0", outline.text(element, _MAX_LABEL)).casefold()
            fields = tuple(name for name in url_fields(target) if not is_unnamed(name))
            # Titles in URLs differ, and a page for writing names the thread too.
            key = label, target.count("/"), fields, names_service_page(target)
            groups[key].append((element, target))
    # URLs that differ in a date lead to days, not to threads.
    return [
        links for links in groups.values() if len({_DAY_IN_URL.sub("", target) for _, target in links}) > 1
    ]


def _points_of_posts(table: RecordTable) -> list[int]:
    """Where the posts of a page are: at their dates. The first post of a thread may begin with its title."""
    column = max(table.date_columns.values(), key=len, default={})
    dated = {number: date.element for number, date in column.items()}
    return sorted(dated.get(number, record.start) for number, record in enumerate(table.records))


def _name_threads(outline: PageOutline, links: _Links, points: Sequence[int], shared: list[_Runs]) -> bool:
    """Whether links name the threads of the page: one stands before the posts of each thread, or in them."""
    mine = _find_runs(links)
    for runs in shared:
        ends = [-1, *(last for _, last in runs)]
        pairs = zip(mine, ends, ends[1:], strict=False)
        if len(mine) == len(runs) and all(before < run[0] <= last for run, before, last in pairs):
            return True
    # Without other links, some buttons must stand before posts: a file may be linked in any post, and a date
    # above the first post may be written like the dates of posts.
    if not _MIN_BUTTONS <= len(links) == len(mine) < len(points):
        return False
    if _DIGITS.search(outline.text(links[0][0], _MAX_LABEL)):
        return False
    after = [bisect_right(points, element) for element, _ in links]
    return after[0] == 0 and _MOSTLY * len(links) <= len(set(after)) and after[-1] < len(points)


def _find_runs(links: _Links) -> _Runs:
    """The first and last element of each run of links to one target. Empty if a target comes back later."""
    runs = [[element for element, _ in run] for _, run in groupby(links, key=lambda link: link[1])]
    if len(runs) > len({target for _, target in links}):
        return []
    return [(run[0], run[-1]) for run in runs]


def _find_shared_runs(links: _Links, table: RecordTable, starts: Sequence[int]) -> _Runs:
    """The runs of links that nearly every post has and that neighbouring posts share. Else empty."""
    by_post: dict[int, str] = {}
    for element, target in links:
        by_post.setdefault(bisect_right(starts, element) - 1, target)
    by_post.pop(-1, None)
    # Links above the first post belong to the site.
    runs = _find_runs([(element, target) for element, target in links if element >= starts[0]])
    # A post may link itself twice. Only links of several posts to one target show a thread.
    if len(by_post) < _NEARLY_ALL * len(starts) or not 1 < len(runs) <= len(by_post):
        return []
    if len(set(by_post.values())) in {1, len(by_post)}:
        return []
    return [] if _follows_authors(by_post, table) else runs


def _follows_authors(by_post: dict[int, str], table: RecordTable) -> bool:
    """Whether each author has one target: then the links lead to people."""
    pairs = {
        (author.name, by_post[number])
        for number, author in find_authors(table).authors.items()
        if number in by_post
    }
    names, targets = {name for name, _ in pairs}, {target for _, target in pairs}
    return bool(pairs) and len(names) == len(targets) == len(pairs)


def _title_before(outline: PageOutline, element: int) -> str:
    """The text directly before a link, in the same block: imageboards put the subject there."""
    segment = outline.text_from[element] - 1
    while segment >= 0 and not any(map(str.isalnum, outline.segments[segment])):
        segment -= 1
    before = outline.segments[segment].strip() if segment >= 0 else ""
    return before if 0 < len(before) <= _MAX_TITLE else outline.text(element, _MAX_TITLE)
