"""Concordance lines of a question: one page of them, sorted by the words before or after, or sampled."""

from __future__ import annotations

import csv
import io
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlencode

from threadmill.console.search.indexes import WorkspaceIndexes
from threadmill.corpus.search.entries import SearchEntry, terms
from threadmill.corpus.search.index import SearchHit, SearchIndex
from threadmill.corpus.search.query import SearchQuery, concordance, parse_question
from threadmill.sites.report.results import without_formula

ORDERS = {
    "relevance": "best first",
    "newest": "newest first",
    "oldest": "oldest first",
    "corpus": "as in the corpus",
    "random": "random sample",
}
SORTS = {"": "as found", "right": "words after", "left": "words before"}
CONTEXTS = (40, 60, 100)  # characters on each side
TEXTS = 30  # on a page
POOL = 500  # texts that are sorted or sampled: reading one from the index takes 0.15 ms
_MOST_KEPT = 32  # questions whose sorted lines are kept
_MOST_EXPORTED = 10_000  # texts
_LONGEST = 500  # characters of a question or filter
_CSV_COLUMNS = ("left", "match", "right", "date", "author", "title", "language", "url", "board")


@dataclass(frozen=True, slots=True)
class Question:
    """What a person asked for on the page."""

    index: str
    text: str
    filters: tuple[tuple[str, str], ...]
    order: str = "relevance"
    sort: str = ""
    seed: int = 1
    context: int = 60

    @property
    def is_pooled(self) -> bool:
        """Whether its lines come from a pool that is sorted or sampled, and not page by page."""
        return bool(self.sort) or self.order == "random"

    def parse(self) -> SearchQuery:
        """The query of the index. Nothing to look for raises UsageError."""
        return parse_question(self.text, **dict(self.filters))


FILTERS = ("site", "board", "author", "language", "since", "until")


def read_question(given: Mapping[str, str], names: list[str]) -> Question:
    """The question of a request. What makes no sense is read as the first choice."""

    def number(name: str, usual: int, most: int) -> int:
        text = given.get(name, "")
        return (
            int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most else usual
        )

    index, order, sort = given.get("index", ""), given.get("order", ""), given.get("sort", "")
    context = number("context", 60, CONTEXTS[-1])
    return Question(
        index if index in names else names[0] if names else "",
        given.get("q", "")[:_LONGEST],
        tuple((name, value[:_LONGEST]) for name in FILTERS if (value := given.get(name, "").strip())),
        order if order in ORDERS else "relevance",
        sort if sort in SORTS else "",
        number("seed", 1, 10**9),
        context if context in CONTEXTS else 60,
    )


@dataclass(frozen=True, slots=True)
class KwicLine:
    """One match in its context, and the text it stands in."""

    left: str
    match: str
    right: str
    entry: SearchEntry
    post_query: str = ""  # of the address that opens its post
    page_query: str = ""  # of the address that opens its archived page


@dataclass(frozen=True, slots=True)
class KwicPage:
    """One page of lines."""

    lines: tuple[KwicLine, ...]
    count: int  # texts with a match
    seconds: float
    pages: int  # of lines that can be turned
    pooled: int = 0  # texts that were sorted or sampled; 0: all


class Concordances:
    """Answers questions. Lines that were sorted are kept, so that turning a page costs nothing."""

    def __init__(self, indexes: WorkspaceIndexes) -> None:
        self._indexes = indexes
        self._kept: OrderedDict[object, tuple[tuple[KwicLine, ...], int, float]] = OrderedDict()
        self._lock = Lock()

    def page(self, question: Question, number: int) -> KwicPage:
        """One page of the lines of a question, from 1."""
        index, query = self._indexes.get(question.index), question.parse()
        if not question.is_pooled:
            found = index.search(query, TEXTS, order=question.order, offset=(number - 1) * TEXTS)
            lines = tuple(_lines(found.hits, query, question.context))
            return KwicPage(lines, found.count, found.seconds, -(-found.count // TEXTS))
        lines, count, seconds = self._pool(index, query, question)
        first = (number - 1) * 50
        pooled = POOL if count > POOL else 0
        return KwicPage(lines[first : first + 50], count, seconds, -(-len(lines) // 50), pooled)

    def export(self, question: Question) -> str:
        """All lines as CSV, up to ten thousand texts."""
        index, query = self._indexes.get(question.index), question.parse()
        lines, _, _ = _load(index, query, question, _MOST_EXPORTED)
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(_CSV_COLUMNS)
        for line in lines:
            one = line.entry
            row = (line.left, line.match, line.right, one.date, one.author, one.title, one.language, one.url)
            writer.writerow([without_formula(value) for value in (*row, one.board)])
        return out.getvalue()

    def _pool(
        self, index: SearchIndex, query: SearchQuery, question: Question
    ) -> tuple[tuple[KwicLine, ...], int, float]:
        key = (question, self._indexes.stamp(question.index))
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            known = _load(index, query, question, POOL)
            with self._lock:
                self._kept[key] = known
                while len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
        return known


def _load(
    index: SearchIndex, query: SearchQuery, question: Question, most: int
) -> tuple[tuple[KwicLine, ...], int, float]:
    if question.order == "random":
        found = index.sample(query, most, question.seed)
    else:
        found = index.search(query, most, order=question.order)
    lines = list(_lines(found.hits, query, question.context))
    if question.sort == "right":
        lines.sort(key=lambda line: (terms(line.right), terms(line.left)[::-1]))
    elif question.sort == "left":
        lines.sort(key=lambda line: (terms(line.left)[::-1], terms(line.right)))
    return tuple(lines), found.count, found.seconds


def _lines(hits: Iterable[SearchHit], query: SearchQuery, width: int) -> Iterable[KwicLine]:
    for hit in hits:
        entry = hit.entry
        page = urlencode({"url": entry.url})
        post = urlencode({"url": entry.url, "date": entry.date})
        for line in concordance(entry.text, query.wanted, width):
            yield KwicLine(line.left, line.match, line.right, entry, post, page)
