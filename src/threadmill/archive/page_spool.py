"""Groups pages by site in one temporary file, so that neither an archive nor a site has to fit in memory."""

from __future__ import annotations

import json
import os
import tempfile
import time
import weakref
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from threadmill.types import Capture

_PREFIX, _SUFFIX = "threadmill-", ".pages"
_NEW_SECONDS = 60.0  # in which a new file gets its lock, with time to spare


@dataclass(frozen=True, slots=True)
class SpooledPage:
    """A page as the archive had it."""

    url: str
    at: datetime
    content_type: str
    payload: bytes


class GroupedPages(Sequence[bytes]):
    """The pages of one site, read back one at a time. Workers get it without the pages: 20 bytes for each."""

    def __init__(self, site: str, spool: PageSpool) -> None:
        self.site = site
        self._file = spool.path
        self._spool: PageSpool | None = spool  # its file is deleted with it
        self._starts = array("q")
        self._heads = array("l")
        self._bodies = array("l")

    def __str__(self) -> str:
        return self.site

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_spool": None}

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._read(self._starts[index] + self._heads[index], self._bodies[index])

    def url(self, index: int) -> str:
        """The URL of a page."""
        return str(self._head(index)[0])

    def page(self, index: int) -> SpooledPage:
        """A page with what the archive said about it."""
        url, at, kind = self._head(index)
        return SpooledPage(url, datetime.fromisoformat(at), kind, self[index])

    def add(self, place: tuple[int, int, int]) -> None:
        """Add a page that is in the file: its start, and the lengths of its head and its body."""
        for values, value in zip((self._starts, self._heads, self._bodies), place, strict=True):
            values.append(value)

    def replace(self, index: int, place: tuple[int, int, int]) -> None:
        """Put another page in the place of one."""
        self._starts[index], self._heads[index], self._bodies[index] = place

    def thin(self) -> None:
        """Drop every second page."""
        for values in (self._starts, self._heads, self._bodies):
            del values[1::2]

    def _head(self, index: int) -> list[str]:
        found: list[str] = json.loads(self._read(self._starts[index], self._heads[index]))
        return found

    def _read(self, start: int, length: int) -> bytes:
        if self._spool is not None:
            self._spool.flush()
        with self._file.open("rb", buffering=0) as stream:
            stream.seek(start)
            return stream.read(length)


class PageSpool:
    """A file of pages. It is deleted when nobody reads it any more.

    Who is killed leaves the file. The next one who makes such a file in the same folder deletes it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Make the file in a folder that all workers see; None: where this machine keeps temporary files."""
        _drop_abandoned(Path(folder or tempfile.gettempdir()))
        number, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        self.path = Path(name)
        self._sink = os.fdopen(number, "wb")
        _try_lock(number)
        self._end = 0
        self._is_flushed = True
        weakref.finalize(self, _drop, self._sink, self.path, os.getpid())

    def write(self, capture: Capture) -> tuple[int, int, int]:
        """Append a page. Returns its place."""
        kind = capture.header("content-type") or ""
        head = json.dumps([capture.url, capture.at.isoformat(), kind]).encode()
        place = (self._end, len(head), len(capture.payload))
        self._sink.write(head)
        self._sink.write(capture.payload)
        self._end += len(head) + len(capture.payload)
        self._is_flushed = False
        return place

    def flush(self) -> None:
        """Make all pages readable."""
        if not self._is_flushed:
            self._sink.flush()
            self._is_flushed = True


def _drop_abandoned(folder: Path) -> None:
    """Delete the files of processes that were killed: the system took their locks away."""
    for file in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        # A new file has no lock yet. One that somebody else deletes or owns is not our concern.
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > _NEW_SECONDS:
                with file.open("r+b") as stream:
                    is_abandoned = _try_lock(stream.fileno())
                if is_abandoned:
                    file.unlink()


def _try_lock(descriptor: int) -> bool:
    """Lock a file until its process and those that it started have ended. False if somebody else has it.

    Windows has no such locks. There, a file that is open cannot be deleted.
    """
    try:
        fcntl = import_module("fcntl")
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _drop(sink: IO[bytes], path: Path, process: int) -> None:
    if process == os.getpid():
        sink.close()
        path.unlink(missing_ok=True)


class SiteGroups:
    """The latest page of each URL, by site. Memory is some 150 bytes a page."""

    def __init__(self, folder: Path | None = None) -> None:
        self._spool = PageSpool(folder)
        self._numbers: dict[bytes, int] = {}  # hash of a URL → the number of its page
        self.sites: dict[str, GroupedPages] = {}

    def put(self, site: str, capture: Capture) -> None:
        """Add a page. It replaces an older page with the same URL."""
        pages = self.sites.get(site)
        if pages is None:
            pages = self.sites[site] = GroupedPages(site, self._spool)
        key = blake2b(capture.url.encode("utf-8", "surrogatepass"), digest_size=10).digest()
        number = self._numbers.setdefault(key, len(pages))
        place = self._spool.write(capture)
        if number == len(pages):
            pages.add(place)
        else:
            pages.replace(number, place)
