"""What several people look at in the same seconds is read once for all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class SharedReading(Generic[Value]):
    """A value that is costly to read. Whoever asks while it is being read waits for that same reading."""

    def __init__(self, read: Callable[[], Awaitable[Value]], seconds: float) -> None:
        self._read = read
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._kept: tuple[float, Value] | None = None

    async def get(self) -> Value:
        """The value, at most as old as the seconds that were given."""
        async with self._lock:
            if self._kept is None or time.monotonic() - self._kept[0] > self._seconds:
                self._kept = (time.monotonic(), await self._read())
            return self._kept[1]
