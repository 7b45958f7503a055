"""A plain crawl of an ordinary site, from opening the workspace's parts to noting how the run ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from threadmill.archive import ArchiveWriter
from threadmill.crawl.fetch.client import Answer, Fetcher
from threadmill.crawl.fetch.clock import SystemClock
from threadmill.crawl.frontier.frontier import Frontier, Lead
from threadmill.crawl.frontier.scope import Territory
from threadmill.crawl.lock import locked
from threadmill.crawl.manners.robots_cache import KeptRobots
from threadmill.crawl.site.crash_recovery import Adoption
from threadmill.crawl.site.crawl_loop import Loop, Progress
from threadmill.crawl.site.page_visit import Judge
from threadmill.crawl.site.recorder import Book
from threadmill.crawl.site.seeds import find_seeds
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import count_pages
from threadmill.store.crawl.jobs import CrawlJob, end_run, find_or_add_job, start_run
from threadmill.urls import Scope, canonicalise
from threadmill.workspace import Workspace

INTERRUPTED = "interrupted"
Watch = Callable[[Progress], None]


def crawl_site(workspace: Workspace, url: str, scope: Scope, watch: Watch | None = None) -> Progress:
    """Crawl a site breadth-first within scope and limits, or go on where the last run ended."""
    seed = canonicalise(url)
    store = open_store(workspace.store_url)
    try:
        with locked(workspace.root):
            return _run(workspace, store, seed, scope, watch)
    finally:
        store.close()


@dataclass(frozen=True, slots=True)
class _Parts:
    """What one run works with."""

    job: CrawlJob
    run: int
    frontier: Frontier
    territory: Territory
    book: Book
    progress: Progress


def _run(workspace: Workspace, store: Store, seed: str, scope: Scope, watch: Watch | None) -> Progress:
    settings = workspace.settings
    archive = ArchiveWriter(workspace.archive, settings.archive) if settings.archive.enabled else None
    parts = _open_parts(workspace, store, seed, scope, archive)
    ended = "failed"
    try:
        asyncio.run(_crawl(workspace, store, parts, archive, watch))
        ended = parts.progress.ended
    finally:
        if archive is not None:
            # A store that failed has not noted all that is archived: the next run adopts it.
            archive.close(noted=ended != "failed")
        counts = {**parts.progress.visits, "adopted": parts.progress.adopted, "ended: " + ended: 1}
        with suppress(Exception) if ended == "failed" else _plainly(), store.writing() as connection:
            code = 0 if parts.progress.pages else 1
            end_run(connection, parts.run, datetime.now(UTC), code, counts)
    return parts.progress


@contextmanager
def _plainly() -> Iterator[None]:
    yield


def _open_parts(
    workspace: Workspace, store: Store, seed: str, scope: Scope, archive: ArchiveWriter | None
) -> _Parts:
    settings = workspace.settings
    now = datetime.now(UTC)
    with store.writing() as connection:
        job = find_or_add_job(connection, "site", seed, str(scope), now)
        run = start_run(connection, job.id, now)
        frontier = Frontier(job.id)
        frontier.load(connection, settings.crawl.max_depth)
        frontier.add(connection, [Lead(seed, 0, 0)])
    territory = Territory(seed, scope, settings.crawl.max_depth)
    book = Book(store, frontier, archive)
    progress = Progress()
    if archive is not None:
        judge = Judge(frontier, territory)
        adopted = Adoption(store, frontier, book, judge, settings.fetch.max_body_bytes)
        progress.adopted = len(adopted.run(workspace.archive))
    with store.writing() as connection:
        progress.pages_before = count_pages(connection, job.id)
        if not progress.pages_before:
            frontier.revive(connection, seed)
        frontier.load(connection, settings.crawl.max_depth)
    return _Parts(job, run, frontier, territory, book, progress)


async def _crawl(
    workspace: Workspace, store: Store, parts: _Parts, archive: ArchiveWriter | None, watch: Watch | None
) -> None:
    settings = workspace.settings
    async with Fetcher(settings, robots=KeptRobots(store, archive, SystemClock())) as fetcher:
        loop = Loop(
            settings.crawl,
            store,
            parts.frontier,
            territory=parts.territory,
            book=parts.book,
            fetcher=fetcher,
            progress=parts.progress,
        )
        with signals(lambda: loop.stop(INTERRUPTED)):
            if settings.crawl.sitemaps:
                await _add_seeds(store, parts, fetcher, archive)
            await loop.run(watch)


async def _add_seeds(store: Store, parts: _Parts, fetcher: Fetcher, archive: ArchiveWriter | None) -> None:
    def keep(answer: Answer) -> None:
        for exchange in answer.exchanges if archive is not None else ():
            assert archive is not None
            archive.write(exchange)

    async for leads in find_seeds(fetcher, parts.territory, keep):
        with store.writing() as connection:
            parts.frontier.add(connection, leads)


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and a polite kill ask the crawl to stop; only a main thread may listen for them."""
    running = asyncio.get_running_loop()
    caught = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            running.add_signal_handler(number, stop)
            caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            running.remove_signal_handler(number)
