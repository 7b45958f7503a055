"""Repairs archives after a crash: cuts off incomplete records and reads exchanges that were not noted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from threadmill.archive.decompression import RewindableStream, read_gzip_chunks
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_reader import exchange_of
from threadmill.archive.warc_records import WarcRecordReader
from threadmill.archive.warc_writer import OPEN_SUFFIX
from threadmill.errors import ArchiveError
from threadmill.types import Exchange, Location


@dataclass(frozen=True, slots=True)
class RecoveredFile:
    """A repaired file that its writer did not close."""

    file: str  # name relative to the archive directory
    size: int  # of the complete records, which are kept
    cut: int  # bytes of the incomplete record, which were removed


def recover(directory: Path, known: dict[str, int] | None = None) -> tuple[RecoveredFile, ...]:
    """Repair the files of writers that died. Files of running writers are left alone.

    `known` maps a file to the size up to which its records are known to be complete. That part is not read
    again.
    """
    mended = []
    for marker in sorted(directory.glob(f"*{OPEN_SUFFIX}")):
        file = marker.with_suffix("")
        mend = (
            _repair(file, (known or {}).get(file.name, 0))
            if file.exists()
            else RecoveredFile(file.name, 0, 0)
        )
        if mend is not None:
            marker.unlink()
            mended.append(mend)
    return tuple(mended)


def read_exchanges_after(directory: Path, file: str, offset: int = 0) -> Iterator[tuple[Location, Exchange]]:
    """Yield the exchanges archived in a file from an offset on, with their locations."""
    tally = ReadTally()
    try:
        stream = (directory / file).open("rb")
    except OSError as error:
        raise ArchiveError(f"cannot read {directory / file}: {error.strerror}") from None
    with closing(stream):
        stream.seek(offset)
        request_head = b""
        for record in WarcRecordReader(
            read_gzip_chunks(RewindableStream(stream, offset=offset)), file, tally
        ):
            kind = record.kind
            if kind == "request":
                request_head = record.block
            elif kind in {"response", "revisit"}:
                digest = record.header(b"WARC-Payload-Digest")
                location = Location(file, record.place.offset, record.length, digest)
                exchange = exchange_of(record, request_head)
                if exchange is not None:
                    yield location, exchange
                request_head = b""


def _repair(file: Path, known: int) -> RecoveredFile | None:
    import fcntl  # POSIX only: reading archives works without it

    descriptor = os.open(file, os.O_RDWR)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        size = os.fstat(descriptor).st_size
        # A file that is shorter than known was cut by a power failure: nothing of it is certain.
        whole = _complete_size(file, known if known <= size else 0)
        if whole < size:
            os.ftruncate(descriptor, whole)
            os.fsync(descriptor)
        return RecoveredFile(file.name, whole, size - whole)
    finally:
        os.close(descriptor)


def _complete_size(file: Path, known: int) -> int:
    """Return where the last complete member ends."""
    end = known
    with file.open("rb") as stream:
        stream.seek(known)
        for chunk in read_gzip_chunks(RewindableStream(stream, offset=known)):
            if chunk.problem:
                break
            if chunk.ends:
                end = chunk.ends
    return end
