from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.crawl.fakes import FakeClock, Unscattered, quick_settings
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import override
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.manners.politeness import WaitReason
from threadmill.crawl.manners.robots import MemoryRobotsCache, RobotsFile
from threadmill.crawl.manners.robots_checker import StoredRobotsCache
from threadmill.errors import FetchError
from threadmill.store import open_store
from threadmill.types import Exchange

SETTINGS = override(quick_settings(retries=1), "crawl", robots=True)


class RecordingCache(MemoryRobotsCache):
    """Keeps the exchanges too, as a crawl does that archives them."""

    def __init__(self) -> None:
        super().__init__()
        self.exchanges: list[Exchange] = []

    def put(self, file: RobotsFile, exchanges: Sequence[Exchange]) -> None:
        super().put(file, exchanges)
        self.exchanges += exchanges


async def reason_of(fetcher: Fetcher, url: str) -> str:
    try:
        answer = await fetcher.fetch(Request(url))
    except FetchError as error:
        return error.reason
    return str(answer.capture.status)


@pytest.mark.parametrize(
    ("robots", "outcome"),
    [
        ("none", "200"),
        ("forbidden", "200"),
        ("User-agent: *\nDisallow: /private", "200"),
        ("User-agent: *\nDisallow: /ok", "robots"),
        ("moved", "robots"),
        ("loop", "200"),
        ("error", "robots-unreachable"),
        ("busy", "robots-unreachable"),
        ("silent", "robots-unreachable"),
    ],
)
def test_nothing_is_asked_before_robots_txt_allows_it(clock: FakeClock, robots: str, outcome: str) -> None:
    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock, rng=Unscattered()) as fetcher:
            return await reason_of(fetcher, server.url("/ok"))

    with MisbehavingServer(robots) as server:
        assert asyncio.run(go()) == outcome
        assert server.asked[0].path == "/robots.txt"
        assert server.hits["/ok"] == (outcome == "200")


def test_robots_txt_is_asked_for_once_and_again_after_a_day(
    server: MisbehavingServer, clock: FakeClock
) -> None:
    async def go() -> None:
        async with Fetcher(SETTINGS, clock=clock) as fetcher:
            await asyncio.gather(*(reason_of(fetcher, server.url(f"/ok?{n}")) for n in range(5)))
            assert server.hits["/robots.txt"] == 1
            clock.seconds += 25 * 3600
            await reason_of(fetcher, server.url("/ok"))

    asyncio.run(go())
    assert server.hits["/robots.txt"] == 2


def test_a_redirect_to_another_host_is_judged_by_the_rules_of_that_host(clock: FakeClock) -> None:
    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock) as fetcher:
            return await reason_of(fetcher, first.url(f"/elsewhere?{second.url('/ok')}"))

    with MisbehavingServer() as first, MisbehavingServer("User-agent: *\nDisallow: /ok") as second:
        assert asyncio.run(go()) == "robots"
        assert second.hits == {"/robots.txt": 1}


def test_a_redirect_within_a_host_is_judged_too(clock: FakeClock) -> None:
    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock) as fetcher:
            return await reason_of(fetcher, server.url("/moved"))

    with MisbehavingServer("User-agent: *\nDisallow: /ok") as server:
        assert asyncio.run(go()) == "robots"
        assert server.hits["/ok"] == 0


def test_the_cache_sees_the_file_and_its_exchanges(clock: FakeClock) -> None:
    cache = RecordingCache()

    async def go() -> None:
        async with Fetcher(SETTINGS, clock=clock, robots=cache) as fetcher:
            await reason_of(fetcher, server.url("/ok"))

    with MisbehavingServer("moved") as server:
        asyncio.run(go())
        assert [exchange.status for exchange in cache.exchanges] == [301, 200]
        file = cache.get(server.url("").rstrip("/"))
        assert file is not None
        assert file.body.startswith(b"User-agent")


def test_a_kept_file_is_not_asked_for_again(server: MisbehavingServer, clock: FakeClock) -> None:
    cache = MemoryRobotsCache()
    cache.put(RobotsFile(server.url(""), clock.now(), 200, b"User-agent: *\nDisallow: /", clock.now()), ())

    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock, robots=cache) as fetcher:
            return await reason_of(fetcher, server.url("/ok"))

    assert asyncio.run(go()) == "robots"
    assert server.asked == []


def test_a_busy_server_is_told_with_its_status(clock: FakeClock) -> None:
    cache = RecordingCache()

    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock, robots=cache, rng=Unscattered()) as fetcher:
            return await reason_of(fetcher, server.url("/ok"))

    with MisbehavingServer("too many") as server:
        assert asyncio.run(go()) == "robots-unreachable"
        file = cache.get(server.url("").rstrip("/"))
    assert file is not None
    assert file.status == 429


def test_crawl_delay_is_kept_to_and_seen(clock: FakeClock) -> None:
    async def go() -> None:
        async with Fetcher(SETTINGS, clock=clock) as fetcher:
            for number in range(3):
                await reason_of(fetcher, server.url(f"/ok?{number}"))
            (wait,) = fetcher.politeness.waiting()
            assert wait.why is WaitReason.INTERVAL
            assert wait.seconds == pytest.approx(7)
            rules = await fetcher.robots_rules(server.url("/ok"))
            assert rules.sitemaps == ("https://e.com/s.xml",)

    with MisbehavingServer("User-agent: *\nCrawl-delay: 7\nSitemap: https://e.com/s.xml") as server:
        asyncio.run(go())
    assert clock.seconds == pytest.approx(1000 + 3 * 7)  # the first page waits after robots.txt, too


def test_a_dead_host_is_told_as_dead_not_as_forbidden(clock: FakeClock) -> None:
    async def go() -> str:
        async with Fetcher(SETTINGS, clock=clock) as fetcher:
            return await reason_of(fetcher, "http://127.0.0.1:1/page")

    assert asyncio.run(go()) == "refused"


def test_the_crawl_delay_of_a_kept_file_holds_from_the_first_request(
    server: MisbehavingServer, clock: FakeClock
) -> None:
    cache = MemoryRobotsCache()
    text = b"User-agent: *\nCrawl-delay: 9"
    cache.put(RobotsFile(server.url(""), clock.now(), 200, text, clock.now()), ())

    async def go() -> None:
        async with Fetcher(SETTINGS, clock=clock, robots=cache) as fetcher:
            await reason_of(fetcher, server.url("/ok?1"))
            await reason_of(fetcher, server.url("/ok?2"))

    asyncio.run(go())
    assert clock.seconds == pytest.approx(1009)


HOUR = 3600


def start(store_url: str, clock: FakeClock, url: str) -> str:
    """A new start: nothing is left of the last one but the store."""

    async def go() -> str:
        robots = StoredRobotsCache(store, None, clock)
        async with Fetcher(SETTINGS, clock=clock, robots=robots, rng=Unscattered()) as fetcher:
            try:
                return str((await fetcher.fetch(Request(url))).capture.status)
            except FetchError as error:
                return error.reason

    store = open_store(store_url)
    try:
        return asyncio.run(go())
    finally:
        store.close()


def test_a_second_start_within_a_day_does_not_ask_again(store_url: str, clock: FakeClock) -> None:
    with MisbehavingServer("User-agent: *\nDisallow: /missing") as server:
        assert start(store_url, clock, server.url("/ok")) == "200"
        clock.seconds += 23 * HOUR
        assert start(store_url, clock, server.url("/ok")) == "200"
        assert start(store_url, clock, server.url("/missing")) == "robots"
        assert server.hits["/robots.txt"] == 1
        assert server.hits["/missing"] == 0


def test_a_day_later_it_is_asked_for_again(store_url: str, clock: FakeClock) -> None:
    with MisbehavingServer("User-agent: *\nDisallow: /ok") as server:
        assert start(store_url, clock, server.url("/ok")) == "robots"
        clock.seconds += 25 * HOUR
        server.robots = "none"
        assert start(store_url, clock, server.url("/ok")) == "200"
        assert server.hits["/robots.txt"] == 2


def test_a_start_after_a_failure_asks_at_once(store_url: str, clock: FakeClock) -> None:
    with MisbehavingServer("error") as server:
        assert start(store_url, clock, server.url("/ok")) == "robots-unreachable"
        server.robots = "none"
        assert start(store_url, clock, server.url("/ok")) == "200"


def test_rules_of_before_hold_while_the_file_cannot_be_had(store_url: str, clock: FakeClock) -> None:
    with MisbehavingServer("User-agent: *\nDisallow: /missing") as server:
        start(store_url, clock, server.url("/ok"))
        clock.seconds += 25 * HOUR
        server.robots = "error"
        assert start(store_url, clock, server.url("/missing")) == "robots"
        assert start(store_url, clock, server.url("/ok")) == "200"
        assert server.hits["/missing"] == 0


def test_a_clock_put_back_does_not_stretch_the_day(tmp_path: Path, clock: FakeClock) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    with MisbehavingServer() as server:
        start(url, clock, server.url("/ok"))
        clock.seconds -= 48 * HOUR
        start(url, clock, server.url("/ok"))
        assert server.hits["/robots.txt"] == 2
