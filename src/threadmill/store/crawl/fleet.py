"""The tables of a fleet: its forums with their due times, which worker may ask which host, and the workers.

A worker takes a host for a short time, and renews that while it works. If it dies, the time runs out and
another worker takes the host over. All times are those of the database, so the clocks of machines may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    Table,
    Text,
    func,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import insert

from threadmill.store.schema import Instant, metadata

fleet_host = Table(
    "fleet_host",
    metadata,
    Column("host", Text, primary_key=True),
    Column("owner", Text),  # the worker that may ask it; NULL: nobody
    Column("free", Instant),  # from when on another worker may take it; NULL: now
)

fleet_forum = Table(
    "fleet_forum",
    metadata,
    Column("url", Text, primary_key=True),
    Column("host", Text, ForeignKey("fleet_host.host"), nullable=False, index=True),
    Column("due", Instant, nullable=False, index=True),
    Column("why", Text, nullable=False),
    Column("failures", Integer, nullable=False),  # runs in a row that failed
    Column("last_failure", Text, nullable=False),
)

fleet_worker = Table(
    "fleet_worker",
    metadata,
    Column("name", Text, primary_key=True),
    Column("machine", Text, nullable=False),
    Column("process", Integer, nullable=False),
    Column("started", Instant, nullable=False),
    Column("seen", Instant, nullable=False),
    Column("draining", Boolean, nullable=False),  # does it finish its runs and start no more
    Column("runs", BigInteger, nullable=False),
    Column("pages", BigInteger, nullable=False),
    Column("posts", BigInteger, nullable=False),
)

# The requests of the whole fleet by hour. A worker takes some in advance, and gives back what is left.
fleet_hour = Table(
    "fleet_hour",
    metadata,
    Column("hour", Instant, primary_key=True),
    Column("requests", BigInteger, nullable=False),
)


@dataclass(frozen=True, slots=True)
class TakenHost:
    """A host that a worker may ask now."""

    host: str
    forums: tuple[FleetForum, ...]  # those that are due
    taken_over: bool  # did its last owner not give it back


@dataclass(frozen=True, slots=True)
class FleetForum:
    """A forum of a fleet."""

    url: str
    failures: int = 0


@dataclass(frozen=True, slots=True)
class WorkerCounts:
    """What a worker has done since it started."""

    runs: int = 0
    pages: int = 0
    posts: int = 0


@dataclass(frozen=True, slots=True)
class WorkerState:
    """A worker of a fleet, as the database knows it."""

    name: str
    machine: str
    process: int
    started: datetime
    seen: datetime
    draining: bool
    counts: WorkerCounts
    hosts: tuple[str, ...]
    silent: timedelta  # since it was last seen


@dataclass(frozen=True, slots=True)
class FleetSummary:
    """The forums of a fleet in numbers."""

    forums: int
    due: int
    hosts_taken: int
    failing: Mapping[str, str]  # URL → why its last run failed
    next_due: datetime | None


def database_now(connection: Connection) -> datetime:
    """The time of the database."""
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return now


def add_forums(connection: Connection, urls: Iterable[str]) -> int:
    """Add forums to the fleet. They are due at once. Return how many are new."""
    now, added = database_now(connection), 0
    for url in urls:
        host = urlsplit(url).netloc
        connection.execute(insert(fleet_host).values(host=host).on_conflict_do_nothing())
        row = insert(fleet_forum).values(
            url=url, host=host, due=now, why="it was never crawled", failures=0, last_failure=""
        )
        new = connection.execute(row.on_conflict_do_nothing().returning(fleet_forum.c.url)).first()
        added += new is not None
    return added


def take_host(connection: Connection, owner: str, seconds: float) -> TakenHost | None:
    """Take the host whose forum has been due longest, and which nobody has. None if there is none."""
    now = database_now(connection)
    wanted = (
        select(fleet_host.c.host, fleet_host.c.owner)
        .join(fleet_forum, fleet_forum.c.host == fleet_host.c.host)
        .where(fleet_forum.c.due <= now, _is_free(now))
        .order_by(fleet_forum.c.due, fleet_forum.c.url)
        .limit(1)
        .with_for_update(of=fleet_host, skip_locked=True)
    )
    row = connection.execute(wanted).first()
    if row is None:
        return None
    hold_hosts(connection, owner, {row.host: seconds})
    due = select(fleet_forum.c.url, fleet_forum.c.failures).where(
        fleet_forum.c.host == row.host, fleet_forum.c.due <= now
    )
    forums = tuple(FleetForum(*found) for found in connection.execute(due.order_by(fleet_forum.c.due)))
    return TakenHost(row.host, forums, row.owner is not None)


def take_named_host(connection: Connection, owner: str, host: str, seconds: float) -> bool:
    """Take a host that a forum leads to. False if another worker has it."""
    connection.execute(insert(fleet_host).values(host=host).on_conflict_do_nothing())
    now = database_now(connection)
    free = or_(_is_free(now), fleet_host.c.owner == owner)
    row = fleet_host.update().where(fleet_host.c.host == host, free)
    values = {"owner": owner, "free": now + timedelta(seconds=seconds)}
    return connection.execute(row.values(values)).rowcount > 0


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(fleet_host.c.free.is_(None), fleet_host.c.free <= now)


def hold_hosts(connection: Connection, owner: str, seconds: Mapping[str, float]) -> None:
    """Give hosts to a worker; others may take each after so many seconds."""
    now = database_now(connection)
    for host, span in sorted(seconds.items()):
        row = fleet_host.update().where(fleet_host.c.host == host)
        connection.execute(row.values(owner=owner, free=now + timedelta(seconds=span)))


def renew_hosts(connection: Connection, owner: str, seconds: Mapping[str, float]) -> set[str]:
    """Keep hosts for so many more seconds each. Return those that still belong to the worker."""
    wanted = select(fleet_host.c.host).where(
        fleet_host.c.owner == owner, fleet_host.c.host.in_(sorted(seconds))
    )
    kept = set(connection.execute(wanted.with_for_update()).scalars())
    hold_hosts(connection, owner, {host: seconds[host] for host in kept})
    return kept


def give_back(connection: Connection, owner: str, host: str, seconds: float) -> None:
    """Let others take a host after so many seconds. Nothing happens if another worker has taken it."""
    free = database_now(connection) + timedelta(seconds=seconds)
    row = fleet_host.update().where(fleet_host.c.owner == owner, fleet_host.c.host == host)
    connection.execute(row.values(owner=None, free=free))


def plan_forum(
    connection: Connection, url: str, wait: timedelta, why: str, failure: tuple[int, str] = (0, "")
) -> None:
    """Store when a forum is due next, and how its last runs failed: how often, and why."""
    count, sentence = failure
    connection.execute(
        fleet_forum.update()
        .where(fleet_forum.c.url == url)
        .values(due=database_now(connection) + wait, why=why, failures=count, last_failure=sentence)
    )


def take_requests(connection: Connection, wanted: int, budget: int) -> int:
    """Take up to `wanted` of the requests that the fleet may make in 24 hours. Return how many there were."""
    now = database_now(connection)
    hour = now.replace(minute=0, second=0, microsecond=0)
    connection.execute(insert(fleet_hour).values(hour=hour, requests=0).on_conflict_do_nothing())
    # Whoever takes requests waits for these rows, so no two take the same. All of them, because a new hour
    # begins with a row that nobody holds.
    counted = select(fleet_hour.c.requests).where(fleet_hour.c.hour > _first_hour(now))
    connection.execute(counted.order_by(fleet_hour.c.hour).with_for_update())
    granted = min(wanted, max(0, budget - _requests_since(connection, _first_hour(now))))
    row = fleet_hour.update().where(fleet_hour.c.hour == hour)
    connection.execute(row.values(requests=fleet_hour.c.requests + granted))
    return granted


def requests_left(connection: Connection, budget: int) -> int:
    """How many of its requests the fleet may still make now."""
    return max(0, budget - _requests_since(connection, _first_hour(database_now(connection))))


def return_requests(connection: Connection, unused: int) -> None:
    """Give back requests that were taken but not made."""
    last = select(func.max(fleet_hour.c.hour)).scalar_subquery()
    row = fleet_hour.update().where(fleet_hour.c.hour == last)
    connection.execute(row.values(requests=fleet_hour.c.requests - unused))


def _first_hour(now: datetime) -> datetime:
    """The hours that begin after this count. Requests of a part of an hour may be less than 24 hours old."""
    return now - timedelta(days=1, hours=1)


def _requests_since(connection: Connection, moment: datetime) -> int:
    wanted = select(func.coalesce(func.sum(fleet_hour.c.requests), 0)).where(fleet_hour.c.hour > moment)
    return int(connection.execute(wanted).scalar_one())


def report_worker(connection: Connection, worker: Mapping[str, Any], counts: WorkerCounts) -> bool:
    """Note that a worker is alive and what it has done. True if somebody asked it to drain."""
    now = database_now(connection)
    done = {"runs": counts.runs, "pages": counts.pages, "posts": counts.posts}
    row = insert(fleet_worker).values(**worker, started=now, seen=now, draining=False, **done)
    row = row.on_conflict_do_update(index_elements=["name"], set_={"seen": now, **done})
    found = connection.execute(row.returning(fleet_worker.c.draining)).scalar_one()
    return bool(found)


def remove_worker(connection: Connection, name: str) -> None:
    """Remove a worker that has ended."""
    connection.execute(fleet_worker.delete().where(fleet_worker.c.name == name))


def remove_silent_workers(connection: Connection, seconds: float) -> None:
    """Remove workers that were not seen for some time. Their hosts are free by then."""
    limit = database_now(connection) - timedelta(seconds=seconds)
    connection.execute(fleet_worker.delete().where(fleet_worker.c.seen < limit))


def drain_worker(connection: Connection, name: str) -> bool:
    """Ask a worker to finish its runs and end. False if there is no such worker."""
    row = fleet_worker.update().where(fleet_worker.c.name == name).values(draining=True)
    return connection.execute(row).rowcount > 0


def urls_of_host(connection: Connection, host: str) -> list[str]:
    """The forums of a host."""
    wanted = select(fleet_forum.c.url).where(fleet_forum.c.host == host).order_by(fleet_forum.c.url)
    return list(connection.execute(wanted).scalars())


def hosts_of(connection: Connection, owner: str) -> list[str]:
    """The hosts that a worker holds."""
    wanted = select(fleet_host.c.host).where(fleet_host.c.owner == owner).order_by(fleet_host.c.host)
    return list(connection.execute(wanted).scalars())


def fleet_workers(connection: Connection) -> list[WorkerState]:
    """All workers, oldest first."""
    now = database_now(connection)
    rows = connection.execute(select(fleet_worker).order_by(fleet_worker.c.started, fleet_worker.c.name))
    return [
        WorkerState(
            row.name,
            row.machine,
            row.process,
            row.started,
            row.seen,
            row.draining,
            WorkerCounts(row.runs, row.pages, row.posts),
            tuple(hosts_of(connection, row.name)),
            now - row.seen,
        )
        for row in rows
    ]


def fleet_summary(connection: Connection) -> FleetSummary:
    """The forums of the fleet in numbers."""
    now = database_now(connection)
    forums = connection.execute(select(func.count()).select_from(fleet_forum)).scalar_one()
    due = connection.execute(select(func.count()).where(fleet_forum.c.due <= now)).scalar_one()
    taken = connection.execute(
        select(func.count()).where(fleet_host.c.owner.is_not(None), fleet_host.c.free >= now)
    ).scalar_one()
    failing = select(fleet_forum.c.url, fleet_forum.c.last_failure).where(fleet_forum.c.failures > 0)
    later = connection.execute(select(func.min(fleet_forum.c.due))).scalar()
    found = connection.execute(failing.order_by(fleet_forum.c.url)).all()
    return FleetSummary(forums, due, taken, {row.url: row.last_failure for row in found}, later)
