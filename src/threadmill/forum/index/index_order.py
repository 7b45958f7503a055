"""Finds whether an index page is sorted by creation or by last activity. Sticky threads do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.link_urls import number_slots
from threadmill.forum.records.date_columns import sort_key
from threadmill.types import Moment, ThreadRow

# Leaving out a row at the top as a sticky thread costs less than a break in the order, but it is not free.
_STICKY_COST = 0.3
_MAX_STICKIES = 2 / 3  # of the rows of a page
# What a pair of neighbouring rows costs, as logarithms. Of 200 pairs, 1 breaks the order that an index is
# sorted by (moved and merged threads). At least 15 of 100 break the other order (the fewest on the boards we
# have; most have a third).
_BREAK_COST, _OTHER_BREAK_COST, _OTHER_PAIR_COST = 5.3, 1.9, 0.16
_KNOWN_ORDER_COST = 8.0  # to contradict the other pages of the site takes more than one broken pair
_ID_WEIGHT = 0.5  # trust in the IDs in URLs: imports and merges renumber threads
_MIN_DATED = 0.6  # of the rows: fewer dates are no column
_MIN_DIFFERENCE = 0.5  # a smaller difference of costs decides nothing
_MIN_ROWS = 3  # fewer rows show no order

Values = Sequence[tuple[int, float]]


class IndexOrder(StrEnum):
    """What an index is sorted by, newest first."""

    ACTIVITY = "activity"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class ThreadDates:
    """The dates that the posts of a thread show."""

    created: Moment | None  # of its first post
    active: Moment | None  # of its last post, if that page was seen


@dataclass(frozen=True, slots=True)
class OrderCost:
    """How much speaks against each order."""

    created: float = 0.0
    active: float = 0.0

    def __add__(self, other: OrderCost) -> OrderCost:
        return OrderCost(self.created + other.created, self.active + other.active)

    def order(self) -> IndexOrder | None:
        """The cheaper order. None if the costs are nearly equal."""
        if abs(self.created - self.active) < _MIN_DIFFERENCE:
            return None
        return IndexOrder.CREATION if self.created < self.active else IndexOrder.ACTIVITY


def find_index_order(
    rows: Sequence[ThreadRow],
    visits: Mapping[str, ThreadDates] | None = None,
    known: IndexOrder | None = None,
) -> IndexOrder | None:
    """The order of the rows of one page. None if neither the page nor the `known` order of the site decides.

    `visits` has the dates of threads that were opened, by their URLs.
    """
    return find_site_order([rows], visits or {}, known)


def find_site_order(
    pages: Sequence[Sequence[ThreadRow]],
    visits: Mapping[str, ThreadDates],
    known: IndexOrder | None = None,
) -> IndexOrder | None:
    """The order of all index pages of a site. The costs of the pages are summed."""
    plain = [[row for row in rows if not row.sticky and not row.moved] or list(rows) for rows in pages]
    shown = _find_shown_date([row for rows in plain for row in rows], visits)
    cost = OrderCost(
        _KNOWN_ORDER_COST * (known is IndexOrder.ACTIVITY), _KNOWN_ORDER_COST * (known is IndexOrder.CREATION)
    )
    return sum((_cost_of_page(rows, visits, shown) for rows in plain), cost).order()


def _cost_of_page(
    rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates], shown: IndexOrder | None
) -> OrderCost:
    """The costs by the best evidence that the page has: two dates, one date, opened threads, or IDs."""
    if len(rows) < _MIN_ROWS:
        return OrderCost()
    enough = max(_MIN_ROWS, _MIN_DATED * len(rows))
    both = [(row.created, row.active) for row in rows if row.created and row.active]
    if len(both) >= enough:
        created, active = [sort_key(c) for c, _ in both], [sort_key(a) for _, a in both]
        return OrderCost(_cost_if_sorted(created), _cost_if_sorted(active))
    dated = [row for row in rows if row.active]
    if len(dated) >= enough:
        return _cost_by_one_date(dated, shown)
    seen = [visit for row in rows if (visit := visits.get(row.url)) and visit.created and visit.active]
    cost = OrderCost()
    if len(seen) >= _MIN_ROWS:
        created = [sort_key(visit.created) for visit in seen if visit.created]
        active = [sort_key(visit.active) for visit in seen if visit.active]
        cost = OrderCost(_cost_if_sorted(created), _cost_if_sorted(active))
    return cost if cost.order() else _cost_by_ids(rows)


def _cost_by_one_date(rows: Sequence[ThreadRow], shown: IndexOrder | None) -> OrderCost:
    """The costs where rows show one date. `shown` says which date that is, if opened threads told."""
    column = [sort_key(row.active) for row in rows if row.active]
    by_ids = _cost_by_ids(rows)
    if shown is None:
        return _cost_by_unknown_date(column, by_ids)
    if shown is IndexOrder.CREATION:
        return OrderCost(_cost_if_sorted(column), _cost_if_not_sorted(column))
    return OrderCost(_cost_if_not_sorted(column) + by_ids.created, _cost_if_sorted(column) + by_ids.active)


def _cost_by_unknown_date(column: Values, by_ids: OrderCost) -> OrderCost:
    """The costs where it is unknown which date rows show. Most forums with one date show the last one."""
    order = by_ids.order()
    if order is None:
        return OrderCost(_cost_if_not_sorted(column), _cost_if_sorted(column))
    in_order = _cost_if_sorted(column) < _cost_if_not_sorted(column)
    return OrderCost() if order is IndexOrder.CREATION and in_order else by_ids


def _cost_by_ids(rows: Sequence[ThreadRow]) -> OrderCost:
    """The costs by the IDs in URLs, which grow with creation."""
    numbers = _find_thread_ids(rows)
    if not numbers:
        return OrderCost()
    return OrderCost(_ID_WEIGHT * _cost_if_sorted(numbers), _ID_WEIGHT * _cost_if_not_sorted(numbers))


def _cost_if_sorted(values: Values) -> float:
    """What speaks against an index that is sorted by these values."""
    broken, _, skipped = count_breaks(values)
    return _BREAK_COST * broken + _STICKY_COST * skipped


def _cost_if_not_sorted(values: Values) -> float:
    """What speaks against an index that is sorted by something else."""
    broken, pairs, skipped = count_breaks(values)
    return _OTHER_BREAK_COST * broken + _OTHER_PAIR_COST * (pairs - broken) + _STICKY_COST * skipped


def _find_shown_date(rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates]) -> IndexOrder | None:
    """Which date a single column shows, by threads that were opened. None if they do not tell."""
    created = active = 0
    for row in rows:
        visit = visits.get(row.url)
        if not visit or not visit.created or not row.active:
            continue
        if not _may_be_same(row.active, visit.created):
            active += 1
        elif visit.active and not _may_be_same(row.active, visit.active):
            created += 1
    if created == active:
        return None
    return IndexOrder.CREATION if created > active else IndexOrder.ACTIVITY


def count_breaks(values: Values) -> tuple[int, int, int]:
    """Pairs of neighbours that rise where they should fall, all pairs, and rows left out as sticky threads.

    Sticky threads stand at the top. They end where the values jump up. As many are left out as costs least.
    """
    rises = [one < other for one, other in pairwise(values)]
    best = (float(sum(rises)), sum(rises), len(rises), 0)
    for start in range(1, int(_MAX_STICKIES * len(values)) + 1):
        if start <= len(rises) and rises[start - 1]:
            tail = rises[start:]
            best = min(best, (sum(tail) + _STICKY_COST * start, sum(tail), len(tail), start))
    return best[1:]


def _may_be_same(one: Moment, other: Moment) -> bool:
    """Whether two dates, perhaps of different precision, can be one moment."""
    if one.date != other.date:
        return False
    if one.time is None or other.time is None:
        return True
    return (one.time.hour, one.time.minute) == (other.time.hour, other.time.minute)


def _find_thread_ids(rows: Sequence[ThreadRow]) -> Values:
    """The IDs of the threads: the number in their URLs that differs in every row. Empty if none does."""
    by_place: dict[int, list[int]] = {}
    for row in rows:
        for place, (_, number) in enumerate(number_slots(row.url)):
            by_place.setdefault(place, []).append(number)
    complete = [numbers for numbers in by_place.values() if len(numbers) == len(rows)]
    found = max(complete, key=lambda numbers: len(set(numbers)), default=[])
    return [(number, 0.0) for number in found] if len(set(found)) == len(rows) else []
