"""Reads the inputs of a corpus as captures: WARC, HTML, Wikipedia extracts, and directories of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from itertools import chain
from typing import BinaryIO

from threadmill.archive.decompression import ArchiveChunk, read_chunks
from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.archive.remote_files import AnyFile, as_file, file_date, file_size, file_uri, files_under
from threadmill.archive.warc_reader import STDIN, WARC_SUFFIXES, capture_of
from threadmill.archive.warc_records import MAX_BLOCK_BYTES, WarcRecordReader
from threadmill.errors import ArchiveError
from threadmill.types import Capture

HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
# Headers for what an extract tells about a document besides its URL.
TITLE_HEADER = "X-Threadmill-Title"
ID_HEADER = "X-Threadmill-Id"

_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)  # the date of what came through a pipe
_DOC = re.compile(rb"<doc\b([^>]*)>\s*\Z").match
_DOC_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DOC_END = b"</doc>"
_HTML = ("Content-Type", "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class _InputFile:
    """What is known of a file before it is read."""

    name: str
    url: str = ""
    at: datetime = _NO_DATE
    size: int = 0


def read_inputs(source: AnyFile | str, tally: ReadTally | None = None) -> Iterator[Capture]:
    """Read the captures of a file, of standard input ("-"), or of all known files of a directory."""
    tally = ReadTally() if tally is None else tally
    for capture in _read_source(source, tally):
        tally.captures += 1
        yield capture


def read_extract(source: AnyFile | str, tally: ReadTally) -> Iterator[Capture]:
    """Read the documents of a file or of standard input that is a Wikipedia extract."""
    for stream, origin in _open_inputs(source, tally):
        chunks, _ = read_chunks(stream)
        for capture in _read_extract(_lines(chunks, origin.name, tally), origin, tally):
            tally.captures += 1
            yield capture


def _read_source(source: AnyFile | str, tally: ReadTally) -> Iterator[Capture]:
    for stream, origin in _open_inputs(source, tally):
        yield from _read_stream(stream, origin, tally)


def _open_inputs(source: AnyFile | str, tally: ReadTally) -> Iterator[tuple[BinaryIO, _InputFile]]:
    """Open the files of an input, one after the other."""
    if str(source) == STDIN:
        yield sys.stdin.buffer, _InputFile("stdin")
        return
    path = as_file(source)
    for file in _input_files(path, tally) if path.is_dir() else [path]:
        try:
            stream = file.open("rb")
            known = _InputFile(str(file), file_uri(file), file_date(file, _NO_DATE), file_size(file))
        except OSError as error:
            raise ArchiveError(f"cannot read {file}: {error.strerror}") from None
        with closing(stream):
            yield stream, known


def _input_files(directory: AnyFile, tally: ReadTally) -> Iterator[AnyFile]:
    """Yield the WARC, HTML and extract files of a directory, by their names; others are skipped."""
    for file in files_under(directory):
        name = file.name.lower()
        # WikiExtractor names its files wiki_00, wiki_01.bz2 …
        if name.endswith(WARC_SUFFIXES + HTML_SUFFIXES) or name.startswith("wiki_"):
            yield file
        else:
            tally.skip(RecordPlace(str(file), 0), "file of another kind")


def _read_stream(stream: BinaryIO, origin: _InputFile, tally: ReadTally) -> Iterator[Capture]:
    """Read one file; its first bytes tell what it is."""
    chunks, plain = read_chunks(stream)
    first = next(chunks, None)
    if first is None:
        return
    chunks = chain([first], chunks)
    begin = first.data.lstrip()
    if begin.startswith((b"WARC/", b"filedesc://")) or first.problem:
        for record in WarcRecordReader(
            chunks, origin.name, tally, plain=plain, size=origin.size if plain else 0
        ):
            capture = capture_of(record, tally)
            if capture is not None:
                yield capture
    elif begin.startswith(b"<doc ") or _DOC(begin.partition(b"\n")[0]):
        yield from _read_extract(_lines(chunks, origin.name, tally), origin, tally)
    else:
        yield from _read_html(chunks, origin, tally)


def _read_html(chunks: Iterable[ArchiveChunk], origin: _InputFile, tally: ReadTally) -> Iterator[Capture]:
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        size += len(chunk.data)
        if chunk.problem or size > MAX_BLOCK_BYTES:
            reason = chunk.problem or f"larger than {MAX_BLOCK_BYTES} bytes"
            tally.skip(RecordPlace(origin.name, chunk.offset), reason, damaged=bool(chunk.problem))
            return
        parts.append(chunk.data)
    tally.records += 1
    # Without charset: the page itself declares it.
    headers = (("Content-Type", "text/html"),)
    yield Capture(origin.url, origin.at, 200, headers, b"".join(parts), origin.name)


def _read_extract(
    lines: Iterable[tuple[int, bytes]], origin: _InputFile, tally: ReadTally
) -> Iterator[Capture]:
    """Read the documents of a preprocessed Wikipedia file.

    Each goes from a line `<doc id title url>` to a line `</doc>`.
    """
    start, opening, parts, size = 0, None, list[bytes](), 0
    for offset, line in lines:
        opens = _DOC(line) if line.startswith(b"<doc") else None
        if opens is not None:
            if opening is not None:
                tally.skip(RecordPlace(origin.name, start), "document without end", damaged=True)
            start, opening, parts, size = offset, opens[1], [], 0
        elif opening is not None and line.strip() == _DOC_END:
            tally.records += 1
            yield _document_capture(opening, b"".join(parts), f"{origin.name}:{start}", origin.at)
            opening = None
        elif opening is not None:
            size += len(line)
            parts.append(line)
            if size > MAX_BLOCK_BYTES:
                tally.skip(RecordPlace(origin.name, start), f"larger than {MAX_BLOCK_BYTES} bytes")
                opening, parts = None, []
    if opening is not None:
        tally.skip(RecordPlace(origin.name, start), "document without end", damaged=True)


def _document_capture(attributes: bytes, content: bytes, source: str, at: datetime) -> Capture:
    found = _DOC_ATTRIBUTE.findall(attributes.decode("utf-8", "replace"))
    said = {name.lower(): unescape(double or single) for name, double, single in found}
    headers = [_HTML]
    headers += [
        (header, said[key]) for header, key in ((TITLE_HEADER, "title"), (ID_HEADER, "id")) if key in said
    ]
    return Capture(said.get("url", ""), at, 200, tuple(headers), content, source)


def _lines(chunks: Iterable[ArchiveChunk], name: str, tally: ReadTally) -> Iterator[tuple[int, bytes]]:
    """Yield lines with their offsets in the decompressed text."""
    parts: list[bytes] = []  # of a line that goes on in the next chunk
    size = offset = 0
    for chunk in chunks:
        if chunk.problem:
            tally.skip(RecordPlace(name, chunk.offset), chunk.problem, damaged=True)
            continue
        parts.append(chunk.data)
        size += len(chunk.data)
        if b"\n" not in chunk.data and size < MAX_BLOCK_BYTES:
            continue
        lines = b"".join(parts).splitlines(keepends=True)
        parts, size = [], 0
        if not lines[-1].endswith(b"\n") and len(lines[-1]) < MAX_BLOCK_BYTES:
            parts, size = [lines[-1]], len(lines.pop())
        for line in lines:
            yield offset, line
            offset += len(line)
    if parts:
        yield offset, b"".join(parts)
