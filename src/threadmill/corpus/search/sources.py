"""Files and workspaces to entries: corpora as they are, archives and pages through the cleaner."""

from __future__ import annotations

import gzip
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from threadmill.archive.read_tally import ReadTally
from threadmill.corpus.build.corpus_inputs import captures, expand
from threadmill.corpus.build.documents import Document
from threadmill.corpus.build.page_to_corpus import Recipe, Verticaliser
from threadmill.corpus.search.entries import Entry, entries_of
from threadmill.corpus.search.running_text import read_running_text
from threadmill.errors import UsageError

_VERTICAL = (".vert", ".vrt", ".vertical")
_JSON = (".jsonl", ".ndjson", ".json")
_COMPRESSED = (".gz", ".xz")


def files_of(paths: list[Path]) -> list[Path]:
    """What to read, in order: files as given, workspaces, and of directories all that can be read."""
    found: list[Path] = []
    for path in paths:
        pages = expand([path])
        if path.is_dir() and pages != [path]:
            pages += [f for f in path.rglob("*") if f.is_file() and _kind(f) in {"vertical", "json"}]
        found += sorted(pages)
    if not found:
        raise UsageError("there is no vertical, JSON-lines, WARC or HTML file under what was given")
    return found


def stamp_of(path: Path) -> str:
    """Changes when the file does; a workspace always counts as changed."""
    if path.is_dir():
        return ""
    stat = path.stat()
    return f"{stat.st_size}:{stat.st_mtime_ns}"


def read_entries(path: Path, reasons: Counter[str], *, posts: bool = True) -> Iterator[Entry]:
    """The entries of one input; what gives none is counted by reason."""
    kind = "" if path.is_dir() else _kind(path)
    if kind == "json":
        with _open(path) as lines:
            yield from _of_json_lines(lines, reasons)
    elif kind == "vertical":
        with _open(path) as lines:
            yield from read_running_text(lines)
    else:
        yield from _of_pages(path, reasons, posts)


def _kind(path: Path) -> str:
    name = path.name.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return "vertical" if name.endswith(_VERTICAL) else "json" if name.endswith(_JSON) else ""


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8", errors="replace")


def _of_pages(path: Path, reasons: Counter[str], posts: bool) -> Iterator[Entry]:
    reader = Verticaliser(Recipe(metadata=True, posts=posts))
    tally = ReadTally()
    for source in captures(path, tally):
        try:
            found: Document | str = reader.document(source)
        except Exception as error:  # a hostile page, or a fault of ours: judged and counted either way
            found = f"failed with {type(error).__name__}"
        if isinstance(found, str):
            reasons[found] += 1
        else:
            yield from entries_of(found)
    reasons.update(tally.skipped)


def _of_json_lines(lines: TextIO, reasons: Counter[str]) -> Iterator[Entry]:
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            reasons["no JSON object"] += 1
            continue
        count = 0
        for entry in _of_record(record):
            count += 1
            yield entry
        if not count:
            reasons["no text"] += 1


def _of_record(record: dict[str, Any]) -> Iterator[Entry]:
    """A page of `clean`, a post of `posts`, a document of `vert --format jsonl`, any object with a text."""
    said = record.get("metadata")
    known = {**said, **record} if isinstance(said, dict) else record
    base = Entry(
        "",
        _text(known, "url"),
        _text(known, "title", "thread_title"),
        _text(known, "author"),
        _text(known, "date"),
        _text(known, "language", "lang"),
        "post" if "thread_url" in record else "p",
    )
    if isinstance(record.get("blocks"), list):
        yield from _of_blocks(record["blocks"], base)
    elif isinstance(record.get("paragraphs"), list):
        good = (p for p in record["paragraphs"] if isinstance(p, dict) and p.get("class", "good") == "good")
        yield from _of_blocks(list(good), base)
    elif base.kind == "post":
        yield from _with(base, _text(record, "text"))
    else:
        for line in _text(record, "text").split("\n"):
            yield from _with(base, line)


def _of_blocks(blocks: list[Any], base: Entry) -> Iterator[Entry]:
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind = _text(block, "type") or base.kind
        own = Entry(
            "",
            _text(block, "url") or base.url,
            base.title,
            _text(block, "author") or ("" if kind == "quote" else base.author),
            _text(block, "date") or ("" if kind == "quote" else base.date),
            _text(block, "language") or base.language,
            kind if kind in {"post", "quote"} else base.kind,
        )
        if isinstance(block.get("blocks"), list):
            yield from _of_blocks(block["blocks"], own)
        else:
            yield from _with(own, _text(block, "text"))


def _with(base: Entry, text: str) -> Iterator[Entry]:
    if text.strip():
        yield Entry(text, base.url, base.title, base.author, base.date, base.language, base.kind)


def _text(record: dict[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value), "")
