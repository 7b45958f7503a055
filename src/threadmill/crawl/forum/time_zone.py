"""The time zone a site says its times are in: "GMT+8", "All times are UTC+05:30"."""

from __future__ import annotations

import re
from datetime import timedelta, timezone

from threadmill.forum.records.page_outline import PageOutline

_STATED = re.compile(
    r"\b(?:GMT|UTC)\s?(?P<sign>[+\-\u2212])\s?(?P<hours>1[0-4]|0?\d)(?::?(?P<minutes>[0-5]\d))?\b"
)
_LONGEST = 120  # characters of a line about times; more is somebody's prose
# Offsets at which clocks are not put forward in summer (tz database, populated places since 2017): with any
# other one a stated offset is the season's, and the times of the other half of the year lie an hour off.
_STEADY = (timedelta(hours=4), timedelta(hours=9))


def stated_zone(outline: PageOutline) -> str | None:
    """The offset a page states, as "+08:00"; None when it states none, or several."""
    found = {
        _offset(match)
        for segment in outline.segments
        if len(segment) <= _LONGEST and (match := _STATED.search(segment))
    }
    return found.pop() if len(found) == 1 else None


def is_steady(zone: str) -> bool:
    """Is this offset the same all the year round?"""
    return _STEADY[0] <= delta_of(zone) <= _STEADY[1]


def delta_of(zone: str) -> timedelta:
    """The offset as a span of time."""
    hours, minutes = zone[1:].split(":")
    span = timedelta(hours=int(hours), minutes=int(minutes))
    return -span if zone[0] == "-" else span


def as_timezone(zone: str) -> timezone:
    """The offset as Python knows it."""
    return timezone(delta_of(zone))


def _offset(match: re.Match[str]) -> str:
    sign = "+" if match["sign"] == "+" else "-"
    return f"{sign}{int(match['hours']):02d}:{match['minutes'] or '00'}"
