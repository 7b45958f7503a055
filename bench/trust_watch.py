"""A long watch: many rounds over three simulated forums; memory, open files and WARC files must stay flat."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from threadmill.config import override
from threadmill.crawl.forum.resources import open_resources
from threadmill.crawl.watch.planner import WatchOptions
from threadmill.crawl.watch.watcher import FinishedRun, Watcher
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.workspace import open_workspace

NAMES = ("harbour", "werkbank", "kuznica")
_START = "2015-12-01"
_PERIOD = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class WatchReport:
    """What a long watch left behind."""

    rounds: int
    failures: int
    memory_early: float  # MB, after a tenth of the rounds
    memory_late: float
    files_early: int  # open files of the process
    files_late: int
    warc_files: int
    seconds: float


class _SimulatedClock:
    """The clock of all three forums. Waiting moves it on."""

    def __init__(self, simulations: list[Simulation]) -> None:
        self._simulations = simulations
        self.is_busy: Callable[[], bool] = lambda: False

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._simulations[0].now, UTC)

    async def sleep(self, seconds: float) -> None:
        while self.is_busy():  # noqa: ASYNC110 -- what is under way is another's to say
            await asyncio.sleep(0.01)
        for simulation in self._simulations:
            simulation.now += max(1, int(seconds))
        await asyncio.sleep(0)


def watch_long(root: Path, rounds: int, names: tuple[str, ...] = NAMES) -> WatchReport:
    """Watch forums for a number of rounds."""
    start = as_unix_time(_START)
    simulations = [
        Simulation({name: open_forum(name, "small")}, start, keep_requests=False) for name in names
    ]
    began = time.monotonic()
    hosts = [serving(one, f"127.0.0.{number}") for number, one in enumerate(simulations, 1)]
    urls = [f"{host.__enter__()}/" for host in hosts]
    try:
        return asyncio.run(_watch(root, rounds, simulations, tuple(urls), began))
    finally:
        for host in hosts:
            host.__exit__(None, None, None)


async def _watch(
    root: Path, rounds: int, simulations: list[Simulation], urls: tuple[str, ...], began: float
) -> WatchReport:
    workspace = open_workspace(root / "w", create=True)
    settings = override(workspace.settings, "crawl", delay=0.0)
    workspace = replace(workspace, settings=override(settings, "fetch", retries=0))
    clock = _SimulatedClock(simulations)
    done = failures = 0
    early = (0.0, 0)
    async with open_resources(workspace, clock) as resources:

        def tell(run: FinishedRun) -> None:
            nonlocal done, failures, early
            done += 1
            failures += bool(run.failure)
            if done == max(1, rounds // 10):
                early = _memory(), _open_files()
            if done >= rounds:
                watcher.stop()

        watcher = Watcher(resources, WatchOptions(urls, 100_000, 3.0, _PERIOD), tell)
        clock.is_busy = lambda: bool(watcher.state.under_way)
        await watcher.run()
        late = _memory(), _open_files()
    warcs = len(list(workspace.archive.glob("*.warc.gz")))
    seconds = time.monotonic() - began
    return WatchReport(done, failures, early[0], late[0], early[1], late[1], warcs, seconds)


def _memory() -> float:
    """Megabytes of this process now, or at most so far where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _open_files() -> int:
    try:
        return len(list(Path("/proc/self/fd").iterdir()))
    except OSError:
        return 0
