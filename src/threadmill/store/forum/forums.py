"""The tables of forums and their boards: what was learnt of a forum, and what its boards last said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, ForeignKey, Integer, Table, Text, UniqueConstraint, select

from threadmill.store.schema import Identity, Instant, metadata

forum = Table(
    "forum",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False, unique=True),
    Column("entry", Text, nullable=False),
    Column("model", JSON, nullable=False),  # what was learnt, as threadmill.forum writes it
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
    Column("said", JSON, nullable=False),  # its row on the page above it: counters and last activity
    Column("visited", Instant),
    Column("due", Text),  # the page of it to read next; empty: nothing is due
    Column("page", Integer, nullable=False),  # how many pages of it this run has read
    UniqueConstraint("forum", "url"),
)


@dataclass(frozen=True, slots=True)
class BoardState:
    """A board as the store remembers it."""

    id: int
    url: str
    title: str
    parent: int | None
    said: Mapping[str, Any]
    visited: datetime | None
    due: str | None
    page: int


_STATE = [board.c[name] for name in ("id", "url", "title", "parent", "said", "visited", "due", "page")]


def find_forum(connection: Connection, job: int) -> tuple[int, str, dict[str, Any]] | None:
    """Id, entry and model of a job's forum, once it has been learnt."""
    row = connection.execute(
        select(forum.c.id, forum.c.entry, forum.c.model).where(forum.c.job == job)
    ).first()
    return (row.id, row.entry, row.model) if row else None


def keep_forum(connection: Connection, job: int, entry: str, model: Mapping[str, Any], at: datetime) -> int:
    """Write down what was learnt of a forum, over what was known; gives its id."""
    known = find_forum(connection, job)
    values = {"job": job, "entry": entry, "model": dict(model), "learnt": at}
    if known is None:
        return int(connection.execute(forum.insert().values(values).returning(forum.c.id)).scalar_one())
    connection.execute(forum.update().where(forum.c.id == known[0]).values(values))
    return known[0]


def find_board(connection: Connection, forum_id: int, url: str) -> BoardState | None:
    """A board by its URL."""
    row = connection.execute(select(*_STATE).where(board.c.forum == forum_id, board.c.url == url)).first()
    return BoardState(**row._mapping) if row else None


def add_board(connection: Connection, forum_id: int, url: str, title: str, parent: int | None) -> int:
    """A new board, its first page due; gives its id."""
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
    """Write down what is new about a board."""
    connection.execute(board.update().where(board.c.id == board_id).values(values))


def due_boards(connection: Connection, forum_id: int) -> list[BoardState]:
    """Boards with a page to read, in the order they were found."""
    wanted = select(*_STATE).where(board.c.forum == forum_id, board.c.due.is_not(None)).order_by(board.c.id)
    return [BoardState(**row._mapping) for row in connection.execute(wanted)]


def board_urls(connection: Connection, forum_id: int) -> list[tuple[int, str]]:
    """Id and URL of every board."""
    rows = connection.execute(select(board.c.id, board.c.url).where(board.c.forum == forum_id))
    return [(row.id, row.url) for row in rows]


def has_boards_below(connection: Connection, board_id: int) -> bool:
    """Does a board's page list others?"""
    below = select(board.c.id).where(board.c.parent == board_id).limit(1)
    return connection.execute(below).first() is not None


def is_visited(connection: Connection, board_id: int, since: datetime) -> bool:
    """Has a board been read to its end since a moment?"""
    found = connection.execute(select(board.c.visited).where(board.c.id == board_id)).scalar()
    return found is not None and found >= since


def make_due(connection: Connection, board_id: int) -> None:
    """Read a board from its first page, without being told to by a row above it."""
    wanted = board.update().where(board.c.id == board_id, board.c.due.is_(None))
    connection.execute(wanted.values(due=board.c.url, page=0))


def forget_due_boards(connection: Connection, forum_id: int) -> None:
    """No board is due any more, and what their rows said counts no longer."""
    connection.execute(board.update().where(board.c.forum == forum_id).values(due=None, said={}, page=0))
