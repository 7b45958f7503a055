"""The tables of jobs and runs: what the user wants to crawl, and how each run of it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    func,
    select,
)

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


@dataclass(frozen=True, slots=True)
class JobState:
    """A job with its last run."""

    id: int
    kind: str
    url: str
    scope: str
    run: int | None
    started: datetime | None
    ended: datetime | None
    counts: Mapping[str, int]

    @property
    def unfinished(self) -> bool:
        """Whether the last run was killed or stopped before its end, or still runs."""
        return self.run is not None and (self.ended is None or UNFINISHED in self.counts)

    @property
    def troubles(self) -> dict[str, int]:
        """What went wrong in the last run, and how often."""
        begin = "trouble: "
        return {key.removeprefix(begin): n for key, n in self.counts.items() if key.startswith(begin)}


def job_states(connection: Connection) -> list[JobState]:
    """Return all jobs with their last runs, in the order in which they were added."""
    last = select(run.c.job, func.max(run.c.id).label("id")).group_by(run.c.job).subquery()
    wanted = (
        select(
            job.c.id, job.c.kind, job.c.url, job.c.scope, run.c.id.label("run"), run.c.started, run.c.ended,
            run.c.counts,
        )
        .outerjoin(last, last.c.job == job.c.id)
        .outerjoin(run, run.c.id == last.c.id)
        .order_by(job.c.id)
    )  # fmt: skip
    return [JobState(**{**row._mapping, "counts": row.counts or {}}) for row in connection.execute(wanted)]


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


def runs_of(connection: Connection, job_id: int, most: int) -> list[tuple[int, datetime, datetime | None]]:
    """Return number, start and end of the last runs of a job, oldest first."""
    wanted = select(run.c.id, run.c.started, run.c.ended).where(run.c.job == job_id)
    rows = connection.execute(wanted.order_by(run.c.id.desc()).limit(most)).all()
    return [(row.id, row.started, row.ended) for row in reversed(rows)]
