"""A forum crawl from opening the workspace's parts to noting how the run ended."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from threadmill.archive import ArchiveWriter
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.fetch.clock import Clock, SystemClock
from threadmill.crawl.forum.answers import PageCame, archive_answer
from threadmill.crawl.forum.feed_hints import find_feed
from threadmill.crawl.forum.forum_loop import NOTHING_LEFT, PAGE_LIMIT, Ground, Rounds
from threadmill.crawl.forum.hint_check import Consultation
from threadmill.crawl.forum.knowledge import NO_ZONE, Lore
from threadmill.crawl.forum.learning import learn_forum
from threadmill.crawl.forum.overlooked_boards import make_overlooked_due
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.forum.time_zone import stated_zone
from threadmill.crawl.lock import lock_workspace
from threadmill.crawl.manners.robots_cache import StoredRobotsCache
from threadmill.crawl.site.site_crawl import INTERRUPTED, stop_on_signals
from threadmill.errors import FetchError, OldModelError, UsageError
from threadmill.forum.link_urls import strip_session
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.model import ForumModel
from threadmill.store import Store, open_store
from threadmill.store.crawl.jobs import UNFINISHED, end_run, find_or_add_job, is_unfinished, start_run
from threadmill.store.forum.forums import (
    add_board,
    change_board,
    due_boards,
    find_board,
    find_forum,
    forget_due_boards,
    keep_forum,
    make_due,
)
from threadmill.store.forum.threads import count_due, forget_due
from threadmill.urls import canonicalise
from threadmill.workspace import Workspace

Watch = Callable[[ForumProgress], None]
_log = logging.getLogger("threadmill.crawl")


@dataclass(frozen=True, slots=True)
class CrawlResources:
    """What forum crawls of one process share; the fetcher keeps them polite even on one host."""

    settings: Settings
    store: Store
    archive: ArchiveWriter | None
    fetcher: Fetcher
    clock: Clock


@dataclass(frozen=True, slots=True)
class RunScope:
    """How much of a forum a run looks at."""

    boards: frozenset[int] | None = None  # only these, and new ones; None: all
    straight: frozenset[int] = frozenset()  # of them those to visit without being told to by a row
    through_entry: bool = True  # does the entry page tell which of the others have changed
    max_pages: int | None = None  # None: as the settings say


def crawl_forum(workspace: Workspace, url: str, watch: Watch | None = None) -> ForumProgress:
    """Crawl a forum: all of it the first time, afterwards only pages with new posts."""
    return asyncio.run(crawl_forum_async(workspace, url, watch))


async def crawl_forum_async(workspace: Workspace, url: str, watch: Watch | None = None) -> ForumProgress:
    """Do the same inside a running event loop."""
    async with open_resources(workspace) as means:
        session = ForumRun(means, url)
        with stop_on_signals(session.stop):
            return await session.run(watch)


@asynccontextmanager
async def open_resources(workspace: Workspace, clock: Clock | None = None) -> AsyncIterator[CrawlResources]:
    """Open what forum crawls in a workspace need; one process at a time may."""
    store = open_store(workspace.store_url)
    settings = workspace.settings
    clock = clock or SystemClock()
    try:
        with lock_workspace(workspace.root):
            archive = ArchiveWriter(workspace.archive, settings.archive) if settings.archive.enabled else None
            try:
                robots = StoredRobotsCache(store, archive, clock)
                async with Fetcher(settings, clock=clock, robots=robots) as fetcher:
                    yield CrawlResources(settings, store, archive, fetcher, clock)
            finally:
                if archive is not None:
                    archive.close()
    finally:
        store.close()


class _StoppedError(Exception):
    """The crawl was asked to stop while the forum was being learnt."""


class ForumRun:
    """One run over one forum."""

    def __init__(self, means: CrawlResources, start: str, scope: RunScope | None = None) -> None:
        self._means = means
        self._store = means.store
        self._start = canonicalise(start)
        self._scope = scope or RunScope()
        self._started = means.clock.now()
        self._ready: dict[str, PageCame] = {}
        self._fetched = 0
        self._resumes = False
        self._stopped = False
        self._rounds: Rounds | None = None
        self._consultation = Consultation(
            self._store, means.archive, means.fetcher, self._start, self._started
        )
        self.troubles: Counter[str] = Counter()

    def stop(self) -> None:
        """Take nothing new; what is under way is finished, and the next run goes on."""
        self._stopped = True
        if self._rounds is not None:
            self._rounds.stop(INTERRUPTED)

    async def run(self, watch: Watch | None = None) -> ForumProgress:
        """Crawl, and write down how it went."""
        progress = ForumProgress()
        with self._store.writing() as connection:
            job = find_or_add_job(connection, "forum", self._start, "forum", self._started)
            self._resumes = is_unfinished(connection, job.id)
            run = start_run(connection, job.id, self._started)
        try:
            ground, lore = await self._open(job.id, run)
            again = await self._crawl(ground, lore, progress, watch)
            if not again and self._scope.boards is None and progress.ended == NOTHING_LEFT:
                await self._visit_overlooked(ground, lore, progress, watch)
                self._consultation.look_back(ground, lore, progress)
            relearnt = await self._relearn(ground) if again else None
            if relearnt is not None:
                progress.ended = ""
                await self._crawl(ground, relearnt, progress, watch)
        except _StoppedError:
            progress.ended = INTERRUPTED
        finally:
            with self._store.writing() as connection:
                cut_off = {UNFINISHED: 1} if progress.ended in {INTERRUPTED, PAGE_LIMIT} else {}
                counts = _counts(progress) | cut_off
                end_run(connection, run, self._means.clock.now(), 0 if progress.pages else 1, counts)
        return progress

    async def _crawl(self, ground: Ground, lore: Lore, progress: ForumProgress, watch: Watch | None) -> bool:
        """One round over the forum; says whether it looks like another forum than the one that was learnt."""
        settings = self._means.settings.crawl
        if self._scope.max_pages is not None:
            settings = replace(settings, max_pages=self._scope.max_pages)
        self._rounds = rounds = Rounds(ground, lore, settings, progress)
        rounds.ready = self._ready
        progress.pages += self._fetched
        self._fetched = 0
        progress.troubles.update(self.troubles)
        self.troubles.clear()
        if self._stopped:
            rounds.stop(INTERRUPTED)
        await rounds.run(watch)
        return rounds.relaunched and not lore.fresh and progress.ended != INTERRUPTED

    async def _visit_overlooked(
        self, ground: Ground, lore: Lore, progress: ForumProgress, watch: Watch | None
    ) -> None:
        """Boards below boards that had nothing new: where rows do not tell of what is below them."""
        if lore.fresh or self._consultation.rested:
            return
        now = self._started + timedelta(seconds=lore.lead)
        with self._store.writing() as connection:
            count = make_overlooked_due(connection, ground.forum, lore.model.entry, self._started, now)
        if count:
            progress.ended = ""
            await self._crawl(ground, lore, progress, watch)

    async def _relearn(self, ground: Ground) -> Lore | None:
        """Learn the forum anew; None when there is no forum to be seen, which is trouble and no relaunch."""
        self._ready.clear()
        try:
            model = await self._learn(ground.job)
        except (UsageError, FetchError) as error:
            self.troubles[error.reason if isinstance(error, FetchError) else "no forum"] += 1
            return None
        lore = Lore(model, fresh=True, relaunched=True)
        with self._store.writing() as connection:
            # What is due stays due where its address is still one of the forum's: its row will not say again
            # that it has changed.
            forget_due(connection, ground.forum, lambda url: lore.leads_to(url) == "thread")
            forget_due_boards(connection, ground.forum)
            keep_forum(connection, ground.job, model.entry, lore.to_json(), self._started)
            self._begin(connection, ground.forum, model.entry)
        return lore

    async def _open(self, job: int, run: int) -> tuple[Ground, Lore]:
        with self._store.reading() as connection:
            known = find_forum(connection, job)
        lore = (self._recall(known[2]) if known else None) or Lore(await self._learn(job), fresh=True)
        if lore.fresh:
            self._vote_zone(lore)
            lore.feed = find_feed(came.tree() for came in self._pages_seen())
        with self._store.writing() as connection:
            entry = lore.model.entry
            forum = (
                keep_forum(connection, job, entry, lore.to_json(), self._started)
                if known is None or lore.fresh
                else known[0]
            )
        with self._store.reading() as connection:
            busy = self._resumes or due_boards(connection, forum) or count_due(connection, forum)
        if busy or not await self._consultation.rests((job, run, forum), lore, self._scope.boards):
            with self._store.writing() as connection:
                self._begin(connection, forum, entry)
        self._fetched += self._consultation.fetched
        means, boards = self._means, self._scope.boards
        return (
            Ground(self._store, means.archive, means.fetcher, job, run, forum, self._started, boards),
            lore,
        )

    def _recall(self, stored: Mapping[str, Any]) -> Lore | None:
        """What an earlier run learnt; None when it was stored in a form that is not ours."""
        try:
            return Lore.from_json(stored)
        except OldModelError as error:
            _log.warning(
                "%s: what was learnt of this forum cannot be used, %s; learning anew", self._start, error
            )
            return None

    def _vote_zone(self, lore: Lore) -> None:
        """What the pages seen while learning state of the zone, so that the first post stored has it."""
        for came in self._pages_seen():
            lore.zones.add(stated_zone(PageOutline(came.tree())) or NO_ZONE)

    def _pages_seen(self) -> list[PageCame]:
        """The pages fetched while the forum was learnt, each once."""
        pages = {id(page): page for page in self._ready.values()}.values()
        return [page for page in pages if page.readable]

    def _begin(self, connection: Connection, forum: int, entry: str) -> None:
        """A run starts at the entry or at the boards it is about, unless it takes up one that was cut off."""
        board = find_board(connection, forum, entry)
        if board is None:
            add_board(connection, forum, entry, "", None)
        elif self._resumes and (due_boards(connection, forum) or count_due(connection, forum)):
            return
        elif self._scope.through_entry:
            change_board(connection, board.id, due=entry, page=0)
        for wanted in self._scope.straight:
            make_due(connection, wanted)

    async def _learn(self, job: int) -> ForumModel:
        async def fetch(url: str) -> PageCame | None:
            if self._stopped:
                raise _StoppedError
            try:
                answer = await self._means.fetcher.fetch(Request(url))
            except FetchError as error:
                if not self._ready:  # the very page the user named
                    raise
                self.troubles[error.reason] += 1
                return None
            came = archive_answer(self._store, self._means.archive, job, answer)
            self._ready[strip_session(came.asked)] = self._ready[strip_session(came.capture.url)] = came
            self._fetched += 1
            return came

        return await learn_forum(self._start, fetch)


def _counts(progress: ForumProgress) -> dict[str, int]:
    return {
        "pages": progress.pages,
        "index pages": progress.index_pages,
        "thread pages": progress.thread_pages,
        "bytes": progress.bytes,
        "new threads": progress.new_threads,
        "new posts": progress.new_posts,
        "edited posts": progress.edited,
        "vanished posts": progress.vanished,
        **{f"trouble: {reason}": count for reason, count in progress.troubles.items()},
    }
