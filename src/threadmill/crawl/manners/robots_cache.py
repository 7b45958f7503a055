"""Keeps robots.txt files in the store between runs, and archives the exchanges that brought them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from threadmill.archive import ArchiveWriter
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.manners.robots import MemoryRobotsCache, RobotsFile
from threadmill.store import Store
from threadmill.store.crawl.robots import RobotsRow, find_robots, keep_robots
from threadmill.types import Exchange

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class StoredRobotsCache(MemoryRobotsCache):
    """Keeps robots.txt files in the store. A file says itself how long it is valid (24 hours).

    A new run asks again if the last request failed, because the problem may be over. Until the response
    comes the earlier rules hold.
    """

    def __init__(self, store: Store, archive: ArchiveWriter | None, clock: Clock) -> None:
        super().__init__()
        self._store = store
        self._archive = archive
        self._clock = clock

    def get(self, origin: str) -> RobotsFile | None:
        """The last file that was put for an origin, in this run or an earlier one."""
        file = super().get(origin)
        if file is None and (file := self._stored(origin)) is not None:
            super().put(file, ())
        return file

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:
        """Keep a file, and archive the exchanges that brought it."""
        super().put(file, exchanges)
        if self._archive is not None:
            for exchange in exchanges:
                self._archive.write(exchange)
        row = RobotsRow(file.origin, file.at, file.status, file.body, file.body_at, file.failing_since)
        with self._store.writing() as connection:
            keep_robots(connection, row)

    def _stored(self, origin: str) -> RobotsFile | None:
        with self._store.reading() as connection:
            row = find_robots(connection, origin)
        if row is None:
            return None
        file = RobotsFile(row.origin, row.at, row.status, row.body, row.body_at, row.failing_since)
        # A file from the future (the clock was set back) must not stay valid for longer than a day.
        valid = file.reachable and file.at <= self._clock.now()
        return file if valid else replace(file, at=_LONG_AGO)
