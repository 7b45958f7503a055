"""A shape found at a place in the tokens, and what its groups say."""

from __future__ import annotations

import re
from typing import NamedTuple

from threadmill.dates.forms.written_dates import Named
from threadmill.dates.meaning.calendars import FIRST_YEAR, LAST_YEAR
from threadmill.dates.text.lexer import Tokens
from threadmill.dates.text.lexicon import Sense

NUMBER_LETTERS = frozenset("0123456789BEFLPY")
# Two-digit years 51–69 are neither 1951–1969 nor 2051–2069 on a forum.
SHORT_YEARS_OF_2000 = 50
SHORT_YEARS_OF_1900 = 70
EVERYWHERE = -1  # all languages


class Match(NamedTuple):
    """A shape found at a place: its name, the regular expression's match, the tokens it is about."""

    name: str
    found: re.Match[str]
    groups: dict[str, int]  # the numbers of the shape's groups in the match
    tokens: Tokens

    def token(self, group: str) -> int:
        """The token a group stands on; -1 when it took no part."""
        number = self.groups.get(group)
        return -1 if number is None else self.found.start(number)

    def letter(self, group: str) -> str:
        """The class letters a group took; empty when it took no part."""
        number = self.groups.get(group)
        return "" if number is None else self.found.group(number) or ""

    def number(self, group: str) -> int | None:
        """The number a group stands on."""
        index = self.token(group)
        return self.tokens.numbers[index] if index >= 0 else None

    def width(self, group: str) -> int:
        """How many digits a group's number has."""
        index = self.token(group)
        return self.tokens.ends[index] - self.tokens.starts[index] if index >= 0 else 0

    def senses(self, group: str, *roles: str) -> tuple[Sense, ...]:
        """What the word of a group can mean in these roles."""
        index = self.token(group)
        if index < 0 or not self.tokens.senses[index]:
            return ()
        return tuple(sense for sense in self.tokens.senses[index] if sense.role in roles)


def full_year(value: int, width: int) -> int | None:
    """The year meant by its digits; None when it is none of ours."""
    if width == 2:
        if value <= SHORT_YEARS_OF_2000:
            return 2000 + value
        return 1900 + value if value >= SHORT_YEARS_OF_1900 else None
    return value if FIRST_YEAR <= value <= LAST_YEAR else None


def named_values(senses: tuple[Sense, ...]) -> tuple[Named, ...]:
    """Values of a word with their languages."""
    return tuple(Named(int(sense.value), sense.languages) for sense in senses)


def span_of(match: Match, last: int | None = None) -> tuple[int, int, int, int]:
    """Offsets and tokens of a match, up to an earlier end where one is given."""
    first = match.found.start()
    end = match.found.end() if last is None else last
    return match.tokens.starts[first], match.tokens.ends[end - 1], first, end


def weekdays_of(match: Match) -> tuple[Named, ...]:
    """The weekdays its word can mean."""
    for group in ("weekday", "weekday2", "weekday3"):
        if match.token(group) >= 0:
            return named_values(match.senses(group, "weekday"))
    number = match.number("weekdaynumber")
    if number is not None and 2 <= number <= 7:
        return (Named(number - 2, EVERYWHERE),)
    return ()


def era_of(match: Match) -> int | None:
    """The era it names, as the year before its first."""
    senses = match.senses("era", "era")
    return int(senses[0].value) if senses else None


def agreeing(values: tuple[Named, ...], languages: int) -> tuple[Named, ...]:
    """The values that share a language with the rest; all of them when none does."""
    kept = tuple(Named(v.value, v.languages & languages) for v in values if v.languages & languages)
    return kept or values


def union(values: tuple[Named, ...]) -> int:
    """All languages of some values."""
    languages = 0
    for value in values:
        languages |= value.languages
    return languages


def end_of_tail(match: Match, languages: int) -> int | None:
    """Where the match ends without a last word that is of another language: «2020 a» is not Basque."""
    index = match.token("tail")
    if index < 0:
        return None
    owners = 0
    for sense in match.senses("tail", "tail"):
        owners |= sense.languages
    if owners & languages:
        dot = match.token("taildot")
        whole_word = match.tokens.ends[index] - match.tokens.starts[index] > 3
        return dot if dot >= 0 and whole_word else None  # «2000 roku.» ends a sentence, «2000 r.» does not
    cut = index
    while match.tokens.letters[cut - 1] == " ":
        cut -= 1
    return cut


def keeps_dot(match: Match, separator: str) -> bool:
    """A dot after the last number belongs to the date unless a sentence ends there."""
    if separator != ".":
        return False
    letters = match.tokens.letters
    first, dot = match.found.start(), match.token("dot")
    words_before = sum(1 for c in letters[max(0, first - 40) : first] if c == "w" or c >= "\ue000")
    ends_text = not letters[dot + 1 :].strip(" <")
    return not (ends_text and words_before > 3)
