"""After a kill: the half-written record is cut off, and what was archived but not yet noted handed over."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from threadmill.archive.pieces import Source, gzip_pieces
from threadmill.archive.reader import exchange_of
from threadmill.archive.records import RecordReader
from threadmill.archive.tally import Tally
from threadmill.archive.writer import OPEN_SUFFIX
from threadmill.errors import ArchiveError
from threadmill.types import Exchange, Location


@dataclass(frozen=True, slots=True)
class Recovered:
    """A file whose writer did not close it, mended."""

    file: str  # name relative to the archive directory
    size: int  # of the whole records that are kept
    cut: int  # bytes of the incomplete one that are gone


def recover(directory: Path, known: dict[str, int] | None = None) -> tuple[Recovered, ...]:
    """Mend the files of writers that died; those of writers still alive are left alone.

    `known` tells for each file up to where its records are known to be whole, which saves reading them.
    """
    mended = []
    for marker in sorted(directory.glob(f"*{OPEN_SUFFIX}")):
        file = marker.with_suffix("")
        mend = _mend(file, (known or {}).get(file.name, 0)) if file.exists() else Recovered(file.name, 0, 0)
        if mend is not None:
            marker.unlink()
            mended.append(mend)
    return tuple(mended)


def exchanges_after(directory: Path, file: str, offset: int = 0) -> Iterator[tuple[Location, Exchange]]:
    """The answers archived in a file from an offset on, as they were written, with where they are."""
    tally = Tally()
    try:
        stream = (directory / file).open("rb")
    except OSError as error:
        raise ArchiveError(f"cannot read {directory / file}: {error.strerror}") from None
    with closing(stream):
        stream.seek(offset)
        request_head = b""
        for record in RecordReader(gzip_pieces(Source(stream, offset=offset)), file, tally):
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


def _mend(file: Path, known: int) -> Recovered | None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        size = os.fstat(descriptor).st_size
        whole = _whole_size(file, min(known, size))
        if whole < size:
            os.ftruncate(descriptor, whole)
            os.fsync(descriptor)
        return Recovered(file.name, whole, size - whole)
    finally:
        os.close(descriptor)


def _whole_size(file: Path, known: int) -> int:
    """Where the last whole member ends."""
    end = known
    with file.open("rb") as stream:
        stream.seek(known)
        for piece in gzip_pieces(Source(stream, offset=known)):
            if piece.problem:
                break
            if piece.ends:
                end = piece.ends
    return end
