"""Which moment a distance from now means: 3 weeks ago, last Sunday."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from threadmill.dates.forms.time_of_day import with_time
from threadmill.dates.forms.written_dates import Offset, TimeForm
from threadmill.dates.meaning.calendars import FIRST_YEAR, LAST_YEAR
from threadmill.types import Moment, Precision

_UNIT_PRECISION = {
    "second": Precision.SECOND,
    "minute": Precision.MINUTE,
    "hour": Precision.HOUR,
    "day": Precision.DAY,
    "week": Precision.DAY,
    "fortnight": Precision.DAY,
    "month": Precision.MONTH,
    "year": Precision.YEAR,
    "decade": Precision.YEAR,
}
_MONTHS = {"month": 1, "year": 12, "decade": 120}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400, "fortnight": 14 * 86400}


def last_weekday(weekday: int, now: datetime) -> date:
    """The latest such day before today: software says Today for today."""
    back = (now.weekday() - weekday) % 7 or 7
    return now.date() - timedelta(days=back)


def resolve_offset(offset: Offset, clock: TimeForm | None, now: datetime) -> Moment | None:
    """The moment a distance from now means, as precise as its smallest unit."""
    if not offset.steps and offset.week is None:
        return None
    if offset.week is not None and offset.weekday is not None:
        return with_time(_weekday_of(offset.weekday, offset.week, now), clock)
    try:
        then = _step(now, offset.steps)
    except (OverflowError, ValueError):
        return None
    if not FIRST_YEAR <= then.year <= LAST_YEAR:
        return None
    smallest = min((unit for unit, _ in offset.steps), key=list(_UNIT_PRECISION).index)
    precision = _UNIT_PRECISION[smallest]
    if precision in {Precision.YEAR, Precision.MONTH, Precision.DAY}:
        if clock is not None:
            return with_time(then.date(), clock)
        return Moment(then.date(), None, None, precision)
    zone = zone_of(then)
    return Moment(then.date(), _cut_time(then.time(), precision), zone, precision)


def _cut_time(at: time, precision: Precision) -> time:
    return at.replace(microsecond=0, tzinfo=None, second=at.second if precision is Precision.SECOND else 0)


def zone_of(at: datetime) -> str | None:
    """The zone of an aware moment, as Moment writes it."""
    shift = at.utcoffset()
    if shift is None:
        return None
    minutes = int(shift.total_seconds()) // 60
    if minutes == 0:
        return "UTC"
    return f"{'+' if minutes > 0 else '-'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _weekday_of(weekday: int, week: int, now: datetime) -> date:
    monday = now.date() - timedelta(days=now.weekday())
    if week < 0:
        return last_weekday(weekday, now)
    return monday + timedelta(days=weekday + 7 * week)


def _step(now: datetime, steps: Iterable[tuple[str, float]]) -> datetime:
    for unit, amount in steps:
        if unit in _SECONDS:
            now += timedelta(seconds=_SECONDS[unit] * amount)
        else:
            months = now.year * 12 + now.month - 1 + round(amount * _MONTHS[unit])
            year, month = divmod(months, 12)
            day = min(now.day, calendar.monthrange(year, month + 1)[1]) if 1 <= year <= 9999 else 0
            now = now.replace(year=year, month=month + 1, day=day)
    return now
