"""Rows of boards and threads compared with what they said before, without a network."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from threadmill.crawl.incremental.board_rows import BoardRows
from threadmill.crawl.incremental.index_visit import IndexVisit
from threadmill.crawl.incremental.lore import Lore
from threadmill.crawl.incremental.notes import BY, HOLLOW, LOOKS, SEEN
from threadmill.crawl.incremental.old_threads import OldThreads
from threadmill.crawl.incremental.skeleton import Skeleton
from threadmill.forum.model import ForumModel
from threadmill.forum.reading import Reading
from threadmill.page.tree import parse
from threadmill.store import open_store
from threadmill.store.forums import BoardState, add_board, change_board, find_board, keep_forum
from threadmill.store.jobs import find_or_add_job
from threadmill.store.threads import find_threads
from threadmill.types import BoardRow, Moment, Precision, ThreadRow

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ENTRY, PARENT, BELOW = "https://f.example/", "https://f.example/b/1", "https://f.example/b/2"


class Ground:
    """An entry, a board and a board below it, all read; the visit of the next run."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.lore = Lore(ForumModel(ENTRY))
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
        self.visit = IndexVisit(self.connection, self.forum, self.lore, datetime.now(UTC), boards)
        self.rows = BoardRows(self.connection, self.forum, self.lore, datetime.now(UTC), boards)

    def board(self, url: str) -> BoardState:
        state = find_board(self.connection, self.forum, url)
        assert state is not None
        return state

    def row(self, above: str, **said: Any) -> bool:
        """A row of the board below on a page; says whether the board is to be read."""
        self.rows.take(self.board(above), BoardRow(BELOW, "Below", **said), self.seen)
        return self.board(BELOW).due is not None


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with store.writing() as connection:
        yield Ground(connection)
    store.close()


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
    assert ground.board(BELOW).said[BY] == ground.board(ENTRY).id


def test_what_a_row_says_while_its_board_is_fetched_is_kept(ground: Ground) -> None:
    ground.row(ENTRY)
    fetched = ground.board(BELOW)
    ground.row(PARENT, posts=5, active=_on(4, 1, 12))
    page = '<html><body><table><tr><td><a href="/t/1">One</a></td></tr></table></body></html>'
    ground.visit.take(fetched, Reading(parse(page.encode(), BELOW), NOW), NOW, OldThreads(ground.forum, None))
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
    assert ground.board(BELOW).said[SEEN] == "2026-05-15T12:00:00+00:00"


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
        ground.lore.judge_dates("board", follows=True)
    ground.next_run()
    ground.seen = "2026-05-15T12:00:00+00:00"
    assert not ground.row(ENTRY, posts=9, active=_on(3, 1, 12))  # threads were moved there
    for _ in range(5):
        ground.lore.judge_dates("board", follows=False)  # what it shows is no date of last posts
    ground.next_run()
    assert ground.row(ENTRY, posts=12, active=_on(3, 1, 12))


def test_a_board_that_was_empty_is_read_when_its_row_says_otherwise_and_now_and_then(ground: Ground) -> None:
    ground.row(ENTRY)
    state = ground.board(BELOW)
    empty = {**state.said, HOLLOW: 0, LOOKS: 1}
    change_board(ground.connection, state.id, said=empty)
    ground.next_run()
    assert [ground.row(ENTRY) for _ in range(6)] == [False] * 5 + [True]
    change_board(ground.connection, state.id, said=empty)
    ground.next_run()
    assert ground.row(ENTRY, posts=3, active=_on(4, 20, 12))


def test_a_board_that_stays_empty_though_its_row_moves_is_looked_at_less_and_less(ground: Ground) -> None:
    ground.row(ENTRY, posts=1)
    state = ground.board(BELOW)
    change_board(ground.connection, state.id, said={**state.said, HOLLOW: 0, LOOKS: 3}, due=None)
    ground.next_run()
    assert [ground.row(ENTRY, posts=count) for count in range(2, 9)] == [False] * 6 + [True]


def test_a_run_for_some_boards_leaves_the_others_for_later(ground: Ground) -> None:
    ground.row(ENTRY, posts=5)
    ground.next_run(frozenset({ground.board(PARENT).id}))
    assert not ground.row(ENTRY, posts=9)
    ground.next_run()
    assert ground.row(ENTRY, posts=9)


def test_a_box_that_names_a_thread_without_its_counter_does_not_overrule_its_row(ground: Ground) -> None:
    ground.row(ENTRY)

    def page(**rows: ThreadRow) -> None:
        ground.visit._take_rows(ground.board(BELOW), Skeleton(rows, {}, {}))

    page(a=ThreadRow("https://f.example/t/1", "One", replies=3, active=_on(4, 1)))
    page(
        b=ThreadRow("https://f.example/t/2", "Two", replies=5, active=_on(4, 2)),
        a=ThreadRow("https://f.example/t/1", "One", active=_on(4, 20)),
    )
    said = find_threads(ground.connection, ground.forum, ["a"])["a"].said
    assert (said["count"], said["active"]) == (3, "2026-04-01")
