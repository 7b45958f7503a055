"""The clock of a crawl. Tests replace it, so that they need not wait."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def monotonic(self) -> float:
        """Seconds since some start. They never go backwards."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""


class SystemClock:
    """The clock of the machine."""

    def monotonic(self) -> float:
        """Seconds since some start. They never go backwards."""
        return time.monotonic()

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)
