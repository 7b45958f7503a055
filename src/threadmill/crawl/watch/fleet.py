"""One worker of a fleet: many processes on many machines keep the same forums current, from one PostgreSQL.

A worker takes a host, visits its due forums, and gives the host back. While it holds a host, no other worker
asks it. If it dies, another worker takes the host over and continues the run.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta

from threadmill.crawl.crash_recovery import repair_archive
from threadmill.crawl.forum.forum_crawl import ForumRun
from threadmill.crawl.forum.progress import HOST_FAILS, NOTHING_LEFT, ForumProgress
from threadmill.crawl.forum.resources import CrawlResources
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.crawl.watch.leases import HostLeases
from threadmill.crawl.watch.planner import ForumTurn, WatchOptions, WatchPlanner
from threadmill.crawl.watch.watcher import FinishedRun, failure_pause
from threadmill.errors import FetchError, NothingFoundError, StoreError, UsageError
from threadmill.store.crawl.fleet import (
    FleetForum,
    TakenHost,
    WorkerCounts,
    plan_forum,
    remove_silent_workers,
    remove_worker,
    report_worker,
    urls_of_host,
)

_log = logging.getLogger("threadmill.crawl")
_POLL_SECONDS = 1.0  # between two looks for due hosts
_FORGET_AFTER = 600.0  # seconds: a worker that died is shown for this time


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """How a worker of a fleet works."""

    watch: WatchOptions
    hosts: int = 20  # that it visits at the same time


@dataclass(slots=True)
class FleetProgress:
    """What a worker has done."""

    runs: int = 0
    pages: int = 0
    posts: int = 0
    failed: int = 0
    taken_over: int = 0  # hosts of workers that died
    lost: int = 0  # hosts that another worker took, because this one was too slow
    under_way: dict[str, ForumProgress | None] = field(default_factory=dict)
    last_failure: dict[str, str] = field(default_factory=dict)


class FleetWorker:
    """Visits due forums of the fleet, several hosts at once, until it is stopped or drained."""

    def __init__(
        self,
        resources: CrawlResources,
        leases: HostLeases,
        options: FleetOptions,
        tell: Callable[[FinishedRun], None] = lambda _: None,
    ) -> None:
        leases.open(resources.store, resources.fetcher.politeness.pause_of)
        self._resources = resources
        self._store = resources.store
        self._leases = leases
        self._options = options
        self._tell = tell
        self._runs: dict[str, ForumRun] = {}  # host → the run that asks it
        self._tasks: set[asyncio.Task[None]] = set()
        self._serving: dict[str, asyncio.Task[None]] = {}  # host → the task that visits it, or did last
        self._stopping = asyncio.Event()
        self._draining = False
        self._beside: list[asyncio.Task[None]] = []  # keep the leases, and report
        self.progress = FleetProgress()

    def stop(self) -> None:
        """Start no more runs. Runs under way end after their current requests."""
        self._stopping.set()
        for run in self._runs.values():
            run.stop()

    async def run(self, *, once: bool = False) -> FleetProgress:
        """Visit what is due. With `once`, return when no host is due and free any more."""
        self._report()
        reporting = asyncio.create_task(self._report_regularly())
        self._beside = [reporting, asyncio.create_task(asyncio.to_thread(self._leases.keep))]
        try:
            while not self._stopping.is_set() and not (self._draining and not self._tasks):
                self._take_hosts()
                if once and not self._tasks:
                    break
                await self._wait()
        finally:
            self.stop()
            if self._tasks:
                await asyncio.wait(self._tasks)
            reporting.cancel()
            self._leases.end_keeping()
            await asyncio.wait(self._beside)
            self._leases.close()
            with self._store.writing() as connection:
                remove_worker(connection, self._leases.owner)
        self._collect()
        return self.progress

    def _take_hosts(self) -> None:
        while len(self._tasks) < self._options.hosts and not self._draining and self._leases.has_requests():
            taken = self._leases.take()
            if taken is None:
                return
            if taken.taken_over and self._resources.directory is not None:
                # Its last owner died: its archive may end with half a record.
                self.progress.taken_over += 1
                repair_archive(self._store, self._resources.directory)
            task = asyncio.create_task(self._serve(taken, self._serving.get(taken.host)))
            self._serving[taken.host] = task
            self._tasks.add(task)

    async def _wait(self) -> None:
        """Wait until a host is done or the worker is stopped, at most until the next look."""
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait(
                {stopping, *self._tasks}, timeout=_POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            stopping.cancel()
        self._collect()

    def _collect(self) -> None:
        """Remove hosts that are done. An unexpected error (a bug, a full disk) ends the worker."""
        for task in [task for task in self._tasks if task.done()]:
            self._tasks.discard(task)
            self._serving = {host: other for host, other in self._serving.items() if other is not task}
            task.result()
        for task in self._beside:
            if task.done() and not task.cancelled():
                task.result()

    async def _serve(self, taken: TakenHost, before: asyncio.Task[None] | None) -> None:
        """Visit the forums of a host. One that was lost and taken again may still have its last run."""
        if before is not None:
            await asyncio.wait({before})  # it gives the host back; the forums left are due again
        try:
            for forum in taken.forums:
                if not self._stopping.is_set() and self._leases.holds(taken.host):
                    await self._visit(taken.host, forum)
        finally:
            self._leases.give_back(taken.host)

    async def _visit(self, host: str, forum: FleetForum) -> None:
        turn = self._plan(host, forum.url)
        now = self._resources.clock.now()
        if turn.plan.due > now:
            self._note(forum.url, turn)
            return
        run = ForumRun(
            self._resources,
            forum.url,
            replace(turn.scope, max_pages=turn.left),
            may_store=lambda: self._leases.holds(host),
        )
        self._runs[host] = run
        self._leases.lapsed.discard(host)
        self.progress.under_way[forum.url] = None
        progress: ForumProgress | None = None
        failure = ""
        try:
            progress = await run.run(lambda seen: self._look(forum.url, seen))
        except (FetchError, NothingFoundError, UsageError) as error:
            failure = str(error)
            _log.warning("%s could not be visited: %s", forum.url, error)
        finally:
            del self._runs[host], self.progress.under_way[forum.url]
        if not self._leases.holds(host):  # whoever has the host now plans its forums
            self.progress.lost += 1
            return
        self._end(host, forum, turn, progress, failure)

    def _look(self, url: str, progress: ForumProgress) -> None:
        self.progress.under_way[url] = progress

    def _end(
        self, host: str, forum: FleetForum, turn: ForumTurn, progress: ForumProgress | None, failure: str
    ) -> None:
        if progress is not None:
            self.progress.runs += 1
            self.progress.pages += progress.pages
            self.progress.posts += progress.new_posts
            came = progress.index_pages + progress.thread_pages
            # After a kill there may be nothing left to fetch: that is no failure.
            idle = progress.ended == NOTHING_LEFT and not progress.last_trouble
            if (not came and progress.ended != INTERRUPTED and not idle) or progress.ended == HOST_FAILS:
                failure = progress.last_trouble or "no page came"
        # That this worker was slow, or that the fleet has spent its budget, says nothing of the forum.
        if failure and host not in self._leases.lapsed:
            self.progress.failed += 1
            self.progress.last_failure[forum.url] = failure
            count = forum.failures + 1
            with self._store.writing() as connection:
                why = "its last run failed"
                plan_forum(connection, forum.url, failure_pause(count), why, (count, failure))
        else:
            self.progress.last_failure.pop(forum.url, None)
            self._note(forum.url, self._plan(host, forum.url))
        self._tell(FinishedRun(forum.url, turn.plan.why, progress, failure))

    def _plan(self, host: str, url: str) -> ForumTurn:
        """The plan of a forum. The forums of its host share a budget."""
        with self._store.reading() as connection:
            urls = tuple(dict.fromkeys((*urls_of_host(connection, host), url)))
            options = replace(self._options.watch, urls=urls)
            turns = WatchPlanner(connection, options, self._resources.clock.now()).turns()
        return next(turn for turn in turns if turn.plan.url == url)

    def _note(self, url: str, turn: ForumTurn) -> None:
        wait = max(timedelta(), turn.plan.due - self._resources.clock.now())
        with self._store.writing() as connection:
            plan_forum(connection, url, wait, turn.plan.why)

    async def _report_regularly(self) -> None:
        """Tell the fleet of this worker, and stop runs on hosts that were lost."""
        while True:
            await asyncio.sleep(self._leases.pause)
            self._leases.note_alive()
            for host, run in self._runs.items():
                if not self._leases.holds(host):
                    run.stop()
            with suppress(StoreError):  # a database that is away is asked again
                self._report()

    def _report(self) -> None:
        progress = self.progress
        worker = {"name": self._leases.owner, "machine": platform.node(), "process": os.getpid()}
        counts = WorkerCounts(progress.runs, progress.pages, progress.posts)
        with self._store.writing() as connection:
            self._draining |= report_worker(connection, worker, counts)
            remove_silent_workers(connection, _FORGET_AFTER)
