"""What the order of a column tells: its direction, years left out, clocks without AM and PM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import pairwise

from threadmill.dates.forms.written_dates import Stamp
from threadmill.dates.meaning.resolve import Convention, candidate_years, choose, clamp, orders_of
from threadmill.types import Moment

# What it costs to place cells a year back: less than a step against the direction in the middle of a column,
# more than one near its head, where stickies stand.
_YEAR_BACK, _STICKY = 0.4, 0.3


def compare(a: Moment, b: Moment) -> int:
    """-1 when a is earlier than b, 1 when later, 0 when that is not known."""
    if a.date != b.date:
        return -1 if a.date < b.date else 1
    if a.time is None or b.time is None or a.time == b.time:
        return 0
    return -1 if a.time < b.time else 1


def inversions(moments: Sequence[Moment], direction: int) -> int:
    """Neighbours that go against a direction (1 ascending, -1 descending)."""
    return sum(compare(a, b) == direction for a, b in pairwise(moments))


def best_direction(moments: Sequence[Moment]) -> int:
    """The direction most neighbours agree with."""
    return 1 if inversions(moments, 1) <= inversions(moments, -1) else -1


def settle_years(
    stamps: Sequence[Stamp | None],
    moments: list[Moment | None],
    now: datetime,
    conventions: Sequence[Convention],
) -> list[Moment | None]:
    """Moments of cells without a year, moved back where that brings the column into order."""
    open_cells = [i for i, stamp in enumerate(stamps) if _lacks_year(stamp) and moments[i] is not None]
    known = [moment for moment in moments if moment is not None]
    if not open_cells or len(known) < 2:
        return moments
    cost = min(_disorder(known, 1), _disorder(known, -1))
    if not cost:
        return moments
    best = moments
    for direction in (1, -1):
        moved = _place(stamps, moments, now, conventions, direction)
        changed = [m for m in moved if m is not None]
        total = _disorder(changed, direction) + _YEAR_BACK * _year_changes(moments, moved)
        if total < cost:
            best, cost = moved, total
    return best


def _year_changes(before: Sequence[Moment | None], after: Sequence[Moment | None]) -> int:
    """By how much the number of years moved changes along the column, all in all."""
    shifts = [a.date.year - b.date.year for a, b in zip(before, after, strict=True) if a and b]
    ends = (abs(shifts[0]), abs(shifts[-1])) if shifts else (0, 0)
    return sum(abs(x - y) for x, y in pairwise(shifts)) + min(ends)


def _disorder(moments: Sequence[Moment], direction: int) -> float:
    """Steps against a direction, those near the head counted less."""
    head = max(1, len(moments) // 3)
    return sum(
        _STICKY if index < head else 1.0
        for index, (a, b) in enumerate(pairwise(moments))
        if compare(a, b) == direction
    )


def _lacks_year(stamp: Stamp | None) -> bool:
    if stamp is None or stamp.date is None or stamp.year is not None:
        return False
    form = stamp.date
    return form.kind == "partial" or (form.kind == "named" and form.year is None)


def _place(
    stamps: Sequence[Stamp | None],
    moments: Sequence[Moment | None],
    now: datetime,
    conventions: Sequence[Convention],
    direction: int,
) -> list[Moment | None]:
    """Walk from the newest end; each open cell takes its latest year that is not after the one before it."""
    placed = list(moments)
    indexes = range(len(moments)) if direction < 0 else range(len(moments) - 1, -1, -1)
    newer: Moment | None = None
    for index in indexes:
        moment, stamp = moments[index], stamps[index]
        if moment is None or stamp is None:
            continue
        if newer is not None and _lacks_year(stamp) and compare(moment, newer) > 0:
            moment = _latest_before(stamp, moment, newer, now, conventions[index]) or moment
            placed[index] = moment
        newer = moment
    return placed


def _latest_before(
    stamp: Stamp, moment: Moment, newer: Moment, now: datetime, convention: Convention
) -> Moment | None:
    form = stamp.date
    assert form is not None
    month, day = _month_and_day(stamp, convention)
    for year in candidate_years(month, day, form, now):
        when = clamp(year, month, day)
        if when is not None and compare(replace(moment, date=when), newer) <= 0:
            return replace(moment, date=when)
    return None


def _month_and_day(stamp: Stamp, convention: Convention) -> tuple[int, int]:
    form = stamp.date
    assert form is not None
    if form.kind == "partial":
        a, b = form.numbers
        order = convention.order or orders_of(form)[0]
        return (b, a) if order == "dmy" else (a, b)
    return choose(form.months, convention.languages), form.day or 1


def settle_clock(stamps: Sequence[Stamp | None], moments: list[Moment | None]) -> list[Moment | None]:
    """Afternoons of a 12-hour clock printed without AM and PM, where the column's order shows them."""
    clocks = [stamp.time for stamp in stamps if stamp and stamp.time]
    hours = [clock.hour for clock in clocks]
    if len(clocks) < 4 or any(clock.half for clock in clocks) or not all(1 <= hour <= 12 for hour in hours):
        return moments
    known = [moment for moment in moments if moment is not None]
    direction = best_direction(known)
    wrong = inversions(known, direction)
    if not wrong:
        return moments
    moved = _move_to_afternoon(moments, direction)
    left = inversions([m for m in moved if m is not None], direction)
    return moved if left == 0 else moments


def _move_to_afternoon(moments: Sequence[Moment | None], direction: int) -> list[Moment | None]:
    """Walk forward in time; a clock that runs back within a day has passed noon."""
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
