"""The frontier of one job: every URL it has found, once. Queues are on disk, their heads in memory."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, KeysView, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from threadmill.store.crawl import url_queue as queue
from threadmill.store.crawl.url_queue import UrlState

if TYPE_CHECKING:
    from threadmill.crawl.fetch.clock import Clock
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
        suspended = self._politeness.suspended_for(host) is not None
        # A request under way may show that a suspended host does answer.
        if wait.seconds == float("inf") or (suspended and self._under_way[host]):
            self._busy.add(host)
        else:
            heapq.heappush(self._resting, (now + wait.seconds, host))
        return False


# How many URLs of one host, and of all hosts, are held in memory. Leasing is a write; 64 at once cost 3 µs
# per URL. Holding more than the next minutes need gains nothing.
_HEAD_OF_HOST = 64
_HEAD_OF_ALL = 4_096
# Two generations of so many URLs are remembered. They answer "known already" for most links of a page
# without a disk access (bench/frontier). 2 × 50,000 URLs of 100 characters take 20 MB.
_GENERATION = 50_000
_DEEPEST = 32_767  # the largest number that the column can hold; real links are far less deep


@dataclass(frozen=True, slots=True)
class FoundURL:
    """A URL that was found and may be fetched."""

    url: str  # canonical
    depth: int
    priority: float  # smaller is sooner; with priority = depth the crawl is breadth-first


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL handed out to be fetched. It is settled, given back, or queued again at the next start."""

    id: int
    url: str
    host: str
    depth: int
    tries: int


@dataclass(frozen=True, slots=True)
class LeaseOutcome:
    """What became of a lease."""

    lease: Lease
    state: UrlState
    reason: str = ""
    due: float = 0.0  # Unix time of the next try, if the state is WAITING
    counts: bool = True  # False: the host failed, which says nothing about this URL


def authority_of(url: str) -> str:
    """Host and port of a canonical URL. Queues and politeness are kept per authority."""
    return url.split("/", 3)[2]


def url_key(job: int, url: str) -> int:
    """A 64-bit key of a URL within a job. Among 10 million URLs, one crawl in 370,000 has a collision."""
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8, salt=job.to_bytes(8, "little"))
    return int.from_bytes(digest.digest(), "little", signed=True)


class Frontier:
    """The queues of one job. Methods with a connection work in the transaction of the caller."""

    def __init__(self, job: int) -> None:
        self.job = job
        self.queued = 0  # URLs on disk that are not in memory
        self.waiting = 0
        self._heads: dict[str, deque[Lease]] = {}
        self._held = 0
        self._hosts: dict[str, None] = {}  # may have URLs queued on disk; ordered, so that each gets its turn
        self._young: set[str] = set()
        self._old: set[str] = set()
        self._next_due: float | None = None

    def load(self, connection: Connection, max_depth: int = 0) -> int:
        """Load the stored state. URLs that a killed crawl had leased are queued again; return how many."""
        given_back = queue.give_back_all(connection, self.job)
        queue.set_reach(connection, self.job, max_depth)
        self._hosts = dict.fromkeys(queue.queued_hosts(connection, self.job))
        self.queued = queue.count_state(connection, self.job, UrlState.QUEUED)
        self.waiting = queue.count_state(connection, self.job, UrlState.WAITING)
        self._next_due = queue.next_due(connection, self.job)
        return given_back

    def add(
        self,
        connection: Connection,
        urls: Iterable[FoundURL],
        state: UrlState = UrlState.QUEUED,
        *,
        claimed: bool = False,
    ) -> int:
        """Add new URLs and return how many were new. URLs that were claimed are added although known."""
        new = {found.url: found for found in urls if claimed or not self.knows(found.url)}
        rows = [self._row(found, state) for found in new.values()]
        added = queue.add_rows(connection, rows)
        if state is not UrlState.BEYOND:  # a shorter path to it may be found later
            for url in new:
                self._remember(url)
        if state is UrlState.QUEUED:
            self.queued += added
            self._hosts.update(dict.fromkeys(row[2] for row in rows))
        return added

    def knows(self, url: str) -> bool:
        """Is this URL certainly in the frontier? Looks in memory only, so False means "perhaps not"."""
        return url in self._young or url in self._old

    def unknown(self, urls: Iterable[str]) -> list[str]:
        """The URLs that are perhaps not in the frontier."""
        young, old = self._young, self._old
        return [url for url in urls if url not in young and url not in old]

    def retry_now(self, connection: Connection, seed: str) -> None:
        """Queue all waiting URLs now, and the seed even if it failed: the network may work again."""
        queue.revive(connection, self.job, url_key(self.job, seed))

    def queue_again(self, connection: Connection, urls: Iterable[str]) -> None:
        """Queue URLs that were done: what they brought is gone."""
        for url in urls:
            queue.requeue(connection, url_key(self.job, url))

    def claim(self, connection: Connection, url: str) -> bool:
        """Reserve a new URL for the caller, who adds it once it is fetched. False if it is already known."""
        if self.knows(url) or queue.find_rows(connection, [url_key(self.job, url)]):
            return False
        self._remember(url)
        return True

    def unclaim(self, urls: Iterable[str]) -> None:
        """Release claimed URLs that were not fetched, so that they can be added again."""
        self._young.difference_update(urls)
        self._old.difference_update(urls)

    def settle(self, connection: Connection, outcomes: Sequence[LeaseOutcome]) -> None:
        """Store the outcomes of leases."""
        queue.settle_rows(connection, [_settled(outcome) for outcome in outcomes])
        for outcome in outcomes:
            if outcome.state is UrlState.WAITING:
                self.waiting += 1
                self._next_due = min(self._next_due or outcome.due, outcome.due)

    def give_back(self, connection: Connection, leases: Iterable[Lease] = ()) -> None:
        """Queue again what was not fetched: the given leases and all that are held in memory."""
        held = [lease for head in self._heads.values() for lease in head]
        back = [*leases, *held]
        queue.settle_rows(
            connection, [_settled(LeaseOutcome(lease, UrlState.QUEUED, counts=False)) for lease in back]
        )
        self.queued += len(back)
        self._hosts.update(dict.fromkeys(lease.host for lease in back))
        self._heads.clear()
        self._held = 0

    def refill(self, connection: Connection, now: float) -> None:
        """Queue waiting URLs that are due, and load URLs of hosts that have few left in memory."""
        self._wake(connection, now)
        for host in list(self._hosts):
            if self._held >= _HEAD_OF_ALL:
                break
            head = self._heads.get(host)
            room = _HEAD_OF_HOST - (len(head) if head else 0)
            if room >= _HEAD_OF_HOST // 2:
                self._lease(connection, host, room)

    def needs_refill(self, now: float) -> bool:
        """Would `refill` find anything to do?"""
        if self._next_due is not None and self._next_due <= now:
            return True
        if self._held >= _HEAD_OF_ALL:
            return False
        return any(len(self._heads.get(host, ())) <= _HEAD_OF_HOST // 2 for host in self._hosts)

    @property
    def hosts(self) -> KeysView[str]:
        """Hosts that have a URL to take."""
        return self._heads.keys()

    @property
    def next_due(self) -> float | None:
        """Unix time at which the first waiting URL is due."""
        return self._next_due

    @property
    def open(self) -> int:
        """Number of URLs still to fetch: queued, held in memory, or waiting."""
        return self.queued + self._held + self.waiting

    def take(self, host: str) -> Lease:
        """Take the next URL of a host."""
        head = self._heads[host]
        lease = head.popleft()
        self._held -= 1
        if not head:
            del self._heads[host]
        return lease

    def find(self, connection: Connection, urls: Iterable[str]) -> dict[str, Lease]:
        """The URLs that are in the frontier and not fetched yet, by URL."""
        rows = queue.find_rows(connection, [url_key(self.job, url) for url in urls])
        return {
            row.url: Lease(row.id, row.url, row.host, row.depth, row.tries)
            for row in rows
            if row.state in (UrlState.QUEUED, UrlState.WAITING)
        }

    def _row(self, found: FoundURL, state: UrlState) -> tuple[Any, ...]:
        """A row with its values in the order of queue.ROW."""
        key, depth, url = url_key(self.job, found.url), min(found.depth, _DEEPEST), found.url
        return key, self.job, authority_of(url), url, found.priority, depth, int(state), 0, 0.0, ""

    def _remember(self, url: str) -> None:
        if len(self._young) >= _GENERATION:
            self._old, self._young = self._young, set()
        self._young.add(url)

    def _wake(self, connection: Connection, now: float) -> None:
        if self._next_due is None or self._next_due > now:
            return
        self._hosts.update(dict.fromkeys(queue.wake_rows(connection, self.job, now)))
        self._next_due = queue.next_due(connection, self.job)
        self.queued = queue.count_state(connection, self.job, UrlState.QUEUED)
        self.waiting = queue.count_state(connection, self.job, UrlState.WAITING)

    def _lease(self, connection: Connection, host: str, room: int) -> None:
        rows = queue.lease_rows(connection, self.job, host, room)
        if rows:
            head = self._heads.setdefault(host, deque())
            head.extend(Lease(row.id, row.url, host, row.depth, row.tries) for row in rows)
            self._held += len(rows)
            self.queued -= len(rows)
        del self._hosts[host]
        if len(rows) == room:
            self._hosts[host] = None  # goes to the end, so that every host gets its turn


def _settled(outcome: LeaseOutcome) -> dict[str, object]:
    return {
        "row": outcome.lease.id,
        "state": int(outcome.state),
        "tries": outcome.lease.tries + outcome.counts,
        "due": outcome.due,
        "reason": outcome.reason,
    }
