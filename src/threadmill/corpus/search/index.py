"""The search index on disk (tantivy): adds entries and answers queries. An input can be indexed again."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from threadmill.corpus.search.entries import (
    SearchEntry,
    days,
    frequent_pairs,
    join_pair,
    periods,
    terms,
    whole_periods,
)
from threadmill.corpus.search.query import QueryClause, QueryPhrase, SearchQuery
from threadmill.corpus.text.languages import frequent_words
from threadmill.errors import MissingDependencyError, SearchIndexError, URLError
from threadmill.urls import host_of, site_of

STATE_FILE = "threadmill-index.json"
_FORMAT = 2  # 1: without boards
# Memory that is used before a segment is written. One thread writes, to keep the order of the corpus.
_HEAP_OCTETS = 64_000_000
# A commit costs some milliseconds and a segment. After a crash, inputs since the last commit are read again.
_COMMIT_EVERY_SECONDS = 20.0
# Words of a language up to this rank count as frequent: two of them in a row are also indexed as a pair.
_FREQUENT_RANK = 50
_ORDERS = {"corpus": ("number", "Asc"), "oldest": ("first_day", "Asc"), "newest": ("first_day", "Desc")}
_MOST_SAMPLED = 2_000_000  # hits from which a sample is drawn: finding them takes 0.1 s


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An entry that matches a query."""

    entry: SearchEntry
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best hits, the number of all hits, and the time of the search."""

    hits: tuple[SearchHit, ...]
    count: int
    seconds: float


def _tantivy() -> Any:
    try:
        import tantivy
    except ImportError:
        raise MissingDependencyError("tantivy", "search", "Search") from None
    return tantivy


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="position")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="freq")
    for name in ("site", "board", "author", "lang", "period", "source"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("first_day", "last_day", "number"):
        builder.add_unsigned_field(name, indexed=name != "number", fast=True)
    builder.add_bytes_field("entry", stored=True)
    return builder.build()


class SearchIndex:
    """A search index in a directory."""

    def __init__(self, directory: Path, *, create: bool = False) -> None:
        tantivy = self._tantivy = _tantivy()
        self._state_file = directory / STATE_FILE
        self._committed = time.monotonic()
        if not self._state_file.exists():
            if not create:
                raise SearchIndexError(
                    f"{directory} is no index; make one with: threadmill index INPUT --index {directory}"
                )
            self._make(directory)
        self._state: dict[str, Any] = json.loads(self._state_file.read_text(encoding="utf-8"))
        if self._state["format"] != _FORMAT:
            raise SearchIndexError(f"{directory} was made by another version; delete it and index again")
        self._frequent = frozenset(self._state["frequent"])
        try:
            self._index = tantivy.Index(_schema(tantivy), path=str(directory))
        except (ValueError, OSError) as error:
            if create or not self._open_through_links(directory):
                message = f"the index {directory} cannot be opened: {error}; index again"
                raise SearchIndexError(message) from None
        self._query_maker = QueryMaker(tantivy, self._index.schema, frozenset(self._state["frequent"]))

    def _open_through_links(self, directory: Path) -> bool:
        """Open an index that may not be written: the lock that even a reader needs is elsewhere."""
        links = tempfile.mkdtemp(prefix="threadmill-index-")
        weakref.finalize(self, shutil.rmtree, links, ignore_errors=True)
        for file in directory.iterdir():
            if not file.name.endswith(".lock"):
                Path(links, file.name).symlink_to(file.resolve())
        try:
            self._index = self._tantivy.Index(_schema(self._tantivy), path=links)
        except (ValueError, OSError):
            return False
        return True

    def _make(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise SearchIndexError(f"{directory} is no index and not empty; give an empty or new directory")
        self._state = {
            "format": _FORMAT,
            "frequent": sorted(frequent_words(_FREQUENT_RANK)),
            "done": {},
            "next": 0,
        }
        self._save()

    def _save(self) -> None:
        fresh = self._state_file.with_suffix(".new")
        fresh.write_text(json.dumps(self._state, ensure_ascii=False), encoding="utf-8")
        fresh.replace(self._state_file)

    # Writing

    def is_done(self, source: str, stamp: str) -> bool:
        """Whether the index has this input in its present state."""
        return bool(stamp) and self._state["done"].get(source) == stamp

    @cached_property
    def _writer(self) -> Any:
        try:
            return self._index.writer(heap_size=_HEAP_OCTETS, num_threads=1)
        except ValueError as error:
            raise SearchIndexError(
                f"the index cannot be written: {error}; is another process writing to it?"
            ) from None

    def add(
        self,
        source: str,
        stamp: str,
        entries: Iterable[SearchEntry],
        each: Callable[[SearchEntry], None] = lambda _: None,
    ) -> None:
        """Add all entries of an input. They replace the entries that it had before."""
        self._writer.delete_documents_by_term("source", source)
        for entry in entries:
            self._writer.add_document(self._document(entry, source))
            each(entry)
        self._state["done"][source] = stamp
        if time.monotonic() - self._committed > _COMMIT_EVERY_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Write what was added to disk, then record that it is done."""
        self._writer.commit()
        self._save()
        self._committed = time.monotonic()

    def close(self) -> None:
        """Commit, and wait until the segments are merged."""
        if "_writer" in self.__dict__:
            self.commit()
            self._writer.wait_merging_threads()
            del self.__dict__["_writer"]

    def _document(self, entry: SearchEntry, source: str) -> Any:
        words = terms(entry.text)
        number = self._state["next"]
        self._state["next"] = number + 1
        values: dict[str, Any] = {
            "body": " ".join(words),
            "pairs": " ".join(frequent_pairs(words, self._frequent)),
            "site": _sites(entry.url),
            "board": entry.board,
            "author": entry.author.casefold(),
            "lang": entry.language.lower(),
            "period": periods(entry.date),
            "source": source,
            "number": number,
            "entry": json.dumps(list(asdict(entry).values()), ensure_ascii=False).encode("utf-8", "replace"),
        }
        if span := days(entry.date):
            values["first_day"], values["last_day"] = span
        return self._tantivy.Document.from_dict(values, self._index.schema)

    # Searching

    def __len__(self) -> int:
        self._index.reload()
        return int(self._index.searcher().num_docs)

    def search(
        self, question: SearchQuery, limit: int = 20, *, order: str = "relevance", offset: int = 0
    ) -> SearchResult:
        """Search: the best hits first, or hits in the order of the corpus or of their dates."""
        started = time.perf_counter()
        searcher = self._index.searcher()
        ordering: dict[str, Any] = {}
        if order in _ORDERS:
            name, direction = _ORDERS[order]
            ordering = {"order_by_field": name, "order": getattr(self._tantivy.Order, direction)}
        found = searcher.search(self._query_maker.query(question), limit, offset=offset, **ordering)
        hits = _load_hits(searcher, found.hits)
        return SearchResult(hits, int(found.count), time.perf_counter() - started)

    def sample(self, question: SearchQuery, size: int, seed: int) -> SearchResult:
        """A random sample of all hits, in random order. The same seed gives the same sample."""
        started = time.perf_counter()
        searcher = self._index.searcher()
        query = self._query_maker.query(question)
        places = searcher.search(query, _MOST_SAMPLED, order_by_field="number").hits
        chosen = random.Random(seed).sample(places, min(size, len(places)))
        count = len(places) if len(places) < _MOST_SAMPLED else int(searcher.search(query, 1).count)
        hits = _load_hits(searcher, [(0.0, place) for _, place in chosen])
        return SearchResult(hits, count, time.perf_counter() - started)

    def count_by_month(self, question: SearchQuery) -> dict[str, int]:
        """The hits of each month that has some, as "2024-05". Hits without a date are left out.

        A date that is only a year counts for its first month.
        """
        wanted = {"histogram": {"field": "first_day", "interval": 100, "min_doc_count": 1}}
        found = self._index.searcher().aggregate(self._query_maker.query(question), {"months": wanted})
        counts = ((int(bucket["key"]) // 100, bucket["doc_count"]) for bucket in found["months"]["buckets"])
        return {f"{month // 100:04d}-{month % 100:02d}": int(count) for month, count in counts}


def _load_hits(searcher: Any, found: Sequence[tuple[Any, Any]]) -> tuple[SearchHit, ...]:
    return tuple(
        SearchHit(SearchEntry(*json.loads(bytes(searcher.doc(place)["entry"][0]))), float(key or 0))
        for key, place in found
    )


def _sites(url: str) -> list[str]:
    """Terms for the field "site": the host of a URL, and its registered domain."""
    try:
        host = host_of(url) if url else ""
        return list({host, site_of(url)}) if host else []
    except URLError:  # a file, or no valid address
        return []


@dataclass(frozen=True, slots=True)
class QueryMaker:
    """Translates our queries into queries of tantivy."""

    _tantivy: Any
    _schema: Any
    _frequent: frozenset[str]  # words whose pairs are indexed as terms

    def query(self, question: SearchQuery) -> Any:
        """A query of tantivy with all conditions of ours."""
        query, occur = self._tantivy.Query, self._tantivy.Occur
        parts = [
            (occur.MustNot if clause.without else occur.Must, self._clause(clause))
            for clause in question.clauses
        ]
        fields = (
            ("site", question.site),
            ("board", question.board),
            ("author", question.author),
            ("lang", question.language),
        )
        parts += [(occur.Must, self._exactly(name, value)) for name, value in fields if value]
        parts += [(occur.Must, part) for part in self._dates(question)]
        if all(kind == occur.MustNot for kind, _ in parts):
            parts.append((occur.Must, query.all_query()))
        return query.boolean_query(parts)

    def _exactly(self, name: str, value: str) -> Any:
        query = self._tantivy.Query
        return query.const_score_query(query.term_query(self._schema, name, value), 0.0)

    def _dates(self, question: SearchQuery) -> list[Any]:
        """Conditions on the date. Whole years and months are terms, ten times as fast as comparing days."""
        query, kind = self._tantivy.Query, self._tantivy.FieldType.Unsigned
        whole = whole_periods(question.since, question.until)
        if whole:
            found = [query.term_set_query(self._schema, "period", whole)]
        else:
            bounds = (("last_day", question.since or None, None), ("first_day", None, question.until or None))
            found = [
                query.range_query(self._schema, name, kind, low, high)
                for name, low, high in bounds
                if low or high
            ]
        return [query.const_score_query(part, 0.0) for part in found]

    def _clause(self, clause: QueryClause) -> Any:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        found = [self._phrase(phrase) for phrase in clause.phrases]
        return found[0] if len(found) == 1 else query.boolean_query([(occur.Should, part) for part in found])

    def _phrase(self, phrase: QueryPhrase) -> Any:
        query, schema = self._tantivy.Query, self._schema
        words = list(phrase.words)
        if len(words) == 1:
            if phrase.prefix:
                return query.regex_query(schema, "body", f"{words[0]}.*")
            return query.term_query(schema, "body", words[0])
        if phrase.prefix:
            return query.phrase_prefix_query(schema, "body", words)
        if not self._frequent.issuperset(words):
            return query.phrase_query(schema, "body", words)
        # Only frequent words. They are everywhere, but their pairs are rarer.
        found = [query.term_query(schema, "pairs", join_pair(*both)) for both in itertools.pairwise(words)]
        if len(words) > 2:
            found.append(query.phrase_query(schema, "body", words))
        must = self._tantivy.Occur.Must
        return query.boolean_query([(must, part) for part in found])
