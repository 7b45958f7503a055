"""The index on disk (tantivy): entries in, hits out; an input is replaced when it is indexed again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from threadmill.corpus.search.entries import Entry, days, pairs, periods, terms
from threadmill.corpus.search.query import Question
from threadmill.corpus.search.translation import Translator
from threadmill.corpus.text.languages import frequent_words
from threadmill.errors import MissingDependencyError, SearchIndexError, URLError
from threadmill.urls import host_of, site_of

_STATE = "threadmill-index.json"
_FORMAT = 1
# One thread keeps the order of the corpus and this much memory is used before a segment is written.
_HEAP_OCTETS = 64_000_000
# A commit costs some milliseconds and a segment; inputs finished since the last one are read again.
_COMMIT_EVERY_SECONDS = 20.0
# Rank of a language's words up to which neighbours are indexed as pairs.
_FREQUENT_RANK = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that answers a question."""

    entry: Entry
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The best hits, how many there are in all, and how long it took."""

    hits: tuple[Hit, ...]
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
    for name in ("site", "author", "lang", "period", "source"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("first_day", "last_day", "number"):
        builder.add_unsigned_field(name, indexed=name != "number", fast=True)
    builder.add_bytes_field("entry", stored=True)
    return builder.build()


class SearchIndex:
    """An index in a directory, for writing and for asking."""

    def __init__(self, directory: Path, *, create: bool = False) -> None:
        tantivy = self._tantivy = _tantivy()
        self._state_file = directory / _STATE
        self._committed = time.monotonic()
        if not self._state_file.exists():
            if not create:
                raise SearchIndexError(
                    f"{directory} is no index; make one: threadmill index INPUT --index {directory}"
                )
            self._make(directory)
        self._state: dict[str, Any] = json.loads(self._state_file.read_text(encoding="utf-8"))
        if self._state["format"] != _FORMAT:
            raise SearchIndexError(f"{directory} was made by another version; delete it and index again")
        self._frequent = frozenset(self._state["frequent"])
        try:
            self._index = tantivy.Index(_schema(tantivy), path=str(directory))
        except (ValueError, OSError) as error:
            raise SearchIndexError(f"the index {directory} cannot be opened: {error}; index again") from None
        self._translator = Translator(tantivy, self._index.schema, frozenset(self._state["frequent"]))

    def _make(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise SearchIndexError(f"{directory} is no index and not empty; name an empty or new directory")
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
        """Whether this input is in the index as it is now."""
        return bool(stamp) and self._state["done"].get(source) == stamp

    @cached_property
    def _writer(self) -> Any:
        try:
            return self._index.writer(heap_size=_HEAP_OCTETS, num_threads=1)
        except ValueError as error:
            raise SearchIndexError(
                f"the index cannot be written: {error}; is another process at it?"
            ) from None

    def add(
        self,
        source: str,
        stamp: str,
        entries: Iterable[Entry],
        each: Callable[[Entry], None] = lambda _: None,
    ) -> None:
        """All entries of an input in the place of those it had before."""
        self._writer.delete_documents_by_term("source", source)
        for entry in entries:
            self._writer.add_document(self._document(entry, source))
            each(entry)
        self._state["done"][source] = stamp
        if time.monotonic() - self._committed > _COMMIT_EVERY_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Keep what was added for good, then say so."""
        self._writer.commit()
        self._save()
        self._committed = time.monotonic()

    def close(self) -> None:
        """Keep everything and wait until the segments are merged."""
        if "_writer" in self.__dict__:
            self.commit()
            self._writer.wait_merging_threads()
            del self.__dict__["_writer"]

    def _document(self, entry: Entry, source: str) -> Any:
        words = terms(entry.text)
        number = self._state["next"]
        self._state["next"] = number + 1
        values: dict[str, Any] = {
            "body": " ".join(words),
            "pairs": " ".join(pairs(words, self._frequent)),
            "site": _sites(entry.url),
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

    # Asking

    def __len__(self) -> int:
        self._index.reload()
        return int(self._index.searcher().num_docs)

    def ask(self, question: Question, limit: int = 20, *, order: str = "relevance") -> Answer:
        """The hits of a question: the best first, or in the order of the corpus or of their dates."""
        started = time.perf_counter()
        tantivy = self._tantivy
        searcher = self._index.searcher()
        fields = {
            "corpus": ("number", "Asc"),
            "oldest": ("first_day", "Asc"),
            "newest": ("first_day", "Desc"),
        }
        ordering: dict[str, Any] = {}
        if order in fields:
            name, direction = fields[order]
            ordering = {"order_by_field": name, "order": getattr(tantivy.Order, direction)}
        found = searcher.search(self._translator.query(question), limit, **ordering)
        hits = [
            Hit(Entry(*json.loads(bytes(searcher.doc(place)["entry"][0]))), float(key or 0))
            for key, place in found.hits
        ]
        return Answer(tuple(hits), int(found.count), time.perf_counter() - started)


def _sites(url: str) -> list[str]:
    """What a page may be asked by: its host, and the registered domain that host belongs to."""
    try:
        host = host_of(url) if url else ""
        return list({host, site_of(url)}) if host else []
    except URLError:  # a file, or an address that is none
        return []
