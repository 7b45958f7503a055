"""A fleet of crawlers as discrete events: forums that get posts, politeness, workers that compute and die.

    python -m bench.fleet_model --forums 100000 --workers 8   # one fleet
    python -m bench.fleet_model --write                       # the fewest workers for 10³, 10⁵, 10⁷ forums

The intervals between visits are those of the planner. What a page costs was measured by bench.scale. A fleet
is large enough when 95 of 100 visits start at most five minutes late, although workers die.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial

from bench.figures import RESULTS, Figure, write_figures
from threadmill.crawl.watch.planner import BoardActivity, fit_to_budget

DAY = 86_400.0
LATE_SECONDS = 300.0
_SIZES = (1_000, 100_000, 10_000_000)
_SIMULATED = 100_000  # forums; of a larger fleet, an equal share of forums and workers is simulated
_VISIT_PAGES = 2  # the list of boards and one board, also if nothing is new


@dataclass(frozen=True, slots=True)
class FleetModel:
    """A fleet, and the forums it keeps current."""

    forums: int
    workers: int
    hosts_at_once: int = 20  # of one worker
    delay: float = 1.0  # seconds between two requests to a host
    budget: int = 2000  # requests to a host in 24 hours
    posts_per_visit: float = 3.0
    page_seconds: float = 0.02  # of CPU
    # Half of the forums get at most one post a day, the mean is 14: few forums have most of the posts.
    median_posts: float = 1.0
    spread: float = 2.3  # of the logarithm
    lifetime: float = DAY  # mean seconds after which a worker dies
    restart: float = 120.0
    lease: float = 60.0
    days: float = 1.0
    seed: int = 19


@dataclass(slots=True)
class FleetRun:
    """What happened in a simulated time."""

    visits: int = 0
    requests: int = 0
    posts: int = 0
    deaths: int = 0
    repeated: int = 0  # visits that a death undid
    late: list[float] = field(default_factory=list)  # seconds that a visit started after it was due
    waits: list[float] = field(default_factory=list)  # seconds that posts waited for their visit, a sample
    busy: float = 0.0  # CPU seconds of all workers


@dataclass(slots=True)
class _Forum:
    rate: float  # posts a second
    every: float
    last: float
    due: float = 0.0


@dataclass(slots=True)
class _Worker:
    life: int = 0  # counts its deaths
    computed: float = 0.0  # when its core will have worked off everything
    visits: dict[int, int] = field(default_factory=dict)  # token → forum


class FleetSimulation:
    """Runs a model. Times are seconds from its beginning."""

    def __init__(self, model: FleetModel) -> None:
        self._model = model
        self._chance = random.Random(model.seed)
        self._now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._waiting: list[tuple[float, int]] = []  # due forums
        self._number = 0
        self._forums = [self._draw_forum() for _ in range(model.forums)]
        self._workers = [_Worker() for _ in range(model.workers)]
        # Each host that a worker may take now: the worker, and its life.
        self._free = [(worker, 0) for worker in range(model.workers) for _ in range(model.hosts_at_once)]
        self.run_so_far = FleetRun()

    def _draw_forum(self) -> _Forum:
        model = self._model
        rate = model.median_posts * self._chance.lognormvariate(0.0, model.spread)
        [visit] = fit_to_budget([BoardActivity(0, rate)], model.budget, model.posts_per_visit)
        every = visit.every.total_seconds()
        return _Forum(rate / DAY, every, -self._chance.random() * every)

    def run(self) -> FleetRun:
        """Run until the end of the simulated time."""
        for number, forum in enumerate(self._forums):
            self._plan(number, forum.last + forum.every)
        for worker in range(len(self._workers)):
            self._at(self._chance.expovariate(1 / self._model.lifetime), partial(self._die, worker))
        end = self._model.days * DAY
        while self._events and self._events[0][0] <= end:
            self._now, _, act = heapq.heappop(self._events)
            act()
            self._assign()
        return self.run_so_far

    def _at(self, moment: float, act: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, act))

    def _plan(self, number: int, due: float) -> None:
        self._forums[number].due = due
        self._at(max(due, self._now), partial(heapq.heappush, self._waiting, (due, number)))

    def _assign(self) -> None:
        """Give due forums to workers with room, by chance."""
        while self._waiting and self._free:
            chosen = self._chance.randrange(len(self._free))
            self._free[chosen], self._free[-1] = self._free[-1], self._free[chosen]
            at, life = self._free.pop()
            if self._workers[at].life == life:
                self._begin(at, heapq.heappop(self._waiting)[1])

    def _begin(self, at: int, number: int) -> None:
        model, worker, forum = self._model, self._workers[at], self._forums[number]
        self.run_so_far.late.append(max(0.0, self._now - forum.due))
        posts = self._poisson(forum.rate * (self._now - forum.last))
        requests = min(model.budget, _VISIT_PAGES + posts)
        computing = requests * model.page_seconds
        worker.computed = max(worker.computed, self._now) + computing
        self.run_so_far.busy += computing
        self.run_so_far.requests += requests
        token = self._number  # each visit plans its end, which counts up
        worker.visits[token] = number
        end = max(self._now + requests * model.delay, worker.computed)
        self._at(end, partial(self._finish, at, token, posts))

    def _finish(self, at: int, token: int, posts: int) -> None:
        worker = self._workers[at]
        number = worker.visits.pop(token, None)
        if number is None:
            return  # the worker died meanwhile
        forum = self._forums[number]
        run = self.run_so_far
        run.visits += 1
        run.posts += posts
        for _ in range(min(posts, 3)):
            run.waits.append(self._now - forum.last - self._chance.random() * (self._now - forum.last))
        forum.last = self._now
        self._free.append((at, worker.life))
        self._plan(number, self._now + forum.every)

    def _die(self, at: int) -> None:
        """Its visits are lost; others take them over when the leases have ended."""
        model, worker, run = self._model, self._workers[at], self.run_so_far
        run.deaths += 1
        for number in worker.visits.values():
            run.repeated += 1
            self._at(self._now + model.lease, partial(self._plan, number, self._forums[number].due))
        self._workers[at] = _Worker(worker.life + 1)
        self._at(self._now + model.restart, partial(self._rise, at))

    def _rise(self, at: int) -> None:
        self._free += [(at, self._workers[at].life)] * self._model.hosts_at_once
        self._at(self._now + self._chance.expovariate(1 / self._model.lifetime), partial(self._die, at))

    def _poisson(self, mean: float) -> int:
        """A number of posts; of many, by the normal distribution."""
        if mean > 50:
            return max(0, round(self._chance.gauss(mean, mean**0.5)))
        count, left = 0, self._chance.expovariate(1.0)
        while left < mean:
            count += 1
            left += self._chance.expovariate(1.0)
        return count


def share_at(values: list[float], share: float) -> float:
    """The value that so large a share does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


@cache
def fewest_workers(model: FleetModel) -> tuple[FleetModel, FleetRun]:
    """The smallest fleet whose visits start in time, by halving."""
    low, high = 0, 1
    found = None
    while found is None or high - low > 1:
        middle = high if found is None else (low + high) // 2
        tried = replace(model, workers=middle)
        run = FleetSimulation(tried).run()
        if share_at(run.late, 0.95) <= LATE_SECONDS:
            found, high = (tried, run), middle
        else:
            low = middle
            high = 2 * middle if found is None else high
    return found


def measured_page_seconds() -> float:
    """CPU seconds of a crawled page, as bench.scale measured them."""
    record = json.loads((RESULTS / "scale.json").read_text(encoding="utf-8"))
    values = {one["what"]: one["value"] for one in record["figures"]}
    return float(values["cost of crawl: CPU a page"]) / 1000


def main() -> None:
    """Run one fleet, or find the fewest workers for each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forums", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the figures")
    arguments = parser.parse_args()
    page_seconds = measured_page_seconds()
    if arguments.forums:
        model = FleetModel(arguments.forums, arguments.workers, page_seconds=page_seconds)
        show(model, FleetSimulation(model).run(), 1)
        return
    figures: list[Figure] = []
    for size in _SIZES:
        share = max(1, size // _SIMULATED)
        model, run = fewest_workers(FleetModel(size // share, 1, page_seconds=page_seconds))
        figures += show(model, run, share)
    if arguments.write:
        write_figures("fleet_model", figures)


def show(model: FleetModel, run: FleetRun, share: int) -> list[Figure]:
    """Print a run, scaled to the whole fleet, and return it as figures."""
    seconds = model.days * DAY
    name = f"fleet of {model.forums * share:,} forums"
    values = {
        "workers": (model.workers * share, ""),
        "requests a second": (run.requests * share / seconds, ""),
        "posts a day": (run.posts * share / model.days, ""),
        "visits a day": (run.visits * share / model.days, ""),
        "busy cores": (run.busy * share / seconds, ""),
        "visits that start late, 95 % by at most": (share_at(run.late, 0.95), "s"),
        "wait of a post, median": (share_at(run.waits, 0.5) / 3600, "h"),
        "wait of a post, 95 %": (share_at(run.waits, 0.95) / 3600, "h"),
        "deaths of workers a day": (run.deaths * share / model.days, ""),
        "visits repeated after deaths": (run.repeated * share, ""),
    }
    for what, (value, unit) in values.items():
        print(f"{name}: {what}: {value:,.2f} {unit}", flush=True)
    return [Figure("scale", f"{name}: {what}", value, unit=unit) for what, (value, unit) in values.items()]


if __name__ == "__main__":
    main()
