"""What a corpus is made of becomes captures: WARC, HTML, Wikipedia extracts, directories of these."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from threadmill.archive.pieces import Piece, pieces_of
from threadmill.archive.reader import STDIN, WARC_SUFFIXES, capture_of
from threadmill.archive.records import LARGEST_BLOCK, RecordReader
from threadmill.archive.tally import Place, Tally
from threadmill.errors import ArchiveError
from threadmill.types import Capture

HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
# Headers that carry what an extract says of a document beside its URL.
TITLE_HEADER = "X-Threadmill-Title"
ID_HEADER = "X-Threadmill-Id"

_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)  # of what came through a pipe
_DOC = re.compile(rb"<doc\b([^>]*)>\s*\Z").match
_DOC_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DOC_END = b"</doc>"
_HTML = ("Content-Type", "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class _Origin:
    """What is known of a file before it is read."""

    name: str
    url: str = ""
    at: datetime = _NO_DATE
    size: int = 0


def read_inputs(source: Path | str, tally: Tally | None = None) -> Iterator[Capture]:
    """The captures of a file or standard input ("-"), whatever it is, or of all such files of a directory."""
    tally = Tally() if tally is None else tally
    for capture in _read_source(source, tally):
        tally.captures += 1
        yield capture


def read_extract(source: Path | str, tally: Tally) -> Iterator[Capture]:
    """The documents of a file or of standard input that is known to be a Wikipedia extract."""
    for stream, origin in _opened(source, tally):
        pieces, _ = pieces_of(stream)
        for capture in _read_extract(_lines(pieces, origin.name, tally), origin, tally):
            tally.captures += 1
            yield capture


def _read_source(source: Path | str, tally: Tally) -> Iterator[Capture]:
    for stream, origin in _opened(source, tally):
        yield from _read_stream(stream, origin, tally)


def _opened(source: Path | str, tally: Tally) -> Iterator[tuple[BinaryIO, _Origin]]:
    """The streams of an input, one after the other."""
    if str(source) == STDIN:
        yield sys.stdin.buffer, _Origin("stdin")
        return
    path = Path(source)
    files = _files_of(path, tally) if path.is_dir() else [path]
    for file in files:
        try:
            stream = file.open("rb")
            stat = file.stat()
        except OSError as error:
            raise ArchiveError(f"cannot read {file}: {error.strerror}") from None
        with closing(stream):
            changed = datetime.fromtimestamp(stat.st_mtime, UTC)
            yield stream, _Origin(str(file), file.resolve().as_uri(), changed, stat.st_size)


def _files_of(directory: Path, tally: Tally) -> Iterator[Path]:
    """WARC, HTML and extracts by their names; anything else is counted and left."""
    for file in sorted(directory.rglob("*")):
        if not file.is_file():
            continue
        name = file.name.lower()
        # WikiExtractor names its files wiki_00, wiki_01.bz2 …
        if name.endswith(WARC_SUFFIXES + HTML_SUFFIXES) or name.startswith("wiki_"):
            yield file
        else:
            tally.skip(Place(str(file), 0), "file of another kind")


def _read_stream(stream: BinaryIO, origin: _Origin, tally: Tally) -> Iterator[Capture]:
    """One file, by what is in it."""
    pieces, plain = pieces_of(stream)
    first = next(pieces, None)
    if first is None:
        return
    pieces = chain([first], pieces)
    begin = first.data.lstrip()
    if begin.startswith((b"WARC/", b"filedesc://")) or first.problem:
        for record in RecordReader(pieces, origin.name, tally, plain=plain, size=origin.size if plain else 0):
            capture = capture_of(record, tally)
            if capture is not None:
                yield capture
    elif begin.startswith(b"<doc ") or _DOC(begin.partition(b"\n")[0]):
        yield from _read_extract(_lines(pieces, origin.name, tally), origin, tally)
    else:
        yield from _read_html(pieces, origin, tally)


def _read_html(pieces: Iterable[Piece], origin: _Origin, tally: Tally) -> Iterator[Capture]:
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece.data)
        if piece.problem or size > LARGEST_BLOCK:
            reason = piece.problem or f"larger than {LARGEST_BLOCK} bytes"
            tally.skip(Place(origin.name, piece.offset), reason, damaged=bool(piece.problem))
            return
        parts.append(piece.data)
    tally.records += 1
    # No charset: the page itself tells it.
    headers = (("Content-Type", "text/html"),)
    yield Capture(origin.url, origin.at, 200, headers, b"".join(parts), origin.name)


def _read_extract(lines: Iterable[tuple[int, bytes]], origin: _Origin, tally: Tally) -> Iterator[Capture]:
    """The documents of a preprocessed Wikipedia file: <doc id title url> to </doc>, on lines of their own."""
    start, opening, parts, size = 0, None, list[bytes](), 0
    for offset, line in lines:
        opens = _DOC(line) if line.startswith(b"<doc") else None
        if opens is not None:
            if opening is not None:
                tally.skip(Place(origin.name, start), "document without end", damaged=True)
            start, opening, parts, size = offset, opens[1], [], 0
        elif opening is not None and line.strip() == _DOC_END:
            tally.records += 1
            yield _document(opening, b"".join(parts), f"{origin.name}:{start}", origin.at)
            opening = None
        elif opening is not None:
            size += len(line)
            parts.append(line)
            if size > LARGEST_BLOCK:
                tally.skip(Place(origin.name, start), f"larger than {LARGEST_BLOCK} bytes")
                opening, parts = None, []
    if opening is not None:
        tally.skip(Place(origin.name, start), "document without end", damaged=True)


def _document(attributes: bytes, content: bytes, source: str, at: datetime) -> Capture:
    found = _DOC_ATTRIBUTE.findall(attributes.decode("utf-8", "replace"))
    said = {name.lower(): unescape(double or single) for name, double, single in found}
    headers = [_HTML]
    headers += [
        (header, said[key]) for header, key in ((TITLE_HEADER, "title"), (ID_HEADER, "id")) if key in said
    ]
    return Capture(said.get("url", ""), at, 200, tuple(headers), content, source)


def _lines(pieces: Iterable[Piece], name: str, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """Lines with their offsets in the decompressed text."""
    rest = b""
    offset = 0
    for piece in pieces:
        if piece.problem:
            tally.skip(Place(name, piece.offset), piece.problem, damaged=True)
            continue
        lines = (rest + piece.data).splitlines(keepends=True)
        rest = (
            lines.pop() if lines and not lines[-1].endswith(b"\n") and len(lines[-1]) < LARGEST_BLOCK else b""
        )
        for line in lines:
            yield offset, line
            offset += len(line)
    if rest:
        yield offset, rest
