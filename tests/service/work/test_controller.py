"""The controller sends the messages a task still needs, and again when they are lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from threadmill.service.queue.message_queue import InProcessQueue
from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work import controller as module
from threadmill.service.work.controller import TaskController
from threadmill.store import Store, open_store
from threadmill.store.sites.task_sites import SiteRow, add_sites, sites_of, update_site
from threadmill.store.sites.tasks import TaskRow, add_task, load_task, note_queued

NOW = datetime.now(UTC)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


def add(store: Store, task: TaskRow, *stages: str) -> list[SiteRow]:
    """Add a task with a site for each word, which says how far it is."""
    rows = [SiteRow(uuid4(), task.id, n, f"http://{n}.example/") for n in range(len(stages))]
    with store.writing() as connection:
        add_task(connection, task)
        add_sites(connection, rows)
        note_queued(connection, task.id, task.queued_at)
        for row, stage in zip(rows, stages, strict=True):
            done = {"new": {}, "collected": {"downloaded_at": task.created_at}}
            read = {"downloaded_at": task.created_at, "extracted_at": task.created_at}
            if values := done.get(stage, read):
                update_site(connection, row.id, values)
    return rows


async def messages_of(queue: InProcessQueue, count: int) -> list[StageMessage]:
    found: list[StageMessage] = []

    async def work() -> None:
        while len(found) < count:
            found.extend(line.get_nowait() for line in queue._stages.values() if not line.empty())
            await asyncio.sleep(0.01)

    await asyncio.wait_for(work(), 20)
    return found


def run(store: Store, count: int, *, durable: bool) -> list[StageMessage]:
    async def work() -> list[StageMessage]:
        queue = InProcessQueue()
        running = asyncio.create_task(TaskController(store, queue, queue_is_durable=durable).run())
        try:
            return await messages_of(queue, count)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    return asyncio.run(work())


def test_each_site_gets_its_next_stage(store: Store) -> None:
    task = TaskRow(uuid4(), NOW)
    new, collected, _ = add(store, task, "new", "collected", "read")
    assert set(run(store, 2, durable=True)) == {
        StageMessage(Stage.COLLECT, task.id, new.id),
        StageMessage(Stage.READ, task.id, collected.id),
    }
    with store.reading() as connection:
        stored = load_task(connection, task.id)
        assert stored is not None
        assert stored.queued_at is not None
        assert len(sites_of(connection, task.id)) == 3


def test_a_task_with_all_sites_read_gets_its_decision(store: Store) -> None:
    task = TaskRow(uuid4(), NOW)
    add(store, task, "read", "read")
    assert run(store, 1, durable=True) == [StageMessage(Stage.DECIDE, task.id)]


def test_a_queue_in_memory_gets_tasks_again_after_a_restart(store: Store) -> None:
    task = TaskRow(uuid4(), NOW, queued_at=NOW)
    (site,) = add(store, task, "new")
    assert run(store, 1, durable=False) == [StageMessage(Stage.COLLECT, task.id, site.id)]


def test_a_task_that_stalls_with_empty_queues_is_sent_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHECK_EVERY", 0.0)
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.01)
    old = NOW - timedelta(minutes=11)
    stalled, busy = TaskRow(uuid4(), old, queued_at=old), TaskRow(uuid4(), NOW, queued_at=NOW)
    (site,) = add(store, stalled, "collected")
    add(store, busy, "collected")
    assert run(store, 1, durable=True) == [StageMessage(Stage.READ, stalled.id, site.id)]


def test_waking_sends_a_new_task_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK_EVERY", 60.0)

    async def work() -> list[StageMessage]:
        queue = InProcessQueue()
        controller = TaskController(store, queue, queue_is_durable=True)
        running = asyncio.create_task(controller.run())
        await asyncio.sleep(0.2)
        await asyncio.to_thread(add, store, TaskRow(uuid4(), NOW), "new")
        controller.wake()
        try:
            return await messages_of(queue, 1)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    assert [message.stage for message in asyncio.run(work())] == [Stage.COLLECT]
