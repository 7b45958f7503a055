"""What a run of digits can be in a date: its class letter, by length and value."""

from __future__ import annotations

from threadmill.dates.meaning.calendars import BUDDHIST, FIRST_YEAR, LAST_YEAR, PERSIAN


def classify_number(digits: str) -> str:
    """The class letter of a run of digits: what its length and value allow it to be."""
    length = len(digits)
    if length == 1:
        return "1" if digits != "0" else "0"
    if length == 2:
        return _TWO_DIGITS[int(digits)]
    value = int(digits) if length <= 14 else -1
    if length == 4:
        return _classify_year(value)
    if length == 8 and FIRST_YEAR <= value // 10000 <= LAST_YEAR:
        month, day = value // 100 % 100, value % 100
        return "E" if 1 <= month <= 12 and 1 <= day <= 31 else "L"
    if length in {12, 14} and FIRST_YEAR <= value // 10 ** (length - 4) <= LAST_YEAR:
        return "F" if classify_number(digits[:8]) == "E" else "L"
    if length in {10, 13} and digits[0] in "123456789":
        return "P"
    return "8" if length == 3 else "L"


_TWO_DIGITS = ["7"] + ["2"] * 12 + ["3"] * 12 + ["4"] * 7 + ["5"] * 28 + ["6"] * 40


def _classify_year(value: int) -> str:
    if FIRST_YEAR <= value <= LAST_YEAR:
        return "Y"
    if (
        FIRST_YEAR + BUDDHIST <= value <= LAST_YEAR + BUDDHIST
        or FIRST_YEAR - PERSIAN <= value <= LAST_YEAR - PERSIAN
    ):
        return "B"
    return "9"
