"""Rows of boards and threads compared with what they said before, without a network."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from threadmill.crawl.forum.board_rows import BoardRows
from threadmill.crawl.forum.index_visit import IndexVisit, NextIndexPage
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.linked_rows import LinkedRows
from threadmill.crawl.forum.row_state import EMPTY_LOOKS, GROWN, SEEN_AT, SHOWN_BY, SKIPS, RowState
from threadmill.crawl.forum.thread_reactivation import OldThreads
from threadmill.crawl.forum.thread_rows import ComparedRows, ThreadRows
from threadmill.forum.index.index_order import IndexOrder
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.paging.pager import Paging
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.page.parse.tree import parse
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import BoardState, add_board, change_board, find_board, keep_forum
from threadmill.store.forum.threads import change_thread, find_threads
from threadmill.types import BoardRow, Moment, Precision, ThreadRow

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ENTRY, PARENT, BELOW = "https://f.example/", "https://f.example/b/1", "https://f.example/b/2"


class Ground:
    """An entry, a board and a board below it, all read; the visit of the next run."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        self.forum = keep_forum(connection, job.id, ENTRY, {}, NOW)
        add_board(connection, self.forum, ENTRY, "", None)
        add_board(connection, self.forum, PARENT, "Parent", 1)
        self.seen = ""
        self.next_run()

    def next_run(self, boards: frozenset[int] | None = None) -> None:
        """Everything due was read; another run begins."""
        for url in (ENTRY, PARENT, BELOW):
            state = find_board(self.connection, self.forum, url)
            if state is not None:
                change_board(self.connection, state.id, due=None, visited=NOW.replace(year=2020))
        self.visit = IndexVisit(self.connection, self.forum, self.knowledge, datetime.now(UTC), boards)
        self.rows = BoardRows(self.connection, self.forum, self.knowledge, datetime.now(UTC), boards)

    def board(self, url: str) -> BoardState:
        state = find_board(self.connection, self.forum, url)
        assert state is not None
        return state

    def row(self, above: str, **said: Any) -> bool:
        """A row of the board below on a page; says whether the board is to be read."""
        self.rows.compare_row(self.board(above), BoardRow(BELOW, "Below", **said), self.seen)
        return self.board(BELOW).due is not None


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with store.writing() as connection:
        yield Ground(connection)
    store.close()


def _compare(ground: Ground, board: BoardState, linked: LinkedRows) -> ComparedRows:
    seen = "2026-05-01T12:00:00+00:00"
    return ThreadRows(ground.connection, ground.forum, ground.knowledge, board, seen).compare_all(linked)


def _on(month: int, day: int, hour: int | None = None) -> Moment:
    if hour is None:
        return Moment(date(2026, month, day))
    return Moment(date(2026, month, day), time(hour, 0), precision=Precision.MINUTE)


def test_a_new_board_is_read(ground: Ground) -> None:
    assert ground.row(ENTRY, posts=5)


def test_a_board_whose_row_says_the_same_is_not_read_again(ground: Ground) -> None:
    ground.row(ENTRY, posts=5, active=_on(4, 1, 12))
    ground.next_run()
    assert not ground.row(ENTRY, posts=5, active=_on(4, 1, 12))
    assert ground.row(ENTRY, posts=6, active=_on(4, 2, 12))


def test_rows_of_two_pages_with_other_columns_are_not_compared(ground: Ground) -> None:
    ground.row(ENTRY, posts=5, threads=2, active=_on(4, 1, 12))
    ground.next_run()
    ground.row(ENTRY, posts=5, threads=2, active=_on(4, 1, 12))
    assert not ground.row(PARENT, threads=9, active=_on(3, 1, 12))
    assert ground.board(BELOW).said[SHOWN_BY] == ground.board(ENTRY).id


def test_what_a_row_says_while_its_board_is_fetched_is_kept(ground: Ground) -> None:
    ground.row(ENTRY)
    fetched = ground.board(BELOW)
    ground.row(PARENT, posts=5, active=_on(4, 1, 12))
    page = '<html><body><table><tr><td><a href="/t/1">One</a></td></tr></table></body></html>'
    ground.visit.take(
        fetched, PageAnalysis(parse(page.encode(), BELOW), NOW), NOW, OldThreads(ground.forum, None)
    )
    assert ground.board(BELOW).said["count"] == 5


def test_a_page_that_tells_of_a_board_no_more_loses_its_say(ground: Ground) -> None:
    ground.row(ENTRY, posts=5, threads=2, active=_on(4, 1, 12))
    ground.next_run()
    change_board(ground.connection, ground.board(ENTRY).id, visited=datetime.now(UTC))  # without that row
    assert ground.row(PARENT, posts=7, active=_on(4, 20, 12))


def test_a_coarse_date_older_than_the_last_look_settles_what_is_open(ground: Ground) -> None:
    ground.seen = "2026-04-15T12:00:00+00:00"
    ground.row(ENTRY, threads=3, active=_on(3, 1))
    ground.next_run()
    ground.seen = "2026-05-15T12:00:00+00:00"
    assert not ground.row(ENTRY, threads=3, active=_on(3, 1))
    assert ground.board(BELOW).said[SEEN_AT] == "2026-05-15T12:00:00+00:00"


def test_a_coarse_date_alone_may_be_that_of_the_first_post(ground: Ground) -> None:
    ground.seen = "2026-04-15T12:00:00+00:00"
    ground.row(ENTRY, active=_on(3, 1))
    ground.next_run()
    assert ground.row(ENTRY, active=_on(3, 1))


def test_a_date_that_went_back_is_no_news(ground: Ground) -> None:
    """ "2 weeks ago" was said of a post of 17 days ago; a month later its day is shown."""
    ground.seen = "2026-05-01T12:00:00+00:00"
    ground.row(ENTRY, threads=6, active=_on(4, 17))
    ground.next_run()
    ground.seen = "2026-06-01T12:00:00+00:00"
    assert not ground.row(ENTRY, threads=6, active=_on(4, 14))
    ground.next_run()
    assert ground.row(ENTRY, threads=7, active=_on(4, 13))


def test_a_coarse_date_of_the_day_of_the_last_look_leaves_it_open(ground: Ground) -> None:
    ground.seen = "2026-04-15T12:00:00+00:00"
    ground.row(ENTRY, active=_on(4, 15))
    ground.next_run()
    assert ground.row(ENTRY, active=_on(4, 15))


def test_a_counter_that_grew_without_the_date_is_believed_until_dates_have_proved_to_follow(
    ground: Ground,
) -> None:
    ground.seen = "2026-04-15T12:00:00+00:00"
    ground.row(ENTRY, posts=5, active=_on(3, 1, 12))
    for _ in range(5):
        ground.knowledge.rows.dates.add("board follows")
    ground.next_run()
    ground.seen = "2026-05-15T12:00:00+00:00"
    assert not ground.row(ENTRY, posts=9, active=_on(3, 1, 12))  # threads were moved there
    for _ in range(5):
        ground.knowledge.rows.dates.add("board stays")  # what it shows is no date of last posts
    ground.next_run()
    assert ground.row(ENTRY, posts=12, active=_on(3, 1, 12))


def test_a_board_that_was_empty_is_read_when_its_row_says_otherwise_and_now_and_then(ground: Ground) -> None:
    ground.row(ENTRY)
    state = ground.board(BELOW)
    empty = {**state.said, SKIPS: 0, EMPTY_LOOKS: 1}
    change_board(ground.connection, state.id, said=empty)
    ground.next_run()
    assert [ground.row(ENTRY) for _ in range(6)] == [False] * 5 + [True]
    change_board(ground.connection, state.id, said=empty)
    ground.next_run()
    assert ground.row(ENTRY, posts=3, active=_on(4, 20, 12))


def test_a_board_that_stays_empty_though_its_row_moves_is_looked_at_less_and_less(ground: Ground) -> None:
    ground.row(ENTRY, posts=1)
    state = ground.board(BELOW)
    change_board(ground.connection, state.id, said={**state.said, SKIPS: 0, EMPTY_LOOKS: 3}, due=None)
    ground.next_run()
    assert [ground.row(ENTRY, posts=count) for count in range(2, 9)] == [False] * 6 + [True]


def test_a_run_for_some_boards_leaves_the_others_for_later(ground: Ground) -> None:
    ground.row(ENTRY, posts=5)
    ground.next_run(frozenset({ground.board(PARENT).id}))
    assert not ground.row(ENTRY, posts=9)
    ground.next_run()
    assert ground.row(ENTRY, posts=9)


def test_a_thread_whose_counter_fell_is_opened_later_where_its_posts_have_moved_to(ground: Ground) -> None:
    """Of 20 posts on two full pages one was deleted; the next one stands at the end of the second page."""
    ground.knowledge.layout.model = replace(
        ground.knowledge.layout.model,
        threads=UrlFamily(style=PageUrlStyle("page", "", "", "", 1, 1), per_page=10),
    )
    for _ in range(5):
        ground.knowledge.rows.record_counters(RowState(19), 20)
    entry, url = ground.board(ENTRY), "https://f.example/t?id=1"
    for replies, day, due in ((19, 20, url), (18, 19, None), (20, 25, f"{url}&page=2")):
        _compare(
            ground,
            entry,
            LinkedRows({"t": ThreadRow(url, "T", replies=replies, active=_on(4, day, 12))}, {}, {}),
        )
        state = find_threads(ground.connection, ground.forum, ["t"])["t"]
        assert state.due == due
        change_thread(ground.connection, state.id, due=None, posts=20)


def _row(ground: Ground, board: str, replies: int | None, **said: Any) -> bool:
    """A thread's row on a board in the next run; says whether the thread is to be opened."""
    ground.next_run()
    row = ThreadRow("https://f.example/t?id=1", "T", replies=replies, **said)
    _compare(ground, ground.board(board), LinkedRows({"t": row}, {}, {}))
    state = find_threads(ground.connection, ground.forum, ["t"])["t"]
    change_thread(ground.connection, state.id, due=None, posts=20)
    return state.due is not None


@pytest.mark.parametrize("told", [True, False])
def test_the_stub_of_a_moved_thread_is_not_compared_with_its_row(ground: Ground, told: bool) -> None:
    link = "https://f.example/t?id=1&last"
    _row(ground, PARENT, 19, active=_on(4, 20, 12), active_url=link)
    assert not _row(ground, PARENT, 19, active=_on(4, 10, 12), moved=told)
    assert not _row(ground, ENTRY, 19, active=_on(4, 20, 12), active_url=link)
    assert _row(ground, ENTRY, 19, active=_on(4, 21, 12), active_url=link)


def test_a_counter_that_fell_by_a_post_is_no_news_where_counters_have_been_right(ground: Ground) -> None:
    _row(ground, ENTRY, 19)
    assert _row(ground, ENTRY, 18)
    for _ in range(9):
        ground.knowledge.rows.record_counters(RowState(19), 20)
    assert not _row(ground, ENTRY, 17)
    assert _row(ground, ENTRY, 18)
    assert _row(ground, ENTRY, 11)


def _goes_on(ground: Ground, grown: int, rows: dict[str, int], known: dict[str, int]) -> bool:
    ground.knowledge.layout.model = replace(ground.knowledge.layout.model, index_order=IndexOrder.CREATION)
    ground.knowledge.rows.record_growth(exact=True)
    board = ground.board(PARENT)
    for counts in (known, rows):
        shown = {key: ThreadRow(f"{PARENT}/{key}", key, replies=count) for key, count in counts.items()}
        read = _compare(ground, board, LinkedRows(shown, {}, {}))
        for state in find_threads(ground.connection, ground.forum, counts).values():
            change_thread(ground.connection, state.id, due=None)
    noted = ground.visit._note_board(replace(board, said={GROWN: grown}), LinkedRows(shown, {}, {}), read, 1)
    chooser = NextIndexPage(ground.connection, ground.knowledge, OldThreads(ground.forum, None))
    paging = Paging(next=f"{PARENT}?page=2", number=1)
    return chooser.choose(board.id, paging, read, noted, NOW) is not None


@pytest.mark.parametrize(("grown", "further"), [(3, False), (4, True)])
def test_sorted_by_creation_a_page_whose_threads_account_for_all_posts_is_the_last(
    ground: Ground, grown: int, further: bool
) -> None:
    known = {"a": 5, "b": 5, "c": 5, "d": 5}
    assert _goes_on(ground, grown, {**known, "b": 6, "d": 7}, known) is further


def test_below_a_new_thread_there_may_be_more_of_them(ground: Ground) -> None:
    assert _goes_on(ground, 3, {"e": 2, "f": 0}, {"a": 5})


def test_a_box_that_names_a_thread_without_its_counter_does_not_overrule_its_row(ground: Ground) -> None:
    ground.row(ENTRY)

    def page(**rows: ThreadRow) -> None:
        _compare(ground, ground.board(BELOW), LinkedRows(rows, {}, {}))

    page(a=ThreadRow("https://f.example/t/1", "One", replies=3, active=_on(4, 1)))
    page(
        b=ThreadRow("https://f.example/t/2", "Two", replies=5, active=_on(4, 2)),
        a=ThreadRow("https://f.example/t/1", "One", active=_on(4, 20)),
    )
    said = find_threads(ground.connection, ground.forum, ["a"])["a"].said
    assert (said["count"], said["active"]) == (3, "2026-04-01")
