"""Dates and times as they are written in a text, the calendars they belong to, and the moments they mean."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from threadmill.types import Moment, Precision


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


# The Chinese word for noon: 中午11:30 is before noon, 中午1:30 is after it.
_NOON_BEGINS = 10


def combine_day_and_time(day: date, clock: WrittenTime | None) -> Moment:
    """Combine a day with its time; the result is as precise as the time."""
    if clock is None:
        return Moment(day)
    if clock.second is not None:
        precision = Precision.SECOND
    else:
        precision = Precision.HOUR if clock.minute is None else Precision.MINUTE
    return Moment(day, to_24_hours(clock), clock.zone, precision)


def to_24_hours(clock: WrittenTime) -> time:
    """Return the time of day on a 24-hour clock."""
    hour = clock.hour
    if (clock.day_period == "pm" and hour < 12) or (clock.day_period == "noon" and hour < _NOON_BEGINS):
        hour += 12
    elif clock.day_period in {"am", "midnight"} and hour == 12:
        hour = 0
    elif clock.day_period == "night":
        hour = 0 if hour == 12 else hour + 12 if 6 <= hour < 12 else hour
    return time(hour % 24, clock.minute or 0, clock.second or 0)


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


# A site may be up to 14 hours ahead of us. Its date can be tomorrow's, but no later.
MAX_AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DateConvention:
    """How a site writes dates. A single date cannot tell this."""

    order: str = ""  # dmy, mdy, ymd, ydm; empty when unknown
    languages: int = 0  # a bit for each possible language; 0 when unknown


NO_CONVENTION = DateConvention()
# Persian months are numbered after the Gregorian ones: 13 is Farvardin.
GREGORIAN_MONTHS = 12


def resolve(
    stamp: WrittenTimestamp, now: datetime, convention: DateConvention = NO_CONVENTION
) -> Moment | None:
    """Return the moment a timestamp means under a convention; None when it can mean none."""
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
    return combine_day_and_time(day, stamp.time)


def resolve_day(stamp: WrittenTimestamp, now: datetime, convention: DateConvention) -> date | None:
    """Return the day of a timestamp that names one."""
    form = stamp.date
    assert form is not None
    if form.kind == "weekday":
        return latest_weekday(choose_value(form.weekdays, convention.languages), now)
    if form.kind == "numeric":
        return _numeric_day(form, stamp.time, convention)
    if form.kind == "partial":
        return _partial_day(form, now, convention)
    return _named_day(form, stamp.year, now, convention)


def _named_day(
    form: WrittenDate, later_year: WrittenDate | None, now: datetime, convention: DateConvention
) -> date | None:
    month, day = choose_value(form.months, convention.languages), form.day or 1
    if month > GREGORIAN_MONTHS:
        return _persian_day(form, month - GREGORIAN_MONTHS, day, now)
    year = later_year.year if later_year else _year_of(form)
    if year is None and form.year is None:
        return _latest_day(month, day, form, now)
    if form.year is not None and form.year_width == 4 and form.year < FIRST_GREGORIAN_YEAR:
        return gregorian_from_persian(form.year, month, day)
    if year is None:
        return None
    return machine_day(year, month, day) if form.kind == "compact" else clamp_day(year, month, day)


def _persian_day(form: WrittenDate, month: int, day: int, now: datetime) -> date | None:
    """Return the day of a Persian month. Without a year it is the latest such day up to tomorrow."""
    if form.year is not None:
        return gregorian_from_persian(form.year, month, day)
    this_year = now.year - PERSIAN
    days = (gregorian_from_persian(year, month, day) for year in (this_year, this_year - 1))
    return next((when for when in days if when and when <= now.date() + MAX_AHEAD), None)


def _year_of(form: WrittenDate) -> int | None:
    """Return the Gregorian year of a date that has one."""
    if form.year is None:
        return None
    if form.era is not None and form.era > 0:
        return form.era + form.year
    if form.year_width == 4 and form.year > LAST_YEAR:
        return form.year - BUDDHIST
    return expand_year(form.year, form.year_width)


def choose_value(values: tuple[NamedValue, ...], languages: int) -> int:
    """Choose the value of a word in the possible languages, else in the language with the most forums."""
    fitting = [value for value in values if value.languages & languages] if languages else []
    candidates = fitting or list(values)
    return min(
        candidates, key=lambda v: (v.languages & (languages or -1)) & -(v.languages & (languages or -1))
    ).value


def date_orders(form: WrittenDate) -> tuple[str, ...]:
    """Return the orders in which a numeric date can be read."""
    if form.kind == "partial":
        a, b = form.numbers
        return tuple(o for o, m, d in (("dmy", b, a), ("mdy", a, b)) if m <= 12 and d <= 31)
    return possible_orders(form.numbers, form.widths)


def read_in_order(form: WrittenDate, order: str) -> date | None:
    """Return the day of a numeric date that is read in one order."""
    fields = dict(zip(order, zip(form.numbers, form.widths, strict=True), strict=True))
    (year, width), month, day = fields["y"], fields["m"][0], fields["d"][0]
    if width == 4 and year < FIRST_GREGORIAN_YEAR:
        return gregorian_from_persian(year, month, day)
    whole = year - BUDDHIST if width == 4 and year > LAST_YEAR else expand_year(year, width)
    if whole is None:
        return None
    return machine_day(whole, month, day) if form.widths[0] == 4 else clamp_day(whole, month, day)


def _numeric_day(form: WrittenDate, clock: WrittenTime | None, convention: DateConvention) -> date | None:
    orders = date_orders(form)
    if not orders:
        return None
    return read_in_order(form, pick_order(form, orders, clock, convention))


def pick_order(
    form: WrittenDate, orders: tuple[str, ...], clock: WrittenTime | None, convention: DateConvention
) -> str:
    """Pick the order of one date: the site's, else what its weekday or its time suggests, else day first."""
    if convention.order in orders:
        return convention.order
    possible = [o for o in orders if is_real_day(form, o)] or list(orders)
    if form.weekdays:
        right = [o for o in possible if weekday_agrees(form.weekdays, read_in_order(form, o))]
        possible = right or possible
    if "mdy" in possible and clock is not None and clock.english_period and form.separator in "/-":
        return "mdy"
    return "ymd" if "ymd" in possible and clock is not None and clock.cjk_period else possible[0]


def is_real_day(form: WrittenDate, order: str) -> bool:
    """Whether the calendar has the day as it is written, without clamping."""
    day = read_in_order(form, order)
    fields = dict(zip(order, form.numbers, strict=True))
    return day is not None and (
        day.day == fields["d"] or (4 in form.widths and fields["y"] < FIRST_GREGORIAN_YEAR)
    )


def weekday_agrees(weekdays: tuple[NamedValue, ...], day: date | None) -> bool:
    """Whether a day falls on one of the weekdays that a word can mean."""
    return day is not None and any(value.value == day.weekday() for value in weekdays)


def possible_days(form: WrittenDate) -> list[date]:
    """Return the days a date can mean in any order and any language; none when it has no year."""
    if form.kind == "numeric":
        return [day for order in date_orders(form) if (day := read_in_order(form, order))]
    year = _year_of(form)
    if year is None or form.day is None or form.kind not in {"named", "compact"}:
        return []
    return [day for month in form.months if (day := clamp_day(year, month.value, form.day))]


def _partial_day(form: WrittenDate, now: datetime, convention: DateConvention) -> date | None:
    orders = date_orders(form)
    if not orders:
        return None
    order = convention.order if convention.order in orders else orders[0]
    if convention.order == "ymd" and "mdy" in orders:
        order = "mdy"
    a, b = form.numbers
    day, month = (a, b) if order == "dmy" else (b, a)
    return _latest_day(month, day, form, now)


def candidate_years(month: int, day: int, form: WrittenDate, now: datetime) -> list[int]:
    """Return the years a date without year can lie in, the latest first.

    Its weekday rules out most of them.
    """
    limit = now.date() + MAX_AHEAD
    found = []
    for year in range(limit.year, max(FIRST_YEAR, limit.year - 28) - 1, -1):
        when = clamp_day(year, month, day)
        if when is None or when > limit or (day == 29 and month == 2 and when.day != 29):
            continue
        if form.weekdays and not weekday_agrees(form.weekdays, when):
            continue
        found.append(year)
    return found


def _latest_day(month: int, day: int, form: WrittenDate, now: datetime) -> date | None:
    """Return the latest such day up to tomorrow that agrees with the weekday."""
    years = candidate_years(month, day, form, now) or [now.year]
    return clamp_day(years[0], month, day)


def _resolve_time_alone(clock: WrittenTime | None, now: datetime) -> Moment | None:
    """Return today at that time: boards leave out the date of today."""
    return combine_day_and_time(now.date(), clock) if clock else None


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


def latest_weekday(weekday: int, now: datetime) -> date:
    """Return the latest such day before today. For today, forum software says Today."""
    back = (now.weekday() - weekday) % 7 or 7
    return now.date() - timedelta(days=back)


def resolve_offset(offset: RelativeOffset, clock: WrittenTime | None, now: datetime) -> Moment | None:
    """Return the moment of a distance from now, as precise as its smallest unit."""
    if not offset.steps and offset.week is None:
        return None
    if offset.week is not None and offset.weekday is not None:
        return combine_day_and_time(_weekday_in_week(offset.weekday, offset.week, now), clock)
    try:
        then = _add_steps(now, offset.steps)
    except (OverflowError, ValueError):
        return None
    if not FIRST_YEAR <= then.year <= LAST_YEAR:
        return None
    smallest = min((unit for unit, _ in offset.steps), key=list(_UNIT_PRECISION).index)
    precision = _UNIT_PRECISION[smallest]
    if precision in {Precision.YEAR, Precision.MONTH, Precision.DAY}:
        if clock is not None:
            return combine_day_and_time(then.date(), clock)
        return Moment(then.date(), None, None, precision)
    zone = zone_name(then)
    return Moment(then.date(), _truncate_time(then.time(), precision), zone, precision)


def _truncate_time(at: time, precision: Precision) -> time:
    return at.replace(microsecond=0, tzinfo=None, second=at.second if precision is Precision.SECOND else 0)


def zone_name(at: datetime) -> str | None:
    """Return the time zone of an aware moment, in the form that Moment uses."""
    shift = at.utcoffset()
    if shift is None:
        return None
    minutes = int(shift.total_seconds()) // 60
    if minutes == 0:
        return "UTC"
    return f"{'+' if minutes > 0 else '-'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _weekday_in_week(weekday: int, week: int, now: datetime) -> date:
    monday = now.date() - timedelta(days=now.weekday())
    if week < 0:
        return latest_weekday(weekday, now)
    return monday + timedelta(days=weekday + 7 * week)


def _add_steps(now: datetime, steps: Iterable[tuple[str, float]]) -> datetime:
    for unit, amount in steps:
        if unit in _SECONDS:
            now += timedelta(seconds=_SECONDS[unit] * amount)
        else:
            months = now.year * 12 + now.month - 1 + round(amount * _MONTHS[unit])
            year, month = divmod(months, 12)
            day = min(now.day, calendar.monthrange(year, month + 1)[1]) if 1 <= year <= 9999 else 0
            now = now.replace(year=year, month=month + 1, day=day)
    return now
