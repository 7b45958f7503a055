"""The table of the sites of each task: their outcome, and when they passed each stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    select,
)

from threadmill.store.schema import Instant, metadata

site = Table(
    "site",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.id"), nullable=False),
    Column("position", Integer, nullable=False),  # in the list of the task
    Column("root_url", Text, nullable=False),
    Column("alone", Boolean, nullable=False),  # no other site of the task has its host
    Column("files_path", Text, nullable=False),  # relative to the workspace; empty until it is collected
    Column("downloaded_at", Instant),
    Column("preprocessed_at", Instant),
    Column("extracted_at", Instant),
    Column("vectorized_at", Instant),
    Column("outcome", Text, nullable=False),  # empty until it is read
    Column("reason", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("name", Text, nullable=False, server_default=""),  # what it calls itself
    UniqueConstraint("task_id", "position"),
    Index("ix_site_task_id_extracted_at", "task_id", "extracted_at"),  # finds unread sites
)

STAGE_TIMES = ("downloaded_at", "preprocessed_at", "extracted_at", "vectorized_at")
FAILED = "failed"  # the outcome of a site that a stage gave up


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A stored site of a task."""

    id: UUID
    task_id: UUID
    position: int
    root_url: str
    alone: bool = True
    files_path: str = ""
    downloaded_at: datetime | None = None
    preprocessed_at: datetime | None = None
    extracted_at: datetime | None = None
    vectorized_at: datetime | None = None
    outcome: str = ""
    reason: str = ""
    language: str = ""
    pages: int = 0
    name: str = ""


def add_sites(connection: Connection, rows: Sequence[SiteRow]) -> None:
    """Store the sites of a new task."""
    connection.execute(
        site.insert(), [{name: getattr(row, name) for name in SiteRow.__slots__} for row in rows]
    )


def load_site(connection: Connection, site_id: UUID) -> SiteRow | None:
    """Return a site by its id, or None."""
    found = connection.execute(select(site).where(site.c.id == site_id)).first()
    return SiteRow(**found._mapping) if found else None


def sites_of(
    connection: Connection, task_id: UUID, *, outcome: str = "", limit: int | None = None, offset: int = 0
) -> list[SiteRow]:
    """Return the sites of a task in the order of its list. With `outcome`, only those with this outcome."""
    wanted = select(site).where(site.c.task_id == task_id).order_by(site.c.position)
    if outcome:
        wanted = wanted.where(site.c.outcome == outcome)
    return [SiteRow(**row._mapping) for row in connection.execute(wanted.limit(limit).offset(offset))]


@dataclass(frozen=True, slots=True)
class SiteOutline:
    """What a list of sites shows of one."""

    position: int
    root_url: str
    outcome: str
    reason: str
    language: str
    pages: int


def outline_sites(connection: Connection, task_id: UUID) -> list[SiteOutline]:
    """Return the sites of a task in the order of its list, without the times of stages."""
    columns = [site.c[name] for name in SiteOutline.__slots__]
    wanted = select(*columns).where(site.c.task_id == task_id).order_by(site.c.position)
    return [SiteOutline(*row) for row in connection.execute(wanted)]


def find_site(connection: Connection, task_id: UUID, position: int) -> SiteRow | None:
    """Return a site by its position in the list of its task, or None."""
    found = connection.execute(
        select(site).where(site.c.task_id == task_id, site.c.position == position)
    ).first()
    return SiteRow(**found._mapping) if found else None


def count_sites_of(connection: Connection, task_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Count the sites of several tasks."""
    wanted = select(site.c.task_id, func.count()).where(site.c.task_id.in_(task_ids)).group_by(site.c.task_id)
    return {row[0]: int(row[1]) for row in connection.execute(wanted)}


def count_sites(connection: Connection, task_id: UUID, *, outcome: str = "") -> int:
    """Count the sites of a task. With `outcome`, only those with this outcome."""
    wanted = select(func.count()).where(site.c.task_id == task_id)
    if outcome:
        wanted = wanted.where(site.c.outcome == outcome)
    return int(connection.execute(wanted).scalar_one())


def update_site(connection: Connection, site_id: UUID, values: Mapping[str, Any]) -> None:
    """Store new column values of a site."""
    connection.execute(site.update().where(site.c.id == site_id).values(dict(values)))


def is_all_read(connection: Connection, task_id: UUID) -> bool:
    """Whether all sites of a task have been read."""
    left = select(site.c.id).where(site.c.task_id == task_id, site.c.extracted_at.is_(None)).limit(1)
    return connection.execute(left).first() is None


def note_vectorized(connection: Connection, task_id: UUID, at: datetime) -> None:
    """Store that the usable sites of a task have been compared."""
    mine = (site.c.task_id == task_id, site.c.outcome == "ok", site.c.vectorized_at.is_(None))
    connection.execute(site.update().where(*mine).values(vectorized_at=at))


def count_stages(connection: Connection, task_id: UUID) -> dict[str, int]:
    """Count the sites of a task that have passed each stage. The key `sites` counts all."""
    counted = [func.count(site.c[name]).label(name.removesuffix("_at")) for name in STAGE_TIMES]
    wanted = select(func.count().label("sites"), *counted).where(site.c.task_id == task_id)
    return {name: int(value) for name, value in connection.execute(wanted).mappings().one().items()}


def count_outcomes(connection: Connection, task_id: UUID) -> dict[str, int]:
    """Count the sites of a task by outcome. Sites without an outcome are left out."""
    wanted = (
        select(site.c.outcome, func.count())
        .where(site.c.task_id == task_id, site.c.outcome != "")
        .group_by(site.c.outcome)
        .order_by(site.c.outcome)
    )
    return {str(outcome): int(count) for outcome, count in connection.execute(wanted)}


def last_step(connection: Connection, task_id: UUID) -> datetime | None:
    """Return the latest time at which a site of a task passed a stage."""
    wanted = select(func.max(site.c.downloaded_at), func.max(site.c.extracted_at)).where(
        site.c.task_id == task_id
    )
    found = connection.execute(wanted).one()
    return max((moment for moment in found if moment is not None), default=None)


def count_all_outcomes(connection: Connection) -> dict[str, int]:
    """Count the sites of all tasks by outcome; an empty outcome: not read yet."""
    wanted = select(site.c.outcome, func.count()).group_by(site.c.outcome)
    return {str(row[0]): int(row[1]) for row in connection.execute(wanted)}
