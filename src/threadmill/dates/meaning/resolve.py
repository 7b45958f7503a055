"""Decides which moment a written date means, given now and how its site writes dates."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from threadmill.dates.forms.numeric_dates import possible_orders
from threadmill.dates.forms.time_of_day import with_time
from threadmill.dates.forms.written_dates import DateForm, Named, Stamp, TimeForm
from threadmill.dates.grammar.match import full_year
from threadmill.dates.meaning.calendars import (
    BUDDHIST,
    FIRST_YEAR,
    LAST_YEAR,
    PERSIAN,
    gregorian_from_persian,
)
from threadmill.dates.meaning.distances import last_weekday, resolve_offset
from threadmill.types import Moment, Precision

# A site may be up to 14 hours ahead of us: its date can be tomorrow's, no later.
AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Convention:
    """How a site writes dates: what no single date can tell."""

    order: str = ""  # dmy, mdy, ymd, ydm; empty when not known
    languages: int = 0  # a bit for each possible language; 0 when not known
    years_ago: int = 0  # how many years before the latest possible one a date without year lies


UNKNOWN = Convention()
# The months of the Persian calendar are numbered behind the Gregorian ones: 13 is Farvardin.
MONTHS = 12


def resolve(stamp: Stamp, now: datetime, convention: Convention = UNKNOWN) -> Moment | None:
    """The moment a stamp means under a convention; None when it can mean none."""
    form = stamp.date
    if form is None:
        return _resolve_time_alone(stamp.time, now)
    if form.kind == "epoch":
        at = datetime.fromtimestamp(form.numbers[0], UTC)
        return Moment(at.date(), at.time(), "UTC", Precision.SECOND)
    if form.offset is not None:
        return resolve_offset(form.offset, stamp.time, now)
    day = resolve_day(stamp, now, convention)
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        return None
    if form.kind in {"month", "monthyear"}:
        return Moment(day, None, None, Precision.MONTH)
    return with_time(day, stamp.time)


def resolve_day(stamp: Stamp, now: datetime, convention: Convention) -> date | None:
    """The day of a stamp that names one."""
    form = stamp.date
    assert form is not None
    if form.kind == "weekday":
        return last_weekday(choose(form.weekdays, convention.languages), now)
    if form.kind == "numeric":
        return _numeric_day(form, stamp.time, convention)
    if form.kind == "partial":
        return _partial_day(form, now, convention)
    return _named_day(form, stamp.year, now, convention)


def _named_day(
    form: DateForm, later_year: DateForm | None, now: datetime, convention: Convention
) -> date | None:
    month, day = choose(form.months, convention.languages), form.day or 1
    if month > MONTHS:
        return _persian_day(form, month - MONTHS, day, now)
    year = later_year.year if later_year else _year_of(form)
    if year is None and form.year is None:
        return _latest(month, day, form, now, convention)
    if form.year is not None and form.year_width == 4 and form.year < FIRST_YEAR - 500:
        return gregorian_from_persian(form.year, month, day)
    return clamp(year, month, day) if year else None


def _persian_day(form: DateForm, month: int, day: int, now: datetime) -> date | None:
    """The day of a month of the Persian calendar; without a year, the latest one not after tomorrow."""
    if form.year is not None:
        return gregorian_from_persian(form.year, month, day)
    this_year = now.year - PERSIAN
    days = (gregorian_from_persian(year, month, day) for year in (this_year, this_year - 1))
    return next((when for when in days if when and when <= now.date() + AHEAD), None)


def _year_of(form: DateForm) -> int | None:
    """The Gregorian year of a form that says one."""
    if form.year is None:
        return None
    if form.era is not None and form.era > 0:
        return form.era + form.year
    if form.year_width == 4 and form.year > LAST_YEAR:
        return form.year - BUDDHIST
    return full_year(form.year, form.year_width)


def choose(values: tuple[Named, ...], languages: int) -> int:
    """The value of a word in the languages that are possible, else in the one with most forums."""
    fitting = [value for value in values if value.languages & languages] if languages else []
    candidates = fitting or list(values)
    return min(
        candidates, key=lambda v: (v.languages & (languages or -1)) & -(v.languages & (languages or -1))
    ).value


def clamp(year: int, month: int, day: int) -> date | None:
    """The day, or the last one of the month: who writes 31 September means its end."""
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1 <= year <= 9998):
        return None
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def orders_of(form: DateForm) -> tuple[str, ...]:
    """The orders in which a numeric date can be read."""
    if form.kind == "partial":
        a, b = form.numbers
        return tuple(o for o, m, d in (("dmy", b, a), ("mdy", a, b)) if m <= 12 and d <= 31)
    return possible_orders(form.numbers, form.widths)


def read_order(form: DateForm, order: str) -> date | None:
    """The day of a numeric date read in one order."""
    fields = dict(zip(order, zip(form.numbers, form.widths, strict=True), strict=True))
    (year, width), month, day = fields["y"], fields["m"][0], fields["d"][0]
    if width == 4 and year < FIRST_YEAR - 500:
        return gregorian_from_persian(year, month, day)
    if width == 4 and year > LAST_YEAR:
        return clamp(year - BUDDHIST, month, day)
    whole = full_year(year, width)
    return clamp(whole, month, day) if whole else None


def _numeric_day(form: DateForm, clock: TimeForm | None, convention: Convention) -> date | None:
    orders = orders_of(form)
    if not orders:
        return None
    return read_order(form, pick_order(form, orders, clock, convention))


def pick_order(
    form: DateForm, orders: tuple[str, ...], clock: TimeForm | None, convention: Convention
) -> str:
    """The order of one date: the site's, else the one its weekday and its clock speak for, else day first."""
    if convention.order in orders:
        return convention.order
    possible = [o for o in orders if is_real(form, o)] or list(orders)
    if form.weekdays:
        right = [o for o in possible if weekday_agrees(form.weekdays, read_order(form, o))]
        possible = right or possible
    if "mdy" in possible and clock is not None and clock.english and form.separator in "/-":
        return "mdy"
    return "ymd" if "ymd" in possible and clock is not None and clock.year_first else possible[0]


def is_real(form: DateForm, order: str) -> bool:
    """Whether the calendar has the day, without clamping."""
    day = read_order(form, order)
    if form.kind == "partial":
        return True
    fields = dict(zip(order, form.numbers, strict=True))
    return day is not None and (
        day.day == fields["d"] or (4 in form.widths and fields["y"] < FIRST_YEAR - 500)
    )


def weekday_agrees(weekdays: tuple[Named, ...], day: date | None) -> bool:
    """Whether a day falls on one of the weekdays a word can mean."""
    return day is not None and any(value.value == day.weekday() for value in weekdays)


def possible_days(form: DateForm) -> list[date]:
    """The days a form can mean in any order and any language; none when it says no year."""
    if form.kind == "numeric":
        return [day for order in orders_of(form) if (day := read_order(form, order))]
    year = _year_of(form)
    if year is None or form.day is None or form.kind not in {"named", "compact"}:
        return []
    return [day for month in form.months if (day := clamp(year, month.value, form.day))]


def _partial_day(form: DateForm, now: datetime, convention: Convention) -> date | None:
    orders = orders_of(form)
    if not orders:
        return None
    order = convention.order if convention.order in orders else orders[0]
    if convention.order == "ymd" and "mdy" in orders:
        order = "mdy"
    a, b = form.numbers
    day, month = (a, b) if order == "dmy" else (b, a)
    return _latest(month, day, form, now, convention)


def candidate_years(month: int, day: int, form: DateForm, now: datetime) -> list[int]:
    """Years a date without one can lie in, the latest first; its weekday rules most of them out."""
    limit = now.date() + AHEAD
    found = []
    for year in range(limit.year, max(FIRST_YEAR, limit.year - 28) - 1, -1):
        when = clamp(year, month, day)
        if when is None or when > limit or (day == 29 and month == 2 and when.day != 29):
            continue
        if form.weekdays and not weekday_agrees(form.weekdays, when):
            continue
        found.append(year)
    return found


def _latest(month: int, day: int, form: DateForm, now: datetime, convention: Convention) -> date | None:
    years = candidate_years(month, day, form, now) or [now.year]
    return clamp(years[min(convention.years_ago, len(years) - 1)], month, day)


def _resolve_time_alone(clock: TimeForm | None, now: datetime) -> Moment | None:
    """A time without a date is today's: that is how boards shorten the date of today."""
    return with_time(now.date(), clock) if clock else None
