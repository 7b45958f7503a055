"""Obeys robots.txt: fetches it before any page of an origin and raises an error for URLs it disallows.

The store keeps the files between runs, and the archive keeps the exchanges that brought them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from threadmill.archive import ArchiveWriter
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.redirects import RedirectChain
from threadmill.crawl.fetch.request_sender import RequestSender, RequestWithRetries
from threadmill.crawl.fetch.target import RequestTarget, parse_target
from threadmill.crawl.manners.politeness import Politeness
from threadmill.crawl.manners.robots import (
    MAX_BYTES,
    MAX_REDIRECTS,
    NO_FILE,
    MemoryRobotsCache,
    RobotsCache,
    RobotsFile,
    RobotsParser,
    RobotsRules,
    updated_file,
)
from threadmill.errors import (
    AddressForbiddenError,
    BadAnswerError,
    BusyError,
    CutOffError,
    FetchTimeoutError,
    RedirectError,
    RobotsForbiddenError,
    RobotsUnreachableError,
)
from threadmill.store import Store
from threadmill.store.crawl.robots import RobotsRow, find_robots, keep_robots
from threadmill.types import Exchange


class RobotsChecker:
    """Checks URLs against the robots.txt of their origin, which is fetched once however many wait for it."""

    def __init__(
        self, agent: str, sender: RequestSender, cache: RobotsCache, politeness: Politeness, clock: Clock
    ) -> None:
        self._sender = sender
        self._cache = cache
        self._politeness = politeness
        self._clock = clock
        self._parser = RobotsParser(agent)
        self._fetching: dict[str, asyncio.Task[RobotsFile]] = {}

    async def require_allowed(self, target: RequestTarget) -> None:
        """Raise a ForbiddenError if robots.txt disallows the URL, a TransientError if it is unreachable."""
        file = await self._file(target)
        rules = self._parser.rules_of(file)
        if rules.crawl_delay is not None:  # also from a file that an earlier crawl stored
            self._politeness.set_delay(target.authority, rules.crawl_delay)
        if rules.allow(target.url, self._parser.token):
            return
        if file.reachable or file.body_at is not None:
            told = f"{target.origin}/robots.txt disallows {target.url}; name a page that it allows"
            raise RobotsForbiddenError(f"{told}, or ask the owner of the site")
        raise RobotsUnreachableError(
            f"{target.origin}/robots.txt is unreachable ({file.status or 'no answer'}), "
            "so nothing may be fetched there for now",
            retry_in=file.stale_in(self._clock.now()),
        )

    async def rules_for(self, target: RequestTarget) -> RobotsRules:
        """All rules of the robots.txt of a target's origin."""
        return self._parser.rules_of(await self._file(target))

    async def close(self) -> None:
        """Cancel requests under way."""
        tasks = list(self._fetching.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _file(self, target: RequestTarget) -> RobotsFile:
        origin = target.origin
        file = self._cache.get(origin)
        if file is not None and file.stale_in(self._clock.now()) > 0:
            return file
        task = self._fetching.get(origin)
        if task is None:
            task = asyncio.create_task(self._fetch(target, file))
            self._fetching[origin] = task
            task.add_done_callback(lambda _: self._fetching.pop(origin, None))
        # If one caller is cancelled, the others still need the file.
        return await asyncio.shield(task)

    async def _fetch(self, target: RequestTarget, last: RobotsFile | None) -> RobotsFile:
        """Fetch the file. If the host does not exist, the error goes to the caller and no verdict is kept."""
        sent = RequestWithRetries(MAX_BYTES)
        status, body = 0, b""
        try:
            status, body = await self._follow(parse_target(f"{target.origin}/robots.txt"), sent)
        except RedirectError:
            status = NO_FILE
        except BusyError:
            status = sent.exchanges[-1].status if sent.exchanges else 503
        except AddressForbiddenError:
            if not sent.exchanges:  # the host itself is private, not one that it redirects to
                raise
        except (FetchTimeoutError, CutOffError, BadAnswerError):
            pass
        file = updated_file(target.origin, status, body, self._clock.now(), last)
        self._cache.put(file, tuple(sent.exchanges))
        return file

    async def _follow(self, target: RequestTarget, sent: RequestWithRetries) -> tuple[int, bytes]:
        chain = RedirectChain(MAX_REDIRECTS)
        while True:
            exchange = await self._sender.send(target, sent)
            onward = chain.next(target, exchange, "")
            if onward is None:
                return exchange.status, decode_exchange(exchange, MAX_BYTES)[0]
            target = onward


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
