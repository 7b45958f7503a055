"""Holds what is known about one page. Each part is computed once, when it is first asked for."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from threadmill.forum.index.row_lists import RowList, find_row_lists
from threadmill.forum.index.rows import ParsedRowList, parse_row_list
from threadmill.forum.index.single_row import add_single_row
from threadmill.forum.index.thread_previews import find_thread_previews
from threadmill.forum.posts.authors import find_authors
from threadmill.forum.posts.few_posts import find_short_post, find_single_post
from threadmill.forum.posts.messages import Messages, find_messages
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
from threadmill.types import ThreadRow

_GOOD_RECORDS = 0.5  # the least confidence in posts that have linked names instead of labels


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
            self.found_posts, self.single_post, lambda: find_short_post(self.outline, self.dates)
        )

    @cached_property
    def messages(self) -> Messages | None:
        """The messages of the page with a labelled head. None where records with linked names are better."""
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
        return add_single_row(self.outline, self.dates, find_row_lists(self.outline, self.dates, self.splits))

    @cached_property
    def parsed_row_lists(self) -> list[ParsedRowList]:
        """What the rows of each of the `row_lists` say."""
        return [parse_row_list(found, self.now) for found in self.row_lists]

    @cached_property
    def previews(self) -> tuple[ThreadRow, ...]:
        """The threads whose posts the page shows, if it shows posts of several."""
        found = self.found_posts
        return find_thread_previews(self.outline, found.table) if found else ()
