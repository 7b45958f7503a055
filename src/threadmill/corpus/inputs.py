"""What a corpus is made from, a page at a time: archives, HTML, extracts, directories, workspaces."""

from __future__ import annotations

import gzip
import html
import io
import lzma
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TextIO

from threadmill.archive.reader import STDIN, WARC_SUFFIXES, capture_of, read_captures, stream_records
from threadmill.archive.tally import Tally
from threadmill.corpus.stored import Thread, is_workspace, stored_documents
from threadmill.errors import UsageError
from threadmill.types import Capture

WIKI_TYPE = "text/x-wiki-extract"
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_WIKI_DOC = re.compile(r"<doc\b([^>]*)>\s*$")
_WIKI_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_BLOCK = re.compile(r"<(?:p|h[1-6]|li|ul|ol|table|div|td)\b", re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A document of an extract that never ends is cut here.
_MOST_WIKI_LINES = 1_000_000


def expand(paths: list[Path], *, wiki: bool = False) -> list[Path]:
    """Directories replaced by the files under them that can be read, in the order of their names."""
    found: list[Path] = []
    for path in paths:
        if str(path) != STDIN and not path.exists():
            raise UsageError(f"{path} does not exist; give WARC or HTML files, directories of them, or - ")
        if path.is_dir() and not is_workspace(path):
            suffixes = (*WARC_SUFFIXES, *_HTML_SUFFIXES)
            found += sorted(
                f for f in path.rglob("*") if f.is_file() and (wiki or f.name.lower().endswith(suffixes))
            )
        else:
            found.append(path)
    return found


def size_of(path: Path) -> int:
    """The bytes of an input file; 0 for standard input and workspaces, whose end nobody knows beforehand."""
    return path.stat().st_size if path.is_file() else 0


def captures(path: Path, tally: Tally, *, wiki: bool = False) -> Iterator[Capture | Thread]:
    """The pages or threads of one input; what is no page is counted in the tally."""
    if str(path) == STDIN:
        yield from _standard_input(sys.stdin.buffer, tally, wiki=wiki)
    elif wiki:
        with _open_text(path) as lines:
            yield from wiki_captures(lines, str(path), tally)
    elif path.is_dir():
        yield from stored_documents(path, tally)
    elif path.name.lower().endswith(_HTML_SUFFIXES):
        tally.records += 1
        tally.captures += 1
        yield html_capture(path.read_bytes(), path.resolve().as_uri(), str(path))
    else:
        yield from read_captures(path, tally)


def _standard_input(stream: BinaryIO, tally: Tally, *, wiki: bool) -> Iterator[Capture]:
    """WARC in any compression, or one HTML page: the first bytes tell."""
    if wiki:
        yield from wiki_captures(io.TextIOWrapper(stream, encoding="utf-8", errors="replace"), "stdin", tally)
        return
    buffered = io.BufferedReader(stream, 1 << 16) if isinstance(stream, io.RawIOBase) else stream
    begin = buffered.peek(16)[:16] if isinstance(buffered, io.BufferedReader) else b"WARC/"
    if begin.lstrip().startswith(b"<"):
        yield html_capture(buffered.read(), "", "stdin")
        return
    for record in stream_records(buffered, "stdin", tally):
        capture = capture_of(record, tally)
        if capture is not None:
            tally.captures += 1
            yield capture


def html_capture(payload: bytes, url: str, source: str) -> Capture:
    """A saved page as if a server had sent it."""
    return Capture(url, _EPOCH, 200, (("Content-Type", "text/html"),), payload, source)


def wiki_captures(lines: TextIO, name: str, tally: Tally) -> Iterator[Capture]:
    """The documents of a Wikipedia extract: <doc …> and </doc> on lines of their own, HTML inside."""
    attributes: dict[str, str] | None = None
    held: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _WIKI_DOC.match(line)
        if match:
            attributes, held = dict(_WIKI_ATTRIBUTE.findall(match[1])), []
            tally.records += 1
        elif attributes is not None and line.startswith("</doc>"):
            yield _wiki_capture(attributes, held, f"{name}:{number}")
            tally.captures += 1
            attributes = None
        elif attributes is not None and len(held) < _MOST_WIKI_LINES:
            held.append(line)
    if attributes is not None:
        yield _wiki_capture(attributes, held, f"{name}:end")
        tally.captures += 1


def _wiki_capture(attributes: dict[str, str], lines: list[str], source: str) -> Capture:
    body = "".join(lines)
    if not _BLOCK.search(body):  # plain text: a line is a paragraph
        body = "".join(f"<p>{line}</p>" for line in lines if line.strip())
    title = html.escape(html.unescape(attributes.get("title", "")))
    page = f"<!doctype html><title>{title}</title><body>{body}"
    headers = (("Content-Type", f"{WIKI_TYPE}; charset=utf-8"),)
    url = html.unescape(attributes.get("url", ""))
    return Capture(url, _EPOCH, 200, headers, page.encode("utf-8", "replace"), source)


def _open_text(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8", errors="replace")
