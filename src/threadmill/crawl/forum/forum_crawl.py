"""Runs a forum crawl: opens store, archive and fetcher, learns the forum, crawls it, stores how it ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection

from threadmill.archive.run_records import RunRecord
from threadmill.crawl.crash_recovery import unrecorded_visits
from threadmill.crawl.fetch.client import Request
from threadmill.crawl.forum.account import take_account
from threadmill.crawl.forum.choice import ChoiceFilter, CrawlChoice
from threadmill.crawl.forum.fallback import Fallbacks, FallbackTools, needs_fallback
from threadmill.crawl.forum.feed_hints import FeedCheck, find_feed
from threadmill.crawl.forum.forum_loop import REPEATS, ForumLoop
from threadmill.crawl.forum.knowledge import NO_ZONE, ForumKnowledge, LayoutKnowledge, find_stated_zone
from threadmill.crawl.forum.page_requests import (
    FetchedPage,
    RequestLimits,
    archive_result,
    archived_pages,
    page_from_archive,
    seconds_left,
)
from threadmill.crawl.forum.progress import (
    BROKEN_OFF,
    CHOSEN_DONE,
    FOR_MEMBERS,
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
from threadmill.errors import FetchError, HostAsideError, NothingFoundError, OldModelError
from threadmill.forum.link_urls import strip_session
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.explore import explore
from threadmill.forum.site_model.learn import SamplePage
from threadmill.forum.site_model.model import ForumModel
from threadmill.page.obstacles import WALLS, PageProblem, find_problem
from threadmill.store.crawl.captures import add_captures, forget_unread, lost_urls, note_unread
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
    board_urls,
    change_board,
    due_boards,
    find_board,
    find_board_urls,
    find_forum,
    forget_due_boards,
    keep_forum,
    make_due,
)
from threadmill.store.forum.page_visits import urls_without_items, visited_urls
from threadmill.store.forum.posts import first_texts
from threadmill.store.forum.threads import count_due, forget_due
from threadmill.urls import canonicalise
from threadmill.workspace import Workspace

# Pages that a killed run archived but did not read are taken from the archive for this time. Later the forum
# may have changed.
_ADOPTED_FOR = timedelta(hours=1)
# A first crawl may be cut off when only other ways of searching are left. The next run goes on with them, but
# not after this time: then there may be news.
_STILL_FIRST = timedelta(days=1)
# What it takes from runs that were cut off: lists, pages without posts or rows, and the texts of posts (by
# which single messages of known threads are recognised).
_MOST_PAGES_AGAIN, _MOST_TEXTS = 200, 5000
_NEVER = datetime.min.replace(tzinfo=UTC)
# The next run continues after these ends.
_CUT_OFF = {INTERRUPTED, PAGE_LIMIT, TIME_LIMIT, HOST_FAILS, BROKEN_OFF}
Watch = Callable[[ForumProgress], None]
FetchPage = Callable[[str], Awaitable[FetchedPage | None]]
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


class _StoppedError(Exception):
    """The crawl was stopped while the forum was being learnt; its text says why."""


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
        self._ready: dict[str, FetchedPage] = {}
        self._asked: set[str] = set()
        self._index_pages: dict[str, FetchedPage] = {}
        self._learning_error: NothingFoundError | None = None  # nothing was learnt from the first pages
        limit = resources.settings.crawl.max_seconds
        self._deadline = time.monotonic() + limit if limit else None
        self._recovered: dict[str, FetchedPage] = {}
        self._fetched = 0
        self._progress = ForumProgress()
        self._resumes = self._first_goes_on = False
        self._last_start = _NEVER
        self._stopped = False
        self._limits = RequestLimits()
        self._watch: Watch | None = None
        self._loop: ForumLoop | None = None
        self._feed_check = FeedCheck(
            self._store, resources.archive, resources.fetcher, self._start, self._started
        )
        self.troubles: Counter[str] = Counter()
        self.number: int | None = None  # of the run in the store, once it has begun

    @property
    def _max_pages(self) -> int:
        """Pages that this run may fetch; 0: any number."""
        most = self._scope.max_pages
        return self._resources.settings.crawl.max_pages if most is None else most

    def _stop_if_due(self) -> None:
        """End the learning of a forum if the run was stopped or has reached a limit."""
        if self._stopped:
            raise _StoppedError(INTERRUPTED)
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise _StoppedError(TIME_LIMIT)
        if self._max_pages and self._progress.pages + self._fetched >= self._max_pages:
            raise _StoppedError(PAGE_LIMIT)

    def stop(self) -> None:
        """Start no new requests. Those under way are finished, and the next run continues."""
        self._stopped = True
        self._limits.stop()
        if self._loop is not None:
            self._loop.stop(INTERRUPTED)

    async def run(self, watch: Watch | None = None) -> ForumProgress:
        """Crawl, and store how the run ended."""
        progress = self._progress
        self._watch, progress.started = watch, time.monotonic()
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
            await self._fetch_lost(context, progress)
            relearnt = await self._relearn(context) if again else None
            if relearnt is not None:
                knowledge, progress.ended = relearnt, ""
                await self._crawl(context, relearnt, progress, watch)
            await self._fall_back(context, knowledge, progress, watch)
            self._refuse_nothing(progress)
            self._end_first_crawl(context, knowledge, progress)
        except _StoppedError as stopped:
            progress.ended = str(stopped)
            progress.pages += self._fetched
            self._fetched = 0
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
                left = [row for page in self._pages_seen() if not page.stored for row in page.rows]
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
                raise _StoppedError(progress.ended)

        fetch = self._page_fetcher(context.job)
        again = self._find_pages_of_cut_runs(context) if self._first_goes_on else frozenset()
        tools = FallbackTools(fetch, crawl, self._ready, self._asked, self._index_pages, again)
        await Fallbacks(context, knowledge, tools).run()
        progress.pages += self._fetched
        self._fetched = 0

    def _find_pages_of_cut_runs(self, context: CrawlContext) -> frozenset[str]:
        """Take pages from the archive that earlier runs of this first crawl have fetched.

        The search for other ways begins again. It looks at the same lists, and at the same pages from which
        nothing was read. The URLs of the latter are returned.
        """
        directory, job = self._resources.directory, context.job
        if directory is None:
            return frozenset()
        with self._store.reading() as connection:
            urls = visited_urls(connection, job, "index", _MOST_PAGES_AGAIN)
            lists = archived_pages(connection, directory, job, urls)
            urls = urls_without_items(connection, job, _MOST_PAGES_AGAIN)
            others = archived_pages(connection, directory, job, urls)
            boards = {strip_session(url) for _, url in board_urls(connection, context.forum)}
        for page in lists:
            self._index_pages.setdefault(page.asked, page)
        found = {strip_session(page.asked): page for page in others if page.readable}
        again = found.keys() - boards - self._asked
        self._recovered |= {url: found[url] for url in again}
        return frozenset(again)

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
            progress.account = take_account(connection, context.forum, knowledge)
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
        self._loop = loop = ForumLoop(context, knowledge, settings, progress)
        loop.ready, loop.asked, loop.deadline = self._ready, self._asked, self._deadline
        loop.limits = self._limits
        loop.choice = ChoiceFilter(self._scope.choice) if self._scope.choice else None
        loop.index_pages = self._index_pages
        progress.pages += self._fetched
        self._fetched = 0
        progress.troubles.update(self.troubles)
        self.troubles.clear()
        if self._stopped:
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
        self._ready.clear()
        self._asked.clear()  # the pages have another layout now: they are asked for once more
        self._recovered.clear()
        try:
            model = await self._learn(context.job)
        except (NothingFoundError, FetchError) as error:
            self.troubles[error.reason if isinstance(error, FetchError) else "no forum"] += 1
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
        self._recovered = self._find_unrecorded(job)
        knowledge = self._load(known[0], known[2]) if known else None
        if knowledge is None:
            # An older version may have kept threads under other names: they are found by their posts.
            layout = LayoutKnowledge(await self._learn_or_search(job))
            knowledge = ForumKnowledge(layout, just_learnt=True, relaunched=known is not None)
            self._record_zone(knowledge)
            knowledge.site.feed = find_feed(page.tree() for page in self._pages_seen())
        self._ready = {**self._recovered, **self._ready}
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
        if busy or not await self._may_skip(ids, knowledge):
            with self._store.writing() as connection:
                self._begin(connection, forum, entry)
        self._fetched += self._feed_check.fetched
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

    async def _may_skip(self, ids: tuple[int, int, int], knowledge: ForumKnowledge) -> bool:
        """Does the feed show that nothing is new? Not asked longer than the run may last."""
        try:
            async with self._limits.limit(seconds_left(self._deadline)):
                return await self._feed_check.may_skip_run(ids, knowledge, self._scope.boards)
        except TimeoutError:
            raise _StoppedError(INTERRUPTED if self._stopped else TIME_LIMIT) from None

    def _find_unrecorded(self, job: int) -> dict[str, FetchedPage]:
        """Pages that a killed run archived a short while ago, by URL. They are not fetched again."""
        resources = self._resources
        if resources.directory is None or resources.archive is None:
            return {}
        found: dict[str, FetchedPage] = {}
        for chain in unrecorded_visits(self._store, resources.directory, job):
            if self._started - chain[-1][1].at > _ADOPTED_FOR:
                continue
            page = page_from_archive(job, chain, resources.settings.fetch.max_body_bytes)
            if page is not None and page.readable:
                found[strip_session(page.asked)] = found[strip_session(page.capture.url)] = page
        return found

    async def _fetch_lost(self, context: CrawlContext, progress: ForumProgress) -> None:
        """Fetch pages again whose archived answer is gone. Their posts are stored; the archive lacks them."""
        with self._store.reading() as connection:
            urls = lost_urls(connection, context.job)
        for url in urls:
            limit = self._resources.settings.crawl.max_pages
            if self._stopped or (limit and progress.pages >= limit):
                return
            progress.add_trouble("bytes gone", f"{url}: its answer is gone from the archive")
            try:
                async with self._limits.limit(seconds_left(self._deadline)):
                    result = await self._resources.fetcher.fetch(Request(url))
            except TimeoutError:
                return
            except FetchError as error:
                progress.add_trouble(error.reason, f"{url}: {error}")
                continue
            progress.pages += 1
            page = archive_result(self._store, self._resources.archive, context.job, result)
            progress.bytes += len(page.capture.payload)
            if self._resources.archive is not None:
                self._resources.archive.sync()
            with self._store.writing() as connection:
                # Without validators: the page was not read, so it must come again whole.
                add_captures(connection, [replace(r, etag=None, last_modified=None) for r in page.rows])

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
        for page in self._pages_seen():
            knowledge.layout.zones.add(find_stated_zone(PageOutline(page.tree())) or NO_ZONE)

    def _pages_seen(self) -> list[FetchedPage]:
        """The pages fetched while the forum was learnt, each once."""
        pages = {id(page): page for page in self._ready.values()}.values()
        return [page for page in pages if page.readable]

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
        return await learn_forum(self._start, self._page_fetcher(job))

    def _page_fetcher(self, job: int) -> FetchPage:
        """A function that fetches, archives and stores a page, within the limits of the run."""

        async def fetch(url: str) -> FetchedPage | None:
            self._stop_if_due()
            if kept := self._recovered.pop(strip_session(url), None):
                self._ready[strip_session(kept.asked)] = self._ready[strip_session(kept.capture.url)] = kept
                return kept
            try:
                async with self._limits.limit(seconds_left(self._deadline)):
                    result = await self._resources.fetcher.fetch(Request(url))
            except TimeoutError:
                raise _StoppedError(INTERRUPTED if self._stopped else TIME_LIMIT) from None
            except FetchError as error:
                if self._loop is None and not self._ready:  # the page that the user named
                    raise
                if isinstance(error, HostAsideError):
                    self._progress.add_trouble(error.reason, f"{url}: {error}")
                    raise _StoppedError(HOST_FAILS) from None
                self.troubles[error.reason] += 1
                return None
            page = archive_result(self._store, self._resources.archive, job, result)
            self._ready[strip_session(page.asked)] = self._ready[strip_session(page.capture.url)] = page
            self._fetched += 1
            self._note_wall(page)
            if self._watch is not None and self._loop is None:
                self._watch(replace(self._progress, pages=self._fetched, learning=True))
            return page

        return fetch

    def _note_wall(self, page: FetchedPage) -> None:
        """Count a page that only members see: the server refuses it, or sends us to its log-in form."""
        capture = page.capture
        if capture.status not in {401, 403} and strip_session(capture.url) == strip_session(page.asked):
            return
        problem = _problem_of(page)
        if problem is not None and problem.kind in WALLS:
            self._progress.add_trouble(FOR_MEMBERS, f"{page.asked}: {problem.sentence}")


async def learn_forum(start: str, fetch: FetchPage) -> ForumModel:
    """Learn the model of the forum that a page belongs to, by reading some of its pages."""
    exploration = explore(start)
    wanted = next(exploration)
    fetched: list[FetchedPage] = []
    while True:
        page = await fetch(wanted)
        fetched += [page] if page is not None else []
        sample = (
            SamplePage(page.capture.url, page.tree(), page.now)
            if page is not None and page.readable
            else None
        )
        try:
            wanted = exploration.send(sample)
        except StopIteration as end:
            model: ForumModel = end.value
            break
    if not model.threads.patterns and model.wrapper is None:
        raise NothingFoundError(_why_no_forum(start, fetched))
    return model


def _why_no_forum(start: str, fetched: Sequence[FetchedPage]) -> str:
    """Why nothing was learnt: what keeps us out of the first page or of others, or that it is no forum."""
    problems = [_problem_of(page) for page in fetched]
    if problems and problems[0] is not None:
        return f"nothing could be learnt from {start}: {problems[0].sentence}"
    walls = [problem for problem in problems if problem is not None and problem.kind in WALLS]
    if walls:
        return (
            f"nothing could be learnt from {start}: {len(walls):,} of {len(fetched):,} pages that were tried "
            f"cannot be read by guests; {walls[-1].sentence}"
        )
    return (
        f"expected a page of a forum at {start}, but found neither boards nor threads there; "
        "name a page of the forum itself, or add --site to crawl an ordinary site"
    )


def _problem_of(page: FetchedPage) -> PageProblem | None:
    capture = page.capture
    kind = capture.header("content-type") or ""
    return find_problem(capture.payload, capture.status, kind, capture.headers)
