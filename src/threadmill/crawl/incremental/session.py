"""A forum crawl from opening the workspace's parts to noting how the run ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from threadmill.archive import ArchiveWriter
from threadmill.crawl.client import Fetcher, Request
from threadmill.crawl.incremental.answers import PageCame, archive_answer
from threadmill.crawl.incremental.entry import find_entry
from threadmill.crawl.incremental.lore import Lore
from threadmill.crawl.incremental.progress import ForumProgress
from threadmill.crawl.incremental.rounds import Ground, Rounds
from threadmill.crawl.lock import locked
from threadmill.crawl.plain import INTERRUPTED, ArchivedRobots, signals
from threadmill.errors import FetchError, UsageError
from threadmill.store import Store, open_store
from threadmill.store.forums import (
    add_board,
    change_board,
    due_boards,
    find_board,
    find_forum,
    keep_forum,
)
from threadmill.store.jobs import end_run, find_or_add_job, start_run
from threadmill.store.threads import count_due
from threadmill.urls import canonicalise
from threadmill.workspace import Workspace

Watch = Callable[[ForumProgress], None]


def crawl_forum(workspace: Workspace, url: str, watch: Watch | None = None) -> ForumProgress:
    """Crawl a forum: all of it the first time, afterwards only pages with new posts."""
    store = open_store(workspace.store_url)
    try:
        with locked(workspace.root):
            return asyncio.run(_Session(workspace, store, canonicalise(url)).run(watch))
    finally:
        store.close()


class _Session:
    def __init__(self, workspace: Workspace, store: Store, start: str) -> None:
        self._settings = workspace.settings
        self._workspace = workspace
        self._store = store
        self._start = start
        self._started = datetime.now(UTC)
        self._ready: dict[str, PageCame] = {}

    async def run(self, watch: Watch | None) -> ForumProgress:
        archive_settings = self._settings.archive
        archive = (
            ArchiveWriter(self._workspace.archive, archive_settings) if archive_settings.enabled else None
        )
        progress = ForumProgress()
        with self._store.writing() as connection:
            job = find_or_add_job(connection, "forum", self._start, "forum", self._started)
            run = start_run(connection, job.id, self._started)
        try:
            async with Fetcher(self._settings, robots=ArchivedRobots(archive)) as fetcher:
                ground, lore = await self._open(fetcher, archive, job.id, run)
                rounds = Rounds(ground, lore, self._settings.crawl, progress)
                rounds.ready = self._ready
                progress.pages = len(self._ready)
                with signals(lambda: rounds.stop(INTERRUPTED)):
                    await rounds.run(watch)
        finally:
            if archive is not None:
                archive.close()
            with self._store.writing() as connection:
                end_run(connection, run, datetime.now(UTC), 0 if progress.pages else 1, _counts(progress))
        return progress

    async def _open(
        self, fetcher: Fetcher, archive: ArchiveWriter | None, job: int, run: int
    ) -> tuple[Ground, Lore]:
        with self._store.reading() as connection:
            known = find_forum(connection, job)
        entry = known[1] if known else await self._find_entry(fetcher, archive, job)
        lore = Lore.from_json(known[2] if known else {})
        with self._store.writing() as connection:
            forum = known[0] if known else keep_forum(connection, job, entry, lore.to_json(), self._started)
            if find_board(connection, forum, entry) is None:
                add_board(connection, forum, entry, "", None)
            elif not due_boards(connection, forum) and not count_due(connection, forum):
                board = find_board(connection, forum, entry)
                assert board is not None
                change_board(connection, board.id, due=entry, page=0)
        return Ground(self._store, archive, fetcher, job, run, forum, entry, self._started), lore

    async def _find_entry(self, fetcher: Fetcher, archive: ArchiveWriter | None, job: int) -> str:
        trouble = ""

        async def fetch(url: str) -> PageCame | None:
            nonlocal trouble
            try:
                answer = await fetcher.fetch(Request(url))
            except FetchError as error:
                trouble = str(error)
                return None
            came = archive_answer(self._store, archive, job, answer)
            self._ready[came.capture.url] = came
            return came

        entry = await find_entry(self._start, fetch)
        if entry is None:
            why = trouble or "its page shows neither boards nor threads"
            raise UsageError(
                f"expected a page of a forum at {self._start}, but {why}; "
                "name a page of the forum itself, or add --site to crawl an ordinary site"
            )
        return entry


def _counts(progress: ForumProgress) -> dict[str, int]:
    return {
        "pages": progress.pages,
        "index pages": progress.index_pages,
        "thread pages": progress.thread_pages,
        "bytes": progress.bytes,
        "new threads": progress.new_threads,
        "new posts": progress.new_posts,
        "edited posts": progress.edited,
        "vanished posts": progress.vanished,
        **{f"trouble: {reason}": count for reason, count in progress.troubles.items()},
    }
