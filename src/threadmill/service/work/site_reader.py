"""Reading in groups: messages that wait together share one look into the store, one hand, one commit."""

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

# Sites of a group: four share what a commit costs, and at a task's end no worker idles for long while another
# has work in its pocket (a site is read in some 25 ms).
GROUP_SIZE = 4
Waiting = tuple[SiteRow, asyncio.Future[tuple[StageMessage, ...]]]


class SiteReader:
    """Reads the sites it is given, as many at once as wait and hands are free; used from one event loop."""

    def __init__(self, store: Store, root: Path, hands: WorkerPool) -> None:
        self._store = store
        self._root = root
        self._hands = hands
        self._waiting: deque[Waiting] = deque()
        self._alone: deque[Waiting] = deque()  # of a group whose process died: one of them is to blame
        self._free = hands.count
        self._groups: set[asyncio.Task[None]] = set()

    async def read(self, site: SiteRow) -> tuple[StageMessage, ...]:
        """Read a site that is not read yet, store what came of it, say what follows."""
        future: asyncio.Future[tuple[StageMessage, ...]] = asyncio.get_running_loop().create_future()
        self._waiting.append((site, future))
        self._begin()
        return await future

    def _begin(self) -> None:
        while self._free and (self._alone or self._waiting):
            line, most = (self._alone, 1) if self._alone else (self._waiting, GROUP_SIZE)
            group = [line.popleft() for _ in range(min(most, len(line)))]
            self._free -= 1
            task = asyncio.create_task(self._work(group))
            self._groups.add(task)
            task.add_done_callback(self._groups.discard)

    async def _work(self, group: Sequence[Waiting]) -> None:
        try:
            found = await self._hands.run(read_sites, self._root, [site.files_path for site, _ in group])
        except Exception as error:
            if len(group) > 1:
                self._alone.extend(group)
            else:
                _tell(group, error)
            return
        finally:
            self._free += 1
            self._begin()  # the next group is read while this one is stored
        await self._keep(group, found)

    async def _keep(self, group: Sequence[Waiting], found: Sequence[SiteSummary | Exception]) -> None:
        read: list[Waiting] = []
        changes = []
        for (site, future), what in zip(group, found, strict=True):
            if isinstance(what, Exception):
                _tell([(site, future)], what)
            else:
                read.append((site, future))
                changes.append((site, _values(what)))
        try:
            follow_ups = await asyncio.to_thread(store_read_sites, self._store, changes)
        except Exception as error:
            _tell(read, error)
            return
        for site, future in read:
            if not future.done():
                future.set_result(follow_ups.get(site.task_id, ()))


def store_read_sites(
    store: Store, sites: Sequence[tuple[SiteRow, Mapping[str, Any]]]
) -> dict[UUID, tuple[StageMessage, ...]]:
    """Store what came of some sites; the decision of a task follows when one was its last.

    That is asked after the own sites were committed: of two that end at once, the later sees both.
    """
    changed = sorted(((site, values) for site, values in sites if values), key=lambda change: change[0].id)
    if changed:
        with store.writing() as connection:
            for site, values in changed:  # in one order everywhere: two groups never wait for each other
                update_site(connection, site.id, values)
    with store.reading() as connection:
        ended = [task for task in {site.task_id for site, _ in sites} if is_all_read(connection, task)]
    return {task: (StageMessage(Stage.DECIDE, task),) for task in ended}


def _values(found: SiteSummary) -> dict[str, Any]:
    at = datetime.now(UTC)  # text and keywords come from one reading: a page is parsed once
    values = {name: getattr(found, name) for name in SiteSummary.__slots__}
    return values | {"preprocessed_at": at, "extracted_at": at}


def _tell(group: Sequence[Waiting], error: Exception) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(error)
