"""Asking a host's robots.txt before anything else is asked of it, once, however many wait for it."""

from __future__ import annotations

import asyncio

from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.redirects import Trail
from threadmill.crawl.fetch.request import Asker, Errand
from threadmill.crawl.fetch.target import Target, make_target
from threadmill.crawl.manners.politeness import Politeness
from threadmill.crawl.manners.robots import (
    MAX_BYTES,
    MAX_REDIRECTS,
    NO_FILE,
    RobotsCache,
    RobotsFile,
    Rules,
    RulesOf,
    next_file,
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


class Permission:
    """Knows what every origin allows us."""

    def __init__(
        self, agent: str, asker: Asker, cache: RobotsCache, politeness: Politeness, clock: Clock
    ) -> None:
        self._asker = asker
        self._cache = cache
        self._politeness = politeness
        self._clock = clock
        self._rules_of = RulesOf(agent)
        self._asking: dict[str, asyncio.Task[RobotsFile]] = {}

    async def require(self, target: Target) -> None:
        """Raise a ForbiddenError where robots.txt says no, a TransientError where it cannot be had."""
        file = await self._file(target)
        rules = self._rules_of(file)
        if rules.crawl_delay is not None:  # of a file kept from an earlier crawl, too
            self._politeness.set_delay(target.authority, rules.crawl_delay)
        if rules.allow(target.url, self._rules_of.token):
            return
        if file.reachable or file.body_at is not None:
            raise RobotsForbiddenError(f"{target.origin}/robots.txt disallows {target.url}")
        raise RobotsUnreachableError(
            f"{target.origin}/robots.txt cannot be had ({file.status or 'no answer'}), "
            "so nothing may be fetched there for now",
            retry_in=file.stale_in(self._clock.now()),
        )

    async def rules(self, target: Target) -> Rules:
        """All that the robots.txt of a target's origin says."""
        return self._rules_of(await self._file(target))

    async def close(self) -> None:
        """Stop asking."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _file(self, target: Target) -> RobotsFile:
        origin = target.origin
        file = self._cache.get(origin)
        if file is not None and file.stale_in(self._clock.now()) > 0:
            return file
        task = self._asking.get(origin)
        if task is None:
            task = asyncio.create_task(self._ask(target, file))
            self._asking[origin] = task
            task.add_done_callback(lambda _: self._asking.pop(origin, None))
        # One who gives up waiting must not take the answer from the others.
        return await asyncio.shield(task)

    async def _ask(self, target: Target, last: RobotsFile | None) -> RobotsFile:
        """Ask for the file; a host that is not there at all is the caller's failure, not a verdict."""
        errand = Errand(MAX_BYTES)
        status, body = 0, b""
        try:
            status, body = await self._follow(make_target(f"{target.origin}/robots.txt"), errand)
        except RedirectError:
            status = NO_FILE
        except BusyError:
            status = 503
        except AddressForbiddenError:
            if not errand.exchanges:  # the host itself, not one it redirects to
                raise
        except (FetchTimeoutError, CutOffError, BadAnswerError):
            pass
        file = next_file(target.origin, status, body, self._clock.now(), last)
        self._cache.put(file, tuple(errand.exchanges))
        return file

    async def _follow(self, target: Target, errand: Errand) -> tuple[int, bytes]:
        trail = Trail(MAX_REDIRECTS)
        while True:
            exchange = await self._asker.ask(target, errand)
            onward = trail.next(target, exchange, "")
            if onward is None:
                return exchange.status, decode_exchange(exchange, MAX_BYTES)[0]
            target = onward
