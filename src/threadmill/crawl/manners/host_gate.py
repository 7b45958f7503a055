"""Waiting for one's turn at a host: the thin asynchronous use of the bookkeeping in politeness.py."""

from __future__ import annotations

import asyncio
from collections import deque

from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.manners.politeness import Outcome, Politeness
from threadmill.errors import HostAsideError


class Gate:
    """Lets requests to a host through one after another, first come, first served."""

    def __init__(self, politeness: Politeness, clock: Clock) -> None:
        self._politeness = politeness
        self._clock = clock
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    async def enter(self, host: str) -> float:
        """Wait for a turn; the moment it began. A host that was put aside is not waited for."""
        self._refuse_aside(host)
        called = False
        while (start := self._politeness.reserve(host)) is None:
            await self._queue(host, first=called)
            called = True  # a newcomer took our turn: we stay the first in the queue
        try:
            while (pause := start - self._clock.monotonic()) > 0:
                await self._clock.sleep(pause)
                self._refuse_aside(host)
                # Somebody else's request may have failed while we slept.
                start = max(start, self._politeness.blocked(host))
        except BaseException:
            self._politeness.cancel(host)
            self._wake(host)
            raise
        return start

    def leave(self, host: str, outcome: Outcome, started: float, retry_after: float | None = None) -> None:
        """Give the turn back, say how it went, and let the next one in."""
        self._politeness.release(host, outcome, started, retry_after)
        if self._queues:
            self._wake(host)

    def abandon(self, host: str) -> None:
        """Give back a turn that told nothing about the host."""
        self._politeness.cancel(host)
        self._wake(host)

    def _refuse_aside(self, host: str) -> None:
        left = self._politeness.aside(host)
        if left is not None:
            raise HostAsideError(f"{host} keeps failing and is left alone for {left:.0f} s", retry_in=left)

    async def _queue(self, host: str, *, first: bool) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(host, deque())
        (queue.appendleft if first else queue.append)(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._wake(host)  # we were called, but will not come: the next one may
            raise
        self._refuse_aside(host)

    def _wake(self, host: str) -> None:
        queue = self._queues.get(host)
        while queue:
            place = queue.popleft()
            if not place.done():
                place.set_result(None)
                break
        if queue is not None and not queue:
            del self._queues[host]
