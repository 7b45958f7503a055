"""The controller sends the messages a task still needs, and again when they are lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from tests.servers import rabbitmq as rabbitmq_server
from threadmill.errors import QueueError
from threadmill.service.queue import rabbitmq
from threadmill.service.queue.message_queue import InProcessQueue
from threadmill.service.queue.messages import MessageResult, Stage, StageMessage
from threadmill.service.queue.rabbitmq import RabbitMessageQueue
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


class BrokenQueue(InProcessQueue):
    """A queue whose broker is away for the first questions."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0

    async def waiting(self) -> int:
        self.refused += 1
        if self.refused < 3:
            raise QueueError("the broker is away")
        return await super().waiting()


def test_a_broker_that_is_away_at_the_check_does_not_end_the_controller(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHECK_EVERY", 0.0)
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.01)
    old = NOW - timedelta(minutes=11)
    task = TaskRow(uuid4(), old, queued_at=old)
    (site,) = add(store, task, "collected")

    async def work() -> list[StageMessage]:
        queue = BrokenQueue()
        running = asyncio.create_task(TaskController(store, queue, queue_is_durable=True).run())
        try:
            return await messages_of(queue, 1)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    assert asyncio.run(work()) == [StageMessage(Stage.READ, task.id, site.id)]


def test_the_controller_outlives_a_broker_that_is_killed(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten minutes are seconds here: the check of stalled tasks runs all the time."""
    if rabbitmq_server.server_program() is None:
        pytest.skip(rabbitmq_server.HOW_TO)
    monkeypatch.setattr(module, "_CHECK_EVERY", 0.0)
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.05)
    monkeypatch.setattr(rabbitmq, "_ANSWER_SECONDS", 0.3)
    old = NOW - timedelta(minutes=11)
    task = TaskRow(uuid4(), old, queued_at=old)
    store = open_store(store_url)
    (site,) = add(store, task, "collected")

    async def work(broker: rabbitmq_server.Broker) -> list[StageMessage]:
        queue = RabbitMessageQueue(broker.url)
        await queue.start()
        came: list[StageMessage] = []

        async def handle(message: StageMessage) -> MessageResult:
            came.append(message)
            return MessageResult()

        await queue.consume(Stage.READ, handle, 1)
        broker.kill()
        controller = TaskController(store, queue, queue_is_durable=True)
        running = asyncio.create_task(controller.run())
        await asyncio.sleep(2)  # several times as long as an answer may take
        assert not running.done(), "a broker that is away must not end the controller"
        await asyncio.to_thread(broker.start)
        async with asyncio.timeout(60):
            while not came:  # noqa: ASYNC110 -- another task fills it
                await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await queue.close()
        return came[:1]

    try:
        with rabbitmq_server.Broker() as broker:
            assert asyncio.run(work(broker)) == [StageMessage(Stage.READ, task.id, site.id)]
    finally:
        store.close()
