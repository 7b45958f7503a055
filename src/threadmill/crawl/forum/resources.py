"""What forum crawls work with: what all crawls of one process share, and what belongs to one forum."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from threadmill.archive import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.access.login import open_fetcher
from threadmill.crawl.crash_recovery import mark_lost_captures, repair_archive
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.fetch.clock import Clock, SystemClock
from threadmill.crawl.fetch.request_sender import RequestPermit
from threadmill.crawl.lock import lock_workspace
from threadmill.crawl.manners.robots_checker import StoredRobotsCache
from threadmill.store import Store, open_store
from threadmill.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CrawlResources:
    """What all forum crawls of one process share. The shared fetcher keeps them polite, even on one host."""

    settings: Settings
    store: Store
    archive: ArchiveWriter | None
    fetcher: Fetcher
    clock: Clock
    directory: Path | None = None  # of the archive
    verified: set[int] = field(default_factory=set)  # jobs whose archived answers are known to be there

    def verify_archive(self, job: int) -> None:
        """Find out, once in a process, which archived answers of a job are gone."""
        if self.directory is not None and self.archive is not None and job not in self.verified:
            mark_lost_captures(self.store, self.directory, job)
            self.verified.add(job)


@dataclass(frozen=True, slots=True)
class CrawlContext:
    """What the crawl of one forum works with: store, archive, fetcher, and the ids of job, run and forum."""

    store: Store
    archive: ArchiveWriter | None
    fetcher: Fetcher
    job: int
    run: int
    forum: int
    started: datetime
    boards: frozenset[int] | None = None  # the known boards that this run reads; None: all
    may_store: Callable[[], bool] = lambda: True  # False: another process works on this forum by now


@asynccontextmanager
async def open_resources(
    workspace: Workspace, clock: Clock | None = None, permit: RequestPermit | None = None
) -> AsyncIterator[CrawlResources]:
    """Open what forum crawls in a workspace need. Only one process at a time can.

    With a permit, which asks before each request, processes of a fleet share the workspace.
    """
    store = open_store(workspace.store_url)
    settings = workspace.settings
    clock = clock or SystemClock()
    try:
        with lock_workspace(workspace.root, shared=permit is not None):
            if settings.archive.enabled:
                repair_archive(store, workspace.archive)
            archive = ArchiveWriter(workspace.archive, settings.archive) if settings.archive.enabled else None
            noted = False
            try:
                robots = StoredRobotsCache(store, archive, clock)
                async with open_fetcher(settings, clock, robots, permit) as fetcher:
                    yield CrawlResources(settings, store, archive, fetcher, clock, workspace.archive)
                store.flush()
                noted = True
            finally:
                if archive is not None:
                    # After a failure some archived pages may not be recorded: the next run looks for them.
                    archive.close(noted=noted)
    finally:
        store.close()
