"""Dates as a forum shows them: in its time zone, with its patterns and its words for recent times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from threadmill.lab.simulate.content.language import LanguageStock

DAY = 86400


@dataclass(frozen=True, slots=True)
class ForumZone:
    """A UTC offset in minutes, with or without European summer time."""

    minutes: int = 0
    summer: bool = False

    def local(self, moment: int) -> datetime:
        """Return the local time at a Unix time."""
        return datetime.fromtimestamp(moment, UTC).replace(tzinfo=None) + timedelta(
            minutes=self.offset(moment)
        )

    def offset(self, moment: int) -> int:
        """Return the UTC offset in minutes at a Unix time."""
        return self.minutes + (60 if self.summer and _is_summer(moment) else 0)


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a forum writes dates. Empty patterns are not used.

    Posts younger than `relative_days` show "3 hours ago" instead of a date (0: never). `exact` is the pattern
    of the title attribute, which gives the exact time.
    """

    absolute: str
    today: str = ""
    yesterday: str = ""
    relative_days: float = 0
    exact: str = ""
    week: str = ""  # for the days before yesterday, up to six days ago


@dataclass(frozen=True, slots=True)
class ShownDate:
    """A date as shown: text, title attribute, ISO form, and how precisely a reader can know it."""

    text: str
    title: str
    iso: str
    precision: str

    @staticmethod
    def in_utc(moment: int) -> str:
        """Return a Unix time as ISO 8601 in UTC."""
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# Longest first. "3 weeks ago" is shown for seven days, so its reader knows only the week.
_UNITS = (
    ("year", 365 * DAY),
    ("month", 30 * DAY),
    ("week", 7 * DAY),
    ("day", DAY),
    ("hour", 3600),
    ("minute", 60),
)


def show_date(moment: int, now: int, style: DateStyle, zone: ForumZone, language: LanguageStock) -> ShownDate:
    """Return a time as a style shows it at the simulated present."""
    local, present = zone.local(moment), zone.local(now)
    title = format_date(style.exact, local, language) if style.exact else ""
    iso = _iso(local, zone.offset(moment))
    text, precision = _shown(moment, now, local, present, style, language)
    if style.exact:
        precision = "second" if "{SS}" in style.exact else "minute"
    return ShownDate(text, title, iso, precision)


def format_date(pattern: str, local: datetime, language: LanguageStock) -> str:
    """Write a date by a pattern: {Y} {yy} {m} {mm} {d} {dd} {H} {HH} {h} {hh} {MM} {SS} {ap} {AP}, names.

    Names with a capital ({Month}, {Mon}, {Wd}) begin with one; the short ones then lose their full stop.
    """
    half = language.halves[local.hour >= 12]
    hour = local.hour % 12 or 12
    return pattern.format(
        Y=local.year, yy=f"{local.year % 100:02d}", m=local.month, mm=f"{local.month:02d}",
        d=local.day, dd=f"{local.day:02d}", H=local.hour, HH=f"{local.hour:02d}", h=hour, hh=f"{hour:02d}",
        MM=f"{local.minute:02d}", SS=f"{local.second:02d}", ap=half, AP=half.upper(),
        month=language.months[local.month - 1], Month=language.months[local.month - 1].capitalize(),
        mon=language.short_months[local.month - 1], weekday=language.weekdays[local.weekday()],
        Mon=language.short_months[local.month - 1].capitalize().rstrip("."),
        wd=language.short_weekdays[local.weekday()],
        Wd=language.short_weekdays[local.weekday()].capitalize().rstrip("."),
        today=language.today, yesterday=language.yesterday, before=language.day_before_yesterday,
    )  # fmt: skip


def _shown(  # noqa: PLR0917 -- the parts of one decision
    moment: int, now: int, local: datetime, present: datetime, style: DateStyle, language: LanguageStock
) -> tuple[str, str]:
    age = now - moment
    if age < style.relative_days * DAY:
        unit, size = next(((u, s) for u, s in _UNITS if age >= s), _UNITS[-1])
        return language.say_ago(unit, max(1, age // size)), unit
    days = (present.date() - local.date()).days
    pattern = style.today if days == 0 else style.yesterday if days == 1 else style.week if days < 7 else ""
    pattern = pattern or style.absolute
    return format_date(pattern, local, language), _precision(pattern)


def _precision(pattern: str) -> str:
    if "{SS}" in pattern:
        return "second"
    if "{MM}" in pattern:
        return "minute"
    return "day" if "{d" in pattern or "{today}" in pattern or "{yesterday}" in pattern else "month"


def _iso(local: datetime, offset: int) -> str:
    sign = "-" if offset < 0 else "+"
    return f"{local.isoformat(timespec='seconds')}{sign}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"


def _is_summer(moment: int) -> bool:
    year = datetime.fromtimestamp(moment, UTC).year
    return _last_sunday(year, 3) <= moment < _last_sunday(year, 10)


def _last_sunday(year: int, month: int) -> int:
    last = datetime(year, month, 31, 1, tzinfo=UTC)
    return int((last - timedelta(days=(last.weekday() + 1) % 7)).timestamp())
