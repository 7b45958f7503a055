"""The table of the URL frontier: each URL that a job has found, once, with its state."""

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
    """The state of a URL."""

    QUEUED = 0
    LEASED = 1  # taken by a running crawl
    WAITING = 2  # will be tried again when it is due
    DONE = 3
    FAILED = 4
    REFUSED = 5  # by robots.txt or the address rules
    BEYOND = 6  # deeper than the allowed depth; a later run may allow it


queue = Table(
    "frontier",
    metadata,
    # Ids grow: URLs of equal priority are fetched in the order they were found.
    Column("id", Identity, primary_key=True),
    # A 64-bit hash of job and URL. Its index is a quarter of the size of an index on the URL.
    Column("key", BigInteger, nullable=False, unique=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False),
    Column("host", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("priority", Float, nullable=False),  # smaller is fetched sooner
    Column("depth", SmallInteger, nullable=False),
    Column("state", SmallInteger, nullable=False, default=0),
    Column("tries", SmallInteger, nullable=False, default=0),
    Column("due", Double, nullable=False, default=0.0),  # Unix time, used with WAITING
    Column("reason", Text, nullable=False, default=""),
    # Partial indexes: finished URLs take no place in them.
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
    """The SQL condition for a state. The literal number lets both databases use the partial index."""
    return queue.c.state == literal_column(str(int(state)))


def _add_to(insert: Any) -> Any:
    """Insert rows with a new key. A URL that was too deep is queued when it is found at an allowed depth."""
    return insert.on_conflict_do_update(
        index_elements=["key"],
        set_={name: insert.excluded[name] for name in ("depth", "priority", "state")},
        where=is_in(UrlState.BEYOND) & (insert.excluded.state != literal_column(str(int(UrlState.BEYOND)))),
    )


# The columns of a new row, in this order.
ROW = ("key", "job", "host", "url", "priority", "depth", "state", "tries", "due", "reason")
# A plain string for the driver: SQLAlchemy needs as long to prepare 100 rows as SQLite to store them.
_ADD_TO_SQLITE = str(_add_to(sqlite.insert(queue)).compile(dialect=sqlite.dialect(), column_keys=ROW))
# With RETURNING, SQLAlchemy sends many rows in one statement. Otherwise psycopg sends one statement per row.
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
    """Add the rows whose key is new. Return their number."""
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        named = [dict(zip(ROW, row, strict=True)) for row in rows]
        return len(connection.execute(_ADD_TO_POSTGRESQL, named).all())
    return int(connection.exec_driver_sql(_ADD_TO_SQLITE, list(rows)).rowcount)


def settle_rows(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Update state, tries, due and reason of leased rows. `row` is the id."""
    if rows:
        connection.execute(_SETTLE, rows)


def lease_rows(connection: Connection, job: int, host: str, count: int) -> list[Row[Any]]:
    """Lease the first queued rows of a host. Two crawls on one database never get the same row."""
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
    """Apply a new depth limit: queue URLs that it allows, set deeper ones aside. 0 means no limit."""
    mine = queue.c.job == job
    within = queue.c.depth <= max_depth if max_depth else true()
    queued, beyond = int(UrlState.QUEUED), int(UrlState.BEYOND)
    connection.execute(update(queue).where(mine, is_in(UrlState.BEYOND), within).values(state=queued))
    if max_depth:
        too_deep = (mine, is_in(UrlState.QUEUED), queue.c.depth > max_depth)
        connection.execute(update(queue).where(*too_deep).values(state=beyond))


def revive(connection: Connection, job: int, key: int) -> None:
    """Queue all waiting rows at once, and the row of `key` even if it failed."""
    again = is_in(UrlState.WAITING) | ((queue.c.key == key) & is_in(UrlState.FAILED))
    connection.execute(
        update(queue).where(queue.c.job == job, again).values(state=int(UrlState.QUEUED), tries=0)
    )


def requeue(connection: Connection, key: int) -> None:
    """Queue a row again that was done."""
    done = (queue.c.key == key, queue.c.state == int(UrlState.DONE))
    connection.execute(update(queue).where(*done).values(state=int(UrlState.QUEUED), tries=0))


def give_back_all(connection: Connection, job: int) -> int:
    """Queue again the rows that a killed crawl had leased. Return their number."""
    back = update(queue).where(queue.c.job == job, is_in(UrlState.LEASED)).values(state=int(UrlState.QUEUED))
    return int(connection.execute(back).rowcount)


def wake_rows(connection: Connection, job: int, now: float) -> list[str]:
    """Queue waiting rows that are due. Return their hosts."""
    due = (queue.c.job == job, is_in(UrlState.WAITING), queue.c.due <= now)
    hosts = list(connection.execute(select(queue.c.host).where(*due).distinct()).scalars())
    if hosts:
        connection.execute(update(queue).where(*due).values(state=int(UrlState.QUEUED)))
    return hosts


def next_due(connection: Connection, job: int) -> float | None:
    """Return the time when the next waiting row is due."""
    return connection.execute(
        select(func.min(queue.c.due)).where(queue.c.job == job, is_in(UrlState.WAITING))
    ).scalar()


def queued_hosts(connection: Connection, job: int) -> Iterator[str]:
    """Yield the hosts with queued rows. One index lookup per host avoids a scan of a million rows."""
    first = (queue.c.job == job, is_in(UrlState.QUEUED))
    host = connection.execute(select(func.min(queue.c.host)).where(*first)).scalar()
    following = select(func.min(queue.c.host)).where(*first, queue.c.host > bindparam("after"))
    while host is not None:
        yield host
        host = connection.execute(following, {"after": host}).scalar()


def count_state(connection: Connection, job: int, state: UrlState) -> int:
    """Count the rows of a job in a state."""
    return int(connection.execute(select(func.count()).where(queue.c.job == job, is_in(state))).scalar_one())


def find_rows(connection: Connection, keys: Iterable[int]) -> list[Row[Any]]:
    """Return the rows with these keys, in any state."""
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
