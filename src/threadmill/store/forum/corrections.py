"""The table of corrections: what people said about a forum, by whom and when.

A forum is named by the URL of its job. So corrections outlive the learnt model and a rebuild of the database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, Table, Text, select

from threadmill.store.crawl.jobs import job
from threadmill.store.forum.forums import board, forum
from threadmill.store.schema import Identity, Instant, metadata

correction = Table(
    "correction",
    metadata,
    Column("id", Identity, primary_key=True),
    Column("url", Text, nullable=False, index=True),  # of the job
    Column("kind", Text, nullable=False),  # see threadmill.forum.site_model.corrections
    Column("said", JSON, nullable=False),  # its values, a list of texts
    Column("tested", JSON, nullable=False),  # counts before and after, over archived pages
    Column("who", Text, nullable=False),
    Column("at", Instant, nullable=False),
)


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """One correction of a forum."""

    id: int
    url: str
    kind: str
    said: tuple[str, ...]
    tested: Mapping[str, Any]
    who: str
    at: datetime


def add_correction(
    connection: Connection,
    url: str,
    kind: str,
    said: Sequence[str],
    tested: Mapping[str, Any],
    *,
    who: str,
    at: datetime,
) -> int:
    """Store a correction. Return its id."""
    values = {"url": url, "kind": kind, "said": list(said), "tested": dict(tested), "who": who, "at": at}
    row = correction.insert().values(values).returning(correction.c.id)
    return int(connection.execute(row).scalar_one())


def corrections_of(connection: Connection, url: str) -> list[CorrectionRow]:
    """Return the corrections of the forum with this start URL, oldest first."""
    wanted = select(correction).where(correction.c.url == url).order_by(correction.c.id)
    return [CorrectionRow(**{**row._mapping, "said": tuple(row.said)}) for row in connection.execute(wanted)]


def corrections_of_job(connection: Connection, job_id: int) -> list[CorrectionRow]:
    """Return the corrections of the forum of a job, oldest first."""
    url = connection.execute(select(job.c.url).where(job.c.id == job_id)).scalar()
    return corrections_of(connection, url) if url else []


def remove_correction(connection: Connection, url: str, number: int) -> None:
    """Forget a correction. The model is forgotten too: the next crawl learns the forum without it."""
    mine = (correction.c.url == url, correction.c.id == number)
    if connection.execute(correction.delete().where(*mine)).rowcount:
        jobs = select(job.c.id).where(job.c.url == url, job.c.kind == "forum")
        connection.execute(forum.update().where(forum.c.job.in_(jobs)).values(model={}))


def copy_corrections(source: Connection, target: Connection) -> None:
    """Copy all corrections into another store."""
    rows = [dict(row._mapping) for row in source.execute(select(correction))]
    if rows:
        target.execute(correction.insert(), rows)


def stop_boards(connection: Connection, forum_id: int, urls: Sequence[str]) -> None:
    """Forget the due pages of some boards, because they are no boards."""
    mine = (board.c.forum == forum_id, board.c.url.in_(urls))
    connection.execute(board.update().where(*mine).values(due=None))
