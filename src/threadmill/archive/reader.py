"""Reading archives: WARC files, directories of them and streams become captures, in constant memory."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from threadmill.archive.coding import CodingError, decode_body
from threadmill.archive.pieces import pieces_of
from threadmill.archive.records import Record, RecordReader, decode_header, head_end, header_pairs
from threadmill.archive.tally import Place, Tally
from threadmill.errors import ArchiveError
from threadmill.types import Capture, Exchange, Location

STDIN = "-"
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.xz", ".warc.zst", ".wet", ".wet.gz", ".warc.wet.gz")

_STATUS_LINE = re.compile(rb"HTTP/[0-9.]+ +([0-9]{3})(?: +([^\r\n]*))?\r?\n").match
_ENCODING_LENGTHS = {len("content-encoding"), len("transfer-encoding")}  # spares most names the lowering
# What a record says whose date nobody can read.
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)


def read_captures(
    source: Path | str, tally: Tally | None = None, *, follow_revisits: bool = False
) -> Iterator[Capture]:
    """The HTTP responses of a WARC file, of all WARC files under a directory, or of standard input ("-").

    Everything else is counted in the tally, with its place and reason. With `follow_revisits`, a record
    that says "as before" is given the payload of the earlier one, as far as that was read before it.
    """
    tally = Tally() if tally is None else tally
    originals = Originals() if follow_revisits else None
    for record in read_records(source, tally):
        capture = capture_of(record, tally, originals)
        if capture is not None:
            tally.captures += 1
            yield capture


def read_records(source: Path | str, tally: Tally) -> Iterator[Record]:
    """All records of a file, a directory or standard input, of any type."""
    if str(source) == STDIN:
        yield from stream_records(sys.stdin.buffer, "stdin", tally)
        return
    for file in warc_files(Path(source)):
        with closing(_open(file)) as stream:
            yield from stream_records(stream, str(file), tally, size=file.stat().st_size)


def stream_records(stream: BinaryIO, name: str, tally: Tally, *, size: int = 0) -> Iterator[Record]:
    """All records of an open stream; `size` where it is known."""
    try:
        pieces, plain = pieces_of(stream)
    except OSError as error:
        raise ArchiveError(f"cannot read {name}: {error.strerror or error}") from None
    yield from RecordReader(pieces, name, tally, plain=plain, size=size if plain else 0)


def read_at(directory: Path, location: Location) -> Capture:
    """The one capture at a known place."""
    tally = Tally()
    file = directory / location.file
    with closing(_open(file)) as stream:
        stream.seek(location.offset)
        member = stream.read(location.length) if location.length else b""
        record = next(stream_records(io.BytesIO(member) if member else stream, str(file), tally), None)
    capture = record and capture_of(
        record._replace(place=Place(str(file), location.offset)), tally, keep_revisits=True
    )
    if not capture:
        problem = next(tally.named, None)
        raise ArchiveError(
            f"expected a response in {file} at offset {location.offset}, but "
            f"{problem.reason if problem else 'nothing is there'}; see: threadmill archive verify {directory}"
        )
    return capture


def warc_files(path: Path) -> list[Path]:
    """A file itself, or the WARC files under a directory in the order of their names."""
    if path.is_dir():
        files = (file for file in path.rglob("*") if file.name.lower().endswith(WARC_SUFFIXES))
        return sorted(file for file in files if not file.is_dir())
    return [path]


class Originals:
    """Where each payload was first seen, so that revisits can be given it."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int, int]] = {}

    def note(self, record: Record) -> None:
        """Remember a response by its payload digest."""
        digest = record.header(b"WARC-Payload-Digest")
        place = record.place
        if digest and place.file != "stdin" and not place.inner:
            self._places.setdefault(digest, (place.file, place.offset, record.length))

    def find(self, digest: str) -> Capture | None:
        """The first response with this payload."""
        place = self._places.get(digest)
        if place is None:
            return None
        return read_at(Path(), Location(place[0], place[1], place[2], digest))


def capture_of(
    record: Record, tally: Tally, originals: Originals | None = None, *, keep_revisits: bool = False
) -> Capture | None:
    """A record as a capture; None, and a word to the tally, when it is none."""
    kind = record.kind
    if kind == "request":  # every second record of most archives
        tally.skip(record.place, "request record")
        return None
    if kind == "response":
        return _response_capture(record, tally, originals)
    if kind == "conversion":
        return _text_capture(record)
    if kind == "revisit" and (originals is not None or keep_revisits):
        return _revisit_capture(record, tally, originals)
    tally.skip(record.place, f"{kind[:40] or 'untyped'} record")
    return None


def _response_capture(record: Record, tally: Tally, originals: Originals | None = None) -> Capture | None:
    http = _http_of(record)
    if http is None:
        tally.skip(record.place, "not HTTP")
        return None
    status, _, headers, body = http
    transfer, content = _encodings(headers)
    if transfer or content:
        try:
            body = decode_body(body, transfer, content)
        except CodingError as error:
            tally.skip(record.place, str(error), damaged=True)
            return None
    if originals is not None:
        originals.note(record)
    return Capture(_url_of(record), date_of(record), status, headers, body, str(record.place))


def _encodings(headers: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """What transfer and content encodings the headers tell of."""
    transfer = content = ""
    for name, value in headers:
        if len(name) in _ENCODING_LENGTHS:
            lowered = name.lower()
            if lowered == "content-encoding":
                content = f"{content},{value}" if content else value
            elif lowered == "transfer-encoding":
                transfer = value
    return transfer, content


def _revisit_capture(record: Record, tally: Tally, originals: Originals | None) -> Capture | None:
    """The payload of before under the moment of now; a 304 is also the answer of before."""
    digest = record.header(b"WARC-Payload-Digest")
    original = originals.find(digest) if originals is not None else None
    if original is None and originals is not None:
        tally.skip(record.place, "revisit of a record not read before")
        return None
    http = _http_of(record)
    status, _, headers, _ = http or (0, "", (), b"")
    if original is not None and (http is None or status == 304):
        status, headers = original.status, original.headers
    payload = original.payload if original is not None else b""
    return Capture(_url_of(record), date_of(record), status, headers, payload, str(record.place))


def _text_capture(record: Record) -> Capture:
    """WET: the text that was made of a page."""
    content_type = record.header(b"Content-Type") or "text/plain"
    headers = (("Content-Type", content_type),)
    return Capture(_url_of(record), date_of(record), 200, headers, record.block, str(record.place))


def exchange_of(record: Record, request_head: bytes) -> Exchange | None:
    """A record as the exchange it was written from."""
    http = _http_of(record)
    if http is None:
        return None
    status, reason, headers, body = http
    address = record.header(b"WARC-IP-Address")
    truncated = record.header(b"WARC-Truncated")
    return Exchange(
        _url_of(record), date_of(record), request_head, status, reason, headers, body, address, truncated
    )


def _url_of(record: Record) -> str:
    return record.header(b"WARC-Target-URI").strip("<>")  # in angle brackets by the letter of WARC 1.0


def date_of(record: Record) -> datetime:
    """When the record's content was had."""
    try:
        at = datetime.fromisoformat(record.header(b"WARC-Date"))
    except ValueError:
        return _NO_DATE
    return at if at.tzinfo is UTC else at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _http_of(record: Record) -> tuple[int, str, tuple[tuple[str, str], ...], bytes] | None:
    """Status, reason, headers and body of an HTTP response."""
    data, start, end = record.data, record.start, record.end
    line = _STATUS_LINE(data, start, end)
    if line is None:
        return None
    body = head_end(data, line.end() - 2, end)
    if body < 0:
        body = end
    reason = decode_header(line[2]).strip() if line[2] else ""
    return int(line[1]), reason, tuple(header_pairs(data[start:body])), data[body:end]


def _open(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise ArchiveError(f"cannot read the archive file {file}: {error.strerror}") from None
