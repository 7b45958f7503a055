"""Dates shown on a page: where they stand, and what a column of them means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise

from threadmill.dates import DATE, ColumnReading, attribute_misleads, find_dates, read_date_column
from threadmill.forum.records.page_outline import CJK, PageOutline
from threadmill.types import Moment, Precision

_DATE_TAGS = frozenset(
    ("time", "abbr", "span", "a", "em", "small", "div", "relative-time", "p", "i", "b", "td", "li", "meta")
)
_PHRASE_TAGS = frozenset(("strong", "b", "em", "i", "span"))
_TABLE_CELLS = frozenset(("td", "th"))
_DATE_ATTRIBUTES = ("datetime", "title", "data-time", "data-timestamp", "data-date", "content")
# Most elements have only these, which hold no date.
# fmt: off
_OTHER_ATTRIBUTES = frozenset((
    "class", "id", "href", "style", "src", "alt", "rel", "target", "name", "width", "height", "align",
    "valign", "border", "onclick", "role", "type", "aria-label", "aria-hidden", "colspan", "itemprop",
    "tabindex",
))
# fmt: on
_ATTRIBUTE_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|^1[0-9]{9}(?:\d{3})?$")
_MIN_DIGITS = 4  # of the shortest exact dates: "5 May 9:30", "June 2019"
_MAX_ATTRIBUTE = 60  # characters
_DIGITS = re.compile(r"\d")
_DAY = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
_CLOCK = re.compile(r"(?<![\d.])\d{1,2}[:.h]\d{2}(?!\d|\.\d)")  # not the "1.20" of 2.1.2015
_YEAR = re.compile(r"(?:^|\D)(?:19|20)\d\d(?:\D|$)")
_NEXT_SENTENCE = re.compile(r"[^\W\d_]{4}[.!?] +[^\W\d_]")  # after a word, not after "St." or "Dr."
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'»”)]?$")
_MAX_LINE = 110  # characters; a byline with a date is shorter, a sentence about a date is longer
_MAX_DAY_WORDS = 24  # characters; a relative date without a digit is short: "yesterday", "vor einer Stunde"
_MOST_PARTS = 3  # elements that share the words of one age: "22 hours" and "ago"
# Letters beside the date that make a sentence; "Joined: March 2010.", "Edited by anna on 3 May." have fewer.
_MIN_SENTENCE = 30
_MAX_AROUND = 60  # characters of an element that a date may share with its time of day
_MAX_SHAPES = 20_000
_shapes: dict[str, bool] = {}


@dataclass(frozen=True, slots=True)
class PageDate:
    """An element that shows a date, with the exact value from an attribute where there is one."""

    element: int
    text: str
    exact: str | None = None


def has_date(text: str) -> bool:
    """Whether a short text with a digit shows a date and is no sentence."""
    if len(text) > _MAX_LINE or not _DIGITS.search(text):
        return False
    return _contains_date(_DIGITS.sub("0", text), text) and not is_dated_sentence(text)


def is_day_word(text: str) -> bool:
    """Whether a few words without a digit name a day, such as "yesterday".

    Names can be such words too. So this is asked only of elements that are like other dates of the page.
    """
    return len(text) <= _MAX_DAY_WORDS and not _DIGITS.search(text) and _contains_date(text, text)


def is_dated_sentence(text: str) -> bool:
    """Whether a short text with a date is a sentence somebody wrote: "since 4 March nobody answers."

    A byline tells the time of day, or says little besides the date.
    """
    written = ends_as_sentence(text) or _NEXT_SENTENCE.search(text)  # a link may cut off its end
    if not written or _CLOCK.search(text):
        return False
    dates = sum(span.end - span.start for span in find_dates(text))
    return count_letters(text) - dates >= _MIN_SENTENCE


def ends_as_sentence(text: str) -> bool:
    """Whether a text ends with a full stop, a question mark or the like."""
    return _SENTENCE_END.search(text) is not None


def count_letters(text: str) -> int:
    """The length of a text as if written in an alphabet: a Chinese or Japanese character counts as three."""
    return len(text) + 2 * len(CJK.findall(text))


def _contains_date(shape: str, text: str) -> bool:
    """The answer for the first text of a shape holds for all: texts of one shape differ only in digits."""
    known = _shapes.get(shape)
    if known is None:
        if len(_shapes) >= _MAX_SHAPES:
            _shapes.clear()
        known = _shapes[shape] = any(span.label == DATE for span in find_dates(text))
    return known


def find_page_dates(outline: PageOutline) -> list[PageDate]:
    """The elements that show a date, in document order, each date once.

    Exact attributes come first, then texts with a digit, then words such as "yesterday" where other dates
    of the page stand.
    """
    found: dict[int, PageDate] = {}
    for index, tag in enumerate(outline.tags):
        exact = _exact_value(outline, index) if tag in _DATE_TAGS else None
        if exact is not None and outline.text_length(index) <= _MAX_LINE:
            found[index] = _choose_exact(index, outline.text(index), exact)
    lines: dict[int, str] = {}  # the texts that were taken for dates
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if owner in found or not has_date(segment):
            continue
        around = next((up for up in _near_ancestors(outline, owner) if up in found), None)
        if around is not None:
            line = lines.get(around, "")
            if not (_YEAR.search(segment) and _YEAR.search(line)):
                continue
            found[around] = PageDate(around, line)  # two whole dates, such as those of joining and posting
        found[owner] = PageDate(owner, _text_around(outline, owner, segment))
        lines[owner] = segment
    found |= _find_split_ages(outline, found)
    kinds = {outline.kind(index) for index in found}
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if (
            owner not in found
            and len(segment) <= _MAX_DAY_WORDS
            and (outline.kind(owner) in kinds or _is_phrase_in(outline, owner, kinds))
            and is_day_word(segment)
        ):
            found[owner] = PageDate(owner, _text_around(outline, owner, segment))
    return [found[index] for index in sorted(found)]


def may_show_date(outline: PageOutline, index: int) -> bool:
    """Whether `find_page_dates` could find an element. It costs less to ask this of a few elements."""
    if outline.tags[index] in _DATE_TAGS and _exact_value(outline, index) is not None:
        return True
    texts = range(outline.text_from[index], outline.text_to[index])
    own = [outline.segments[number] for number in texts if outline.segment_owner[number] == index]
    is_part = any(len(text) <= _MAX_DAY_WORDS and _DIGITS.match(text) for text in own)  # of an age
    return is_part or any(has_date(text) or is_day_word(text) for text in own)


def _find_split_ages(outline: PageOutline, found: Mapping[int, PageDate]) -> dict[int, PageDate]:
    """Ages whose words stand in several elements: "<span>22 hours</span><span> ago</span>"."""
    ages: dict[int, PageDate] = {}
    for segment, owner in zip(outline.segments, outline.segment_owner, strict=True):
        if len(segment) > _MAX_DAY_WORDS or owner in found or not _DIGITS.match(segment):
            continue
        around = outline.parent[owner]
        if outline.tags[owner] not in _PHRASE_TAGS or around < 0 or around in found:
            continue
        if not 1 < outline.text_to[around] - outline.text_from[around] <= _MOST_PARTS:
            continue
        text = outline.text(around)
        if len(text) <= _MAX_DAY_WORDS and has_date(text) and not _has_other_date(outline, around, owner):
            ages[owner] = PageDate(owner, text)
    return ages


def _is_phrase_in(outline: PageOutline, owner: int, kinds: set[str]) -> bool:
    """Whether a phrase stands in an element like those of other dates: "<strong>Today</strong> at 01:19"."""
    return outline.tags[owner] in _PHRASE_TAGS and outline.kind(outline.parent[owner]) in kinds


def _near_ancestors(outline: PageOutline, index: int) -> list[int]:
    """The elements around a date that may be one line with it: none around a record with a number."""
    found: list[int] = []
    for _ in range(3):
        if _DIGITS.search(outline.attribute(index, "id") or ""):
            break
        index = outline.parent[index]
        if index < 0:
            break
        found.append(index)
    return found


def find_date_in(outline: PageOutline, index: int, *, days: bool = True) -> PageDate | None:
    """The first date an element shows; without `days`, words such as "yesterday" are no dates."""
    for inner in range(index, min(outline.end[index], index + 12)):
        exact = _exact_value(outline, inner) if outline.tags[inner] in _DATE_TAGS else None
        if exact is not None:
            return _choose_exact(index, outline.text(inner, _MAX_LINE), exact)
    for number in range(outline.text_from[index], outline.text_to[index]):
        segment = outline.segments[number]
        if has_date(segment) or (days and is_day_word(segment)):
            return PageDate(index, _text_around(outline, outline.segment_owner[number], segment))
    return None


def _choose_exact(element: int, text: str, exact: str) -> PageDate:
    """The date of an element. The text counts where the attribute is malformed and the text is not."""
    misleads = _read_exact(exact) is None and attribute_misleads(exact, text)
    return PageDate(element, text, None if misleads else exact)


def _exact_value(outline: PageOutline, index: int) -> str | None:
    """The attribute of an element that tells its date exactly."""
    attrs = outline.elements[index].attrs
    if not attrs or _OTHER_ATTRIBUTES.issuperset(attrs):
        return None
    for name in _DATE_ATTRIBUTES:
        value = attrs.get(name)
        if not isinstance(value, str) or not value or len(value) >= _MAX_ATTRIBUTE:
            continue
        # A title may be words: "Re: what I learnt today". An exact date has a day and a year or a time.
        exact = len(_DIGITS.findall(value)) >= _MIN_DIGITS
        if _ATTRIBUTE_DATE.search(value) or (name in {"title", "datetime"} and exact and has_date(value)):
            return value
    return _value_for_scripts(attrs)


def _value_for_scripts(attrs: Mapping[str, object]) -> str | None:
    """A whole date in any data attribute. Scripts show it when a reader points at "3 days ago"."""
    for name, value in attrs.items():
        if not name.startswith("data-") or not isinstance(value, str) or not 8 <= len(value) < _MAX_ATTRIBUTE:
            continue
        if _YEAR.search(value) and has_date(value):
            return value
    return None


def _text_around(outline: PageOutline, owner: int, segment: str) -> str:
    """The date with the text around it that may belong to it: "<b>Today</b> at 10:58"."""
    around = owner
    for _ in range(2):
        up = outline.parent[around]
        if up < 0 or outline.tags[around] in _TABLE_CELLS or outline.text_length(up) > _MAX_AROUND:
            break
        if _has_other_date(outline, up, around):
            break
        around = up
    own = outline.text(owner) if outline.text_length(owner) <= _MAX_LINE else segment
    if around == owner:
        return own
    if not _DAY.search(segment):
        return outline.text(around)
    # A date with a day lacks nothing but its time. A counter beside it would be taken for its day or year.
    parts = [
        outline.segments[number]
        for number in range(outline.text_from[around], outline.text_to[around])
        if outline.is_under(outline.segment_owner[number], owner)
        or (_CLOCK.search(outline.segments[number]) and not outline.in_link[outline.segment_owner[number]])
    ]
    return " ".join(parts)


def _has_other_date(outline: PageOutline, outer: int, inner: int) -> bool:
    """Whether `outer` shows a date outside of `inner`."""
    return any(
        has_date(outline.segments[number])
        for number in range(outline.text_from[outer], outline.text_to[outer])
        if not outline.text_from[inner] <= number < outline.text_to[inner]
    )


_MAX_ZONE_GAP = timedelta(hours=26)  # clocks on earth are at most that far apart
_HALF_UNITS = {Precision.MONTH: timedelta(days=15), Precision.YEAR: timedelta(days=183)}
_CLEAR_VOTE = 5.0  # of a page whose dates can be read in one way only
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?"
)


def read_page_dates(dates: Sequence[PageDate], now: datetime, order: str = "") -> list[Moment | None]:
    """The moments of dates that form one column; exact values are used where there are some.

    `order` is the order of day, month and year that other pages of the site have shown.
    """
    return list(_read(tuple(date.exact or date.text for date in dates), now, order))


def settle_site_date_order(columns: Iterable[tuple[Sequence[PageDate], datetime]]) -> str:
    """The order of day, month and year that the columns of several pages agree on; "" when none tells."""
    votes: dict[str, float] = defaultdict(float)
    for dates, now in columns:
        texts, exact = _split_exact([date.exact or date.text for date in dates])
        read = read_date_column(texts, now) if texts else None
        if read is None or not read.order:
            continue
        # A page that can be read in two ways votes for both. A clear one outweighs many of those.
        unclear = [] if exact else [(r.order, r.confidence) for r in read.readings]
        nearest = _find_nearest(read.readings, exact)
        for order, vote in unclear or [(nearest.order if nearest else read.order, _CLEAR_VOTE)]:
            votes[order] += vote
    return max(votes, key=lambda order: votes[order], default="")


def _split_exact(texts: Iterable[str]) -> tuple[list[str], list[Moment]]:
    """The dates of a column that people wrote, and the moments of those that machines wrote."""
    read = [(text, _read_exact(text)) for text in texts]
    return [text for text, moment in read if moment is None], [moment for _, moment in read if moment]


def _find_nearest(readings: Sequence[ColumnReading], exact: Sequence[Moment]) -> ColumnReading | None:
    """The reading nearest to the exact dates of the column: "15-04-12" above an answer of 13 April 2015."""
    days = [moment.date.toordinal() for moment in exact]

    def distance(reading: ColumnReading) -> int:
        own = [moment.date.toordinal() for moment in reading.moments if moment]
        return sum(min(abs(day - other) for other in days) for day in own)

    return min(readings, key=distance) if days and readings else None


@lru_cache(maxsize=512)
def _read(texts: tuple[str, ...], now: datetime, order: str) -> tuple[Moment | None, ...]:
    exact = [_read_exact(text) for text in texts]
    rest = [text for text, moment in zip(texts, exact, strict=True) if moment is None]
    if not rest:
        return tuple(exact)
    read = read_date_column(rest, now, order=order or None)
    nearest = None if order else _find_nearest(read.readings, [moment for moment in exact if moment])
    moments = nearest.moments if nearest else read.moments
    if any(_is_in_future(moment, now) for moment in moments):  # another reading may have none: it is right
        past = (r for r in read.readings if not any(_is_in_future(moment, now) for moment in r.moments))
        moments = next((r.moments for r in past), moments)
    others = iter(_in_the_middle(rest, moments, now, order))
    return tuple(moment if moment is not None else next(others) for moment in exact)


def _in_the_middle(
    texts: Sequence[str], moments: Sequence[Moment | None], now: datetime, order: str
) -> list[Moment | None]:
    """The moments, those of ages in months and years in the middle of the time that they are shown.

    A post is "2 months ago" until it is three months old: an age is cut off, not rounded. A date that names
    its month or year itself is the same at another time.
    """
    found = list(moments)
    for precision, half in _HALF_UNITS.items():
        vague = [n for n, moment in enumerate(moments) if moment and moment.precision is precision]
        if vague:
            earlier = read_date_column([texts[n] for n in vague], now - half, order=order or None).moments
            for number, moment in zip(vague, earlier, strict=True):
                found[number] = moment or found[number]
    return found


def _is_in_future(moment: Moment | None, now: datetime) -> bool:
    """Whether a moment is later than every clock on earth."""
    if moment is None or moment.time is None:
        return False
    ahead = datetime.combine(moment.date, moment.time, UTC) - now
    return ahead > _MAX_ZONE_GAP


def _read_exact(text: str) -> Moment | None:
    """A date as machines write it: ISO 8601 with a time, or seconds or milliseconds since 1970."""
    if _EPOCH.fullmatch(text):
        at = datetime.fromtimestamp(int(text[:10]), UTC)
        return Moment(at.date(), at.time(), "UTC", Precision.SECOND)
    match = _ISO.fullmatch(text.strip())
    if not match:
        return None
    year, month, day, hour, minute = (int(part) for part in match.groups()[:5])
    try:
        at = datetime(year, month, day, hour, minute, int(match[6] or 0), tzinfo=UTC)
    except ValueError:  # 31 February
        return None
    zone = match[7]
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    precision = Precision.SECOND if match[6] else Precision.MINUTE
    return Moment(at.date(), at.time(), "UTC" if zone == "Z" else zone, precision)


def sorted_share(moments: Sequence[Moment]) -> float:
    """How far moments are sorted: the share of neighbours in the more frequent direction; 0.6 if unknown."""
    up = down = 0
    for one, other in pairwise(moments):
        first, second = sort_key(one), sort_key(other)
        up += second > first
        down += second < first
    return max(up, down) / (up + down) if up + down else 0.6


def sort_key(moment: Moment) -> tuple[int, float]:
    """A moment as something that sorts; a day without a time comes first."""
    at = moment.time
    return moment.date.toordinal(), (at.hour * 3600 + at.minute * 60 + at.second) if at else -1.0
