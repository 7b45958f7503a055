"""The loop over boards and threads with a due page, on a web that the test plays."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.crawl.forum.played_web import NOW, PlayedWeb
from tests.empty_store import put_empty_store
from tests.forum import sites
from threadmill.config import Settings, override
from threadmill.crawl.forum import forum_loop
from threadmill.crawl.forum.forum_loop import REPEATS, ForumLoop
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.page_requests import FetchedPage
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
from threadmill.crawl.forum.rows.row_state import CLOSED
from threadmill.crawl.forum.thread_visit import ThreadVisit, read_thread_page
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.errors import FetchError, ForbiddenError, HostAsideError, StoreError
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.site_model.model import ForumModel
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import CaptureRow
from threadmill.store.crawl.jobs import find_or_add_job, start_run
from threadmill.store.forum.forums import BoardState, add_board, change_board, find_board, keep_forum
from threadmill.store.forum.page_visits import page_visit
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import ThreadState, add_thread, find_thread
from threadmill.types import Capture

ENTRY = "https://f.example/"
BOARD = f"{ENTRY}b/5"
THREAD = sites.flat_thread().encode()


@dataclass
class Forum:
    """A stored forum with due boards and threads, its web and its crawl."""

    store: Store
    job: int
    run: int
    number: int
    web: PlayedWeb = field(default_factory=lambda: PlayedWeb({}))
    progress: ForumProgress = field(default_factory=ForumProgress)
    may_store: bool = True

    def add_thread(self, url: str, **values: Any) -> int:
        with self.store.writing() as connection:
            walk = ThreadWalk(url).as_dict()
            row = {"forum": self.number, "board": None, "key": url, "url": url, "title": url}
            return add_thread(connection, **{**row, "due": url, "walk": walk, **values})

    def add_threads(self, count: int, page: Any = None) -> list[int]:
        urls = [f"{ENTRY}t/{number}" for number in range(count)]
        self.web.pages.update((url, page) for url in urls if page is not None)
        return [self.add_thread(url) for url in urls]

    def add_board(self, url: str) -> None:
        with self.store.writing() as connection:
            change_board(connection, add_board(connection, self.number, url, "Board", None), due=url)

    def thread(self, number: int) -> ThreadState:
        with self.store.reading() as connection:
            return find_thread(connection, number)

    def board(self, url: str) -> BoardState:
        with self.store.reading() as connection:
            found = find_board(connection, self.number, url)
            assert found is not None
            return found

    def count(self, table: Any) -> int:
        with self.store.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())

    def visits(self) -> list[tuple[str, str, int, int]]:
        columns = [page_visit.c[name] for name in ("url", "kind", "items", "news")]
        with self.store.reading() as connection:
            rows = connection.execute(select(*columns).order_by(page_visit.c.id))
            return [(row[0], row[1], row[2], row[3]) for row in rows]

    def loop(self, **crawl: Any) -> ForumLoop:
        web: Any = self.web
        context = CrawlContext(
            self.store, None, web, self.job, self.run, self.number, NOW, may_store=lambda: self.may_store
        )
        settings = override(Settings(), "crawl", **{"concurrency": 1, **crawl}).crawl
        knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
        return ForumLoop(context, knowledge, settings, self.progress)

    def crawl(self, **crawl: Any) -> ForumLoop:
        loop = self.loop(**crawl)
        asyncio.run(loop.run())
        return loop


@pytest.fixture
def forum(tmp_path: Path) -> Iterator[Forum]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        run = start_run(connection, job.id, NOW)
        number = keep_forum(connection, job.id, ENTRY, {}, NOW)
    yield Forum(store, job.id, run, number)
    store.close()


def test_a_due_thread_is_read_once_and_its_posts_are_kept(forum: Forum) -> None:
    [number] = forum.add_threads(1, THREAD)
    forum.crawl()
    assert forum.web.requests == [f"{ENTRY}t/0"]
    assert (forum.thread(number).due, forum.thread(number).posts) == (None, 4)
    assert forum.count(post) == 4
    assert forum.visits() == [(f"{ENTRY}t/0", "thread", 4, 4)]
    told = forum.progress
    assert (told.pages, told.thread_pages, told.new_posts, told.bytes) == (1, 1, 4, len(THREAD))
    assert told.ended == NOTHING_LEFT


def test_boards_are_read_before_threads(forum: Forum) -> None:
    forum.add_threads(2, THREAD)
    forum.add_board(BOARD)
    forum.web.pages[BOARD] = sites.index_page().encode()
    forum.crawl(max_pages=3)
    assert forum.web.requests == [BOARD, f"{BOARD}?page=2", f"{ENTRY}t/0"]
    assert (forum.progress.index_pages, forum.progress.thread_pages) == (2, 1)
    assert forum.progress.new_threads == 8


def test_a_page_that_fails_is_asked_for_twice_and_stays_due_for_the_next_run(forum: Forum) -> None:
    broken, whole = forum.add_threads(2, THREAD)
    forum.web.pages[f"{ENTRY}t/0"] = FetchError("it broke")
    forum.crawl()
    assert forum.web.requests.count(f"{ENTRY}t/0") == 2
    assert forum.progress.troubles == {"fetch": 2}
    assert forum.progress.last_trouble == f"{ENTRY}t/0: it broke"
    assert forum.thread(broken).due == f"{ENTRY}t/0"
    assert forum.thread(whole).due is None


def test_a_page_that_is_forbidden_is_given_up_at_once(forum: Forum) -> None:
    [number] = forum.add_threads(1, ForbiddenError("robots.txt says no"))
    forum.crawl()
    assert len(forum.web.requests) == 1
    assert forum.thread(number).due is None


@pytest.mark.parametrize("status", [404, 410])
def test_a_thread_that_is_gone_is_not_asked_for_again(forum: Forum, status: int) -> None:
    [number] = forum.add_threads(1, (f"{ENTRY}t/0", status, b"gone"))
    loop = forum.crawl()
    assert len(forum.web.requests) == 1
    assert forum.thread(number).due is None
    assert forum.visits() == [(f"{ENTRY}t/0", "other", 0, 0)]
    assert forum.progress.troubles == {f"status {status}": 1}
    assert not loop.relaunched


def test_a_thread_whose_server_fails_stays_due(forum: Forum) -> None:
    [number] = forum.add_threads(1, (f"{ENTRY}t/0", 500, b"error"))
    forum.crawl()
    assert len(forum.web.requests) == 2
    assert forum.thread(number).due == f"{ENTRY}t/0"


def test_a_computed_page_that_is_missing_is_replaced_by_another_one_of_the_thread(forum: Forum) -> None:
    far = f"{ENTRY}t/0?page=9"
    walk = ThreadWalk(far).as_dict()
    number = forum.add_thread(f"{ENTRY}t/0", due=far, walk=walk, posts=4, last_page=f"{ENTRY}t/0")
    forum.web.pages |= {far: (far, 404, b"gone"), f"{ENTRY}t/0": THREAD}
    forum.crawl()
    assert forum.web.requests == [far, f"{ENTRY}t/0"]
    assert forum.thread(number).due is None
    assert forum.count(post) == 4


def test_a_start_page_that_is_gone_or_empty_tells_of_a_relaunch(forum: Forum) -> None:
    forum.add_board(ENTRY)
    forum.web.pages[ENTRY] = (ENTRY, 404, b"gone")
    assert forum.crawl().relaunched
    with forum.store.writing() as connection:
        change_board(connection, forum.board(ENTRY).id, due=ENTRY)
    forum.web.pages[ENTRY] = b"<p>We are moving house."
    assert forum.crawl().relaunched


def test_an_empty_board_is_no_relaunch_and_is_asked_for_once(forum: Forum) -> None:
    forum.add_board(BOARD)
    forum.web.pages[BOARD] = b"<p>Nothing to see in this board."
    loop = forum.crawl()
    assert not loop.relaunched
    assert forum.web.requests == [BOARD]
    assert forum.progress.troubles == {"no rows": 1}
    assert CLOSED in forum.board(BOARD).said


def test_a_board_that_the_server_refuses_is_noted_as_closed_with_the_reason(forum: Forum) -> None:
    forum.add_board(BOARD)
    forum.add_threads(1, THREAD)
    forum.web.pages[BOARD] = (BOARD, 403, b"members")
    forum.crawl()
    assert forum.board(BOARD).said[CLOSED] == "status 403"


def test_a_host_that_fails_ends_the_run_and_the_page_stays_due(forum: Forum) -> None:
    numbers = forum.add_threads(3, HostAsideError("it failed five times"))
    loop = forum.crawl()
    assert len(forum.web.requests) == 1
    assert forum.progress.ended == HOST_FAILS
    assert loop.asked == set()
    assert all(forum.thread(number).due for number in numbers)


def test_no_more_pages_are_fetched_than_allowed(forum: Forum) -> None:
    forum.add_threads(3, THREAD)
    forum.crawl(max_pages=2)
    assert len(forum.web.requests) == 2
    assert forum.progress.ended == PAGE_LIMIT


def test_a_run_whose_time_is_over_fetches_nothing(forum: Forum) -> None:
    forum.add_threads(1, THREAD)
    loop = forum.loop()
    loop.deadline = time.monotonic()
    asyncio.run(loop.run())
    assert forum.web.requests == []
    assert forum.progress.ended == TIME_LIMIT


def test_pages_that_were_fetched_before_are_not_fetched_again(forum: Forum) -> None:
    forum.add_threads(1)
    url = f"{ENTRY}t/0"
    html = (("content-type", "text/html"),)
    loop = forum.loop()
    row = CaptureRow(forum.job, url, NOW, 200)
    loop.ready[url] = FetchedPage(url, Capture(url, NOW, 200, html, THREAD, "http"), (row,))
    asyncio.run(loop.run())
    assert forum.web.requests == []
    assert forum.count(post) == 4


def test_nothing_is_stored_when_another_process_works_on_the_forum_by_now(forum: Forum) -> None:
    forum.add_threads(2, THREAD)
    forum.may_store = False
    forum.crawl()
    assert len(forum.web.requests) == 1
    assert forum.count(post) == 0
    assert forum.progress.ended == INTERRUPTED


def test_a_page_that_cannot_be_read_is_named_and_the_others_are_read(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = forum.add_threads(2, THREAD)

    def fail_first(analysis: Any, *others: Any) -> Any:
        if analysis.tree.url.endswith("/0"):
            raise ValueError("a page that nobody thought of")
        return read_thread_page(analysis, *others)

    monkeypatch.setattr(forum_loop, "read_thread_page", fail_first)
    forum.crawl()
    assert forum.web.requests == [f"{ENTRY}t/0", f"{ENTRY}t/1"]
    assert forum.progress.troubles == {"unreadable": 1}
    assert "ValueError: a page that nobody thought of" in forum.progress.last_trouble
    assert (forum.thread(broken).due, forum.thread(whole).due) == (f"{ENTRY}t/0", None)
    assert forum.visits()[0] == (f"{ENTRY}t/0", "other", 0, 0)


def test_a_store_that_fails_ends_the_crawl(forum: Forum, monkeypatch: pytest.MonkeyPatch) -> None:
    forum.add_threads(2, THREAD)

    def fail(*_: Any) -> Any:
        raise StoreError("the disk is full")

    monkeypatch.setattr(forum_loop, "read_thread_page", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        forum.crawl()
    assert len(forum.web.requests) == 1


def test_a_thread_page_without_posts_is_named_and_asked_for_once(forum: Forum) -> None:
    forum.add_threads(1, b"<p>Words of nobody.")
    forum.crawl()
    assert len(forum.web.requests) == 1
    assert forum.progress.troubles[NO_POSTS] == 1
    assert forum.visits() == [(f"{ENTRY}t/0", "other", 0, 0)]


def test_a_site_that_gives_only_empty_pages_ends_the_run(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forum_loop, "_MOST_EMPTY", 3)
    forum.add_threads(5, b"<p>Words of nobody.")
    forum.crawl()
    assert len(forum.web.requests) == 3
    assert forum.progress.ended == "the site gives no pages"


def test_pages_with_posts_between_empty_ones_let_the_run_go_on(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forum_loop, "_MOST_EMPTY", 3)
    forum.add_threads(5, b"<p>Words of nobody.")
    forum.web.pages[f"{ENTRY}t/2"] = THREAD
    forum.crawl()
    assert len(forum.web.requests) == 5
    assert forum.progress.ended == NOTHING_LEFT


def test_a_thread_that_leads_back_to_a_page_of_this_run_ends_there(forum: Forum) -> None:
    [first] = forum.add_threads(1, THREAD)
    walk = {**ThreadWalk(f"{ENTRY}t/0").as_dict(), "first": False}
    second = forum.add_thread(f"{ENTRY}t/0?again", due=f"{ENTRY}t/0", walk=walk)
    forum.crawl()
    assert forum.web.requests == [f"{ENTRY}t/0"]
    assert forum.progress.troubles == {"circle": 1}
    assert (forum.thread(first).due, forum.thread(second).due) == (None, None)


def test_the_first_page_of_a_visit_that_was_asked_for_stays_due_for_the_next_run(forum: Forum) -> None:
    forum.add_threads(1, THREAD)
    walk = {**ThreadWalk(f"{ENTRY}t/0").as_dict(), "first": True}
    second = forum.add_thread(f"{ENTRY}t/0?again", due=f"{ENTRY}t/0", walk=walk)
    forum.crawl()
    assert forum.web.requests == [f"{ENTRY}t/0"]
    assert forum.progress.troubles == {}
    assert forum.thread(second).due == f"{ENTRY}t/0"


def test_a_watcher_hears_of_the_counts(forum: Forum) -> None:
    forum.add_threads(1, THREAD)
    heard: list[int] = []
    asyncio.run(forum.loop().run(lambda progress: heard.append(progress.due_threads)))
    assert heard[0] == 1
    assert forum.progress.due_threads == 0


class OnlyLast:
    """Wants one thread."""

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted
        self.noted: list[str] = []

    def wants(self, task: BoardState | ThreadState) -> bool:
        return task.url == self.wanted

    def note(self, task: BoardState | ThreadState) -> None:
        self.noted.append(task.url)


def test_a_chosen_thread_is_found_behind_many_that_were_not_chosen(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forum_loop, "_WINDOW", 2)
    numbers = forum.add_threads(5, THREAD)
    loop = forum.loop()
    choice: Any = OnlyLast(f"{ENTRY}t/4")
    loop.choice = choice
    asyncio.run(loop.run())
    assert forum.web.requests == [f"{ENTRY}t/4"]
    assert choice.noted == [f"{ENTRY}t/4"]
    assert forum.progress.ended == CHOSEN_DONE
    assert [bool(forum.thread(number).due) for number in numbers] == [True] * 4 + [False]


def test_a_page_of_a_board_leaves_a_visit_with_its_rows(forum: Forum) -> None:
    forum.add_board(BOARD)
    forum.web.pages[BOARD] = sites.index_page().encode()
    forum.crawl(max_pages=1)
    assert forum.visits() == [(BOARD, "index", 8, 8)]
    assert forum.progress.boards == 0  # its list goes on
    assert forum.board(BOARD).due == f"{BOARD}?page=2"


def test_lists_that_go_on_without_new_threads_are_read_no_further(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forum_loop, "_MOST_STALE", 2)
    loop = forum.loop()
    loop._knowledge.just_learnt = True
    boards = [f"{ENTRY}b/{number}" for number in range(5)]
    for url in boards:
        forum.add_board(url)
        forum.web.pages[url] = sites.index_page().replace("?page=", f"{url[-1]}?page=").encode()
    asyncio.run(loop.run())
    assert forum.progress.troubles["lists repeat"] >= 1
    assert all(forum.board(url).due is None for url in boards)


def test_threads_that_are_known_under_other_urls_end_the_run_if_they_come_one_after_another(
    forum: Forum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forum_loop, "_MOST_DOUBLES", 2)
    monkeypatch.setattr(ThreadVisit, "is_double", lambda *_, **__: True)
    forum.add_threads(4, THREAD)
    forum.crawl()
    assert len(forum.web.requests) == 2
    assert forum.progress.ended == REPEATS
    assert forum.count(post) == 0
