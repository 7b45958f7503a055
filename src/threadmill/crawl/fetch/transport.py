"""The network: an interface that tests replace, and pooled HTTP/1.1 connections to checked addresses."""

from __future__ import annotations

import asyncio
import os
import ssl
from typing import Protocol

from threadmill.config import FetchSettings
from threadmill.crawl.fetch.connection import BodyMemory, HTTPConnection, RawResponse
from threadmill.crawl.fetch.ip_addresses import AddressResolver
from threadmill.crawl.fetch.proxies import Proxy, ProxyChoice
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.errors import CutOffError, FetchTimeoutError, RefusedError, TLSError

_MAX_IDLE = 256  # idle connections kept open over all hosts: a quarter of the usual limit of 1024 files


class Departure(Protocol):
    """What must be known of the moment at which a request leaves, perhaps long after it was made."""

    def check(self) -> None:
        """Called just before it leaves. Raises a FetchError if it may not leave any more."""

    def note_sent(self) -> None:
        """Called just after it left."""


class Transport(Protocol):
    """Carries a request to a server and its response back."""

    async def exchange(
        self, target: RequestTarget, head: bytes, max_body: int, departure: Departure
    ) -> RawResponse:
        """Send a request head. Return the response or raise a FetchError.

        `departure` is told when the head leaves, perhaps long after the call: a connection takes time.
        """

    async def close(self) -> None:
        """Close all connections."""


class HTTPTransport:
    """HTTP/1.1 over TCP and TLS."""

    def __init__(
        self, settings: FetchSettings, resolver: AddressResolver, proxies: ProxyChoice | None = None
    ) -> None:
        self._timeout = settings.timeout
        self._verify = settings.verify_tls
        self._resolver = resolver
        self._proxies = proxies
        self._checks_addresses = not settings.private_targets
        self._idle: dict[tuple[str, str, int], list[HTTPConnection]] = {}
        self._idle_count = 0
        self._memory = BodyMemory(settings.max_bytes_in_flight)
        self._tls: ssl.SSLContext | None = None

    async def exchange(
        self, target: RequestTarget, head: bytes, max_body: int, departure: Departure
    ) -> RawResponse:
        """Send a request head over an idle connection or a new one. The timeout covers everything."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout
        key = (target.scheme, target.host, target.port)
        proxy = self._proxies.choose(target) if self._proxies is not None else None
        if proxy is not None and self._asks_directly(target, proxy):
            head = _for_proxy(head, target, proxy)
        while connection := self._take(key):
            try:
                return await self._send(connection, key, (head, max_body, departure), deadline)
            except CutOffError:
                # The server may close an idle connection at any time. That is not a failure of the server.
                if connection.heard:
                    raise
        connection = await self._connect(target, deadline, proxy)
        return await self._send(connection, key, (head, max_body, departure), deadline)

    async def close(self) -> None:
        """Close all connections."""
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()
        self._idle_count = 0
        await asyncio.sleep(0)  # lets the event loop close them

    async def _send(
        self,
        connection: HTTPConnection,
        key: tuple[str, str, int],
        request: tuple[bytes, int, Departure],
        deadline: float,
    ) -> RawResponse:
        head, max_body, departure = request
        try:
            departure.check()
        except BaseException:
            connection.close()
            raise
        loop = asyncio.get_running_loop()
        timer = loop.call_at(deadline, connection.give_up)
        try:
            answer = connection.send(head, max_body)
            departure.note_sent()  # not before: a busy machine may stop this process at any moment
            response = await answer
        except asyncio.CancelledError:
            connection.close()
            raise
        finally:
            timer.cancel()
        if connection.usable:
            self._keep(key, connection)
        else:
            connection.close()
        return response

    def _take(self, key: tuple[str, str, int]) -> HTTPConnection | None:
        waiting = self._idle.get(key)
        while waiting:
            connection = waiting.pop()
            self._idle_count -= 1
            if connection.usable:
                return connection
        self._idle.pop(key, None)
        return None

    def _keep(self, key: tuple[str, str, int], connection: HTTPConnection) -> None:
        self._idle.setdefault(key, []).append(connection)
        self._idle_count += 1
        if self._idle_count > _MAX_IDLE:
            oldest = next(iter(self._idle))
            for spare in self._idle.pop(oldest):
                self._idle_count -= 1
                spare.close()

    async def _connect(self, target: RequestTarget, deadline: float, proxy: Proxy | None) -> HTTPConnection:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(deadline):
                if proxy is not None:
                    return await self._open_through(proxy, target, deadline - loop.time())
                addresses = await self._resolver.resolve(target.host, target.port)
                for number, address in enumerate(addresses, 1):
                    share = (deadline - loop.time()) / (len(addresses) - number + 1)
                    try:
                        async with asyncio.timeout(share):
                            return await self._open(target, address)
                    except (TimeoutError, OSError):
                        if number == len(addresses):
                            raise
        except ssl.SSLError as error:
            raise TLSError(f"no secure connection to {target.authority}: {error.reason or error}") from None
        except TimeoutError:
            raise FetchTimeoutError(f"{target.authority} did not accept the connection in time") from None
        except OSError as error:
            # asyncio writes the address into its text: "Connect call failed ('127.0.0.1', 1)"
            why = os.strerror(error.errno or 0).lower() if (error.errno or 0) > 0 else str(error)
            asked = f"the proxy {proxy.shown}" if proxy is not None else target.authority
            raise RefusedError(f"no connection to {asked}: {why}") from None
        raise RefusedError(f"{target.authority} has no address")

    async def _open(self, target: RequestTarget, address: str) -> HTTPConnection:
        # This is the address that was checked. No second lookup happens.
        loop = asyncio.get_running_loop()
        if target.scheme == "http":
            _, connection = await loop.create_connection(self._new, address, target.port)
        else:
            _, connection = await loop.create_connection(
                self._new, address, target.port, ssl=self._secure(), server_hostname=target.host
            )
        return connection

    def _asks_directly(self, target: RequestTarget, proxy: Proxy) -> bool:
        """Whether an HTTP proxy is asked for the page itself, and not for a way to the host.

        Many allow a way to port 443 only. But the address of a page that it looks up cannot be checked.
        """
        return proxy.scheme == target.scheme == "http" and not self._checks_addresses

    async def _open_through(self, proxy: Proxy, target: RequestTarget, seconds: float) -> HTTPConnection:
        loop = asyncio.get_running_loop()
        if self._asks_directly(target, proxy):
            _, connection = await loop.create_connection(self._new, proxy.host, proxy.port)
        else:
            host = target.host
            if self._checks_addresses:
                host = (await self._resolver.resolve(target.host, target.port))[0]
            way = await proxy.open_tunnel(host, target.port, seconds)
            tls, name = (self._secure(), target.host) if target.scheme == "https" else (None, None)
            _, connection = await loop.create_connection(self._new, sock=way, ssl=tls, server_hostname=name)
        connection.remote_address = ""  # that of the proxy says nothing about the site
        return connection

    def _new(self) -> HTTPConnection:
        return HTTPConnection(self._memory)

    def _secure(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            if not self._verify:
                self._tls.check_hostname = False
                self._tls.verify_mode = ssl.CERT_NONE
        return self._tls


def _for_proxy(head: bytes, target: RequestTarget, proxy: Proxy) -> bytes:
    """A request head as an HTTP proxy expects it: with the whole URL, and our name if it asks for one."""
    method, _, rest = head.partition(b" ")
    line, _, headers = rest.partition(b"\r\n")
    return method + b" " + target.origin.encode("ascii") + line + b"\r\n" + proxy.authorization + headers
