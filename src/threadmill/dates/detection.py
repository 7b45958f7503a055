"""Where dates and times stand in a text or an HTML fragment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from threadmill.dates.forms.written_dates import DateForm, Stamp
from threadmill.dates.scan import Scan, scan
from threadmill.dates.text.lexer import Tokens
from threadmill.dates.text.lexicon import UNKNOWN

DATE, TIME = "DATE", "TIME"
# An exact value in an attribute speaks for relative words this many tokens around it (spec: about 20).
NEAR = 20
# «Posted by alan on …»: an attribute with more other words than these is a sentence, and its date no stamp.
MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """One date or time in a text, by its character offsets."""

    start: int
    end: int
    label: str  # DATE or TIME


def detect(text: str, language: str | None = None) -> list[Span]:
    """All dates and times of a text, in their order; relative words beside an exact value are left out."""
    found = scan(text, language)
    spans: list[Span] = []
    for stamp in prefer_exact(found):
        for part, label in ((stamp.date, DATE), (stamp.time, TIME), (stamp.year, DATE)):
            if part:
                spans.append(Span(*found.tokens.original(part.start, part.end), label))
    return sorted(spans, key=lambda span: span.start)


def prefer_exact(found: Scan) -> list[Stamp]:
    """The stamps without relative ones that have an exact value in an attribute near them."""
    tokens = found.tokens
    if not tokens.attributes:
        return found.stamps
    exact = [s.date for s in found.stamps if s.date and s.date.exact and in_attribute(s.date, tokens)]
    if not exact:
        return found.stamps
    starts, ends = [date.first for date in exact], [date.last for date in exact]
    return [s for s in found.stamps if not (s.date and not s.date.exact and _is_near(s.date, starts, ends))]


def in_attribute(date: DateForm, tokens: Tokens) -> bool:
    """Whether a date is an attribute's value, not one that a title speaks of («What I did on 4 May»)."""
    attribute = tokens.attribute_at(date.start)
    if attribute is None:
        return False
    if attribute.telling:
        return True
    first = bisect_left(tokens.starts, attribute.start)
    last = bisect_left(tokens.starts, attribute.end)
    others = tokens.letters.count(UNKNOWN, first, date.first) + tokens.letters.count(UNKNOWN, date.last, last)
    return others <= MOST_WORDS


def _is_near(date: DateForm, starts: list[int], ends: list[int]) -> bool:
    """Whether an exact date ends shortly before the relative one or begins shortly after it."""
    before = bisect_right(ends, date.first) - 1
    after = bisect_left(starts, date.last)
    near_before = before >= 0 and date.first - ends[before] <= NEAR
    return near_before or (after < len(starts) and starts[after] - date.last <= NEAR)
