"""The small things of a page that repeat once per record: dates with their exact values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadmill.forum import dates_seam
from threadmill.forum.outline import Outline

_ATTRIBUTE_NAMES = ("datetime", "title", "data-time", "data-timestamp", "data-date", "content")
_ATTRIBUTE_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|^1[0-9]{9}(?:\d{3})?$")
_MAX_CELL = 110  # characters; a byline with a date is shorter, a sentence about one is longer


@dataclass(frozen=True, slots=True)
class DateCell:
    """An element that says a date, with the exact attribute value where there is one."""

    element: int
    text: str
    exact: str | None = None


def find_dates(outline: Outline) -> list[DateCell]:
    """The elements that say a date, in document order, each date once."""
    found: dict[int, DateCell] = {}
    for index, tag in enumerate(outline.tags):
        exact = _exact_date(outline, index, tag)
        if exact is not None and outline.text_length(index) <= _MAX_CELL:
            found[index] = DateCell(index, outline.text(index), exact)
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if len(segment) > _MAX_CELL or owner in found or not dates_seam.looks_dated(segment):
            continue
        if any(holder in found for holder in _near(outline, owner)):
            continue
        found[owner] = DateCell(owner, _widen(outline, owner, segment))
    return [found[index] for index in sorted(found)]


def date_at(outline: Outline, index: int) -> DateCell | None:
    """The date an element says, if it says one."""
    exact = _exact_date(outline, index, outline.tags[index])
    if exact is not None:
        return DateCell(index, outline.text(index, _MAX_CELL), exact)
    for inner in range(index + 1, min(outline.end[index], index + 12)):
        exact = _exact_date(outline, inner, outline.tags[inner])
        if exact is not None:
            return DateCell(index, outline.text(inner, _MAX_CELL), exact)
    for number in range(outline.text_from[index], outline.text_to[index]):
        segment = outline.segments[number]
        if len(segment) <= _MAX_CELL and dates_seam.looks_dated(segment):
            return DateCell(index, _widen(outline, outline.segment_owner[number], segment))
    return None


def _exact_date(outline: Outline, index: int, tag: str) -> str | None:
    if tag not in {
        "time",
        "abbr",
        "span",
        "a",
        "em",
        "small",
        "div",
        "relative-time",
        "p",
        "i",
        "b",
        "td",
        "li",
        "meta",
    }:
        return None
    attrs = outline.elements[index].attrs
    if not attrs:
        return None
    for name in _ATTRIBUTE_NAMES:
        value = attrs.get(name)
        if (
            isinstance(value, str)
            and len(value) < 60
            and value
            and (
                _ATTRIBUTE_DATE.search(value)
                or (name in {"title", "datetime"} and dates_seam.looks_dated(value))
            )
        ):
            return value
    return None


def _near(outline: Outline, index: int) -> list[int]:
    chain = []
    for _ in range(3):
        index = outline.parent[index]
        if index < 0:
            break
        chain.append(index)
    return chain


def _widen(outline: Outline, owner: int, segment: str) -> str:
    """The text around a date that may belong to it: `<b>Today</b> at 10:58` says its time in the parent."""
    here = owner
    for _ in range(2):
        up = outline.parent[here]
        if up < 0 or outline.text_length(up) > 60:
            break
        here = up
    return outline.text(here) if here != owner or outline.text_length(owner) <= _MAX_CELL else segment
