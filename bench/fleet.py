"""A fleet of crawlers on one PostgreSQL: are all posts there after kills, and is every host left in peace?

    python -m bench.fleet                        # 200 forums, 4 workers, 30 kills
    python -m bench.fleet --forums 20 --kills 5  # a short run
    python -m bench.fleet --keep DIR --run one   # in pieces: then pace, many, killed; the last one tells

Every forum is a host of its own. The server notes which worker asked which host from when to when. Workers
are real processes (`threadmill watch --fleet --once`); those that are killed are started again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bench.figures import Figure, at_least, at_most, write_figures
from bench.fleet_server import AskedHost, FleetServer, serving_fleet
from tests.servers.postgresql import Database
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation
from threadmill.store import open_store
from threadmill.store.forum.export import export_posts

DATE = "2015-12-01"
DELAY = 1.0  # seconds between two requests to a host: the default of a crawl
LATENCY = 0.05
LEASE = 6.0
# Of one worker. A page costs some 70 ms of computing, most of it while a forum is learnt. So one worker
# computes a quarter of its time, and four of them fill half of two processors: waiting is the limit.
HOSTS_AT_ONCE = 4
# Of the worker whose posts are compared: its speed does not matter.
MANY_AT_ONCE = 12
KILLED_AFTER = (2.0, 8.0)  # seconds between two kills, at random
_MARKS = {True: "✓", False: "✗", None: ""}
# One worker on all forums, for its posts; on some of them, for its speed; many workers; many that are killed.
RUNS = ("one", "pace", "many", "killed")
PACE_FORUMS = 48  # twelve rounds of four hosts, as four workers have with 200 forums
_SLACK = 0.001  # seconds: the kernel stamps a request when it comes, perhaps sooner than its sender goes on


def make_simulation(count: int, scale: int) -> Simulation:
    """Forums of several engines, each with posts of its own."""
    kinds = ("harbour", "werkbank", "almazara", "studio")
    forums = {
        f"f{number}": open_forum(kinds[number % len(kinds)], scale, name=f"f{number}")
        for number in range(count)
    }
    return Simulation(forums, as_unix_time(DATE), keep_requests=False)


class Fleet:
    """Workers on one workspace and one database."""

    def __init__(self, root: Path, store: str, urls: list[str], hosts: int) -> None:
        self._root = root
        self._hosts = hosts
        self._urls = urls
        root.mkdir(parents=True)
        settings = [
            "[crawl]", f"delay = {DELAY}", "[fetch]", "retries = 2", "[store]", f'url = "{store}"',
            "[watch]", f"lease_seconds = {LEASE}", "budget = 100000",
        ]  # fmt: skip
        (root / "threadmill.toml").write_text("\n".join(settings) + "\n")

    def start(self, number: int) -> subprocess.Popen[bytes]:
        """Start a worker; its name stands in the user agent of its requests."""
        words = ["watch", *self._urls, "--workspace", str(self._root), "--fleet", "--once", "--quiet"]
        words += ["--hosts", str(self._hosts), "--name", f"{number}-{time.monotonic_ns()}"]
        environment = {**os.environ, "THREADMILL_FETCH_CONTACT": f"http://bench.localhost/worker-{number}"}
        log = (self._root / f"worker-{number}.log").open("ab")
        return subprocess.Popen(
            [sys.executable, "-m", "threadmill", *words], env=environment, stdout=log, stderr=log
        )

    def run(self, workers: int, kills: int, seed: int = 1) -> float:
        """Run until every forum is done, with some random kills on the way. Return the seconds it took."""
        chance = random.Random(seed)
        started = time.monotonic()
        running = {number: self.start(number) for number in range(workers)}
        next_kill = started + chance.uniform(*KILLED_AFTER)
        while running:
            time.sleep(0.05)
            if kills and time.monotonic() >= next_kill:
                number = chance.choice(sorted(running))
                running[number].send_signal(signal.SIGKILL)
                running[number].wait()
                running[number] = self.start(number)
                kills -= 1
                next_kill = time.monotonic() + chance.uniform(*KILLED_AFTER)
            for number, process in list(running.items()):
                if process.poll() is None:
                    continue
                if kills or self._is_left():  # it found nothing free; others may die yet
                    running[number] = self.start(number)
                else:
                    del running[number]
        return time.monotonic() - started

    def _is_left(self) -> bool:
        store = open_store(self._store_url())
        try:
            with store.reading() as connection:
                wanted = "SELECT COUNT(*) FROM fleet_forum WHERE due <= now()"
                return bool(connection.execute(text(wanted)).scalar())
        finally:
            store.close()

    def _store_url(self) -> str:
        lines = (self._root / "threadmill.toml").read_text().splitlines()
        return next(line for line in lines if line.startswith("url = "))[7:-1]

    def posts(self) -> list[str]:
        """What is stored, without what differs between two runs."""
        store = open_store(self._store_url())
        try:
            with store.reading() as connection:
                return sorted(_identity(post) for post in export_posts(connection))
        finally:
            store.close()


def _identity(post: dict[str, Any]) -> str:
    return repr((post["thread_url"], post["post_id"], post["author"], post["date"], post["text"]))


def find_overlaps(asked: list[AskedHost]) -> tuple[int, list[str]]:
    """How often a host was asked by two workers at a time, and what came sooner than politeness allows."""
    by_host: dict[str, list[AskedHost]] = defaultdict(list)
    for one in asked:
        by_host[one.host].append(one)
    both, soon = 0, list[str]()
    for host, requests in by_host.items():
        requests.sort(key=lambda one: one.came)
        for before, after in pairwise(requests):
            both += before.worker != after.worker and after.came < before.answered
            pause = after.came - before.came
            if pause < DELAY - _SLACK:
                soon.append(f"{host}: worker {after.worker} {pause:.3f} s after worker {before.worker}")
    return both, soon


@contextmanager
def database(server: Database, name: str) -> Iterator[str]:
    """A new database on a server."""
    admin = open_store_engine(server.url)
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    admin.dispose()
    yield server.url.replace("/postgres?", f"/{name}?")


def open_store_engine(url: str) -> Any:
    """An engine that creates databases."""
    from sqlalchemy import create_engine

    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")


def main() -> int:
    """Run one worker, then many, then many with kills, and tell how they did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forums", type=int, default=200)
    parser.add_argument("--scale", type=int, default=30, help="size of a forum; 300 is small")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--write", action="store_true", help="write the figures")
    parser.add_argument(
        "--run", choices=RUNS, action="append", help="only this run (default: all that are not kept)"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the results of runs here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder) / "results"
        kept.mkdir(parents=True, exist_ok=True)
        for name in options.run or [name for name in RUNS if not (kept / f"{name}.json").exists()]:
            count = min(PACE_FORUMS, options.forums) if name == "pace" else options.forums
            server = FleetServer(make_simulation(count, options.scale), LATENCY)
            with Database() as database_server, serving_fleet(server) as port:
                result = run_once(name, options, server, database_server, (Path(folder) / name, port))
            (kept / f"{name}.json").write_text(json.dumps(result))
        if any(not (kept / f"{name}.json").exists() for name in RUNS):
            return 0
        figures = _figures(options, {name: json.loads((kept / f"{name}.json").read_text()) for name in RUNS})
    for figure in figures:
        print(f"{figure.what}: {figure.value:.3f} {_MARKS[figure.is_reached]}")
    if options.write:
        write_figures("fleet", figures)
    return 1 if any(figure.is_reached is False for figure in figures) else 0


def run_once(
    name: str,
    options: argparse.Namespace,
    server: FleetServer,
    database_server: Database,
    place: tuple[Path, int],
) -> dict[str, Any]:
    """One run of a fleet: its seconds, its posts, and how it treated the hosts."""
    folder, port = place
    workers = 1 if name in {"one", "pace"} else options.workers
    kills = options.kills if name == "killed" else 0
    urls = [f"http://{forum}.localhost:{port}/" for forum in server.forums]
    with database(database_server, name) as store:
        fleet = Fleet(folder, store, urls, MANY_AT_ONCE if name == "one" else HOSTS_AT_ONCE)
        before = _computed()
        seconds = fleet.run(workers, kills)
        computed = _computed() - before
        posts = [post.replace(f":{port}/", "/") for post in fleet.posts()]
    both, soon = find_overlaps(server.asked)
    print(
        f"{name}: {workers} workers, {kills} kills: {len(posts):,} posts in {seconds:.0f} s, "
        f"{len(server.asked):,} requests, {both} hosts asked by two at a time, {len(soon)} too soon; "
        f"{computed:.0f} s of computing",
        *soon,
        sep="\n  ",
        flush=True,
    )
    return {"seconds": seconds, "computed": computed, "posts": posts, "both": both, "soon": len(soon)}


def _computed() -> float:
    """Seconds of processors that all workers took which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _figures(options: argparse.Namespace, results: dict[str, dict[str, Any]]) -> list[Figure]:
    name = f"{options.workers} workers, {options.forums} forums, {options.kills} kills"
    expected, found = results["one"]["posts"], results["killed"]["posts"]
    different = len(set(expected) ^ set(found)) + abs(len(expected) - len(found))
    alone = results["pace"]["seconds"] / min(PACE_FORUMS, options.forums)  # a forum
    together = results["many"]["seconds"] / options.forums
    both, soon = (sum(result[what] for result in results.values()) for what in ("both", "soon"))
    return [
        Figure("crawl", f"posts that differ from one worker's, {name}", different, at_most(0)),
        Figure("crawl", f"hosts asked by two workers at a time, {name}", both, at_most(0)),
        Figure("crawl", f"requests sooner than politeness allows, {name}", soon, at_most(0)),
        Figure(
            "crawl",
            f"throughput of {options.workers} workers ÷ of one, servers with 50 ms latency",
            alone / together,
            at_least(3),
            unit="×",
        ),
        Figure(
            "crawl",
            "share of its time that one worker of a fleet computes",
            results["pace"]["computed"] / results["pace"]["seconds"],
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
