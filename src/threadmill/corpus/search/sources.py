"""Reads files and workspaces as search entries: corpora directly, archives and pages through the cleaner."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from html import unescape
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import AnyFile, files_under
from threadmill.corpus.build.corpus_inputs import (
    expand_inputs,
    open_unpacked,
    read_rows,
    read_sources,
    records_kind,
)
from threadmill.corpus.build.corpus_options import CorpusOptions
from threadmill.corpus.build.documents import IMAGE, Document
from threadmill.corpus.build.page_to_corpus import PageConverter
from threadmill.corpus.search.entries import SearchEntry, entries_of
from threadmill.corpus.vertical.reader import ATTRIBUTE, TAG
from threadmill.errors import NothingFoundError

_VERTICAL = (".vert", ".vrt", ".vertical")
_JSON = (".jsonl", ".ndjson", ".json")
_COMPRESSED = (".gz", ".xz")


def files_of(paths: Sequence[AnyFile]) -> list[AnyFile]:
    """The inputs in order: files and workspaces as given, directories replaced by their readable files."""
    found: list[AnyFile] = []
    for path in paths:
        pages = expand_inputs([path])
        if pages != [path] and path.is_dir():
            pages += [file for file in files_under(path) if _kind(file) in {"vertical", "json"}]
        found += sorted(pages, key=lambda file: Path(str(file)).parts)
    if not found:
        raise NothingFoundError("found no vertical, JSON-lines, WARC or HTML file in the given inputs")
    return found


def read_entries(path: AnyFile, reasons: Counter[str], *, posts: bool = True) -> Iterator[SearchEntry]:
    """The entries of one input. Pages and records without entries are counted by reason."""
    kind = "" if path.is_dir() else _kind(path)
    if not kind:
        yield from _entries_of_pages(path, reasons, posts)
        return
    if kind == "parquet":
        for _, row in read_rows(path, ReadTally()):
            yield from _entries_of_row(row, reasons)
        return
    with open_unpacked(path) as (octets, _):
        lines = TextIOWrapper(octets, encoding="utf-8", errors="replace")
        yield from _entries_of_json_lines(lines, reasons) if kind == "json" else read_running_text(lines)


def write_entries(posts: bool, files: Sequence[AnyFile], write: Callable[[bytes], object]) -> dict[str, Any]:
    """Write the entries of some inputs as JSON lines. Returns why pages and records have none."""
    reasons: Counter[str] = Counter()
    for file in files:
        for entry in read_entries(file, reasons, posts=posts):
            write(json.dumps(astuple(entry)).encode() + b"\n")
    return {"reasons": reasons}


def entries_of_lines(pieces: Iterable[bytes]) -> Iterator[SearchEntry]:
    """Read what `write_entries` wrote; the pieces may end anywhere."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield SearchEntry(*json.loads(line))


def _kind(path: AnyFile) -> str:
    name = path.name.lower()
    if records_kind(name) == "parquet":
        return "parquet"
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return "vertical" if name.endswith(_VERTICAL) else "json" if name.endswith(_JSON) else ""


def _entries_of_pages(path: AnyFile, reasons: Counter[str], posts: bool) -> Iterator[SearchEntry]:
    reader = PageConverter(CorpusOptions(metadata=True, posts=posts))
    tally = ReadTally()
    for source in read_sources(path, tally):
        try:
            found: Document | str = reader.document(source)
        except Exception as error:  # a hostile page or a bug: the run continues
            found = f"failed with {type(error).__name__}"
        if isinstance(found, str):
            reasons[found] += 1
        else:
            yield from entries_of(found)
    reasons.update(tally.skipped)


def _entries_of_json_lines(lines: TextIO, reasons: Counter[str]) -> Iterator[SearchEntry]:
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            reasons["no JSON object"] += 1
            continue
        yield from _entries_of_row(record, reasons)


def _entries_of_row(record: dict[str, Any], reasons: Counter[str]) -> Iterator[SearchEntry]:
    count = 0
    for entry in _entries_of_record(record):
        count += 1
        yield entry
    if not count:
        reasons["no text"] += 1


def _entries_of_record(record: dict[str, Any]) -> Iterator[SearchEntry]:
    """Entries of a JSON record: of `clean`, `posts` or `vert --format jsonl`, or any object with a text."""
    said = record.get("metadata")
    known = {**said, **record} if isinstance(said, dict) else record
    base = SearchEntry(
        "",
        _text(known, "url"),
        _text(known, "title", "thread_title"),
        _text(known, "author"),
        _text(known, "date"),
        _text(known, "language", "lang"),
        "post" if "thread_url" in record else "p",
        _text(known, "board", "board_url"),
    )
    if isinstance(record.get("blocks"), list):
        yield from _entries_of_blocks(record["blocks"], base)
    elif isinstance(record.get("paragraphs"), list):
        good = (p for p in record["paragraphs"] if isinstance(p, dict) and p.get("class", "good") == "good")
        yield from _entries_of_blocks(list(good), base)
    elif base.kind == "post":
        yield from _entry_if_text(base, _text(record, "text"))
    else:
        for line in _text(record, "text").split("\n"):
            yield from _entry_if_text(base, line)


def _entries_of_blocks(blocks: list[Any], base: SearchEntry) -> Iterator[SearchEntry]:
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind = _text(block, "type") or base.kind
        own = SearchEntry(
            "",
            _text(block, "url") or base.url,
            base.title,
            _text(block, "author") or ("" if kind == "quote" else base.author),
            _text(block, "date") or ("" if kind == "quote" else base.date),
            _text(block, "language") or base.language,
            kind if kind in {"post", "quote"} else base.kind,
            base.board,
        )
        if isinstance(block.get("blocks"), list):
            yield from _entries_of_blocks(block["blocks"], own)
        else:
            yield from _entry_if_text(own, _text(block, "text"))


def _entry_if_text(base: SearchEntry, text: str) -> Iterator[SearchEntry]:
    if text.strip():
        yield replace(base, text=text)


def _text(record: dict[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value), "")


_SECTIONS = frozenset({"doc", "post", "quote"})
_PARAGRAPH_BREAKS = _SECTIONS | {"p", "head"}


@dataclass(slots=True)
class _Open:
    """A document, post or quote that is still open."""

    name: str
    entry: SearchEntry  # its fields, without text
    paragraphs: list[str] = field(default_factory=list)


def read_running_text(lines: Iterable[str]) -> Iterator[SearchEntry]:
    """The entries of a vertical file of any origin: paragraphs, posts and quotes. Headings are left out."""
    reader = _RunningTextReader()
    for line in lines:
        if line.startswith("<") and (match := TAG.fullmatch(line.rstrip("\n"))):
            yield from reader.tag(match[1] == "/", match[2], match[3], match[4] == "/")
        else:
            reader.position(line)
    yield from reader.tag(True, "doc", "", False)


class _RunningTextReader:
    def __init__(self) -> None:
        self._open = [_Open("doc", SearchEntry(""))]
        self._words: list[str] = []
        self._glued = False
        self._in_head = False

    def position(self, line: str) -> None:
        form = line.rstrip("\n").partition("\t")[0]
        if form == IMAGE or not form:
            return
        if "&" in form:
            form = unescape(form)
        self._words.append(form if self._glued or not self._words else f" {form}")
        self._glued = False

    def tag(self, closing: bool, name: str, attributes: str, empty: bool) -> Iterator[SearchEntry]:
        if empty:
            self._glued = self._glued or name == "g"
        elif name in _PARAGRAPH_BREAKS:
            yield from self._paragraph()
            self._in_head = name == "head" and not closing
            if name in _SECTIONS:
                yield from self._closed(name) if closing else self._opened(name, attributes)

    def _paragraph(self) -> Iterator[SearchEntry]:
        text, self._words, self._glued = "".join(self._words), [], False
        if not text or self._in_head:
            return
        section = self._open[-1]
        if section.name == "doc":
            yield _with_text(section.entry, text)
        else:
            section.paragraphs.append(text)

    def _opened(self, name: str, attributes: str) -> Iterator[SearchEntry]:
        said = {m[1]: unescape(m[2] if m[2] is not None else m[3]) for m in ATTRIBUTE.finditer(attributes)}
        if name == "doc":
            yield from self._closed("doc")
        outer = self._open[-1].entry
        own = name != "quote"  # a quote has another author and another date than its post
        entry = SearchEntry(
            "",
            said.get("url") or outer.url,
            said.get("title") or outer.title,
            said.get("author") or (outer.author if own else ""),
            said.get("date") or (outer.date if own else ""),
            said.get("lang") or outer.language,
            "p" if name == "doc" else name,
            said.get("board") or outer.board,
        )
        self._open.append(_Open(name, entry))

    def _closed(self, name: str) -> Iterator[SearchEntry]:
        """Close sections up to the one of this name, or all: a foreign vertical may lack closing tags."""
        while len(self._open) > 1:
            section = self._open.pop()
            if section.paragraphs:
                yield _with_text(section.entry, "\n".join(section.paragraphs))
            if section.name == name:
                return


def _with_text(base: SearchEntry, text: str) -> SearchEntry:
    return replace(base, text=text)
