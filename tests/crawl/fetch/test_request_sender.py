from __future__ import annotations

import asyncio
import itertools

import pytest

from tests.crawl.fakes import FakeClock, Unscattered, quick_settings
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import override
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.fetch.connection import RawResponse
from threadmill.crawl.fetch.target import RequestTarget
from threadmill.crawl.fetch.transport import Departure
from threadmill.errors import CutOffError, FetchError, HostAsideError


class ScriptedTransport:
    """A network that answers as it is told, and remembers when it was asked."""

    def __init__(self, clock: FakeClock, *script: RawResponse | FetchError) -> None:
        self.asked: list[tuple[float, str, bytes]] = []
        self._clock = clock
        self._script = list(script)

    async def exchange(
        self,
        target: RequestTarget,
        head: bytes,
        max_body: int,  # noqa: ARG002
        departure: Departure,  # noqa: ARG002
    ) -> RawResponse:
        self.asked.append((self._clock.seconds, target.url, head))
        answer = self._script.pop(0) if self._script else RawResponse(200, "OK", (), b"page")
        if isinstance(answer, FetchError):
            raise answer
        return answer

    async def close(self) -> None:
        """Nothing to let go of."""


def fetch(clock: FakeClock, transport: ScriptedTransport, *urls: str, delay: float = 0.0) -> list[int]:
    settings = override(quick_settings(retries=3), "crawl", delay=delay)

    async def go() -> list[int]:
        async with Fetcher(settings, transport=transport, clock=clock, rng=Unscattered()) as fetcher:
            return [(await fetcher.fetch(Request(url))).capture.status for url in urls]

    return asyncio.run(go())


def test_tries_are_ever_further_apart(clock: FakeClock) -> None:
    transport = ScriptedTransport(clock, *[CutOffError("cut")] * 3)
    assert fetch(clock, transport, "http://e.com/") == [200]
    moments = [moment for moment, _, _ in transport.asked]
    gaps = [later - sooner for sooner, later in itertools.pairwise(moments)]
    assert gaps == [0.5, 1.0, 2.0]


def test_two_requests_to_a_host_are_the_delay_apart_and_two_hosts_are_not(clock: FakeClock) -> None:
    transport = ScriptedTransport(clock)
    fetch(clock, transport, "http://a.com/1", "http://b.com/1", "http://a.com/2", delay=5.0)
    assert [(moment - 1000.0, url) for moment, url, _ in transport.asked] == [
        (0.0, "http://a.com/1"),
        (0.0, "http://b.com/1"),
        (5.0, "http://a.com/2"),
    ]


def test_a_redirect_to_another_host_waits_for_that_host(clock: FakeClock) -> None:
    moved = RawResponse(302, "Found", (("Location", "http://a.com/2"),), b"")
    transport = ScriptedTransport(clock, RawResponse(200, "OK", (), b""), moved)
    fetch(clock, transport, "http://a.com/1", "http://b.com/1", delay=5.0)
    assert [moment - 1000.0 for moment, _, _ in transport.asked] == [0.0, 0.0, 5.0]


def test_a_header_cannot_be_smuggled_in_by_a_validator(clock: FakeClock) -> None:
    transport = ScriptedTransport(clock)

    async def go() -> None:
        async with Fetcher(quick_settings(), transport=transport, clock=clock) as fetcher:
            await fetcher.fetch(Request("http://e.com/", etag='"a"\r\nX-Evil: 1'))

    asyncio.run(go())
    assert b"\r\nX-Evil" not in transport.asked[0][2]


class LapsingPermit:
    """Permits all requests, but not that they leave."""

    async def permit(self, host: str) -> None:
        """Every host may be asked."""

    def check(self, host: str) -> None:
        """It is too late."""
        raise HostAsideError(f"the time for {host} has run out", retry_in=60.0)


def test_a_request_that_is_too_late_does_not_leave_and_says_nothing_about_its_host(
    server: MisbehavingServer,
) -> None:
    async def go() -> None:
        async with Fetcher(quick_settings()) as fetcher:
            assert (await fetcher.fetch(Request(server.url("/ok")))).capture.status == 200
            fetcher.ask_before_requests(LapsingPermit())
            with pytest.raises(HostAsideError, match="run out"):
                await fetcher.fetch(Request(server.url("/ok")))
            assert not [wait for wait in fetcher.politeness.waiting() if wait.why != "interval"]

    asyncio.run(go())
    assert server.hits["/ok"] == 1


def test_an_error_that_is_final_is_not_tried_again(clock: FakeClock) -> None:
    transport = ScriptedTransport(clock, FetchError("no"))
    with pytest.raises(FetchError, match="no"):
        fetch(clock, transport, "http://e.com/")
    assert len(transport.asked) == 1
