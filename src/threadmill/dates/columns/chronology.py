"""Uses the order of a date column to find missing years and afternoons without AM and PM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import pairwise

from threadmill.dates.grammar.written_dates import WrittenTimestamp
from threadmill.dates.meaning.calendars import clamp_day
from threadmill.dates.meaning.resolve import DateConvention, candidate_years, choose_value, date_orders
from threadmill.types import Moment

# The cost of moving cells a year back. It is lower than the cost of a backward step (1.0) in the middle of a
# column, and higher than that of a backward step near the top, where sticky threads stand.
_YEAR_BACK, _STICKY_STEP = 0.4, 0.3


def compare_moments(a: Moment, b: Moment) -> int:
    """Return -1 when a is earlier than b, 1 when it is later, 0 when that is unknown."""
    if a.date != b.date:
        return -1 if a.date < b.date else 1
    if a.time is None or b.time is None or a.time == b.time:
        return 0
    return -1 if a.time < b.time else 1


def count_inversions(moments: Sequence[Moment], direction: int) -> int:
    """Count neighbours that run against a direction (1 ascending, -1 descending)."""
    return sum(compare_moments(a, b) == direction for a, b in pairwise(moments))


def main_direction(moments: Sequence[Moment]) -> int:
    """Return the direction with fewer steps against it."""
    return 1 if count_inversions(moments, 1) <= count_inversions(moments, -1) else -1


def fill_missing_years(
    stamps: Sequence[WrittenTimestamp | None],
    moments: list[Moment | None],
    now: datetime,
    conventions: Sequence[DateConvention],
) -> list[Moment | None]:
    """Move cells without a year back by years where that brings the column into order."""
    open_cells = [i for i, stamp in enumerate(stamps) if _has_no_year(stamp) and moments[i] is not None]
    known = [moment for moment in moments if moment is not None]
    if not open_cells or len(known) < 2:
        return moments
    cost = min(_disorder(known, 1), _disorder(known, -1))
    if not cost:
        return moments
    best = moments
    for direction in (1, -1):
        moved = _place_open_cells(stamps, moments, now, conventions, direction)
        changed = [m for m in moved if m is not None]
        total = _disorder(changed, direction) + _YEAR_BACK * _year_changes(moments, moved)
        if total < cost:
            best, cost = moved, total
    return best


def _year_changes(before: Sequence[Moment | None], after: Sequence[Moment | None]) -> int:
    """Sum up how much the number of moved years changes along the column."""
    shifts = [a.date.year - b.date.year for a, b in zip(before, after, strict=True) if a and b]
    ends = (abs(shifts[0]), abs(shifts[-1])) if shifts else (0, 0)
    return sum(abs(x - y) for x, y in pairwise(shifts)) + min(ends)


def _disorder(moments: Sequence[Moment], direction: int) -> float:
    """Sum up the steps against a direction; steps near the top count less."""
    head = max(1, len(moments) // 3)
    return sum(
        _STICKY_STEP if index < head else 1.0
        for index, (a, b) in enumerate(pairwise(moments))
        if compare_moments(a, b) == direction
    )


def _has_no_year(stamp: WrittenTimestamp | None) -> bool:
    """Whether a cell shows day and month but no year."""
    if stamp is None or stamp.date is None or stamp.year is not None:
        return False
    form = stamp.date
    return form.kind == "partial" or (form.kind == "named" and form.year is None)


def _place_open_cells(
    stamps: Sequence[WrittenTimestamp | None],
    moments: Sequence[Moment | None],
    now: datetime,
    conventions: Sequence[DateConvention],
    direction: int,
) -> list[Moment | None]:
    """Walk from the newest cell on.

    A cell without year takes its latest year that is not after its neighbour.
    """
    placed = list(moments)
    indexes = range(len(moments)) if direction < 0 else range(len(moments) - 1, -1, -1)
    newer: Moment | None = None
    for index in indexes:
        moment, stamp = moments[index], stamps[index]
        if moment is None or stamp is None:
            continue
        if newer is not None and _has_no_year(stamp) and compare_moments(moment, newer) > 0:
            moment = _latest_not_after(stamp, moment, newer, now, conventions[index]) or moment
            placed[index] = moment
        newer = moment
    return placed


def _latest_not_after(
    stamp: WrittenTimestamp, moment: Moment, newer: Moment, now: datetime, convention: DateConvention
) -> Moment | None:
    """Return the moment in its latest year that is not after the newer neighbour."""
    form = stamp.date
    assert form is not None
    month, day = _month_and_day(stamp, convention)
    for year in candidate_years(month, day, form, now):
        when = clamp_day(year, month, day)
        if when is not None and compare_moments(replace(moment, date=when), newer) <= 0:
            return replace(moment, date=when)
    return None


def _month_and_day(stamp: WrittenTimestamp, convention: DateConvention) -> tuple[int, int]:
    form = stamp.date
    assert form is not None
    if form.kind == "partial":
        a, b = form.numbers
        order = convention.order or date_orders(form)[0]
        return (b, a) if order == "dmy" else (a, b)
    return choose_value(form.months, convention.languages), form.day or 1


def fix_afternoons(
    stamps: Sequence[WrittenTimestamp | None], moments: list[Moment | None]
) -> list[Moment | None]:
    """Correct afternoons of a 12-hour clock without AM and PM, where the order of the column shows them."""
    clocks = [stamp.time for stamp in stamps if stamp and stamp.time]
    hours = [clock.hour for clock in clocks]
    if (
        len(clocks) < 4
        or any(clock.day_period for clock in clocks)
        or not all(1 <= hour <= 12 for hour in hours)
    ):
        return moments
    known = [moment for moment in moments if moment is not None]
    direction = main_direction(known)
    wrong = count_inversions(known, direction)
    if not wrong:
        return moments
    moved = _move_to_afternoon(moments, direction)
    left = count_inversions([m for m in moved if m is not None], direction)
    return moved if left == 0 else moments


def _move_to_afternoon(moments: Sequence[Moment | None], direction: int) -> list[Moment | None]:
    """Walk forward in time. When the clock runs backwards within a day, noon has passed."""
    moved = list(moments)
    indexes = range(len(moments)) if direction > 0 else range(len(moments) - 1, -1, -1)
    day: date | None = None
    before: time | None = None
    for index in indexes:
        moment = moved[index]
        if moment is None or moment.time is None:
            continue
        at = moment.time.replace(hour=moment.time.hour % 12)
        if day == moment.date and before is not None and at < before:
            at = moment.time.replace(hour=at.hour + 12)
        moved[index] = replace(moment, time=at)
        day, before = moment.date, at
    return moved
