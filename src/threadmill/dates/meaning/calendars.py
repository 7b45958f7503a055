"""Years a date can lie in, and dates of other calendars as Gregorian ones."""

from __future__ import annotations

from datetime import date, timedelta

# Years a forum can show; the Buddhist and the Persian ones are the same span.
FIRST_YEAR, LAST_YEAR = 1970, 2050
BUDDHIST, PERSIAN = 543, 621
# 1 Farvardin 1343 was 21 March 1964. The 33-year rule of leap years holds from 1244 to 1472, so for all ours.
_ANCHOR_YEAR, _ANCHOR = 1343, date(1964, 3, 21)
_LEAP_REMAINDERS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})


def _is_leap(year: int) -> bool:
    return year % 33 in _LEAP_REMAINDERS


def gregorian_from_persian(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a Persian date; None when that calendar has no such day."""
    length = 31 if month <= 6 else 30 if month <= 11 or _is_leap(year) else 29
    if not (_ANCHOR_YEAR <= year <= 1450 and 1 <= month <= 12 and 1 <= day <= length):
        return None
    days = sum(366 if _is_leap(y) else 365 for y in range(_ANCHOR_YEAR, year))
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return _ANCHOR + timedelta(days=days)
