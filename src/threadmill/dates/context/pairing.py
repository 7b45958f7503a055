"""Pairs the dates and times of a text: decides which time belongs to which date."""

from __future__ import annotations

import re
from bisect import bisect_left

from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.grammar.written_dates import WrittenDate, WrittenTime, WrittenTimestamp

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
