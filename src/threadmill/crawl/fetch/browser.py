"""Runs the scripts of a page in Chromium, and returns the page that they make.

The browser has no network of its own: every request of a page comes back to us, and our client sends it. So
robots.txt, politeness, refused addresses, proxies and credentials are the same with a browser and without.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from threadmill.config import FetchSettings
from threadmill.errors import BrowserError, FetchError, MissingDependencyError
from threadmill.page.obstacles import find_problem
from threadmill.types import Exchange

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO = "install Debian's package chromium, or name the program in the setting fetch.browser_program"
TIMED_OUT = "browser-timeout"

_OPTIONS = (
    "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-dev-shm-usage", "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=512",
)  # fmt: skip
# Nothing listens at this port. What a page sends around us, such as a WebSocket, ends there.
_NOWHERE = "http://127.0.0.1:9"
_QUIET = 0.5  # seconds without a request and without a change; frameworks answer a click within 0.1
_LOOK = 0.1  # seconds between two looks
_MOST_SECONDS = 120.0  # for one page: 60 requests at one a second, twice
_TOGETHER = 2  # pages at the same time; each takes about 100 MB
_KEPT_BYTES = 50_000_000  # of scripts, which all pages of a site share
_NEEDED = {"script", "xhr", "fetch"}
_SENT_HEADERS = ("authorization", "x-")  # scripts set them; the client sends its own of all others
_LONGEST_HEADER = 4000
_OWN_ANSWER_HEADERS = {"content-encoding", "content-length", "transfer-encoding", "connection"}

_log = logging.getLogger("threadmill.fetch")

# Fetches a URL with more header lines, as the client fetches pages, and decodes the answer.
FetchPart = Callable[[str, str], Awaitable[tuple[Exchange, bytes]]]


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page after its scripts have run."""

    html: bytes  # UTF-8, with a byte order mark: it counts more than the charset that the server named
    flaw: str = ""


@dataclass(slots=True)
class _Visit:
    """A page while its scripts run."""

    exchange: Exchange
    payload: bytes
    under_way: int = 0
    last_change: float = field(default_factory=time.monotonic)


def find_program(settings: FetchSettings) -> str:
    """The Chromium to start; empty if there is none."""
    names = (settings.browser_program,) if settings.browser_program else NAMES
    return next((found for name in names if (found := shutil.which(name))), "")


def needs_browser(exchange: Exchange, payload: bytes) -> bool:
    """Is this a page whose content is made by scripts?"""
    headers = {name.lower(): value for name, value in exchange.headers}
    kind = headers.get("content-type", "")
    if exchange.status != 200 or "html" not in kind or b"<script" not in payload.lower():
        return False
    problem = find_problem(payload, exchange.status, kind, exchange.headers)
    return problem is not None and problem.kind == "script"


class PageBrowser:
    """A Chromium that is started at the first page that needs it."""

    def __init__(self, settings: FetchSettings, fetch_part: FetchPart) -> None:
        self._settings = settings
        self._fetch_part = fetch_part
        self._program = find_program(settings)
        if not self._program:
            raise BrowserError(f"expected Chromium for --browser, but found none; {HOW_TO}")
        try:
            import playwright.async_api
        except ImportError:
            raise MissingDependencyError("playwright", "browser", "--browser") from None
        self._playwright = playwright.async_api
        self._driver: Any = None
        self._browser: Any = None
        self._context: Any = None
        self._turn = asyncio.Semaphore(_TOGETHER)
        self._starting = asyncio.Lock()
        self._scripts: OrderedDict[str, tuple[Exchange, bytes]] = OrderedDict()
        self._kept = 0

    async def render(self, exchange: Exchange, payload: bytes) -> RenderedPage:
        """Run the scripts of a page until nothing happens any more. A browser that crashed is replaced."""
        async with self._turn:
            try:
                return await self._render(exchange, payload)
            except self._playwright.Error:
                await self._stop()
            try:
                return await self._render(exchange, payload)
            except self._playwright.Error as error:
                await self._stop()
                why = str(error).partition("\n")[0]
                raise BrowserError(f"the browser failed at {exchange.url}: {why[:200]}") from None

    async def close(self) -> None:
        """End the browser."""
        await self._stop()
        if self._driver is not None:
            await self._driver.stop()
            self._driver = None

    async def _render(self, exchange: Exchange, payload: bytes) -> RenderedPage:
        await self._start()
        visit = _Visit(exchange, payload)
        page = await self._context.new_page()
        try:
            await page.route("**/*", lambda route: self._answer(route, visit))
            async with asyncio.timeout(_MOST_SECONDS) as limit:
                try:
                    await page.goto(exchange.url, wait_until="domcontentloaded", timeout=0)
                    flaw = await self._wait_for_quiet(page, visit, limit.when() or 0.0)
                    html = (await page.content()).encode("utf-8", "replace")
                except asyncio.CancelledError:
                    if not limit.expired():
                        raise
                    raise TimeoutError from None
        except TimeoutError:  # a script that never ends holds its process
            await self._stop()
            raise BrowserError(
                f"the scripts of {exchange.url} did not end within {_MOST_SECONDS:.0f} seconds"
            ) from None
        finally:
            with suppress(self._playwright.Error):
                await page.close()
        if len(html) > self._settings.max_body_bytes:
            raise BrowserError(f"the scripts of {exchange.url} made a page of {len(html):,} bytes; too large")
        return RenderedPage(b"\xef\xbb\xbf" + html, flaw)

    async def _wait_for_quiet(self, page: Any, visit: _Visit, until: float) -> str:
        """Wait until nothing is under way and the page does not change. One that never rests has a flaw."""
        loop = asyncio.get_running_loop()
        size = -1
        while loop.time() < until - 2:  # the rest is for reading the page
            await asyncio.sleep(_LOOK)
            now = await page.evaluate("document.documentElement.innerHTML.length")
            if now != size or visit.under_way:
                size, visit.last_change = now, time.monotonic()
            elif time.monotonic() - visit.last_change >= _QUIET:
                return ""
        return TIMED_OUT

    async def _answer(self, route: Any, visit: _Visit) -> None:
        """Answer a request of the page: the page itself, what its scripts need, or nothing."""
        visit.under_way += 1
        try:
            await self._answer_part(route, visit)
        except self._playwright.Error:
            pass  # the page was closed meanwhile
        finally:
            visit.under_way -= 1
            visit.last_change = time.monotonic()

    async def _answer_part(self, route: Any, visit: _Visit) -> None:
        asked = route.request
        if asked.is_navigation_request():
            # Frames, and scripts that lead elsewhere, are not followed: a crawl finds pages by links.
            if asked.url.partition("#")[0] == visit.exchange.url and asked.frame.parent_frame is None:
                await _fulfil(route, visit.exchange, visit.payload)
            else:
                await route.abort()
        elif asked.resource_type == "stylesheet":  # a program may wait for it
            await route.fulfill(status=200, content_type="text/css", body="")
        elif asked.method != "GET" or asked.resource_type not in _NEEDED:
            await route.abort()
        else:
            try:
                exchange, payload = await self._part(asked)
            except FetchError as error:
                _log.info("%s asks for %s: %s (%s)", visit.exchange.url, asked.url, error, error.reason)
                await route.abort()
                return
            _log.debug("%s asks for %s: status %d", visit.exchange.url, asked.url, exchange.status)
            await _fulfil(route, exchange, payload)

    async def _part(self, asked: Any) -> tuple[Exchange, bytes]:
        kept = self._scripts.get(asked.url)
        if kept is not None:
            return kept
        lines = "".join(
            f"{name}: {value}\r\n"
            for name, value in asked.headers.items()
            if name.lower().startswith(_SENT_HEADERS) and len(value) < _LONGEST_HEADER and value.isprintable()
        )
        found = await self._fetch_part(asked.url, lines)
        if asked.resource_type == "script" and found[0].status == 200:
            self._keep(asked.url, found)
        return found

    def _keep(self, url: str, found: tuple[Exchange, bytes]) -> None:
        self._kept += len(found[1])
        self._scripts[url] = found
        while self._kept > _KEPT_BYTES:
            _, (_, oldest) = self._scripts.popitem(last=False)
            self._kept -= len(oldest)

    async def _start(self) -> None:
        async with self._starting:
            if self._browser is not None and self._browser.is_connected():
                return
            if self._driver is None:
                self._driver = await self._playwright.async_playwright().start()
            # Chromium refuses its sandbox to root.
            root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
            try:
                self._browser = await self._driver.chromium.launch(
                    executable_path=self._program,
                    headless=True,
                    chromium_sandbox=not root,
                    args=[*_OPTIONS, *root],
                    proxy={"server": _NOWHERE},
                )
                self._context = await self._browser.new_context(
                    user_agent=self._settings.agent,
                    timezone_id="UTC",  # scripts write dates in the time zone of the browser
                    service_workers="block",
                    accept_downloads=False,
                )
            except self._playwright.Error as error:
                why = " ".join(str(error).split())
                raise BrowserError(f"{self._program} could not be started: {why[:300]}") from None

    async def _stop(self) -> None:
        browser, self._browser, self._context = self._browser, None, None
        if browser is not None:
            with suppress(self._playwright.Error, TimeoutError):
                async with asyncio.timeout(10):
                    await browser.close()


async def _fulfil(route: Any, exchange: Exchange, payload: bytes) -> None:
    """Hand an answer of the client to the browser."""
    headers = {
        name.lower(): value
        for name, value in exchange.headers
        if name.lower() not in _OWN_ANSWER_HEADERS and value.isprintable()
    }
    # The client does not say which page asks. Servers that check this would forbid their own scripts to read.
    origin = route.request.headers.get("origin")
    if origin:
        headers |= {"access-control-allow-origin": origin, "access-control-allow-credentials": "true"}
    await route.fulfill(status=exchange.status, headers=headers, body=payload)
