"""The frontier of one job: every URL it has met, once; per-host queues on disk, their heads in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, KeysView, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from threadmill.store.crawl import url_queue as queue
from threadmill.store.crawl.url_queue import UrlState

# How much of one host's queue is held in memory, and of all hosts together. A lease costs a write, and
# leasing 64 at once makes that 3 µs a URL; what is held beyond the next minutes' work brings nothing.
_HEAD_OF_HOST = 64
_HEAD_OF_ALL = 4_096
# Two generations of this many URLs answer "known already" for most links of a page without a look at the
# disk (bench/frontier); 2 × 50,000 URLs of 100 characters take 20 MB.
_GENERATION = 50_000
_DEEPEST = 32_767  # what the column holds; nobody has ever linked as deep


@dataclass(frozen=True, slots=True)
class Lead:
    """A URL somebody found."""

    url: str  # canonical
    depth: int
    priority: float  # smaller is sooner; breadth-first is priority = depth


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL handed out to be fetched: settled, given back, or queued again at the next start."""

    id: int
    url: str
    host: str
    depth: int
    tries: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a lease."""

    lease: Lease
    state: UrlState
    reason: str = ""
    due: float = 0.0  # Unix time of the next try, for WAITING


def authority_of(url: str) -> str:
    """Host and port of a canonical URL: what politeness and queues are kept by."""
    return url.split("/", 3)[2]


def key_of(job: int, url: str) -> int:
    """64 bits that stand for a URL within a job: any two of 10 million collide once in 370,000 crawls."""
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8, salt=job.to_bytes(8, "little"))
    return int.from_bytes(digest.digest(), "little", signed=True)


class Frontier:
    """The queues of one job. Methods that take a connection write in the caller's transaction."""

    def __init__(self, job: int) -> None:
        self.job = job
        self.queued = 0  # on disk, not in memory
        self.waiting = 0
        self._heads: dict[str, deque[Lease]] = {}
        self._held = 0
        self._hosts: dict[str, None] = {}  # may have something queued on disk; ordered, for turns
        self._young: set[str] = set()
        self._old: set[str] = set()
        self._next_due: float | None = None

    def load(self, connection: Connection, max_depth: int = 0) -> int:
        """Take up what is stored; gives how many URLs a killed crawl had leased, which are queued again."""
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
        leads: Iterable[Lead],
        state: UrlState = UrlState.QUEUED,
        *,
        claimed: bool = False,
    ) -> int:
        """Put in what is new; gives how many were. What was claimed is known, and put in all the same."""
        fresh = {lead.url: lead for lead in leads if claimed or not self.knows(lead.url)}
        rows = [self._row(lead, state) for lead in fresh.values()]
        added = queue.add_rows(connection, rows)
        if state is not UrlState.BEYOND:  # a shorter way to it may be found yet
            for url in fresh:
                self._remember(url)
        if state is UrlState.QUEUED:
            self.queued += added
            self._hosts.update(dict.fromkeys(row[2] for row in rows))
        return added

    def knows(self, url: str) -> bool:
        """Is this URL surely in the frontier? Cheap, and no is only a perhaps."""
        return url in self._young or url in self._old

    def unknown(self, urls: Iterable[str]) -> list[str]:
        """Those of the URLs that are perhaps not in the frontier."""
        young, old = self._young, self._old
        return [url for url in urls if url not in young and url not in old]

    def revive(self, connection: Connection, seed: str) -> None:
        """Try again at once what waits, and the seed even if it failed: somebody has mended the network."""
        queue.revive(connection, self.job, key_of(self.job, seed))

    def claim(self, connection: Connection, url: str) -> bool:
        """Is this URL new? Then nobody else gets it, and the caller puts it in when it is fetched."""
        if self.knows(url) or queue.find_rows(connection, [key_of(self.job, url)]):
            return False
        self._remember(url)
        return True

    def unclaim(self, urls: Iterable[str]) -> None:
        """What was claimed did not come: whoever finds it next may have it."""
        self._young.difference_update(urls)
        self._old.difference_update(urls)

    def settle(self, connection: Connection, outcomes: Sequence[Outcome]) -> None:
        """Write down what became of leases."""
        queue.settle_rows(connection, [_settled(outcome) for outcome in outcomes])
        for outcome in outcomes:
            if outcome.state is UrlState.WAITING:
                self.waiting += 1
                self._next_due = min(self._next_due or outcome.due, outcome.due)

    def give_back(self, connection: Connection, leases: Iterable[Lease] = ()) -> None:
        """Queue again what was not fetched: the given leases, and all that memory holds."""
        held = [lease for head in self._heads.values() for lease in head]
        back = [*leases, *held]
        queue.settle_rows(
            connection, [_settled(Outcome(lease, UrlState.QUEUED), tried=False) for lease in back]
        )
        self.queued += len(back)
        self._hosts.update(dict.fromkeys(lease.host for lease in back))
        self._heads.clear()
        self._held = 0

    def refill(self, connection: Connection, now: float) -> None:
        """Lease the heads of queues that run low, and wake what is due."""
        self._wake(connection, now)
        for host in list(self._hosts):
            if self._held >= _HEAD_OF_ALL:
                break
            head = self._heads.get(host)
            room = _HEAD_OF_HOST - (len(head) if head else 0)
            if room >= _HEAD_OF_HOST // 2:
                self._lease(connection, host, room)

    def needs_refill(self, now: float) -> bool:
        """Would refill bring anything?"""
        if self._next_due is not None and self._next_due <= now:
            return True
        if self._held >= _HEAD_OF_ALL:
            return False
        return any(len(self._heads.get(host, ())) <= _HEAD_OF_HOST // 2 for host in self._hosts)

    @property
    def hosts(self) -> KeysView[str]:
        """Hosts with something to take."""
        return self._heads.keys()

    @property
    def next_due(self) -> float | None:
        """Unix time at which the first waiting URL is to be tried again."""
        return self._next_due

    @property
    def open(self) -> int:
        """URLs still to fetch: queued, held in memory, waiting."""
        return self.queued + self._held + self.waiting

    def take(self, host: str) -> Lease:
        """The next URL of a host."""
        head = self._heads[host]
        lease = head.popleft()
        self._held -= 1
        if not head:
            del self._heads[host]
        return lease

    def find(self, connection: Connection, urls: Iterable[str]) -> dict[str, Lease]:
        """Those of the URLs that are in the frontier and not yet fetched, by URL."""
        rows = queue.find_rows(connection, [key_of(self.job, url) for url in urls])
        return {
            row.url: Lease(row.id, row.url, row.host, row.depth, row.tries)
            for row in rows
            if row.state in (UrlState.QUEUED, UrlState.WAITING)
        }

    def _row(self, lead: Lead, state: UrlState) -> tuple[Any, ...]:
        """A row in the order of queue.ROW."""
        key, depth = key_of(self.job, lead.url), min(lead.depth, _DEEPEST)
        return key, self.job, authority_of(lead.url), lead.url, lead.priority, depth, int(state), 0, 0.0, ""

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
            self._hosts[host] = None  # at the end: with many hosts, each has its turn


def _settled(outcome: Outcome, *, tried: bool = True) -> dict[str, object]:
    return {
        "row": outcome.lease.id,
        "state": int(outcome.state),
        "tries": outcome.lease.tries + tried,
        "due": outcome.due,
        "reason": outcome.reason,
    }
