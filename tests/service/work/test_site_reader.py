"""Messages read in groups: stored together, and a site that breaks its reader costs nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work.cpu_work import SiteSummary
from threadmill.service.work.site_reader import GROUP_SIZE, SiteReader
from threadmill.service.work.worker_pool import WorkerPool
from threadmill.store import Store, open_store
from threadmill.store.sites.task_sites import SiteRow, add_sites, sites_of
from threadmill.store.sites.tasks import TaskRow, add_task

_KILLS = "kills the process"
_BREAKS = "breaks the reader"


class Fragile(WorkerPool):
    """Hands that die at one site, as a process does that the system kills; what they are given is kept."""

    def __init__(self) -> None:
        super().__init__(0)
        self.groups: list[list[str]] = []

    async def run(self, function: Callable[..., Any], *words: Any) -> Any:
        del function
        folders = list(words[1])
        self.groups.append(folders)
        await asyncio.sleep(0)
        if _KILLS in folders:
            raise BrokenProcessPool("a process ended by itself")
        return [
            ValueError("no") if folder == _BREAKS else SiteSummary("ok", "", "en", 1) for folder in folders
        ]


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


def make_sites(store: Store, folders: list[str]) -> list[SiteRow]:
    task = TaskRow(uuid4(), datetime.now(UTC))
    rows = [
        SiteRow(uuid4(), task.id, n, f"http://s{n}.test/", files_path=folder)
        for n, folder in enumerate(folders)
    ]
    with store.writing() as connection:
        add_task(connection, task)
        add_sites(connection, rows)
    return rows


def read(store: Store, rows: list[SiteRow]) -> tuple[Fragile, list[Any]]:
    hands = Fragile()

    async def work() -> list[Any]:
        reader = SiteReader(store, Path(), hands)
        return await asyncio.gather(*(reader.read(row) for row in rows), return_exceptions=True)

    found = asyncio.run(work())
    hands.close()
    return hands, found


def test_sites_that_wait_together_are_read_together_and_the_last_brings_the_decision(store: Store) -> None:
    rows = make_sites(store, [f"f{n}" for n in range(GROUP_SIZE + 2)])
    hands, found = read(store, rows)
    assert [len(group) for group in hands.groups] == [1, GROUP_SIZE, 1]
    assert (StageMessage(Stage.DECIDE, rows[0].task_id),) in found
    with store.reading() as connection:
        assert all(site.extracted_at for site in sites_of(connection, rows[0].task_id))


def test_a_site_that_kills_its_process_costs_nobody_else(store: Store) -> None:
    rows = make_sites(store, ["a", _KILLS, "b", "c"])
    hands, found = read(store, rows)
    assert [isinstance(what, BrokenProcessPool) for what in found] == [False, True, False, False]
    assert [_KILLS] in hands.groups  # tried alone
    with store.reading() as connection:
        assert [bool(site.extracted_at) for site in sites_of(connection, rows[0].task_id)] == [1, 0, 1, 1]


def test_what_a_page_breaks_is_told_of_its_site_alone(store: Store) -> None:
    rows = make_sites(store, ["a", _BREAKS, "b"])
    _, found = read(store, rows)
    assert [isinstance(what, ValueError) for what in found] == [False, True, False]
