"""The tables of jobs and runs: what the user wants to crawl, and how each run of it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import JSON, Column, Connection, ForeignKey, Integer, Table, Text, UniqueConstraint, select

from threadmill.store.schema import Identity, Instant, metadata

job = Table(
    "job",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("kind", Text, nullable=False),  # "site" or "forum"
    Column("url", Text, nullable=False),  # the start URL
    Column("scope", Text, nullable=False),  # another scope makes another job
    Column("created", Instant, nullable=False),
    UniqueConstraint("kind", "url", "scope"),
)

run = Table(
    "run",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("job", Identity, ForeignKey("job.id"), nullable=False, index=True),
    Column("started", Instant, nullable=False),
    Column("ended", Instant),  # NULL while it runs, or when it was killed
    Column("exit_code", Integer),
    Column("counts", JSON, nullable=False),
)

UNFINISHED = "unfinished"  # a key in the counts of a run that stopped before its end


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """Something to crawl. It stays the same over all its runs."""

    id: int
    kind: str
    url: str
    scope: str


def find_or_add_job(connection: Connection, kind: str, url: str, scope: str, at: datetime) -> CrawlJob:
    """Return the job with this kind, start URL and scope. Add it if it is new."""
    found = find_job(connection, kind, url, scope)
    if found is None:
        row = job.insert().values(kind=kind, url=url, scope=scope, created=at).returning(job.c.id)
        found = connection.execute(row).scalar_one()
    return CrawlJob(found, kind, url, scope)


def find_job(connection: Connection, kind: str, url: str, scope: str) -> int | None:
    """Return the id of the job with this kind, start URL and scope; None if there is none."""
    wanted = select(job.c.id).where(job.c.kind == kind, job.c.url == url, job.c.scope == scope)
    found = connection.execute(wanted).scalar()
    return int(found) if found is not None else None


def is_unfinished(connection: Connection, job_id: int) -> bool:
    """Whether the last run of a job was killed or stopped before its end."""
    last = select(run.c.ended, run.c.counts).where(run.c.job == job_id).order_by(run.c.id.desc()).limit(1)
    row = connection.execute(last).first()
    return row is not None and (row.ended is None or UNFINISHED in row.counts)


def start_run(connection: Connection, job_id: int, at: datetime) -> int:
    """Store the start of a run. Return its id."""
    row = run.insert().values(job=job_id, started=at, counts={}).returning(run.c.id)
    return int(connection.execute(row).scalar_one())


def end_run(
    connection: Connection, run_id: int, at: datetime, exit_code: int, counts: Mapping[str, int]
) -> None:
    """Store the end of a run."""
    values = {"ended": at, "exit_code": exit_code, "counts": dict(counts)}
    connection.execute(run.update().where(run.c.id == run_id).values(values))


def correct_run(
    connection: Connection,
    run_id: int,
    started: datetime,
    ended: tuple[datetime | None, int, Mapping[str, int]] | None,
) -> None:
    """Store when a run began, and how it ended: when, with which code and counts. None: it was killed."""
    at, code, counts = ended or (None, None, {})
    values = {"started": started, "ended": at, "exit_code": code, "counts": dict(counts)}
    connection.execute(run.update().where(run.c.id == run_id).values(values))


def last_run(connection: Connection, job_id: int) -> int:
    """Return the id of the last run of a job; 0 without any."""
    wanted = select(run.c.id).where(run.c.job == job_id).order_by(run.c.id.desc()).limit(1)
    return int(connection.execute(wanted).scalar() or 0)
