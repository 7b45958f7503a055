"""Brings columns of one site together: which order of day and month they all speak for."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from threadmill.dates.columns.date_column import Column

# What a column gives an order it does not offer: a page may be wrong, so no column has a veto.
_LEAST = 0.001
# The order is settled when it is this many times likelier than the next: as read_column settles one column.
_ODDS = 20.0


def settle_order(columns: Iterable[Column]) -> str:
    """The order of day, month and year that columns of one site agree on; empty when they leave it open.

    Hand it to `read_column(cells, now, order=...)` to read the columns that could not tell by themselves.
    """
    votes = [_votes(column) for column in columns]
    votes = [vote for vote in votes if vote]
    scores: dict[str, float] = defaultdict(float)
    for order in {order for vote in votes for order in vote}:
        scores[order] = sum(math.log(max(vote.get(order, 0.0), _LEAST)) for vote in votes)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked:
        return ""
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < math.log(_ODDS):
        return ""
    return ranked[0][0]


def _votes(column: Column) -> dict[str, float]:
    """How likely each order is by one column; a column without numbers has no say."""
    if column.readings:
        return {reading.order: reading.confidence for reading in column.readings if reading.order}
    return {column.order: column.confidence} if column.order and column.confidence else {}
