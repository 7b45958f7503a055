"""The records of a thread page from the page alone, without a wrapper."""

from __future__ import annotations

from threadmill.forum.odd import join_odd
from threadmill.forum.reading import Reading
from threadmill.forum.small import are_posts, narrow
from threadmill.forum.table import Table


def direct_table(reading: Reading) -> tuple[Table, float] | None:
    """The records of a thread page from the page alone."""
    finding = reading.finding
    single = reading.single
    if finding and finding.sure and (single is None or are_posts(finding.table, single)):
        return narrow(finding.table), min(1.0, finding.score / 2)
    if single is not None:
        return join_odd(single), 0.3
    return (finding.table, min(1.0, finding.score / 2)) if finding else None
