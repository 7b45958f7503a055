"""The table of tasks: lists of sites to compare, each asked for once, under way until it is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Boolean, Column, Connection, Index, Table, Text, Uuid, select

from threadmill.store.schema import Instant, metadata

task = Table(
    "task",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("created_at", Instant, nullable=False),
    Column("done_at", Instant),  # empty: in progress
    Column("status", Text, nullable=False),
    Column("reason", Text, nullable=False),  # why it failed, empty otherwise
    Column("use_archive_data", Boolean, nullable=False),
    Column("queued_at", Instant),  # empty: its messages were not all handed to the queue
    Index("ix_task_done_at", "done_at"),
)


class TaskStatus(StrEnum):
    """Where a task stands."""

    IN_PROGRESS = "in_progress"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"  # the comparison itself could not be made


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the store keeps it."""

    id: UUID
    created_at: datetime
    done_at: datetime | None = None
    status: TaskStatus = TaskStatus.IN_PROGRESS
    reason: str = ""
    use_archive_data: bool = False
    queued_at: datetime | None = None


def add_task(connection: Connection, row: TaskRow) -> None:
    """Write a new task down."""
    values = {name: getattr(row, name) for name in TaskRow.__slots__}
    connection.execute(task.insert().values(**values))


def load_task(connection: Connection, task_id: UUID) -> TaskRow | None:
    """The task of an id."""
    found = connection.execute(select(task).where(task.c.id == task_id)).first()
    return _row(found._mapping) if found else None


def end_task(
    connection: Connection,
    task_id: UUID,
    at: datetime,
    status: TaskStatus = TaskStatus.DONE,
    reason: str = "",
) -> bool:
    """End a task that is in progress; one that has ended stays as it is, and False says so."""
    values = {"done_at": at, "status": status, "reason": reason}
    statement = task.update().where(task.c.id == task_id, task.c.done_at.is_(None)).values(values)
    return connection.execute(statement).rowcount == 1


def note_queued(connection: Connection, task_id: UUID, at: datetime | None) -> None:
    """All messages of a task are with the queue; None: they have to be handed over again."""
    connection.execute(task.update().where(task.c.id == task_id).values(queued_at=at))


def tasks_in_progress(connection: Connection, *, unqueued: bool = False) -> list[TaskRow]:
    """Tasks that have not ended, oldest first; `unqueued`: those whose messages the queue lacks."""
    wanted = select(task).where(task.c.done_at.is_(None)).order_by(task.c.created_at, task.c.id)
    if unqueued:
        wanted = wanted.where(task.c.queued_at.is_(None))
    return list(_rows(connection.execute(wanted).mappings()))


def _rows(found: Iterable[object]) -> Iterable[TaskRow]:
    return (_row(row) for row in found)


def _row(found: object) -> TaskRow:
    values = dict(found)  # type: ignore[call-overload]
    return TaskRow(**{**values, "status": TaskStatus(values["status"])})
