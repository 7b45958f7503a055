"""Clients that poll share answers, and the answer of a task is written as the specification says."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from threadmill.service.http import routes
from threadmill.service.http.routes import ResultsQuery, SharedAnswers, write_task_answer
from threadmill.store import open_store
from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import SiteRow, add_sites
from threadmill.store.sites.tasks import TaskRow, TaskStatus, add_task, end_task

MADE = datetime(2026, 11, 16, 2, 0, 0, 795810, tzinfo=UTC)


class Source:
    """Counts how often an answer is loaded."""

    def __init__(self) -> None:
        self.loads = 0

    async def load(self) -> int:
        self.loads += 1
        await asyncio.sleep(0)
        return self.loads


def test_clients_that_ask_at_one_moment_share_one_answer() -> None:
    async def work() -> tuple[list[int], int]:
        shared: SharedAnswers[int] = SharedAnswers()
        source = Source()
        answers = await asyncio.gather(*(shared.get("a", source.load) for _ in range(50)))
        return answers, await shared.get("b", source.load)

    assert asyncio.run(work()) == ([1] * 50, 2)


def test_an_answer_is_loaded_again_when_it_expired_or_was_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pause: float, clear: bool) -> int:
        shared: SharedAnswers[int] = SharedAnswers()
        source = Source()
        await shared.get("a", source.load)
        await asyncio.sleep(pause)
        if clear:
            shared.clear()
        return await shared.get("a", source.load)

    assert asyncio.run(work(0, clear=False)) == 1
    assert asyncio.run(work(0, clear=True)) == 2
    monkeypatch.setattr(routes, "_SHARED_SECONDS", 0.01)
    assert asyncio.run(work(0.03, clear=False)) == 2


def test_a_client_that_leaves_does_not_cancel_the_answer_of_the_others() -> None:
    async def work() -> str:
        shared: SharedAnswers[str] = SharedAnswers()
        ready = asyncio.Event()

        async def load() -> str:
            await ready.wait()
            return "answer"

        first = asyncio.create_task(shared.get("a", load))
        second = asyncio.create_task(shared.get("a", load))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        ready.set()
        return await second

    assert asyncio.run(work()) == "answer"


def test_expired_answers_are_removed_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "_MOST_SHARED", 3)
    monkeypatch.setattr(routes, "_SHARED_SECONDS", 0.0)

    async def work() -> int:
        shared: SharedAnswers[int] = SharedAnswers()
        source = Source()
        for key in range(20):
            await shared.get(key, source.load)
            await asyncio.sleep(0.001)
        return len(shared._answers)

    assert asyncio.run(work()) <= 4


def test_the_answer_of_a_task_has_results_only_when_it_is_done() -> None:
    store = open_store("sqlite://")
    task = TaskRow(uuid4(), MADE)
    sites = [SiteRow(uuid4(), task.id, n, f"http://{n}.example/") for n in range(3)]
    with store.writing() as connection:
        add_task(connection, task)
        add_sites(connection, sites)
        pairs = [(0, 1, 0.9), (0, 2, 0.8), (1, 2, 0.7)]
        rows = [
            ResultRow(task.id, sites[a].id, sites[b].id, score, 0.5, "Why.", {"x": 1.0})
            for a, b, score in pairs
        ]
        put_results(connection, rows)
        body, headers = write_task_answer(connection, ResultsQuery(task.id, 0.0))
        assert (json.loads(body), headers) == (
            {
                "task_id": str(task.id), "created_at": "2026-11-16T02:00:00.795810Z", "status": "in_progress",
                "done_at": None,
            },
            {},
        )  # fmt: skip
        end_task(connection, task.id, MADE)
        body, headers = write_task_answer(connection, ResultsQuery(task.id, 0.75))
        assert headers == {"X-Total-Count": "2"}
        assert [pair["similarity"] for pair in json.loads(body)["results"]] == [0.9, 0.8]
        query = ResultsQuery(task.id, 0.0, limit=1, offset=1, evidence=True)
        body, headers = write_task_answer(connection, query)
        assert json.loads(body)["results"] == [
            {
                "url1": "http://0.example/", "url2": "http://2.example/", "similarity": 0.8, "words": 0.5,
                "why": "Why.", "evidence": {"x": 1.0}, "found": [],
            }
        ]  # fmt: skip
        link = f'</task/{task.id}?similarity_border=0.0&limit=1&offset=2&evidence=true>; rel="next"'
        assert headers == {"X-Total-Count": "3", "Link": link}
        assert "Link" not in write_task_answer(connection, ResultsQuery(task.id, 0.0, limit=1, offset=2))[1]
    store.close()


def test_the_answer_of_a_failed_task_says_why() -> None:
    store = open_store("sqlite://")
    task = TaskRow(uuid4(), MADE)
    with store.writing() as connection:
        add_task(connection, task)
        end_task(connection, task.id, MADE, TaskStatus.FAILED, "no vocabulary")
        body, _ = write_task_answer(connection, ResultsQuery(task.id, 0.5))
    store.close()
    value = json.loads(body)
    assert (value["status"], value["detail"], "results" in value) == ("failed", "no vocabulary", False)
