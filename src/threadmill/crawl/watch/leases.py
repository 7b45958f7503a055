"""The hosts that a worker of a fleet may ask, and for how long.

A lease lasts a short time and is renewed while the worker lives. A thread of its own does that: reading a
page may keep the event loop busy for longer than a lease lasts, on a busy machine for much longer.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

from threadmill.errors import HostAsideError, StoreError
from threadmill.store import Store
from threadmill.store.crawl.fleet import (
    TakenHost,
    give_back,
    hold_hosts,
    renew_hosts,
    requests_left,
    return_requests,
    take_host,
    take_named_host,
    take_requests,
)

_BEATS = 6  # renewals in the time of a lease, so that one that fails does no harm
_MARGIN = 0.1  # of the lease: a request under way when the lease ends has ended by then
_AT_ONCE = 20  # requests that a worker takes from the fleet's budget in advance
_HANGS = 300.0  # seconds: an event loop that stands still for so long hangs, and its hosts go to others


class HostLeases:
    """The hosts that this worker may ask. The database decides, and a local clock ends each lease in time."""

    def __init__(self, owner: str, seconds: float, budget: int = 0) -> None:
        self.owner = owner
        self.seconds = seconds
        self.budget = budget  # requests of the whole fleet in 24 hours; 0: any number
        self._requests = 0  # taken from the budget, and not made yet
        self._until: dict[str, float] = {}  # host → when the lease ends, by _now()
        # Hosts that could not be asked because the time or the budget was over. That says nothing of them.
        self.lapsed: set[str] = set()
        self._store: Store | None = None
        self._pause: Callable[[str], float] = lambda _: 0.0
        self._changing = threading.RLock()  # two threads renew, take and give back
        self._ending = threading.Event()
        self._alive = _now()

    def open(self, store: Store, pause: Callable[[str], float]) -> None:
        """Use a store. `pause` says how long a host must be left alone after the last request."""
        self._store, self._pause = store, pause

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that are held."""
        return tuple(self._until)

    @property
    def pause(self) -> float:
        """Seconds between two renewals."""
        return self.seconds / _BEATS

    def holds(self, host: str) -> bool:
        """May the host be asked now? False once the time has run out, even if nobody noticed yet."""
        return self._until.get(host, 0.0) > _now()

    def take(self) -> TakenHost | None:
        """Take a host with a due forum; None if there is none."""
        with self._changing:
            started = _now()
            with self._opened().writing() as connection:
                taken = take_host(connection, self.owner, self.seconds)
                if taken is not None:  # if this worker dies, the host rests after its last request too
                    span = self.seconds + self._pause(taken.host)
                    hold_hosts(connection, self.owner, {taken.host: span})
            if taken is not None:
                self._keep(taken.host, started)
            return taken

    async def permit(self, host: str) -> None:
        """Raise an error unless the host may be asked. A host that a forum leads to is taken here."""
        if not self.holds(host):
            self._take_named(host)
        if self.budget and not self._requests:
            with self._opened().writing() as connection:
                self._requests = take_requests(connection, _AT_ONCE, self.budget)
            if not self._requests:
                self.lapsed.update(self._until)
                raise HostAsideError(f"the fleet has made all {self.budget:,} requests of 24 hours")
        self._requests -= 1 if self.budget else 0

    def check(self, host: str) -> None:
        """Raise an error if the host may not be asked any more. Connecting may have taken long."""
        if not self.holds(host):
            self.lapsed.add(host)
            raise HostAsideError(f"the time for {host} has run out; another worker may be asking it")

    def _take_named(self, host: str) -> None:
        with self._changing:
            if host in self._until:
                self.check(host)
            started = _now()
            with self._opened().writing() as connection:
                taken = take_named_host(connection, self.owner, host, self.seconds + self._pause(host))
            if not taken:
                raise HostAsideError(f"another worker of the fleet is asking {host}")
            self._keep(host, started)

    def has_requests(self) -> bool:
        """Has the fleet requests left for now?"""
        if not self.budget or self._requests:
            return True
        with self._opened().reading() as connection:
            return requests_left(connection, self.budget) > 0

    def keep(self) -> None:
        """Renew all leases again and again, until `end_keeping`. Runs in a thread of its own."""
        while not self._ending.wait(self.pause):
            if _now() - self._alive < _HANGS:
                with suppress(StoreError):  # a database that is away is asked again
                    self.renew()

    def note_alive(self) -> None:
        """Told by the event loop: it does not hang."""
        self._alive = _now()

    def end_keeping(self) -> None:
        """Let `keep` return."""
        self._ending.set()

    def close(self) -> None:
        """Give everything back."""
        self.give_back(*self.hosts)
        if self._requests:
            with self._opened().writing() as connection:
                return_requests(connection, self._requests)
            self._requests = 0

    def renew(self) -> set[str]:
        """Keep all hosts for some more time. Return those that were lost."""
        with self._changing:
            started = _now()
            spans = {host: self.seconds + self._pause(host) for host in self._until}
            if not spans:
                return set()
            with self._opened().writing() as connection:
                kept = renew_hosts(connection, self.owner, spans)
            for host in kept:
                self._keep(host, started)
            lost = spans.keys() - kept
            for host in lost:
                del self._until[host]
            return lost

    def give_back(self, *hosts: str) -> None:
        """Let others take hosts, after the pause that each needs."""
        with self._changing, self._opened().writing() as connection:
            for host in hosts:
                if self._until.pop(host, None) is not None:
                    give_back(connection, self.owner, host, self._pause(host))

    def _keep(self, host: str, started: float) -> None:
        self._until[host] = started + self.seconds * (1 - _MARGIN)

    def _opened(self) -> Store:
        assert self._store is not None
        return self._store


def worker_name() -> str:
    """A name that no other worker has."""
    return f"{platform.node() or 'worker'}-{os.getpid()}-{uuid4().hex[:4]}"


def _now() -> float:
    """Seconds since the machine started. The time that a laptop slept counts, if the system tells it."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
