"""The table of robots.txt files: the last answer of each origin, kept for later runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Connection, Integer, LargeBinary, Table, Text, select

from threadmill.store.schema import Instant, metadata

robots = Table(
    "robots",
    metadata,
    Column("origin", Text, primary_key=True),
    Column("at", Instant, nullable=False),  # time of the last request
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("body_at", Instant),
    Column("failing_since", Instant),
)


@dataclass(frozen=True, slots=True)
class RobotsRow:
    """A stored robots.txt. The rooms of threadmill.crawl interpret it."""

    origin: str
    at: datetime
    status: int
    body: bytes = b""
    body_at: datetime | None = None
    failing_since: datetime | None = None


def keep_robots(connection: Connection, row: RobotsRow) -> None:
    """Store a robots.txt in place of the earlier one of its origin."""
    connection.execute(robots.delete().where(robots.c.origin == row.origin))
    values = {name: getattr(row, name) for name in RobotsRow.__slots__}
    connection.execute(robots.insert().values(values))


def find_robots(connection: Connection, origin: str) -> RobotsRow | None:
    """Return the robots.txt of an origin, or None if it was never requested."""
    found = connection.execute(select(robots).where(robots.c.origin == origin)).first()
    return RobotsRow(**found._mapping) if found else None
