"""What a written time of day is on a clock of 24 hours."""

from __future__ import annotations

from datetime import date, time, timedelta

from threadmill.dates.forms.written_dates import TimeForm
from threadmill.types import Moment, Precision

# 中午11:30 is before noon, 中午1:30 after it.
_NOON_BEGINS = 10


def with_time(day: date, clock: TimeForm | None) -> Moment:
    """A day with its time, as precise as both are."""
    if clock is None:
        return Moment(day)
    at, shift = clock_time(clock)
    precision = (
        Precision.SECOND
        if clock.second is not None
        else Precision.MINUTE
        if clock.minute is not None
        else Precision.HOUR
    )
    return Moment(day + timedelta(days=shift), at, clock.zone, precision)


def clock_time(clock: TimeForm) -> tuple[time, int]:
    """The time of day in 24 hours, and the days to add for it."""
    hour = clock.hour
    if (clock.half == "pm" and hour < 12) or (clock.half == "noon" and hour < _NOON_BEGINS):
        hour += 12
    elif clock.half in {"am", "midnight"} and hour == 12:
        hour = 0
    elif clock.half == "night":
        hour = 0 if hour == 12 else hour + 12 if 6 <= hour < 12 else hour
    return time(hour % 24, clock.minute or 0, clock.second or 0), 0
