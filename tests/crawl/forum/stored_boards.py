"""An entry page, a board and a board below it in a store, for tests without a network."""

from datetime import UTC, date, datetime, time
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.index_visit import IndexVisit
from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.board_rows import BoardRows
from threadmill.crawl.forum.rows.linked_rows import LinkedRows
from threadmill.crawl.forum.rows.thread_rows import ComparedRows, ThreadRows
from threadmill.forum.site_model.model import ForumModel
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import BoardState, add_board, change_board, find_board, keep_forum
from threadmill.types import BoardRow, Moment, Precision

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ENTRY, PARENT, BELOW = "https://f.example/", "https://f.example/b/1", "https://f.example/b/2"


class StoredBoards:
    """An entry, a board and a board below it, all read; the visit of the next run."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.knowledge = ForumKnowledge(LayoutKnowledge(ForumModel(ENTRY)))
        job = find_or_add_job(connection, "forum", ENTRY, "forum", NOW)
        self.forum = keep_forum(connection, job.id, ENTRY, {}, NOW)
        add_board(connection, self.forum, ENTRY, "", None)
        add_board(connection, self.forum, PARENT, "Parent", 1)
        self.seen = ""
        self.run = 0
        self.next_run()

    def next_run(self, boards: frozenset[int] | None = None) -> None:
        """Everything due was read; another run begins."""
        for url in (ENTRY, PARENT, BELOW):
            state = find_board(self.connection, self.forum, url)
            if state is not None:
                change_board(self.connection, state.id, due=None, visited=NOW.replace(year=2020))
        self.run += 1
        run = self.run, datetime.now(UTC)
        self.visit = IndexVisit(self.connection, self.forum, self.knowledge, run, boards)
        self.rows = BoardRows(self.connection, self.forum, self.knowledge, *run, boards)

    def board(self, url: str) -> BoardState:
        state = find_board(self.connection, self.forum, url)
        assert state is not None
        return state

    def row(self, above: str, **said: Any) -> bool:
        """A row of the board below on a page; says whether the board is to be read."""
        self.rows.compare_row(self.board(above), BoardRow(BELOW, "Below", **said), self.seen)
        return self.board(BELOW).due is not None


def compare_rows(boards: StoredBoards, board: BoardState, linked: LinkedRows) -> ComparedRows:
    seen = "2026-05-01T12:00:00+00:00"
    return ThreadRows(boards.connection, boards.forum, boards.knowledge, board, seen).compare_all(linked)


def on(month: int, day: int, hour: int | None = None) -> Moment:
    if hour is None:
        return Moment(date(2026, month, day))
    return Moment(date(2026, month, day), time(hour, 0), precision=Precision.MINUTE)
