"""Store access for the routes: runs database work in threads and answers 404 for unknown ids."""

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
_THREADS = 4


class StoreAccess:
    """Runs reads and writes of the routes outside the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # A thread pool of our own: the stages may use all default threads while a client polls.
        self._threads = ThreadPoolExecutor(_THREADS, "store-access")

    async def read(self, work: Work[Found]) -> Found:
        """Run a read. It sees one state of the store."""
        return await self._run_with_retry(self._store.reading, work)

    async def write(self, work: Work[Found]) -> Found:
        """Run a write in one transaction. It must be safe to repeat."""
        return await self._run_with_retry(self._store.writing, work)

    async def _run_with_retry(
        self, connect: Callable[[], AbstractContextManager[Connection]], work: Work[Found]
    ) -> Found:
        def run() -> Found:
            with connect() as connection:
                return work(connection)

        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, run)
        except StoreError:  # the database was restarted and had closed this connection; the next one is new
            return await loop.run_in_executor(self._threads, run)


def require_task(connection: Connection, task_id: UUID) -> TaskRow:
    """Load a task, or answer 404."""
    found = load_task(connection, task_id)
    if found is None:
        raise HTTPException(404, "Task not found")
    return found


def require_site(connection: Connection, site_id: UUID, task_id: UUID | None = None) -> SiteRow:
    """Load a site, or answer 404 when it does not exist or belongs to another task."""
    found = load_site(connection, site_id)
    if found is None:
        raise HTTPException(404, f"Site not found: {site_id}")
    if task_id is not None and found.task_id != task_id:
        raise HTTPException(404, f"Task {task_id} has no site {site_id}")
    return found
