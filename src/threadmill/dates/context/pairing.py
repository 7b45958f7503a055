"""Brings dates and times of a text together: which time belongs to which date."""

from __future__ import annotations

import re
from bisect import bisect_left

from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.forms.written_dates import DateForm, Stamp, TimeForm

# The farthest a time stands from its date, in tokens: «05 Sep 2005 | by a user | 10:48» is not one stamp.
_LONGEST_GAP = 9
_COMPACT_TIME = re.compile(r"t(\d{6}|\d{4})(z?)(?!\w)")


def pair(around: Surroundings, dates: list[DateForm], times: list[TimeForm]) -> list[Stamp]:
    """Each date takes the next free time after it, else the one just before it; other times stay alone."""
    if not times:
        return [Stamp(date, _compact_time(around, date)) for date in dates]
    if not dates:
        return [Stamp(None, time) for time in times if _stands_alone(around, time)]
    dates = _without_clocks(around, dates, times)
    taken = {index for date in dates for index in range(date.first, date.last)}
    free = [time for time in times if taken.isdisjoint(range(time.first, time.last))]
    stamps: list[Stamp] = []
    used: set[int] = set()
    for date in dates:
        time = _following(around, date, free, used) or _preceding(around, date, free, used)
        if time:
            used.add(time.first)
            time = _with_zone_between(around, date, time)
        time = time or _compact_time(around, date)
        stamps.append(Stamp(date, time, _year_after(around, date, time)))
    stamps += [Stamp(None, time) for time in free if time.first not in used and _stands_alone(around, time)]
    return sorted(stamps, key=lambda stamp: stamp.start) if len(stamps) > 1 else stamps


def _without_clocks(around: Surroundings, dates: list[DateForm], times: list[TimeForm]) -> list[DateForm]:
    """The dates but those that are the time of the one before: «25. mar. 2019 14.05.09»."""
    clocks = {time.first for time in times if time.dotted and time.second is not None}
    kept: list[DateForm] = []
    for date in dates:
        if not (date.first in clocks and kept and _is_time_of(around, kept[-1], date)):
            kept.append(date)
    return kept


def _is_time_of(around: Surroundings, before: DateForm, date: DateForm) -> bool:
    """Whether a date with dots is the time of the one before; behind a dash or bar it is a second date."""
    if not _has_whole_year(before) or _has_whole_year(date):
        return False
    apart = set(around.letters[before.last : date.first]) & set("<|-(")
    return not apart and around.connects(before.last, date.first)


def _has_whole_year(date: DateForm) -> bool:
    return date.year_width == 4 or 4 in date.widths


def _following(
    around: Surroundings, date: DateForm, times: list[TimeForm], used: set[int]
) -> TimeForm | None:
    for index in range(bisect_left(times, date.last, key=_first), len(times)):
        time = times[index]
        if time.first not in used:
            near = time.first - date.last <= _LONGEST_GAP
            near = near and not (time.spoken and _is_far(around, date, time))
            return time if near and around.connects(date.last, time.first) else None
        if time.first - date.last > _LONGEST_GAP:
            return None
    return None


def _preceding(
    around: Surroundings, date: DateForm, times: list[TimeForm], used: set[int]
) -> TimeForm | None:
    index = bisect_left(times, date.first, key=_first) - 1
    while index >= 0 and date.first - times[index].last <= _LONGEST_GAP:
        time = times[index]
        if time.last <= date.first and time.first not in used and not time.dotted:
            return time if around.connects(time.last, date.first) else None
        index -= 1
    return None


def _with_zone_between(around: Surroundings, date: DateForm, time: TimeForm) -> TimeForm:
    """The time with the zone named between it and the date: «16 Nov 2026 UTC 10:00»."""
    if time.zone is not None:
        return time
    for index in range(date.last, time.first):
        for sense in around.tokens.senses[index]:
            if sense.role == "zone":
                return time._replace(zone=str(sense.value))
    return time


def _is_far(around: Surroundings, date: DateForm, time: TimeForm) -> bool:
    """Whether a word for an hour is something else: behind markup a name, behind a month no hour."""
    return date.kind in {"month", "monthyear"} or "<" in around.letters[date.last : time.first]


def _first(time: TimeForm) -> int:
    return time.first


def _year_after(around: Surroundings, date: DateForm, time: TimeForm | None) -> DateForm | None:
    """The year of «Sat Nov 1 10:15:00 CET 2013», which the C library puts last."""
    if time is None or date.kind != "named" or date.year is not None or time.first < date.last:
        return None
    index = time.last
    while around.letters[index : index + 1] in {" ", ","}:
        index += 1
    if around.letters[index : index + 1] != "Y" or around.glued_word(index + 1):
        return None
    tokens = around.tokens
    return DateForm(
        tokens.starts[index],
        tokens.ends[index],
        index,
        index + 1,
        "year",
        year=tokens.numbers[index],
        year_width=4,
    )


def _compact_time(around: Surroundings, date: DateForm) -> TimeForm | None:
    """The time of 20200422T150300Z and 20200422150300."""
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
    return TimeForm(start, end, date.last, date.last, int(digits[:2]), int(digits[2:4]), second, zone=zone)


def _stands_alone(around: Surroundings, time: TimeForm) -> bool:
    """Whether a time without a date is one: 10:15, and «at noon» as a whole text; not 15.03 and 2:1."""
    if time.spoken:
        return around.has_role(0, "at") and time.first == 2 and time.last == len(around.letters)
    if time.dotted or (time.minute is None and not time.half):
        return False
    return ":1" not in around.letters[time.first : time.last]
