from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.crawl.fakes import FakeClock, Unscattered
from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.frontier.frontier import FoundURL, Frontier
from threadmill.crawl.frontier.schedule import Schedule
from threadmill.crawl.manners.politeness import Politeness, RequestOutcome
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job


class Crawl:
    """A schedule with all it needs; requests start as soon as they are handed out."""

    def __init__(
        self, root: Path, clock: FakeClock, *urls: str, delay: float = 1.0, at_once: int = 2
    ) -> None:
        store = open_store(f"sqlite:///{root / 'store.sqlite'}")
        with store.writing() as connection:
            job = find_or_add_job(connection, "site", "x", "host", datetime.now(UTC)).id
            frontier = Frontier(job)
            frontier.add(connection, [FoundURL(url, 0, 0) for url in urls])
            frontier.refill(connection, 0.0)
        store.close()
        settings = CrawlSettings(delay=delay, host_concurrency=at_once)
        self.politeness = Politeness(settings, FetchSettings(), clock, Unscattered())
        self.schedule = Schedule(frontier, self.politeness, clock, at_once)
        self.schedule.add_new_hosts()

    def start(self) -> str | None:
        lease = self.schedule.next()
        if lease is None:
            return None
        self.politeness.reserve(lease.host)
        return lease.url

    def end(self, host: str) -> None:
        self.politeness.release(host, RequestOutcome.GOOD)
        self.schedule.finished(host)


def urls(host: str, count: int) -> list[str]:
    return [f"http://{host}/{n}" for n in range(count)]


def test_hosts_take_turns(tmp_path: Path, clock: FakeClock) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 3), *urls("b.example", 3), delay=0.0)
    assert [crawl.start() for _ in range(3)] == [
        "http://a.example/0",
        "http://b.example/0",
        "http://a.example/1",
    ]


def test_a_host_rests_between_two_requests(tmp_path: Path, clock: FakeClock) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 3))
    assert crawl.start() == "http://a.example/0"
    assert crawl.start() is None
    assert crawl.schedule.pause() == pytest.approx(1.0)
    assert crawl.schedule.resting == 1
    clock.seconds += 1.0
    assert crawl.start() == "http://a.example/1"


def test_a_host_gets_no_more_than_its_share_at_once(tmp_path: Path, clock: FakeClock) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 5), delay=0.0)
    assert [crawl.start() for _ in range(3)] == ["http://a.example/0", "http://a.example/1", None]
    assert crawl.schedule.under_way == 2
    assert crawl.schedule.pause() is None
    crawl.end("a.example")
    assert crawl.start() == "http://a.example/2"


def test_a_host_without_urls_is_forgotten_and_met_again(tmp_path: Path, clock: FakeClock) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 1), delay=0.0)
    assert crawl.start() == "http://a.example/0"
    assert crawl.start() is None
    assert crawl.schedule.under_way == 1
    crawl.end("a.example")
    assert crawl.schedule.under_way == 0
