"""The loop of a forum crawl: takes boards and threads with a due page, fetches the page, stores what came."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from threadmill.config import CrawlSettings
from threadmill.crawl.corrections import correct_layout, join_corrections
from threadmill.crawl.forum.choice import ChoiceFilter
from threadmill.crawl.forum.index_visit import IndexVisit
from threadmill.crawl.forum.knowledge import FIT, MISFIT, NO_ZONE, ForumKnowledge, find_stated_zone
from threadmill.crawl.forum.page_requests import (
    Condition,
    ConditionalRequests,
    FetchedPage,
    RequestLimits,
    Weight,
    archive_result,
    seconds_left,
)
from threadmill.crawl.forum.progress import (
    CHOSEN_DONE,
    HOST_FAILS,
    NO_POSTS,
    NOTHING_LEFT,
    PAGE_LIMIT,
    TIME_LIMIT,
    ForumProgress,
)
from threadmill.crawl.forum.resources import CrawlContext
from threadmill.crawl.forum.rows.row_state import CLOSED, DROPPED_AFTER_VISIT, SITE_CLOSED
from threadmill.crawl.forum.rows.thread_reactivation import OldThreads
from threadmill.crawl.forum.thread_visit import ThreadNews, ThreadVisit, read_thread_page
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.errors import FetchError, ForbiddenError, HostAsideError, ThreadmillError
from threadmill.forum.index.rows_by_url import find_stated_totals
from threadmill.forum.link_urls import strip_session
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import PageAnalysis, ThreadPage, extract_index
from threadmill.store.crawl.captures import add_captures
from threadmill.store.forum.corrections import corrections_of_job
from threadmill.store.forum.forums import (
    BoardState,
    change_board,
    due_boards,
    find_board,
    has_boards_below,
    keep_forum,
)
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.threads import (
    ThreadState,
    change_thread,
    count_due,
    count_pages,
    due_threads,
    find_thread,
)

DueTask = BoardState | ThreadState
_MOST_PAGES = 2000  # of one board or thread in a run; the next run goes on
_MOST_REMEMBERED = 200  # index pages in memory, for the case that their links must be followed otherwise
_MOST_STALE = 100  # index pages in a row without a new thread, in the first crawl
REPEATS = "the threads repeat"  # why a run ended
_MOST_DOUBLES = 50  # threads in a row that are known under other URLs
_WINDOW = 256  # due threads that are considered for the next task
_MOST_TRIES = 2
_REPORT_SECONDS = 0.25
_log = logging.getLogger("threadmill.crawl")
_GONE = {404, 410}
_MIN_MISFITS = 3  # pages; one or two may be unusual threads
_MOST_EMPTY = 20  # empty pages in a row before the run ends


class ForumLoop:
    """Reads all due pages of one forum."""

    def __init__(
        self,
        context: CrawlContext,
        knowledge: ForumKnowledge,
        settings: CrawlSettings,
        progress: ForumProgress,
    ) -> None:
        with context.store.reading() as connection:
            corrections = join_corrections(corrections_of_job(connection, context.job))
        correct_layout(knowledge.layout, corrections)  # what people said wins over what was learnt
        self._context = context
        self._knowledge = knowledge
        self._settings = settings
        self._progress = progress
        self._under_way: set[tuple[str, int]] = set()
        self._tries: Counter[tuple[str, int]] = Counter()
        self._changed = asyncio.Event()
        self._stopped = False
        self._fits = self._misfits = self._empty = 0
        self._closed: list[BoardState] = []  # boards that could not be read, since a page was shown
        self._requests = ConditionalRequests(context.store, context.job, context.forum, knowledge)
        single = knowledge.rows.shows_single_messages()
        self._old = OldThreads(context.forum, knowledge.site.last_look, single_messages=single)
        self._fitted_before = knowledge.layout.usually_fits()
        self._pages_of: Counter[tuple[str, int]] = Counter()  # pages of a board or thread read in this run
        self._stale_lists = self._doubles = 0  # index pages without new threads, and doubles, in a row
        self._failed: set[str] = set()  # URLs that may be asked for again, because they failed
        self.choice: ChoiceFilter | None = None  # None: everything is wanted
        self.index_pages: dict[str, FetchedPage] = {}  # index pages of a first crawl, by URL
        self.asked: set[str] = set()  # URLs that this run has asked for
        self.deadline: float | None = None  # when the run ends, by time.monotonic()
        self.limits = RequestLimits()
        self.relaunched = False  # does the forum look different from the one that was learnt
        self.ready: dict[str, FetchedPage] = {}  # pages that were fetched to learn the forum

    def believe_feed(self, quiet_since: float | None, *, is_full: bool) -> None:
        """No thread that the feed of the latest posts does not name got one since a day."""
        self._old.feed_quiet_since, self._old.feed_is_full = quiet_since, is_full

    def stop(self, reason: str) -> None:
        """Start no new requests."""
        self._progress.ended = self._progress.ended or reason
        self._stopped = True
        self.limits.stop()
        self._changed.set()

    async def run(self, watch: Callable[[ForumProgress], None] | None = None) -> None:
        """Crawl until nothing is due."""
        self._progress.started = self._progress.started or time.monotonic()
        with self._context.store.reading() as connection:
            self._progress.known_pages = count_pages(connection, self._context.forum)
        reporting = asyncio.create_task(self._report(watch))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._settings.concurrency):
                    group.create_task(self._work())
        except ExceptionGroup as errors:  # callers expect our errors, not groups of them
            raise errors.exceptions[0] from None
        finally:
            reporting.cancel()
            self._update_progress()
        for board in self._closed:
            self._note_closed(board, SITE_CLOSED)
        self._progress.ended = self._progress.ended or (CHOSEN_DONE if self.choice else NOTHING_LEFT)

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

    def _next(self) -> DueTask | None:
        """Choose the next task: boards first, then threads."""
        limit = self._settings.max_pages
        if self.deadline is not None and time.monotonic() >= self.deadline:
            self.stop(TIME_LIMIT)
            return None
        if limit and self._progress.pages + len(self._under_way) >= limit:
            if not self._under_way:
                self.stop(PAGE_LIMIT)
            return None
        with self._context.store.reading() as connection:
            tasks: list[DueTask] = [*due_boards(connection, self._context.forum)]
            task = next((task for task in tasks if self._is_free(task)), None)
            last = -1
            while task is None:  # threads that are not chosen stay due, and may fill a window
                threads = due_threads(connection, self._context.forum, _WINDOW, after=last)
                task = next((task for task in threads if self._is_free(task)), None)
                if len(threads) < _WINDOW or self.choice is None:
                    break
                last = threads[-1].id
        if task is not None:
            self._under_way.add(_name(task))
            if self.choice is not None:
                self.choice.note(task)
        return task

    def _is_free(self, task: DueTask) -> bool:
        name = _name(task)
        if name in self._under_way or self._tries[name] >= _MOST_TRIES:
            return False
        return self.choice is None or self.choice.wants(task)

    async def _serve(self, task: DueTask) -> None:
        name = _name(task)
        try:
            page = await self._fetch(task)
            if page is not None and self._context.may_store():
                self._take_safely(task, page)
            elif page is not None:
                self.stop(INTERRUPTED)
        except BaseException:
            # The store or the archive failed. Another worker would take this page for one that was read.
            self._stopped = True
            raise
        finally:
            self._under_way.discard(name)
            self._changed.set()

    def _was_asked(self, task: DueTask, url: str) -> bool:
        """Was the URL asked for in this run, so that the list or thread goes in a circle? Then end it.

        A URL is asked for again only if it failed. The first page of a visit stays due for the next run.
        """
        name = _name(task)
        if url in self._failed:
            self._failed.discard(url)
            return False
        if url not in self.asked and self._pages_of[name] < _MOST_PAGES:
            self.asked.add(url)
            self._pages_of[name] += 1
            return False
        self._tries[name] = _MOST_TRIES
        begun = task.page > 0 if isinstance(task, BoardState) else not task.walk.get("first", True)
        if begun and url in self.asked:
            with self._context.store.writing() as connection:
                if isinstance(task, BoardState):
                    change_board(connection, task.id, due=None, **self._as_visited())
                else:
                    change_thread(connection, task.id, due=None, walk={}, visited=self._context.started)
            self._progress.add_trouble("circle", f"{task.due}: this page was read before in this run")
        return True

    async def _fetch(self, task: DueTask) -> FetchedPage | None:
        url = str(task.due)
        if self._was_asked(task, strip_session(url)):
            return None
        if ready := self.ready.pop(strip_session(url), None):
            return ready
        try:
            async with self.limits.limit(seconds_left(self.deadline)):
                return await self._request(self._requests.condition_for(task))
        except (TimeoutError, HostAsideError) as error:
            self.asked.discard(strip_session(url))
            if isinstance(error, HostAsideError):
                self._progress.add_trouble(error.reason, f"{url}: {error}")
            self.stop(HOST_FAILS if isinstance(error, HostAsideError) else TIME_LIMIT)
            return None
        except FetchError as error:
            self._tries[_name(task)] += 1
            self._failed.add(strip_session(url))
            self._count_empty(0)
            self._progress.add_trouble(error.reason, f"{url}: {error}")
            if isinstance(error, ForbiddenError):
                self._give_up(task, error.reason)
            return None

    async def _request(self, condition: Condition) -> FetchedPage:
        """Request a page. If "not modified" is not believed, request it again without conditions."""
        context = self._context
        result = await context.fetcher.fetch(condition.request)
        self._progress.pages += 1
        if "too-large" in result.flaws or "timeout" in result.flaws:
            self._progress.add_trouble("truncated", f"{condition.request.url}: the answer did not end")
        page = replace(
            archive_result(context.store, context.archive, context.job, result), condition=condition
        )
        if not page.unmodified or condition.weight is Weight.BELIEVED:
            return page
        self._store_page(page, "other", 0, 0)
        return await self._request(condition.without_validators())

    def _take_safely(self, task: DueTask, page: FetchedPage) -> None:
        """Read a page. One that raises is counted, named, kept in the archive and skipped."""
        try:
            self._take(task, page)
        except ThreadmillError:  # the store or the archive: the crawl cannot go on
            raise
        except Exception as error:
            _log.exception("%s cannot be read", page.asked)
            self._progress.add_trouble("unreadable", f"{page.asked}: {type(error).__name__}: {error}")
            self._tries[_name(task)] = _MOST_TRIES
            self._store_page(page, "other", 0, 0)
            self._count_empty(0)

    def _take(self, task: DueTask, page: FetchedPage) -> None:
        self._progress.bytes += len(page.capture.payload)
        if page.unmodified:
            self._take_unmodified(task, page)
        elif not page.readable:
            self._take_failure(task, page)
        elif isinstance(task, BoardState):
            self._take_index(task, page)
        else:
            self._take_thread(task, page)

    def _take_failure(self, task: DueTask, page: FetchedPage) -> None:
        status = page.capture.status
        self._progress.add_trouble(f"status {status}", f"{page.asked}: status {status}")
        self._tries[_name(task)] += 1
        self._failed.add(strip_session(page.asked))
        self._store_page(page, "other", 0, 0)
        if status in _GONE and self._falls_back(task):
            self._tries[_name(task)] = 0
        elif status in _GONE:
            self._give_up(task, f"status {status}")
            self.relaunched |= isinstance(task, BoardState) and task.url == self._knowledge.layout.model.entry
        else:
            self._count_empty(0)
            self._note_closed(task, f"status {status}")

    def _take_unmodified(self, task: DueTask, page: FetchedPage) -> None:
        """Nothing is new: the page is as it was when it was last read."""
        self._empty = 0
        with self._context.store.writing() as connection:
            if isinstance(task, BoardState):
                notes = {name: value for name, value in task.said.items() if name not in DROPPED_AFTER_VISIT}
                change_board(
                    connection,
                    task.id,
                    due=None,
                    visited=page.capture.at,
                    visited_run=self._context.run,
                    said=notes,
                )
                self._progress.index_pages += 1
            else:
                change_thread(connection, task.id, due=None, walk={}, visited=page.capture.at)
                self._progress.thread_pages += 1
            # The page has some items, which makes it a duplicate page and not an empty one.
            self._write(connection, page, "index" if isinstance(task, BoardState) else "thread", 1, 0)

    def _falls_back(self, task: DueTask) -> bool:
        """A missing page of a known thread may have been computed wrongly: try another page. True if so."""
        if isinstance(task, BoardState) or not task.posts:
            return False
        with self._context.store.writing() as connection:
            return ThreadVisit(connection, self._knowledge).fall_back(task)

    def _give_up(self, task: DueTask, reason: str) -> None:
        self._note_closed(task, reason)
        with self._context.store.writing() as connection:
            if isinstance(task, BoardState):
                change_board(connection, task.id, due=None, **self._as_visited())
            else:
                change_thread(connection, task.id, due=None, walk={}, gone=True)

    def _as_visited(self) -> dict[str, Any]:
        """The columns of a board that this run is done with."""
        return {"visited": self._context.started, "visited_run": self._context.run}

    def _note_closed(self, task: DueTask, reason: str) -> None:
        """Note why the first page of a board could not be read, for the account."""
        if isinstance(task, BoardState) and task.due == task.url:
            if reason != SITE_CLOSED:
                self._closed.append(task)
            with self._context.store.writing() as connection:
                now = find_board(connection, self._context.forum, task.url) or task
                change_board(connection, task.id, said={**now.said, CLOSED: reason})

    def _take_index(self, board: BoardState, page: FetchedPage) -> None:
        analysis = self._analyse(page)
        if self._knowledge.just_learnt and len(self.index_pages) < _MOST_REMEMBERED:
            self.index_pages[page.asked] = replace(page, stored=True)
        context, entry = self._context, self._knowledge.layout.model.entry
        if board.url == entry and (stated := find_stated_totals(analysis).get("posts")):
            self._knowledge.site.stated_posts = stated
        with context.store.writing() as connection:
            run = context.run, context.started
            visit = IndexVisit(connection, context.forum, self._knowledge, run, context.boards)
            news = visit.take(board, analysis, page.capture.at, self._old)
            partly = context.boards is not None and has_boards_below(connection, board.id)
            self._requests.record(connection, page.condition, page.rows[-1], news.news)
            self._write(connection, page, "index", news.items, news.news, whole=not partly)
            if self.choice is not None and not self._knowledge.layout.sorted_by_creation:
                rows = extract_index(analysis).rows
                if self.choice.ends_list(row.active.isoformat() if row.active else None for row in rows):
                    change_board(connection, board.id, due=None, **self._as_visited())
        if board.url != entry and self._knowledge.layout.record_board_page(board.url, news.items):
            self._drop_false_boards()
        if not news.items:
            self._progress.add_trouble("no rows", f"{page.asked}: neither threads nor boards on this page")
            self._note_closed(board, classify_page(analysis).reason or "no rows")
            self._tries[_name(board)] = _MOST_TRIES
            self.relaunched |= board.url == entry
        elif (
            self._knowledge.just_learnt
            and board.url != entry  # a list of boards in few words may look like a notice
            and news.next is None
            and (shut := classify_page(analysis)).kind == "other"
        ):
            # A box of the latest threads stands on a page for members too. Its board is closed nevertheless.
            self._note_closed(board, shut.reason)
        self._count_empty(news.items)
        self._progress.index_pages += 1
        self._progress.boards += news.next is None
        self._progress.new_threads += news.new_threads
        self._stale_lists = 0 if news.new_threads else self._stale_lists + 1
        if self._stale_lists >= _MOST_STALE and self._knowledge.just_learnt:
            self._drop_due_boards()

    def _drop_due_boards(self) -> None:
        """Read no more lists: they go on and bring no new threads, as calendars and session IDs do."""
        self._progress.add_trouble(
            "lists repeat", f"{_MOST_STALE} pages of boards in a row had no new thread"
        )
        self._stale_lists = 0
        with self._context.store.writing() as connection:
            for board in due_boards(connection, self._context.forum):
                change_board(connection, board.id, due=None, **self._as_visited())

    def _analyse(self, page: FetchedPage) -> PageAnalysis:
        layout = self._knowledge.layout
        self._knowledge.site.clock_lead = round((page.now - page.capture.at).total_seconds())
        analysis = PageAnalysis(page.tree(), layout.in_site_zone(page.now))
        layout.zones.add(find_stated_zone(analysis.outline) or NO_ZONE)
        return analysis

    def _drop_false_boards(self) -> None:
        """Remove due boards whose URL pattern was dropped."""
        with self._context.store.writing() as connection:
            for board in due_boards(connection, self._context.forum):
                if self._knowledge.layout.link_kind(board.url) == "other":
                    change_board(connection, board.id, due=None, **self._as_visited())

    def _take_thread(self, thread: ThreadState, page: FetchedPage) -> None:
        content = read_thread_page(self._analyse(page), self._knowledge, thread.title)
        self._record_fit(page, content)
        said = [post.text for post in content.posts]
        is_known = self._knowledge.site.unread.knows(said)
        self._knowledge.site.unread.record(thread.url, content.unread, said)
        with self._context.store.writing() as connection:
            visit = ThreadVisit(connection, self._knowledge)
            state = visit.known_before(self._context.forum, find_thread(connection, thread.id), content)
            if visit.is_double(self._context.forum, state, content, is_known=is_known):
                news = ThreadNews(len(content.posts), 0, finished=True)
                self._doubles += 1
            else:
                news = visit.take(state, content, page.capture.url, page.capture.at)
                self._doubles = 0
            self._requests.record(connection, page.condition, page.rows[-1], news.new)
            self._write(connection, page, "thread" if news.items else "other", news.items, news.new)
        if not news.items:
            self._progress.add_trouble(NO_POSTS, f"{page.asked}: no posts on this page")
            with self._context.store.reading() as connection:
                same = find_thread(connection, state.id).due == thread.due
            # The same page would be the same a moment later. Another page of the thread may be better.
            self._tries[_name(thread)] = _MOST_TRIES if same else 0
        self._count_empty(news.items)
        if self._doubles >= _MOST_DOUBLES:
            self.stop(REPEATS)
        self._progress.thread_pages += 1
        self._progress.new_posts += news.new
        self._progress.edited += news.edited
        self._progress.vanished += news.vanished

    def _record_fit(self, page: FetchedPage, content: ThreadPage) -> None:
        """Vote on the wrapper. If it fits no page with posts any more, the forum has another layout."""
        if content.misfit:
            self._progress.add_trouble("wrapper misfit", f"{page.asked}: the wrapper does not fit this page")
        self._fits += content.wrapped
        self._misfits += content.misfit and bool(content.posts)
        if self._misfits >= _MIN_MISFITS and not self._fits and self._fitted_before:
            self.relaunched = True
            self.stop("another layout")
        elif content.posts:
            self._knowledge.layout.fits.add(FIT if content.wrapped else MISFIT)

    def _count_empty(self, items: int) -> None:
        """End the run if the site gives only empty pages."""
        self._empty = 0 if items else self._empty + 1
        if items:
            self._closed.clear()
        if self._empty >= _MOST_EMPTY:
            self.stop("the site gives no pages")

    def _store_page(self, page: FetchedPage, kind: str, items: int, news: int) -> None:
        with self._context.store.writing() as connection:
            self._write(connection, page, kind, items, news)

    def _write(
        self,
        connection: Connection,
        page: FetchedPage,
        kind: str,
        items: int,
        news: int,
        *,
        whole: bool = True,
    ) -> None:
        """Store what every page leaves behind: captures, the page visit, and what is known about the forum.

        A page that was empty, or of which only a part was read, must come again whole. So its validators are
        not kept.
        """
        context = self._context
        drop_validators = (not whole or not items) and not page.unmodified
        rows = (
            [replace(row, etag=None, last_modified=None) for row in page.rows]
            if drop_validators
            else page.rows
        )
        if context.archive is not None:
            context.archive.sync()
        if not page.stored:
            add_captures(connection, rows)
        size = len(page.capture.payload)
        add_page_visit(
            connection, PageVisitRow(context.run, page.asked, page.capture.at, kind, size, items, news)
        )
        entry = self._knowledge.layout.model.entry
        keep_forum(connection, context.job, entry, self._knowledge.to_json(), context.started)

    async def _report(self, watch: Callable[[ForumProgress], None] | None) -> None:
        while True:
            self._update_progress()
            if watch is not None:
                watch(self._progress)
            await asyncio.sleep(_REPORT_SECONDS)

    def _update_progress(self) -> None:
        with self._context.store.reading() as connection:
            self._progress.due_boards = len(due_boards(connection, self._context.forum))
            self._progress.due_threads = count_due(connection, self._context.forum)


def _name(task: DueTask) -> tuple[str, int]:
    return ("board" if isinstance(task, BoardState) else "thread", task.id)
