"""The collector of one process: one fetcher and one archive writer for all its sites."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import URLError
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_site
from threadmill.sites.model import CollectedSite
from threadmill.urls import site_of
from threadmill.workspace import Workspace

_RETRY_SECONDS = 0.2  # between two tries; collecting a site takes seconds, at one request a second
_KEY_BYTES = 7  # of a host's hash; it is used as a file offset, which has 63 bits


class HostLocks:
    """One lock per host, over all processes that share a file.

    Each lock is a POSIX lock on one byte of the file. The system releases it when a process dies. On Windows
    there are no such locks, and every process gets each lock at once.

    A process may hold a lock several times: its own fetcher keeps the delay between requests.
    """

    def __init__(self, file: Path, rest: float = 0.0) -> None:
        self._file = file
        self._rest = rest  # seconds that a lock is kept after its use
        self._held: Counter[int] = Counter()
        self._handle: int | None = None

    @contextlib.asynccontextmanager
    async def hold(self, host: str) -> AsyncIterator[None]:
        """Wait until no other process uses a host, then lock it. It stays locked `rest` seconds longer."""
        key = int.from_bytes(hashlib.blake2b(host.encode(), digest_size=_KEY_BYTES).digest(), "big")
        while not self._held[key] and not self._lock(key):  # noqa: ASYNC110 -- another process unlocks it
            await asyncio.sleep(_RETRY_SECONDS)
        self._held[key] += 1
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(self._rest, self._release, key)

    def close(self) -> None:
        """Release all locks."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _release(self, key: int) -> None:
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]
            self._unlock(key)

    def _lock(self, key: int) -> bool:
        try:
            import fcntl
        except ImportError:  # Windows
            return True
        if self._handle is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, key)
        except OSError:  # another process holds it
            return False
        return True

    def _unlock(self, key: int) -> None:
        if self._handle is None:
            return
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, key)


_LOCK_FILE = "turns.lock"  # docs/methods/service.md names it: workers on several machines share it


class SiteCollector:
    """Fetches sites politely and archives every answer. Use it from one event loop."""

    def __init__(self, workspace: Workspace, effort: FetchLimits | None = None) -> None:
        self._workspace = workspace
        self._effort = effort or FetchLimits()
        self._fetcher = Fetcher(settings_for_fetcher(workspace.settings))
        self._archive = ArchiveWriter(workspace.archive, workspace.settings.archive)
        self._locks = HostLocks(workspace.root / _LOCK_FILE, workspace.settings.crawl.delay)
        self._archived: ArchivedPages | None = None
        self._refreshed_for: UUID | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._fetcher.__aexit__(kind, error, trace)
        self._archive.close()
        self._locks.close()

    async def collect(self, task_id: UUID, url: str, *, alone: bool, use_archive_data: bool) -> CollectedSite:
        """Collect one site. Failures are part of the result.

        `alone` means that no other site of the task has the same host.
        """
        archived = await self._load_archived(task_id) if use_archive_data else None
        async with self._locks.hold(_lock_name(url)):
            return await fetch_site(
                self._fetcher,
                url,
                self._effort,
                self._write_to_archive,
                archived=archived,
                use_archive_data=use_archive_data,
                alone=alone,
            )

    def _write_to_archive(self, answer: FetchResult) -> None:
        if self._workspace.settings.archive.enabled:
            for exchange in answer.exchanges:
                self._archive.write(exchange)

    async def _load_archived(self, task_id: UUID) -> ArchivedPages:
        """Return the archived pages. They are refreshed once per task, because that reads the archive."""
        if self._archived is None:
            self._archived = await asyncio.to_thread(ArchivedPages, self._workspace.archive)
        elif self._refreshed_for != task_id:
            await asyncio.to_thread(self._archived.refresh)
        self._refreshed_for = task_id
        return self._archived


def _lock_name(url: str) -> str:
    """Return the registered domain of a URL: the hosts of one site redirect to each other."""
    try:
        return site_of(url)
    except URLError:
        return url


def settings_for_fetcher(settings: Settings) -> Settings:
    """Return settings for URLs of strangers: service.private_targets decides about private addresses."""
    return override(settings, "fetch", private_targets=settings.service.private_targets)
