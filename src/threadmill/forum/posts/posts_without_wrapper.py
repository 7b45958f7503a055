"""The records of a thread page from the page alone, without a wrapper."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from threadmill.forum.index.side_boxes import in_side_box
from threadmill.forum.posts.few_posts import are_alike, are_posts, narrow, own_words, without_inserts
from threadmill.forum.posts.first_post import join_odd
from threadmill.forum.posts.post_records import Finding
from threadmill.forum.records.table import Table

_FEW_WORDS = 15  # characters; records that say less, and no date, are links of a page that has no posts


def direct_table(
    finding: Finding | None, single: Table | None, remark: Callable[[], Table | None]
) -> tuple[Table, float] | None:
    """The posts of a page: of what looks most like several and what would be the only one; how sure.

    A post of a few words is looked for where nothing else is left.
    """
    if finding and in_side_box(finding.table.outline, finding.table.records):
        finding = None
    if finding and finding.sure and are_posts(finding.table, single):
        return narrow(without_inserts(finding.table)), min(1.0, finding.score / 2)
    if single is None:
        single = remark()
    if single is not None:
        return join_odd(single), 0.3
    if finding is None or not _says_something(finding.table) or not are_alike(finding.table):
        return None
    return finding.table, min(1.0, finding.score / 2)


def _says_something(table: Table) -> bool:
    return bool(table.date_columns) or median(own_words(table)) >= _FEW_WORDS
