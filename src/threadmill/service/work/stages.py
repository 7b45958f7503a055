"""The stages: each does the work of a message once, stores the result, and returns the next messages.

A message may come twice, because a worker was killed or a broker restarted. Each stage therefore checks first
whether its work is stored. It returns the follow-up messages in both cases. All writes can be repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Connection

from threadmill.errors import MessageError
from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work import stage_files
from threadmill.service.work.collector import SiteCollector
from threadmill.service.work.cpu_work import compare_sites_from_files
from threadmill.service.work.site_reader import SiteReader, store_read_sites
from threadmill.service.work.worker_pool import WorkerPool
from threadmill.sites.model import CollectedSite, ReadOutcome, SitePair
from threadmill.sites.report.results import places_record
from threadmill.store import Store
from threadmill.store.sites.compare_results import ResultRow, put_results
from threadmill.store.sites.task_sites import (
    FAILED,
    SiteRow,
    load_site,
    note_vectorized,
    sites_of,
    update_site,
)
from threadmill.store.sites.tasks import TaskRow, TaskStatus, end_task, load_task

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Stages:
    """All stages over one store and one workspace. A process without a collector does not run COLLECT."""

    store: Store
    root: Path  # the workspace
    pool: WorkerPool
    collector: SiteCollector | None = None
    vocabulary: str = ""
    _reader: SiteReader = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_reader", SiteReader(self.store, self.root, self.pool))

    async def do(self, message: StageMessage) -> tuple[StageMessage, ...]:
        """Do the work of a message. Return the follow-up messages."""
        task, site = await self._read(_look_up, message)
        if task is None:
            raise MessageError(f"there is no task {message.task_id}")
        if task.done_at is not None:  # it has been done, cancelled or given up: nothing is left to do
            return ()
        if message.stage is Stage.DECIDE:
            return await self._decide(task)
        if site is None or site.task_id != task.id:
            raise MessageError(f"task {task.id} has no site {message.site_id}")
        if message.stage is Stage.COLLECT:
            return await self._collect(task, site)
        return await self._read_site(site)

    async def give_up(self, message: StageMessage, reason: str) -> tuple[StageMessage, ...]:
        """Store that the work of a message failed. A failed site is left out; its task goes on without it."""
        at = datetime.now(UTC)
        if message.stage is Stage.DECIDE or message.site_id is None:
            await self._write(end_task, message.task_id, at, TaskStatus.FAILED, reason)
            return ()
        site = await self._read(load_site, message.site_id)
        if site is None:
            return ()
        values: dict[str, Any] = {}
        if site.extracted_at is None:
            times = {"downloaded_at": site.downloaded_at or at, "preprocessed_at": at, "extracted_at": at}
            values = {**times, "outcome": FAILED, "reason": reason[:500]}
        return await self._store_read_site(site, values)

    async def _collect(self, task: TaskRow, site: SiteRow) -> tuple[StageMessage, ...]:
        if site.downloaded_at is None:
            if self.collector is None:
                raise MessageError(f"this worker does not collect sites, but was sent {site.root_url}")
            collected = await self.collector.collect(
                task.id, site.root_url, alone=site.alone, use_archive_data=task.use_archive_data
            )
            await asyncio.to_thread(self._store_collected, site, collected)
        return (StageMessage(Stage.READ, task.id, site.id),)

    def _store_collected(self, site: SiteRow, collected: CollectedSite) -> None:
        folder = stage_files.folder_of(site.task_id, site.id)
        stage_files.save(self.root, folder, stage_files.COLLECTED, collected)
        with self.store.writing() as connection:
            update_site(connection, site.id, {"files_path": folder, "downloaded_at": datetime.now(UTC)})

    async def _read_site(self, site: SiteRow) -> tuple[StageMessage, ...]:
        if site.extracted_at is None:
            return await self._reader.read(site)
        return await self._store_read_site(site, {})

    async def _store_read_site(self, site: SiteRow, values: Mapping[str, Any]) -> tuple[StageMessage, ...]:
        follow_ups = await asyncio.to_thread(store_read_sites, self.store, [(site, values)])
        return follow_ups.get(site.task_id, ())

    async def _decide(self, task: TaskRow) -> tuple[StageMessage, ...]:
        sites = await self._read(sites_of, task.id)
        if any(site.extracted_at is None for site in sites):
            raise MessageError(f"task {task.id} has sites that are not read yet")
        usable = [site for site in sites if site.outcome == ReadOutcome.OK]
        folders = [site.files_path for site in usable]
        pairs = await self.pool.run(compare_sites_from_files, self.root, folders, self.vocabulary)
        await asyncio.to_thread(self._store_results, task.id, usable, pairs)
        return ()

    def _store_results(self, task_id: UUID, sites: Sequence[SiteRow], pairs: Sequence[SitePair]) -> None:
        """Store the results and the end of the task in one transaction: no reader sees a part of them."""
        at = datetime.now(UTC)
        rows = [
            ResultRow(
                task_id,
                sites[pair.one].id,
                sites[pair.other].id,
                pair.score,
                pair.cosine,
                pair.why,
                {item.kind: round(item.strength, 3) for item in pair.evidence},
                places_record(pair.evidence),
            )
            for pair in pairs
        ]
        with self.store.writing() as connection:
            if end_task(connection, task_id, at):
                note_vectorized(connection, task_id, at)
                put_results(connection, rows)

    async def _read(self, function: Callable[..., Found], *arguments: Any) -> Found:
        return await asyncio.to_thread(_call, self.store.reading, function, arguments)

    async def _write(self, function: Callable[..., Found], *arguments: Any) -> Found:
        return await asyncio.to_thread(_call, self.store.writing, function, arguments)


def _look_up(connection: Connection, message: StageMessage) -> tuple[TaskRow | None, SiteRow | None]:
    """Load the task and the site of a message."""
    site = load_site(connection, message.site_id) if message.site_id is not None else None
    return load_task(connection, message.task_id), site


def _call(connect: Callable[[], Any], function: Callable[..., Found], arguments: Sequence[Any]) -> Found:
    with connect() as opened:
        connection: Connection = opened
        return function(connection, *arguments)
