"""The next page of a board, after one was read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.crawl.forum.stored_boards import ENTRY, NOW
from tests.empty_store import put_empty_store
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.next_index_page import NextIndexPage, _likeliest_page
from threadmill.crawl.forum.rows.row_state import (
    COMPLETE_AT,
    FOUND,
    GROWN,
    LAST_PAGE,
    PAGES_READ,
    SEEN_AT,
    UNSEEN_NEWS,
    Change,
    RowState,
)
from threadmill.crawl.forum.rows.thread_reactivation import IndexPlace, OldThreads
from threadmill.crawl.forum.rows.thread_rows import ComparedRows
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import NumberSlot
from threadmill.forum.paging.pager import Paging
from threadmill.forum.site_model.model import ForumModel
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread, change_thread, find_thread
from threadmill.types import Moment, Post, ThreadRow

LAST_LOOK = NOW - timedelta(days=30)
PER_PAGE = 10


class DatedBoard:
    """A board of threads, a new one each week; one is answered every few days, the others never."""

    def __init__(self, connection: Connection, lively: int, threads: int = 50) -> None:
        self.connection = connection
        self.knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY, index_order=IndexOrder.CREATION)))
        self.knowledge.site.last_look = LAST_LOOK
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        self.forum = keep_forum(connection, job.id, ENTRY, {}, NOW)
        self.board = add_board(connection, self.forum, ENTRY, "", None)
        self.threads: list[int] = []  # newest first
        for age in range(threads):
            begun = LAST_LOOK - timedelta(days=1 + 7 * age)
            self.threads.append(self._thread(age, begun, 4 if age == lively else 0))
        self.old = OldThreads(self.forum, LAST_LOOK)

    def _thread(self, number: int, begun: datetime, every: int) -> int:
        url = f"{ENTRY}t/{number}"
        said = {SEEN_AT: LAST_LOOK.isoformat()}
        thread = add_thread(
            self.connection, forum=self.forum, board=self.board, key=url, url=url, title="", said=said
        )
        at = begun
        while at < LAST_LOOK:
            add_post(self.connection, thread, Post(f"{at}", "", date=Moment(at.date())), url, NOW)
            at += timedelta(days=every or 10_000)
        return thread

    def next_page(
        self,
        noted: Mapping[str, object] | None = None,
        *,
        number: int = 1,
        shown: Sequence[int] = (),
        sticky: int = 0,
        dated: bool = False,
    ) -> str | None:
        """What is read after a page on which nothing has changed."""
        shown = shown or range((number - 1) * PER_PAGE, number * PER_PAGE)
        rows = {
            str(place): ThreadRow(
                f"{ENTRY}t/{place}", "", sticky=row < sticky, active=Moment(NOW.date()) if dated else None
            )
            for row, place in enumerate(shown)
        }
        for place in shown:
            change_thread(self.connection, self.threads[place], said={SEEN_AT: NOW.isoformat()})
        read = ComparedRows(
            rows, dict.fromkeys(rows, Change.SAME), {str(place): self.threads[place] for place in shown}, 0
        )
        slot = NumberSlot(f"{ENTRY}?page=", "")
        paging = Paging(number, 5, f"{ENTRY}?page={number + 1}", slot=slot)
        self.noted = {FOUND: 0, **(noted or {})}
        return NextIndexPage(self.connection, self.knowledge, self.old).choose(
            self.board, paging, read, self.noted, NOW
        )


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        yield connection
    store.close()


def test_the_page_of_a_lively_old_thread_is_read_without_those_between(connection: Connection) -> None:
    assert DatedBoard(connection, lively=35).next_page() == f"{ENTRY}?page=4"


def test_where_no_old_thread_was_ever_answered_the_first_page_is_enough(connection: Connection) -> None:
    assert DatedBoard(connection, lively=3).next_page() is None


def test_all_that_the_boards_own_row_counts_was_found(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=35)
    ground.knowledge.rows.record_growth(exact=True)
    assert ground.next_page({GROWN: 4, FOUND: 4}) is None
    assert ground.noted[COMPLETE_AT] == NOW.isoformat()
    assert ground.next_page({GROWN: 5, FOUND: 4}) == f"{ENTRY}?page=4"


def test_a_counter_that_was_off_decides_nothing(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=35)
    ground.knowledge.rows.record_growth(exact=False)
    assert ground.next_page({GROWN: 4, FOUND: 4}) == f"{ENTRY}?page=4"


def test_a_thread_that_a_box_names_is_looked_for(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=3)
    ground.old.in_boxes.add(ground.threads[25])
    assert ground.next_page() == f"{ENTRY}?page=3"


def test_old_threads_are_quiet_since_the_oldest_row_of_a_list_by_activity(connection: Connection) -> None:
    """Such a list shows every thread that got a post after its last row. Only the days before are open."""
    ground = DatedBoard(connection, lively=35)
    ground.old.quiet_since = float(LAST_LOOK.toordinal()) - 2
    assert ground.next_page() is None


def test_no_page_is_read_twice(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=35)
    assert ground.next_page({PAGES_READ: [1, 5]}, number=4) is None


def test_nothing_is_looked_for_below_the_last_page(connection: Connection) -> None:
    """Threads that are not where they should be made a crawl ask for pages that do not exist."""
    ground = DatedBoard(connection, lively=35)
    assert ground.next_page({LAST_PAGE: 4, PAGES_READ: [1]}, number=2) == f"{ENTRY}?page=4"
    assert ground.next_page({LAST_PAGE: 3, PAGES_READ: [1, 3]}, number=2) is None


def test_the_chance_that_unread_pages_have_news_is_noted(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=3)
    assert ground.next_page() is None
    assert 0 < float(str(ground.noted[UNSEEN_NEWS])) < 0.05
    ground.knowledge.rows.record_growth(exact=True)
    assert ground.next_page({GROWN: 4, FOUND: 4, UNSEEN_NEWS: 0.2}) is None
    assert UNSEEN_NEWS not in ground.noted


def test_threads_whose_rows_tell_nothing_stay_unseen_on_pages_that_were_read(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=35)
    ground.next_page({PAGES_READ: [4]})
    assert float(str(ground.noted[UNSEEN_NEWS])) > 0.1
    change_thread(connection, ground.threads[35], said={SEEN_AT: NOW.isoformat()})  # its row told something
    ground.next_page({PAGES_READ: [4]})
    assert float(str(ground.noted[UNSEEN_NEWS])) < 0.06


@pytest.mark.parametrize("lively", [35, 100])
def test_where_rows_show_first_dates_only_likely_threads_are_read_and_no_list(
    connection: Connection, lively: int
) -> None:
    ground = DatedBoard(connection, lively=lively)
    for _ in range(10):
        row = RowState(active="2026-04-01", precision="day")
        ground.knowledge.rows.record_shown_date(row, "2026-04-01T10:00", "2026-04-20T10:00")
    assert ground.next_page(dated=True) is None
    due = [place for place, number in enumerate(ground.threads) if find_thread(connection, number).due]
    assert due == ([lively] if lively < len(ground.threads) else [])
    assert float(str(ground.noted[UNSEEN_NEWS])) < 0.1


def test_beside_a_box_that_shows_news_only_more_news_may_be_unseen(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=3)
    ground.old.unreached.add(ground.board)
    assert ground.next_page() is None
    assert ground.noted[UNSEEN_NEWS] == 1.0


def test_where_messages_have_pages_of_their_own_old_conversations_are_looked_at(
    connection: Connection,
) -> None:
    """Each message is as old as its page, and never changes. But the conversation may go on below it."""
    ground = DatedBoard(connection, lively=100)
    for place, number in enumerate(ground.threads):
        subject = f"About {place // 5 % 5}"  # five conversations, which went on for months
        title = f"Re: {subject}" if place < len(ground.threads) - 25 else subject
        change_thread(connection, number, title=title)
    ground.old = OldThreads(ground.forum, LAST_LOOK)
    assert ground.next_page() is None
    ground.old = OldThreads(ground.forum, LAST_LOOK, single_messages=True)
    shown = IndexPlace(ground.threads[9], 1, PER_PAGE, tuple(ground.threads[:PER_PAGE]))
    chances = ground.old.chances_by_page(connection, ground.board, shown, NOW, None)
    assert chances is not None
    assert max(chances.values()) > 0.3


def test_sorted_by_activity_an_unchanged_row_ends_the_board(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=35)
    ground.knowledge.layout.model = replace(ground.knowledge.layout.model, index_order=IndexOrder.ACTIVITY)
    assert ground.next_page() is None
    ground.knowledge.rows.messages.votes["answer"] = 5  # the model knows messages, but no conversations
    assert ground.next_page() == f"{ENTRY}?page=4"
    ground.knowledge.layout.order.add(IndexOrder.ACTIVITY)
    assert ground.next_page() is None


def test_posts_that_no_known_thread_accounts_for_are_looked_for_page_by_page(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=3, threads=PER_PAGE)
    assert ground.next_page({GROWN: 5, FOUND: 4}) == f"{ENTRY}?page=2"


def test_a_thread_is_not_taken_for_gone_because_an_older_one_stands_on_top(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=9, threads=11)
    assert ground.next_page({GROWN: 1}, shown=[10, *range(9)], sticky=1) == f"{ENTRY}?page=2"


def test_a_thread_that_is_not_where_it_should_be_is_not_looked_for(connection: Connection) -> None:
    ground = DatedBoard(connection, lively=5, threads=11)
    assert ground.next_page(shown=[*range(5), *range(6, 11)]) is None


def test_a_list_by_activity_goes_on_while_the_row_of_the_board_counts_more_news(
    connection: Connection,
) -> None:
    """The last row is a sticky thread without a mark: it says nothing about the rows of the next page."""
    ground = DatedBoard(connection, lively=3)
    ground.knowledge.layout.order.add(IndexOrder.ACTIVITY)
    ground.knowledge.rows.record_growth(exact=True)
    rows = {str(place): ThreadRow(f"{ENTRY}t/{place}", "") for place in range(2)}
    known = {str(place): ground.threads[place] for place in range(2)}

    def goes_on(grown: int, first: Change) -> bool:
        read = ComparedRows(rows, {"0": first, "1": Change.SAME}, known, 0)
        chooser = NextIndexPage(connection, ground.knowledge, ground.old)
        return (
            chooser.choose(ground.board, Paging(1, 5, "next"), read, {GROWN: grown, FOUND: 2}, NOW)
            is not None
        )

    assert goes_on(3, Change.CHANGED)
    assert not goes_on(2, Change.CHANGED)
    assert not goes_on(3, Change.SAME)  # a page without news: what is missing is not here


@pytest.mark.parametrize(
    ("chances", "page"),
    [
        ({2: 0.02, 3: 0.3, 4: 0.2}, 2),  # the way to page 3 and 4 is worth it
        ({2: 0.02, 3: 0.1}, None),
        ({2: 0.2, 3: 0.9}, 2),
        ({}, None),
    ],
)
def test_without_urls_of_pages_the_way_to_the_likeliest_one_counts(
    chances: dict[int, float], page: int | None
) -> None:
    found = _likeliest_page(chances, Paging(1, None, "next"), 1, 0.1)
    assert found == (2, "next" if page else None)
