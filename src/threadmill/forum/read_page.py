"""The whole reading of one page: its class, its posts or rows, its paging and order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from threadmill.forum.index.index_order import IndexOrder, find_index_order
from threadmill.forum.index.rows import as_board
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import PageClass, classify_page
from threadmill.forum.paging.pager import Paging, find_paging
from threadmill.forum.posts.comments import add_numbered_comments
from threadmill.forum.posts.post_columns import PostColumns, find_post_columns
from threadmill.forum.posts.read_posts import PostOrder, find_post_order, read_posts
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.forum.site_model.wrapper import Wrapper, apply_wrapper
from threadmill.page.parse.tree import Tree
from threadmill.types import BoardRow, Post, ThreadRow

# Below this share of expected columns a wrapper no longer fits the page and the page is read directly.
MIN_FIT = 0.6


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A page of posts."""

    posts: tuple[Post, ...]
    paging: Paging
    title: str = ""
    order: PostOrder | None = None
    confidence: float = 0.0  # how much the records look like posts: 0 nothing, 1 sure
    wrapped: bool = False  # read with the wrapper given
    misfit: bool = False  # the wrapper given did not fit: the layout is another one


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
    """What a page is: index, thread or other, and why."""
    return classify_page(PageAnalysis(tree, now))


def read_thread(tree: Tree, now: datetime, wrapper: Wrapper | None = None) -> ThreadPage:
    """The posts of a thread page, with a wrapper where it fits."""
    return extract_thread(PageAnalysis(tree, now), wrapper)


def extract_thread(analysis: PageAnalysis, wrapper: Wrapper | None = None) -> ThreadPage:
    """The same for a page that is being read already."""
    if wrapper is not None:
        table, columns, fit = apply_wrapper(wrapper, analysis.outline)
        if fit >= MIN_FIT:
            return _thread(analysis, table, columns, fit, wrapper.order, wrapped=True)
    found = analysis.chosen_posts
    if found is None:
        return ThreadPage(
            (), find_paging(analysis.outline), analysis.outline.title, misfit=wrapper is not None
        )
    table, confidence = found
    columns = find_post_columns(table, analysis.now)
    table, columns = add_numbered_comments((table, columns), analysis.now)
    return _thread(analysis, table, columns, confidence, misfit=wrapper is not None)


def _thread(
    analysis: PageAnalysis,
    table: RecordTable,
    columns: PostColumns,
    confidence: float,
    dates: str = "",
    *,
    wrapped: bool = False,
    misfit: bool = False,
) -> ThreadPage:
    outline = analysis.outline
    posts = tuple(read_posts(table, columns, analysis.now, dates))
    paging = find_paging(outline, _spans(outline, table))
    return ThreadPage(posts, paging, outline.title, find_post_order(posts), confidence, wrapped, misfit)


def _spans(outline: PageOutline, table: RecordTable) -> list[tuple[int, int]]:
    return [span for record in table.records for span in record.spans(outline)]


def read_index(tree: Tree, now: datetime) -> IndexPage:
    """The rows of an index page."""
    return extract_index(PageAnalysis(tree, now))


def extract_index(analysis: PageAnalysis) -> IndexPage:
    """The same for a page that is being read already."""
    rows: list[ThreadRow] = []
    boards: list[BoardRow] = []
    two_dates = False
    spans: list[tuple[int, int]] = []
    strongest = max((found.worth for found in analysis.row_lists), default=0.0)
    for found, read in zip(analysis.row_lists, analysis.parsed_row_lists, strict=True):
        # Menus reach 0.3; boards without readable counters stay below, but name their last threads.
        if found.worth < max(0.15 if read.boardness >= 1.5 else 0.35, 0.25 * strongest):
            continue
        spans += _spans(analysis.outline, found.table)
        if read.boardness > 0:
            boards += [as_board(row) for row in read.rows]
        elif not rows:
            rows += read.rows
            two_dates = read.two_dates
    paging = find_paging(analysis.outline, spans)
    return IndexPage(
        tuple(rows), tuple(boards), paging, analysis.outline.title, find_index_order(rows), two_dates
    )
