"""Tables of comparing extractions: sets of pages, and the votes of people on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, Double, ForeignKey, Integer, Table, Text, func, select
from sqlalchemy.dialects import postgresql, sqlite

from threadmill.store.schema import Identity, Instant, metadata

vote_set = Table(
    "vote_set",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("name", Text, nullable=False),
    Column("readings", JSON, nullable=False),  # the names of the readings that are compared
    Column("pages", JSON, nullable=False),  # "c17" for a capture of the archive, else the name of a kept file
    Column("who", Text, nullable=False),
    Column("created", Instant, nullable=False),
)
vote = Table(
    "vote",
    metadata,
    Column("vote_set", Identity, ForeignKey("vote_set.id"), primary_key=True),
    Column("page", Integer, primary_key=True),  # place in the set, from 0
    Column("who", Text, primary_key=True),
    Column("choice", Text, nullable=False),  # the name of a reading, or "equal"
    Column("seconds", Double, nullable=False),  # from seeing the page to voting
    Column("at", Instant, nullable=False),
)


@dataclass(frozen=True, slots=True)
class VoteSet:
    """Pages to vote on, and the readings that are compared."""

    id: int
    name: str
    readings: tuple[str, ...]
    pages: tuple[str, ...]
    who: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person chose on one page."""

    page: int
    who: str
    choice: str
    seconds: float
    at: datetime


def add_vote_set(
    connection: Connection,
    name: str,
    readings: Sequence[str],
    pages: Sequence[str],
    *,
    who: str,
    at: datetime,
) -> int:
    """Store a set of pages. Return its id."""
    values = {"name": name, "readings": list(readings), "pages": list(pages), "who": who, "created": at}
    return int(connection.execute(vote_set.insert().values(values).returning(vote_set.c.id)).scalar_one())


def load_vote_set(connection: Connection, number: int) -> VoteSet | None:
    """Return a set by its id, or None."""
    row = connection.execute(select(vote_set).where(vote_set.c.id == number)).first()
    return _as_set(row) if row else None


def list_vote_sets(connection: Connection, most: int) -> list[tuple[VoteSet, int, int]]:
    """Return the last sets, newest first, each with its number of votes and of voters."""
    rows = connection.execute(select(vote_set).order_by(vote_set.c.id.desc()).limit(most)).all()
    voters = func.count(vote.c.who.distinct())
    wanted = select(vote.c.vote_set, func.count(), voters).group_by(vote.c.vote_set)
    wanted = wanted.where(vote.c.vote_set.in_([row.id for row in rows]))
    counts = {row[0]: (int(row[1]), int(row[2])) for row in connection.execute(wanted)}
    return [(_as_set(row), *counts.get(row.id, (0, 0))) for row in rows]


def _as_set(row: Any) -> VoteSet:
    values = dict(row._mapping)
    return VoteSet(**{**values, "readings": tuple(values["readings"]), "pages": tuple(values["pages"])})


def put_vote(connection: Connection, number: int, given: Vote) -> None:
    """Store a vote on a page of a set, in place of an earlier one of the same person."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert: Any = dialect.insert(vote)
    changed = {name: insert.excluded[name] for name in ("choice", "seconds", "at")}
    values = {name: getattr(given, name) for name in Vote.__slots__}
    statement = insert.on_conflict_do_update(index_elements=["vote_set", "page", "who"], set_=changed)
    connection.execute(statement.values({"vote_set": number, **values}))


def votes_of(connection: Connection, number: int) -> list[Vote]:
    """Return all votes on a set, by page and time."""
    wanted = select(*(vote.c[name] for name in Vote.__slots__)).where(vote.c.vote_set == number)
    return [Vote(*row) for row in connection.execute(wanted.order_by(vote.c.page, vote.c.at))]
