"""Finds every date and time in a text: tokenises, matches patterns, judges and pairs the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from threadmill.dates.context.false_dates import judge_date, judge_time
from threadmill.dates.context.pairing import pair_dates_with_times
from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.grammar.named_dates import read_marked, read_month, read_named
from threadmill.dates.grammar.numeric_dates import (
    read_compact,
    read_epoch,
    read_month_year,
    read_numeric,
    read_partial,
)
from threadmill.dates.grammar.pattern_match import PatternMatch
from threadmill.dates.grammar.patterns import PatternSet, grammar_for
from threadmill.dates.grammar.relative_dates import (
    read_count,
    read_counted,
    read_last_weekday,
    read_phrase,
    read_weekday,
)
from threadmill.dates.grammar.times import read_time
from threadmill.dates.grammar.written_dates import WrittenDate, WrittenTime, WrittenTimestamp
from threadmill.dates.text.lexicon import load_lexicon
from threadmill.dates.text.tokens import TokenisedText, tokenise

Form = TypeVar("Form", WrittenDate, WrittenTime)

_READERS = {
    "named": read_named,
    "marked": read_marked,
    "numeric": read_numeric,
    "spaced": read_numeric,
    "compact": read_compact,
    "epoch": read_epoch,
    "month": read_month,
    "partial": read_partial,
    "monthyear": read_month_year,
    "phrase": read_phrase,
    "counted": read_counted,
    "lastweekday": read_last_weekday,
    "now": read_phrase,
    "ago": read_count,
    "hence": read_count,
    "age": read_count,
    "weekday": read_weekday,
}


class ScanResult(NamedTuple):
    """All timestamps of a text in their order, and the tokens they were found in."""

    stamps: list[WrittenTimestamp]
    tokens: TokenisedText


def scan(text: str, language: str | None = None, lenient: bool = False) -> ScanResult:
    """Find all dates and times of a text.

    `lenient` asks for less proof that something is a date. It is meant for the cells of a date column.
    """
    lexicon = load_lexicon(language)
    grammar = grammar_for(lexicon)
    tokens = tokenise(text, lexicon)
    around = Surroundings(text, tokens, grammar)

    def as_time(match: PatternMatch) -> WrittenTime | None:
        form = read_time(match)
        return judge_time(around, match, form) if form else None

    def as_date(match: PatternMatch) -> WrittenDate | None:
        form = read_date(match)
        return judge_date(around, match, form, lenient) if form else None

    has_time = grammar.time_sign.search(tokens.letters) is not None
    times = _collect_forms(tokens, grammar.times, as_time, frozenset()) if has_time else []
    taken = frozenset(
        index for time in times if not time.needs_date for index in range(time.first, time.last)
    )
    dates = _collect_forms(tokens, grammar.dates, as_date, taken)
    return ScanResult(pair_dates_with_times(around, dates, times), tokens)


def read_date(match: PatternMatch) -> WrittenDate | None:
    """Read the date of a match; None when the pattern matched something that is no date."""
    reader = _READERS[match.name]
    return reader(match)


def _collect_forms(
    tokens: TokenisedText,
    patterns: PatternSet,
    read: Callable[[PatternMatch], Form | None],
    taken: frozenset[int],
) -> list[Form]:
    """Walk over the tokens. At each one, take the first pattern that can be read, and go on behind it."""
    found: list[Form] = []
    combined = patterns.patterns_for(tokens.letters)
    position = 0
    while searched := combined.search(tokens, position):
        match, number = searched
        start = match.found.start()
        form = _read_free(match, read, taken)
        if form is None:
            for other in combined.match_later_patterns(tokens, start, number):
                form = _read_free(other, read, taken)
                if form:
                    break
        if form:
            found.append(form)
        position = max(form.last, start + 1) if form else start + 1
    return found


def _read_free(
    match: PatternMatch, read: Callable[[PatternMatch], Form | None], taken: frozenset[int]
) -> Form | None:
    """Read a match, unless one of its tokens is already part of a time."""
    if taken and not taken.isdisjoint(range(match.found.start(), match.found.end())):
        return None
    return read(match)
