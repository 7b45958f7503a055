"""Finds the dates and times of a text, or the one moment that a text shows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import datetime

from threadmill.dates.grammar.written_dates import WrittenDate, WrittenTimestamp
from threadmill.dates.meaning.resolve import NO_CONVENTION, DateConvention, resolve
from threadmill.dates.scan import ScanResult, scan
from threadmill.dates.text.lexicon import UNKNOWN_WORD, load_lexicon
from threadmill.dates.text.tokens import TokenisedText
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
    exact = [s.date for s in found.stamps if s.date and s.date.exact and is_attribute_value(s.date, tokens)]
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

    Of several dates, an exact attribute value comes first, then an exact date in the text, then a relative
    one.
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
            return 4, stamp.start
        exact = stamp.date.exact
        if found.tokens.attribute_at(stamp.date.start) is None:
            return (1 if exact else 2), stamp.start
        if not is_attribute_value(stamp.date, found.tokens):
            return 3, stamp.start
        if exact:
            return (0 if stamp.time or stamp.date.kind == "epoch" else 1), stamp.start
        return 2, stamp.start

    return sorted(drop_relative_beside_exact(found), key=trust)
