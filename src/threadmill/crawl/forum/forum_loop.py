"""The loop of a forum crawl: takes boards and threads with a page due, fetches it, keeps what came."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from threadmill.archive import ArchiveWriter
from threadmill.config import CrawlSettings
from threadmill.crawl.fetch.client import Fetcher
from threadmill.crawl.forum.answers import PageCame, archive_answer
from threadmill.crawl.forum.index_visit import IndexVisit
from threadmill.crawl.forum.knowledge import FIT, MISFIT, NO_ZONE, Lore
from threadmill.crawl.forum.notes import PASSING
from threadmill.crawl.forum.old_threads import OldThreads
from threadmill.crawl.forum.page_requests import Condition, Conditions, Weight
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.forum.thread_visit import ThreadVisit
from threadmill.crawl.forum.time_zone import stated_zone
from threadmill.errors import FetchError, ForbiddenError
from threadmill.forum.link_urls import strip_session
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import ThreadPage, extract_thread
from threadmill.store import Store
from threadmill.store.crawl.captures import add_captures
from threadmill.store.forum.forums import BoardState, change_board, due_boards, has_boards_below, keep_forum
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.threads import (
    ThreadState,
    change_thread,
    count_due,
    count_pages,
    due_threads,
    find_thread,
)

Task = BoardState | ThreadState
_WINDOW = 256  # threads looked at for the next task
_MOST_TRIES = 2
_LOOK_SECONDS = 0.25
PAGE_LIMIT = "page limit"
NOTHING_LEFT = "nothing left"
_GONE = {404, 410}
_ENOUGH_MISFITS = 3  # pages; one or two may be odd threads
_GUESS = 0.3  # how sure the reading of a single post is that no other confirms
_MOST_IN_VAIN = 20  # answers without anything, one after the other


@dataclass(frozen=True, slots=True)
class Ground:
    """What a crawl of one forum stands on."""

    store: Store
    archive: ArchiveWriter | None
    fetcher: Fetcher
    job: int
    run: int
    forum: int
    started: datetime
    boards: frozenset[int] | None = None  # the known boards this run is about; None: all


class Rounds:
    """One run over one forum."""

    def __init__(self, ground: Ground, lore: Lore, settings: CrawlSettings, progress: ForumProgress) -> None:
        self._ground = ground
        self._lore = lore
        self._settings = settings
        self._progress = progress
        self._under_way: set[tuple[str, int]] = set()
        self._tries: Counter[tuple[str, int]] = Counter()
        self._changed = asyncio.Event()
        self._stopped = False
        self._fits = self._misfits = self._in_vain = 0
        self._conditions = Conditions(ground.store, ground.job, ground.forum, lore)
        self._old = OldThreads(ground.forum, lore.looked)
        self._fitted_before = lore.usually_fits()
        self.relaunched = False  # does the forum look like another one than the one that was learnt
        self.ready: dict[str, PageCame] = {}  # pages fetched while the forum was learnt

    def stop(self, reason: str) -> None:
        """Take nothing new."""
        self._progress.ended = self._progress.ended or reason
        self._stopped = True
        self._changed.set()

    async def run(self, watch: Callable[[ForumProgress], None] | None = None) -> None:
        """Crawl until nothing is due."""
        self._progress.started = self._progress.started or time.monotonic()
        with self._ground.store.reading() as connection:
            self._progress.known_pages = count_pages(connection, self._ground.forum)
        looking = asyncio.create_task(self._report(watch))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._settings.concurrency):
                    group.create_task(self._work())
        except ExceptionGroup as errors:  # whoever called us knows our errors, not groups of them
            raise errors.exceptions[0] from None
        finally:
            looking.cancel()
            self._look()
        self._progress.ended = self._progress.ended or NOTHING_LEFT

    async def _work(self) -> None:
        while not self._stopped:
            task = self._next()
            if task is not None:
                await self._serve(task)
            elif self._under_way:
                self._changed.clear()
                await self._changed.wait()
            else:
                return

    def _next(self) -> Task | None:
        limit = self._settings.max_pages
        if limit and self._progress.pages + len(self._under_way) >= limit:
            if not self._under_way:
                self.stop(PAGE_LIMIT)
            return None
        with self._ground.store.reading() as connection:
            tasks: list[Task] = [*due_boards(connection, self._ground.forum)]
            if not any(self._is_free(task) for task in tasks):
                tasks = [*due_threads(connection, self._ground.forum, _WINDOW)]
        task = next((task for task in tasks if self._is_free(task)), None)
        if task is not None:
            self._under_way.add(_name(task))
        return task

    def _is_free(self, task: Task) -> bool:
        name = _name(task)
        return name not in self._under_way and self._tries[name] < _MOST_TRIES

    async def _serve(self, task: Task) -> None:
        name = _name(task)
        try:
            came = await self._fetch(task)
            if came is not None:
                self._take(task, came)
        finally:
            self._under_way.discard(name)
            self._changed.set()

    async def _fetch(self, task: Task) -> PageCame | None:
        url = str(task.due)
        if ready := self.ready.pop(strip_session(url), None):
            return ready
        try:
            return await self._ask(self._conditions.of(task))
        except FetchError as error:
            self._tries[_name(task)] += 1
            self._count_empty(0)
            self._progress.trouble(error.reason, f"{url}: {error}")
            if isinstance(error, ForbiddenError):
                self._give_up(task)
            return None

    async def _ask(self, condition: Condition) -> PageCame:
        """A page as it came; once more without conditions where "not modified" is not believed."""
        ground = self._ground
        answer = await ground.fetcher.fetch(condition.request)
        self._progress.pages += 1
        came = replace(archive_answer(ground.store, ground.archive, ground.job, answer), condition=condition)
        if not came.as_before or condition.weight is Weight.BELIEVED:
            return came
        self._note(came, "other", 0, 0)
        return await self._ask(condition.plainly())

    def _take(self, task: Task, came: PageCame) -> None:
        self._progress.bytes += len(came.capture.payload)
        if came.as_before:
            self._take_nothing(task, came)
        elif not came.readable:
            self._refused(task, came)
        elif isinstance(task, BoardState):
            self._take_index(task, came)
        else:
            self._take_thread(task, came)

    def _refused(self, task: Task, came: PageCame) -> None:
        status = came.capture.status
        self._progress.trouble(f"status {status}", f"{came.asked}: status {status}")
        self._tries[_name(task)] += 1
        self._note(came, "other", 0, 0)
        if status in _GONE and self._falls_back(task):
            self._tries[_name(task)] = 0
        elif status in _GONE:
            self._give_up(task)
            self.relaunched |= isinstance(task, BoardState) and task.url == self._lore.model.entry
        else:
            self._count_empty(0)

    def _take_nothing(self, task: Task, came: PageCame) -> None:
        """The page is as it was when it was last read: nothing new, at the price of a few headers."""
        self._in_vain = 0
        with self._ground.store.writing() as connection:
            if isinstance(task, BoardState):
                said = {name: value for name, value in task.said.items() if name not in PASSING}
                change_board(connection, task.id, due=None, visited=came.capture.at, said=said)
                self._progress.index_pages += 1
            else:
                change_thread(connection, task.id, due=None, walk={}, visited=came.capture.at)
                self._progress.thread_pages += 1
            # It shows something, though we were not told how much: a duplicate, not an empty page.
            self._write(connection, came, "index" if isinstance(task, BoardState) else "thread", 1, 0)

    def _falls_back(self, task: Task) -> bool:
        """A page of a known thread that is not there may have been a wrong prediction."""
        if isinstance(task, BoardState) or not task.posts:
            return False
        with self._ground.store.writing() as connection:
            return ThreadVisit(connection, self._lore).fall_back(task)

    def _give_up(self, task: Task) -> None:
        with self._ground.store.writing() as connection:
            if isinstance(task, BoardState):
                change_board(connection, task.id, due=None, visited=self._ground.started)
            else:
                change_thread(connection, task.id, due=None, walk={}, gone=True)

    def _take_index(self, board: BoardState, came: PageCame) -> None:
        page = self._reading_of(came)
        with self._ground.store.writing() as connection:
            ground = self._ground
            visit = IndexVisit(connection, ground.forum, self._lore, ground.started, ground.boards)
            news = visit.take(board, page, came.capture.at, self._old)
            partly = self._ground.boards is not None and has_boards_below(connection, board.id)
            self._conditions.judge(connection, came.condition, came.rows[-1], news.news)
            self._write(connection, came, "index", news.items, news.news, whole=not partly)
        if board.url != self._lore.model.entry and self._lore.judge_board(board.url, news.items):
            self._drop_false_boards()
        if not news.items:
            self._progress.trouble("no rows", f"{came.asked}: neither threads nor boards on this page")
            self._tries[_name(board)] = _MOST_TRIES
            self.relaunched |= board.url == self._lore.model.entry
        self._count_empty(news.items)
        self._progress.index_pages += 1
        self._progress.boards += news.next is None
        self._progress.new_threads += news.new_threads

    def _reading_of(self, came: PageCame) -> PageAnalysis:
        self._lore.lead = round((came.now - came.capture.at).total_seconds())
        reading = PageAnalysis(came.tree(), self._lore.site_time(came.now))
        self._lore.zones.add(stated_zone(reading.outline) or NO_ZONE)
        return reading

    def _drop_false_boards(self) -> None:
        """What was queued by addresses that have been unlearnt is not worth a visit."""
        with self._ground.store.writing() as connection:
            for board in due_boards(connection, self._ground.forum):
                if self._lore.leads_to(board.url) == "other":
                    change_board(connection, board.id, due=None, visited=self._ground.started)

    def _take_thread(self, thread: ThreadState, came: PageCame) -> None:
        page = _read(self._reading_of(came), self._lore)
        self._judge_fit(came, page)
        with self._ground.store.writing() as connection:
            visit = ThreadVisit(connection, self._lore)
            state = visit.known_before(self._ground.forum, find_thread(connection, thread.id), page)
            news = visit.take(state, page, came.capture.url, came.capture.at)
            self._conditions.judge(connection, came.condition, came.rows[-1], news.new)
            self._write(connection, came, "thread" if news.items else "other", news.items, news.new)
        if not news.items:
            self._progress.trouble("no posts", f"{came.asked}: no posts on this page")
            with self._ground.store.reading() as connection:
                same = find_thread(connection, state.id).due == thread.due
            # The same page a moment later is the same page; another one of the thread may be better.
            self._tries[_name(thread)] = _MOST_TRIES if same else 0
        self._count_empty(news.items)
        self._progress.thread_pages += 1
        self._progress.new_posts += news.new
        self._progress.edited += news.edited
        self._progress.vanished += news.vanished

    def _judge_fit(self, came: PageCame, page: ThreadPage) -> None:
        """Pages with posts that the wrapper does not fit, and none that it fits: another layout."""
        if page.misfit:
            self._progress.trouble("wrapper misfit", f"{came.asked}: the wrapper does not fit this page")
        self._fits += page.wrapped
        self._misfits += page.misfit and bool(page.posts)
        if self._misfits >= _ENOUGH_MISFITS and not self._fits and self._fitted_before:
            self.relaunched = True
            self.stop("another layout")
        elif page.posts:
            self._lore.fits.add(FIT if page.wrapped else MISFIT)

    def _count_empty(self, items: int) -> None:
        """A site that gives nothing but empty pages is left alone until the next run."""
        self._in_vain = 0 if items else self._in_vain + 1
        if self._in_vain >= _MOST_IN_VAIN:
            self.stop("the site gives no pages")

    def _note(self, came: PageCame, kind: str, items: int, news: int) -> None:
        with self._ground.store.writing() as connection:
            self._write(connection, came, kind, items, news)

    def _write(
        self, connection: Connection, came: PageCame, kind: str, items: int, news: int, *, whole: bool = True
    ) -> None:
        """What every page leaves behind: captures, the reading, what the forum taught us.

        A page that gave nothing, or of which only a part was looked at, must come again whole: its validators
        are forgotten.
        """
        ground = self._ground
        forgets = (not whole or not items) and not came.as_before
        rows = [replace(row, etag=None, last_modified=None) for row in came.rows] if forgets else came.rows
        add_captures(connection, rows)
        size = len(came.capture.payload)
        add_page_visit(
            connection, PageVisitRow(ground.run, came.asked, came.capture.at, kind, size, items, news)
        )
        keep_forum(connection, ground.job, self._lore.model.entry, self._lore.to_json(), ground.started)

    async def _report(self, watch: Callable[[ForumProgress], None] | None) -> None:
        while True:
            self._look()
            if watch is not None:
                watch(self._progress)
            await asyncio.sleep(_LOOK_SECONDS)

    def _look(self) -> None:
        with self._ground.store.reading() as connection:
            self._progress.due_boards = len(due_boards(connection, self._ground.forum))
            self._progress.due_threads = count_due(connection, self._ground.forum)


def _read(reading: PageAnalysis, lore: Lore) -> ThreadPage:
    """A thread page read; where wrappers fit, a page that none fits must look like a thread all the more.

    A notice of maintenance can be read as one post, too.
    """
    page = extract_thread(reading, lore.model.wrapper)
    doubtful = page.misfit and lore.fits.winner == FIT
    if doubtful and (page.confidence <= _GUESS or classify_page(reading).kind != "thread"):
        return replace(page, posts=())
    return page


def _name(task: Task) -> tuple[str, int]:
    return ("board" if isinstance(task, BoardState) else "thread", task.id)
