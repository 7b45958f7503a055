"""Kills and power cuts: crawls, exports and rebuilds that are cut off at random moments, and go on."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.servers.postgresql import Database
from threadmill.archive.recovery import verify_archive
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.export import export_posts

FORUM = "harbour"
DATE = "2015-12-01"
# A life ends after one of these numbers of requests. The first 30 or so requests learn the forum.
LIVES = (0, 0, 1, 1, 2, 2, 3, 5, 8, 13)
_LONGEST_LIFE = 60.0

# Imports once, then becomes a new process for every line: importing anew would take most of the time.
WORKER = textwrap.dedent(
    """
    import os, sys
    from dataclasses import replace
    from pathlib import Path
    from threadmill.cli import main
    from threadmill.config import override
    from threadmill.crawl.forum.forum_crawl import crawl_forum
    from threadmill.crawl.rebuild import rebuild
    from threadmill.workspace import open_workspace
    from threadmill.dates import parse_date
    import threadmill.cli.crawling.posts, threadmill.store.forum.export, alembic.command

    def act(action, root, url, store):
        workspace = open_workspace(Path(root), create=True)
        settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
        settings = override(settings, "fetch", retries=0)
        settings = override(settings, "store", url="" if store == "-" else store)
        workspace = replace(workspace, settings=settings)
        if action == "crawl":
            crawl_forum(workspace, url)
        elif action == "rebuild":
            rebuild(workspace)
        else:
            posts = [str(post) for post in workspace.posts()]
            Path(root, "export.txt").write_text("\\n".join(posts), encoding="utf-8")

    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                act(*line.split())
            except BaseException as error:
                print(f"{line.split()[0]}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    """
)


class Worker:
    """The process that acts. Each action is a process of its own."""

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, "-c", WORKER], stdin=pipe, stdout=pipe, text=True)
        assert self._hear() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def start(self, action: str, root: Path, url: str, store: str) -> int:
        """Begin an action. Return the id of its process."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{action} {root} {url} {store or '-'}\n")
        self._process.stdin.flush()
        return int(self._hear())

    def wait(self) -> int:
        """The exit code of the action."""
        return int(self._hear())

    def do(self, action: str, root: Path, url: str, store: str) -> int:
        """Do an action to its end."""
        self.start(action, root, url, store)
        return self.wait()

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@dataclass(slots=True)
class AccidentReport:
    """What came of all kills or power cuts."""

    accidents: int = 0
    by_action: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    unequal: int = 0  # rounds whose posts differ from those of an undisturbed crawl
    asked: int = 0  # requests beyond those of undisturbed crawls
    torn: int = 0  # damaged records and markers that were left
    failed: int = 0  # actions that ended with an error, though nobody disturbed them
    notes: list[str] = field(default_factory=list)

    def add(self, other: AccidentReport) -> None:
        """Add the counts of another report."""
        self.accidents += other.accidents
        self.by_action += other.by_action
        self.rounds += other.rounds
        self.unequal += other.unequal
        self.asked += other.asked
        self.torn += other.torn
        self.failed += other.failed
        self.notes += other.notes


class Accidents:
    """A forum, its server, a worker and a database, for many rounds."""

    def __init__(self, root: Path, worker: Worker, seed: int, database: Database | None = None) -> None:
        self._root = root
        self._worker = worker
        self._chance = random.Random(seed)
        self._database = database
        self._store = database.url if database else ""
        self._simulation = Simulation({FORUM: open_forum(FORUM, "small")}, as_unix_time(DATE))
        self._expected: list[str] = []
        self._asked = 0
        self.report = AccidentReport()

    def kills(self, count: int) -> AccidentReport:
        """Kill until a number of kills is reached; every round begins with an empty workspace."""
        with self._serving() as url:
            while self.report.accidents < count:
                self._round(url, count)
        return self.report

    def power_cuts(self, count: int) -> AccidentReport:
        """Copy a workspace while it is written, cut the copy, and crawl on in it."""
        with self._serving() as url:
            while self.report.accidents < count:
                self._cut(url)
        return self.report

    @contextmanager
    def _serving(self) -> Iterator[str]:
        with serving(self._simulation) as base:
            url = f"{base}/"
            calm = self._fresh("calm")
            assert self._worker.do("crawl", calm, url, self._store) == 0
            self._asked = self._count_requests()
            self._expected = self._posts(calm)
            assert self._expected
            yield url

    def _round(self, url: str, most: int) -> None:
        root = self._fresh("wild")
        self._simulation.requests.clear()
        while self.report.accidents < most and self._live("crawl", root, url):
            pass
        self._finish(root, url)
        for action in ("export", "rebuild", "export", "rebuild"):
            if self.report.accidents < most:
                self._live(action, root, url)
        self._judge(root, url)

    def _live(self, action: str, root: Path, url: str) -> bool:
        """One life of an action. True if it was killed."""
        wanted = self._chance.choice(LIVES) if action == "crawl" else 0
        start = self._count_requests()
        pid = self._worker.start(action, root, url, self._store)
        end = time.monotonic() + _LONGEST_LIFE
        while (
            wanted and self._count_requests() - start < wanted and _is_alive(pid) and time.monotonic() < end
        ):
            time.sleep(0.001)
        time.sleep(self._chance.random() * (0.02 if wanted else 0.25))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        killed = self._worker.wait() == -signal.SIGKILL
        if killed:
            self.report.accidents += 1
            self.report.by_action[action] += 1
        return killed

    def _finish(self, root: Path, url: str) -> None:
        if self._worker.do("crawl", root, url, self._store) != 0:
            self.report.failed += 1

    def _judge(self, root: Path, url: str) -> None:
        report = self.report
        report.rounds += 1
        report.asked += max(0, self._count_requests() - self._asked)
        for action in ("export", "rebuild"):
            report.failed += self._worker.do(action, root, url, self._store) != 0
        self._compare(root)

    def _compare(self, root: Path) -> None:
        report = self.report
        found = self._posts(root)
        if found != self._expected:
            report.unequal += 1
            missing = len(set(self._expected) - set(found))
            more = len(set(found) - set(self._expected))
            report.notes.append(f"{missing} posts missing, {more} others, of {len(self._expected)}")
        archive = root / "archive"
        report.torn += verify_archive(archive).damaged + len(list(archive.glob("*.open")))

    def _cut(self, url: str) -> None:
        """A power cut: the copy of one moment, with the last bytes of the last WARC and of the log gone."""
        root, copy = self._fresh("wild"), self._root / "copy"
        self._simulation.requests.clear()
        wanted = self._chance.randrange(1, self._asked)
        pid = self._worker.start("crawl", root, url, self._store)
        while self._count_requests() < wanted and _is_alive(pid):
            time.sleep(0.001)
        time.sleep(self._chance.random() * 0.02)
        os.kill(pid, signal.SIGSTOP)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(root, copy)
        os.kill(pid, signal.SIGCONT)
        os.kill(pid, signal.SIGKILL)
        self._worker.wait()
        cut = self._cut_files(copy)
        self.report.accidents += 1
        self.report.by_action[cut] += 1
        self.report.rounds += 1
        self._finish(copy, url)
        self._compare(copy)

    def _cut_files(self, copy: Path) -> str:
        chance = self._chance
        warcs = sorted((copy / "archive").glob("*.warc.gz"), key=lambda file: file.stat().st_mtime)
        log = copy / "threadmill.sqlite-wal"
        (copy / "threadmill.sqlite-shm").unlink(missing_ok=True)
        kinds = []
        if warcs and chance.random() < 0.7:
            _shorten(warcs[-1], chance)
            kinds.append("WARC")
        if log.exists() and chance.random() < 0.7:
            _shorten(log, chance)
            kinds.append("log")
        return " and ".join(kinds) or "moment"

    def _posts(self, root: Path) -> list[str]:
        store = open_store(self._store or f"sqlite:///{root / 'threadmill.sqlite'}")
        try:
            with store.reading() as connection:
                return sorted(
                    json.dumps(
                        [post["post_id"], post["author"], post["date"], post["text"], post["position"]]
                    )
                    for post in export_posts(connection)
                )
        finally:
            store.close()

    def _count_requests(self) -> int:
        return sum("robots" not in str(request["url"]) for request in list(self._simulation.requests))

    def _fresh(self, name: str) -> Path:
        """An empty workspace with an empty database."""
        root = self._root / name
        shutil.rmtree(root, ignore_errors=True)
        if self._database is not None:
            import psycopg

            with psycopg.connect(self._store, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
        return root


def _shorten(file: Path, chance: random.Random) -> None:
    """Cut off up to the last 64 kB: a disk writes what it was given within seconds."""
    size = file.stat().st_size
    os.truncate(file, size - chance.randrange(min(size, 65_536) + 1))


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
