"""Time and chance for tests of the fetcher: a clock that costs nothing, a scatter without chance."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta

from threadmill.config import Settings, override


class FakeClock:
    """Sleeping only moves the hands."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds - 1000.0)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)


class Unscattered(random.Random):
    """Jitter that is always none: a backoff is half of its full length."""

    def random(self) -> float:
        return 0.0


def quick_settings(**fetch: float) -> Settings:
    """Settings under which a test is over soon."""
    values = {"timeout": 0.3, "max_body_bytes": 1_000_000, "retries": 2, **fetch}
    return override(override(Settings(), "fetch", **values), "crawl", robots=False, delay=0.0)
