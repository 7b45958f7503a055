"""The bytes of an archive file, decompressed in bounded steps that go on after damage."""

from __future__ import annotations

import lzma
import re
from collections.abc import Generator, Iterator
from typing import BinaryIO, NamedTuple, Protocol, cast

from isal import isal_zlib

# The stubs of isal call it an instance.
GZIP_ERROR = cast(type[Exception], isal_zlib.error)

# Read steps. 64 kB holds about four compressed pages; 1 MB holds all but the rarest page whole, so that a
# record is nearly always one piece.
_READ = 1 << 16
_PIECE = 1 << 20
# How far back a damaged member is searched for the start of the next.
_HISTORY = 1 << 22

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18").match  # dictionaries of .warc.zst files
_XZ = b"\xfd7zXZ\0"
# A member that deflates, with flags that exist; two bytes alone turn up in any compressed data.
_NEXT_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]").search


class Piece(NamedTuple):
    """Some decompressed bytes; or a problem where bytes should have been."""

    offset: int  # in the file: where the compressed member starts; for a plain file, the piece itself
    data: bytes
    starts: bool  # the first of its member
    length: int = 0  # of the compressed member, when this piece is all of it
    ends: int = 0  # where the compressed member ends in the file, when this piece is its last
    problem: str = ""


class Source:
    """A stream that is read forward only, with a short memory of what was read."""

    def __init__(self, stream: BinaryIO, begin: bytes = b"", offset: int = 0) -> None:
        self._stream = stream
        self._history: list[bytes] = []
        self._remembered = 0
        self.buffer = begin
        self.position = offset  # of the buffer's first byte

    def fill(self, least: int = 1) -> bool:
        """Have so much in the buffer, unless the stream is at its end; whether there is anything."""
        while len(self.buffer) < least and (more := self._stream.read(_READ)):
            self.buffer += more
        return bool(self.buffer)

    def take(self) -> bytes:
        """The whole buffer; it is remembered until the next member starts."""
        taken, self.buffer = self.buffer, b""
        self.position += len(taken)
        self._history.append(taken)
        self._remembered += len(taken)
        while self._remembered > _HISTORY:
            self._remembered -= len(self._history.pop(0))
        return taken

    def give_back(self, rest: bytes) -> None:
        """Put back what was taken too much."""
        self.buffer = rest + self.buffer
        self.position -= len(rest)

    def skip(self, count: int) -> None:
        """Leave out the next bytes of the buffer."""
        self.buffer = self.buffer[count:]
        self.position += count

    def forget(self) -> None:
        """What came before will not be asked for again."""
        self._history.clear()
        self._remembered = 0

    def rewind(self) -> None:
        """Back to the start of what is remembered."""
        remembered = b"".join(self._history)
        keep = len(remembered)
        self.forget()
        self.buffer = remembered + self.buffer
        self.position -= keep


def pieces_of(stream: BinaryIO) -> tuple[Iterator[Piece], bool]:
    """The pieces of an archive, and whether it is plain; the first bytes tell the compression."""
    begin = stream.read(_READ)
    if begin.startswith(_GZIP):
        return gzip_pieces(Source(stream, begin)), False
    if begin.startswith(_XZ):
        return _whole_pieces(cast(BinaryIO, lzma.LZMAFile(cast(BinaryIO, _Joined(begin, stream))))), False
    if begin.startswith(_ZSTD) or _ZSTD_SKIPPABLE(begin):
        return _whole_pieces(_open_zstd(begin, stream)), False
    return _plain_pieces(begin, stream), True


def _plain_pieces(begin: bytes, stream: BinaryIO) -> Iterator[Piece]:
    offset = 0
    data = begin
    while data:
        yield Piece(offset, data, offset == 0)
        offset += len(data)
        data = stream.read(_PIECE)


def _whole_pieces(decompressed: BinaryIO) -> Iterator[Piece]:
    """Of a format whose frames we cannot tell apart: one member, and the end at the first damage."""
    offset = 0
    while True:
        try:
            data = decompressed.read(_PIECE)
        except (OSError, EOFError, lzma.LZMAError) as error:
            yield Piece(0, b"", False, problem=f"corrupt compressed data ({error})")
            return
        if not data:
            return
        yield Piece(0, data, offset == 0)
        offset += len(data)


def gzip_pieces(source: Source) -> Iterator[Piece]:
    """Member after member."""
    while source.fill(len(_GZIP)):
        source.forget()
        start = source.position
        problem = "garbage between gzip members"
        if source.buffer.startswith(_GZIP):
            problem = yield from _member(source, start)
        if problem:
            yield Piece(start, b"", False, problem=problem)
            _seek_next_member(source)


def _member(source: Source, start: int) -> Generator[Piece, None, str]:
    """Yields the pieces of one member, returns what was wrong with it."""
    inflater = isal_zlib.decompressobj(31)
    first = True
    while not inflater.eof:
        data, problem = _inflate(inflater, source)
        end = source.position if inflater.eof else 0
        if data or end:
            yield Piece(start, data, first, end - start if first and end else 0, end)
            first = False
        if problem:
            return problem
    return ""


def _inflate(inflater: _Inflater, source: Source) -> tuple[bytes, str]:
    """As much of a member as makes one piece, and what ended it too early."""
    parts: list[bytes] = []
    room = _PIECE
    problem = ""
    while room > 0 and not inflater.eof and not problem:
        waiting = inflater.unconsumed_tail
        if not waiting and not source.fill():
            problem = "truncated gzip member"
            break
        try:
            parts.append(inflater.decompress(waiting or source.take(), room))
            room -= len(parts[-1])
        except GZIP_ERROR as error:
            problem = f"corrupt gzip member ({error})"
    if inflater.eof:
        source.give_back(inflater.unused_data)
    return parts[0] if len(parts) == 1 else b"".join(parts), problem


class _Inflater(Protocol):
    """What isal and zlib call a decompressobj."""

    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _seek_next_member(source: Source) -> None:
    """A flipped bit makes a decoder run on into the next members: search from the damaged one's own start."""
    source.rewind()
    begin = 1
    while source.fill(4):
        found = _NEXT_MEMBER(source.buffer, begin)
        if found is not None:
            source.skip(found.start())
            return
        source.skip(max(len(source.buffer) - 3, 1))
        begin = 0


class _Joined:
    """What was already read of a stream, then the rest of it, with as much of a file as decoders ask for."""

    def __init__(self, begin: bytes, stream: BinaryIO) -> None:
        self._begin = begin
        self._stream = stream
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        if not self._begin:
            data = self._stream.read(size)
        else:
            cut = size if size >= 0 else len(self._begin)
            data, self._begin = self._begin[:cut], self._begin[cut:]
        self._position += len(data)
        return data

    def tell(self) -> int:
        return self._position

    def seek(self, _offset: int, _whence: int = 0) -> int:
        raise OSError("a stream cannot be read twice")

    def close(self) -> None:
        """The stream belongs to who opened it."""


def _open_zstd(begin: bytes, stream: BinaryIO) -> BinaryIO:
    from fastwarc.stream_io import ZstdReader  # noqa: PLC0415 -- 30 ms that only zstd files need

    return cast(BinaryIO, ZstdReader(_Joined(begin, stream)))
