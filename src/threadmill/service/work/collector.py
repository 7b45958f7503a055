"""The collector of one process: one fetcher and one archive writer for all the sites it is given."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self
from uuid import UUID

from threadmill.archive.writer import ArchiveWriter
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher, FetchResult
from threadmill.errors import URLError
from threadmill.service.queue.host_locks import Turns
from threadmill.sites.collect.archived_pages import Archived
from threadmill.sites.collect.collect import Effort, collect_site
from threadmill.sites.model import Collected
from threadmill.urls import site_of
from threadmill.workspace import Workspace


class Collector:
    """Fetches sites politely and archives every answer; used from one event loop."""

    def __init__(self, workspace: Workspace, effort: Effort | None = None) -> None:
        self._workspace = workspace
        self._effort = effort or Effort()
        self._fetcher = Fetcher(guarded(workspace.settings))
        self._archive = ArchiveWriter(workspace.archive, workspace.settings.archive)
        self._turns = Turns(workspace.root / "turns.lock", workspace.settings.crawl.delay)
        self._archived: Archived | None = None
        self._refreshed_for: UUID | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._fetcher.__aexit__(kind, error, trace)
        self._archive.close()
        self._turns.close()

    async def collect(self, task_id: UUID, url: str, *, alone: bool, use_archive_data: bool) -> Collected:
        """One site; whatever is wrong with it is said in what comes back."""
        archived = await self._look(task_id) if use_archive_data else None
        async with self._turns.at(_host(url)):
            return await collect_site(
                self._fetcher,
                url,
                self._effort,
                self._keep,
                archived=archived,
                use_archive_data=use_archive_data,
                alone=alone,
            )

    def _keep(self, answer: FetchResult) -> None:
        if self._workspace.settings.archive.enabled:
            for exchange in answer.exchanges:
                self._archive.write(exchange)

    async def _look(self, task_id: UUID) -> Archived:
        """The archive as it was when this process first heard of a task: every look costs a reading."""
        if self._archived is None:
            self._archived = await asyncio.to_thread(Archived, self._workspace.archive)
        elif self._refreshed_for != task_id:
            await asyncio.to_thread(self._archived.refresh)
        self._refreshed_for = task_id
        return self._archived


def _host(url: str) -> str:
    """Whose turn it is: a registered domain, as a site's hosts redirect to each other."""
    try:
        return site_of(url)
    except URLError:
        return url


def guarded(settings: Settings) -> Settings:
    """The settings of a fetcher that strangers may send somewhere: private addresses are off by default."""
    return override(settings, "fetch", private_targets=settings.service.private_targets)
