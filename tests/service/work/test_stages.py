"""The stages over SQLite and PostgreSQL, against sites that answer: each work once, whatever comes twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select

from tests.servers.companies import Companies
from threadmill.config import Settings, override
from threadmill.errors import MessageError, StoreError
from threadmill.service.queue.message_queue import InProcessQueue
from threadmill.service.queue.messages import MessageResult, Stage, StageMessage
from threadmill.service.work import retries as attempts
from threadmill.service.work.collector import SiteCollector
from threadmill.service.work.controller import TaskController
from threadmill.service.work.retries import RetryingHandler
from threadmill.service.work.stages import Stages
from threadmill.service.work.worker_pool import WorkerPool
from threadmill.store import Store, open_store
from threadmill.store.sites.compare_results import compare_result, count_over, pairs_over
from threadmill.store.sites.task_sites import SiteRow, add_sites, count_stages, load_site, sites_of
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task, end_task, load_task, tasks_in_progress
from threadmill.workspace import Workspace


@pytest.fixture(scope="module")
def companies() -> Iterator[Companies]:
    with Companies(6) as running:
        yield running


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


class Bench:
    """Everything a message needs, opened inside an event loop."""

    def __init__(self, store: Store, root: Path) -> None:
        settings = override(override(Settings(), "crawl", delay=0.0), "service", private_targets=True)
        self.workspace = Workspace(root, override(settings, "fetch", retries=0))
        self.store = store
        self.hands = WorkerPool(0)
        self.collector = SiteCollector(self.workspace)
        self.stages = Stages(store, root, self.hands, self.collector)

    async def __aenter__(self) -> Bench:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.collector.__aexit__(None, None, None)
        self.hands.close()


def make_task(store: Store, urls: list[str]) -> tuple[UUID, list[SiteRow]]:
    task = TaskRow(uuid4(), datetime.now(UTC))
    rows = [SiteRow(uuid4(), task.id, position, url) for position, url in enumerate(urls)]
    with store.writing() as connection:
        add_task(connection, task)
        add_sites(connection, rows)
    return task.id, rows


def damage(root: Path, site_id: UUID) -> None:
    (file,) = root.glob(f"sites/*/{site_id}/collected.zst")
    file.write_bytes(b"rot")


def archive_files(root: Path) -> list[Path]:
    return sorted(root.glob("archive/*"))


def result_of(store: Store, task_id: UUID) -> list[tuple[str, str, float]]:
    with store.reading() as connection:
        return [(pair.url1, pair.url2, pair.similarity) for pair in pairs_over(connection, task_id, 0.0)]


def test_every_message_may_come_twice_and_the_answer_is_one(
    store: Store, tmp_path: Path, companies: Companies
) -> None:
    task_id, rows = make_task(store, companies.urls)

    async def work() -> None:
        async with Bench(store, tmp_path) as bench:
            waiting = [StageMessage(Stage.COLLECT, task_id, row.id) for row in rows]
            while waiting:
                message = waiting.pop(0)
                follow_ups = await bench.stages.do(message)
                again = await bench.stages.do(message)
                assert again in (follow_ups, ())  # () when the first one ended the task
                waiting.extend(follow_ups)

    asyncio.run(work())
    with store.reading() as connection:
        task = load_task(connection, task_id)
        assert task is not None
        assert task.status is TaskStatus.DONE
        assert count_stages(connection, task_id) == {
            "sites": 6,
            "downloaded": 6,
            "preprocessed": 6,
            "extracted": 6,
            "vectorized": 6,
        }
        stored = connection.execute(select(func.count()).select_from(compare_result)).scalar_one()
        assert stored == count_over(connection, task_id, 0.0)
    best = result_of(store, task_id)[0]
    assert best[:2] == (companies.urls[0], companies.urls[1])
    assert best[2] > 0.9


def test_the_decision_waits_for_the_last_site(store: Store, tmp_path: Path, companies: Companies) -> None:
    task_id, rows = make_task(store, companies.urls[:2])

    async def work() -> None:
        async with Bench(store, tmp_path) as bench:
            for row in rows:
                await bench.stages.do(StageMessage(Stage.COLLECT, task_id, row.id))
            assert await bench.stages.do(StageMessage(Stage.READ, task_id, rows[0].id)) == ()
            follow_ups = await bench.stages.do(StageMessage(Stage.READ, task_id, rows[1].id))
            assert follow_ups == (StageMessage(Stage.DECIDE, task_id),)

    asyncio.run(work())


def test_a_dead_site_says_so_and_holds_up_nobody(store: Store, tmp_path: Path, companies: Companies) -> None:
    task_id, rows = make_task(store, [*companies.urls[:2], "http://127.0.0.1:1/", "http://no.invalid/"])

    async def work() -> None:
        async with Bench(store, tmp_path) as bench:
            for row in rows:
                await bench.stages.do(StageMessage(Stage.COLLECT, task_id, row.id))
                await bench.stages.do(StageMessage(Stage.READ, task_id, row.id))
            await bench.stages.do(StageMessage(Stage.DECIDE, task_id))

    asyncio.run(work())
    with store.reading() as connection:
        assert [row.outcome for row in sites_of(connection, task_id)] == ["ok", "ok", "dead", "dead"]
        assert [row.reason for row in sites_of(connection, task_id)][2] == "refused"
    assert len(result_of(store, task_id)) == 1


def test_a_site_that_cannot_be_read_is_given_up_and_the_task_goes_on(
    store: Store, tmp_path: Path, companies: Companies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "_FIRST_PAUSE", 0.01)
    task_id, rows = make_task(store, companies.urls[:2])

    async def work() -> list[MessageResult]:
        async with Bench(store, tmp_path) as bench:
            handle = RetryingHandler(bench.stages)
            for row in rows:
                await handle(StageMessage(Stage.COLLECT, task_id, row.id))
            damage(tmp_path, rows[0].id)
            return [await handle(StageMessage(Stage.READ, task_id, row.id)) for row in rows]

    bad, good = asyncio.run(work())
    assert "expected a packed Collected" in bad.given_up
    assert good == MessageResult((StageMessage(Stage.DECIDE, task_id),))
    with store.reading() as connection:
        site = load_site(connection, rows[0].id)
        assert site is not None
        assert (site.outcome, site.reason) == ("failed", bad.given_up)


def test_a_work_is_tried_again_while_the_store_is_away(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "_FIRST_PAUSE", 0.01)
    task_id, rows = make_task(store, ["http://127.0.0.1:1/"])
    failures = 7

    async def work() -> MessageResult:
        nonlocal failures
        async with Bench(store, tmp_path) as bench:
            handle = RetryingHandler(bench.stages)
            reading = store.reading

            def unsteady() -> object:
                nonlocal failures
                failures -= 1
                if failures > 0:
                    raise StoreError("the server was shut down")
                return reading()

            monkeypatch.setattr(store, "reading", unsteady)
            return await handle(StageMessage(Stage.COLLECT, task_id, rows[0].id))

    assert asyncio.run(work()) == MessageResult((StageMessage(Stage.READ, task_id, rows[0].id),))


def test_nothing_more_is_done_for_a_task_that_has_ended(store: Store, tmp_path: Path) -> None:
    task_id, rows = make_task(store, ["http://127.0.0.1:1/"])
    with store.writing() as connection:
        assert end_task(connection, task_id, datetime.now(UTC), TaskStatus.CANCELLED)
        assert not end_task(connection, task_id, datetime.now(UTC))

    async def work() -> tuple[StageMessage, ...]:
        async with Bench(store, tmp_path) as bench:
            with pytest.raises(MessageError, match="there is no task"):
                await bench.stages.do(StageMessage(Stage.DECIDE, uuid4()))
            return await bench.stages.do(StageMessage(Stage.COLLECT, task_id, rows[0].id))

    assert asyncio.run(work()) == ()


def test_archived_pages_are_used_instead_of_fetching(
    store: Store, tmp_path: Path, companies: Companies
) -> None:
    async def work() -> tuple[int, int]:
        url = companies.urls[2]
        async with Bench(store, tmp_path) as bench:
            first = await bench.collector.collect(uuid4(), url, alone=True, use_archive_data=False)
        async with Bench(store, tmp_path) as bench:
            before = archive_files(tmp_path)
            again = await bench.collector.collect(uuid4(), url, alone=True, use_archive_data=True)
            assert archive_files(tmp_path) == before  # nothing was fetched, so nothing archived
        assert [page.payload for page in again.pages] == [page.payload for page in first.pages]
        return len(first.pages), len(again.pages)

    assert asyncio.run(work()) == (6, 6)


def test_a_new_start_hands_out_what_is_left_of_every_task(
    store: Store, tmp_path: Path, companies: Companies
) -> None:
    task_id, rows = make_task(store, companies.urls[:3])

    async def work() -> list[StageMessage]:
        async with Bench(store, tmp_path) as bench:
            await bench.stages.do(StageMessage(Stage.COLLECT, task_id, rows[0].id))
            await bench.stages.do(StageMessage(Stage.READ, task_id, rows[0].id))
            await bench.stages.do(StageMessage(Stage.COLLECT, task_id, rows[1].id))
        queue = InProcessQueue()
        controlling = asyncio.create_task(TaskController(store, queue, queue_is_durable=False).run())
        while await queue.waiting() < 2:  # noqa: ASYNC110 -- nobody tells of it
            await asyncio.sleep(0.01)
        controlling.cancel()
        return [line.get_nowait() for line in queue._stages.values() if not line.empty()]

    assert asyncio.run(work()) == [
        StageMessage(Stage.COLLECT, task_id, rows[2].id),
        StageMessage(Stage.READ, task_id, rows[1].id),
    ]
    with store.reading() as connection:
        assert [task.id for task in tasks_in_progress(connection)] == [task_id]
