"""Asking one host for one resource: in its own time, again where that is worth it, everything on record."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime

from threadmill.config import Settings
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.connection import Reply
from threadmill.crawl.fetch.cookies import Cookies
from threadmill.crawl.fetch.decoding import ACCEPTED
from threadmill.crawl.fetch.retry import BUSY_STATUSES, RETRIED_STATUSES, backoff, read_retry_after
from threadmill.crawl.fetch.target import Target
from threadmill.crawl.fetch.transport import Transport
from threadmill.crawl.manners.host_gate import Gate
from threadmill.crawl.manners.politeness import Outcome, Politeness
from threadmill.errors import BusyError, TransientError
from threadmill.types import Exchange


@dataclass(slots=True)
class Errand:
    """What is sent with each request of one fetch, and what has come of it so far."""

    max_body: int
    validators: str = ""  # header lines; they belong to the URL asked for, not to where it leads
    exchanges: list[Exchange] = field(default_factory=list)
    flaw: str = ""  # of the last exchange


class Asker:
    """Sends requests through a transport, politely."""

    def __init__(
        self,
        settings: Settings,
        transport: Transport,
        politeness: Politeness,
        clock: Clock,
        scatter: random.Random,
    ) -> None:
        self._settings = settings.fetch
        self._transport = transport
        self._politeness = politeness
        self._clock = clock
        self._scatter = scatter
        self._gate = Gate(politeness, clock)
        self.cookies = Cookies()
        self._constant_head = (
            f"User-Agent: {settings.fetch.agent}\r\n"
            "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            f"Accept-Encoding: {ACCEPTED}\r\n"
        )

    async def ask(self, target: Target, errand: Errand) -> Exchange:
        """Ask until an answer comes that no further try would better; failing that, a FetchError."""
        tries = self._settings.retries + 1
        for attempt in range(tries):
            last = attempt == tries - 1
            try:
                exchange = await self._ask_once(target, errand)
            except TransientError as error:
                if last or error.retry_in is not None:
                    raise
            else:
                if exchange.status in BUSY_STATUSES:
                    self._stop_if_hopeless(target, exchange.status, last=last)
                elif last or not (exchange.status in RETRIED_STATUSES or errand.flaw == "cut-off"):
                    return exchange
            await self._clock.sleep(self._pause(attempt))
        raise AssertionError("the last try returns or raises")

    def _pause(self, attempt: int) -> float:
        settings = self._settings
        return backoff(attempt, settings.retry_seconds, settings.max_retry_after, self._scatter.random())

    def _stop_if_hopeless(self, target: Target, status: int, *, last: bool) -> None:
        """A server that stays busy, or asks for more patience than a request has, is left for later."""
        aside = self._politeness.aside(target.authority)
        if not last and aside is None:
            return
        wait = self._politeness.wait(target.authority)
        raise BusyError(
            f"{target.authority} answers {status} and asks to be left alone",
            retry_in=wait.seconds if wait else None,
        )

    async def _ask_once(self, target: Target, errand: Errand) -> Exchange:
        host = target.authority
        started = await self._gate.enter(host)
        now = self._clock.now()
        head = self._head(target, errand, now)
        try:
            reply = await self._transport.exchange(target, head, errand.max_body)
        except TransientError:
            self._gate.leave(host, Outcome.FAILED, started)
            raise
        except BaseException:
            self._gate.abandon(host)
            raise
        self._leave(host, reply, started)
        self.cookies.take(target, reply.headers, now)
        exchange = Exchange(
            target.url,
            now,
            head,
            reply.status,
            reply.reason,
            reply.headers,
            reply.body,
            reply.remote_address,
            reply.truncated,
        )
        errand.exchanges.append(exchange)
        errand.flaw = reply.flaw
        return exchange

    def _leave(self, host: str, reply: Reply, started: float) -> None:
        if reply.status not in BUSY_STATUSES:
            self._gate.leave(host, Outcome.GOOD, started)
            return
        said = next((value for name, value in reply.headers if name.lower() == "retry-after"), None)
        self._gate.leave(host, Outcome.BUSY, started, read_retry_after(said, self._clock.now()))

    def _head(self, target: Target, errand: Errand, now: datetime) -> bytes:
        """The request head as it goes over the wire and into the archive."""
        head = f"GET {target.resource} HTTP/1.1\r\nHost: {target.authority}\r\n{self._constant_head}"
        cookies = self.cookies.header(target, now)
        if cookies:
            head += f"Cookie: {cookies}\r\n"
        return f"{head}{errand.validators}\r\n".encode("latin-1", "replace")
