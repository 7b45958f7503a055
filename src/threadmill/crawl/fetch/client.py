"""The fetcher: one URL in, what the servers on the way answered out, politely and within limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from threadmill.config import Settings
from threadmill.crawl.fetch.clock import Clock, SystemClock
from threadmill.crawl.fetch.cookies import Cookies
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.ip_addresses import Addresses, Lookup, system_lookup
from threadmill.crawl.fetch.redirects import Trail
from threadmill.crawl.fetch.request import Asker, Errand
from threadmill.crawl.fetch.target import make_target
from threadmill.crawl.fetch.transport import HTTPTransport, Transport
from threadmill.crawl.manners.politeness import Politeness
from threadmill.crawl.manners.robots import MemoryRobotsCache, RobotsCache, Rules
from threadmill.crawl.manners.robots_checker import Permission
from threadmill.errors import FetchError
from threadmill.types import Capture, Exchange


@dataclass(frozen=True, slots=True)
class Request:
    """What to fetch; with a validator the server may answer that nothing has changed."""

    url: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came: every exchange on the way, tries and redirects, the last of them as a capture."""

    request: Request
    exchanges: tuple[Exchange, ...]
    capture: Capture
    not_modified: bool
    flaws: tuple[str, ...] = ()  # cut-off, timeout, too-large, bad-chunking, bad-encoding, not-encoded …


class Fetcher:
    """Fetches URLs; one for a whole crawl, used from one event loop."""

    def __init__(
        self,
        settings: Settings,
        *,
        transport: Transport | None = None,
        clock: Clock | None = None,
        robots: RobotsCache | None = None,
        lookup: Lookup = system_lookup,
        scatter: random.Random | None = None,
    ) -> None:
        clock = clock or SystemClock()
        scatter = scatter or random.Random()
        addresses = Addresses(private=settings.fetch.private_targets, clock=clock, lookup=lookup)
        self._settings = settings
        self._transport = transport or HTTPTransport(settings.fetch, addresses)
        self.politeness = Politeness(settings.crawl, settings.fetch, clock, scatter)
        self._asker = Asker(settings, self._transport, self.politeness, clock, scatter)
        cache = robots if robots is not None else MemoryRobotsCache()
        self._permission = Permission(settings.fetch.agent, self._asker, cache, self.politeness, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._permission.close()
        await self._transport.close()

    @property
    def cookies(self) -> Cookies:
        """The cookie jar: export it to keep it, load what was exported."""
        return self._asker.cookies

    async def rules(self, url: str) -> Rules:
        """What the robots.txt of a URL's origin says to us: its sitemaps, its crawl-delay."""
        return await self._permission.rules(make_target(url))

    async def fetch(self, request: Request, may_follow: Callable[[str], bool] | None = None) -> Answer:
        """Fetch a URL; a failure is a FetchError that carries what did come over the wire.

        A redirect to a URL that `may_follow` does not want is an answer like any other.
        """
        errand = Errand(self._settings.fetch.max_body_bytes, _validators(request))
        try:
            return self._answer(request, errand, await self._follow(request.url, errand, may_follow))
        except FetchError as error:
            error.exchanges = tuple(errand.exchanges)
            raise

    async def _follow(self, url: str, errand: Errand, may_follow: Callable[[str], bool] | None) -> Exchange:
        """The last exchange of a chain of redirects, each asked for by the rules of its own host."""
        target = make_target(url)
        trail = Trail(self._settings.fetch.max_redirects)
        while True:
            if self._settings.crawl.robots:
                await self._permission.require(target)
            exchange = await self._asker.ask(target, errand)
            if exchange.status < 300 or exchange.status >= 400:
                return exchange
            onward = trail.next(target, exchange, self.cookies.header(target, exchange.at))
            if onward is None or (may_follow is not None and not may_follow(onward.url)):
                return exchange
            target = onward
            errand.validators = ""

    def _answer(self, request: Request, errand: Errand, exchange: Exchange) -> Answer:
        payload, flaw = decode_exchange(exchange, self._settings.fetch.max_body_bytes)
        flaws = tuple([flaw for flaw in (errand.flaw, flaw) if flaw])
        capture = Capture(exchange.url, exchange.at, exchange.status, exchange.headers, payload, "http")
        return Answer(request, tuple(errand.exchanges), capture, exchange.status == 304, flaws)


def _validators(request: Request) -> str:
    lines = ""
    if request.etag:
        lines = f"If-None-Match: {_one_line(request.etag)}\r\n"
    if request.last_modified:
        lines += f"If-Modified-Since: {_one_line(request.last_modified)}\r\n"
    return lines


def _one_line(value: str) -> str:
    return value.replace("\r", " ").replace("\n", " ")
