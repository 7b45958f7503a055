"""Reads one page of a forum: its class, its posts or rows, its pager and its order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from threadmill.forum.index.index_order import IndexOrder, find_index_order
from threadmill.forum.index.row_lists import RowList
from threadmill.forum.index.rows import ParsedRowList, as_board, find_sub_boards
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import PageClass, classify_page
from threadmill.forum.paging.pager import Paging, find_paging
from threadmill.forum.posts.comments import read_columns
from threadmill.forum.posts.messages import Messages
from threadmill.forum.posts.post_columns import PostColumns
from threadmill.forum.posts.read_posts import PostOrder, find_post_order, read_posts
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.wrapper import Wrapper, apply_wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import BoardRow, Post, ThreadRow

# A wrapper that finds a smaller share of the expected columns does not fit. The page is read without it.
MIN_FIT = 0.6
# The scores that a list needs. Menus reach 0.3. Boards without readable counters may stay below that, but
# they link to their last threads, which gives a boardness of 1.5 or more.
_MIN_LIST, _MIN_BOARD_LIST, _SURE_BOARDS = 0.35, 0.15, 1.5
_MIN_OF_BEST_LIST = 0.25  # of the score of the best list


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


def classify(tree: Tree, now: datetime) -> PageClass:
    """The class of a page: index, thread or other, with a reason for other."""
    return classify_page(PageAnalysis(tree, now))


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
    posts = tuple(read_posts(found.table, found.columns, analysis.now, found.date_order))
    paging = find_paging(outline, _record_spans(outline, found.table))
    misfit = wrapper is not None and not found.wrapped
    order = find_post_order(posts)
    return ThreadPage(posts, paging, outline.title, order, found.confidence, found.wrapped, misfit)


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
    return ThreadRecords(table, columns, confidence)


def _message_page(analysis: PageAnalysis, messages: Messages) -> ThreadPage:
    """A page of messages with labelled heads. One message alone has no pages: "next" leads to another one."""
    posts, outline = messages.posts, analysis.outline
    paging = find_paging(outline, list(messages.spans)) if len(posts) > 1 else Paging()
    return ThreadPage(posts, paging, outline.title, find_post_order(posts), 1.0)


def _record_spans(outline: PageOutline, table: RecordTable) -> list[tuple[int, int]]:
    return [span for record in table.records for span in record.spans(outline)]


def read_index(tree: Tree, now: datetime) -> IndexPage:
    """The threads and boards of an index page."""
    return extract_index(PageAnalysis(tree, now))


def extract_index(analysis: PageAnalysis) -> IndexPage:
    """The same as `read_index`, for a page whose analysis has begun.

    Boards come from every list that is good enough. Threads come from the best list only.
    """
    rows: list[ThreadRow] = []
    boards: list[BoardRow] = []
    two_dates = False
    spans: list[tuple[int, int]] = []
    for found, parsed in chosen_lists(analysis):
        spans += _record_spans(analysis.outline, found.table)
        if parsed.boardness > 0:
            boards += [as_board(row) for row in parsed.rows]
            boards += find_sub_boards(found, parsed)
        elif not rows:
            rows += parsed.rows
            two_dates = parsed.two_dates
    if len(analysis.previews) > len(rows):
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
