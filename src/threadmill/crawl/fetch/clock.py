"""Time as the fetcher sees it: a seam, so that an hour of waiting costs a test nothing."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What tells the time and waits."""

    def monotonic(self) -> float:
        """Seconds that never go backwards."""

    def now(self) -> datetime:
        """The moment, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Seconds that never go backwards."""
        return time.monotonic()

    def now(self) -> datetime:
        """The moment, aware, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
