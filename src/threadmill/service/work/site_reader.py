"""Reads sites in groups: sites that wait at the same time share one pool call and one commit."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from threadmill.service.queue.messages import Stage, StageMessage
from threadmill.service.work.cpu_work import SiteSummary, read_sites
from threadmill.service.work.worker_pool import WorkerPool
from threadmill.store import Store
from threadmill.store.sites.task_sites import SiteRow, is_all_read, update_site

# Four sites share the cost of a commit. With more, a worker would idle at the end of a task while another
# still has several sites to read (one takes about 25 ms).
GROUP_SIZE = 4
Waiting = tuple[SiteRow, asyncio.Future[tuple[StageMessage, ...]]]


class SiteReader:
    """Reads sites in groups, one group per worker of the pool. Use it from one event loop."""

    def __init__(self, store: Store, root: Path, pool: WorkerPool) -> None:
        self._store = store
        self._root = root
        self._pool = pool
        self._waiting: deque[Waiting] = deque()
        self._suspects: deque[Waiting] = deque()  # sites of a group whose process died: each is read alone
        self._free = pool.count
        self._groups: set[asyncio.Task[None]] = set()

    async def read(self, site: SiteRow) -> tuple[StageMessage, ...]:
        """Read a site, store its outcome, and return the follow-up messages."""
        future: asyncio.Future[tuple[StageMessage, ...]] = asyncio.get_running_loop().create_future()
        self._waiting.append((site, future))
        self._start_groups()
        return await future

    def _start_groups(self) -> None:
        while self._free and (self._suspects or self._waiting):
            line, most = (self._suspects, 1) if self._suspects else (self._waiting, GROUP_SIZE)
            group = [line.popleft() for _ in range(min(most, len(line)))]
            self._free -= 1
            task = asyncio.create_task(self._read_group(group))
            self._groups.add(task)
            task.add_done_callback(self._groups.discard)

    async def _read_group(self, group: Sequence[Waiting]) -> None:
        try:
            found = await self._pool.run(read_sites, self._root, [site.files_path for site, _ in group])
        except Exception as error:
            if len(group) > 1:
                self._suspects.extend(group)
            else:
                _fail(group, error)
            return
        finally:
            self._free += 1
            self._start_groups()  # the next group is read while this one is stored
        await self._store_group(group, found)

    async def _store_group(self, group: Sequence[Waiting], found: Sequence[SiteSummary | Exception]) -> None:
        read: list[Waiting] = []
        changes = []
        for (site, future), result in zip(group, found, strict=True):
            if isinstance(result, Exception):
                _fail([(site, future)], result)
            else:
                read.append((site, future))
                changes.append((site, _columns(result)))
        try:
            follow_ups = await asyncio.to_thread(store_read_sites, self._store, changes)
        except Exception as error:
            _fail(read, error)
            return
        for site, future in read:
            if not future.done():
                future.set_result(follow_ups.get(site.task_id, ()))


def store_read_sites(
    store: Store, sites: Sequence[tuple[SiteRow, Mapping[str, Any]]]
) -> dict[UUID, tuple[StageMessage, ...]]:
    """Store new column values of sites. Return a DECIDE message for each task whose last site was read.

    The check runs after the commit: when two last sites are stored at the same time, the later one sees both.
    """
    changed = sorted(((site, values) for site, values in sites if values), key=lambda change: change[0].id)
    if changed:
        with store.writing() as connection:
            for site, values in changed:  # always in the same order, so that two groups cannot deadlock
                update_site(connection, site.id, values)
    with store.reading() as connection:
        ended = [task for task in {site.task_id for site, _ in sites} if is_all_read(connection, task)]
    return {task: (StageMessage(Stage.DECIDE, task),) for task in ended}


def _columns(summary: SiteSummary) -> dict[str, Any]:
    """Return the columns of a site that was read. One reading gives text and keywords: their times agree."""
    at = datetime.now(UTC)
    values = {name: getattr(summary, name) for name in SiteSummary.__slots__}
    return values | {"preprocessed_at": at, "extracted_at": at}


def _fail(group: Sequence[Waiting], error: Exception) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(error)
