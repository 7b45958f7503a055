"""Robots.txt from one start of a crawl to the next, asked of a server that misbehaves."""

import asyncio
from pathlib import Path

from tests.crawl.fakes import FakeClock, Unscattered, quick_settings
from tests.servers.misbehaving import MisbehavingServer
from threadmill.config import override
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.crawl.manners.robots_cache import StoredRobotsCache
from threadmill.errors import FetchError
from threadmill.store import open_store

SETTINGS = override(quick_settings(retries=1), "crawl", robots=True)
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
