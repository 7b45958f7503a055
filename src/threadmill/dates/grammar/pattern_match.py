"""A pattern found in the tokens of a text, and what its groups mean."""

from __future__ import annotations

import re
from typing import NamedTuple

from threadmill.dates.grammar.written_dates import NamedValue
from threadmill.dates.text.lexicon import WordSense
from threadmill.dates.text.tokens import TokenisedText

ALL_LANGUAGES = -1  # the bits of every language


class PatternMatch(NamedTuple):
    """A pattern found in a text: its name, the regular expression's match, and the tokens of the text."""

    name: str
    found: re.Match[str]
    groups: dict[str, int]  # name of each group → its number in the match
    tokens: TokenisedText

    def token(self, group: str) -> int:
        """Return the index of a group's first token; -1 when the group took no part."""
        number = self.groups.get(group)
        return -1 if number is None else self.found.start(number)

    def letter(self, group: str) -> str:
        """Return the class letters of a group; empty when the group took no part."""
        number = self.groups.get(group)
        return "" if number is None else self.found.group(number) or ""

    def number(self, group: str) -> int | None:
        """Return the number at a group's token."""
        index = self.token(group)
        return self.tokens.numbers[index] if index >= 0 else None

    def width(self, group: str) -> int:
        """Return how many characters a group's token has."""
        index = self.token(group)
        return self.tokens.ends[index] - self.tokens.starts[index] if index >= 0 else 0

    def senses(self, group: str, *roles: str) -> tuple[WordSense, ...]:
        """Return the meanings of a group's word in these roles."""
        index = self.token(group)
        if index < 0 or not self.tokens.senses[index]:
            return ()
        return tuple(sense for sense in self.tokens.senses[index] if sense.role in roles)


def named_values(senses: tuple[WordSense, ...]) -> tuple[NamedValue, ...]:
    """Return the values of a word with their languages."""
    return tuple(NamedValue(int(sense.value), sense.languages) for sense in senses)


def span_of(match: PatternMatch, last: int | None = None) -> tuple[int, int, int, int]:
    """Return start offset, end offset, first token and end token of a match.

    `last` is an earlier end token, where the match is cut.
    """
    first = match.found.start()
    end = match.found.end() if last is None else last
    return match.tokens.starts[first], match.tokens.ends[end - 1], first, end


def weekdays_of(match: PatternMatch) -> tuple[NamedValue, ...]:
    """Return the weekdays that the match's word for a weekday can mean."""
    for group in ("weekday", "weekday2", "weekday3"):
        if match.token(group) >= 0:
            return named_values(match.senses(group, "weekday"))
    number = match.number("weekdaynumber")
    if number is not None and 2 <= number <= 7:
        return (NamedValue(number - 2, ALL_LANGUAGES),)
    return ()


def era_of(match: PatternMatch) -> int | None:
    """Return the era a match names, as the year before the era's first year."""
    senses = match.senses("era", "era")
    return int(senses[0].value) if senses else None


def restrict_to_languages(values: tuple[NamedValue, ...], languages: int) -> tuple[NamedValue, ...]:
    """Keep the values that belong to one of the languages; keep all values when none does."""
    kept = tuple(NamedValue(v.value, v.languages & languages) for v in values if v.languages & languages)
    return kept or values


def all_languages(values: tuple[NamedValue, ...]) -> int:
    """Return all languages of some values."""
    languages = 0
    for value in values:
        languages |= value.languages
    return languages


def end_before_foreign_suffix(match: PatternMatch, languages: int) -> int | None:
    """Return the token where a date ends when the word after its year is foreign: «2020 a» is not Basque.

    None means that the suffix belongs to the date.
    """
    index = match.token("tail")
    if index < 0:
        return None
    suffix_languages = 0
    for sense in match.senses("tail", "tail"):
        suffix_languages |= sense.languages
    if suffix_languages & languages:
        dot = match.token("taildot")
        whole_word = match.tokens.ends[index] - match.tokens.starts[index] > 3
        return dot if dot >= 0 and whole_word else None  # «2000 roku.» ends a sentence, «2000 r.» does not
    cut = index
    while match.tokens.letters[cut - 1] == " ":
        cut -= 1
    return cut


def dot_belongs_to_date(match: PatternMatch, separator: str) -> bool:
    """Whether the dot after the last number is part of the date, and not the end of a sentence."""
    if separator != ".":
        return False
    letters = match.tokens.letters
    first, dot = match.found.start(), match.token("dot")
    words_before = sum(1 for c in letters[max(0, first - 40) : first] if c == "w" or c >= "\ue000")
    ends_text = not letters[dot + 1 :].strip(" <")
    return not (ends_text and words_before > 3)
