"""Reads dates that are numbers only: 05/12/2019, 20190512, seconds since 1970."""

from __future__ import annotations

from threadmill.dates.forms.written_dates import DateForm, Named
from threadmill.dates.grammar.match import (
    EVERYWHERE,
    Match,
    end_of_tail,
    era_of,
    full_year,
    keeps_dot,
    named_values,
    span_of,
    weekdays_of,
)


def read_numeric(match: Match) -> DateForm | None:
    """A date of three numbers."""
    numbers = tuple(match.number(group) or 0 for group in "abc")
    widths = tuple(match.width(group) for group in "abc")
    separator = match.letter("sep")
    if not possible_orders(numbers, widths):
        return None
    dot = match.token("dot")
    cut = _end_without_tail(match) if match.token("tail") >= 0 else None
    if dot >= 0 and not keeps_dot(match, separator):
        cut = dot
    return DateForm(
        *span_of(match, cut),
        "numeric",
        numbers=numbers,
        widths=widths,
        separator=separator,
        weekdays=weekdays_of(match) if cut is None else named_values(match.senses("weekday", "weekday")),
        era=era_of(match),
    )


def _end_without_tail(match: Match) -> int | None:
    """Where the date ends when its last word is none: «25. 9. 2012 a od té doby», but «25.09.2012 r.»."""
    index = match.token("tail")
    single = match.width("tail") == 1 and match.tokens.text[match.tokens.starts[index]].isascii()
    word = single and match.token("taildot") < 0 and match.tokens.letters[index - 1] == " "
    return end_of_tail(match, 0 if word else EVERYWHERE)


def possible_orders(numbers: tuple[int, ...], widths: tuple[int, ...]) -> tuple[str, ...]:
    """The orders of day, month and year that three numbers allow, the likeliest first."""
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
        if year_width == 2 and 1 <= m <= 12 and 1 <= d <= 31 and full_year(y, 2) is not None:
            found.append(order)
    return tuple(found)


def read_compact(match: Match) -> DateForm | None:
    """A date of digits in a row: 20200422."""
    value = match.number("compact") or 0
    value //= 10 ** (match.width("compact") - 8)
    return DateForm(
        *span_of(match),
        "compact",
        day=value % 100,
        months=(Named(value // 100 % 100, EVERYWHERE),),
        year=value // 10000,
        year_width=4,
    )


def read_epoch(match: Match) -> DateForm | None:
    """Seconds or milliseconds since 1970."""
    value = match.number("epoch") or 0
    if match.width("epoch") == 13:
        value //= 1000
    if not 0 < value < 2_556_144_000:  # the year 2051
        return None
    return DateForm(*span_of(match), "epoch", numbers=(value,))


def read_partial(match: Match) -> DateForm | None:
    """A day and a month as numbers."""
    a, b = match.number("a") or 0, match.number("b") or 0
    if not (1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12):
        return None
    return DateForm(
        *span_of(match),
        "partial",
        numbers=(a, b),
        widths=(match.width("a"), match.width("b")),
        separator=match.letter("sep"),
        weekdays=weekdays_of(match),
    )


def read_month_year(match: Match) -> DateForm | None:
    """A month as a number, and a year."""
    if match.token("a") >= 0:
        month, year = match.number("a"), match.number("b")
    else:
        month, year = match.number("mnum"), match.number("year")
    if month is None or not 1 <= month <= 12:
        return None
    return DateForm(*span_of(match), "monthyear", months=(Named(month, EVERYWHERE),), year=year, year_width=4)
