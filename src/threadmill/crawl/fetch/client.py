"""The fetcher: takes a URL, obeys robots.txt, follows redirects, and returns every exchange and the page."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from threadmill.config import Settings
from threadmill.crawl.fetch.browser import PageBrowser, needs_browser
from threadmill.crawl.fetch.clock import Clock, SystemClock
from threadmill.crawl.fetch.cookies import CookieJar
from threadmill.crawl.fetch.credentials import NO_CREDENTIALS, Credentials
from threadmill.crawl.fetch.decoding import decode_exchange
from threadmill.crawl.fetch.ip_addresses import AddressResolver, Lookup, system_lookup
from threadmill.crawl.fetch.proxies import ProxyChoice
from threadmill.crawl.fetch.redirects import RedirectChain
from threadmill.crawl.fetch.request_sender import RequestPermit, RequestSender, RequestWithRetries
from threadmill.crawl.fetch.target import parse_target
from threadmill.crawl.fetch.transport import HTTPTransport, Transport
from threadmill.crawl.manners.politeness import Politeness
from threadmill.crawl.manners.robots import MemoryRobotsCache, RobotsCache, RobotsRules
from threadmill.crawl.manners.robots_checker import RobotsChecker
from threadmill.errors import FetchError
from threadmill.types import Capture, Exchange

_log = logging.getLogger("threadmill.fetch")


@dataclass(frozen=True, slots=True)
class Request:
    """What to fetch. With a validator the server may answer 304, "not modified"."""

    url: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class FetchResult:
    """What a fetch brought: every exchange (retries, redirects), and the last one decoded as a capture."""

    request: Request
    exchanges: tuple[Exchange, ...]
    capture: Capture
    not_modified: bool
    flaws: tuple[str, ...] = ()  # cut-off, timeout, too-large, bad-chunking, bad-encoding, not-encoded …


class Fetcher:
    """Fetches URLs. A crawl makes one fetcher and uses it from one event loop."""

    def __init__(
        self,
        settings: Settings,
        *,
        transport: Transport | None = None,
        clock: Clock | None = None,
        robots: RobotsCache | None = None,
        lookup: Lookup = system_lookup,
        rng: random.Random | None = None,
        credentials: Credentials = NO_CREDENTIALS,
    ) -> None:
        clock = clock or SystemClock()
        rng = rng or random.Random()
        resolver = AddressResolver(private=settings.fetch.private_targets, clock=clock, lookup=lookup)
        self._settings = settings
        proxies = ProxyChoice(settings.access.proxy)
        self._transport = transport or HTTPTransport(settings.fetch, resolver, proxies)
        self.politeness = Politeness(settings.crawl, settings.fetch, clock, rng)
        self._sender = RequestSender(
            settings, self._transport, self.politeness, clock, rng, credentials=credentials
        )
        cache = robots if robots is not None else MemoryRobotsCache()
        self._browser = PageBrowser(settings.fetch, self._fetch_part) if settings.fetch.browser else None
        self._robots = RobotsChecker(settings.fetch.agent, self._sender, cache, self.politeness, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._browser is not None:
            await self._browser.close()
        await self._robots.close()
        await self._transport.close()

    def ask_before_requests(self, permit: RequestPermit) -> None:
        """Ask `permit` before each request. It raises a FetchError to prevent the request."""
        self._sender.permit = permit

    @property
    def cookies(self) -> CookieJar:
        """The cookie jar. `export` it to keep the cookies, `load` them into a later fetcher."""
        return self._sender.cookies

    async def robots_rules(self, url: str) -> RobotsRules:
        """What the robots.txt of the URL's origin says to us, with its sitemaps and crawl-delay."""
        return await self._robots.rules_for(parse_target(url))

    async def fetch(self, request: Request, may_follow: Callable[[str], bool] | None = None) -> FetchResult:
        """Fetch a URL. Raise a FetchError on failure; it carries the exchanges that did happen.

        A redirect to a URL that `may_follow` rejects is not followed: the redirect itself is the result.
        """
        sent = RequestWithRetries(self._settings.fetch.max_body_bytes, _validator_headers(request))
        try:
            exchange = await self._follow(request.url, sent, may_follow)
            if self._browser is not None:
                exchange = await self._render(self._browser, sent, exchange)
            result = self._result(request, sent, exchange)
        except FetchError as error:
            error.exchanges = tuple(sent.exchanges)
            _log.info("%s: %s (%s)", request.url, error, error.reason)
            raise
        flaws = f", {', '.join(result.flaws)}" if result.flaws else ""
        _log.info("%s: status %d, %d bytes%s", request.url, exchange.status, len(exchange.body), flaws)
        return result

    async def send_unrecorded(self, url: str, form: bytes | None = None) -> Exchange:
        """Fetch a page, or send a form, and follow redirects. Nothing is kept: the exchanges hold secrets."""
        sent = RequestWithRetries(self._settings.fetch.max_body_bytes, body=form)
        return await self._follow(url, sent, None)

    async def _render(self, browser: PageBrowser, sent: RequestWithRetries, exchange: Exchange) -> Exchange:
        """Run the scripts of a page that shows nothing without them."""
        payload, _ = decode_exchange(exchange, self._settings.fetch.max_body_bytes)
        if not needs_browser(exchange, payload):
            return exchange
        page = await browser.render(exchange, payload)
        sent.exchanges[-1] = rendered = replace(exchange, rendered=page.html)
        sent.flaw = sent.flaw or page.flaw
        return rendered

    async def _fetch_part(self, url: str, header_lines: str) -> tuple[Exchange, bytes]:
        """Fetch what a script asks for."""
        sent = RequestWithRetries(self._settings.fetch.max_body_bytes, header_lines)
        exchange = await self._follow(url, sent, None)
        return exchange, decode_exchange(exchange, self._settings.fetch.max_body_bytes)[0]

    async def _follow(
        self, url: str, sent: RequestWithRetries, may_follow: Callable[[str], bool] | None
    ) -> Exchange:
        """Follow redirects and return the last exchange. The robots.txt of each host on the way is obeyed."""
        target = parse_target(url)
        chain = RedirectChain(self._settings.fetch.max_redirects)
        while True:
            if self._settings.crawl.robots:
                await self._robots.require_allowed(target)
            exchange = await self._sender.send(target, sent)
            if exchange.status < 300 or exchange.status >= 400:
                return exchange
            onward = chain.next(target, exchange, self.cookies.header(target, exchange.at))
            if onward is None or (may_follow is not None and not may_follow(onward.url)):
                return exchange
            target = onward
            sent.validators, sent.body = "", None  # the page after a form is fetched as any other

    def _result(self, request: Request, sent: RequestWithRetries, exchange: Exchange) -> FetchResult:
        payload, flaw = decode_exchange(exchange, self._settings.fetch.max_body_bytes)
        flaws = tuple([flaw for flaw in (sent.flaw, flaw) if flaw])
        capture = Capture(exchange.url, exchange.at, exchange.status, exchange.headers, payload, "http")
        return FetchResult(request, tuple(sent.exchanges), capture, exchange.status == 304, flaws)


def _validator_headers(request: Request) -> str:
    lines = ""
    if request.etag:
        lines = f"If-None-Match: {_one_line(request.etag)}\r\n"
    if request.last_modified:
        lines += f"If-Modified-Since: {_one_line(request.last_modified)}\r\n"
    return lines


def _one_line(value: str) -> str:
    return value.replace("\r", " ").replace("\n", " ")
