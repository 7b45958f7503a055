"""The loop of a site crawl: takes URLs from the frontier, fetches several at once, records what came."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from threadmill.config import CrawlSettings
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.fetch.clock import SystemClock
from threadmill.crawl.frontier.frontier import Frontier, Lease, Schedule, authority_of
from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.crawl.site.page_visit import URLVisit, VisitJudge
from threadmill.crawl.site.recorder import CrawlRecorder
from threadmill.errors import FetchError
from threadmill.store import Store
from threadmill.urls import resolve

# A transaction covers so many pages, or what came in so many seconds (bench/crawl). A crash before it loses
# nothing, because the archive has the pages. When the queue is empty, the commit comes at once.
_GROUP = 64
_GROUP_SECONDS = 0.25
_GRACE = 10.0  # seconds that requests under way get when the crawl is stopped
_REPORT_SECONDS = 0.25
_REMEMBERED = 50_000


@dataclass(slots=True)
class SiteProgress:
    """The progress of a site crawl. The loop writes it; others only read it."""

    started: float = 0.0
    pages: int = 0  # of this run
    pages_before: int = 0  # of earlier runs of the same job
    recovered: int = 0  # pages that a killed run archived and this run recorded
    queue: int = 0
    waiting: int = 0
    under_way: int = 0
    resting: int = 0  # hosts that must wait
    ended: str = ""  # why the crawl is over
    visits: Counter[str] = field(default_factory=Counter)
    flaws: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    last_error: str = ""

    @property
    def errors(self) -> int:
        """Number of visits that failed. Redirects and unmodified pages do not count."""
        successes = ("fetched", "done")
        return sum(count for kind, count in self.visits.items() if not kind.startswith(successes))


class SiteCrawlLoop:
    """One run of a site crawl."""

    def __init__(
        self,
        settings: CrawlSettings,
        store: Store,
        frontier: Frontier,
        *,
        scope: CrawlScope,
        recorder: CrawlRecorder,
        fetcher: Fetcher,
        progress: SiteProgress,
    ) -> None:
        self._settings = settings
        self._store = store
        self._frontier = frontier
        self._scope = scope
        self._recorder = recorder
        self._fetcher = fetcher
        self._progress = progress
        self._judge = VisitJudge(frontier, scope)
        self._schedule = Schedule(frontier, fetcher.politeness, SystemClock(), settings.host_concurrency)
        self._leases: dict[int, Lease] = {}
        self._workers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._stopped = asyncio.Event()
        self._committed = 0.0
        self._seen_left_out: set[str] = set()

    async def run(self, watch: Callable[[SiteProgress], None] | None = None) -> None:
        """Crawl until nothing is left, a limit is reached, or the crawl is stopped."""
        self._progress.started = time.monotonic()
        self._commit()
        side = [asyncio.create_task(self._stop_at_time_limit())]
        if watch is not None:
            side.append(asyncio.create_task(self._report(watch)))
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._settings.concurrency)]
        try:
            await self._finish_workers()
        finally:
            for task in side:
                task.cancel()
            self._close()

    def stop(self, reason: str) -> None:
        """Start no new requests and let those under way finish. A second call cancels them."""
        if self._stopped.is_set():
            for worker in self._workers:
                worker.cancel()
        self._progress.ended = self._progress.ended or reason
        self._stopped.set()
        self._changed.set()

    async def _finish_workers(self) -> None:
        stopped = asyncio.create_task(self._stopped.wait())
        await asyncio.wait([stopped, *self._workers], return_when=asyncio.FIRST_EXCEPTION)
        stopped.cancel()
        broken = [w for w in self._workers if w.done() and not w.cancelled() and w.exception()]
        _, late = await asyncio.wait(self._workers, timeout=0.0 if broken else _GRACE)
        for worker in late:
            worker.cancel()
        ends = await asyncio.gather(*self._workers, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _work(self) -> None:
        while not self._stopped.is_set():
            lease = self._next()
            if lease is not None:
                await self._serve(lease)
            elif over := self._is_over():
                self.stop(over)
            else:
                await self._rest()

    async def _serve(self, lease: Lease) -> None:
        self._leases[lease.id] = lease
        try:
            visit = await self._visit(lease)
        finally:
            self._schedule.finished(lease.host)
            self._changed.set()
        self._recorder.record(visit)
        del self._leases[lease.id]
        self._count(visit)
        if self._recorder.pending >= _GROUP or time.monotonic() - self._committed > _GROUP_SECONDS:
            self._commit()

    async def _visit(self, lease: Lease) -> URLVisit:
        claimed: list[str] = []

        def may_follow(target: str) -> bool:
            url = resolve(target)
            if url is None or self._scope.reason_to_skip(url, lease.depth):
                return False
            return url == lease.url or self._claim(url, claimed)

        try:
            result = await self._fetcher.fetch(Request(lease.url), may_follow)
        except FetchError as error:
            self._frontier.unclaim(claimed)
            self._progress.last_error = str(error)
            fails = self._host_fails(lease.host)
            return self._judge.judge_error(lease, error, time.time(), host_fails=fails)
        return self._judge.judge_response(lease, result.capture, result.exchanges, result.flaws)

    def _host_fails(self, host: str) -> bool:
        """Does a whole host fail? It is suspended, or it is the host of the crawl and was silent so far."""
        politeness = self._fetcher.politeness
        if politeness.suspended_for(host) is not None:
            return True
        return host == authority_of(self._scope.seed) and not politeness.has_answered(host)

    def _claim(self, url: str, claimed: list[str]) -> bool:
        """Claim the target of a redirect. It is fetched once, even if several redirects lead to it."""
        with self._store.reading() as connection:
            if url not in claimed and not self._frontier.claim(connection, url):
                return False
        claimed.append(url)
        return True

    def _next(self) -> Lease | None:
        if self._is_full():
            if self._recorder.pending:
                self._commit()
            return None
        lease = self._schedule.next()
        if lease is None and (self._recorder.pending or self._frontier.needs_refill(time.time())):
            self._commit()
            lease = self._schedule.next()
        return lease

    def _is_full(self) -> bool:
        limit = self._settings.max_pages
        progress = self._progress
        return bool(limit) and progress.pages_before + progress.pages + self._schedule.under_way >= limit

    def _is_over(self) -> str:
        """Why this run has nothing more to do. Empty if it has."""
        if self._schedule.under_way or self._recorder.pending:
            return ""
        if self._is_full():
            return "page limit"
        pause = self._pause()
        if pause is None:
            return "nothing left"
        hopeless = self._progress.errors and not self._progress.pages
        return "the rest has to wait" if pause > (0.0 if hopeless else self._settings.patience) else ""

    def _pause(self) -> float | None:
        """Seconds until something may be fetched. None if nothing is left."""
        due = self._frontier.next_due
        pauses = [self._schedule.pause(), None if due is None else max(0.0, due - time.time())]
        return min((pause for pause in pauses if pause is not None), default=None)

    async def _rest(self) -> None:
        """Wait until something changes or a host may be asked. Never zero seconds, so that others can run."""
        pause = None if self._is_full() else self._pause()
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), min(1.0, max(0.01, 1.0 if pause is None else pause)))

    def _commit(self) -> None:
        self._recorder.commit(time.time())
        self._committed = time.monotonic()
        self._schedule.add_new_hosts()
        self._update_progress()

    def _count(self, visit: URLVisit) -> None:
        progress = self._progress
        progress.pages += visit.page
        progress.visits[visit.kind] += 1
        progress.flaws.update(visit.flaws)
        if visit.left_out:
            self._count_left_out(visit)

    def _count_left_out(self, visit: URLVisit) -> None:
        if len(self._seen_left_out) > _REMEMBERED:
            self._seen_left_out.clear()
        for url, reason in visit.left_out:
            if url not in self._seen_left_out:
                self._seen_left_out.add(url)
                self._progress.left_out[reason] += 1

    def _update_progress(self) -> None:
        self._progress.queue = self._frontier.open - self._frontier.waiting
        self._progress.waiting = self._frontier.waiting
        self._progress.under_way = self._schedule.under_way
        self._progress.resting = self._schedule.resting

    def _close(self) -> None:
        """Record what came, and give back the URLs that were not fetched."""
        self._recorder.commit(time.time())
        with self._store.writing() as connection:
            self._frontier.give_back(connection, self._leases.values())
        self._leases.clear()
        self._update_progress()

    async def _stop_at_time_limit(self) -> None:
        if self._settings.max_seconds:
            await asyncio.sleep(self._settings.max_seconds)
            self.stop("time limit")

    async def _report(self, watch: Callable[[SiteProgress], None]) -> None:
        while True:
            self._update_progress()
            watch(self._progress)
            await asyncio.sleep(_REPORT_SECONDS)
