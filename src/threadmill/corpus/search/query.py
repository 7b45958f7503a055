"""A question as a person types it: words, "phrases", beginnings*, -without, a OR b, and fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from threadmill.corpus.search.entries import days, terms
from threadmill.errors import UsageError

_PART = re.compile(r"""(-)?(?:(site|author|lang|date):)?(?:"([^"]*)"?|(\S+))""")
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in a row; the last may be the beginning of one."""

    words: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """One of these phrases must, or none of them may, be there."""

    phrases: tuple[Phrase, ...]
    without: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for."""

    clauses: tuple[Clause, ...] = ()
    site: str = ""
    author: str = ""
    language: str = ""
    since: int = 0  # days as 20240531; 0: no bound
    until: int = 0

    @property
    def wanted(self) -> tuple[Phrase, ...]:
        """The phrases that a hit holds."""
        return tuple(phrase for clause in self.clauses if not clause.without for phrase in clause.phrases)


def parse(text: str) -> Question:
    """A question from what was typed; anything is one, unless nothing is left to look for."""
    question = Question()
    clauses: list[Clause] = []
    joined = False
    for minus, field, quoted, bare in _PART.findall(text):
        value = quoted or bare
        if field:
            question = with_field(question, field, value)
        elif bare == "OR" and clauses:
            joined = True
        elif phrase := _phrase(value):
            if joined:
                clauses[-1] = replace(clauses[-1], phrases=(*clauses[-1].phrases, phrase))
            else:
                clauses.append(Clause((phrase,), bool(minus)))
            joined = False
    return replace(question, clauses=tuple(clauses))


def _phrase(text: str) -> Phrase | None:
    """Punctuation parts words here as in the index: "e-mail" are two in a row."""
    words = tuple(terms(text))
    return Phrase(words, prefix=text.endswith("*")) if words else None


def with_field(question: Question, field: str, value: str) -> Question:
    """The question with one more condition."""
    if field == "site":
        return replace(question, site=value.lower())
    if field == "author":
        return replace(question, author=value.casefold())
    if field == "lang":
        return replace(question, language=value.lower())
    first, dots, last = value.partition("..")
    return with_dates(question, first, last if dots else first)


def with_dates(question: Question, first: str, last: str) -> Question:
    """Only what was, or may have been, written between two dates; each may be a year, a month or a day."""
    for value in (first, last):
        if value and not _DAY.fullmatch(value):
            raise UsageError(f"expected a date as 2024, 2024-05 or 2024-05-31, not {value!r}")
    begin, end = days(first), days(last)
    return replace(
        question, since=begin[0] if begin else question.since, until=end[1] if end else question.until
    )
