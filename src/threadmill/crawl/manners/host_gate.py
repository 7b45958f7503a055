"""Makes requests wait until they may start. `politeness` computes when; this module does the waiting."""

from __future__ import annotations

import asyncio
from collections import deque

from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.manners.politeness import Politeness, RequestOutcome
from threadmill.errors import HostAsideError


class HostGate:
    """Lets the requests to each host start in the order in which they came."""

    def __init__(self, politeness: Politeness, clock: Clock) -> None:
        self._politeness = politeness
        self._clock = clock
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    async def enter(self, host: str) -> float:
        """Wait until a request may start, and return that moment. Raise an error for a suspended host."""
        self._raise_if_suspended(host)
        called = False
        while (start := self._politeness.reserve(host)) is None:
            await self._queue(host, first=called)
            called = True  # a later request took the slot: stay first in the queue
        try:
            while (pause := start - self._clock.monotonic()) > 0:
                await self._clock.sleep(pause)
                self._raise_if_suspended(host)
                # Another request may have failed in the meantime.
                start = max(start, self._politeness.blocked_until(host))
        except BaseException:
            self._politeness.cancel(host)
            self._wake(host)
            raise
        return start

    def leave(
        self, host: str, outcome: RequestOutcome, started: float, retry_after: float | None = None
    ) -> None:
        """Release the slot, report how the request ended, and let the next request start."""
        self._politeness.release(host, outcome, started, retry_after)
        if self._queues:
            self._wake(host)

    def abandon(self, host: str) -> None:
        """Release the slot of a request that says nothing about the host."""
        self._politeness.cancel(host)
        self._wake(host)

    def _raise_if_suspended(self, host: str) -> None:
        left = self._politeness.suspended_for(host)
        if left is not None:
            raise HostAsideError(f"{host} keeps failing; no requests for {left:.0f} s", retry_in=left)

    async def _queue(self, host: str, *, first: bool) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(host, deque())
        (queue.appendleft if first else queue.append)(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._wake(host)  # this request was woken but is cancelled: wake the next one
            raise
        self._raise_if_suspended(host)

    def _wake(self, host: str) -> None:
        queue = self._queues.get(host)
        while queue:
            place = queue.popleft()
            if not place.done():
                place.set_result(None)
                break
        if queue is not None and not queue:
            del self._queues[host]
