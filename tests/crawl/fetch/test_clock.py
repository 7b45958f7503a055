"""The clock of the machine."""

import asyncio
import time
from datetime import UTC, datetime

from threadmill.crawl.fetch.clock import SystemClock


def test_the_system_clock_tells_the_time_in_utc() -> None:
    before, now, after = datetime.now(UTC), SystemClock().now(), datetime.now(UTC)
    assert before <= now <= after
    assert now.tzinfo is UTC


def test_the_system_clock_sleeps_as_long_as_asked() -> None:
    clock = SystemClock()
    start = clock.monotonic()
    asyncio.run(clock.sleep(0.02))
    assert clock.monotonic() - start >= 0.019
    assert abs(clock.monotonic() - time.monotonic()) < 1.0
