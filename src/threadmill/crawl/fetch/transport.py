"""The seam to the network, and its real side: pooled HTTP/1.1 connections to addresses that were checked."""

from __future__ import annotations

import asyncio
import ssl
from typing import Protocol

from threadmill.config import FetchSettings
from threadmill.crawl.fetch.connection import Connection, Reply
from threadmill.crawl.fetch.ip_addresses import Addresses
from threadmill.crawl.fetch.target import Target
from threadmill.errors import CutOffError, FetchTimeoutError, RefusedError, TLSError

_MAX_IDLE = 256  # open connections kept for later, over all hosts: a quarter of the usual limit of 1024 files


class Transport(Protocol):
    """What carries a request to a server and its answer back."""

    async def exchange(self, target: Target, head: bytes, max_body: int) -> Reply:
        """Send the head; the answer, or a FetchError."""

    async def close(self) -> None:
        """Let go of all connections."""


class HTTPTransport:
    """HTTP/1.1 over TCP and TLS."""

    def __init__(self, settings: FetchSettings, addresses: Addresses) -> None:
        self._timeout = settings.timeout
        self._verify = settings.verify_tls
        self._addresses = addresses
        self._idle: dict[tuple[str, str, int], list[Connection]] = {}
        self._idle_count = 0
        self._tls: ssl.SSLContext | None = None

    async def exchange(self, target: Target, head: bytes, max_body: int) -> Reply:
        """Send the head over a kept connection or a new one; all of it within the time allowed."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout
        key = (target.scheme, target.host, target.port)
        while connection := self._take(key):
            try:
                return await self._ask(connection, key, head, max_body, deadline)
            except CutOffError:
                # A kept connection that the server has closed meanwhile says nothing about the server.
                if connection.heard:
                    raise
        connection = await self._connect(target, deadline)
        return await self._ask(connection, key, head, max_body, deadline)

    async def close(self) -> None:
        """Let go of all connections."""
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()
        self._idle_count = 0
        await asyncio.sleep(0)  # so that the loop gets to close them

    async def _ask(
        self, connection: Connection, key: tuple[str, str, int], head: bytes, max_body: int, deadline: float
    ) -> Reply:
        timer = asyncio.get_running_loop().call_at(deadline, connection.give_up)
        try:
            reply = await connection.ask(head, max_body)
        except asyncio.CancelledError:
            connection.close()
            raise
        finally:
            timer.cancel()
        if connection.usable:
            self._keep(key, connection)
        else:
            connection.close()
        return reply

    def _take(self, key: tuple[str, str, int]) -> Connection | None:
        waiting = self._idle.get(key)
        while waiting:
            connection = waiting.pop()
            self._idle_count -= 1
            if connection.usable:
                return connection
        self._idle.pop(key, None)
        return None

    def _keep(self, key: tuple[str, str, int], connection: Connection) -> None:
        self._idle.setdefault(key, []).append(connection)
        self._idle_count += 1
        if self._idle_count > _MAX_IDLE:
            oldest = next(iter(self._idle))
            for spare in self._idle.pop(oldest):
                self._idle_count -= 1
                spare.close()

    async def _connect(self, target: Target, deadline: float) -> Connection:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(deadline):
                addresses = await self._addresses.of(target.host, target.port)
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
            raise FetchTimeoutError(f"{target.authority} did not take the connection in time") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise RefusedError(f"no connection to {target.authority}: {why}") from None
        raise RefusedError(f"{target.authority} has no address")

    async def _open(self, target: Target, address: str) -> Connection:
        # The address is the one that was checked: nothing is looked up again behind our back.
        loop = asyncio.get_running_loop()
        if target.scheme == "http":
            _, connection = await loop.create_connection(Connection, address, target.port)
        else:
            _, connection = await loop.create_connection(
                Connection, address, target.port, ssl=self._secure(), server_hostname=target.host
            )
        return connection

    def _secure(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            if not self._verify:
                self._tls.check_hostname = False
                self._tls.verify_mode = ssl.CERT_NONE
        return self._tls
