"""Dates and times as they are written in a text, and the calendars they can belong to."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import NamedTuple


class NamedValue(NamedTuple):
    """One value of a word, with the languages in which the word has it."""

    value: int
    languages: int


class RelativeOffset(NamedTuple):
    """A distance from now: «3 weeks ago», «yesterday», «last Sunday»."""

    steps: tuple[tuple[str, float], ...] = ()  # (unit, signed number), largest unit first
    weekday: int | None = None  # 0 is Monday; `week` says of which week
    week: int | None = None  # -1 the latest such day before today, 0 this week's, +1 next week's


class WrittenDate(NamedTuple):
    """A date as it is written."""

    start: int  # offsets in the folded text
    end: int
    first: int  # index of its first token
    last: int  # index after its last token
    kind: str  # named, numeric, partial, month, monthyear, year, relative, weekday, compact, epoch
    numbers: tuple[int, ...] = ()  # of a numeric date, in the order written
    widths: tuple[int, ...] = ()  # how many digits each number has
    separator: str = ""
    day: int | None = None
    months: tuple[NamedValue, ...] = ()
    year: int | None = None
    year_width: int = 0
    weekdays: tuple[NamedValue, ...] = ()
    offset: RelativeOffset | None = None
    era: int | None = None
    languages: int = 0  # the languages in which all its words make sense; 0 when it has no words

    @property
    def exact(self) -> bool:
        """Whether it names a day itself, not by a distance from now."""
        return self.kind not in {"relative", "weekday"}


class WrittenTime(NamedTuple):
    """A time of day as it is written."""

    start: int
    end: int
    first: int
    last: int
    hour: int
    minute: int | None = None
    second: int | None = None
    day_period: str = ""  # am, pm, night, noon, midnight
    english_period: bool = False  # whether the day period is the AM or PM of English
    cjk_period: bool = False  # Chinese, Japanese or Korean day period; these languages write the year first
    zone: str | None = None
    needs_date: bool = False  # it is a time only beside a date: 15.03, 3h
    spoken: bool = False  # a word without a number: noon, midnight


class WrittenTimestamp(NamedTuple):
    """A date with the time that belongs to it, or one of them alone."""

    date: WrittenDate | None
    time: WrittenTime | None
    year: WrittenDate | None = None  # a year that stands after the time, as the C library writes it

    @property
    def start(self) -> int:
        """Offset of its first part in the folded text."""
        return min(part.start for part in (self.date, self.time) if part)


# The years a forum can show. Years of the Buddhist and the Persian calendar cover the same span.
FIRST_YEAR, LAST_YEAR = 1970, 2050
BUDDHIST, PERSIAN = 543, 621  # Buddhist year = Gregorian year + 543, Persian year = Gregorian year - 621
# A four-digit year below this one belongs to the Persian calendar: 1398 is 2019.
FIRST_GREGORIAN_YEAR = 1470
# Two-digit years: 00 to 50 are 2000 to 2050, 70 to 99 are 1970 to 1999. On a forum, 51 to 69 are neither
# 1951 to 1969 nor 2051 to 2069.
LAST_SHORT_YEAR_OF_2000 = 50
FIRST_SHORT_YEAR_OF_1900 = 70
# 1 Farvardin 1343 was 21 March 1964. The 33-year rule of leap years is right from 1244 to 1472, which covers
# all years that a forum can show.
_ANCHOR_YEAR, _ANCHOR = 1343, date(1964, 3, 21)
_LEAP_YEARS_MODULO_33 = frozenset({1, 5, 9, 13, 17, 22, 26, 30})


def expand_year(value: int, width: int) -> int | None:
    """Return the full year of a written one; None when no forum can show that year."""
    if width == 2:
        if value <= LAST_SHORT_YEAR_OF_2000:
            return 2000 + value
        return 1900 + value if value >= FIRST_SHORT_YEAR_OF_1900 else None
    return value if FIRST_YEAR <= value <= LAST_YEAR else None


def clamp_day(year: int, month: int, day: int) -> date | None:
    """Return the day, or the last day of the month: 31 September means its end.

    None for impossible numbers.
    """
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1 <= year <= 9998):
        return None
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def machine_day(year: int, month: int, day: int) -> date | None:
    """Return a day that is written year first; None when the calendar has no such day.

    Machines write so: 2020-02-31 is a mistake. A person who writes 31 February means the month's end.
    """
    found = clamp_day(year, month, day)
    return found if found and found.day == day else None


def _is_persian_leap_year(year: int) -> bool:
    return year % 33 in _LEAP_YEARS_MODULO_33


def gregorian_from_persian(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian day of a Persian date; None when that calendar has no such day."""
    length = 31 if month <= 6 else 30 if month <= 11 or _is_persian_leap_year(year) else 29
    if not (_ANCHOR_YEAR <= year <= 1450 and 1 <= month <= 12 and 1 <= day <= length):
        return None
    days = sum(366 if _is_persian_leap_year(y) else 365 for y in range(_ANCHOR_YEAR, year))
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return _ANCHOR + timedelta(days=days)
