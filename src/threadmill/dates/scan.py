"""Finds every date and time in a text: tokens, grammar, judgement, pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from threadmill.dates.context.false_dates import judge_date, judge_time
from threadmill.dates.context.pairing import pair
from threadmill.dates.context.surroundings import Surroundings
from threadmill.dates.forms.read_match import read_date
from threadmill.dates.forms.times import read_time
from threadmill.dates.forms.written_dates import DateForm, Stamp, TimeForm
from threadmill.dates.grammar.date_patterns import Hit, Shapes
from threadmill.dates.grammar.grammar import find_grammar
from threadmill.dates.grammar.match import Match
from threadmill.dates.text.lexer import Tokens, tokenise
from threadmill.dates.text.lexicon import find_lexicon

Form = TypeVar("Form", DateForm, TimeForm)


class Scan(NamedTuple):
    """All stamps of a text in their order, and the tokens they were found in."""

    stamps: list[Stamp]
    tokens: Tokens


def scan(text: str, language: str | None = None, lenient: bool = False) -> Scan:
    """Find all dates and times; `lenient` is for a cell of a column of dates, where less is proof enough."""
    lexicon = find_lexicon(language)
    grammar = find_grammar(lexicon)
    tokens = tokenise(text, lexicon)
    around = Surroundings(text, tokens, grammar)

    def as_time(match: Match) -> TimeForm | None:
        form = read_time(match)
        return judge_time(around, match, form) if form else None

    def as_date(match: Match) -> DateForm | None:
        form = read_date(match)
        return judge_date(around, match, form, lenient) if form else None

    has_clock = grammar.clock.search(tokens.letters) is not None
    times = _collect(tokens, grammar.times, as_time, frozenset()) if has_clock else []
    clocks = frozenset(index for time in times if not time.dotted for index in range(time.first, time.last))
    dates = _collect(tokens, grammar.dates, as_date, clocks)
    return Scan(pair(around, dates, times), tokens)


def _collect(
    tokens: Tokens, shapes: Shapes, read: Callable[[Match], Form | None], taken: frozenset[int]
) -> list[Form]:
    """Walk over the text; at each place the first shape that holds is taken, the walk goes on behind it."""
    found: list[Form] = []
    letters = tokens.letters
    fitting = shapes.fitting(letters)
    position = 0
    while searched := fitting.search(letters, position):
        hit, number = searched
        start = hit.found.start()
        form = _read_hit(hit, tokens, read, taken)
        if form is None:
            for other in fitting.match_after(letters, start, number):
                form = _read_hit(other, tokens, read, taken)
                if form:
                    break
        if form:
            found.append(form)
        position = max(form.last, start + 1) if form else start + 1
    return found


def _read_hit(
    hit: Hit, tokens: Tokens, read: Callable[[Match], Form | None], taken: frozenset[int]
) -> Form | None:
    if taken and not taken.isdisjoint(range(hit.found.start(), hit.found.end())):
        return None
    return read(Match(hit.name, hit.found, hit.groups, tokens))
