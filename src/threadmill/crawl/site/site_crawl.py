"""Runs a site crawl: opens store, archive and fetcher, adds seeds from sitemaps, stores how the run ended."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urljoin
from uuid import uuid4

from threadmill.archive import ArchiveWriter
from threadmill.archive.run_records import RunRecord
from threadmill.config import Settings
from threadmill.crawl.access.login import open_fetcher
from threadmill.crawl.crash_recovery import (
    ArchivedExchange,
    mark_lost_captures,
    repair_archive,
    unrecorded_visits,
)
from threadmill.crawl.fetch.client import Fetcher, FetchResult, Request
from threadmill.crawl.fetch.clock import SystemClock
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.retry import BUSY_STATUSES
from threadmill.crawl.frontier.feeds import read_feed
from threadmill.crawl.frontier.frontier import FoundURL, Frontier
from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.crawl.frontier.sitemaps import read_sitemap
from threadmill.crawl.frontier.url_listing import URLListing
from threadmill.crawl.lock import lock_workspace
from threadmill.crawl.manners.robots_checker import StoredRobotsCache
from threadmill.crawl.site.page_visit import URLVisit, VisitJudge
from threadmill.crawl.site.recorder import CrawlRecorder
from threadmill.crawl.site.site_loop import SiteCrawlLoop, SiteProgress
from threadmill.errors import BusyError, FetchError
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import count_pages, forget_unread, lost_urls, unread_files
from threadmill.store.crawl.jobs import end_run, find_or_add_job, start_run
from threadmill.types import Capture, Exchange
from threadmill.urls import Scope, canonicalise, resolve
from threadmill.workspace import Workspace


class CrashRecovery:
    """Records what a killed crawl left in an archive directory."""

    def __init__(
        self, store: Store, frontier: Frontier, recorder: CrawlRecorder, judge: VisitJudge, max_body: int
    ) -> None:
        self._store = store
        self._frontier = frontier
        self._recorder = recorder
        self._judge = judge
        self._max_body = max_body

    def run(self, directory: Path) -> list[URLVisit]:
        """Repair the archive and record what the database lacks. A crash during this does no harm either."""
        repair_archive(self._store, directory)
        job = self._frontier.job
        mark_lost_captures(self._store, directory, job)
        with self._store.writing() as connection:
            urls = [url for found in lost_urls(connection, job) if (url := resolve(found))]
            self._frontier.queue_again(connection, urls)
            if not unread_files(connection, job):
                return []
        visits = list(self._record(directory))
        with self._store.writing() as connection:
            forget_unread(connection, job)
        return visits

    def _record(self, directory: Path) -> Iterator[URLVisit]:
        for chain in unrecorded_visits(self._store, directory, self._frontier.job):
            visit = self.record_visit(chain)
            if visit is not None:
                yield visit

    def record_visit(self, chain: Sequence[ArchivedExchange]) -> URLVisit | None:
        """Record one visit of the archive. None if it is known, or no part of this crawl."""
        visit = self._visit(tuple(exchange for _, exchange in chain))
        if visit is not None:
            self._recorder.record_archived(visit, [location for location, _ in chain])
            # One by one: a link of this page may be the next page that was fetched.
            self._recorder.commit(time.time(), refill=False)
        return visit

    def _visit(self, exchanges: tuple[Exchange, ...]) -> URLVisit | None:
        url = resolve(exchanges[0].url)
        if url is None:
            return None
        with self._store.reading() as connection:
            lease = self._frontier.find(connection, [url]).get(url)
        if lease is None:  # robots.txt, a page of another job, or a page that is already recorded
            return None
        last = exchanges[-1]
        if last.status in BUSY_STATUSES:
            return self._judge.judge_error(lease, BusyError("the server was busy", exchanges), time.time())
        payload, flaw = decode_exchange(last, self._max_body)
        capture = Capture(last.url, last.at, last.status, last.headers, payload, "archive")
        return self._judge.judge_response(lease, capture, exchanges, (flaw,) if flaw else ())


INTERRUPTED = "interrupted"
_FAILED = "failed"
Watch = Callable[[SiteProgress], None]

# The sitemap protocol allows 50,000 sitemaps in an index. A site with more than so many files has more pages
# than a crawl without limits fetches in a week.
MAX_SITEMAPS = 500
_SEED_DEPTH = 1  # a page of a sitemap counts as a link of the home page


def crawl_site(workspace: Workspace, url: str, scope: Scope, watch: Watch | None = None) -> SiteProgress:
    """Crawl a site breadth-first within its scope and limits, or continue where the last run ended."""
    with _running(workspace, url, scope) as site_run:
        asyncio.run(_crawl(site_run, watch))
        return site_run.progress


async def crawl_site_async(
    workspace: Workspace, url: str, scope: Scope, watch: Watch | None = None
) -> SiteProgress:
    """Do the same inside a running event loop."""
    with _running(workspace, url, scope) as site_run:
        await _crawl(site_run, watch)
        return site_run.progress


@dataclass(frozen=True, slots=True)
class _SiteRun:
    """What one run works with."""

    settings: Settings
    store: Store
    archive: ArchiveWriter | None
    run: int
    frontier: Frontier
    scope: CrawlScope
    recorder: CrawlRecorder
    progress: SiteProgress
    record: RunRecord


@contextmanager
def _running(workspace: Workspace, url: str, scope: Scope) -> Iterator[_SiteRun]:
    """Open a run of a site crawl, and store how it ended."""
    seed = canonicalise(url)
    store = open_store(workspace.store_url)
    try:
        with lock_workspace(workspace.root):
            site_run = _open_run(workspace, store, seed, scope)
            ended = _FAILED
            try:
                yield site_run
                ended = site_run.progress.ended
            finally:
                _close_run(site_run, ended)
    finally:
        store.close()


def _open_run(workspace: Workspace, store: Store, seed: str, scope: Scope) -> _SiteRun:
    settings = workspace.settings
    archive = ArchiveWriter(workspace.archive, settings.archive) if settings.archive.enabled else None
    now = datetime.now(UTC)
    with store.writing() as connection:
        job = find_or_add_job(connection, "site", seed, str(scope), now)
        run = start_run(connection, job.id, now)
        frontier = Frontier(job.id)
        frontier.load(connection, settings.crawl.max_depth)
        frontier.add(connection, [FoundURL(seed, 0, 0)])
    crawl_scope = CrawlScope(seed, scope, settings.crawl.max_depth)
    recorder = CrawlRecorder(store, frontier, archive)
    progress = SiteProgress()
    if archive is not None:
        judge = VisitJudge(frontier, crawl_scope)
        recovery = CrashRecovery(store, frontier, recorder, judge, settings.fetch.max_body_bytes)
        progress.recovered = len(recovery.run(workspace.archive))
    with store.writing() as connection:
        progress.pages_before = count_pages(connection, job.id)
        if not progress.pages_before:
            frontier.retry_now(connection, seed)
        frontier.load(connection, settings.crawl.max_depth)
    record = RunRecord(uuid4().hex, "site", seed, str(scope), now.isoformat())
    if archive is not None:
        archive.write_run(record)
    return _SiteRun(settings, store, archive, run, frontier, crawl_scope, recorder, progress, record)


def _close_run(site_run: _SiteRun, ended: str) -> None:
    """Close the archive, and store why the run ended."""
    progress, archive = site_run.progress, site_run.archive
    counts = {**progress.visits, "adopted": progress.recovered, "ended: " + ended: 1}
    now, code = datetime.now(UTC), 0 if progress.pages else 1
    if archive is not None and ended != _FAILED:
        end = replace(site_run.record, at=now.isoformat(), ended=True, exit_code=code, counts=counts)
        archive.write_run(end)
    if archive is not None:
        # After a failure of the store some archived pages are not recorded: the next run recovers them.
        archive.close(noted=ended != _FAILED)
    with suppress(Exception) if ended == _FAILED else nullcontext(), site_run.store.writing() as connection:
        end_run(connection, site_run.run, now, code, counts)


async def _crawl(site_run: _SiteRun, watch: Watch | None) -> None:
    settings, store, archive = site_run.settings, site_run.store, site_run.archive
    robots = StoredRobotsCache(store, archive, SystemClock())
    async with open_fetcher(settings, SystemClock(), robots) as fetcher:
        loop = SiteCrawlLoop(
            settings.crawl,
            store,
            site_run.frontier,
            scope=site_run.scope,
            recorder=site_run.recorder,
            fetcher=fetcher,
            progress=site_run.progress,
        )
        with stop_on_signals(lambda: loop.stop(INTERRUPTED)):
            if settings.crawl.sitemaps:
                await _add_seeds(site_run, fetcher)
            await loop.run(watch)


async def _add_seeds(site_run: _SiteRun, fetcher: Fetcher) -> None:
    archive = site_run.archive

    def keep(result: FetchResult) -> None:
        for exchange in result.exchanges if archive is not None else ():
            assert archive is not None
            archive.write(exchange)

    async for urls in find_seeds(fetcher, site_run.scope, keep):
        with site_run.store.writing() as connection:
            site_run.frontier.add(connection, urls)


async def find_seeds(
    fetcher: Fetcher, scope: CrawlScope, keep: Callable[[FetchResult], None]
) -> AsyncIterator[list[FoundURL]]:
    """Yield the URLs in scope of each sitemap: those that robots.txt names, or else /sitemap.xml."""
    listed = (await fetcher.robots_rules(scope.seed)).sitemaps
    waiting = deque(listed or (urljoin(scope.seed, "/sitemap.xml"),))
    seen = set(waiting)
    while waiting and len(seen) <= MAX_SITEMAPS:
        listing = await _read_listing(fetcher, waiting.popleft(), keep)
        for entry in listing.sitemaps:
            if entry.url not in seen:
                seen.add(entry.url)
                waiting.append(entry.url)
        urls = (resolve(entry.url) for entry in listing.entries)
        yield [
            FoundURL(url, _SEED_DEPTH, _SEED_DEPTH)
            for url in urls
            if url and not scope.reason_to_skip(url, _SEED_DEPTH)
        ]


async def _read_listing(fetcher: Fetcher, url: str, keep: Callable[[FetchResult], None]) -> URLListing:
    """Fetch and read a sitemap, or a feed in its place. Empty if there is neither."""
    try:
        result = await fetcher.fetch(Request(url))
    except FetchError:
        return URLListing(())
    keep(result)
    capture = result.capture
    if not 200 <= capture.status < 300:
        return URLListing(())
    listing = read_sitemap(capture.payload, capture.url)
    return listing if listing.entries or listing.sitemaps else read_feed(capture.payload, capture.url)


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[list[signal.Signals]]:
    """Call `stop` on SIGINT (Ctrl-C) and SIGTERM. Only the main thread can; elsewhere this does nothing.

    Yields the signals that came.
    """
    running = asyncio.get_running_loop()
    caught = []
    came: list[signal.Signals] = []

    def note(number: signal.Signals) -> None:
        came.append(number)
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            running.add_signal_handler(number, note, number)
            caught.append(number)
    try:
        yield came
    finally:
        for number in caught:
            running.remove_signal_handler(number)
