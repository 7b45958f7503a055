"""Verifies archives, and repairs them after a crash: cuts off incomplete records and reads unnoted ones."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadmill.archive.decompression import RewindableStream, read_gzip_chunks
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.remote_files import locate
from threadmill.archive.warc_reader import exchange_of, read_records
from threadmill.archive.warc_records import WarcRecord, WarcRecordReader, head_end
from threadmill.archive.warc_writer import OPEN_SUFFIX, RENDERED_TYPE
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
    found = [_repair(marker, known or {}) for marker in sorted(directory.glob(f"*{OPEN_SUFFIX}"))]
    return tuple(file for file in found if file is not None)


def cut_half_records(directory: Path, known: Mapping[str, int]) -> tuple[RecoveredFile, ...]:
    """Cut half a record off the ends of files that no writer left open. Return the files that were cut.

    `known` is as in `recover`.
    """
    markers = [directory / f"{name}{OPEN_SUFFIX}" for name in sorted(known) if (directory / name).exists()]
    found = [_repair(marker, known) for marker in markers if not marker.exists()]
    return tuple(file for file in found if file is not None and file.cut)


def abandoned_files(directory: Path) -> list[str]:
    """The files whose writers died. Their records may be incomplete, and the database may not know them."""
    files = (marker.with_suffix("") for marker in sorted(directory.glob(f"*{OPEN_SUFFIX}")))
    return [file.name for file in files if not _has_writer(file)]


def _has_writer(file: Path) -> bool:
    import fcntl  # POSIX only: reading archives works without it

    try:
        with file.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        pass
    return False


def read_exchanges_after(directory: Path, file: str, offset: int = 0) -> Iterator[tuple[Location, Exchange]]:
    """Yield the exchanges archived in a file from an offset on, with their locations."""
    tally = ReadTally()
    try:
        stream = locate(directory / file).open("rb")
    except OSError as error:
        raise ArchiveError(f"cannot read {directory / file}: {error.strerror}") from None
    with closing(stream):
        stream.seek(offset)
        request_head = b""
        found: tuple[Location, Exchange] | None = None  # waits for the page that a browser made of it
        for record in WarcRecordReader(
            read_gzip_chunks(RewindableStream(stream, offset=offset)), file, tally
        ):
            kind = record.kind
            if found is not None:
                yield _with_rendered_page(found, record) if is_rendered_page(record) else found
                found = None
            if kind == "request":
                request_head = record.block
            elif kind in {"response", "revisit"}:
                digest = record.header(b"WARC-Payload-Digest")
                location = Location(file, record.place.offset, record.length, digest)
                exchange = exchange_of(record, request_head)
                if exchange is not None:
                    found = location, exchange
                request_head = b""
        if found is not None:
            yield found


def is_rendered_page(record: WarcRecord) -> bool:
    """Is this the page that a browser made of the answer before it?"""
    return record.kind == "conversion" and record.header(b"Content-Type") == RENDERED_TYPE


def _with_rendered_page(found: tuple[Location, Exchange], record: WarcRecord) -> tuple[Location, Exchange]:
    location, exchange = found
    place = replace(location, offset=record.place.offset, length=record.length)
    return place, replace(exchange, rendered=record.block)


def _repair(marker: Path, known: Mapping[str, int]) -> RecoveredFile | None:
    """Repair a file and remove its marker. None if its writer is running, or another process repairs it."""
    import fcntl  # POSIX only: reading archives works without it

    file = marker.with_suffix("")
    try:
        descriptor = os.open(file, os.O_RDWR)
    except FileNotFoundError:
        marker.unlink(missing_ok=True)
        return RecoveredFile(file.name, 0, 0)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        size, end = os.fstat(descriptor).st_size, known.get(file.name, 0)
        # A file that is shorter than known was cut by a power failure: nothing of it is certain.
        whole = _complete_size(file, end if end <= size else 0)
        if whole < size:
            os.ftruncate(descriptor, whole)
            os.fsync(descriptor)
        marker.unlink(missing_ok=True)  # while the lock is held: the next writer makes a marker of its own
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


_ALGORITHMS = {"sha1": "sha1", "sha-1": "sha1", "sha256": "sha256", "sha-256": "sha256", "md5": "md5"}


@dataclass(slots=True)
class ArchiveVerdict:
    """The result of a verification; grows while it runs."""

    tally: ReadTally = field(default_factory=ReadTally)
    kinds: Counter[str] = field(default_factory=Counter)  # record type → how many
    digests: int = 0  # digests that were compared and agreed

    @property
    def damaged(self) -> int:
        """How many records are broken or do not match their digest."""
        return self.tally.damaged


def verify_archive(
    source: Path | str,
    verdict: ArchiveVerdict | None = None,
    watch: Callable[[Iterator[WarcRecord]], Iterator[WarcRecord]] = iter,
) -> ArchiveVerdict:
    """Read everything once and compare every digest. `watch` hands the records on, and may count them."""
    verdict = ArchiveVerdict() if verdict is None else verdict
    for record in watch(read_records(source, verdict.tally)):
        verdict.kinds[record.kind or "untyped"] += 1
        _compare_digest(record, b"WARC-Block-Digest", record.block, verdict)
        payload = _payload_of(record)
        if payload is not None:
            _compare_digest(record, b"WARC-Payload-Digest", payload, verdict)
        for name in (b"WARC-Record-ID", b"WARC-Type", b"WARC-Date"):
            if not record.header(name):
                verdict.tally.skip(record.place, f"no {name.decode()}", damaged=True)
    return verdict


def _payload_of(record: WarcRecord) -> bytes | None:
    """Return what the payload digest covers: the body of a response.

    That of a revisit is in another record.
    """
    if record.kind != "response" or not record.data.startswith(b"HTTP/", record.start):
        return None
    body = head_end(record.data, record.start, record.end)
    return record.data[body : record.end] if body >= 0 else b""


def _compare_digest(record: WarcRecord, name: bytes, content: bytes, verdict: ArchiveVerdict) -> None:
    stated = record.header(name)
    if not stated:
        return
    label, _, value = stated.partition(":")
    algorithm = _ALGORITHMS.get(label.lower())
    if algorithm is None:
        verdict.tally.skip(record.place, f"{name.decode()} of unknown kind {label[:20]!r}")
        return
    digest = hashlib.new(algorithm, content, usedforsecurity=False)
    # Nearly all programs write Base32; some write hexadecimal.
    if value.upper().rstrip("=") == base64.b32encode(digest.digest()).decode().rstrip("=") or (
        value.lower() == digest.hexdigest()
    ):
        verdict.digests += 1
    else:
        verdict.tally.skip(record.place, f"{name.decode()} differs", damaged=True)
