"""Writes WARC 1.1: one gzip member per record, complete records only, and a new file when one is full."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

from isal import isal_zlib

from threadmill import __version__
from threadmill.archive.remote_files import PLACE_SUFFIX
from threadmill.archive.run_records import RUN_TYPE, RunRecord
from threadmill.config import ArchiveSettings
from threadmill.errors import ArchiveError
from threadmill.types import Exchange, Location

WARC_SUFFIX = ".warc.gz"
# Marks a file that its writer has not closed. After a crash, `recover` looks for these.
OPEN_SUFFIX = ".open"
# In the first record of a file: how many files there were. It orders files even if the clock was wrong.
SEQUENCE_FIELD = "sequence"
# Of a page that a browser made. Other programs write conversion records too, such as the text of a page.
RENDERED_TYPE = "text/html; charset=utf-8; made-by=threadmill"

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_FORBIDDEN_IN_HEADER = re.compile(rb"[\r\n\0]+")
_HIGHEST_LEVEL = 3  # of ISA-L; docs/decisions/0003-archive.md


@dataclass(frozen=True, slots=True)
class OriginalCapture:
    """The capture that a revisit record refers to."""

    url: str
    at: datetime
    digest: str


def continued_files(directory: Path) -> list[Path]:
    """The file that the next writer may go on with, if there is one: the newest."""
    return sorted(directory.glob(f"threadmill-*{WARC_SUFFIX}"), reverse=True)[:1]


class ArchiveWriter:
    """Appends exchanges to WARC files of a directory. Each file has one writer; a directory may have many."""

    def __init__(self, directory: Path, settings: ArchiveSettings | None = None) -> None:
        self._directory = directory
        self._settings = settings or ArchiveSettings()
        self._level = min(max(self._settings.compression_level, 0), _HIGHEST_LEVEL)
        self._serial = 0
        self._file = ""
        self._descriptor = -1
        self._size = 0
        self._info_id = ""
        self._unsynced = False
        # Different for every writer, so that no two writers choose the same name.
        self._stem = f"threadmill-{datetime.now(UTC):%Y%m%d%H%M%S}-{os.getpid()}-{uuid4().hex[:6]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, exchange: Exchange, revisit_of: OriginalCapture | None = None) -> Location:
        """Archive one exchange.

        With the same payload as the original, or unmodified, it becomes a revisit record. A page that a
        browser made follows its answer as a conversion record, and the location is that of the page.
        """
        if self._descriptor < 0 or self._size >= self._settings.max_file_bytes:
            self._start_file()
        digest = sha1_digest(exchange.body)
        revisits = revisit_of is not None and (exchange.status == 304 or revisit_of.digest == digest)
        response_id = _new_id()
        head = _response_head(exchange)
        if revisits and revisit_of is not None:
            record = self._revisit(exchange, head, response_id, revisit_of)
            digest = revisit_of.digest
        else:
            record = self._response(exchange, head, response_id, digest)
        request = self._request(exchange, response_id)
        page = self._conversion(exchange, response_id) if exchange.rendered else b""
        start = self._append(request + record + page) + len(request)
        if page:
            return Location(self._file, start + len(record), len(page), digest)
        return Location(self._file, start, len(record), digest)

    def write_run(self, record: RunRecord) -> None:
        """Archive the beginning or the end of a run."""
        if self._descriptor < 0 or self._size >= self._settings.max_file_bytes:
            self._start_file()
        block = record.to_json()
        head = [
            ("WARC-Type", "metadata"),
            ("WARC-Record-ID", _new_id()),
            ("WARC-Warcinfo-ID", self._info_id),
            ("WARC-Date", warc_date(datetime.now(UTC))),
            ("WARC-Target-URI", record.url),
            ("WARC-Block-Digest", sha1_digest(block)),
            ("Content-Type", RUN_TYPE),
        ]
        self._append(self._member(head, block))

    def sync(self) -> None:
        """Wait until all that was written is on the disk. Call it before a commit that names the records."""
        if self._descriptor >= 0 and self._unsynced:
            os.fsync(self._descriptor)
            self._unsynced = False

    def close(self, *, noted: bool = True) -> None:
        """Finish the current file; the next write starts another.

        Files that were not noted are left to `recover`.
        """
        if self._descriptor < 0:
            return
        os.fsync(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = -1
        if noted:
            (self._directory / f"{self._file}{OPEN_SUFFIX}").unlink(missing_ok=True)

    def _start_file(self) -> None:
        self.close()
        if self._continue_file():
            return
        import fcntl  # POSIX only: reading archives works without it

        self._file = f"{self._stem}-{self._serial:05d}{WARC_SUFFIX}"
        self._serial += 1
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            names = {file.name.removesuffix(PLACE_SUFFIX) for file in self._directory.glob("*")}
            sequence = sum(name.endswith(WARC_SUFFIX) for name in names)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._descriptor = os.open(self._directory / self._file, flags, 0o644)
            # The lock tells `recover` in other processes that this writer is running. So it comes first.
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            (self._directory / f"{self._file}{OPEN_SUFFIX}").touch()
        except OSError as error:
            raise ArchiveError(
                f"cannot start an archive file in {self._directory}: {error.strerror}"
            ) from None
        sync_directory(self._directory)
        self._size = 0
        self._info_id = _new_id()
        self._append(self._info(f"{SEQUENCE_FIELD}: {sequence}\r\n"))

    def _continue_file(self) -> bool:
        """Go on with the newest file if it is small: a crawl every hour would make 8,760 files a year."""
        names = continued_files(self._directory)
        marker = names[0].with_name(f"{names[0].name}{OPEN_SUFFIX}") if names else None
        if marker is None or marker.exists() or names[0].name == self._file:
            return False
        import fcntl

        descriptor = -1
        try:
            descriptor = os.open(names[0], os.O_WRONLY | os.O_APPEND)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = os.fstat(descriptor)
            size = found.st_size
            # Without a name, it was sent elsewhere a moment ago.
            if not found.st_nlink or size >= min(
                self._settings.join_file_bytes, self._settings.max_file_bytes
            ):
                os.close(descriptor)
                return False
            marker.touch(exist_ok=False)
        except OSError:  # another writer has it, or it may not be written
            if descriptor >= 0:
                os.close(descriptor)
            return False
        self._file, self._descriptor, self._size = names[0].name, descriptor, size
        self._info_id = _new_id()
        self._append(self._info())
        return True

    def _append(self, members: bytes) -> int:
        """Write all of the bytes or none; return where they start."""
        start = self._size
        try:
            written = 0
            while written < len(members):
                written += os.write(self._descriptor, members[written:] if written else members)
        except OSError as error:
            os.ftruncate(self._descriptor, start)
            raise ArchiveError(
                f"cannot write to the archive {self._directory / self._file}: {error.strerror}; "
                "nothing archived before is lost"
            ) from None
        self._size += len(members)
        self._unsynced = True
        return start

    def _info(self, more: str = "") -> bytes:
        block = (
            f"software: threadmill/{__version__}\r\nformat: WARC File Format 1.1\r\n"
            "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
            f"{more}"
        ).encode()
        return self._member(
            [
                ("WARC-Type", "warcinfo"),
                ("WARC-Record-ID", self._info_id),
                ("WARC-Date", warc_date(datetime.now(UTC))),
                ("WARC-Filename", self._file),
                ("WARC-Block-Digest", sha1_digest(block)),
                ("Content-Type", "application/warc-fields"),
            ],
            block,
        )

    def _request(self, exchange: Exchange, response_id: str) -> bytes:
        block = exchange.request_head
        head = [
            *self._common("request", exchange, _new_id()),
            ("WARC-Concurrent-To", response_id),
            ("WARC-Block-Digest", sha1_digest(block)),
            ("Content-Type", "application/http;msgtype=request"),
        ]
        return self._member(head, block)

    def _response(self, exchange: Exchange, http_head: bytes, record_id: str, digest: str) -> bytes:
        head = [
            *self._common("response", exchange, record_id),
            ("WARC-Payload-Digest", digest),
            ("WARC-Block-Digest", sha1_digest(http_head, exchange.body)),
            ("Content-Type", "application/http;msgtype=response"),
        ]
        if exchange.truncated:
            head.append(("WARC-Truncated", exchange.truncated))
        return self._member(head, http_head, exchange.body)

    def _revisit(
        self, exchange: Exchange, http_head: bytes, record_id: str, original: OriginalCapture
    ) -> bytes:
        head = [
            *self._common("revisit", exchange, record_id),
            ("WARC-Profile", _NOT_MODIFIED if exchange.status == 304 else IDENTICAL),
            ("WARC-Refers-To-Target-URI", original.url),
            ("WARC-Refers-To-Date", warc_date(original.at)),
            ("WARC-Payload-Digest", original.digest),
            ("WARC-Block-Digest", sha1_digest(http_head)),
            ("Content-Type", "application/http;msgtype=response"),
        ]
        return self._member(head, http_head)

    def _conversion(self, exchange: Exchange, response_id: str) -> bytes:
        head = [
            *self._common("conversion", exchange, _new_id()),
            ("WARC-Refers-To", response_id),
            ("WARC-Block-Digest", sha1_digest(exchange.rendered)),
            ("Content-Type", RENDERED_TYPE),
        ]
        return self._member(head, exchange.rendered)

    def _common(self, kind: str, exchange: Exchange, record_id: str) -> list[tuple[str, str]]:
        head = [
            ("WARC-Type", kind),
            ("WARC-Record-ID", record_id),
            ("WARC-Warcinfo-ID", self._info_id),
            ("WARC-Date", warc_date(exchange.at)),
            ("WARC-Target-URI", exchange.url),
        ]
        if exchange.remote_address:
            head.append(("WARC-IP-Address", exchange.remote_address))
        return head

    def _member(self, headers: list[tuple[str, str]], *block: bytes) -> bytes:
        lines = [f"{name}: {value}\r\n" for name, value in headers]
        length = sum(map(len, block))
        head = f"WARC/1.1\r\n{''.join(lines)}Content-Length: {length}\r\n\r\n".encode()
        return isal_zlib.compress(b"".join((head, *block, b"\r\n\r\n")), self._level, 31)


def sync_directory(directory: Path) -> None:
    """Make the name of a new file survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def warc_date(at: datetime) -> str:
    """Return a moment in the form of WARC 1.1: UTC, with as many digits as it has."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _new_id() -> str:
    return f"<urn:uuid:{uuid4()}>"


def sha1_digest(*parts: bytes) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part)
    return "sha1:" + base64.b32encode(digest.digest()).decode()


def _response_head(exchange: Exchange) -> bytes:
    """Return the HTTP head as received; headers that no longer match the archived body are renamed."""
    lines = [f"HTTP/1.1 {exchange.status} {exchange.reason}".rstrip()]
    for name, value in exchange.headers:
        lowered = name.lower()
        gone = lowered == "transfer-encoding" or (
            lowered == "content-length"
            and exchange.status != 304
            and value.strip() != str(len(exchange.body))
        )
        lines.append(f"{'X-Archive-Orig-' if gone else ''}{name}: {value}")
    cleaned = [_FORBIDDEN_IN_HEADER.sub(b" ", line.encode("utf-8", "surrogateescape")) for line in lines]
    return b"\r\n".join(cleaned) + b"\r\n\r\n"
