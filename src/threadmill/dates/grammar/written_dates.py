"""Dates and times as they are written in a text, before anyone decides which moment they mean."""

from __future__ import annotations

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
