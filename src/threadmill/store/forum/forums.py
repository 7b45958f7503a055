"""The tables of forums and boards: the learnt model of a forum, and the last known state of its boards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    select,
)

from threadmill.store.schema import Identity, Instant, metadata

forum = Table(
    "forum",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False, unique=True),
    Column("entry", Text, nullable=False),
    Column("model", JSON, nullable=False),  # the learnt model, written by threadmill.forum
    Column("learnt", Instant, nullable=False),
)

board = Table(
    "board",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("forum", Identity, ForeignKey("forum.id"), nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("parent", Identity, ForeignKey("board.id")),
    Column("said", JSON, nullable=False),  # its row on the parent page: counters and last activity
    Column("visited", Instant),
    Column("visited_run", BigInteger),  # the run that last read it to its end
    Column("due", Text),  # the URL of the page to read next; NULL: nothing is due
    Column("page", Integer, nullable=False),  # pages of it that this run has read
    UniqueConstraint("forum", "url"),
)


@dataclass(frozen=True, slots=True)
class BoardState:
    """The stored state of a board."""

    id: int
    url: str
    title: str
    parent: int | None
    said: Mapping[str, Any]
    visited: datetime | None
    due: str | None
    page: int
    visited_run: int | None = None


STATE_COLUMNS = ("id", "url", "title", "parent", "said", "visited", "due", "page", "visited_run")
_STATE = [board.c[name] for name in STATE_COLUMNS]


def find_forum(connection: Connection, job: int) -> tuple[int, str, dict[str, Any]] | None:
    """Return id, entry URL and model of the forum of a job; None if it is not learnt yet."""
    row = connection.execute(
        select(forum.c.id, forum.c.entry, forum.c.model).where(forum.c.job == job)
    ).first()
    return (row.id, row.entry, row.model) if row else None


def keep_forum(connection: Connection, job: int, entry: str, model: Mapping[str, Any], at: datetime) -> int:
    """Store the model of a forum in place of an earlier one. Return the id of the forum."""
    known = find_forum(connection, job)
    values = {"job": job, "entry": entry, "model": dict(model), "learnt": at}
    if known is None:
        return int(connection.execute(forum.insert().values(values).returning(forum.c.id)).scalar_one())
    connection.execute(forum.update().where(forum.c.id == known[0]).values(values))
    return known[0]


def find_board(connection: Connection, forum_id: int, url: str) -> BoardState | None:
    """Return a board by its URL, or None."""
    row = connection.execute(select(*_STATE).where(board.c.forum == forum_id, board.c.url == url)).first()
    return BoardState(**row._mapping) if row else None


def add_board(connection: Connection, forum_id: int, url: str, title: str, parent: int | None) -> int:
    """Add a board. Its first page is due. Return its id."""
    values = {
        "forum": forum_id,
        "url": url,
        "title": title,
        "parent": parent,
        "said": {},
        "due": url,
        "page": 0,
    }
    return int(connection.execute(board.insert().values(values).returning(board.c.id)).scalar_one())


def change_board(connection: Connection, board_id: int, **values: Any) -> None:
    """Store new column values of a board."""
    connection.execute(board.update().where(board.c.id == board_id).values(values))


def due_boards(connection: Connection, forum_id: int) -> list[BoardState]:
    """Return the boards with a due page, in the order they were found."""
    wanted = select(*_STATE).where(board.c.forum == forum_id, board.c.due.is_not(None)).order_by(board.c.id)
    return [BoardState(**row._mapping) for row in connection.execute(wanted)]


def board_urls(connection: Connection, forum_id: int) -> list[tuple[int, str]]:
    """Return id and URL of every board."""
    rows = connection.execute(select(board.c.id, board.c.url).where(board.c.forum == forum_id))
    return [(row.id, row.url) for row in rows]


def find_board_urls(connection: Connection, ids: Collection[int]) -> dict[int, str]:
    """Return the URLs of some boards by their ids."""
    rows = connection.execute(select(board.c.id, board.c.url).where(board.c.id.in_(list(ids))))
    return {row.id: row.url for row in rows}


def has_boards_below(connection: Connection, board_id: int) -> bool:
    """Whether a board has sub-boards."""
    below = select(board.c.id).where(board.c.parent == board_id).limit(1)
    return connection.execute(below).first() is not None


def is_visited(connection: Connection, board_id: int, run: int) -> bool:
    """Whether a run has read a board to its end."""
    found = connection.execute(select(board.c.visited_run).where(board.c.id == board_id)).scalar()
    return found is not None and found >= run


def make_due(connection: Connection, board_id: int) -> None:
    """Make the first page of a board due, although its row on the parent page shows no change."""
    wanted = board.update().where(board.c.id == board_id, board.c.due.is_(None))
    connection.execute(wanted.values(due=board.c.url, page=0))


def forget_due_boards(connection: Connection, forum_id: int) -> None:
    """Forget all due pages of boards, and what their rows showed."""
    connection.execute(board.update().where(board.c.forum == forum_id).values(due=None, said={}, page=0))
