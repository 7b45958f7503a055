"""One collector a host at a time, over all processes that share a workspace: they are polite together."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

_PAUSE = 0.2  # seconds between two tries: a site takes seconds at one request a second
_BYTES = 7  # of the place that stands for a host: a file offset has 63 bits


class HostLocks:
    """Locks on single bytes of one file; the system lets them go when a process dies, however it dies.

    A process that has a host's turn may have it several times over: its own fetcher keeps the pace there.
    """

    def __init__(self, file: Path, rest: float = 0.0) -> None:
        self._file = file
        self._rest = rest  # seconds before another process may ask the host
        self._held: Counter[int] = Counter()
        self._handle: int | None = None

    @contextlib.asynccontextmanager
    async def at(self, host: str) -> AsyncIterator[None]:
        """Wait until no other process is at a host, and keep the others away for a while."""
        place = int.from_bytes(hashlib.blake2b(host.encode(), digest_size=_BYTES).digest(), "big")
        while not self._held[place] and not self._take(place):  # noqa: ASYNC110 -- another process lets go
            await asyncio.sleep(_PAUSE)
        self._held[place] += 1
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(self._rest, self._give_back, place)

    def _give_back(self, place: int) -> None:
        self._held[place] -= 1
        if not self._held[place]:
            del self._held[place]
            self._let_go(place)

    def close(self) -> None:
        """Let everything go."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _take(self, place: int) -> bool:
        try:
            import fcntl
        except ImportError:  # Windows: workers are for servers
            return True
        if self._handle is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:  # somebody else's turn
            return False
        return True

    def _let_go(self, place: int) -> None:
        if self._handle is None:
            return
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, place)
