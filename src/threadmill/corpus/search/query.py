"""Parses search queries as people type them: words, "phrases", prefixes*, -excluded, a OR b; finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadmill.corpus.search.entries import days, term_spans, terms
from threadmill.errors import UsageError

_PART = re.compile(r"""(-)?(?:(site|board|author|lang|date):)?(?:"([^"]*)"?|(\S+))""")
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_MOST_WORDS = 500  # of a query: each is looked for at each word of a text


@dataclass(frozen=True, slots=True)
class QueryPhrase:
    """Words in a row. With `prefix`, the last one is only the beginning of a word."""

    words: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class QueryClause:
    """A hit has one of these phrases, or with `without` none of them."""

    phrases: tuple[QueryPhrase, ...]
    without: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is searched for."""

    clauses: tuple[QueryClause, ...] = ()
    site: str = ""
    author: str = ""
    language: str = ""
    since: int = 0  # a day as 20240531; 0: no bound
    until: int = 0
    board: str = ""  # its URL

    @property
    def wanted(self) -> tuple[QueryPhrase, ...]:
        """The phrases that a hit may contain."""
        return tuple(phrase for clause in self.clauses if not clause.without for phrase in clause.phrases)


def parse_query(text: str) -> SearchQuery:
    """Parse a query. One without words and fields matches everything.

    Raise UsageError for a date that is none, and for too many words.
    """
    query = SearchQuery()
    clauses: list[QueryClause] = []
    count = 0
    joined = False
    for minus, field, quoted, bare in _PART.findall(text):
        value = quoted or bare
        if field:
            query = with_field(query, field, value)
        elif bare == "OR" and clauses:
            joined = True
        elif phrase := _phrase(value):
            count += len(phrase.words)
            if count > _MOST_WORDS:
                raise UsageError(f"expected at most {_MOST_WORDS} words in a question; ask for fewer")
            if joined:
                clauses[-1] = replace(clauses[-1], phrases=(*clauses[-1].phrases, phrase))
            else:
                clauses.append(QueryClause((phrase,), bool(minus)))
            joined = False
    return replace(query, clauses=tuple(clauses))


def _phrase(text: str) -> QueryPhrase | None:
    """The words of a text as a phrase. Punctuation separates words as in the index: "e-mail" is two words."""
    words = tuple(terms(text))
    return QueryPhrase(words, prefix=text.endswith("*")) if words else None


def with_field(query: SearchQuery, field: str, value: str) -> SearchQuery:
    """The query with one more condition."""
    if field == "site":
        return replace(query, site=value.lower())
    if field == "board":
        return replace(query, board=value)
    if field == "author":
        return replace(query, author=value.casefold())
    if field == "lang":
        return replace(query, language=value.lower())
    first, dots, last = value.partition("..")
    return with_dates(query, first, last if dots else first)


def with_dates(query: SearchQuery, first: str, last: str) -> SearchQuery:
    """The query limited to entries that may be written between two dates: years, months or days."""
    for value in (first, last):
        if value and not _DAY.fullmatch(value):
            raise UsageError(f"expected a date as 2024, 2024-05 or 2024-05-31, but got {value!r}")
    begin, end = days(first), days(last)
    return replace(query, since=begin[0] if begin else query.since, until=end[1] if end else query.until)


def parse_question(
    text: str,
    *,
    site: str = "",
    board: str = "",
    author: str = "",
    language: str = "",
    since: str = "",
    until: str = "",
) -> SearchQuery:
    """The question that a text and options ask together. Nothing to look for raises UsageError."""
    question = parse_query(text)
    for name, value in (("site", site), ("board", board), ("author", author), ("lang", language)):
        question = with_field(question, name, value) if value else question
    question = with_dates(question, since, until)
    if question == SearchQuery():
        raise UsageError("the question has no word and no field to look for; see: threadmill search --help")
    return question


@dataclass(frozen=True, slots=True)
class ConcordanceLine:
    """One match with the text before and after it."""

    left: str
    match: str
    right: str


def concordance(text: str, phrases: Sequence[QueryPhrase], width: int = 40) -> list[ConcordanceLine]:
    """All matches of the phrases in order, without overlaps. If there is none, the beginning of the text."""
    found = sorted(set(_find_matches(text, phrases)), key=lambda place: (place[0], -place[1]))
    lines: list[ConcordanceLine] = []
    last = 0
    for start, end in found:
        if start >= last:
            lines.append(_make_line(text, start, end, width))
            last = end
    return lines or [_make_line(text, 0, 0, width)]


def _find_matches(text: str, phrases: Sequence[QueryPhrase]) -> Iterator[tuple[int, int]]:
    spans = term_spans(text)
    words = [word for _, _, word in spans]
    for phrase in dict.fromkeys(phrases):
        length = len(phrase.words)
        for at in range(len(words) - length + 1):
            if _matches_at(words, at, phrase):
                yield spans[at][0], spans[at + length - 1][1]


def _matches_at(words: list[str], at: int, phrase: QueryPhrase) -> bool:
    *before, last = phrase.words
    if before and words[at] != before[0]:  # nearly always: the rest need not be looked at
        return False
    if words[at : at + len(before)] != before:
        return False
    word = words[at + len(before)]
    return word.startswith(last) if phrase.prefix else word == last


def _make_line(text: str, start: int, end: int, width: int) -> ConcordanceLine:
    left = " ".join(text[max(0, start - 2 * width) : start].split())
    right = " ".join(text[end : end + 2 * width].split())
    space_before = " " if text[start - 1 : start].isspace() else ""
    space_after = " " if text[end : end + 1].isspace() else ""
    return ConcordanceLine(
        (left + space_before)[-width:], " ".join(text[start:end].split()), (space_after + right)[:width]
    )
