"""Reads WARC files, directories of them and streams as captures, in constant memory."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from threadmill.archive.content_encoding import CodingError, decode_body
from threadmill.archive.decompression import (
    MEMBER_MARK_BYTES,
    ArchiveChunk,
    RewindableStream,
    begins_with,
    find_members,
    read_chunks,
    read_gzip_chunks,
)
from threadmill.archive.header_values import read_iso_date
from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.archive.remote_files import (
    PLACE_SUFFIX,
    AnyFile,
    RemoteFile,
    as_file,
    file_size,
    locate,
)
from threadmill.archive.warc_records import (
    SIGNATURE,
    SingleRecordChunks,
    WarcRecord,
    WarcRecordReader,
    decode_header,
    find_single_records,
    head_end,
    header_pairs,
)
from threadmill.errors import ArchiveError
from threadmill.types import Capture, Exchange, Location

STDIN = "-"
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.xz", ".warc.zst", ".wet", ".wet.gz", ".warc.wet.gz")

_STATUS_LINE = re.compile(rb"HTTP/[0-9.]+ +([0-9]{3})(?: +([^\r\n]*))?\r?\n").match
_ENCODING_LENGTHS = {
    len("content-encoding"),
    len("transfer-encoding"),
}  # most names need no lower-casing then
_SEARCH_BYTES = 1 << 16
# The date of a record whose own date is unreadable.
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)


def read_captures(
    source: AnyFile | str, tally: ReadTally | None = None, *, follow_revisits: bool = False
) -> Iterator[Capture]:
    """Read the HTTP responses of a WARC file, of all WARC files of a directory, or of standard input ("-").

    The tally counts everything else, with place and reason. With `follow_revisits`, a revisit record gets the
    payload of the earlier record, if that was read before it.
    """
    tally = ReadTally() if tally is None else tally
    originals = OriginalIndex() if follow_revisits else None
    for record in read_records(source, tally):
        capture = capture_of(record, tally, originals)
        if capture is not None:
            tally.captures += 1
            yield capture


def read_records(source: AnyFile | str, tally: ReadTally) -> Iterator[WarcRecord]:
    """Read all records of a file, a directory or standard input, of any type."""
    if str(source) == STDIN:
        yield from stream_records(sys.stdin.buffer, "stdin", tally)
        return
    for file in _archive_files(as_file(source)):
        with closing(_open(file)) as stream:
            yield from stream_records(stream, str(file), tally, size=file_size(file))


def stream_records(stream: BinaryIO, name: str, tally: ReadTally, *, size: int = 0) -> Iterator[WarcRecord]:
    """Read all records of an open stream; `size` is its size if known."""
    try:
        chunks, plain = read_chunks(stream)
    except OSError as error:
        raise ArchiveError(f"cannot read {name}: {error.strerror or error}") from None
    yield from WarcRecordReader(chunks, name, tally, plain=plain, size=size if plain else 0)


def find_records(file: Path, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the records of a gzip file that begin in a range of it and can be read alone."""
    with closing(_open(file)) as stream:
        for begin, end in find_single_records(_chunks_from(stream, start)):
            if begin >= stop:
                return
            yield begin, end


def find_first_record(file: Path, start: int, stop: int) -> int | None:
    """Where the first gzip member begins, in a range of a file, that looks like a record. None: nowhere.

    Compressed data may contain what looks like one. The end of the range before tells whether it is one.
    """
    with closing(_open(file)) as stream:
        at = start
        while at < stop:
            stream.seek(at)
            data = stream.read(_SEARCH_BYTES)
            for found in find_members(data):
                if at + found >= stop:
                    return None
                stream.seek(at + found)
                if begins_with(stream.read(_SEARCH_BYTES), SIGNATURE):
                    return at + found
            at += max(1, len(data) - MEMBER_MARK_BYTES + 1)
    return None


class RecordRange:
    """The captures of the records that begin in a range of a gzip file.

    It ends early at the first member that cannot be read alone. `end`: where that begins, or the next record.
    """

    def __init__(self, file: Path, start: int, stop: int, tally: ReadTally) -> None:
        self._file, self._start, self._stop, self._tally = file, start, stop, tally
        self.end = start

    def __iter__(self) -> Iterator[Capture]:
        with closing(_open(self._file)) as stream:
            chunks = SingleRecordChunks(
                _chunks_from(stream, self._start), self._start, self._stop, self._is_single
            )
            for record in WarcRecordReader(iter(chunks), str(self._file), self._tally):
                capture = capture_of(record, self._tally)
                if capture is not None:
                    self._tally.captures += 1
                    yield capture
            self.end = chunks.end

    def _is_single(self, start: int) -> bool:
        with closing(_open(self._file)) as stream:
            return any(True for _ in islice(find_single_records(_chunks_from(stream, start)), 1))


def _chunks_from(stream: BinaryIO, start: int) -> Iterator[ArchiveChunk]:
    stream.seek(start)
    return read_gzip_chunks(RewindableStream(stream, offset=start))


def read_rest(file: Path, start: int, tally: ReadTally) -> Iterator[Capture]:
    """Read the captures of a gzip file from an offset on."""
    with closing(_open(file)) as stream:
        for record in WarcRecordReader(_chunks_from(stream, start), str(file), tally):
            capture = capture_of(record, tally)
            if capture is not None:
                tally.captures += 1
                yield capture


def read_at(directory: Path, location: Location) -> Capture:
    """Read the one capture at a known location."""
    tally = ReadTally()
    remote = as_file(location.file)
    file = remote if isinstance(remote, RemoteFile) else directory / location.file
    with closing(_open(file)) as stream:
        stream.seek(location.offset)
        member = stream.read(location.length) if location.length else b""
        record = next(stream_records(io.BytesIO(member) if member else stream, str(file), tally), None)
    capture = record and capture_of(
        record._replace(place=RecordPlace(str(file), location.offset)), tally, keep_revisits=True
    )
    if not capture:
        problem = next(tally.named, None)
        raise ArchiveError(
            f"expected a response in {file} at offset {location.offset}, but "
            f"{problem.reason if problem else 'nothing is there'}; see: threadmill archive verify {directory}"
        )
    return capture


def warc_files(path: Path) -> list[Path]:
    """Return the file itself, or the WARC files of a directory sorted by name, with those that were sent."""
    if path.is_dir():
        files = {Path(str(file).removesuffix(PLACE_SUFFIX)) for file in path.rglob("*")}
        return sorted(
            file for file in files if file.name.lower().endswith(WARC_SUFFIXES) and not file.is_dir()
        )
    return [path]


def _archive_files(source: AnyFile) -> Sequence[AnyFile]:
    if not isinstance(source, RemoteFile):
        return warc_files(source)
    if not source.is_dir():
        return [source]
    return [file for file in source.files() if file.name.lower().endswith(WARC_SUFFIXES)]


class OriginalIndex:
    """Remembers where each payload was first seen, for the revisit records that follow."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int, int]] = {}

    def note(self, record: WarcRecord) -> None:
        """Remember a response by its payload digest."""
        digest = record.header(b"WARC-Payload-Digest")
        place = record.place
        if digest and place.file != "stdin" and not place.inner:
            self._places.setdefault(digest, (place.file, place.offset, record.length))

    def find(self, digest: str) -> Capture | None:
        """Return the first response with this payload."""
        place = self._places.get(digest)
        if place is None:
            return None
        return read_at(Path(), Location(place[0], place[1], place[2], digest))


def capture_of(
    record: WarcRecord,
    tally: ReadTally,
    originals: OriginalIndex | None = None,
    *,
    keep_revisits: bool = False,
) -> Capture | None:
    """Turn a record into a capture; None, with a reason in the tally, when it is none."""
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


def _response_capture(
    record: WarcRecord, tally: ReadTally, originals: OriginalIndex | None = None
) -> Capture | None:
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
    """Return the transfer encoding and the content encodings of the headers."""
    transfer = content = ""
    for name, value in headers:
        if len(name) in _ENCODING_LENGTHS:
            lowered = name.lower()
            if lowered == "content-encoding":
                content = f"{content},{value}" if content else value
            elif lowered == "transfer-encoding":
                transfer = value
    return transfer, content


def _revisit_capture(record: WarcRecord, tally: ReadTally, originals: OriginalIndex | None) -> Capture | None:
    """Combine the earlier payload with the date of the revisit.

    A 304 takes status and headers of the original too.
    """
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


def _text_capture(record: WarcRecord) -> Capture:
    """Turn a WET record, the text of a page, into a capture."""
    content_type = record.header(b"Content-Type") or "text/plain"
    headers = (("Content-Type", content_type),)
    return Capture(_url_of(record), date_of(record), 200, headers, record.block, str(record.place))


def exchange_of(record: WarcRecord, request_head: bytes) -> Exchange | None:
    """Turn a record back into the exchange it was written from."""
    http = _http_of(record)
    if http is None:
        return None
    status, reason, headers, body = http
    address = record.header(b"WARC-IP-Address")
    truncated = record.header(b"WARC-Truncated")
    return Exchange(
        _url_of(record), date_of(record), request_head, status, reason, headers, body, address, truncated
    )


def _url_of(record: WarcRecord) -> str:
    return record.header(b"WARC-Target-URI").strip("<>")  # WARC 1.0 puts it in angle brackets


def date_of(record: WarcRecord) -> datetime:
    """Return when the content of the record was fetched."""
    return read_iso_date(record.header(b"WARC-Date")) or _NO_DATE


def _http_of(record: WarcRecord) -> tuple[int, str, tuple[tuple[str, str], ...], bytes] | None:
    """Return status, reason, headers and body of an HTTP response."""
    data, start, end = record.data, record.start, record.end
    line = _STATUS_LINE(data, start, end)
    if line is None:
        return None
    body = head_end(data, line.end() - 2, end)
    if body < 0:
        body = end
    reason = decode_header(line[2]).strip() if line[2] else ""
    return int(line[1]), reason, tuple(header_pairs(data[start:body])), data[body:end]


def _open(file: AnyFile) -> BinaryIO:
    try:
        return (locate(file) if isinstance(file, Path) else file).open("rb")
    except OSError as error:
        raise ArchiveError(f"cannot read the archive file {file}: {error.strerror}") from None
