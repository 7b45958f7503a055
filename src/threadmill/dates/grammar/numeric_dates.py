"""Reads dates that consist of numbers only: 05/12/2019, 20190512, seconds since 1970."""

from __future__ import annotations

from threadmill.dates.grammar.pattern_match import (
    ALL_LANGUAGES,
    PatternMatch,
    dot_belongs_to_date,
    end_before_foreign_suffix,
    era_of,
    named_values,
    span_of,
    weekdays_of,
)
from threadmill.dates.grammar.written_dates import NamedValue, WrittenDate
from threadmill.dates.meaning.calendars import expand_year


def read_numeric(match: PatternMatch) -> WrittenDate | None:
    """Read a date of three numbers."""
    numbers = tuple(match.number(group) or 0 for group in "abc")
    widths = tuple(match.width(group) for group in "abc")
    separator = match.letter("sep")
    if not possible_orders(numbers, widths):
        return None
    dot = match.token("dot")
    cut = _end_without_suffix(match) if match.token("tail") >= 0 else None
    if dot >= 0 and not dot_belongs_to_date(match, separator):
        cut = dot
    return WrittenDate(
        *span_of(match, cut),
        "numeric",
        numbers=numbers,
        widths=widths,
        separator=separator,
        weekdays=weekdays_of(match) if cut is None else named_values(match.senses("weekday", "weekday")),
        era=era_of(match),
    )


def _end_without_suffix(match: PatternMatch) -> int | None:
    """Return where the date ends when the word after it is not part of it.

    In «25. 9. 2012 a od té doby» it is not, in «25.09.2012 r.» it is.
    """
    index = match.token("tail")
    single = match.width("tail") == 1 and match.tokens.text[match.tokens.starts[index]].isascii()
    word = single and match.token("taildot") < 0 and match.tokens.letters[index - 1] == " "
    return end_before_foreign_suffix(match, 0 if word else ALL_LANGUAGES)


def possible_orders(numbers: tuple[int, ...], widths: tuple[int, ...]) -> tuple[str, ...]:
    """Return the orders of day, month and year that three numbers allow, the most likely one first."""
    a, b, c = numbers
    if widths[0] == 4:
        return tuple(o for o, m, d in (("ymd", b, c), ("ydm", c, b)) if m <= 12 and d <= 31 and m and d)
    if widths[2] == 4:
        return tuple(o for o, m, d in (("dmy", b, a), ("mdy", a, b)) if m <= 12 and d <= 31 and m and d)
    if widths[1] == 4:
        return ()
    found = []
    for order, (y, m, d) in (("dmy", (c, b, a)), ("mdy", (c, a, b)), ("ymd", (a, b, c))):
        year_width = widths[order.index("y")]
        if year_width == 2 and 1 <= m <= 12 and 1 <= d <= 31 and expand_year(y, 2) is not None:
            found.append(order)
    return tuple(found)


def read_compact(match: PatternMatch) -> WrittenDate | None:
    """Read a date of digits without separators: 20200422."""
    value = match.number("compact") or 0
    value //= 10 ** (match.width("compact") - 8)
    return WrittenDate(
        *span_of(match),
        "compact",
        day=value % 100,
        months=(NamedValue(value // 100 % 100, ALL_LANGUAGES),),
        year=value // 10000,
        year_width=4,
    )


def read_epoch(match: PatternMatch) -> WrittenDate | None:
    """Read seconds or milliseconds since 1970."""
    value = match.number("epoch") or 0
    if match.width("epoch") == 13:
        value //= 1000
    if not 0 < value < 2_556_144_000:  # the year 2051
        return None
    return WrittenDate(*span_of(match), "epoch", numbers=(value,))


def read_partial(match: PatternMatch) -> WrittenDate | None:
    """Read a day and a month as numbers."""
    a, b = match.number("a") or 0, match.number("b") or 0
    if not (1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12):
        return None
    return WrittenDate(
        *span_of(match),
        "partial",
        numbers=(a, b),
        widths=(match.width("a"), match.width("b")),
        separator=match.letter("sep"),
        weekdays=weekdays_of(match),
    )


def read_month_year(match: PatternMatch) -> WrittenDate | None:
    """Read a month as a number, and a year."""
    if match.token("a") >= 0:
        month, year = match.number("a"), match.number("b")
    else:
        month, year = match.number("mnum"), match.number("year")
    if month is None or not 1 <= month <= 12:
        return None
    return WrittenDate(
        *span_of(match), "monthyear", months=(NamedValue(month, ALL_LANGUAGES),), year=year, year_width=4
    )
