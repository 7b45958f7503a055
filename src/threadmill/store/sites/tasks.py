"""The table of tasks. A task is a list of sites to compare."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Boolean, Column, Connection, Index, Table, Text, Uuid, func, select

from threadmill.store.schema import Instant, metadata

task = Table(
    "task",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("created_at", Instant, nullable=False),
    Column("done_at", Instant),  # NULL while it is in progress
    Column("status", Text, nullable=False),
    Column("reason", Text, nullable=False),  # why it failed; otherwise empty
    Column("use_archive_data", Boolean, nullable=False),
    Column("queued_at", Instant),  # NULL until all its messages are in the queue
    Index("ix_task_done_at", "done_at"),
)


class TaskStatus(StrEnum):
    """The state of a task."""

    IN_PROGRESS = "in_progress"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"  # the comparison itself failed


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A stored task."""

    id: UUID
    created_at: datetime
    done_at: datetime | None = None
    status: TaskStatus = TaskStatus.IN_PROGRESS
    reason: str = ""
    use_archive_data: bool = False
    queued_at: datetime | None = None


def add_task(connection: Connection, row: TaskRow) -> None:
    """Store a new task."""
    values = {name: getattr(row, name) for name in TaskRow.__slots__}
    connection.execute(task.insert().values(**values))


def load_task(connection: Connection, task_id: UUID) -> TaskRow | None:
    """Return a task by its id, or None."""
    found = connection.execute(select(task).where(task.c.id == task_id)).first()
    return _as_row(found._mapping) if found else None


def end_task(
    connection: Connection,
    task_id: UUID,
    at: datetime,
    status: TaskStatus = TaskStatus.DONE,
    reason: str = "",
) -> bool:
    """End a task that is in progress. Return False, and change nothing, if it has ended before."""
    values = {"done_at": at, "status": status, "reason": reason}
    statement = task.update().where(task.c.id == task_id, task.c.done_at.is_(None)).values(values)
    return connection.execute(statement).rowcount == 1


def note_queued(connection: Connection, task_id: UUID, at: datetime | None) -> None:
    """Store when all messages of a task were in the queue. None: they must be sent again."""
    connection.execute(task.update().where(task.c.id == task_id).values(queued_at=at))


def tasks_in_progress(connection: Connection, *, unqueued: bool = False) -> list[TaskRow]:
    """Return the tasks in progress, oldest first. With `unqueued`, only those whose messages must be sent."""
    wanted = select(task).where(task.c.done_at.is_(None)).order_by(task.c.created_at, task.c.id)
    if unqueued:
        wanted = wanted.where(task.c.queued_at.is_(None))
    return [_as_row(row) for row in connection.execute(wanted).mappings()]


def list_tasks(connection: Connection, *, offset: int, most: int) -> list[TaskRow]:
    """Return one page of all tasks, newest first."""
    wanted = select(task).order_by(task.c.created_at.desc(), task.c.id).offset(offset).limit(most)
    return [_as_row(row) for row in connection.execute(wanted).mappings()]


def _as_row(found: object) -> TaskRow:
    values = dict(found)  # type: ignore[call-overload]
    return TaskRow(**{**values, "status": TaskStatus(values["status"])})


def count_tasks(connection: Connection) -> dict[str, int]:
    """Count all tasks by status."""
    wanted = select(task.c.status, func.count()).group_by(task.c.status)
    return {str(row[0]): int(row[1]) for row in connection.execute(wanted)}
