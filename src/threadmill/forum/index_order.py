"""By what the threads of an index are sorted, from as few pages as possible; stickies do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from threadmill.forum.addresses import slots
from threadmill.forum.moments import ordinal
from threadmill.types import Moment, ThreadRow

# A row left out at the top of a page as a sticky costs less than a break in the order, and is not free.
_STICKY_COST = 0.3
_MOST_STICKIES = 2 / 3  # of the rows of a page
# Of one column of dates: so many breaks in a hundred neighbours are slips (moved threads, clocks put back).
_SLIPS = 0.1
_ENOUGH_DATED = 0.6  # of the rows: fewer dates are no column
_FEWEST = 3  # rows that can show an order

Values = Sequence[tuple[int, float]]


class IndexOrder(StrEnum):
    """By what an index is sorted, newest first."""

    ACTIVITY = "activity"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class Visit:
    """What opening a thread told about it."""

    created: Moment | None  # its first post
    active: Moment | None  # its last post, where that page was seen


@dataclass(frozen=True, slots=True)
class Breaks:
    """How often neighbouring rows stand against each order; None where a page cannot be asked."""

    created: float | None = None
    active: float | None = None

    def order(self) -> IndexOrder | None:
        """The order with fewer breaks."""
        if self.created is None or self.active is None or self.created == self.active:
            return None
        return IndexOrder.CREATION if self.created < self.active else IndexOrder.ACTIVITY


def index_order(rows: Sequence[ThreadRow], visits: Mapping[str, Visit] | None = None) -> IndexOrder | None:
    """By what the rows of one page are sorted; None when this page cannot tell."""
    return site_order([rows], visits or {})


def site_order(pages: Sequence[Sequence[ThreadRow]], visits: Mapping[str, Visit]) -> IndexOrder | None:
    """By what the pages of a site are sorted, their evidence added up."""
    plain = [[row for row in rows if not row.sticky and not row.moved] or list(rows) for rows in pages]
    shown = _column_is([row for rows in plain for row in rows], visits)
    created = active = 0.0
    for rows in plain:
        breaks = _breaks(rows, visits, shown)
        if breaks.created is not None and breaks.active is not None:
            created += breaks.created
            active += breaks.active
    return Breaks(created, active).order()


def _breaks(rows: Sequence[ThreadRow], visits: Mapping[str, Visit], shown: IndexOrder | None) -> Breaks:
    if len(rows) < _FEWEST:
        return Breaks()
    enough = max(_FEWEST, _ENOUGH_DATED * len(rows))
    both = [(row.created, row.active) for row in rows if row.created and row.active]
    if len(both) >= enough:
        return Breaks(breaks([ordinal(c) for c, _ in both]), breaks([ordinal(a) for _, a in both]))
    dated = [row for row in rows if row.active]
    if len(dated) >= enough:
        return _by_one_date(dated, shown)
    seen = [visit for row in rows if (visit := visits.get(row.url)) and visit.created and visit.active]
    if len(seen) >= _FEWEST:
        began = [ordinal(visit.created) for visit in seen if visit.created]
        ended = [ordinal(visit.active) for visit in seen if visit.active]
        if breaks(began) != breaks(ended):
            return Breaks(breaks(began), breaks(ended))
    numbers = breaks(_ids(rows))
    # Numbers grow with creation: in activity order they would be wild, and break every other time.
    return Breaks(numbers, 0.25 * (len(rows) - 1)) if _ids(rows) else Breaks()


def _by_one_date(rows: Sequence[ThreadRow], shown: IndexOrder | None) -> Breaks:
    """One column: it is what visited threads say; numbers that grow with creation stand for the other."""
    column = breaks([ordinal(row.active) for row in rows if row.active])
    slips = _SLIPS * (len(rows) - 1)
    numbers = breaks(_ids(rows)) if _ids(rows) else None
    if shown is None:
        if numbers is None:
            return Breaks(slips, column)
        # A column out of order is not what the index is sorted by, whichever date it shows.
        return Breaks(numbers, column) if column <= slips or numbers <= slips else Breaks(numbers, slips)
    other = slips if numbers is None or shown is IndexOrder.CREATION else numbers
    return Breaks(column, other) if shown is IndexOrder.CREATION else Breaks(other, column)


def _column_is(rows: Sequence[ThreadRow], visits: Mapping[str, Visit]) -> IndexOrder | None:
    """Which date a single column shows, by threads that were opened."""
    begins = ends = 0
    for row in rows:
        visit = visits.get(row.url)
        if not visit or not visit.created or not row.active:
            continue
        if not _same(row.active, visit.created):
            ends += 1
        elif visit.active and not _same(visit.active, visit.created):
            begins += 1
    if begins == ends:
        return None
    return IndexOrder.CREATION if begins > ends else IndexOrder.ACTIVITY


def breaks(values: Values) -> float:
    """How often values rise where they should fall; a leading run of stickies may be left out at a price."""
    rises = [one < other for one, other in pairwise(values)]
    best = float(sum(rises))
    for start in range(1, int(_MOST_STICKIES * len(values)) + 1):
        if start <= len(rises) and rises[start - 1]:  # a run ends where the dates jump up
            best = min(best, sum(rises[start:]) + _STICKY_COST * start)
    return best


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
        for place, (_, number) in enumerate(slots(row.url)):
            by_place.setdefault(place, []).append(number)
    lists = [numbers for numbers in by_place.values() if len(numbers) == len(rows)]
    found = max(lists, key=lambda numbers: len(set(numbers)), default=[])
    return [(number, 0.0) for number in found] if len(set(found)) == len(rows) else []
