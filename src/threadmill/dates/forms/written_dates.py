"""What the grammar finds: dates and times as they are written, before anyone decides what they mean."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """One value a word stands for, with the languages in which it does."""

    value: int
    languages: int


class Offset(NamedTuple):
    """A step from now: «3 weeks ago», «yesterday», «last Sunday»."""

    steps: tuple[tuple[str, float], ...] = ()  # (unit, signed number), largest unit first
    weekday: int | None = None  # with its sign in week
    week: int | None = None  # -1 the one before today, 0 this week's, +1 the one after


class DateForm(NamedTuple):
    """A date as it is written."""

    start: int  # offsets in the folded text
    end: int
    first: int  # token indexes
    last: int
    kind: str  # named, numeric, month, relative, weekday, compact, epoch
    numbers: tuple[int, ...] = ()  # of a numeric date, in the order written
    widths: tuple[int, ...] = ()  # how many digits each had
    separator: str = ""
    day: int | None = None
    months: tuple[Named, ...] = ()
    year: int | None = None
    year_width: int = 0
    weekdays: tuple[Named, ...] = ()
    offset: Offset | None = None
    era: int | None = None
    languages: int = 0  # those in which all its words make sense; 0 when it has none
    attribute: bool = False

    @property
    def exact(self) -> bool:
        """Whether it names a day by itself, not by its distance from now."""
        return self.kind not in {"relative", "weekday"}


class TimeForm(NamedTuple):
    """A time of day as it is written."""

    start: int
    end: int
    first: int
    last: int
    hour: int
    minute: int | None = None
    second: int | None = None
    half: str = ""  # am, pm, night, noon, midnight
    english: bool = False  # whether the half is the plain AM or PM of English
    year_first: bool = False  # whether the half is a word of languages that write the year first
    zone: str | None = None
    dotted: bool = False
    spoken: bool = False  # noon, midnight: no number says it
    attribute: bool = False


class Stamp(NamedTuple):
    """A date with the time that belongs to it, or either alone."""

    date: DateForm | None
    time: TimeForm | None
    year: DateForm | None = None  # a year written after the time, as the C library does

    @property
    def start(self) -> int:
        """Where its first part begins in the folded text."""
        return min(part.start for part in (self.date, self.time) if part)
