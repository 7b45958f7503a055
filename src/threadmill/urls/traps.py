"""Recognises URLs that lead into endless space: endless calendars, growing paths and queries."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache

# Sitemaps allow 2,048 characters. Longer links come from loops.
_LONGEST = 2048
_DEEPEST = 20  # path segments; Heritrix's TooManyPathSegmentsDecideRule has the same figure
_MOST_PARAMETERS = 25  # forms of shops and boards have up to about 15
_MOST_OF_ONE_NAME = 3  # ?page=2&page=3&page=4: each visit adds one
_REPEATS = 3  # a/b/a/b/a/b: Heritrix's PathologicalPathDecideRule allows 2 repetitions
# Escaped three times: a return URL inside a return URL inside a return URL.
_NESTED_ESCAPE = "%252525"

_EARLIEST_YEAR = 1990  # the year of the first web page: no earlier event was announced on one
_YEARS_AHEAD = 2  # conferences and festivals are announced up to two years ahead

# Only as a whole segment, script or parameter: a thread about the best day ever is no calendar.
_CALENDAR_WORD = re.compile(
    r"[/?&;_=](?:(?:ajax-)?calend[aá]r(?:io?|s)?|kalend[ea]r|calendrier|cal|ical|events?|agenda|events?-calendar|"
    r"tribe-bar-date|veranstaltungen|evenements?|eventi|eventos|month|monat|mois|day|week|ym)(?=[/?&=.]|\Z)",
    re.IGNORECASE,
)
_YEAR_NAME = r"(?:year|yr|y|cal_?year|jahr|annee|ano|anno|rok|god)"
_YEAR_PARAMETER = re.compile(rf"[?&;]{_YEAR_NAME}=([0-9]{{4}})(?![0-9])", re.IGNORECASE)
# 2031-05 and 2031/5/17 count anywhere, 203105 and 20310517 only as a value: elsewhere such numbers are ids.
_YEAR_MONTH = re.compile(
    r"(?<![0-9])([0-9]{4})[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12][0-9]|3[01]))?(?![0-9])"
)
_COMPACT = re.compile(r"=([0-9]{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])?(?![0-9])")
# Most URLs have no number with the length of a date, and need no further check.
_DATE_LIKE = re.compile(r"(?<![0-9])[0-9]{4}(?:[0-9]{2}|[0-9]{4})?(?![0-9])").search


def is_trap(url: str, *, year: int | None = None) -> str:
    """Return why a canonical URL leads into endless space, or an empty string; `year` is the present year."""
    if len(url) > _LONGEST:
        return "too long"
    _, _, rest = url.partition("://")
    path, _, query = rest.partition("?")
    reason = _path_trap(path) if path.count("/") >= _REPEATS else ""
    if not reason and query:
        reason = _query_trap(query)
    if not reason and _DATE_LIKE(rest):
        reason = _calendar_trap(rest, _this_year() if year is None else year)
    return reason


def _path_trap(path: str) -> str:
    segments = [segment for segment in path.split("/")[1:] if segment]
    if len(segments) > _DEEPEST:
        return "too deep"
    if len(set(segments)) > len(segments) - _REPEATS + 1:
        return ""
    for size in range(1, len(segments) // _REPEATS + 1):
        if _repeats(segments, size):
            return "repeating path"
    return ""


def _repeats(segments: list[str], size: int) -> bool:
    """Whether a block of so many segments stands three times in a row; bare numbers are dates and ids."""
    run = 0
    for here, there in zip(segments, segments[size:], strict=False):
        run = run + 1 if here == there and not here.isdigit() else 0
        if run == size * (_REPEATS - 1):
            return True
    return False


def _query_trap(query: str) -> str:
    if _NESTED_ESCAPE in query:
        return "nested query"
    if query.count("&") <= _MOST_OF_ONE_NAME - 1:
        return ""
    pairs = query.split("&")
    if len(pairs) > _MOST_PARAMETERS:
        return "too many parameters"
    counts = Counter(pair.partition("=")[0] for pair in pairs)
    name, count = counts.most_common(1)[0]
    is_list = name.endswith(("[]", "%5B%5D"))
    return "growing query" if count > _MOST_OF_ONE_NAME and not is_list else ""


def _calendar_trap(rest: str, this_year: int) -> str:
    """Return why a date in the URL is a trap.

    A distant month is one where a calendar is named. A distant year alone is one only if it lies in the
    future.
    """
    latest = this_year + _YEARS_AHEAD
    stated = [int(found[1]) for found in _YEAR_PARAMETER.finditer(rest)]
    if any(year > latest for year in stated):
        return "calendar far ahead"
    stated += [int(found[1]) for dates in (_YEAR_MONTH, _COMPACT) for found in dates.finditer(rest)]
    if all(_EARLIEST_YEAR <= year <= latest for year in stated) or not _CALENDAR_WORD.search(rest):
        return ""
    return "calendar far ahead" if max(stated) > latest else "calendar far back"


@lru_cache(maxsize=1)
def _this_year() -> int:
    """Return the present year, asked once.

    A process that runs over New Year is stricter by a year; that is harmless.
    """
    return datetime.now(UTC).year
