"""Runs a forum crawl: opens store, archive and fetcher, learns the forum, crawls it, stores how it ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection

from threadmill.archive.run_records import RunRecord
from threadmill.crawl.forum.account import note_surplus, take_account
from threadmill.crawl.forum.choice import ChoiceFilter, CrawlChoice
from threadmill.crawl.forum.fallback import Fallbacks, FallbackTools, needs_fallback
from threadmill.crawl.forum.feed_hints import FeedCheck, find_feeds
from threadmill.crawl.forum.forum_loop import REPEATS, ForumLoop
from threadmill.crawl.forum.knowledge import NO_ZONE, ForumKnowledge, LayoutKnowledge, find_stated_zone
from threadmill.crawl.forum.page_lookup import PageLookup, StoppedError, Watch, learn_forum
from threadmill.crawl.forum.page_requests import (
    seconds_left,
)
from threadmill.crawl.forum.progress import (
    BROKEN_OFF,
    CHOSEN_DONE,
    HOST_FAILS,
    NOTHING_LEFT,
    PAGE_LIMIT,
    TIME_LIMIT,
    ForumProgress,
    exit_code,
    stored_counts,
)
from threadmill.crawl.forum.resources import CrawlContext, CrawlResources, open_resources
from threadmill.crawl.forum.rows.board_rows import make_overlooked_due
from threadmill.crawl.site.site_crawl import INTERRUPTED, stop_on_signals
from threadmill.errors import FetchError, NothingFoundError, OldModelError
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.model import ForumModel
from threadmill.store.crawl.captures import forget_unread, note_unread
from threadmill.store.crawl.jobs import (
    UNFINISHED,
    end_run,
    find_or_add_job,
    is_unfinished,
    runs_of,
    start_run,
)
from threadmill.store.forum.accounts import keep_account
from threadmill.store.forum.forums import (
    add_board,
    change_board,
    due_boards,
    find_board,
    find_board_urls,
    find_forum,
    forget_due_boards,
    keep_forum,
    make_due,
)
from threadmill.store.forum.posts import first_texts
from threadmill.store.forum.threads import count_due, forget_due
from threadmill.urls import canonicalise
from threadmill.workspace import Workspace

# A first crawl may be cut off when only other ways of searching are left. The next run goes on with them, but
# not after this time: then there may be news.
_STILL_FIRST = timedelta(days=1)
# Texts of posts that it takes from runs that were cut off. Single messages of known threads are recognised by
# them.
_MOST_TEXTS = 5000
_NEVER = datetime.min.replace(tzinfo=UTC)
# The next run continues after these ends.
_CUT_OFF = {INTERRUPTED, PAGE_LIMIT, TIME_LIMIT, HOST_FAILS, BROKEN_OFF}
_log = logging.getLogger("threadmill.crawl")


@dataclass(frozen=True, slots=True)
class RunScope:
    """Which boards of a forum a run reads."""

    boards: frozenset[int] | None = None  # only these, and new ones; None: all
    direct: frozenset[int] = frozenset()  # of them those to read whatever their row shows
    through_entry: bool = True  # is the entry page read to find which of the others have changed
    max_pages: int | None = None  # None: the limit of the settings
    choice: CrawlChoice | None = None  # what the user chose; None: everything

    @property
    def is_partial(self) -> bool:
        """Is a part of the forum left out, so that nothing can be said about the whole?"""
        return self.boards is not None or self.choice is not None


def crawl_forum(
    workspace: Workspace, url: str, watch: Watch | None = None, choice: CrawlChoice | None = None
) -> ForumProgress:
    """Crawl a forum: everything the first time, afterwards only pages with new posts."""
    return asyncio.run(crawl_forum_async(workspace, url, watch, choice))


async def crawl_forum_async(
    workspace: Workspace, url: str, watch: Watch | None = None, choice: CrawlChoice | None = None
) -> ForumProgress:
    """Do the same inside a running event loop."""
    async with open_resources(workspace) as resources:
        run = ForumRun(resources, url, RunScope(choice=choice))
        with stop_on_signals(run.stop):
            return await run.run(watch)


class ForumRun:
    """One run over one forum."""

    def __init__(
        self,
        resources: CrawlResources,
        start: str,
        scope: RunScope | None = None,
        may_store: Callable[[], bool] = lambda: True,
    ) -> None:
        self._may_store = may_store
        self._resources = resources
        self._store = resources.store
        self._start = canonicalise(start)
        self._scope = scope or RunScope()
        self._started = resources.clock.now()
        self._learning_error: NothingFoundError | None = None  # nothing was learnt from the first pages
        self._progress = ForumProgress()
        most = self._scope.max_pages
        self._max_pages = resources.settings.crawl.max_pages if most is None else most  # 0: any number
        self._pages = PageLookup(resources, self._progress, self._max_pages)
        self._resumes = self._first_goes_on = False
        self._last_start = _NEVER
        self._loop: ForumLoop | None = None
        self._feed_check = FeedCheck(
            self._store, resources.archive, resources.fetcher, self._start, self._started
        )
        self.number: int | None = None  # of the run in the store, once it has begun

    def stop(self) -> None:
        """Start no new requests. Those under way are finished, and the next run continues."""
        self._pages.stop()
        if self._loop is not None:
            self._loop.stop(INTERRUPTED)

    async def run(self, watch: Watch | None = None) -> ForumProgress:
        """Crawl, and store how the run ended."""
        progress = self._progress
        self._pages.watch, progress.started = watch, time.monotonic()
        job = self._store_start()
        self._resources.verify_archive(job)
        record = self._archive_start()
        context: CrawlContext | None = None
        knowledge: ForumKnowledge | None = None
        try:
            context, knowledge = await self._open(job)
            again = await self._crawl(context, knowledge, progress, watch)
            if not again and not self._scope.is_partial and progress.ended == NOTHING_LEFT:
                await self._visit_overlooked(context, knowledge, progress, watch)
                self._feed_check.record_run(context, knowledge, progress)
            await self._pages.fetch_lost(context)
            relearnt = await self._relearn(context) if again else None
            if relearnt is not None:
                knowledge, progress.ended = relearnt, ""
                await self._crawl(context, relearnt, progress, watch)
            await self._fall_back(context, knowledge, progress, watch)
            self._refuse_nothing(progress)
            self._end_first_crawl(context, knowledge, progress)
        except StoppedError as stopped:
            progress.ended = str(stopped)
            self._pages.count()
        except (NothingFoundError, FetchError):  # no forum was found: there is nothing to continue with
            raise
        except BaseException:
            progress.ended = BROKEN_OFF
            raise
        finally:
            if context is not None and knowledge is not None:
                self._take_account(context, knowledge, progress)
            self._end_run(job, record)
        return progress

    def _store_start(self) -> int:
        """Store that the run begins. Return its job."""
        with self._store.writing() as connection:
            job = find_or_add_job(connection, "forum", self._start, "forum", self._started)
            self._resumes = is_unfinished(connection, job.id)
            self._last_start = next((began for _, began, _ in runs_of(connection, job.id, 1)), _NEVER)
            self.number = start_run(connection, job.id, self._started)
        return job.id

    def _end_first_crawl(
        self, context: CrawlContext, knowledge: ForumKnowledge, progress: ForumProgress
    ) -> None:
        """The next run looks for news only. A crawl that was cut off stays the first one when it goes on."""
        if not knowledge.just_learnt or progress.ended in _CUT_OFF or not self._may_store():
            return
        ended = replace(knowledge, just_learnt=False)
        with self._store.writing() as connection:
            entry = knowledge.layout.model.entry
            keep_forum(connection, context.job, entry, ended.to_json(), self._started)

    def _refuse_nothing(self, progress: ForumProgress) -> None:
        """Say why nothing was learnt, if searching page by page has brought no post either."""
        done = progress.ended in {NOTHING_LEFT, CHOSEN_DONE}
        if self._learning_error is not None and done and not progress.new_posts:
            raise self._learning_error

    def _end_run(self, job: int, record: RunRecord) -> None:
        """Archive and store how the run ended."""
        progress, now, run = self._progress, self._resources.clock.now(), self.number or 0
        cut_off = {UNFINISHED: 1} if progress.ended in _CUT_OFF else {}
        counts = stored_counts(progress) | cut_off
        code = exit_code(progress)
        with self._store.writing() as connection:
            if self._resources.archive is not None:
                end = replace(record, at=now.isoformat(), ended=True, exit_code=code, counts=counts)
                self._resources.archive.write_run(end)
            end_run(connection, run, now, code, counts)
            if cut_off:  # pages that were fetched to learn the forum are not read yet
                left = [row for page in self._pages.pages_seen() if not page.stored for row in page.rows]
                note_unread(connection, {row.file for row in left if row.file}, job)
            elif progress.ended:
                forget_unread(connection, job)
        _log.info("%s: run %d ends: %s, exit code %d", self._start, run, progress.ended or "failed", code)

    async def _fall_back(
        self,
        context: CrawlContext,
        knowledge: ForumKnowledge,
        progress: ForumProgress,
        watch: Watch | None,
    ) -> None:
        """Search in other ways if the forum claims many more posts than are kept."""
        if self._scope.is_partial or progress.ended != NOTHING_LEFT or self._feed_check.skips_run:
            return
        with self._store.reading() as connection:
            account = take_account(connection, context.forum, knowledge)
        if not needs_fallback(account, knowledge):
            return

        async def crawl() -> None:
            progress.ended = ""
            await self._crawl(context, knowledge, progress, watch)
            if progress.ended == REPEATS:  # this way leads to known threads: it is undone, or left here
                progress.ended = NOTHING_LEFT
            if progress.ended != NOTHING_LEFT:
                raise StoppedError(progress.ended)

        fetch = self._pages.fetcher_for(context.job)
        again = self._pages.recover_cut_runs(context) if self._first_goes_on else frozenset()
        tools = FallbackTools(
            fetch, crawl, self._pages.ready, self._pages.asked, self._pages.index_pages, again
        )
        await Fallbacks(context, knowledge, tools).run()
        self._pages.count()

    def _archive_start(self) -> RunRecord:
        """Archive that this run begins, with all that is needed to repeat it from the archive."""
        scope, boards = self._scope, None
        direct: list[str] = []
        if scope.boards is not None or scope.direct:
            with self._store.reading() as connection:
                urls = find_board_urls(connection, (scope.boards or frozenset()) | scope.direct)
            boards = (
                [urls[n] for n in sorted(scope.boards & urls.keys())] if scope.boards is not None else None
            )
            direct = [urls[n] for n in sorted(scope.direct & urls.keys())]
        at = self._started.isoformat()
        _log.info("%s: a run begins", self._start)
        record = RunRecord(
            uuid4().hex, "forum", self._start, "forum", at,
            boards=boards, direct=direct, through_entry=scope.through_entry,
        )  # fmt: skip
        if self._resources.archive is not None:
            self._resources.archive.write_run(record)
        return record

    def _take_account(
        self, context: CrawlContext, knowledge: ForumKnowledge, progress: ForumProgress
    ) -> None:
        """Set what is kept against what the forum claims, and store it with the run."""
        if self._scope.is_partial:
            return
        with self._store.writing() as connection:
            note_surplus(connection, context.forum, knowledge)
            account = take_account(connection, context.forum, knowledge)
            unread = len(due_boards(connection, context.forum)) + count_due(connection, context.forum)
            is_cut_off = progress.ended in _CUT_OFF and unread > 0
            progress.account = account.cut_off(unread) if is_cut_off else account
            keep_account(connection, context.run, progress.account)

    async def _crawl(
        self,
        context: CrawlContext,
        knowledge: ForumKnowledge,
        progress: ForumProgress,
        watch: Watch | None,
    ) -> bool:
        """Read all due pages. True if the forum looks different from the one that was learnt."""
        settings = replace(self._resources.settings.crawl, max_pages=self._max_pages)
        self._pages.learning = False
        self._loop = loop = ForumLoop(context, knowledge, settings, progress)
        loop.ready, loop.asked, loop.deadline = self._pages.ready, self._pages.asked, self._pages.deadline
        loop.limits = self._pages.limits
        loop.believe_feed(self._feed_check.quiet_since, is_full=self._feed_check.is_full)
        loop.choice = ChoiceFilter(self._scope.choice) if self._scope.choice else None
        loop.index_pages = self._pages.index_pages
        self._pages.count()
        progress.troubles.update(self._pages.troubles)
        self._pages.troubles.clear()
        if self._pages.stopped:
            loop.stop(INTERRUPTED)
        await loop.run(watch)
        return loop.relaunched and not knowledge.just_learnt and progress.ended != INTERRUPTED

    async def _visit_overlooked(
        self,
        context: CrawlContext,
        knowledge: ForumKnowledge,
        progress: ForumProgress,
        watch: Watch | None,
    ) -> None:
        """Read boards below boards that had nothing new. Some rows do not show what is below their board."""
        if knowledge.just_learnt or self._feed_check.skips_run:
            return
        now = self._started + timedelta(seconds=knowledge.site.clock_lead)
        entry = knowledge.layout.model.entry
        with self._store.writing() as connection:
            count = make_overlooked_due(connection, context.forum, entry, context.run, now)
        if count:
            progress.ended = ""
            await self._crawl(context, knowledge, progress, watch)

    async def _relearn(self, context: CrawlContext) -> ForumKnowledge | None:
        """Learn the forum again. None if there is no forum any more: the site has a problem."""
        self._pages.forget()
        try:
            model = await self._learn(context.job)
        except (NothingFoundError, FetchError) as error:
            self._pages.troubles[error.reason if isinstance(error, FetchError) else "no forum"] += 1
            return None
        layout = LayoutKnowledge(model)
        knowledge = ForumKnowledge(layout, just_learnt=True, relaunched=True)
        with self._store.writing() as connection:
            # Due threads stay due if their URL still belongs to the forum: their row shows no change again.
            forget_due(connection, context.forum, lambda url: layout.link_kind(url) == "thread")
            forget_due_boards(connection, context.forum)
            keep_forum(connection, context.job, model.entry, knowledge.to_json(), self._started)
            self._begin(connection, context.forum, model.entry)
        return knowledge

    async def _open(self, job: int) -> tuple[CrawlContext, ForumKnowledge]:
        """Load or learn what is known about the forum, and make its first pages due."""
        with self._store.reading() as connection:
            known = find_forum(connection, job)
        self._pages.recover(job, self._started)
        knowledge = self._load(known[0], known[2]) if known else None
        if knowledge is None:
            # An older version may have kept threads under other names: they are found by their posts.
            layout = LayoutKnowledge(await self._learn_or_search(job))
            knowledge = ForumKnowledge(layout, just_learnt=True, relaunched=known is not None)
            self._record_zone(knowledge)
            feeds = find_feeds(page.tree() for page in self._pages.pages_seen())
            knowledge.site.feed, knowledge.site.post_feeds = next(iter(feeds), None), list(feeds)
        self._pages.offer_recovered()
        entry = knowledge.layout.model.entry
        with self._store.writing() as connection:
            forum = (
                keep_forum(connection, job, entry, knowledge.to_json(), self._started)
                if known is None or knowledge.just_learnt
                else known[0]
            )
        with self._store.reading() as connection:
            left = due_boards(connection, forum) or count_due(connection, forum)
            busy = self._scope.choice or self._resumes or left
        run = self.number or 0
        ids, boards = (job, run, forum), self._scope.boards
        if busy or not await self._ask_feeds(ids, knowledge):
            with self._store.writing() as connection:
                self._begin(connection, forum, entry)
        self._pages.count(self._feed_check.fetched)
        resources = self._resources
        context = CrawlContext(
            self._store,
            resources.archive,
            resources.fetcher,
            job,
            run,
            forum,
            self._started,
            boards,
            self._may_store,
        )
        return context, knowledge

    async def _ask_feeds(self, ids: tuple[int, int, int], knowledge: ForumKnowledge) -> bool:
        """Do feeds show that nothing is new? If not, what is? Not asked longer than the run may last."""
        try:
            async with self._pages.limits.limit(seconds_left(self._pages.deadline)):
                skips = await self._feed_check.may_skip_run(ids, knowledge, self._scope.boards)
                if not skips and not self._scope.is_partial:
                    await self._feed_check.follow_posts(ids, knowledge)
                return skips
        except TimeoutError:
            raise StoppedError(INTERRUPTED if self._pages.stopped else TIME_LIMIT) from None

    def _load(self, forum: int, stored: Mapping[str, Any]) -> ForumKnowledge | None:
        """What earlier runs learnt. None if another version stored it in another form."""
        if not stored:
            _log.info("%s: a correction was taken back; learning anew", self._start)
            return None
        try:
            knowledge = ForumKnowledge.from_json(stored)
        except OldModelError as error:
            _log.warning("%s: the stored model cannot be used: %s; learning anew", self._start, error)
            return None
        model = knowledge.layout.model
        if not (model.threads.patterns or model.wrapper or knowledge.rows.counter.votes):
            return None
        if knowledge.just_learnt:
            knowledge.just_learnt = self._first_goes_on = self._continues_first_crawl(forum)
        if self._first_goes_on:
            with self._store.reading() as connection:
                knowledge.site.unread.remember(first_texts(connection, forum, _MOST_TEXTS))
        return knowledge

    def _continues_first_crawl(self, forum: int) -> bool:
        """Is a first crawl that was cut off not at its end? It goes on as such, so that it finds as much."""
        with self._store.reading() as connection:
            left = due_boards(connection, forum) or count_due(connection, forum)
        return self._resumes and (bool(left) or self._started - self._last_start < _STILL_FIRST)

    def _record_zone(self, knowledge: ForumKnowledge) -> None:
        """Vote on the time zone with the pages fetched for learning, so that the first stored post has it."""
        for page in self._pages.pages_seen():
            knowledge.layout.zones.add(find_stated_zone(PageOutline(page.tree())) or NO_ZONE)

    def _begin(self, connection: Connection, forum: int, entry: str) -> None:
        """Make the entry page or the boards of this run due, unless the run continues an interrupted one."""
        board = find_board(connection, forum, entry)
        choice = self._scope.choice
        if choice is not None and choice.boards:
            for url in choice.boards:
                chosen = find_board(connection, forum, url)
                make_due(connection, chosen.id if chosen else add_board(connection, forum, url, "", None))
        elif board is None:
            add_board(connection, forum, entry, "", None)
        elif self._first_goes_on or (
            self._resumes and (due_boards(connection, forum) or count_due(connection, forum))
        ):
            return
        elif self._scope.through_entry:
            change_board(connection, board.id, due=entry, page=0)
        for wanted in self._scope.direct:
            make_due(connection, wanted)

    async def _learn_or_search(self, job: int) -> ForumModel:
        """Learn the forum. If nothing is learnt, its pages are searched one by one from an empty model."""
        try:
            return await self._learn(job)
        except NothingFoundError as error:
            self._learning_error = error
            return ForumModel(self._start)

    async def _learn(self, job: int) -> ForumModel:
        return await learn_forum(self._start, self._pages.fetcher_for(job))
