"""Splits an archive into WARC records with headers and block, and continues after damage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from threadmill.archive.decompression import ArchiveChunk
from threadmill.archive.read_tally import ReadTally, RecordPlace
from threadmill.errors import ArchiveError

# The headers of a record take about 500 bytes. Much more is an attack or another format.
_MAX_HEADER_BYTES = 1 << 16
# The fetcher keeps bodies up to 20 MB. Longer bodies of other crawlers are media, never pages.
MAX_BLOCK_BYTES = 1 << 26

_HEAD_END = re.compile(rb"\r?\n\r?\n").search
_NEWLINES = re.compile(rb"[\r\n]*").match
_FOLD = re.compile(r"\r?\n[ \t]+")
SIGNATURE = b"WARC/"
# Each rescan reads up to 64 MB again. A file that needs more rescans is hostile, not damaged.
_MAX_RESCANS = 64
_NEXT_RECORD = re.compile(rb"WARC/[01]\.[0-9]{1,2}\r?\n").search
_ARC = re.compile(rb"filedesc://|https?://\S+ [0-9.]+ [0-9]{14} ").match


class WarcRecord(NamedTuple):
    """One WARC record of a file. Its headers are parsed when they are asked for.

    A tuple, like chunks: creating a frozen dataclass takes four times as long, and files hold millions of
    records.
    """

    head: bytes
    data: bytes  # the block is data[start:end], so a page is copied once only
    start: int
    end: int
    place: RecordPlace
    length: int  # compressed; 0 if the record shares its member with others

    @property
    def kind(self) -> str:
        """WARC-Type in lower case."""
        return find_header(self.head, b"WARC-Type").lower()

    def header(self, name: bytes) -> str:
        """Return a header of the record; empty when it has none."""
        return find_header(self.head, name)

    @property
    def block(self) -> bytes:
        """What follows the record's headers."""
        return self.data[self.start : self.end]


class WarcRecordReader:
    """Splits chunks into records. It reports what it cannot read to the tally and goes on."""

    def __init__(
        self,
        chunks: Iterator[ArchiveChunk],
        file: str,
        tally: ReadTally,
        *,
        plain: bool = False,
        size: int = 0,
    ) -> None:
        self._chunks = chunks
        self._file = file
        self._tally = tally
        self._plain = plain
        self._size = size  # of a plain file, if known: no Content-Length may point beyond it
        self._data = b""
        self._at = 0  # index in data
        self._headless = 0  # index in data: no head ends between `at` and here, which is not searched twice
        self._member = 0  # offset of the compressed member that data belongs to
        self._inner = 0  # decompressed offset of data in it
        self._ends = 0  # where the member ends, if data is its last chunk
        self._rescans = 0
        self._lost = False  # whether it searches after damage that is already reported

    def __iter__(self) -> Iterator[WarcRecord]:
        """Yield record after record."""
        while True:
            yield from self._whole_members()
            if not self._find_start():
                return
            record = self._read_record()
            if record is not None:
                self._tally.records += 1
                yield record

    def _whole_members(self) -> Iterator[WarcRecord]:
        """Yield records in the common, fast case: each chunk is a member, and each member is a record."""
        while self._at >= len(self._data) and (chunk := next(self._chunks, None)):
            record = _read_single_record(chunk, self._file) if chunk.length else None
            if record is None:
                self._begin(chunk)
                return
            self._lost = False
            self._tally.records += 1
            yield record

    def _begin(self, chunk: ArchiveChunk) -> None:
        if chunk.problem:
            self._tally.skip(RecordPlace(self._file, chunk.offset), chunk.problem, damaged=True)
            self._lost = True
        else:
            self._use(chunk)

    def _place(self, at: int) -> RecordPlace:
        if self._plain:
            return RecordPlace(self._file, self._inner + at)
        return RecordPlace(self._file, self._member, self._inner + at)

    def _damage(self, at: int, reason: str) -> None:
        if not self._lost:
            self._tally.skip(self._place(at), reason, damaged=True)

    def _use(self, chunk: ArchiveChunk, keep: int = 0) -> None:
        """Continue with a chunk; keep the last `keep` bytes of the data before it."""
        self._headless = max(0, self._headless - (len(self._data) - keep))
        if chunk.starts and not keep:
            self._data, self._inner, self._member = chunk.data, 0, chunk.offset
        else:
            self._inner += len(self._data) - keep
            self._data = self._data[len(self._data) - keep :] + chunk.data
        self._at = 0
        self._ends = chunk.ends

    def _find_start(self) -> bool:
        """Go to the next record; False at the end of the file."""
        while True:
            newlines = _NEWLINES(self._data, self._at)
            assert newlines is not None, "an empty run of newlines matches too"
            self._at = newlines.end()
            if self._data.startswith(SIGNATURE, self._at):
                self._lost = False
                return True
            if self._at < len(self._data) and self._skip_garbage():
                continue
            if not self._next_chunk():
                return False

    def _skip_garbage(self) -> bool:
        """Go to what looks like a record in the present data; return whether there is one."""
        rest = len(self._data) - self._at
        if rest < len(SIGNATURE) and SIGNATURE.startswith(self._data[self._at :]):
            return False  # it may be cut here; the next chunk will tell
        if self._tally.records == 0 and _ARC(self._data, self._at):
            raise ArchiveError(
                f"expected WARC in {self._file}, but it is the older ARC format; "
                "convert it first: warcio recompress FILE.arc.gz FILE.warc.gz"
            )
        self._damage(self._at, "not a WARC record")
        self._lost = True
        found = _NEXT_RECORD(self._data, self._at)
        self._at = found.start() if found else max(len(self._data) - 16, self._at)
        return found is not None

    def _next_chunk(self) -> bool:
        keep = min(len(self._data) - self._at, 16)
        for chunk in self._chunks:
            if not chunk.problem:
                self._use(chunk, keep)
                return True
            self._begin(chunk)
        if keep and not self._lost:
            self._damage(self._at, "not a WARC record")
        return False

    def _read_record(self) -> WarcRecord | None:
        start = self._find_head_end()
        if start < 0:
            return None
        head = self._data[self._at : start]
        place = self._place(self._at)
        length = _content_length(head)
        if length is None or (self._size and place.offset + length > self._size):
            self._damage(
                self._at, "bad Content-Length" if length is None else "truncated, or bad Content-Length"
            )
            self._lost, self._at = True, start
            return None
        data, end = self._data, start + length
        if end > len(data):
            block = self._gather_block(start, length, place)
            if block is None:
                return None
            data, start, end = block, 0, length
        elif not self._ends_at(end):
            self._tally.skip(place, "wrong Content-Length", damaged=True)
            self._lost, self._at = True, start
            return None
        alone = self._ends and not place.inner and self._at == len(self._data)
        return WarcRecord(head, data, start, end, place, self._ends - place.offset if alone else 0)

    def _find_head_end(self) -> int:
        """Return where the block starts; -1 when there is no such place, which is reported then."""
        while True:
            # Three bytes before may begin the end, if they belong to this head.
            start = max(self._at, self._headless - 3)
            end = head_end(self._data, start, self._at + _MAX_HEADER_BYTES)
            if end >= 0:
                return end
            self._headless = min(self._at + _MAX_HEADER_BYTES, len(self._data))
            if len(self._data) - self._at >= _MAX_HEADER_BYTES:
                return self._give_up_head("WARC header without end", None)
            chunk = next(self._chunks, None)
            if chunk is None or _why_broken(chunk):
                return self._give_up_head("truncated record", chunk)
            self._use(chunk, len(self._data) - self._at)

    def _give_up_head(self, reason: str, chunk: ArchiveChunk | None) -> int:
        self._damage(self._at, chunk.problem if chunk is not None and chunk.problem else reason)
        self._lost = True
        self._at += len(SIGNATURE)
        if chunk is not None and not chunk.problem:
            self._use(chunk)
        return -1

    def _ends_at(self, end: int) -> bool:
        """Go behind a block; return whether what follows can be its end.

        Two newlines must follow. A record or the end of the data is accepted as well.
        """
        newlines = _NEWLINES(self._data, end)
        assert newlines is not None, "an empty run of newlines matches too"
        self._at = newlines.end()
        rest = self._data[self._at : self._at + len(SIGNATURE)]
        return SIGNATURE.startswith(rest) or self._data.startswith(b"\r\n\r\n", end)

    def _gather_block(self, start: int, length: int, place: RecordPlace) -> bytes | None:
        """Collect a block that continues in further chunks."""
        parts = [self._data[start:]]
        block_inner = self._inner + start
        missing = length - len(parts[0])
        self._at = len(self._data)
        reason = ""
        while missing > 0 and not reason:
            chunk = next(self._chunks, None)
            reason = _why_broken(chunk)
            if chunk is None or chunk.problem:
                break
            self._use(chunk)
            if not reason:
                self._at = min(missing, len(chunk.data))
                missing -= self._at
                if length <= MAX_BLOCK_BYTES:
                    parts.append(chunk.data[: self._at])
        if not reason and length > MAX_BLOCK_BYTES:
            reason = f"larger than {MAX_BLOCK_BYTES} bytes"
        elif not reason and not self._ends_at(self._at):
            reason = "wrong Content-Length"
        if not reason:
            return b"".join(parts)
        self._tally.skip(place, reason, damaged="larger" not in reason)
        self._lost = True
        if self._at:  # otherwise a new member has begun, which is no part of this record
            self._search_again(parts, block_inner)
        return None

    def _search_again(self, parts: list[bytes], inner: int) -> None:
        """Search for records in the data that a too large Content-Length swallowed."""
        self._rescans += 1
        if self._rescans > _MAX_RESCANS:
            return
        self._data = b"".join(parts) + self._data[self._at :]
        self._inner, self._at, self._headless = inner, 0, 0


def find_single_records(chunks: Iterator[ArchiveChunk]) -> Iterator[tuple[int, int]]:
    """Yield start and end of compressed members, up to the first that is no single record.

    Each of these can be read by itself, and nothing before or behind it changes what it says.
    """
    begin, size = b"", 0
    for chunk in chunks:
        if chunk.problem:
            return
        if chunk.starts:
            begin, size = chunk.data, 0
        size += len(chunk.data)
        if chunk.ends:
            if not _is_single_record(begin, size, chunk.data):
                return
            yield chunk.offset, chunk.ends


def _is_single_record(begin: bytes, size: int, end: bytes) -> bool:
    """Whether a member of so many bytes, with this begin and this end, is exactly one record."""
    start = begin.find(b"\r\n\r\n", 0, _MAX_HEADER_BYTES) + 4
    if start < 4 or not begin.startswith(SIGNATURE) or not end.endswith(b"\r\n\r\n"):
        return False
    return start + (_content_length(begin[:start]) or 0) + 4 == size


class SingleRecordChunks:
    """The chunks of a range of a gzip file: of members that begin before `stop` and are single records.

    It ends early at the first member that is not. `end` is where the next member begins.
    """

    def __init__(
        self, chunks: Iterator[ArchiveChunk], start: int, stop: int, is_single: Callable[[int], bool]
    ) -> None:
        self._chunks = chunks
        self._stop = stop
        self._is_single = is_single  # of the member at an offset; asked only if it has several chunks
        self.end = start

    def __iter__(self) -> Iterator[ArchiveChunk]:
        if self.end >= self._stop:
            return
        for chunk in self._chunks:
            if chunk.problem or (chunk.starts and not self._begins_single(chunk)):
                return
            yield chunk
            if chunk.ends:
                self.end = chunk.ends
                if self.end >= self._stop:
                    return

    def _begins_single(self, chunk: ArchiveChunk) -> bool:
        if chunk.ends:
            return _is_single_record(chunk.data, len(chunk.data), chunk.data)
        return self._is_single(chunk.offset)


def _read_single_record(chunk: ArchiveChunk, file: str) -> WarcRecord | None:
    """Return the record that fills a compressed member completely, or None."""
    data = chunk.data
    start = data.find(b"\r\n\r\n", 0, _MAX_HEADER_BYTES) + 4
    head = data[:start]
    if start < 4 or not data.startswith(SIGNATURE):
        return None
    end = start + (_content_length(head) or 0)
    if end + 4 != len(data) or not data.endswith(b"\r\n\r\n"):
        return None
    return WarcRecord(head, data, start, end, RecordPlace(file, chunk.offset), chunk.length)


def _why_broken(chunk: ArchiveChunk | None) -> str:
    """Return why a block cannot continue in this chunk; empty when it can."""
    if chunk is None:
        return "truncated record"
    if chunk.starts and chunk.data.startswith(SIGNATURE):
        return "Content-Length beyond its compressed member"
    return chunk.problem


def head_end(data: bytes, start: int, stop: int | None = None) -> int:
    """Return the index behind the empty line that ends headers, or -1. Old crawlers wrote bare newlines."""
    end = data.find(b"\r\n\r\n", start, stop)
    if end >= 0:
        return end + 4
    found = _HEAD_END(data, start, len(data) if stop is None else stop)
    return found.end() if found else -1


_LINE_STARTS: dict[
    bytes, bytes
] = {}  # header name → start of its line; only a handful of names are asked for


def find_header(head: bytes, name: bytes) -> str:
    """Return the value of a header. The usual spelling is found fast."""
    line = _LINE_STARTS.get(name) or _LINE_STARTS.setdefault(name, b"\n%b: " % name)
    at = head.find(line)
    if at < 0:
        wanted = name.decode().lower()
        return next((value for key, value in header_pairs(head) if key.lower() == wanted), "")
    end = head.find(b"\n", at + 1)
    if head.startswith((b" ", b"\t"), end + 1):  # the value continues in the next line
        return dict(reversed(header_pairs(head))).get(name.decode(), "")
    return decode_header(head[at + len(name) + 3 : end]).strip()


def header_pairs(head: bytes) -> list[tuple[str, str]]:
    """Return the headers after the first line as they were received; lines without a colon are ignored."""
    text = decode_header(head)
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    pairs = [line.partition(":") for line in text.split("\n")[1:]]
    return [(name, value.strip()) for name, colon, value in pairs if colon]


def decode_header(head: bytes) -> str:
    """Decode UTF-8, as browsers send it, else Latin-1, as HTTP once had it."""
    try:
        return head.decode()
    except UnicodeDecodeError:
        return head.decode("latin-1")


def _content_length(head: bytes) -> int | None:
    stated = find_header(head, b"Content-Length")
    # 18 digits are an exabyte; Python refuses to read more than 4,300
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) <= 18 else None
