"""Chooses the next URL to fetch: takes URLs from the frontier, host by host, as politeness allows."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.crawl.fetch.clock import Clock
    from threadmill.crawl.frontier.frontier import Frontier, Lease
    from threadmill.crawl.manners.politeness import Politeness


class Schedule:
    """The hosts that have URLs to fetch: ready, resting until a moment, or busy with all allowed requests."""

    def __init__(
        self, frontier: Frontier, politeness: Politeness, clock: Clock, host_concurrency: int
    ) -> None:
        self._frontier = frontier
        self._politeness = politeness
        self._clock = clock
        self._host_concurrency = host_concurrency
        self._ready: deque[str] = deque()
        self._resting: list[tuple[float, str]] = []
        self._busy: set[str] = set()
        self._known: set[str] = set()
        self._under_way: Counter[str] = Counter()

    @property
    def under_way(self) -> int:
        """Number of URLs that were handed out and are not finished."""
        return self._under_way.total()

    @property
    def resting(self) -> int:
        """Number of hosts that must wait."""
        return len(self._resting)

    def add_new_hosts(self) -> None:
        """Add hosts that have got URLs in the frontier since the last call."""
        for host in self._frontier.hosts:
            if host not in self._known:
                self._known.add(host)
                self._ready.append(host)

    def next(self) -> Lease | None:
        """Take the next URL that may be fetched now. None if there is none."""
        now = self._clock.monotonic()
        while self._resting and self._resting[0][0] <= now:
            self._ready.append(heapq.heappop(self._resting)[1])
        while self._ready:
            host = self._ready.popleft()
            if host not in self._frontier.hosts:
                self._known.discard(host)
            elif self._may_start(host, now):
                self._under_way[host] += 1
                self._ready.append(host)
                return self._frontier.take(host)
        return None

    def finished(self, host: str) -> None:
        """Note that a request to a host has ended."""
        self._under_way[host] -= 1
        if not self._under_way[host]:
            del self._under_way[host]
        if host in self._busy:
            self._busy.discard(host)
            self._ready.append(host)

    def pause(self) -> float | None:
        """Seconds until the first resting host may get a request. None if no host rests."""
        if not self._resting:
            return None
        return max(0.0, self._resting[0][0] - self._clock.monotonic())

    def _may_start(self, host: str, now: float) -> bool:
        if self._under_way[host] >= self._host_concurrency:
            self._busy.add(host)
            return False
        wait = self._politeness.wait(host)
        if wait is None:
            return True
        if wait.seconds == float("inf"):
            self._busy.add(host)
        else:
            heapq.heappush(self._resting, (now + wait.seconds, host))
        return False
