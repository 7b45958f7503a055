from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.crawl.fakes import FakeClock
from tests.servers.behaviours import PAGE
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import FetchSettings
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.ip_addresses import AddressResolver
from threadmill.crawl.fetch.target import parse_target
from threadmill.crawl.fetch.transport import HTTPTransport
from threadmill.errors import FetchTimeoutError, RefusedError

Lookup = Callable[[str, int], Awaitable[tuple[str, ...]]]


def lookup_to(*addresses: str) -> Lookup:
    async def lookup(host: str, port: int) -> tuple[str, ...]:
        return addresses

    return lookup


def make(lookup: Lookup, timeout: float = 0.3) -> HTTPTransport:
    return HTTPTransport(
        FetchSettings(timeout=timeout), AddressResolver(private=True, clock=FakeClock(), lookup=lookup)
    )


class AnyDeparture:
    """A request may leave at any time."""

    def check(self) -> None:
        """It may."""

    def note_sent(self) -> None:
        """Nobody wants to know."""


async def get(transport: HTTPTransport, url: str, max_body: int = 1_000_000) -> RawResponse:
    target = parse_target(url)
    head = f"GET {target.resource} HTTP/1.1\r\nHost: {target.authority}\r\n\r\n".encode()
    return await transport.exchange(target, head, max_body, AnyDeparture())


def test_the_next_address_is_tried_when_one_does_not_answer(server: MisbehavingServer) -> None:
    async def go() -> None:
        transport = make(lookup_to("127.0.0.2", "127.0.0.1"))  # the server listens on the second only
        reply = await get(transport, server.url("/ok", "many.test"))
        assert reply.body == PAGE
        assert reply.remote_address == "127.0.0.1"
        await transport.close()

    asyncio.run(go())


def test_a_host_without_a_way_to_it_is_refused(server: MisbehavingServer) -> None:
    async def go() -> None:
        transport = make(lookup_to("127.0.0.2"))
        with pytest.raises(RefusedError):
            await get(transport, server.url("/ok", "dead.test"))

    asyncio.run(go())


def test_a_request_that_is_cancelled_gives_its_connection_up(server: MisbehavingServer) -> None:
    async def go() -> None:
        transport = make(lookup_to("127.0.0.1"), timeout=30)
        asking = asyncio.create_task(get(transport, server.url("/silent")))
        await asyncio.sleep(0.1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (await get(transport, server.url("/ok"))).body == PAGE
        await transport.close()

    asyncio.run(go())
    assert server.connections == 2


def test_time_is_counted_over_the_whole_request(server: MisbehavingServer) -> None:
    async def slow(host: str, port: int) -> tuple[str, ...]:
        await asyncio.sleep(5)
        return ("127.0.0.1",)

    async def go() -> None:
        with pytest.raises(FetchTimeoutError):
            await get(make(slow, timeout=0.1), server.url("/ok", "slow.test"))

    asyncio.run(go())


def test_the_limit_of_a_body_is_exact(server: MisbehavingServer) -> None:
    async def go() -> None:
        transport = make(lookup_to("127.0.0.1"))
        whole = await get(transport, server.url("/ok"), len(PAGE))
        short = await get(transport, server.url("/ok"), len(PAGE) - 1)
        assert (whole.body, whole.truncated) == (PAGE, "")
        assert (short.body, short.truncated) == (PAGE[:-1], "length")
        await transport.close()

    asyncio.run(go())


def test_connections_kept_for_later_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadmill.crawl.fetch.transport._MAX_IDLE", 2)

    async def go() -> None:
        transport = make(lookup_to("127.0.0.1"))
        for number in range(5):
            await get(transport, server.url("/ok", f"host{number}.test"))
        assert transport._idle_count <= 2
        await transport.close()

    with MisbehavingServer() as server:
        asyncio.run(go())
        assert server.connections == 5
