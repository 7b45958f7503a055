from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from tests.crawl.fakes import FakeClock, Unscattered
from tests.empty_store import put_empty_store
from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.frontier.frontier import (
    FoundURL,
    Frontier,
    Lease,
    LeaseOutcome,
    Schedule,
    authority_of,
    url_key,
)
from threadmill.crawl.manners.politeness import Politeness, RequestOutcome
from threadmill.store import Store, open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.crawl.url_queue import UrlState, queue


class Crawl:
    """A schedule with all it needs; requests start as soon as they are handed out."""

    def __init__(
        self, root: Path, clock: FakeClock, *urls: str, delay: float = 1.0, at_once: int = 2
    ) -> None:
        store = open_store(put_empty_store(root / "store.sqlite"))
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


@pytest.mark.parametrize("answers", [True, False])
def test_a_suspended_host_goes_on_at_once_if_a_request_under_way_is_answered(
    tmp_path: Path, clock: FakeClock, answers: bool
) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 5), delay=0.0)
    assert crawl.start() == "http://a.example/0"
    begun = clock.seconds
    for _ in range(10):
        clock.seconds = started = crawl.politeness.reserve("a.example") or 0.0
        crawl.politeness.release("a.example", RequestOutcome.FAILED, started)
    assert crawl.start() is None
    assert crawl.schedule.pause() is None
    outcome = RequestOutcome.GOOD if answers else RequestOutcome.FAILED
    crawl.politeness.release("a.example", outcome, begun)
    crawl.schedule.finished("a.example")
    assert crawl.start() == ("http://a.example/1" if answers else None)
    assert crawl.schedule.pause() == (None if answers else pytest.approx(900.0))


def test_a_host_without_urls_is_forgotten_and_met_again(tmp_path: Path, clock: FakeClock) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 1), delay=0.0)
    assert crawl.start() == "http://a.example/0"
    assert crawl.start() is None
    assert crawl.schedule.under_way == 1
    crawl.end("a.example")
    assert crawl.schedule.under_way == 0


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def job(store: Store) -> int:
    with store.writing() as connection:
        return find_or_add_job(connection, "site", "http://a.example/", "host", datetime.now(UTC)).id


def leads(*urls: str, depth: int = 0) -> list[FoundURL]:
    return [FoundURL(url, depth, depth) for url in urls]


def open_frontier(store: Store, job: int) -> Frontier:
    frontier = Frontier(job)
    with store.writing() as connection:
        frontier.load(connection)
    return frontier


def refill(store: Store, frontier: Frontier, now: float = 0.0) -> None:
    with store.writing() as connection:
        frontier.refill(connection, now)


def add(store: Store, frontier: Frontier, *urls: str, depth: int = 0) -> int:
    with store.writing() as connection:
        return frontier.add(connection, leads(*urls, depth=depth))


def settle(store: Store, frontier: Frontier, *outcomes: LeaseOutcome) -> None:
    with store.writing() as connection:
        frontier.settle(connection, outcomes)


def take_all(store: Store, frontier: Frontier, now: float = 0.0) -> list[Lease]:
    taken: list[Lease] = []
    while True:
        refill(store, frontier, now)
        hosts = list(frontier.hosts)
        if not hosts:
            return taken
        taken += [frontier.take(host) for host in hosts]


def states(store: Store) -> dict[str, tuple[int, int, str]]:
    with store.reading() as connection:
        rows = connection.execute(select(queue.c.url, queue.c.state, queue.c.tries, queue.c.reason))
        return {row.url: (row.state, row.tries, row.reason) for row in rows}


def test_a_url_is_handed_out_once_however_often_it_is_found(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    assert add(store, frontier, "http://a.example/1", "http://a.example/1", "http://a.example/2") == 2
    assert add(store, frontier, "http://a.example/1") == 0
    assert [lease.url for lease in take_all(store, frontier)] == ["http://a.example/1", "http://a.example/2"]
    assert add(store, frontier, "http://a.example/2") == 0
    assert take_all(store, frontier) == []


def test_a_url_known_from_an_earlier_run_is_not_new(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1")
    (lease,) = take_all(store, frontier)
    settle(store, frontier, LeaseOutcome(lease, UrlState.DONE))
    again = open_frontier(store, job)
    assert add(store, again, "http://a.example/1") == 0
    assert take_all(store, again) == []


def test_two_jobs_have_frontiers_of_their_own(store: Store, job: int) -> None:
    with store.writing() as connection:
        other = find_or_add_job(connection, "site", "http://a.example/", "site", datetime.now(UTC)).id
    one, two = open_frontier(store, job), open_frontier(store, other)
    assert add(store, one, "http://a.example/1") == 1
    assert add(store, two, "http://a.example/1") == 1
    assert len(take_all(store, one)) == len(take_all(store, two)) == 1


def test_lower_depth_comes_first_then_first_come_first_served(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://a.example/deep{n}" for n in range(3)), depth=2)
    add(store, frontier, *(f"http://a.example/shallow{n}" for n in range(3)), depth=1)
    urls = [lease.url.rpartition("/")[2] for lease in take_all(store, frontier)]
    assert urls == ["shallow0", "shallow1", "shallow2", "deep0", "deep1", "deep2"]


def test_every_host_has_a_queue_of_its_own(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://a.example/{n}" for n in range(500)), "http://b.example:8080/1")
    refill(store, frontier)
    assert set(frontier.hosts) == {"a.example", "b.example:8080"}
    assert frontier.take("b.example:8080").url == "http://b.example:8080/1"
    assert set(frontier.hosts) == {"a.example"}


def test_the_count_of_what_is_open_is_right_all_the_way(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://a.example/{n}" for n in range(200)))
    assert frontier.open == 200
    refill(store, frontier)
    assert frontier.open == 200
    lease = frontier.take("a.example")
    assert frontier.open == 199
    settle(store, frontier, LeaseOutcome(lease, UrlState.WAITING, "503", due=50.0))
    assert frontier.open == 200
    assert open_frontier(store, job).open == 200


def test_what_a_killed_crawl_had_leased_is_queued_again(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://a.example/{n}" for n in range(100)))
    refill(store, frontier)
    done = frontier.take("a.example")
    frontier.take("a.example")
    settle(store, frontier, LeaseOutcome(done, UrlState.DONE))
    fresh = Frontier(job)
    with store.writing() as connection:
        assert fresh.load(connection) == 63
    assert len(take_all(store, fresh)) == 99


def test_what_is_given_back_is_queued_without_counting_as_a_try(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://a.example/{n}" for n in range(3)))
    refill(store, frontier)
    lease = frontier.take("a.example")
    with store.writing() as connection:
        frontier.give_back(connection, [lease])
    assert {state for state, _, _ in states(store).values()} == {UrlState.QUEUED}
    assert [lease.tries for lease in take_all(store, frontier)] == [0, 0, 0]


def test_what_waits_comes_back_when_it_is_due_and_remembers_its_tries(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1")
    (lease,) = take_all(store, frontier, now=100.0)
    settle(store, frontier, LeaseOutcome(lease, UrlState.WAITING, "503", due=160.0))
    assert frontier.next_due == 160.0
    assert not frontier.needs_refill(159.0)
    assert take_all(store, frontier, now=159.0) == []
    assert frontier.needs_refill(160.0)
    (again,) = take_all(store, frontier, now=160.0)
    assert (again.url, again.tries) == ("http://a.example/1", 1)
    assert frontier.next_due is None


def test_a_new_process_remembers_what_waits(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1")
    (lease,) = take_all(store, frontier)
    settle(store, frontier, LeaseOutcome(lease, UrlState.WAITING, "503", due=160.0))
    again = open_frontier(store, job)
    assert (again.next_due, again.waiting) == (160.0, 1)
    assert len(take_all(store, again, now=161.0)) == 1


def test_a_failure_keeps_its_reason(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1")
    (lease,) = take_all(store, frontier)
    settle(store, frontier, LeaseOutcome(lease, UrlState.FAILED, "redirect-loop"))
    assert states(store) == {"http://a.example/1": (UrlState.FAILED, 1, "redirect-loop")}


def test_find_tells_what_is_known_and_not_yet_fetched(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1", "http://a.example/2")
    first = take_all(store, frontier)[0]
    settle(store, frontier, LeaseOutcome(first, UrlState.DONE))
    again = open_frontier(store, job)
    with store.reading() as connection:
        found = again.find(connection, ["http://a.example/1", "http://a.example/2", "http://a.example/3"])
    assert list(found) == ["http://a.example/2"]


def test_memory_holds_only_the_heads_of_the_queues(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://h{n % 50}.example/{n}" for n in range(5_000)))
    refill(store, frontier)
    assert sum(state == UrlState.LEASED for state, _, _ in states(store).values()) <= 50 * 64
    assert len(take_all(store, frontier)) == 5_000


def test_two_crawls_on_one_database_never_get_the_same_url(store: Store, job: int) -> None:
    one = open_frontier(store, job)
    add(store, one, *(f"http://a.example/{n}" for n in range(300)))
    refill(store, one)
    two = Frontier(job)
    two._hosts["a.example"] = None
    mine: list[str] = []
    theirs: list[str] = []
    for _ in range(100):
        for frontier, taken in ((one, mine), (two, theirs)):
            refill(store, frontier)
            taken += [frontier.take(host).url for host in list(frontier.hosts)]
    assert mine
    assert theirs
    assert len({*mine, *theirs}) == len(mine) + len(theirs)


@given(st.integers(1, 2**40), st.text(), st.text())
def test_keys_fit_a_signed_64_bit_column_and_tell_urls_apart(job: int, one: str, two: str) -> None:
    assert -(2**63) <= url_key(job, one) < 2**63
    assert (url_key(job, one) == url_key(job, two)) == (one == two)
    assert url_key(job, one) != url_key(job + 1, one)


def test_the_authority_of_a_url_includes_its_port() -> None:
    assert authority_of("https://a.example:8443/x/y?z") == "a.example:8443"
    assert authority_of("http://a.example/") == "a.example"


def test_urls_of_the_last_two_generations_are_known_without_the_disk(
    store: Store, job: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threadmill.crawl.frontier.frontier._GENERATION", 2)
    frontier = Frontier(job)
    names = [f"http://a.com/{number}" for number in range(5)]
    with store.writing() as connection:
        for name in names:
            frontier.add(connection, [FoundURL(name, 0, 0)])
    assert [frontier.knows(name) for name in names] == [False, False, True, True, True]
    assert frontier.unknown(names) == names[:2]
    frontier.unclaim(names[3:])
    assert [frontier.knows(name) for name in names[2:]] == [True, False, False]


def test_what_is_given_back_is_no_longer_held_in_memory(store: Store, job: int) -> None:
    frontier = Frontier(job)
    with store.writing() as connection:
        frontier.add(connection, [FoundURL(f"http://a.com/{number}", 0, 0) for number in range(3)])
        frontier.refill(connection, 0.0)
        lease = frontier.take("a.com")
        assert (lease.tries, frontier.open) == (0, 2)
        frontier.give_back(connection, [lease])
        assert (frontier.open, frontier.queued, list(frontier.hosts)) == (3, 3, [])
        frontier.refill(connection, 0.0)
        assert (frontier.open, frontier.take("a.com").tries) == (3, 0)


def test_urls_whose_pages_are_gone_are_queued_again(store: Store, job: int) -> None:
    frontier = open_frontier(store, job)
    add(store, frontier, "http://a.example/1", "http://a.example/2")
    settle(store, frontier, *(LeaseOutcome(lease, UrlState.DONE) for lease in take_all(store, frontier)))
    with store.writing() as connection:
        frontier.queue_again(connection, ["http://a.example/2"])
    again = open_frontier(store, job)
    assert [lease.url for lease in take_all(store, again)] == ["http://a.example/2"]


def test_a_full_memory_is_not_filled_further(store: Store, job: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadmill.crawl.frontier.frontier._HEAD_OF_ALL", 2)
    frontier = open_frontier(store, job)
    add(store, frontier, *(f"http://{host}.example/{n}" for host in "abc" for n in (1, 2)))
    refill(store, frontier)
    assert (list(frontier.hosts), frontier.needs_refill(0.0)) == (["a.example"], False)
    frontier.take("a.example")
    assert frontier.needs_refill(0.0)
    refill(store, frontier)
    assert len(frontier.hosts) > 1


def test_a_host_that_must_not_be_asked_any_more_does_not_come_up_again(
    tmp_path: Path, clock: FakeClock
) -> None:
    crawl = Crawl(tmp_path, clock, *urls("a.example", 3), *urls("b.example", 1), delay=0.0)

    class Forbidden:
        """What politeness says of a host that is put aside: no time is named."""

        seconds = float("inf")

    allowed = crawl.politeness.wait
    crawl.politeness.wait = lambda host: Forbidden() if host == "a.example" else allowed(host)  # type: ignore[method-assign, assignment, return-value]
    assert [crawl.start(), crawl.start()] == ["http://b.example/0", None]
    assert (crawl.schedule.resting, crawl.schedule.pause()) == (0, None)
