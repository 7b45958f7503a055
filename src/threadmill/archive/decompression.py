"""Decompresses an archive file in bounded steps, and continues after damage."""

from __future__ import annotations

import bz2
import lzma
import re
from collections.abc import Generator, Iterator
from typing import BinaryIO, NamedTuple, Protocol, cast

from isal import isal_zlib

from threadmill.errors import ArchiveError

# The type stubs of isal declare it as an instance.
GZIP_ERROR = cast(type[Exception], isal_zlib.error)

# A file is read in steps of 64 kB. A decoder gets 16 kB at once, about a compressed page, because it copies
# what it does not use. Chunks have up to 1 MB, so nearly every page is in one chunk.
_READ_BYTES = 1 << 16
_FEED_BYTES = 1 << 14
_CHUNK = 1 << 20
# Four bytes of Zstandard can stand for 128 kB: input steps of this size yield 16 MB at worst.
_ZSTD_FEED_BYTES = 1 << 9
_MAX_DICTIONARY_BYTES = 1 << 24  # real ones have up to a megabyte
# How many bytes of a damaged member are searched for the start of the next one.
_HISTORY_BYTES = 1 << 22

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18").match  # dictionaries of .warc.zst files
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"
_BZIP2 = b"BZh"  # Wikipedia dumps and their extracts
_LZ4 = (b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18")  # frames, and the older format
_XZ = b"\xfd7zXZ\0"
# A deflated member with valid flags. The two magic bytes alone occur in any compressed data.
_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")
_NEXT_MEMBER = _MEMBER.search
MEMBER_MARK_BYTES = 4
# Plain archives, ARC files and pages start like this; gzip with damaged first bytes does not.
_TEXT = re.compile(rb"\s*(?:WARC/|filedesc:|https?:|<)").match


class ArchiveChunk(NamedTuple):
    """Some decompressed bytes, or a problem where bytes should have been."""

    offset: int  # in the file: start of the compressed member, or of the chunk in a plain file
    data: bytes
    starts: bool  # whether it is the first chunk of its member
    length: int = 0  # of the compressed member, if this chunk is all of it
    ends: int = 0  # end of the compressed member in the file, if this chunk is its last
    problem: str = ""


class RewindableStream:
    """A stream that is read forward and can go back to the last mark."""

    def __init__(self, stream: BinaryIO, begin: bytes = b"", offset: int = 0) -> None:
        self._stream = stream
        self._buffer = begin
        self._at = 0
        self._mark = 0  # index in the buffer
        self._base = offset  # of the buffer's first byte

    @property
    def position(self) -> int:
        """Offset of the next byte in the stream."""
        return self._base + self._at

    def mark(self) -> int:
        """Set the mark at the next byte and return its offset."""
        self._mark = self._at
        return self._base + self._at

    def fill(self, least: int = 1) -> bool:
        """Buffer at least so many bytes, unless the stream ends; return whether there are any."""
        while len(self._buffer) - self._at < least and (more := self._stream.read(_READ_BYTES)):
            keep = max(self._mark, len(self._buffer) - _HISTORY_BYTES)
            self._base += keep
            self._at -= keep
            self._mark = 0
            self._buffer = self._buffer[keep:] + more
        return self._at < len(self._buffer)

    def take(self) -> bytes:
        """Return the next bytes, as many as a decoder gets at once."""
        taken = self._buffer[self._at : self._at + _FEED_BYTES]
        self._at += len(taken)
        return taken

    def give_back(self, count: int) -> None:
        """Return bytes to the buffer that were taken but not needed."""
        self._at -= count

    def starts_with(self, magic: bytes) -> bool:
        """Whether these bytes come next."""
        return self._buffer.startswith(magic, self._at)

    def seek_member(self) -> None:
        """Go from the mark to what looks like the start of the next gzip member, or to the end.

        A flipped bit makes a decoder run on into the next members, so the bytes it read are searched again.
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


def read_chunks(stream: BinaryIO) -> tuple[Iterator[ArchiveChunk], bool]:
    """Return the chunks of an archive, and whether it is uncompressed.

    Its first bytes tell the compression.
    """
    begin = stream.read(_READ_BYTES)
    if begin.startswith(_GZIP) or (_NEXT_MEMBER(begin) and not _TEXT(begin)):
        return read_gzip_chunks(RewindableStream(stream, begin)), False
    joined = cast(BinaryIO, _ReadAgainStream(begin, stream))
    if begin.startswith(_XZ):
        return _single_member_chunks(lzma.LZMAFile(joined)), False
    if begin.startswith(_BZIP2):
        return _single_member_chunks(bz2.BZ2File(joined)), False
    if begin.startswith(_LZ4):
        raise ArchiveError(
            "expected a plain, .gz, .zst, .xz or .bz2 file, but this is lz4; unpack it first: lz4 -d FILE"
        )
    if begin.startswith(_ZSTD) or _ZSTD_SKIPPABLE(begin):
        return _single_member_chunks(_ZstdReader(joined)), False
    return _plain_chunks(begin, stream), True


def _plain_chunks(begin: bytes, stream: BinaryIO) -> Iterator[ArchiveChunk]:
    offset = 0
    data = begin
    while data:
        yield ArchiveChunk(offset, data, offset == 0)
        offset += len(data)
        data = stream.read(_CHUNK)


def _single_member_chunks(decompressed: _Readable) -> Iterator[ArchiveChunk]:
    """Yield the chunks of a format whose members cannot be told apart, up to the first damage."""
    offset = 0
    while True:
        try:
            data = decompressed.read(_CHUNK)
        except (OSError, EOFError, lzma.LZMAError) as error:
            yield ArchiveChunk(0, b"", False, problem=f"corrupt compressed data ({error})")
            return
        if not data:
            return
        yield ArchiveChunk(0, data, offset == 0)
        offset += len(data)


def read_gzip_chunks(source: RewindableStream) -> Iterator[ArchiveChunk]:
    """Yield the chunks of a gzip file, member after member."""
    while source.fill(len(_GZIP)):
        start = source.mark()
        problem = "garbage between gzip members"
        if source.starts_with(_GZIP):
            problem = yield from _member_chunks(source, start)
        if problem:
            yield ArchiveChunk(start, b"", False, problem=problem)
            source.seek_member()


def find_members(data: bytes) -> Iterator[int]:
    """Where something in compressed data looks like the start of a gzip member."""
    return (found.start() for found in _MEMBER.finditer(data))


def begins_with(data: bytes, text: bytes) -> bool:
    """Whether this is a gzip member whose content begins with a text."""
    try:
        return isal_zlib.decompressobj(31).decompress(data, len(text)) == text
    except GZIP_ERROR:
        return False


def _member_chunks(source: RewindableStream, start: int) -> Generator[ArchiveChunk, None, str]:
    """Yield the chunks of one member; return what is wrong with it."""
    inflater = isal_zlib.decompressobj(31)
    try:  # nearly every member is a page that fits into one chunk
        data = inflater.decompress(source.take(), _CHUNK)
    except GZIP_ERROR as error:
        return f"corrupt gzip member ({error})"
    if inflater.eof:
        source.give_back(len(inflater.unused_data))
        end = source.position
        yield ArchiveChunk(start, data, True, end - start, end)
        return ""
    return (yield from _long_member_chunks(source, start, inflater, data))


def _long_member_chunks(
    source: RewindableStream, start: int, inflater: _Inflater, begin: bytes
) -> Generator[ArchiveChunk, None, str]:
    """Yield the chunks of a member whose first output is given."""
    first = True
    while not inflater.eof:
        data, problem = _inflate_chunk(inflater, source)
        if first:
            data = begin + data
        end = source.position if inflater.eof else 0
        if data or end:
            yield ArchiveChunk(start, data, first, end - start if first and end else 0, end)
            first = False
        if problem:
            return problem
    return ""


def _inflate_chunk(inflater: _Inflater, source: RewindableStream) -> tuple[bytes, str]:
    """Return one chunk of a member, and the problem that ended it early."""
    parts: list[bytes] = []
    room = _CHUNK
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


class _Readable(Protocol):
    """A file of decompressed bytes."""

    def read(self, size: int, /) -> bytes: ...


class _Inflater(Protocol):
    """The interface of a decompressobj of isal and zlib."""

    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _ReadAgainStream:
    """The bytes already read from a stream, then the rest of it, as a file that decoders accept."""

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
        """Do nothing: whoever opened the stream closes it."""


class _ZstdReader:
    """Decompresses a Zstandard file, frame after frame, with the dictionary that may stand at its start.

    A damaged frame raises OSError, as bz2 does, and so does a frame that is cut off.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._frames: Iterator[bytes] | None = None
        self._output = bytearray()

    def read(self, size: int) -> bytes:
        """Return up to so many decompressed bytes; none at the end of the file."""
        from zstandard import ZstdError

        if self._frames is None:
            self._frames = self._decompress()
        try:
            while len(self._output) < size and (data := next(self._frames, None)) is not None:
                self._output += data
        except ZstdError as error:
            raise OSError(str(error).rpartition(": ")[2]) from None
        data = bytes(self._output[:size])
        del self._output[:size]
        return data

    def _decompress(self) -> Iterator[bytes]:
        import zstandard

        data = self._stream.read(len(_ZSTD_DICTIONARY))
        dictionary = None
        if data == _ZSTD_DICTIONARY:
            dictionary, data = zstandard.ZstdCompressionDict(self._read_dictionary()), b""
        decompressor = zstandard.ZstdDecompressor(dict_data=dictionary)
        frame = None
        while data := data or self._stream.read(_ZSTD_FEED_BYTES):
            frame = frame or decompressor.decompressobj()
            yield frame.decompress(data)
            data = b""
            if frame.eof:
                data, frame = frame.unused_data, None
        if frame is not None:
            raise OSError("incomplete frame")

    def _read_dictionary(self) -> bytes:
        """Read the dictionary of a .warc.zst file; it may be compressed itself."""
        import zstandard

        stated = self._stream.read(4)
        size = int.from_bytes(stated, "little")
        parts: list[bytes] = []
        while size > 0 and (part := self._stream.read(min(size, _READ_BYTES))):
            parts.append(part)
            size -= len(part)
        if size > 0 or len(stated) < 4:
            raise OSError("incomplete dictionary")
        dictionary = b"".join(parts)
        if dictionary.startswith(_ZSTD):
            return zstandard.ZstdDecompressor().decompress(dictionary, max_output_size=_MAX_DICTIONARY_BYTES)
        return dictionary
