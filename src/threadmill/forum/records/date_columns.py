"""The small things of a page that repeat once per record: dates with their exact values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

from threadmill.dates import DATE, find_dates, read_date_column
from threadmill.forum.records.page_outline import CJK, PageOutline
from threadmill.types import Moment, Precision

_ATTRIBUTE_NAMES = ("datetime", "title", "data-time", "data-timestamp", "data-date", "content")
_OWN_ATTRIBUTE = "data-"  # what scripts show when a reader points at "3 days ago" has names of its own
_ATTRIBUTE_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|^1[0-9]{9}(?:\d{3})?$")
_EXACT_DIGITS = 4  # of the shortest exact date: "5 May 9:30", "June 2019"
_MAX_CELL = 110  # characters; a byline with a date is shorter, a sentence about one is longer


@dataclass(frozen=True, slots=True)
class PageDate:
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


def has_date(text: str) -> bool:
    """Whether a short text with a number in it says a date; texts alike but for digits are asked once."""
    if len(text) > _MAX_CELL or not _DIGITS.search(text):
        return False
    return _says_date(_DIGITS.sub("0", text), text) and not is_dated_sentence(text)


def is_dated_sentence(text: str) -> bool:
    """Whether a short text with a date in it is a sentence of somebody's: "since 4 March nobody answers."

    Bylines tell the time of day or say little else.
    """
    if not _ENDS.search(text) or _CLOCK.search(text):
        return False
    said = sum(span.end - span.start for span in find_dates(text))
    return count_letters(text) - said >= _MIN_PROSE


def count_letters(text: str) -> int:
    """How many letters a text would have in an alphabet: a Chinese or Japanese character stands for three."""
    return len(text) + 2 * len(CJK.findall(text))


def is_day_word(text: str) -> bool:
    """Whether a few words say a day; asked only where dates stand anyway, for names may be such words."""
    return len(text) <= _MAX_WORDS and not _DIGITS.search(text) and _says_date(text, text)


def _says_date(shape: str, text: str) -> bool:
    known = _shapes.get(shape)
    if known is None:
        if len(_shapes) >= _MAX_SHAPES:
            _shapes.clear()
        known = _shapes[shape] = any(span.label == DATE for span in find_dates(text))
    return known


def find_page_dates(outline: PageOutline) -> list[PageDate]:
    """The elements that say a date, in document order, each date once."""
    found: dict[int, PageDate] = {}
    for index, tag in enumerate(outline.tags):
        exact = _exact_date(outline, index) if tag in _CARRIERS else None
        if exact is not None and outline.text_length(index) <= _MAX_CELL:
            found[index] = PageDate(index, outline.text(index), exact)
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if owner in found or not has_date(segment):
            continue
        if any(holder in found for holder in _near(outline, owner)):
            continue
        found[owner] = PageDate(owner, _widen(outline, owner, segment))
    kinds = {outline.kind(index) for index in found}
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if (
            owner not in found
            and len(segment) <= _MAX_WORDS
            and (outline.kind(owner) in kinds or _is_phrase_among(outline, owner, kinds))
            and is_day_word(segment)
        ):
            found[owner] = PageDate(owner, _widen(outline, owner, segment))
    return [found[index] for index in sorted(found)]


def _is_phrase_among(outline: PageOutline, owner: int, kinds: set[str]) -> bool:
    """Whether a word is set off where other dates stand bare: "<strong>Today</strong> at 01:19"."""
    return outline.tags[owner] in _PHRASES and outline.kind(outline.parent[owner]) in kinds


def find_date_in(outline: PageOutline, index: int, *, days: bool = True) -> PageDate | None:
    """The date an element says, if it says one; with or without days that are words only."""
    for inner in range(index, min(outline.end[index], index + 12)):
        exact = _exact_date(outline, inner) if outline.tags[inner] in _CARRIERS else None
        if exact is not None:
            return PageDate(index, outline.text(inner, _MAX_CELL), exact)
    for number in range(outline.text_from[index], outline.text_to[index]):
        segment = outline.segments[number]
        if has_date(segment) or (days and is_day_word(segment)):
            return PageDate(index, _widen(outline, outline.segment_owner[number], segment))
    return None


def _exact_date(outline: PageOutline, index: int) -> str | None:
    attrs = outline.elements[index].attrs
    if not attrs:
        return None
    for name in _ATTRIBUTE_NAMES:
        value = attrs.get(name)
        if not isinstance(value, str) or not value or len(value) >= 60:
            continue
        # "Re: what I learnt today" in a title is no date: an exact one has a day and a year or a time.
        exact = sum(character.isdigit() for character in value) >= _EXACT_DIGITS
        if _ATTRIBUTE_DATE.search(value) or (name in {"title", "datetime"} and exact and has_date(value)):
            return value
    return _shown_by_script(attrs)


def _shown_by_script(attrs: Mapping[str, object]) -> str | None:
    for name, value in attrs.items():
        if not name.startswith(_OWN_ATTRIBUTE) or not isinstance(value, str) or not 8 <= len(value) < 60:
            continue
        if _YEAR.search(value) and has_date(value):
            return value
    return None


def _near(outline: PageOutline, index: int) -> list[int]:
    chain = []
    for _ in range(3):
        index = outline.parent[index]
        if index < 0:
            break
        chain.append(index)
    return chain


def _has_other_date(outline: PageOutline, up: int, here: int) -> bool:
    """Whether an element says a date outside the part that is known to say one."""
    return any(
        has_date(outline.segments[number])
        for number in range(outline.text_from[up], outline.text_to[up])
        if not outline.text_from[here] <= number < outline.text_to[here]
    )


def _widen(outline: PageOutline, owner: int, segment: str) -> str:
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


_ZONES = timedelta(hours=26)  # clocks on earth are at most that far apart
_SETTLED = 5.0  # votes of a page whose dates can be read in one way only
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?"
)


def read_page_dates(cells: Sequence[PageDate], now: datetime, order: str = "") -> list[Moment | None]:
    """The moments of cells that stand in one column, from their exact values where they have them.

    `order` of day, month and year is what other pages of the site have settled.
    """
    return list(_read(tuple(cell.exact or cell.text for cell in cells), now, order))


def settle_date_order(columns: Iterable[tuple[Sequence[PageDate], datetime]]) -> str:
    """The order of day, month and year that the columns of several pages agree on; empty when none tells."""
    weights: dict[str, float] = defaultdict(float)
    for cells, now in columns:
        texts = [text for cell in cells if _read_exact(text := cell.exact or cell.text) is None]
        read = read_date_column(texts, now) if texts else None
        if read is None or not read.order:
            continue
        # A page that leaves two ways open votes for both; a settled one outweighs many of those.
        for order, weight in [(r.order, r.confidence) for r in read.readings] or [(read.order, _SETTLED)]:
            weights[order] += weight
    return max(weights, key=lambda order: weights[order], default="")


@lru_cache(maxsize=512)
def _read(texts: tuple[str, ...], now: datetime, order: str) -> tuple[Moment | None, ...]:
    exact = [_read_exact(text) for text in texts]
    rest = [text for text, moment in zip(texts, exact, strict=True) if moment is None]
    if not rest:
        return tuple(exact)
    read = read_date_column(rest, now, order=order or None)
    moments = read.moments
    if any(_is_to_come(moment, now) for moment in moments):
        past = (r for r in read.readings if not any(_is_to_come(moment, now) for moment in r.moments))
        moments = next((r.moments for r in past), moments)
    others = iter(moments)
    return tuple(moment if moment is not None else next(others) for moment in exact)


def _is_to_come(moment: Moment | None, now: datetime) -> bool:
    """Whether a moment lies ahead of every clock on earth: nobody writes tomorrow."""
    if moment is None or moment.time is None:
        return False
    ahead = datetime.combine(moment.date, moment.time, UTC) - now
    return ahead > _ZONES


def _read_exact(text: str) -> Moment | None:
    """What machines write needs no guessing: ISO 8601 with a time, or seconds since 1970."""
    if _EPOCH.fullmatch(text):
        at = datetime.fromtimestamp(int(text[:10]), UTC)
        return Moment(at.date(), at.time(), "UTC", Precision.SECOND)
    match = _ISO.fullmatch(text.strip())
    if not match:
        return None
    year, month, day, hour, minute = (int(part) for part in match.groups()[:5])
    try:
        at = datetime(year, month, day, hour, minute, int(match[6] or 0), tzinfo=UTC)
    except ValueError:  # 31 February: the other reader may know better
        return None
    zone = match[7]
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    precision = Precision.SECOND if match[6] else Precision.MINUTE
    return Moment(at.date(), at.time(), "UTC" if zone == "Z" else zone, precision)


def sorted_share(moments: Sequence[Moment]) -> float:
    """The share of neighbours that agree with the more frequent direction."""
    up = down = 0
    for one, other in pairwise(moments):
        first, second = sort_key(one), sort_key(other)
        up += second > first
        down += second < first
    return max(up, down) / (up + down) if up + down else 0.6


def sort_key(moment: Moment) -> tuple[int, float]:
    """A moment as something that sorts; a day without a time sorts first."""
    at = moment.time
    return moment.date.toordinal(), (at.hour * 3600 + at.minute * 60 + at.second) if at else -1.0
