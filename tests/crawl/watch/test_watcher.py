"""A watch over simulated forums whose clock is the watch's own: weeks pass, no test sleeps."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.crawl.forum.world import FIRST, World, world
from threadmill.crawl.forum.resources import open_resources
from threadmill.crawl.watch.planner import WatchOptions, WatchPlanner
from threadmill.crawl.watch.watcher import FinishedRun, Watcher, WatchState
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.store import open_store
from threadmill.store.crawl.jobs import run as run_table

START = datetime.fromtimestamp(as_unix_time(FIRST), UTC)


class SiteClock:
    """The simulated forum's clock as ours: waiting moves it, but not while something is under way."""

    def __init__(self, here: World) -> None:
        self._here = here
        self.is_busy: Callable[[], bool] = lambda: False

    def monotonic(self) -> float:
        return float(self._here.simulation.now)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._here.simulation.now, UTC)

    async def sleep(self, seconds: float) -> None:
        while self.is_busy():  # noqa: ASYNC110 -- what is under way is another's to say
            await asyncio.sleep(0.01)
        self._here.simulation.now += max(1, int(seconds))
        await asyncio.sleep(0)


def _watch(
    here: World, *urls: str, until: timedelta = timedelta(0), budget: int = 2000, **wish: object
) -> tuple[WatchState, list[FinishedRun]]:
    """Watch until a time has passed; without one, once."""
    ended: list[FinishedRun] = []

    async def work() -> WatchState:
        clock = SiteClock(here)
        async with open_resources(here.workspace, clock) as means:
            wanted = WatchOptions(urls or (f"{here.base}/",), budget, 3.0, **wish)  # type: ignore[arg-type]

            def tell(run: FinishedRun) -> None:
                ended.append(run)
                if until and clock.now() - START >= until:
                    watcher.stop()

            watcher = Watcher(means, wanted, tell)
            clock.is_busy = lambda: bool(watcher.state.under_way)
            return await watcher.run(once=not until)

    return asyncio.run(work()), ended


def test_a_forum_is_crawled_whole_then_visited_as_its_posts_come_and_nothing_is_lost_between(
    tmp_path: Path,
) -> None:
    with world(tmp_path) as here:
        state, ended = _watch(here, until=timedelta(days=100))
        assert ended[0].why == "it was never crawled"
        later = [run for run in ended[1:] if run.progress is not None]
        assert len(later) >= 5
        with_news = [run for run in later if run.progress and run.progress.new_posts]
        assert len(with_news) >= len(later) / 2  # of daily visits one in six would bring any
        assert state.turns[0].plan.due > datetime.fromtimestamp(here.simulation.now, UTC)
        here.crawl()  # all boards, to the last post
        now = datetime.fromtimestamp(here.simulation.now, UTC)
        assert here.lacks_nothing(now.isoformat(timespec="seconds").removesuffix("+00:00"))


def test_a_fixed_period_is_kept(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        _, ended = _watch(here, until=timedelta(days=21), period=timedelta(days=7))
        assert len(ended) == 4
        assert ended[-1].why == "every 7 d"


def test_the_budget_of_a_day_is_kept_and_the_crawl_goes_on_the_next_day(tmp_path: Path) -> None:
    with world(tmp_path, scale="small") as here:
        _, ended = _watch(here, until=timedelta(days=2), budget=30)
        days = [entry["date"] for entry in here.simulation.requests if entry["class"] != "robots"]
        # Learning a forum is not cut short: that is some twenty pages.
        assert max(days.count(day) for day in set(days)) <= 30 + 25
        assert len(set(days)) >= 2
        assert any(run.why == "its last run was interrupted" for run in ended)


def test_once_serves_what_is_due_and_ends(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        first, _ = _watch(here)
        again, ended = _watch(here)
        assert first.runs == 1
        assert again.runs == 0
        assert ended == []


def test_a_forum_that_cannot_be_reached_does_not_stop_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with world(tmp_path) as here:
        gone = "http://127.0.0.1:9/"
        state, ended = _watch(here, gone, f"{here.base}/")
        assert state.runs == 1
        assert list(state.failures) == [gone]
        assert [run.failure != "" for run in sorted(ended, key=lambda run: run.url)].count(True) == 1
        told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert any(line.startswith(f"{gone} could not be visited: ") for line in told)


def test_a_plan_says_what_is_due_and_why_without_fetching(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST)
        asked = len(here.simulation.requests)
        store = open_store(here.workspace.store_url)
        with store.reading() as connection:
            (turn,) = WatchPlanner(connection, WatchOptions((), 2000, 3.0), datetime.now(UTC)).turns()
        store.close()
        assert len(here.simulation.requests) == asked
        assert len(turn.plan.items) > 3
        rates = [item.posts_per_day for item in turn.plan.items if item.posts_per_day]
        assert rates
        assert all(item.why for item in turn.plan.items)


def test_a_watch_that_is_stopped_notes_its_run_as_cut_off(tmp_path: Path) -> None:
    with world(tmp_path) as here:

        async def work() -> None:
            async with open_resources(here.workspace) as means:
                watcher = Watcher(means, WatchOptions((f"{here.base}/",), 2000, 3.0))
                asyncio.get_running_loop().call_later(0.3, watcher.stop)
                await asyncio.wait_for(watcher.run(), 20)

        asyncio.run(work())
        store = open_store(here.workspace.store_url)
        with store.reading() as connection:
            (counts,) = connection.execute(select(run_table.c.counts)).scalars()
        store.close()
        assert "unfinished" in counts
        state, _ = _watch(here)
        assert state.runs == 1
        assert here.lacks_nothing(FIRST)
