"""Runs the watch: starts a run for every forum that is due, several at once, and waits for the next."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from threadmill.crawl.forum.forum_crawl import ForumRun
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.forum.resources import CrawlResources
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.crawl.watch.planner import ForumTurn, WatchOptions, WatchPlanner
from threadmill.errors import FetchError, NothingFoundError, UsageError

_log = logging.getLogger("threadmill.crawl")
_FIRST_PAUSE = timedelta(minutes=15)  # after a failed run; doubles with each failure
_LONGEST_PAUSE = timedelta(days=1)
_LONGEST_SLEEP = timedelta(hours=1)  # a changed clock, or a laptop that slept, is noticed after this time


@dataclass(slots=True)
class WatchState:
    """What a watch is doing. The watcher writes it; others only read it."""

    turns: list[ForumTurn] = field(default_factory=list)
    under_way: dict[str, ForumProgress | None] = field(default_factory=dict)
    runs: int = 0
    pages: int = 0
    new_posts: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # by forum
    last_failure: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that has ended."""

    url: str
    why: str
    progress: ForumProgress | None  # None: the run could not start
    failure: str = ""


class Watcher:
    """Keeps the forums of a workspace current until it is stopped."""

    def __init__(
        self,
        resources: CrawlResources,
        options: WatchOptions,
        tell: Callable[[FinishedRun], None] | None = None,
    ) -> None:
        self._resources = resources
        self._options = options
        self._tell = tell or _ignore
        self._runs: dict[str, ForumRun] = {}
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._hosts: set[str] = set()
        self._paused: dict[str, datetime] = {}
        self._stopping = asyncio.Event()
        self.state = WatchState()

    def stop(self) -> None:
        """Start no more runs. Runs under way end after their current requests."""
        self._stopping.set()
        for run in self._runs.values():
            run.stop()

    async def run(self, *, once: bool = False) -> WatchState:
        """Run what is due. With `once`, return when nothing is due any more."""
        served: set[str] = set()
        while not self._stopping.is_set():
            turns = self._update_turns()
            for turn in turns:
                if self._is_due(turn) and not (once and turn.plan.url in served):
                    served.add(turn.plan.url)
                    self._begin(turn)
            if once and not self._tasks and not any(self._waits(turn, served) for turn in turns):
                break
            await self._wait(turns, once=once)
        if self._tasks:
            await asyncio.wait(self._tasks)
            self._collect()
        self._update_turns()
        return self.state

    def _update_turns(self) -> list[ForumTurn]:
        with self._resources.store.reading() as connection:
            self.state.turns = WatchPlanner(connection, self._options, self._resources.clock.now()).turns()
        return self.state.turns

    def _is_due(self, turn: ForumTurn) -> bool:
        """May a run start now? Only one per host at a time, because forums of one host share its budget."""
        return self._starts(turn) <= self._resources.clock.now() and turn.host not in self._hosts

    def _waits(self, turn: ForumTurn, served: set[str]) -> bool:
        return turn.plan.url not in served and self._starts(turn) <= self._resources.clock.now()

    def _starts(self, turn: ForumTurn) -> datetime:
        paused = self._paused.get(turn.plan.url)
        return max(turn.plan.due, paused) if paused else turn.plan.due

    def _begin(self, turn: ForumTurn) -> None:
        url = turn.plan.url
        run = ForumRun(self._resources, url, replace(turn.scope, max_pages=turn.left))
        self._runs[url] = run
        self._hosts.add(turn.host)
        self.state.under_way[url] = None
        self._tasks[asyncio.create_task(self._serve(turn, run))] = url

    async def _serve(self, turn: ForumTurn, run: ForumRun) -> None:
        url = turn.plan.url

        def look(progress: ForumProgress) -> None:
            self.state.under_way[url] = progress

        try:
            progress = await run.run(look)
        except (FetchError, NothingFoundError, UsageError) as error:
            self._fail(turn, str(error), None)
        else:
            self._end(turn, progress)
        finally:
            del self._runs[url], self.state.under_way[url]
            self._hosts.discard(turn.host)

    def _end(self, turn: ForumTurn, progress: ForumProgress) -> None:
        self.state.pages += progress.pages
        self.state.new_posts += progress.new_posts
        if not progress.index_pages + progress.thread_pages and progress.ended != INTERRUPTED:
            self._fail(turn, progress.last_trouble or "no page came", progress)
            return
        self.state.runs += 1
        self.state.failures.pop(turn.plan.url, None)
        self.state.last_failure.pop(turn.plan.url, None)
        self._paused.pop(turn.plan.url, None)
        self._tell(FinishedRun(turn.plan.url, turn.plan.why, progress))

    def _fail(self, turn: ForumTurn, sentence: str, progress: ForumProgress | None) -> None:
        """Pause a forum after a failure, longer each time. The other forums go on."""
        url = turn.plan.url
        self.state.failures[url] += 1
        self.state.last_failure[url] = sentence
        self._paused[url] = again = self._resources.clock.now() + failure_pause(self.state.failures[url])
        _log.warning("%s could not be visited: %s; it is tried again at %s", url, sentence, again.isoformat())
        self._tell(FinishedRun(url, turn.plan.why, progress, sentence))

    async def _wait(self, turns: list[ForumTurn], *, once: bool) -> None:
        """Wait until a run ends, the next one is due, or the watch is stopped."""
        waits: set[asyncio.Task[object]] = {asyncio.create_task(self._stopping.wait())}
        if not (once and self._tasks):
            waits.add(asyncio.create_task(self._resources.clock.sleep(self._pause(turns))))
        try:
            await asyncio.wait({*waits, *self._tasks}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        self._collect()

    def _pause(self, turns: list[ForumTurn]) -> float:
        now = self._resources.clock.now()
        starts = [self._starts(turn) for turn in turns if turn.host not in self._hosts]
        pause = min((start - now for start in starts), default=_LONGEST_SLEEP)
        return max(0.0, min(pause, _LONGEST_SLEEP).total_seconds())

    def _collect(self) -> None:
        """Remove finished runs. An unexpected error (a bug, a full disk) ends the watch."""
        for task in [task for task in self._tasks if task.done()]:
            del self._tasks[task]
            task.result()


def failure_pause(failures: int) -> timedelta:
    """How long a forum is left alone after so many failed runs in a row."""
    times: int = 2 ** min(failures - 1, 20)
    return min(_FIRST_PAUSE * times, _LONGEST_PAUSE)


def _ignore(run: FinishedRun) -> None:
    """Used if nobody wants to hear of finished runs."""
