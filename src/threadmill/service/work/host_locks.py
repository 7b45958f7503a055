"""Locks on hosts between processes: all workers of a workspace together stay polite to a host."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

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
