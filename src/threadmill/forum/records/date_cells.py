"""The small things of a page that repeat once per record: dates with their exact values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from threadmill.dates import DATE, detect
from threadmill.forum.records.outline import DENSE, Outline

_ATTRIBUTE_NAMES = ("datetime", "title", "data-time", "data-timestamp", "data-date", "content")
_OWN_ATTRIBUTE = "data-"  # what scripts show when a reader points at "3 days ago" has names of its own
_ATTRIBUTE_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|^1[0-9]{9}(?:\d{3})?$")
_EXACT_DIGITS = 4  # of the shortest exact date: "5 May 9:30", "June 2019"
_MAX_CELL = 110  # characters; a byline with a date is shorter, a sentence about one is longer


@dataclass(frozen=True, slots=True)
class DateCell:
    """An element that says a date, with the exact attribute value where there is one."""

    element: int
    text: str
    exact: str | None = None


_CARRIERS = frozenset(
    ("time", "abbr", "span", "a", "em", "small", "div", "relative-time", "p", "i", "b", "td", "li", "meta")
)
_CELLS = frozenset(("td", "th"))
_DAY = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}")
_PHRASES = frozenset(("strong", "b", "em", "i", "span"))
_DIGITS = re.compile(r"\d")
_YEAR = re.compile(r"(?:^|\D)(?:19|20)\d\d(?:\D|$)")
_MAX_WORDS = 24  # "yesterday", "vor einer Stunde": a relative date without a digit is short
_ENDS = re.compile(r"[.!?。！？…][\"'»”)]?$")
_MIN_PROSE = 30  # letters beside the date; "Joined: March 2010." and "Edited by anna on 3 May." have fewer
_MAX_SHAPES = 20_000
_shapes: dict[str, bool] = {}


def looks_dated(text: str) -> bool:
    """Whether a short text with a number in it says a date; texts alike but for digits are asked once."""
    if len(text) > _MAX_CELL or not _DIGITS.search(text):
        return False
    return _says_date(_DIGITS.sub("0", text), text) and not is_prose(text)


def is_prose(text: str) -> bool:
    """Whether a short text with a date in it is a sentence of somebody's: "since 4 March nobody answers."

    Bylines tell the time of day or say little else.
    """
    if not _ENDS.search(text) or _CLOCK.search(text):
        return False
    said = sum(span.end - span.start for span in detect(text))
    return weight(text) - said >= _MIN_PROSE


def weight(text: str) -> int:
    """How many letters a text would have in an alphabet: a Chinese or Japanese character stands for three."""
    return len(text) + 2 * len(DENSE.findall(text))


def looks_like_day(text: str) -> bool:
    """Whether a few words say a day; asked only where dates stand anyway, for names may be such words."""
    return len(text) <= _MAX_WORDS and not _DIGITS.search(text) and _says_date(text, text)


def _says_date(shape: str, text: str) -> bool:
    known = _shapes.get(shape)
    if known is None:
        if len(_shapes) >= _MAX_SHAPES:
            _shapes.clear()
        known = _shapes[shape] = any(span.label == DATE for span in detect(text))
    return known


def find_dates(outline: Outline) -> list[DateCell]:
    """The elements that say a date, in document order, each date once."""
    found: dict[int, DateCell] = {}
    for index, tag in enumerate(outline.tags):
        exact = _exact_date(outline, index) if tag in _CARRIERS else None
        if exact is not None and outline.text_length(index) <= _MAX_CELL:
            found[index] = DateCell(index, outline.text(index), exact)
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if owner in found or not looks_dated(segment):
            continue
        if any(holder in found for holder in _near(outline, owner)):
            continue
        found[owner] = DateCell(owner, _widen(outline, owner, segment))
    kinds = {outline.kind(index) for index in found}
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if (
            owner not in found
            and len(segment) <= _MAX_WORDS
            and (outline.kind(owner) in kinds or _is_phrase_among(outline, owner, kinds))
            and looks_like_day(segment)
        ):
            found[owner] = DateCell(owner, _widen(outline, owner, segment))
    return [found[index] for index in sorted(found)]


def _is_phrase_among(outline: Outline, owner: int, kinds: set[str]) -> bool:
    """Whether a word is set off where other dates stand bare: "<strong>Today</strong> at 01:19"."""
    return outline.tags[owner] in _PHRASES and outline.kind(outline.parent[owner]) in kinds


def date_at(outline: Outline, index: int, *, days: bool = True) -> DateCell | None:
    """The date an element says, if it says one; with or without days that are words only."""
    for inner in range(index, min(outline.end[index], index + 12)):
        exact = _exact_date(outline, inner) if outline.tags[inner] in _CARRIERS else None
        if exact is not None:
            return DateCell(index, outline.text(inner, _MAX_CELL), exact)
    for number in range(outline.text_from[index], outline.text_to[index]):
        segment = outline.segments[number]
        if looks_dated(segment) or (days and looks_like_day(segment)):
            return DateCell(index, _widen(outline, outline.segment_owner[number], segment))
    return None


def _exact_date(outline: Outline, index: int) -> str | None:
    attrs = outline.elements[index].attrs
    if not attrs:
        return None
    for name in _ATTRIBUTE_NAMES:
        value = attrs.get(name)
        if not isinstance(value, str) or not value or len(value) >= 60:
            continue
        # "Re: what I learnt today" in a title is no date: an exact one has a day and a year or a time.
        exact = sum(character.isdigit() for character in value) >= _EXACT_DIGITS
        if _ATTRIBUTE_DATE.search(value) or (name in {"title", "datetime"} and exact and looks_dated(value)):
            return value
    return _shown_by_script(attrs)


def _shown_by_script(attrs: Mapping[str, object]) -> str | None:
    for name, value in attrs.items():
        if not name.startswith(_OWN_ATTRIBUTE) or not isinstance(value, str) or not 8 <= len(value) < 60:
            continue
        if _YEAR.search(value) and looks_dated(value):
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


def _has_other_date(outline: Outline, up: int, here: int) -> bool:
    """Whether an element says a date outside the part that is known to say one."""
    return any(
        looks_dated(outline.segments[number])
        for number in range(outline.text_from[up], outline.text_to[up])
        if not outline.text_from[here] <= number < outline.text_to[here]
    )


def _widen(outline: Outline, owner: int, segment: str) -> str:
    """The text around a date that may belong to it: `<b>Today</b> at 10:58` says its time in the parent."""
    here = owner
    for _ in range(2):
        up = outline.parent[here]
        if up < 0 or outline.tags[here] in _CELLS or outline.text_length(up) > 60:
            break
        if _has_other_date(outline, up, here):
            break
        here = up
    own = outline.text(owner) if outline.text_length(owner) <= _MAX_CELL else segment
    if here == owner:
        return own
    if not _DAY.search(segment):
        return outline.text(here)
    # A whole date wants nothing but its time; a counter beside it would be taken for its day or year.
    beside = [
        outline.segments[number]
        for number in range(outline.text_from[here], outline.text_to[here])
        if outline.is_under(outline.segment_owner[number], owner)
        or (_CLOCK.search(outline.segments[number]) and not outline.in_link[outline.segment_owner[number]])
    ]
    return " ".join(beside)
