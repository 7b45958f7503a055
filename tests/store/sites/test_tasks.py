from datetime import timedelta
from uuid import uuid4

from sqlalchemy import Connection

from tests.store.sites.conftest import NOW
from threadmill.store.sites.tasks import (
    TaskRow,
    TaskStatus,
    add_task,
    end_task,
    load_task,
    note_queued,
    tasks_in_progress,
)


def test_a_task_ends_once(empty: Connection, task: TaskRow) -> None:
    assert load_task(empty, task.id) == task
    assert end_task(empty, task.id, NOW, TaskStatus.FAILED, "why")
    assert not end_task(empty, task.id, NOW + timedelta(days=1))
    ended = load_task(empty, task.id)
    assert ended is not None
    assert (ended.status, ended.reason, ended.done_at) == (TaskStatus.FAILED, "why", NOW)
    assert load_task(empty, uuid4()) is None


def test_tasks_in_progress_come_oldest_first_and_unqueued_ones_apart(
    empty: Connection, task: TaskRow
) -> None:
    older = TaskRow(uuid4(), NOW - timedelta(hours=1))
    add_task(empty, older)
    note_queued(empty, older.id, NOW)
    assert [row.id for row in tasks_in_progress(empty)] == [older.id, task.id]
    assert [row.id for row in tasks_in_progress(empty, unqueued=True)] == [task.id]
    note_queued(empty, older.id, None)
    assert [row.id for row in tasks_in_progress(empty, unqueued=True)] == [older.id, task.id]
    end_task(empty, older.id, NOW)
    assert [row.id for row in tasks_in_progress(empty)] == [task.id]
