"""Computes when the next request to a host may start, and why it must wait. `host_gate` does the waiting."""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.retry import backoff
from threadmill.errors import HostAsideError


class HostGate:
    """Lets the requests to each host start in the order in which they came."""

    def __init__(self, politeness: Politeness, clock: Clock) -> None:
        self._politeness = politeness
        self._clock = clock
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}
        # Hosts with a request that has started but not left: it looks for an address, or connects. With the
        # moment at which it started: an earlier one may get its answer meanwhile.
        self._unsent: dict[str, tuple[float, asyncio.Event]] = {}

    async def enter(self, host: str) -> float:
        """Wait until a request may start, and return that moment. Raise an error for a suspended host."""
        self._raise_if_suspended(host)
        called = False
        while (start := self._politeness.reserve(host)) is None:
            await self._queue(host, first=called)
            called = True  # a later request took the slot: stay first in the queue
        try:
            await self._wait(host, start)
        except BaseException:
            self._politeness.cancel(host)
            self._wake(host)
            raise
        started = self._politeness.begin(host)
        if self._politeness.has_interval(host):
            self._unsent[host] = started, asyncio.Event()
        return started

    async def _wait(self, host: str, start: float) -> None:
        """Wait until a moment, and until all earlier requests have left and the pause after them is over.

        While this request waits, another one may fail or start late.
        """
        while True:
            pause = max(start, self._politeness.earliest_start(host)) - self._clock.monotonic()
            if (unsent := self._unsent.get(host)) is not None:
                await unsent[1].wait()
            elif pause > 0:
                await self._clock.sleep(pause)
            else:
                return
            self._raise_if_suspended(host)

    def note_sent(self, host: str, started: float) -> None:
        """The request that started at this moment leaves now. The pause until the next one begins."""
        self._politeness.begin(host)
        self._end_start(host, started)

    def leave(
        self, host: str, outcome: RequestOutcome, started: float, retry_after: float | None = None
    ) -> None:
        """Release the slot, report how the request ended, and let the next request start."""
        self._politeness.release(host, outcome, started, retry_after)
        self._end_start(host, started)
        if self._queues:
            self._wake(host)

    def abandon(self, host: str, started: float) -> None:
        """Release the slot of a request that says nothing about the host."""
        self._politeness.cancel(host)
        self._end_start(host, started)
        self._wake(host)

    def _end_start(self, host: str, started: float) -> None:
        unsent = self._unsent.get(host)
        if unsent is not None and unsent[0] == started:
            del self._unsent[host]
            unsent[1].set()

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


# A host is suspended after so many failures: two pages with five tries each (the default) and no response.
_SUSPEND_AFTER = 10
_SUSPEND_SECONDS = 900.0
_LONGEST_SUSPENSION = 6 * 3600.0
_KEPT_HOSTS = 10_000  # beyond this, hosts whose state is the initial one are removed from memory


class RequestOutcome(StrEnum):
    """What a request says about the load of its host."""

    GOOD = "good"  # the host answered, whatever it answered
    BUSY = "busy"  # the host asked for fewer requests
    FAILED = "failed"  # the host did not answer


class WaitReason(StrEnum):
    """Why a request to a host must wait."""

    INTERVAL = "interval"  # for the pause between two requests
    CONCURRENCY = "concurrency"  # for a request that is under way
    BACKOFF = "backoff"  # because the host was busy or failed
    SUSPENDED = "suspended"  # because the host keeps failing


@dataclass(frozen=True, slots=True)
class HostWait:
    """A host that must wait."""

    host: str
    why: WaitReason
    seconds: float  # until a request may start; infinite if that depends on a request under way


@dataclass(slots=True)
class _HostState:
    interval: float
    next_start: float = 0.0
    began: float = -math.inf  # the last request
    active: int = 0
    failures: int = 0
    failed_at: float = -1.0
    failing_since: float = 0.0  # the first failure after the last answer
    blocked_until: float = 0.0
    asked_until: float = 0.0  # the part of the block that the host asked for (Retry-After)
    suspended: bool = False
    answered: bool = False  # at least once since the process began


class Politeness:
    """The state of every host. Times are monotonic seconds of the clock."""

    def __init__(
        self,
        crawl: CrawlSettings,
        fetch: FetchSettings,
        clock: Clock,
        rng: random.Random | None = None,
    ) -> None:
        self._crawl = crawl
        self._fetch = fetch
        self._clock = clock
        self._rng = rng or random.Random()
        self._hosts: dict[str, _HostState] = {}

    def set_delay(self, host: str, seconds: float) -> None:
        """Use the crawl-delay of a robots.txt if it is longer than the present delay.

        It counts from the last request on, which was the one for robots.txt.
        """
        asked = min(seconds, self._crawl.max_crawl_delay)
        state = self._host(host)
        if asked > state.interval:
            state.next_start += asked - state.interval if state.next_start else 0.0
            state.interval = asked

    def reserve(self, host: str) -> float | None:
        """Take a slot. Return when the request may start, or None if too many requests are under way."""
        state = self._host(host)
        if state.active >= self._crawl.host_concurrency:
            return None
        start = max(self._clock.monotonic(), state.next_start, state.blocked_until)
        state.active += 1
        state.next_start = start + state.interval
        return start

    def release(
        self, host: str, outcome: RequestOutcome, started: float = 0.0, retry_after: float | None = None
    ) -> None:
        """Release the slot and note how the request ended. Of failures that overlap only the first counts."""
        state = self._host(host)
        state.active = max(0, state.active - 1)
        if outcome is RequestOutcome.GOOD:
            if state.suspended:  # it does answer, so only the pause that it asked for holds
                state.blocked_until = state.asked_until
            state.failures = 0
            state.suspended = False
            state.answered = True
        elif started >= state.failed_at:
            self._back_off(state, outcome, retry_after or 0.0)
        if retry_after is not None:
            self._block(state, retry_after)

    def cancel(self, host: str) -> None:
        """Release a slot that was not used."""
        state = self._host(host)
        state.active = max(0, state.active - 1)

    def wait(self, host: str) -> HostWait | None:
        """Why and how long a request to this host must wait. None: it may start now."""
        state = self._hosts.get(host)
        if state is None:
            return None
        now = self._clock.monotonic()
        if state.blocked_until > now:
            return HostWait(
                host,
                WaitReason.SUSPENDED if state.suspended else WaitReason.BACKOFF,
                state.blocked_until - now,
            )
        if state.active >= self._crawl.host_concurrency:
            return HostWait(host, WaitReason.CONCURRENCY, float("inf"))
        if state.next_start > now:
            return HostWait(host, WaitReason.INTERVAL, state.next_start - now)
        return None

    def waiting(self) -> tuple[HostWait, ...]:
        """All hosts that must wait."""
        return tuple(wait for host in self._hosts if (wait := self.wait(host)) is not None)

    def earliest_start(self, host: str) -> float:
        """The moment until which a host gets no requests: because it was asked, was busy or failed."""
        state = self._host(host)
        return max(state.blocked_until, state.began + state.interval)

    def begin(self, host: str) -> float:
        """A request starts or leaves now, perhaps later than planned: the next keeps away. Returns now."""
        state = self._host(host)
        state.began = self._clock.monotonic()
        state.next_start = max(state.next_start, state.began + state.interval)
        return state.began

    def has_interval(self, host: str) -> bool:
        """Must two requests to a host be some time apart?"""
        return self._host(host).interval > 0

    def suspended_for(self, host: str) -> float | None:
        """Seconds for which a host that keeps failing gets no requests. None if it is not suspended."""
        state = self._hosts.get(host)
        if state is None or not state.suspended:
            return None
        left = state.blocked_until - self._clock.monotonic()
        return left if left > 0 else None

    def pause_of(self, host: str) -> float:
        """Seconds until another client may ask a host, if this one asks it no more.

        Threads may call it: it changes nothing.
        """
        state = self._hosts.get(host)
        if state is None:
            return self._crawl.delay
        now = self._clock.monotonic()
        return max(state.interval, state.next_start - now, state.blocked_until - now)

    def has_answered(self, host: str) -> bool:
        """Has a host given an answer, other than that it is busy?"""
        state = self._hosts.get(host)
        return state is not None and state.answered

    def _host(self, host: str) -> _HostState:
        state = self._hosts.get(host)
        if state is None:
            if len(self._hosts) >= _KEPT_HOSTS:
                self._forget_idle_hosts()
            state = self._hosts[host] = _HostState(self._crawl.delay)
        return state

    def _forget_idle_hosts(self) -> None:
        now = self._clock.monotonic()
        for host, state in list(self._hosts.items()):
            pending = state.active or state.next_start > now or state.blocked_until > now
            if not (pending or state.failures or state.interval != self._crawl.delay):
                del self._hosts[host]

    def _back_off(self, state: _HostState, outcome: RequestOutcome, asked: float) -> None:
        """Block a host after a failure, longer each time. Suspend it if it keeps failing.

        One that does not answer at all is suspended when its next pause would exceed the patience of a run,
        but not before as many failures as one page has tries: a single failure may be that of its page.
        One that asks again and again for a pause is suspended when the pauses together are too long.
        """
        now = self._clock.monotonic()
        state.failures += 1
        if state.failures == 1:
            state.failing_since = now
        state.failed_at = now
        jitter = self._rng.random()
        pause = backoff(state.failures - 1, self._fetch.retry_seconds, self._fetch.max_retry_after, jitter)
        silent = outcome is RequestOutcome.FAILED
        gone = silent and state.failures > self._fetch.retries and pause > self._crawl.patience
        asks_again = asked > 0 and now + asked - state.failing_since > self._fetch.max_retry_after
        state.suspended = state.suspended or asks_again
        if gone or state.failures >= _SUSPEND_AFTER:
            state.suspended = True
            times = max(0, state.failures - _SUSPEND_AFTER)
            pause = backoff(times, 2 * _SUSPEND_SECONDS, _LONGEST_SUSPENSION, jitter)
        state.blocked_until = max(state.blocked_until, now + pause)

    def _block(self, state: _HostState, seconds: float) -> None:
        state.asked_until = max(state.asked_until, self._clock.monotonic() + seconds)
        state.blocked_until = max(state.blocked_until, state.asked_until)
        if seconds > self._fetch.max_retry_after:
            state.suspended = True
