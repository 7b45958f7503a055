"""The way of API calls to the store: off the event loop, tried twice, with answers for what is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar
from uuid import UUID

from fastapi import HTTPException
from sqlalchemy import Connection

from threadmill.errors import StoreError
from threadmill.store import Store
from threadmill.store.sites.task_sites import SiteRow, load_site
from threadmill.store.sites.tasks import TaskRow, load_task

Found = TypeVar("Found")
Work = Callable[[Connection], Found]


class StoreAccess:
    """Reads and writes for calls."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Threads of our own: the default ones may all be at work for the stages while somebody polls.
        self._threads = ThreadPoolExecutor(4, "door")

    async def read(self, work: Work[Found]) -> Found:
        """What a reading finds, on one state of the store."""
        return await self._twice(self._store.reading, work)

    async def write(self, work: Work[Found]) -> Found:
        """What a transaction comes to; our writes may be repeated."""
        return await self._twice(self._store.writing, work)

    async def _twice(
        self, opening: Callable[[], AbstractContextManager[Connection]], work: Work[Found]
    ) -> Found:
        def once() -> Found:
            with opening() as connection:
                return work(connection)

        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, once)
        except StoreError:  # a connection that a restarted server had closed; the pool makes new ones now
            return await loop.run_in_executor(self._threads, once)


def require_task(connection: Connection, task_id: UUID) -> TaskRow:
    """A task, or the answer that there is none."""
    found = load_task(connection, task_id)
    if found is None:
        raise HTTPException(404, "Task not found")
    return found


def require_site(connection: Connection, site_id: UUID, task_id: UUID | None = None) -> SiteRow:
    """A site, or the answer that there is none, or none of that task."""
    found = load_site(connection, site_id)
    if found is None:
        raise HTTPException(404, f"Site not found: {site_id}")
    if task_id is not None and found.task_id != task_id:
        raise HTTPException(404, f"Task {task_id} has no site {site_id}")
    return found
