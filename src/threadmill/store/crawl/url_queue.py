"""The table of the frontier: every URL a job has met, once, with the state it is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Float,
    ForeignKey,
    Index,
    Row,
    Select,
    SmallInteger,
    Table,
    Text,
    bindparam,
    func,
    literal_column,
    select,
    text,
    true,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from threadmill.store.schema import Identity, metadata


class UrlState(IntEnum):
    """What has become of a URL."""

    QUEUED = 0
    LEASED = 1  # in the hands of a running crawl
    WAITING = 2  # to be tried again when it is due
    DONE = 3
    FAILED = 4
    REFUSED = 5  # by robots.txt or the address policy
    BEYOND = 6  # deeper than the crawl may go; a later run may go deeper


queue = Table(
    "frontier",
    metadata,
    Column(
        "id", Identity, primary_key=True
    ),  # grows: within one priority the queue is first come, first served
    # 64 bits of a hash over job and URL: an index on this is a quarter of the size of one on the URL itself.
    Column("key", BigInteger, nullable=False, unique=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False),
    Column("host", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("priority", Float, nullable=False),  # smaller is sooner
    Column("depth", SmallInteger, nullable=False),
    Column("state", SmallInteger, nullable=False, default=0),
    Column("tries", SmallInteger, nullable=False, default=0),
    Column("due", Double, nullable=False, default=0.0),  # Unix time, for WAITING
    Column("reason", Text, nullable=False, default=""),
    # Partial: what is finished costs the queue nothing.
    Index(
        "ix_frontier_queued",
        "job",
        "host",
        "priority",
        "id",
        sqlite_where=text("state = 0"),
        postgresql_where=text("state = 0"),
    ),
    Index("ix_frontier_leased", "job", sqlite_where=text("state = 1"), postgresql_where=text("state = 1")),
    Index(
        "ix_frontier_waiting",
        "job",
        "due",
        sqlite_where=text("state = 2"),
        postgresql_where=text("state = 2"),
    ),
    Index(
        "ix_frontier_beyond",
        "job",
        "depth",
        sqlite_where=text("state = 6"),
        postgresql_where=text("state = 6"),
    ),
)


def is_in(state: UrlState) -> Any:
    """The condition that a row is in a state, written so that both databases see the partial index in it."""
    return queue.c.state == literal_column(str(int(state)))


def _add_to(insert: Any) -> Any:
    """Rows whose key is new; and a shorter way to what was too deep brings it within reach."""
    return insert.on_conflict_do_update(
        index_elements=["key"],
        set_={name: insert.excluded[name] for name in ("depth", "priority", "state")},
        where=is_in(UrlState.BEYOND) & (insert.excluded.state != literal_column(str(int(UrlState.BEYOND)))),
    )


# What a new row is made of, in this order.
ROW = ("key", "job", "host", "url", "priority", "depth", "state", "tries", "due", "reason")
# Handed to the driver as it is: preparing 100 rows takes SQLAlchemy as long as SQLite takes to store them.
_ADD_TO_SQLITE = str(_add_to(sqlite.insert(queue)).compile(dialect=sqlite.dialect(), column_keys=ROW))
# With RETURNING, SQLAlchemy sends many rows in one statement, where psycopg would send one each.
_ADD_TO_POSTGRESQL = _add_to(postgresql.insert(queue)).returning(queue.c.key)
_SETTLE = (
    update(queue)
    .where(queue.c.id == bindparam("row"))
    .values(
        state=bindparam("state"), tries=bindparam("tries"), due=bindparam("due"), reason=bindparam("reason")
    )
)
_LEASE = update(queue).where(queue.c.id == bindparam("row")).values(state=int(UrlState.LEASED))


def add_rows(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> int:
    """Put rows in whose key is new; gives how many were."""
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        named = [dict(zip(ROW, row, strict=True)) for row in rows]
        return len(connection.execute(_ADD_TO_POSTGRESQL, named).all())
    return int(connection.exec_driver_sql(_ADD_TO_SQLITE, list(rows)).rowcount)


def settle_rows(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set row, state, tries, due and reason of leased rows."""
    if rows:
        connection.execute(_SETTLE, rows)


def lease_rows(connection: Connection, job: int, host: str, count: int) -> list[Row[Any]]:
    """Take the first rows of a host's queue; two crawls on one database never get the same."""
    wanted: Select[Any] = (
        select(queue.c.id, queue.c.url, queue.c.depth, queue.c.tries)
        .where(queue.c.job == job, is_in(UrlState.QUEUED), queue.c.host == host)
        .order_by(queue.c.priority, queue.c.id)
        .limit(count)
        .with_for_update(skip_locked=True)
    )
    rows = list(connection.execute(wanted))
    if rows:
        connection.execute(_LEASE, [{"row": row.id} for row in rows])
    return rows


def set_reach(connection: Connection, job: int, max_depth: int) -> None:
    """Queue what is within reach now, and put aside what no longer is; 0 is no limit."""
    mine = queue.c.job == job
    within = queue.c.depth <= max_depth if max_depth else true()
    queued, beyond = int(UrlState.QUEUED), int(UrlState.BEYOND)
    connection.execute(update(queue).where(mine, is_in(UrlState.BEYOND), within).values(state=queued))
    if max_depth:
        too_deep = (mine, is_in(UrlState.QUEUED), queue.c.depth > max_depth)
        connection.execute(update(queue).where(*too_deep).values(state=beyond))


def revive(connection: Connection, job: int, key: int) -> None:
    """Try again at once what waits, and the row of a key even if it failed."""
    again = is_in(UrlState.WAITING) | ((queue.c.key == key) & is_in(UrlState.FAILED))
    connection.execute(
        update(queue).where(queue.c.job == job, again).values(state=int(UrlState.QUEUED), tries=0)
    )


def give_back_all(connection: Connection, job: int) -> int:
    """Queue again what a killed crawl had leased; gives how many."""
    back = update(queue).where(queue.c.job == job, is_in(UrlState.LEASED)).values(state=int(UrlState.QUEUED))
    return int(connection.execute(back).rowcount)


def wake_rows(connection: Connection, job: int, now: float) -> list[str]:
    """Queue again what waited until now; gives the hosts concerned."""
    due = (queue.c.job == job, is_in(UrlState.WAITING), queue.c.due <= now)
    hosts = list(connection.execute(select(queue.c.host).where(*due).distinct()).scalars())
    if hosts:
        connection.execute(update(queue).where(*due).values(state=int(UrlState.QUEUED)))
    return hosts


def next_due(connection: Connection, job: int) -> float | None:
    """When the first waiting row is due."""
    return connection.execute(
        select(func.min(queue.c.due)).where(queue.c.job == job, is_in(UrlState.WAITING))
    ).scalar()


def queued_hosts(connection: Connection, job: int) -> Iterator[str]:
    """Hosts with something queued: a step down the index per host, not a scan of a million rows."""
    first = (queue.c.job == job, is_in(UrlState.QUEUED))
    host = connection.execute(select(func.min(queue.c.host)).where(*first)).scalar()
    following = select(func.min(queue.c.host)).where(*first, queue.c.host > bindparam("after"))
    while host is not None:
        yield host
        host = connection.execute(following, {"after": host}).scalar()


def count_state(connection: Connection, job: int, state: UrlState) -> int:
    """How many rows of a job are in a state."""
    return int(connection.execute(select(func.count()).where(queue.c.job == job, is_in(state))).scalar_one())


def find_rows(connection: Connection, keys: Iterable[int]) -> list[Row[Any]]:
    """Rows by key, whatever their state."""
    columns = (
        queue.c.id,
        queue.c.key,
        queue.c.url,
        queue.c.host,
        queue.c.depth,
        queue.c.tries,
        queue.c.state,
    )
    return list(connection.execute(select(*columns).where(queue.c.key.in_(list(keys)))))
