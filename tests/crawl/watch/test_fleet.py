"""Workers of a fleet on simulated forums: they share hosts, take over from the dead, and lose nothing."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from threadmill.config import override
from threadmill.crawl.forum.progress import HOST_FAILS, NOTHING_LEFT, ForumProgress
from threadmill.crawl.forum.resources import open_resources
from threadmill.crawl.watch.fleet import FleetOptions, FleetProgress, FleetWorker
from threadmill.crawl.watch.leases import HostLeases
from threadmill.crawl.watch.planner import WatchOptions
from threadmill.errors import HostAsideError
from threadmill.lab.judge.truth import true_posts
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import Store, open_store
from threadmill.store.crawl.fleet import (
    FleetForum,
    add_forums,
    drain_worker,
    fleet_host,
    fleet_summary,
    fleet_workers,
    give_back,
    plan_forum,
    renew_hosts,
    take_host,
    take_named_host,
)
from threadmill.store.forum.export import export_posts
from threadmill.workspace import Workspace, open_workspace

DATE = "2015-12-01"
NAMES = ("harbour", "garage")
TWO = ("http://a.example/", "http://b.example/")


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    opened = open_store(postgres_url)
    yield opened
    opened.close()


def test_a_host_belongs_to_one_worker_until_it_is_given_back(store: Store) -> None:
    with store.writing() as connection:
        assert add_forums(connection, TWO) == 2
        assert add_forums(connection, TWO) == 0
        first, second = take_host(connection, "anna", 60), take_host(connection, "bert", 60)
        assert first is not None
        assert second is not None
        assert {first.host, second.host} == {"a.example", "b.example"}
        assert take_host(connection, "carl", 60) is None
        give_back(connection, "bert", first.host, 0)  # not his to give
        assert take_host(connection, "carl", 60) is None
        give_back(connection, "anna", first.host, 0)
        third = take_host(connection, "carl", 60)
        assert third is not None
        assert (third.host, third.taken_over) == (first.host, False)


def test_a_host_rests_after_its_last_request_before_another_worker_may_ask_it(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
        assert take_host(connection, "anna", 60)
        give_back(connection, "anna", "a.example", 30)
        assert take_host(connection, "bert", 60) is None
        assert not take_named_host(connection, "bert", "a.example", 60)


def test_the_host_of_a_silent_worker_is_taken_over(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
        take_host(connection, "anna", 0)
        taken = take_host(connection, "bert", 60)
        assert taken is not None
        assert taken.taken_over
        assert renew_hosts(connection, "anna", {"a.example": 60}) == set()
        assert renew_hosts(connection, "bert", {"a.example": 60}) == {"a.example"}


def test_a_forum_is_taken_when_it_is_due(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
        plan_forum(connection, TWO[0], timedelta(hours=1), "later")
        assert take_host(connection, "anna", 60) is None
        plan_forum(connection, TWO[0], timedelta(0), "now", (2, "no page came"))
        taken = take_host(connection, "anna", 60)
        assert taken is not None
        assert [(forum.url, forum.failures) for forum in taken.forums] == [(TWO[0], 2)]
        assert fleet_summary(connection).failing == {TWO[0]: "no page came"}


def test_a_lease_that_ran_out_permits_no_request_even_before_anybody_noticed(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
    leases = HostLeases("anna", seconds=0.2)
    leases.open(store, lambda _: 0.0)
    assert leases.take()
    asyncio.run(leases.permit("a.example"))
    time.sleep(0.25)
    with pytest.raises(HostAsideError):
        asyncio.run(leases.permit("a.example"))


def test_leases_are_kept_while_the_event_loop_is_busy_but_not_if_it_hangs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
    leases = HostLeases("anna", seconds=0.3)
    leases.open(store, lambda _: 0.0)
    assert leases.take()

    async def read_a_large_page() -> bool:
        keeping = asyncio.create_task(asyncio.to_thread(leases.keep))
        await asyncio.sleep(0)
        time.sleep(0.5)  # noqa: ASYNC251 -- as a reader does
        is_held = leases.holds("a.example")
        monkeypatch.setattr("threadmill.crawl.watch.leases._HANGS", 0.1)
        time.sleep(0.5)  # noqa: ASYNC251
        leases.end_keeping()
        await keeping
        return is_held

    assert asyncio.run(read_a_large_page())
    assert not leases.holds("a.example")


def test_a_host_rests_after_the_last_request_of_a_worker_that_died_soon(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO[:1])
    for host, take in (("a.example", HostLeases.take), ("b.example", HostLeases._take_named)):
        leases = HostLeases("anna", seconds=0.2)
        leases.open(store, lambda _: 30.0)
        take(leases, *([host] if host != "a.example" else []))
        time.sleep(0.25)
        with pytest.raises(HostAsideError):
            leases.check(host)
        with store.writing() as connection:
            assert not take_named_host(connection, "bert", host, 60)


def test_a_host_that_a_forum_leads_to_is_taken_as_well(store: Store) -> None:
    with store.writing() as connection:
        add_forums(connection, TWO)
    anna, bert = HostLeases("anna", 60), HostLeases("bert", 60)
    for leases in (anna, bert):
        leases.open(store, lambda _: 0.0)
    asyncio.run(anna.permit("elsewhere.example"))
    with pytest.raises(HostAsideError):
        asyncio.run(bert.permit("elsewhere.example"))
    anna.give_back("elsewhere.example")
    asyncio.run(bert.permit("elsewhere.example"))


@dataclass
class Fleet:
    """Simulated forums, each on a host of its own, and a workspace that workers share."""

    forums: dict[str, SimulatedForum]
    simulation: Simulation
    urls: tuple[str, ...]
    workspace: Workspace

    def posts(self) -> list[dict[str, Any]]:
        opened = open_store(self.workspace.store_url)
        try:
            with opened.reading() as connection:
                return list(export_posts(connection))
        finally:
            opened.close()

    def true_count(self) -> int:
        return sum(len(true_posts(forum, DATE)) for forum in self.forums.values())

    async def work(self, *names: str, budget: int = 0) -> list[FleetProgress]:
        """Let workers visit everything that is due, all in this process."""
        async with AsyncExitStack() as stack:
            workers = [await self.enter(stack, name, budget) for name in names]
            return await asyncio.gather(*(worker.run(once=True) for worker in workers))

    async def enter(self, stack: AsyncExitStack, name: str, budget: int = 0) -> FleetWorker:
        leases = HostLeases(name, 60, budget)
        resources = await stack.enter_async_context(open_resources(self.workspace, permit=leases))
        with resources.store.writing() as connection:
            add_forums(connection, self.urls)
        return FleetWorker(resources, leases, FleetOptions(WatchOptions(self.urls, 2000, 3.0), hosts=1))


@pytest.fixture
def fleet(tmp_path: Path, postgres_url: str) -> Iterator[Fleet]:
    with make_fleet(tmp_path, postgres_url) as made:
        yield made


@contextmanager
def make_fleet(directory: Path, store_url: str) -> Iterator[Fleet]:
    forums = {name: open_forum(name, "small") for name in NAMES}
    simulation = Simulation(forums, as_unix_time(DATE))
    workspace = open_workspace(directory / "w", create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    settings = override(settings, "store", url=store_url)
    with serving(simulation) as base:
        port = base.rpartition(":")[2]
        urls = tuple(f"http://{name}.localhost:{port}/" for name in NAMES)
        yield Fleet(forums, simulation, urls, replace(workspace, settings=settings))


def test_two_workers_share_the_forums_and_find_every_post_once(fleet: Fleet) -> None:
    done = asyncio.run(fleet.work("anna", "bert"))
    assert [progress.last_failure for progress in done] == [{}, {}]
    assert sorted(progress.runs for progress in done) == [1, 1]
    assert len(fleet.posts()) == fleet.true_count()
    opened = open_store(fleet.workspace.store_url)
    try:
        with opened.reading() as connection:
            summary = fleet_summary(connection)
            assert (summary.forums, summary.due, summary.hosts_taken) == (2, 0, 0)
            assert fleet_workers(connection) == []
    finally:
        opened.close()


def test_a_host_that_was_lost_and_taken_again_is_visited_by_one_run_at_a_time(fleet: Fleet) -> None:
    async def work() -> tuple[int, int, int]:
        async with AsyncExitStack() as stack:
            worker = await fleet.enter(stack, "anna")
            working = asyncio.create_task(worker.run(once=True))
            await asyncio.sleep(0.5)
            with worker._store.writing() as connection:  # as if the machine had stood still
                connection.execute(fleet_host.update().values(owner=None, free=None))
            lost = worker._leases.renew()
            worker._options = replace(worker._options, hosts=3)
            worker._take_hosts()
            await asyncio.sleep(0.5)
            counts = len(lost), len(worker._runs), len(worker._tasks)
            worker.stop()
            await working  # no task has lost its run to another one
            return counts

    # Both hosts are taken. One has a run under way already; its new task waits for that.
    assert asyncio.run(work()) == (1, 2, 3)


@pytest.mark.parametrize(
    ("ended", "lapsed", "failing"),
    [
        (HOST_FAILS, False, {TWO[0]: "no page came"}),
        (HOST_FAILS, True, {}),
        (NOTHING_LEFT, False, {}),
    ],
)
def test_a_slow_worker_and_a_run_with_nothing_left_are_no_failures_of_the_forum(
    fleet: Fleet, store: Store, ended: str, lapsed: bool, failing: dict[str, str]
) -> None:
    async def end() -> None:
        async with AsyncExitStack() as stack:
            worker = await fleet.enter(stack, "anna")
            with store.writing() as connection:
                add_forums(connection, TWO[:1])
            worker._leases.lapsed |= {"a.example"} if lapsed else set()
            turn = worker._plan("a.example", TWO[0])
            worker._end("a.example", FleetForum(TWO[0]), turn, ForumProgress(ended=ended), "")

    asyncio.run(end())
    with store.reading() as connection:
        assert fleet_summary(connection).failing == failing


def test_a_spent_budget_of_the_fleet_stops_all_workers(fleet: Fleet) -> None:
    [first] = asyncio.run(fleet.work("anna", budget=10))
    asked = fleet.simulation.count
    assert asked == 10
    assert not first.last_failure, "a spent budget is no failure of a forum"
    [again] = asyncio.run(fleet.work("bert", budget=10))
    assert again.runs == 0
    assert fleet.simulation.count == asked


def test_a_worker_that_is_drained_finishes_and_takes_no_more(fleet: Fleet, store: Store) -> None:
    async def work() -> FleetProgress:
        async with AsyncExitStack() as stack:
            worker = await fleet.enter(stack, "anna")
            worker._report()
            with store.writing() as connection:
                assert drain_worker(connection, "anna")
                assert not drain_worker(connection, "nobody")
            return await worker.run()

    assert asyncio.run(asyncio.wait_for(work(), 60)).runs == 0
