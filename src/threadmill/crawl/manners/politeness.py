"""When the next request to a host may start, which hosts are waiting and why: bookkeeping without waiting."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.retry import backoff

# Two pages given up in full (five tries each, by default) without one answer between them.
_ASIDE_AFTER = 10
_ASIDE_SECONDS = 900.0
_LONGEST_ASIDE = 6 * 3600.0
_KEPT_HOSTS = 10_000  # more than this are swept for those that have nothing to remember


class Outcome(StrEnum):
    """How a request to a host ended, as far as the host's load is concerned."""

    GOOD = "good"  # it answered, whatever the answer was
    BUSY = "busy"  # it asked for less
    FAILED = "failed"  # it did not answer


class Why(StrEnum):
    """What a host is waiting for."""

    INTERVAL = "interval"  # the pause between two requests
    CONCURRENCY = "concurrency"  # an answer that is under way
    BACKOFF = "backoff"  # it was busy or failing
    ASIDE = "aside"  # it keeps failing


@dataclass(frozen=True, slots=True)
class Wait:
    """A host that may not be asked now."""

    host: str
    why: Why
    seconds: float  # until it may; infinite when an answer under way decides


@dataclass(slots=True)
class _Host:
    interval: float
    next_start: float = 0.0
    active: int = 0
    failures: int = 0
    failed_at: float = -1.0
    blocked_until: float = 0.0
    aside: bool = False


class Politeness:
    """The state of every host; times are the clock's monotonic seconds."""

    def __init__(
        self,
        crawl: CrawlSettings,
        fetch: FetchSettings,
        clock: Clock,
        scatter: random.Random | None = None,
    ) -> None:
        self._crawl = crawl
        self._fetch = fetch
        self._clock = clock
        self._scatter = scatter or random.Random()
        self._hosts: dict[str, _Host] = {}

    def set_delay(self, host: str, seconds: float) -> None:
        """Keep to the crawl-delay of a robots.txt where it asks for more than our own."""
        asked = min(seconds, self._crawl.max_crawl_delay)
        self._host(host).interval = max(self._crawl.delay, asked)

    def reserve(self, host: str) -> float | None:
        """Take a slot: the moment the request may start, or None while as many as allowed are under way."""
        state = self._host(host)
        if state.active >= self._crawl.host_concurrency:
            return None
        start = max(self._clock.monotonic(), state.next_start, state.blocked_until)
        state.active += 1
        state.next_start = start + state.interval
        return start

    def release(
        self, host: str, outcome: Outcome, started: float = 0.0, retry_after: float | None = None
    ) -> None:
        """Give the slot back and say how it went; of failures that overlap only the first counts."""
        state = self._host(host)
        state.active = max(0, state.active - 1)
        if outcome is Outcome.GOOD:
            state.failures = 0
            state.aside = False
        elif started >= state.failed_at:
            self._punish(state)
        if retry_after is not None:
            self._block(state, retry_after)

    def cancel(self, host: str) -> None:
        """Give a slot back that was not used."""
        state = self._host(host)
        state.active = max(0, state.active - 1)

    def wait(self, host: str) -> Wait | None:
        """Why and how long a request to this host would have to wait; None: it may start now."""
        state = self._hosts.get(host)
        if state is None:
            return None
        now = self._clock.monotonic()
        if state.blocked_until > now:
            return Wait(host, Why.ASIDE if state.aside else Why.BACKOFF, state.blocked_until - now)
        if state.active >= self._crawl.host_concurrency:
            return Wait(host, Why.CONCURRENCY, float("inf"))
        if state.next_start > now:
            return Wait(host, Why.INTERVAL, state.next_start - now)
        return None

    def waiting(self) -> tuple[Wait, ...]:
        """All hosts that may not be asked now."""
        return tuple(wait for host in self._hosts if (wait := self.wait(host)) is not None)

    def blocked(self, host: str) -> float:
        """The moment until which a busy or failing host is not asked."""
        return self._host(host).blocked_until

    def aside(self, host: str) -> float | None:
        """Seconds a host that keeps failing is still left alone; None when it is not."""
        state = self._hosts.get(host)
        if state is None or not state.aside:
            return None
        left = state.blocked_until - self._clock.monotonic()
        return left if left > 0 else None

    def _host(self, host: str) -> _Host:
        state = self._hosts.get(host)
        if state is None:
            if len(self._hosts) >= _KEPT_HOSTS:
                self._sweep()
            state = self._hosts[host] = _Host(self._crawl.delay)
        return state

    def _sweep(self) -> None:
        now = self._clock.monotonic()
        for host, state in list(self._hosts.items()):
            pending = state.active or state.next_start > now or state.blocked_until > now
            if not (pending or state.failures or state.interval != self._crawl.delay):
                del self._hosts[host]

    def _punish(self, state: _Host) -> None:
        now = self._clock.monotonic()
        state.failures += 1
        state.failed_at = now
        jitter = self._scatter.random()
        if state.failures < _ASIDE_AFTER:
            pause = backoff(
                state.failures - 1, self._fetch.retry_seconds, self._fetch.max_retry_after, jitter
            )
        else:
            state.aside = True
            pause = backoff(state.failures - _ASIDE_AFTER, 2 * _ASIDE_SECONDS, _LONGEST_ASIDE, jitter)
        state.blocked_until = max(state.blocked_until, now + pause)

    def _block(self, state: _Host, seconds: float) -> None:
        state.blocked_until = max(state.blocked_until, self._clock.monotonic() + seconds)
        if seconds > self._fetch.max_retry_after:
            state.aside = True
