from dataclasses import replace

import pytest

from bench.fleet_model import DAY, LATE_SECONDS, FleetModel, FleetSimulation, fewest_workers, share_at

SMALL = FleetModel(forums=300, workers=2, lifetime=1e12, days=2)


def test_the_same_seed_gives_the_same_run() -> None:
    assert FleetSimulation(SMALL).run() == FleetSimulation(SMALL).run()


def test_a_fleet_with_room_visits_everything_in_time_and_misses_no_post() -> None:
    run = FleetSimulation(SMALL).run()
    assert share_at(run.late, 1.0) == 0.0
    assert run.deaths == run.repeated == 0
    assert run.requests == pytest.approx(2 * run.visits + run.posts, rel=0.02)


def test_a_worker_asks_no_more_hosts_at_once_than_it_may() -> None:
    tight = replace(SMALL, workers=1, hosts_at_once=1, median_posts=50.0, spread=0.1)
    run = FleetSimulation(tight).run()
    # One host at a time, one request a second: no more requests than seconds.
    assert run.requests * 0.98 <= tight.days * DAY
    assert share_at(run.late, 0.5) == 0.0 or run.requests > 0.5 * tight.days * DAY


def test_too_few_workers_come_late_and_more_do_not() -> None:
    busy = replace(SMALL, workers=1, hosts_at_once=1, median_posts=400.0, spread=0.5, days=1)
    late = share_at(FleetSimulation(busy).run().late, 0.95)
    assert late > LATE_SECONDS
    enough, run = fewest_workers(busy)
    assert enough.workers > 1
    assert share_at(run.late, 0.95) <= LATE_SECONDS
    fewer = FleetSimulation(replace(enough, workers=enough.workers - 1)).run()
    assert share_at(fewer.late, 0.95) > LATE_SECONDS


def test_a_slow_core_is_a_limit_too() -> None:
    slow = replace(SMALL, workers=1, median_posts=100.0, spread=0.5, page_seconds=5.0)
    assert share_at(FleetSimulation(slow).run().late, 0.95) > LATE_SECONDS


def test_what_a_dead_worker_had_begun_is_done_by_others() -> None:
    mortal = replace(SMALL, lifetime=3600.0)
    run, healthy = FleetSimulation(mortal).run(), FleetSimulation(SMALL).run()
    assert run.deaths > 20
    assert run.repeated > 0
    assert run.posts == pytest.approx(healthy.posts, rel=0.05)
    assert run.visits == pytest.approx(healthy.visits, rel=0.05)
