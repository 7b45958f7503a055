"""Finds every date and time in a text: tokenises, matches patterns, judges and pairs the results."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from threadmill.dates.false_dates import judge_date, judge_time
from threadmill.dates.lexicon import UNKNOWN_WORD, load_lexicon
from threadmill.dates.number_dates import (
    read_compact,
    read_epoch,
    read_month_year,
    read_numeric,
    read_partial,
    read_time,
)
from threadmill.dates.patterns import PatternMatch, PatternSet, grammar_for
from threadmill.dates.surroundings import Surroundings
from threadmill.dates.tokens import TokenisedText, tokenise
from threadmill.dates.word_dates import (
    read_count,
    read_counted,
    read_last_weekday,
    read_marked,
    read_month,
    read_named,
    read_phrase,
    read_weekday,
)
from threadmill.dates.written_dates import (
    NO_CONVENTION,
    DateConvention,
    WrittenDate,
    WrittenTime,
    WrittenTimestamp,
    possible_days,
    resolve,
)
from threadmill.types import Moment

DATE, TIME = "DATE", "TIME"
# An exact value in an attribute replaces relative words at most this many tokens away (spec: about 20).
NEAR_TOKENS = 20
# An attribute with more other words than this is a sentence («What I did on 4 May»), not a date value.
MAX_OTHER_WORDS = 3


@dataclass(frozen=True, slots=True)
class DateSpan:
    """One date or time in a text, by its character offsets."""

    start: int
    end: int
    label: str  # DATE or TIME


def find_dates(text: str, language: str | None = None) -> list[DateSpan]:
    """Return all dates and times of a text in their order, without relative words beside an exact value."""
    found = scan(text, language)
    spans: list[DateSpan] = []
    for stamp in drop_relative_beside_exact(found):
        for part, label in ((stamp.date, DATE), (stamp.time, TIME), (stamp.year, DATE)):
            if part:
                spans.append(DateSpan(*found.tokens.original_span(part.start, part.end), label))
    return sorted(spans, key=lambda span: span.start)


def drop_relative_beside_exact(found: ScanResult) -> list[WrittenTimestamp]:
    """Return the timestamps without the relative ones that have an exact attribute value near them."""
    tokens = found.tokens
    if not tokens.attributes:
        return found.stamps
    exact = [
        s.date
        for s in found.stamps
        if s.date and s.date.exact and is_attribute_value(s.date, tokens) and not _is_impossible(s.date)
    ]
    if not exact:
        return found.stamps
    starts, ends = [date.first for date in exact], [date.last for date in exact]
    return [s for s in found.stamps if not (s.date and not s.date.exact and _is_near(s.date, starts, ends))]


def is_attribute_value(date: WrittenDate, tokens: TokenisedText) -> bool:
    """Whether a date is the value of an attribute, not a date that a title mentions."""
    attribute = tokens.attribute_at(date.start)
    if attribute is None:
        return False
    if attribute.names_time:
        return True
    first = bisect_left(tokens.starts, attribute.start)
    last = bisect_left(tokens.starts, attribute.end)
    others = tokens.letters.count(UNKNOWN_WORD, first, date.first) + tokens.letters.count(
        UNKNOWN_WORD, date.last, last
    )
    return others <= MAX_OTHER_WORDS


def _is_impossible(date: WrittenDate) -> bool:
    """Whether no calendar has the day: 2020-02-31."""
    return date.kind in {"numeric", "compact"} and not possible_days(date)


def is_malformed(stamp: WrittenTimestamp, tokens: TokenisedText) -> bool:
    """Whether a machine wrote a wrong date into an attribute: 2020-02-31, 2005-07-18T25:61, 2005-07-18T 1:54.

    A padded hour comes from a 12-hour clock whose AM or PM is missing.
    """
    date, time = stamp.date, stamp.time
    if date is None or date.kind not in {"numeric", "compact"}:
        return False
    if time is not None and tokens.text[date.end : time.start] == "t ":
        return True
    attribute = tokens.attribute_at(date.start)
    if attribute is not None and attribute.names_time:
        read = {*range(date.first, date.last), *(range(time.first, time.last) if time else ())}
        first = bisect_left(tokens.starts, attribute.start)
        last = bisect_left(tokens.starts, attribute.end)
        glued = time is not None and time.first == time.last  # the time of a compact date
        if not glued and any(tokens.numbers[i] >= 0 for i in range(first, last) if i not in read):
            return True
    return _is_impossible(date)


def attribute_misleads(value: str, text: str) -> bool:
    """Whether an attribute is malformed while the text of its element shows a date with a year."""
    quoted = value.replace('"', " ")
    found = scan(f'<time datetime="{quoted}"></time>')
    sound = any(s.date and s.date.exact and not is_malformed(s, found.tokens) for s in found.stamps)
    return not sound and any(s.date and _has_whole_year(s.date) for s in scan(text).stamps)


def _is_near(date: WrittenDate, starts: list[int], ends: list[int]) -> bool:
    """Whether an exact date ends shortly before the relative one or begins shortly after it."""
    before = bisect_right(ends, date.first) - 1
    after = bisect_left(starts, date.last)
    near_before = before >= 0 and date.first - ends[before] <= NEAR_TOKENS
    return near_before or (after < len(starts) and starts[after] - date.last <= NEAR_TOKENS)


# A text of fewer tokens may consist of the name of a day only.
SHORT_TEXT = 8


def parse_date(
    text: str, now: datetime, language: str | None = None, order: str | None = None
) -> Moment | None:
    """Return the moment that a text or HTML fragment shows; None when it shows none.

    Of several dates, an exact attribute value comes first, then an exact date in the text, then a malformed
    attribute value, then a relative date.
    """
    found = scan(text, language)
    if not found.stamps and (found.tokens.has_number or len(found.tokens.letters) < SHORT_TEXT):
        found = scan(text, language, lenient=True)
    convention = NO_CONVENTION
    if order or language:
        convention = DateConvention(order or "", load_lexicon(language).bit(language) if language else 0)
    for stamp in rank_by_trust(found):
        moment = resolve(stamp, now, convention)
        if moment is not None:
            return moment
    return None


def rank_by_trust(found: ScanResult) -> list[WrittenTimestamp]:
    """Return the timestamps of a text, the most trustworthy first."""
    if len(found.stamps) < 2:
        return found.stamps

    def trust(stamp: WrittenTimestamp) -> tuple[int, int]:
        if stamp.date is None:
            return 5, stamp.start
        exact = stamp.date.exact
        if found.tokens.attribute_at(stamp.date.start) is None:
            return (1 if exact else 3), stamp.start
        if not is_attribute_value(stamp.date, found.tokens):
            return 4, stamp.start
        if not exact:
            return 3, stamp.start
        if is_malformed(stamp, found.tokens):
            return 2, stamp.start
        return (0 if stamp.time or stamp.date.kind == "epoch" else 1), stamp.start

    return sorted(drop_relative_beside_exact(found), key=trust)


# The most tokens between a date and its time: «05 Sep 2005 | by a user | 10:48» is not one timestamp.
_LONGEST_GAP = 9
_COMPACT_TIME = re.compile(r"t(\d{6}|\d{4})(z?)(?!\w)")


def pair_dates_with_times(
    around: Surroundings, dates: list[WrittenDate], times: list[WrittenTime]
) -> list[WrittenTimestamp]:
    """Give each date the next free time after it, else the one directly before it; other times stay alone."""
    if not times:
        return [WrittenTimestamp(date, _read_compact_time(around, date)) for date in dates]
    if not dates:
        return [WrittenTimestamp(None, time) for time in times if _is_time_without_date(around, time)]
    dates = _drop_dates_that_are_times(around, dates, times)
    taken = {index for date in dates for index in range(date.first, date.last)}
    free = [time for time in times if taken.isdisjoint(range(time.first, time.last))]
    stamps: list[WrittenTimestamp] = []
    used: set[int] = set()
    for date in dates:
        time = _next_free_time(around, date, free, used) or _previous_free_time(around, date, free, used)
        if time:
            used.add(time.first)
            time = _with_zone_between(around, date, time)
        time = time or _read_compact_time(around, date)
        stamps.append(WrittenTimestamp(date, time, _read_year_after_time(around, date, time)))
    stamps += [
        WrittenTimestamp(None, time)
        for time in free
        if time.first not in used and _is_time_without_date(around, time)
    ]
    return sorted(stamps, key=lambda stamp: stamp.start) if len(stamps) > 1 else stamps


def _drop_dates_that_are_times(
    around: Surroundings, dates: list[WrittenDate], times: list[WrittenTime]
) -> list[WrittenDate]:
    """Drop dates that are the time of the date before: «25. mar. 2019 14.05.09»."""
    clocks = {time.first for time in times if time.needs_date and time.second is not None}
    kept: list[WrittenDate] = []
    for date in dates:
        if not (date.first in clocks and kept and _is_time_of_previous_date(around, kept[-1], date)):
            kept.append(date)
    return kept


def _is_time_of_previous_date(around: Surroundings, before: WrittenDate, date: WrittenDate) -> bool:
    """Whether a date with dots is the time of the date before. After a dash or a bar it is a second date."""
    if not _has_whole_year(before) or _has_whole_year(date):
        return False
    apart = set(around.letters[before.last : date.first]) & set("<|-(")
    return not apart and around.only_connectors_between(before.last, date.first)


def _has_whole_year(date: WrittenDate) -> bool:
    return date.year_width == 4 or 4 in date.widths


def _next_free_time(
    around: Surroundings, date: WrittenDate, times: list[WrittenTime], used: set[int]
) -> WrittenTime | None:
    """Return the next free time after a date, if only signs and small words lie between them."""
    for index in range(bisect_left(times, date.last, key=_first), len(times)):
        time = times[index]
        if time.first not in used:
            near = time.first - date.last <= _LONGEST_GAP
            near = near and not (time.spoken and _is_other_meaning(around, date, time))
            return time if near and around.only_connectors_between(date.last, time.first) else None
        if time.first - date.last > _LONGEST_GAP:
            return None
    return None


def _previous_free_time(
    around: Surroundings, date: WrittenDate, times: list[WrittenTime], used: set[int]
) -> WrittenTime | None:
    """Return the last free time before a date, if only signs and small words lie between them."""
    index = bisect_left(times, date.first, key=_first) - 1
    while index >= 0 and date.first - times[index].last <= _LONGEST_GAP:
        time = times[index]
        if time.last <= date.first and time.first not in used and not time.needs_date:
            return time if around.only_connectors_between(time.last, date.first) else None
        index -= 1
    return None


def _with_zone_between(around: Surroundings, date: WrittenDate, time: WrittenTime) -> WrittenTime:
    """Return the time with the zone that stands between it and the date: «16 Nov 2026 UTC 10:00»."""
    if time.zone is not None:
        return time
    for index in range(date.last, time.first):
        for sense in around.tokens.senses[index]:
            if sense.role == "zone":
                return time._replace(zone=str(sense.value))
    return time


def _is_other_meaning(around: Surroundings, date: WrittenDate, time: WrittenTime) -> bool:
    """Whether a word such as «Midnight» is no time: after markup it is a name, and a month has no hour."""
    return date.kind in {"month", "monthyear"} or "<" in around.letters[date.last : time.first]


def _first(time: WrittenTime) -> int:
    return time.first


def _read_year_after_time(
    around: Surroundings, date: WrittenDate, time: WrittenTime | None
) -> WrittenDate | None:
    """Read the year of «Sat Nov 1 10:15:00 CET 2013», which the C library puts last."""
    if time is None or date.kind != "named" or date.year is not None or time.first < date.last:
        return None
    index = time.last
    while around.letters[index : index + 1] in {" ", ","}:
        index += 1
    if around.letters[index : index + 1] != "Y" or around.is_attached_word(index + 1):
        return None
    tokens = around.tokens
    return WrittenDate(
        tokens.starts[index],
        tokens.ends[index],
        index,
        index + 1,
        "year",
        year=tokens.numbers[index],
        year_width=4,
    )


def _read_compact_time(around: Surroundings, date: WrittenDate) -> WrittenTime | None:
    """Read the time of 20200422T150300Z and 20200422150300."""
    if date.kind != "compact":
        return None
    text, start, end, zone = around.tokens.text, date.start + 8, date.end, None
    found = _COMPACT_TIME.match(text, date.end)
    if found:
        start, end = found.start(1), found.end()
        zone = "UTC" if found.group(2) else None
    elif date.end - date.start not in {12, 14}:
        return None
    digits = text[start : min(start + 6, end)].rstrip("z ")
    if int(digits[:2]) > 23 or int(digits[2:4]) > 59:
        return None
    second = min(int(digits[4:]), 59) if len(digits) == 6 else None
    return WrittenTime(start, end, date.last, date.last, int(digits[:2]), int(digits[2:4]), second, zone=zone)


def _is_time_without_date(around: Surroundings, time: WrittenTime) -> bool:
    """Whether a time counts without a date: 10:15 and the whole text «at noon» do, 15.03 and 2:1 do not."""
    if time.spoken:
        return around.has_role(0, "at") and time.first == 2 and time.last == len(around.letters)
    if time.needs_date or (time.minute is None and not time.day_period):
        return False
    return ":1" not in around.letters[time.first : time.last]


Form = TypeVar("Form", WrittenDate, WrittenTime)

_READERS = {
    "named": read_named,
    "marked": read_marked,
    "numeric": read_numeric,
    "spaced": read_numeric,
    "compact": read_compact,
    "epoch": read_epoch,
    "month": read_month,
    "partial": read_partial,
    "monthyear": read_month_year,
    "phrase": read_phrase,
    "counted": read_counted,
    "lastweekday": read_last_weekday,
    "now": read_phrase,
    "ago": read_count,
    "hence": read_count,
    "age": read_count,
    "weekday": read_weekday,
}


class ScanResult(NamedTuple):
    """All timestamps of a text in their order, and the tokens they were found in."""

    stamps: list[WrittenTimestamp]
    tokens: TokenisedText


def scan(text: str, language: str | None = None, lenient: bool = False) -> ScanResult:
    """Find all dates and times of a text.

    `lenient` asks for less proof that something is a date. It is meant for the cells of a date column.
    """
    lexicon = load_lexicon(language)
    grammar = grammar_for(lexicon)
    tokens = tokenise(text, lexicon)
    around = Surroundings(text, tokens, grammar)

    def as_time(match: PatternMatch) -> WrittenTime | None:
        form = read_time(match)
        return judge_time(around, match, form) if form else None

    def as_date(match: PatternMatch) -> WrittenDate | None:
        form = read_date(match)
        return judge_date(around, match, form, lenient) if form else None

    has_time = grammar.time_sign.search(tokens.letters) is not None
    times = _collect_forms(tokens, grammar.times, as_time, frozenset()) if has_time else []
    taken = frozenset(
        index for time in times if not time.needs_date for index in range(time.first, time.last)
    )
    dates = _collect_forms(tokens, grammar.dates, as_date, taken)
    return ScanResult(pair_dates_with_times(around, dates, times), tokens)


def read_date(match: PatternMatch) -> WrittenDate | None:
    """Read the date of a match; None when the pattern matched something that is no date."""
    reader = _READERS[match.name]
    return reader(match)


def _collect_forms(
    tokens: TokenisedText,
    patterns: PatternSet,
    read: Callable[[PatternMatch], Form | None],
    taken: frozenset[int],
) -> list[Form]:
    """Walk over the tokens. At each one, take the first pattern that can be read, and go on behind it."""
    found: list[Form] = []
    combined = patterns.patterns_for(tokens.letters)
    position = 0
    while searched := combined.search(tokens, position):
        match, number = searched
        start = match.found.start()
        form = _read_free(match, read, taken)
        if form is None:
            for other in combined.match_later_patterns(tokens, start, number):
                form = _read_free(other, read, taken)
                if form:
                    break
        if form:
            found.append(form)
        position = max(form.last, start + 1) if form else start + 1
    return found


def _read_free(
    match: PatternMatch, read: Callable[[PatternMatch], Form | None], taken: frozenset[int]
) -> Form | None:
    """Read a match, unless one of its tokens is already part of a time."""
    if taken and not taken.isdisjoint(range(match.found.start(), match.found.end())):
        return None
    return read(match)
