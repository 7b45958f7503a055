"""One page being read: what is found out once and asked for by several."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from threadmill.forum.index.row_lists import RowList, find_row_lists
from threadmill.forum.index.rows import ParsedRowList, parse_row_list
from threadmill.forum.posts.few_posts import find_short_post, find_single_post
from threadmill.forum.posts.post_records import (
    FoundPosts,
    PageSplit,
    choose_posts,
    find_page_splits,
    find_posts,
)
from threadmill.forum.records.date_columns import PageDate, find_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import RecordTable
from threadmill.page.parse.tree import Tree


class PageAnalysis:
    """A page's outline with everything that was found on it so far."""

    def __init__(self, tree: Tree, now: datetime) -> None:
        self.tree = tree
        self.now = now

    @cached_property
    def outline(self) -> PageOutline:
        """The page laid out flat."""
        return PageOutline(self.tree)

    @cached_property
    def dates(self) -> list[PageDate]:
        """Every date the page says."""
        return find_page_dates(self.outline)

    @cached_property
    def splits(self) -> list[PageSplit]:
        """The ways to cut the page into records."""
        return find_page_splits(self.outline, self.dates)

    @cached_property
    def found_posts(self) -> FoundPosts | None:
        """What looks most like posts."""
        return find_posts(self.outline, self.dates, self.splits)

    @cached_property
    def single_post(self) -> RecordTable | None:
        """What would be the post, if the page had one only."""
        return find_single_post(self.outline, self.dates)

    @cached_property
    def chosen_posts(self) -> tuple[RecordTable, float] | None:
        """The posts, from this page alone, and how sure that is."""
        return choose_posts(
            self.found_posts, self.single_post, lambda: find_short_post(self.outline, self.dates)
        )

    @cached_property
    def row_lists(self) -> list[RowList]:
        """What looks most like rows."""
        return find_row_lists(self.outline, self.dates, self.splits)

    @cached_property
    def parsed_row_lists(self) -> list[ParsedRowList]:
        """The rows, read."""
        return [parse_row_list(found, self.now) for found in self.row_lists]
