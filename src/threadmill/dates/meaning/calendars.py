"""Which years a date can lie in, and how dates of other calendars become Gregorian ones."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

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
