"""The bytes of an archive file, decompressed in bounded steps that go on after damage."""

from __future__ import annotations

import bz2
import lzma
import re
from collections.abc import Generator, Iterator
from typing import BinaryIO, NamedTuple, Protocol, cast

from isal import isal_zlib

# The stubs of isal call it an instance.
GZIP_ERROR = cast(type[Exception], isal_zlib.error)

# Read steps: 64 kB of file; 16 kB to a decoder, about a compressed page, because it copies what it does not
# use; and pieces of up to 1 MB, which hold all but the rarest page whole.
_READ = 1 << 16
_FEED = 1 << 14
_PIECE = 1 << 20
# How far back a damaged member is searched for the start of the next.
_HISTORY = 1 << 22

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18").match  # dictionaries of .warc.zst files
_BZIP2 = b"BZh"  # of Wikipedia's dumps and what is made of them
_XZ = b"\xfd7zXZ\0"
# A member that deflates, with flags that exist; two bytes alone turn up in any compressed data.
_NEXT_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]").search
# How plain archives, ARC and pages start; gzip whose very first bytes are damaged does not.
_TEXT = re.compile(rb"\s*(?:WARC/|filedesc:|https?:|<)").match


class Piece(NamedTuple):
    """Some decompressed bytes; or a problem where bytes should have been."""

    offset: int  # in the file: where the compressed member starts; for a plain file, the piece itself
    data: bytes
    starts: bool  # the first of its member
    length: int = 0  # of the compressed member, when this piece is all of it
    ends: int = 0  # where the compressed member ends in the file, when this piece is its last
    problem: str = ""


class Source:
    """A stream that is read forward, and remembers what it gave since the last mark."""

    def __init__(self, stream: BinaryIO, begin: bytes = b"", offset: int = 0) -> None:
        self._stream = stream
        self._buffer = begin
        self._at = 0
        self._mark = 0  # index in the buffer
        self._base = offset  # of the buffer's first byte

    @property
    def position(self) -> int:
        """Offset in the stream of what comes next."""
        return self._base + self._at

    def mark(self) -> int:
        """Remember from here on; the position."""
        self._mark = self._at
        return self._base + self._at

    def fill(self, least: int = 1) -> bool:
        """Have so many bytes at hand, unless the stream is at its end; whether there are any."""
        while len(self._buffer) - self._at < least and (more := self._stream.read(_READ)):
            keep = max(self._mark, len(self._buffer) - _HISTORY)
            self._base += keep
            self._at -= keep
            self._mark = 0
            self._buffer = self._buffer[keep:] + more
        return self._at < len(self._buffer)

    def take(self) -> bytes:
        """The next bytes, as many as a decoder is fed at once."""
        taken = self._buffer[self._at : self._at + _FEED]
        self._at += len(taken)
        return taken

    def give_back(self, count: int) -> None:
        """The last so many bytes were not needed."""
        self._at -= count

    def starts_with(self, magic: bytes) -> bool:
        """Whether these bytes come next."""
        return self._buffer.startswith(magic, self._at)

    def seek_member(self) -> None:
        """From the mark on, go to what looks like the start of the next gzip member, or to the end.

        A flipped bit makes a decoder run on into the next members, so what it read is searched again.
        """
        self._at = self._mark + 1
        while True:
            found = _NEXT_MEMBER(self._buffer, self._at)
            if found is not None:
                self._at = self._mark = found.start()
                return
            self._at = self._mark = max(len(self._buffer) - 3, self._at)
            if not self.fill(len(self._buffer) - self._at + 1) or len(self._buffer) - self._at <= 3:
                self._at = self._mark = len(self._buffer)
                return


def pieces_of(stream: BinaryIO) -> tuple[Iterator[Piece], bool]:
    """The pieces of an archive, and whether it is plain; the first bytes tell the compression."""
    begin = stream.read(_READ)
    if begin.startswith(_GZIP) or (_NEXT_MEMBER(begin) and not _TEXT(begin)):
        return gzip_pieces(Source(stream, begin)), False
    if begin.startswith(_XZ):
        return _whole_pieces(cast(BinaryIO, lzma.LZMAFile(cast(BinaryIO, _Joined(begin, stream))))), False
    if begin.startswith(_BZIP2):
        return _whole_pieces(cast(BinaryIO, bz2.BZ2File(cast(BinaryIO, _Joined(begin, stream))))), False
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
        start = source.mark()
        problem = "garbage between gzip members"
        if source.starts_with(_GZIP):
            problem = yield from _member(source, start)
        if problem:
            yield Piece(start, b"", False, problem=problem)
            source.seek_member()


def _member(source: Source, start: int) -> Generator[Piece, None, str]:
    """Yields the pieces of one member, returns what was wrong with it."""
    inflater = isal_zlib.decompressobj(31)
    try:  # nearly every member is a page that comes out at one go
        data = inflater.decompress(source.take(), _PIECE)
    except GZIP_ERROR as error:
        return f"corrupt gzip member ({error})"
    if inflater.eof:
        source.give_back(len(inflater.unused_data))
        end = source.position
        yield Piece(start, data, True, end - start, end)
        return ""
    return (yield from _long_member(source, start, inflater, data))


def _long_member(
    source: Source, start: int, inflater: _Inflater, begin: bytes
) -> Generator[Piece, None, str]:
    """The pieces of a member that has begun."""
    first = True
    while not inflater.eof:
        data, problem = _inflate(inflater, source)
        if first:
            data = begin + data
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
        source.give_back(len(inflater.unused_data))
    return parts[0] if len(parts) == 1 else b"".join(parts), problem


class _Inflater(Protocol):
    """What isal and zlib call a decompressobj."""

    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


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
    from fastwarc.stream_io import ZstdReader

    return cast(BinaryIO, ZstdReader(_Joined(begin, stream)))
