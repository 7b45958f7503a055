"""Search entries: a paragraph or post with its searchable fields, and the terms of its text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from threadmill.corpus.build.documents import AnyPassage, Document, Section
from threadmill.corpus.text.tokens import UNSPACED, marks

# Words of real text are shorter. Longer strings are encoded data, and are found by their beginning.
_LONGEST_TERM = 80
_ASCII_TERM = re.compile(r"[a-z0-9]+")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """One paragraph, post or quote."""

    text: str
    url: str = ""
    title: str = ""
    author: str = ""
    date: str = ""  # ISO 8601, as precise as the source
    language: str = ""
    kind: str = "p"  # or "post", "quote"
    board: str = ""  # the URL of its board, if it is of a forum


@cache
def _term() -> re.Pattern[str]:
    """A word of any script. In scripts without spaces between words, a single character."""
    return re.compile(f"[{UNSPACED}]|(?:[^\\W_{UNSPACED}]|[{marks()}])+")


def terms(text: str) -> list[str]:
    """The words of a text in lower case, as in the index and in queries."""
    lowered = text.lower()
    found = _ASCII_TERM.findall(lowered) if lowered.isascii() else _term().findall(lowered)
    return [term[:_LONGEST_TERM] for term in found] if len(lowered) > _LONGEST_TERM else found


def term_spans(text: str) -> list[tuple[int, int, str]]:
    """The same terms with their positions in the text."""
    return [
        (match.start(), match.end(), match.group().lower()[:_LONGEST_TERM])
        for match in _term().finditer(text)
    ]


def frequent_pairs(found: list[str], frequent: Collection[str]) -> Iterator[str]:
    """Neighbours that are both frequent words, as one term. Without them, phrases of such words are slow."""
    for one, other in itertools.pairwise(found):
        if one in frequent and other in frequent:
            yield join_pair(one, other)


def join_pair(one: str, other: str) -> str:
    """Two words as one term."""
    return f"{one}_{other}"  # no term has an underscore


# The range of dates, for a period that is open on one side.
_FIRST_DAY, _LAST_DAY = 1000_01_01, 2999_12_31


def days(date: str) -> tuple[int, int] | None:
    """The first and the last day that a date can mean, as numbers like 20240531. None without a date."""
    match = _DATE.match(date)
    if match is None:
        return None
    year, month, day = match.groups()
    first = int(year + (month or "01") + (day or "01"))
    return first, int(year + (month or "12") + (day or "31"))


def periods(date: str) -> list[str]:
    """The year and the months that a date can mean, as terms: 2024, 202405."""
    span = days(date)
    if span is None:
        return []
    first, last = span
    year = first // 10_000
    return [str(year), *(str(month) for month in range(first // 100, last // 100 + 1))]


def whole_periods(since: int, until: int) -> list[str]:
    """The whole years and months that exactly make up a range of days. Empty if a month is not whole.

    0 for a bound means that the range is open on that side.
    """
    first, last = since or _FIRST_DAY, until or _LAST_DAY
    if not (since or until) or first > last or first % 100 != 1 or last % 100 != 31:
        return []
    months = range(first // 100, last // 100 + 1)
    begin, end = first // 10_000, last // 10_000
    if begin == end and (first % 10_000 != 101 or last % 10_000 != 1231):
        return [str(month) for month in months]
    whole = range(begin + (first % 10_000 != 101), end + (last % 10_000 == 1231))
    edges = [*range(months[0], begin * 100 + 13), *range(end * 100 + 1, months[-1] + 1)]
    return [*map(str, whole), *(str(month) for month in edges if month // 100 not in whole)]


def entries_of(document: Document) -> Iterator[SearchEntry]:
    """The entries of a document: each paragraph, each post, and each quote in a post."""
    known = dict(document.attributes)
    base = SearchEntry(
        "",
        known.get("url", ""),
        known.get("title", ""),
        known.get("author", ""),
        known.get("date", ""),
        known.get("lang", ""),
        board=known.get("board", ""),
    )
    yield from _entries(document.children, base)


def _entries(children: Iterable[AnyPassage | Section], base: SearchEntry) -> Iterator[SearchEntry]:
    own: list[str] = []
    for child in children:
        if isinstance(child, Section):
            yield from _entries(child.children, _section_fields(child, base))
        elif base.kind == "p":
            yield _with_text(base, child.text)
        else:
            own.append(child.text)
    if own:
        yield _with_text(base, "\n".join(own))


def _section_fields(section: Section, base: SearchEntry) -> SearchEntry:
    known = dict(section.attributes)
    quoted = section.name == "quote"  # a quote has another author and another date than its post
    return SearchEntry(
        "",
        known.get("url", "") or base.url,
        base.title,
        known.get("author", "" if quoted else base.author),
        known.get("date", "" if quoted else base.date),
        base.language,
        section.name,
        base.board,
    )


def _with_text(base: SearchEntry, text: str) -> SearchEntry:
    return replace(base, text=text)
