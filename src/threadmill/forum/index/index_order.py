"""By what the threads of an index are sorted, from as few pages as possible; stickies do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.link_urls import number_slots
from threadmill.forum.records.date_columns import sort_key
from threadmill.types import Moment, ThreadRow

# A row left out at the top of a page as a sticky costs less than a break in the order, and is not free.
_STICKY_COST = 0.3
_MOST_STICKIES = 2 / 3  # of the rows of a page
# What a pair of neighbours costs, as logarithms: 1 in 200 breaks the order an index is sorted by (moved and
# merged threads), 15 break the other one (the fewest on the boards we have, most have a third).
_BREAK, _STRANGE_BREAK, _STRANGE_ORDER = 5.3, 1.9, 0.16
_KNOWN = 8.0  # what speaks against the site's other pages must be worth more than one broken pair
_NUMBERS = 0.5  # how much the numbers in addresses are believed: imports and merges renumber
_ENOUGH_DATED = 0.6  # of the rows: fewer dates are no column
_EQUAL = 0.5  # closer costs say nothing
_FEWEST = 3  # rows that can show an order

Values = Sequence[tuple[int, float]]


class IndexOrder(StrEnum):
    """By what an index is sorted, newest first."""

    ACTIVITY = "activity"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class ThreadDates:
    """What opening a thread told about it."""

    created: Moment | None  # its first post
    active: Moment | None  # its last post, where that page was seen


@dataclass(frozen=True, slots=True)
class OrderCost:
    """How hard it is to believe that a page is sorted by creation, and by activity."""

    created: float = 0.0
    active: float = 0.0

    def __add__(self, other: OrderCost) -> OrderCost:
        return OrderCost(self.created + other.created, self.active + other.active)

    def order(self) -> IndexOrder | None:
        """The order that is easier to believe."""
        if abs(self.created - self.active) < _EQUAL:
            return None
        return IndexOrder.CREATION if self.created < self.active else IndexOrder.ACTIVITY


def find_index_order(
    rows: Sequence[ThreadRow],
    visits: Mapping[str, ThreadDates] | None = None,
    known: IndexOrder | None = None,
) -> IndexOrder | None:
    """By what the rows of one page are sorted; None when neither it nor what is `known` of the site tells."""
    return find_site_order([rows], visits or {}, known)


def find_site_order(
    pages: Sequence[Sequence[ThreadRow]], visits: Mapping[str, ThreadDates], known: IndexOrder | None = None
) -> IndexOrder | None:
    """By what the pages of a site are sorted, their evidence added up."""
    plain = [[row for row in rows if not row.sticky and not row.moved] or list(rows) for rows in pages]
    shown = _column_is([row for rows in plain for row in rows], visits)
    before = OrderCost(_KNOWN * (known is IndexOrder.ACTIVITY), _KNOWN * (known is IndexOrder.CREATION))
    return sum((_cost(rows, visits, shown) for rows in plain), before).order()


def _cost(
    rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates], shown: IndexOrder | None
) -> OrderCost:
    if len(rows) < _FEWEST:
        return OrderCost()
    enough = max(_FEWEST, _ENOUGH_DATED * len(rows))
    both = [(row.created, row.active) for row in rows if row.created and row.active]
    if len(both) >= enough:
        return OrderCost(_sorted([sort_key(c) for c, _ in both]), _sorted([sort_key(a) for _, a in both]))
    dated = [row for row in rows if row.active]
    if len(dated) >= enough:
        return _by_one_date(dated, shown)
    seen = [visit for row in rows if (visit := visits.get(row.url)) and visit.created and visit.active]
    cost = OrderCost()
    if len(seen) >= _FEWEST:
        began = [sort_key(visit.created) for visit in seen if visit.created]
        ended = [sort_key(visit.active) for visit in seen if visit.active]
        cost = OrderCost(_sorted(began), _sorted(ended))
    return cost if cost.order() else _by_numbers(rows)


def _by_one_date(rows: Sequence[ThreadRow], shown: IndexOrder | None) -> OrderCost:
    """One column: it is what visited threads say; numbers that grow with creation stand for the other."""
    column = [sort_key(row.active) for row in rows if row.active]
    numbers = _by_numbers(rows)
    if shown is None:
        return _by_unknown_date(column, numbers)
    if shown is IndexOrder.CREATION:
        return OrderCost(_sorted(column), _strange(column))
    return OrderCost(_strange(column) + numbers.created, _sorted(column) + numbers.active)


def _by_unknown_date(column: Values, numbers: OrderCost) -> OrderCost:
    """Nobody knows which date it is; most indexes that show one show the last one."""
    order = numbers.order()
    if order is None:
        return OrderCost(_strange(column), _sorted(column))
    in_order = _sorted(column) < _strange(column)
    return OrderCost() if order is IndexOrder.CREATION and in_order else numbers


def _by_numbers(rows: Sequence[ThreadRow]) -> OrderCost:
    """The numbers in the addresses grow with creation."""
    numbers = _ids(rows)
    return OrderCost(_NUMBERS * _sorted(numbers), _NUMBERS * _strange(numbers)) if numbers else OrderCost()


def _sorted(values: Values) -> float:
    """What it costs to believe that the index is sorted by these."""
    broken, _, skipped = count_breaks(values)
    return _BREAK * broken + _STICKY_COST * skipped


def _strange(values: Values) -> float:
    """What it costs to believe that it is sorted by something else."""
    broken, pairs, skipped = count_breaks(values)
    return _STRANGE_BREAK * broken + _STRANGE_ORDER * (pairs - broken) + _STICKY_COST * skipped


def _column_is(rows: Sequence[ThreadRow], visits: Mapping[str, ThreadDates]) -> IndexOrder | None:
    """Which date a single column shows, by threads that were opened."""
    begins = ends = 0
    for row in rows:
        visit = visits.get(row.url)
        if not visit or not visit.created or not row.active:
            continue
        if not _same(row.active, visit.created):
            ends += 1
        elif visit.active and not _same(row.active, visit.active):
            begins += 1
    if begins == ends:
        return None
    return IndexOrder.CREATION if begins > ends else IndexOrder.ACTIVITY


def count_breaks(values: Values) -> tuple[int, int, int]:
    """How many neighbours rise where they should fall, of how many, and how many stickies were left out."""
    rises = [one < other for one, other in pairwise(values)]
    best = (float(sum(rises)), sum(rises), len(rises), 0)
    for start in range(1, int(_MOST_STICKIES * len(values)) + 1):
        if start <= len(rises) and rises[start - 1]:  # a run ends where the dates jump up
            tail = rises[start:]
            best = min(best, (sum(tail) + _STICKY_COST * start, sum(tail), len(tail), start))
    return best[1:]


def _same(one: Moment, other: Moment) -> bool:
    """Whether two dates of different precision can be one moment."""
    if one.date != other.date:
        return False
    if one.time is None or other.time is None:
        return True
    return (one.time.hour, one.time.minute) == (other.time.hour, other.time.minute)


def _ids(rows: Sequence[ThreadRow]) -> Values:
    """The numbers that name the threads: the place in the addresses whose number differs most."""
    by_place: dict[int, list[int]] = {}
    for row in rows:
        for place, (_, number) in enumerate(number_slots(row.url)):
            by_place.setdefault(place, []).append(number)
    lists = [numbers for numbers in by_place.values() if len(numbers) == len(rows)]
    found = max(lists, key=lambda numbers: len(set(numbers)), default=[])
    return [(number, 0.0) for number in found] if len(set(found)) == len(rows) else []
