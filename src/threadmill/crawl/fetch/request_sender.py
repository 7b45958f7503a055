"""Sends requests to a host: waits until it may, retries failures, and keeps every exchange."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Protocol

from threadmill.config import Settings
from threadmill.crawl.fetch.clock import Clock
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.cookies import CookieJar
from threadmill.crawl.fetch.credentials import NO_CREDENTIALS, Credentials, without_secrets
from threadmill.crawl.fetch.decoding import ACCEPTED, decode_exchange
from threadmill.crawl.fetch.retry import BUSY_STATUSES, RETRIED_STATUSES, backoff, read_retry_after
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.crawl.fetch.transport import Transport
from threadmill.crawl.manners.politeness import HostGate, Politeness, RequestOutcome
from threadmill.errors import BusyError, HostAsideError, TransientError
from threadmill.page.obstacles import find_problem
from threadmill.types import Exchange


class RequestPermit(Protocol):
    """Says whether a host may be asked. Several processes may share the hosts."""

    async def permit(self, host: str) -> None:
        """Called before each request. Raises a FetchError if the host may not be asked now."""

    def check(self, host: str) -> None:
        """Called just before a permitted request leaves. Raises a FetchError if it is too late for that."""


@dataclass(frozen=True, slots=True)
class _RequestDeparture:
    """Tells the gate of a host when a request leaves, if it may still leave."""

    host: str
    started: float
    gate: HostGate
    permit: RequestPermit | None

    def check(self) -> None:
        if self.permit is not None:
            self.permit.check(self.host)

    def note_sent(self) -> None:
        self.gate.note_sent(self.host, self.started)


@dataclass(slots=True)
class RequestWithRetries:
    """One fetch with its retries and redirects: what is sent with each request, and all exchanges so far."""

    max_body: int
    validators: str = ""  # header lines; they belong to the URL asked for, not to the target of a redirect
    exchanges: list[Exchange] = field(default_factory=list)
    flaw: str = ""  # of the last exchange
    body: bytes | None = None  # of a form that is sent; None: the request is a GET


class RequestSender:
    """Sends requests through a transport, one host at a time as politeness allows."""

    def __init__(
        self,
        settings: Settings,
        transport: Transport,
        politeness: Politeness,
        clock: Clock,
        rng: random.Random,
        *,
        credentials: Credentials = NO_CREDENTIALS,
    ) -> None:
        self.permit: RequestPermit | None = None
        self._settings = settings.fetch
        self._transport = transport
        self._politeness = politeness
        self._clock = clock
        self._rng = rng
        self._gate = HostGate(politeness, clock)
        self._credentials = credentials
        self.cookies = CookieJar()
        self.cookies.load(asdict(cookie) for cookie in credentials.cookies)
        self._constant_head = (
            f"User-Agent: {settings.fetch.agent}\r\n"
            "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            f"Accept-Encoding: {ACCEPTED}\r\n"
        )

    async def send(self, target: RequestTarget, sent: RequestWithRetries) -> Exchange:
        """Send until a response comes that a retry would not improve. Otherwise raise a FetchError."""
        tries = self._settings.retries + 1
        for attempt in range(tries):
            last = attempt == tries - 1
            try:
                exchange = await self._send_once(target, sent)
            except TransientError as error:
                if last or error.retry_in is not None:
                    raise
            else:
                if exchange.status in BUSY_STATUSES:
                    self._raise_if_busy(target, exchange, last=last)
                elif last or not (exchange.status in RETRIED_STATUSES or sent.flaw == "cut-off"):
                    return exchange
            await self._clock.sleep(self._pause(attempt))
        raise AssertionError("the last try returns or raises")

    def _pause(self, attempt: int) -> float:
        settings = self._settings
        return backoff(attempt, settings.retry_seconds, settings.max_retry_after, self._rng.random())

    def _raise_if_busy(self, target: RequestTarget, exchange: Exchange, *, last: bool) -> None:
        """Raise BusyError after the last try, or if the server asks for a longer wait than a fetch allows."""
        suspended = self._politeness.suspended_for(target.authority)
        if not last and suspended is None:
            return
        wait = self._politeness.wait(target.authority)
        told = f"{target.authority} is overloaded (status {exchange.status}) and asks to wait"
        page, _ = decode_exchange(exchange, self._settings.max_body_bytes)
        problem = find_problem(page, exchange.status, headers=exchange.headers)
        if problem is not None and problem.kind == "challenge":  # some servers send it as if they were busy
            told = f"{target.authority}: {problem.sentence}"
        raise BusyError(told, retry_in=wait.seconds if wait else None)

    async def _send_once(self, target: RequestTarget, sent: RequestWithRetries) -> Exchange:
        host = target.authority
        started = await self._gate.enter(host)
        if self.permit is not None:
            await self._ask(self.permit, host, started)
        now = self._clock.now()
        head = self._head(target, sent, now)
        try:
            response = await self._transport.exchange(
                target,
                head + (sent.body or b""),
                sent.max_body,
                _RequestDeparture(host, started, self._gate, self.permit),
            )
        except HostAsideError:  # it did not leave
            self._gate.abandon(host, started)
            raise
        except TransientError:
            self._gate.leave(host, RequestOutcome.FAILED, started)
            raise
        except BaseException:
            self._gate.abandon(host, started)
            raise
        self._leave(host, response, started)
        self.cookies.take(target, response.headers, now)
        kept_head, kept_headers = head, response.headers
        if self._credentials.are_given:
            kept_head, kept_headers = without_secrets(head, response.headers, self._credentials.hidden)
        exchange = Exchange(
            target.url,
            now,
            kept_head,
            response.status,
            response.reason,
            kept_headers,
            response.body,
            response.remote_address,
            response.truncated,
        )
        sent.exchanges.append(exchange)
        sent.flaw = response.flaw
        return exchange

    async def _ask(self, permit: RequestPermit, host: str, started: float) -> None:
        try:
            await permit.permit(host)
        except BaseException:
            self._gate.abandon(host, started)
            raise

    def _leave(self, host: str, response: RawResponse, started: float) -> None:
        if response.status not in BUSY_STATUSES:
            self._gate.leave(host, RequestOutcome.GOOD, started)
            return
        header = next((value for name, value in response.headers if name.lower() == "retry-after"), None)
        self._gate.leave(host, RequestOutcome.BUSY, started, read_retry_after(header, self._clock.now()))

    def _head(self, target: RequestTarget, sent: RequestWithRetries, now: datetime) -> bytes:
        """The request head as it is sent. It is archived without the values of credentials."""
        method = "GET" if sent.body is None else "POST"
        head = f"{method} {target.resource} HTTP/1.1\r\nHost: {target.authority}\r\n{self._constant_head}"
        cookies = self.cookies.header(target, now)
        if cookies:
            head += f"Cookie: {cookies}\r\n"
        head += self._credentials.lines(target)
        if sent.body is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(sent.body)}\r\n"
        return f"{head}{sent.validators}\r\n".encode("latin-1", "replace")
