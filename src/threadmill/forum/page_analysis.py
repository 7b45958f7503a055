"""One page being read: what is found out once and asked for by several."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from threadmill.forum.index.row_lists import RowList, find_lists
from threadmill.forum.index.rows import ReadList, read_list
from threadmill.forum.posts.post_records import Candidate, Finding, candidates, find_posts
from threadmill.forum.posts.posts_without_wrapper import direct_table
from threadmill.forum.posts.single_post import find_remark, find_single
from threadmill.forum.records.date_cells import DateCell, find_dates
from threadmill.forum.records.outline import Outline
from threadmill.forum.records.table import Table
from threadmill.page.parse.tree import Tree


class Reading:
    """A page's outline with everything that was found on it so far."""

    def __init__(self, tree: Tree, now: datetime) -> None:
        self.tree = tree
        self.now = now

    @cached_property
    def outline(self) -> Outline:
        """The page laid out flat."""
        return Outline(self.tree)

    @cached_property
    def dates(self) -> list[DateCell]:
        """Every date the page says."""
        return find_dates(self.outline)

    @cached_property
    def ways(self) -> list[Candidate]:
        """The ways to cut the page into records."""
        return candidates(self.outline, self.dates)

    @cached_property
    def finding(self) -> Finding | None:
        """What looks most like posts."""
        return find_posts(self.outline, self.dates, self.ways)

    @cached_property
    def single(self) -> Table | None:
        """What would be the post, if the page had one only."""
        return find_single(self.outline, self.dates)

    @cached_property
    def direct(self) -> tuple[Table, float] | None:
        """The posts, from this page alone, and how sure that is."""
        return direct_table(self.finding, self.single, lambda: find_remark(self.outline, self.dates))

    @cached_property
    def lists(self) -> list[RowList]:
        """What looks most like rows."""
        return find_lists(self.outline, self.dates, self.ways)

    @cached_property
    def read_lists(self) -> list[ReadList]:
        """The rows, read."""
        return [read_list(found, self.now) for found in self.lists]
