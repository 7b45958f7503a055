"""The watch itself: starts the run of every forum that is due, side by side, and waits for the next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from threadmill.crawl.forum.forum_crawl import Means, Session
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.crawl.watch.agenda import Agenda, Turn, Wish
from threadmill.errors import FetchError, UsageError

_FIRST_PAUSE = timedelta(minutes=15)  # of a forum that could not be visited; doubles each time
_LONGEST_PAUSE = timedelta(days=1)
_LONGEST_SLEEP = timedelta(hours=1)  # a clock that was set, or a laptop that slept, is noticed by then


@dataclass(slots=True)
class WatchState:
    """What a watch is doing; it keeps this, others look at it."""

    turns: list[Turn] = field(default_factory=list)
    under_way: dict[str, ForumProgress | None] = field(default_factory=dict)
    runs: int = 0
    pages: int = 0
    new_posts: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # by forum
    last_failure: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has ended."""

    url: str
    why: str
    progress: ForumProgress | None  # None: it could not begin
    failure: str = ""


class Watcher:
    """Keeps the forums of a workspace current until it is stopped."""

    def __init__(self, means: Means, wish: Wish, tell: Callable[[Run], None] | None = None) -> None:
        self._means = means
        self._wish = wish
        self._tell = tell or _say_nothing
        self._sessions: dict[str, Session] = {}
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._hosts: set[str] = set()
        self._paused: dict[str, datetime] = {}
        self._stopping = asyncio.Event()
        self.state = WatchState()

    def stop(self) -> None:
        """Start nothing more; runs under way end after the pages under way."""
        self._stopping.set()
        for session in self._sessions.values():
            session.stop()

    async def run(self, *, once: bool = False) -> WatchState:
        """Serve what is due; with `once`, end when nothing is due any more."""
        served: set[str] = set()
        while not self._stopping.is_set():
            turns = self._look()
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
        self._look()
        return self.state

    def _look(self) -> list[Turn]:
        with self._means.store.reading() as connection:
            self.state.turns = Agenda(connection, self._wish, self._means.clock.now()).turns()
        return self.state.turns

    def _is_due(self, turn: Turn) -> bool:
        """One run a host at a time: forums of one host share its patience and its budget."""
        return self._starts(turn) <= self._means.clock.now() and turn.host not in self._hosts

    def _waits(self, turn: Turn, served: set[str]) -> bool:
        return turn.plan.url not in served and self._starts(turn) <= self._means.clock.now()

    def _starts(self, turn: Turn) -> datetime:
        paused = self._paused.get(turn.plan.url)
        return max(turn.plan.due, paused) if paused else turn.plan.due

    def _begin(self, turn: Turn) -> None:
        url = turn.plan.url
        session = Session(self._means, url, replace(turn.round, max_pages=turn.left))
        self._sessions[url] = session
        self._hosts.add(turn.host)
        self.state.under_way[url] = None
        self._tasks[asyncio.create_task(self._serve(turn, session))] = url

    async def _serve(self, turn: Turn, session: Session) -> None:
        url = turn.plan.url

        def look(progress: ForumProgress) -> None:
            self.state.under_way[url] = progress

        try:
            progress = await session.run(look)
        except (FetchError, UsageError) as error:
            self._fail(turn, str(error), None)
        else:
            self._end(turn, progress)
        finally:
            del self._sessions[url], self.state.under_way[url]
            self._hosts.discard(turn.host)

    def _end(self, turn: Turn, progress: ForumProgress) -> None:
        self.state.pages += progress.pages
        self.state.new_posts += progress.new_posts
        if not progress.index_pages + progress.thread_pages and progress.ended != INTERRUPTED:
            self._fail(turn, progress.last_trouble or "no page came", progress)
            return
        self.state.runs += 1
        self.state.failures.pop(turn.plan.url, None)
        self.state.last_failure.pop(turn.plan.url, None)
        self._paused.pop(turn.plan.url, None)
        self._tell(Run(turn.plan.url, turn.plan.why, progress))

    def _fail(self, turn: Turn, sentence: str, progress: ForumProgress | None) -> None:
        """A forum that cannot be visited is left alone for a while, longer each time; the others go on."""
        url = turn.plan.url
        self.state.failures[url] += 1
        self.state.last_failure[url] = sentence
        pause = min(_FIRST_PAUSE * 2 ** (self.state.failures[url] - 1), _LONGEST_PAUSE)
        self._paused[url] = self._means.clock.now() + pause
        self._tell(Run(url, turn.plan.why, progress, sentence))

    async def _wait(self, turns: list[Turn], *, once: bool) -> None:
        """Until a run ends, the next one is due, or the watch is stopped."""
        waits: set[asyncio.Task[object]] = {asyncio.create_task(self._stopping.wait())}
        if not (once and self._tasks):
            waits.add(asyncio.create_task(self._means.clock.sleep(self._pause(turns))))
        try:
            await asyncio.wait({*waits, *self._tasks}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        self._collect()

    def _pause(self, turns: list[Turn]) -> float:
        now = self._means.clock.now()
        starts = [self._starts(turn) for turn in turns if turn.host not in self._hosts]
        pause = min((start - now for start in starts), default=_LONGEST_SLEEP)
        return max(0.0, min(pause, _LONGEST_SLEEP).total_seconds())

    def _collect(self) -> None:
        """What is no failure of a forum but of ours, or of the disk, ends the watch."""
        for task in [task for task in self._tasks if task.done()]:
            del self._tasks[task]
            task.result()


def _say_nothing(run: Run) -> None:
    """For a watch that nobody listens to."""
