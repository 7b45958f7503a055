"""Kills and power cuts: crawls, exports and rebuilds that are cut off at random moments, and go on.

A round is a workspace from its first crawl to its last comparison. Rounds are independent: each has a seed,
and each is added to a record as soon as it is over.
"""

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
_SCALE = 200  # posts by 2017: what counts is the number of accidents, and a small forum is crawled sooner
DATES = ("2015-12-01", "2016-02-01")  # of the first crawl and of the second, which finds only new posts
# A life ends after one of these numbers of requests. The first 16 or so requests learn the forum.
LIVES = (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 5)
_LONGEST_LIFE = 60.0
_COPIES = 8  # of a workspace during one crawl
_MOST_LIVES = 40  # of one crawl; then it may come to its end
_OTHERS = ("export", "rebuild", "export") * 4

# Imports once, then becomes a new process for every line: importing anew would take most of the time. What
# the process does is what the command `threadmill` does: the same entry, with settings of the environment.
WORKER = textwrap.dedent(
    """
    import os, sys
    from datetime import UTC, datetime
    from pathlib import Path
    from threadmill.cli import main
    from threadmill import crawl_forum, read_forum_page
    from threadmill.dates import parse_date
    import threadmill.cli.crawling.posts, threadmill.cli.crawling.crawl, threadmill.cli.crawling.rebuild
    import threadmill.crawl.rebuild, threadmill.store.forum.export, alembic.command

    def words_of(action, root, url):
        if action == "crawl":
            return ["crawl", url, "--workspace", root, "--quiet"]
        if action == "rebuild":
            return ["rebuild", "--workspace", root]
        return ["posts", "--workspace", root, "-o", str(Path(root, "export.jsonl"))]

    # What is read late, such as tables of words, is read once.
    now = datetime(2024, 5, 31, tzinfo=UTC)
    read_forum_page(b"<p>Posted by Anna on 5 May 2024</p><p>Text</p>" * 3, "http://a.example/t/1", now=now)

    print("ready", flush=True)
    for line in sys.stdin:
        action, root, url, store = line.split()
        child = os.fork()
        if not child:
            os.dup2(2, 1)
            if store != "-":
                os.environ["THREADMILL_STORE_URL"] = store
            sys.exit(main(words_of(action, root, url)))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    """
)
SETTINGS = {
    "THREADMILL_CRAWL_DELAY": "0",
    "THREADMILL_CRAWL_CONCURRENCY": "2",
    "THREADMILL_CRAWL_HOST_CONCURRENCY": "2",
    "THREADMILL_FETCH_RETRIES": "0",
}


class Worker:
    """The process that acts. Each action is a process of its own."""

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        environment = os.environ | SETTINGS
        words = [sys.executable, "-c", WORKER]
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=environment)
        assert self._hear() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(600)  # a busy machine takes its time

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
    """What came of one round, or of many."""

    store: str = "sqlite"
    seed: int = 0
    accidents: int = 0
    by_action: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    unequal: int = 0  # rounds whose posts differ from those of an undisturbed crawl
    asked: int = 0  # requests beyond those of undisturbed crawls
    torn: int = 0  # damaged records, half exports, and markers that were left
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
        self.notes += [f"{other.store}, seed {other.seed}: {note}" for note in other.notes]


class AccidentRecord:
    """The rounds of a bench so far, one line of JSON each: a bench that was stopped goes on from there."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.rounds: list[AccidentReport] = []
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                values = json.loads(line)
                self.rounds.append(AccidentReport(**{**values, "by_action": Counter(values["by_action"])}))

    def add(self, report: AccidentReport) -> None:
        """Keep a round."""
        self.rounds.append(report)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as out:
            values = {name: getattr(report, name) for name in report.__slots__}
            out.write(json.dumps(values, ensure_ascii=False) + "\n")

    def total(self, store: str = "") -> AccidentReport:
        """All rounds together, or those with one store."""
        total = AccidentReport(store or "all")
        for one in self.rounds:
            if store in ("", one.store):
                total.add(one)
        return total

    def next_seed(self, store: str) -> int:
        """A seed that this store has not had."""
        return max((one.seed for one in self.rounds if one.store == store), default=0) + 1


class Accidents:
    """A forum, its server, a worker and a database, for many rounds."""

    def __init__(self, root: Path, worker: Worker, database: Database | None = None) -> None:
        self._root = root
        self._worker = worker
        self._database = database
        self._store = database.url if database else ""
        forum = open_forum(FORUM, _SCALE, posts_per_page=6, threads_per_page=10)
        self._simulation = Simulation({FORUM: forum}, as_unix_time(DATES[0]))
        self._expected: dict[str, list[str]] = {}  # date → posts of a calm crawl
        self._asked: dict[str, int] = {}
        self._seconds: dict[str, float] = {}  # how long a calm export or rebuild takes
        self._url = ""
        self._chance = random.Random(0)
        self.report = AccidentReport()

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve the forum, and note what comes of a calm workspace."""
        with serving(self._simulation) as base:
            self._url = f"{base}/"
            calm = self._fresh("calm")
            for date in DATES:
                self._begin(date)
                assert self._do("crawl", calm) == 0
                self._asked[date] = self._count_requests()
                self._expected[date] = self._posts(calm)
                assert self._expected[date]
            for action in ("export", "rebuild"):
                start = time.monotonic()
                assert self._do(action, calm) == 0
                self._seconds[action] = time.monotonic() - start
            yield

    def kills(self, seed: int) -> AccidentReport:
        """One round of kills, from an empty workspace on."""
        self._start_round(seed)
        root = self._fresh("wild")
        for date in DATES:
            self._begin(date)
            for _ in range(_MOST_LIVES):
                if not self._live("crawl", root):
                    break
            self._finish(root)
            self.report.asked += max(0, self._count_requests() - self._asked[date])
        for action in _OTHERS:
            self._live(action, root)
            self._check_export(root)
        for action in ("export", "rebuild"):
            self.report.failed += self._do(action, root) != 0
        self._check_export(root)
        self._compare(root, DATES[-1])
        return self.report

    def power_cuts(self, seed: int) -> AccidentReport:
        """Copy a workspace some times while it is written, cut the copies, and crawl on in each."""
        self._start_round(seed)
        root = self._fresh("wild")
        self._begin(DATES[0])
        moments = sorted(self._chance.sample(range(1, self._asked[DATES[0]]), _COPIES))
        pid = self._worker.start("crawl", root, self._url, self._store)
        copies: list[Path] = []
        for wanted in moments:
            while self._count_requests() < wanted and _is_alive(pid):
                time.sleep(0.001)
            time.sleep(self._chance.random() * 0.02)
            if not _is_alive(pid):
                break
            copies.append(self._copy_stopped(pid, root, self._root / f"copy{len(copies)}"))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self._worker.wait()
        for copy in copies:
            self.report.accidents += 1
            self.report.by_action[self._cut_files(copy)] += 1
            self._finish(copy)
            self._compare(copy, DATES[0])
        return self.report

    @staticmethod
    def _copy_stopped(pid: int, root: Path, copy: Path) -> Path:
        """Copy a workspace while its crawl stands still."""
        shutil.rmtree(copy, ignore_errors=True)
        os.kill(pid, signal.SIGSTOP)
        try:
            shutil.copytree(root, copy)
        finally:
            os.kill(pid, signal.SIGCONT)
        return copy

    def _start_round(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.report = AccidentReport("postgresql" if self._database else "sqlite", seed, rounds=1)

    def _begin(self, date: str) -> None:
        self._simulation.advance(date)
        self._simulation.requests.clear()

    def _do(self, action: str, root: Path) -> int:
        return self._worker.do(action, root, self._url, self._store)

    def _live(self, action: str, root: Path) -> bool:
        """One life of an action. True if it was killed."""
        wanted = self._chance.choice(LIVES) if action == "crawl" else 0
        start = self._count_requests()
        pid = self._worker.start(action, root, self._url, self._store)
        end = time.monotonic() + _LONGEST_LIFE
        while (
            wanted and self._count_requests() - start < wanted and _is_alive(pid) and time.monotonic() < end
        ):
            time.sleep(0.001)
        time.sleep(self._chance.random() * (0.02 if wanted else self._seconds.get(action, 0.25)))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        killed = self._worker.wait() == -signal.SIGKILL
        if killed:
            self.report.accidents += 1
            self.report.by_action[action] += 1
        return killed

    def _finish(self, root: Path) -> None:
        self.report.failed += self._do("crawl", root) != 0

    def _check_export(self, root: Path) -> None:
        """An export is whole or not there."""
        file = root / "export.jsonl"
        if file.exists() and len(file.read_bytes().splitlines()) != len(self._expected[DATES[-1]]):
            self.report.torn += 1
            self.report.notes.append("half an export")

    def _compare(self, root: Path, date: str) -> None:
        report = self.report
        found, expected = self._posts(root), self._expected[date]
        if found != expected:
            report.unequal += 1
            missing = len(set(expected) - set(found))
            more = len(set(found) - set(expected))
            report.notes.append(f"{missing} posts missing, {more} others, of {len(expected)}")
        archive = root / "archive"
        report.torn += verify_archive(archive).damaged + len(list(archive.glob("*.open")))

    def _cut_files(self, copy: Path) -> str:
        """Take the last bytes of the last WARC and of the log away: they had not reached the disk."""
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
