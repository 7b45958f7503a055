"""A crawl killed at random moments, again and again, comes to what an undisturbed one comes to."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.servers.sites import Reply, SiteServer, page, redirect
from threadmill.archive import ReadTally, read_captures
from threadmill.store import open_store
from threadmill.store.crawl.captures import capture
from threadmill.store.crawl.url_queue import UrlState, queue

PAGES_PER_KILL = 18  # about twice what a life fetches: a faster machine must not finish before the last kill
CONCURRENCY = 6

# Imports once, then becomes a new crawl for every line: a process that imports anew would spend the test's
# time on that. Each crawl is a process of its own, and is killed as such.
CRAWLER = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from threadmill.config import override
    from threadmill.crawl.site.site_crawl import crawl_site
    from threadmill.urls import Scope
    from threadmill.workspace import Workspace, open_workspace

    def crawl(root, url):
        workspace = open_workspace(Path(root), create=True)
        polite = {"delay": 0.0, "concurrency": CONCURRENCY, "host_concurrency": CONCURRENCY}
        settings = override(workspace.settings, "crawl", **polite)
        crawl_site(Workspace(workspace.root, settings), url, Scope.HOST)

    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            crawl(*line.split())
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    """
).replace("CONCURRENCY", str(CONCURRENCY))


def make_site(size: int) -> dict[str, Reply]:
    """Every page leads to two of its own, to some at random, and some over redirects."""
    chance = random.Random(7)
    pages: dict[str, Reply] = {}
    for number in range(size):
        links = [f"/p{n}" for n in (2 * number + 1, 2 * number + 2) if n < size]
        links += [f"/p{chance.randrange(size)}" for _ in range(8)]
        if number % 10 == 0:
            links += [f"/away{number}", f"/missing{number}"]
            pages[f"/away{number}"] = redirect(f"/landing{number}")
            pages[f"/landing{number}"] = page("/p0")
        pages[f"/p{number}"] = page(*links, text=f"page {number}")
    return pages


class Crawler:
    """The process that crawls."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, "-c", CRAWLER], stdin=pipe, stdout=pipe, text=True)
        assert self._hear() == "ready"

    def start(self, root: Path, url: str) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{root} {url}\n")
        self._process.stdin.flush()
        return int(self._hear())

    def wait(self) -> int:
        return int(self._hear())

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def archived(root: Path) -> Counter[str]:
    """What the archive holds whole, by path."""
    if not (root / "archive").is_dir():
        return Counter()
    found = read_captures(root / "archive", ReadTally())
    return Counter("/" + c.url.split("/", 3)[3] for c in found if not c.url.endswith("robots.txt"))


def kill_at_random(crawler: Crawler, site: SiteServer, root: Path, chance: random.Random) -> None:
    """One life of a crawl: it ends within a few milliseconds, or some requests later."""
    enough = threading.Event()
    left = chance.choice([0, 1, 2, 4, 8, 16])
    start = len(site.log)

    def count(_path: str) -> None:
        if len(site.log) - start >= left:
            enough.set()

    site.on_request = count
    pid = crawler.start(root, site.url("/p0"))
    if left:
        assert enough.wait(30)
    time.sleep(chance.random() * (0.01 if left else 0.04))  # without a request, the start is what is hit
    os.kill(pid, signal.SIGKILL)
    assert crawler.wait() == -signal.SIGKILL, "the crawl was over before it was killed"
    site.on_request = None


def outcome(store_url: str) -> tuple[list[tuple[str, int]], set[tuple[str, int, str]]]:
    """Captures, and the state of every URL.

    A kill may fall between the records of a redirect and of its target. Then the target is fetched by itself,
    and the redirect says so in its reason: this alone may differ from an undisturbed crawl.
    """
    store = open_store(store_url)
    with store.reading() as connection:
        captures = sorted(
            ("/" + row.url.split("/", 3)[3], row.status)
            for row in connection.execute(select(capture.c.url, capture.c.status))
        )
        states = {
            ("/" + row.url.split("/", 3)[3], row.state, "" if row.reason == "redirect" else row.reason)
            for row in connection.execute(select(queue.c.url, queue.c.state, queue.c.reason))
        }
    store.close()
    return captures, states


@pytest.mark.parametrize(("database", "kills"), [("sqlite", 50), ("postgresql", 10)])
def test_a_crawl_killed_at_random_moments_loses_nothing_and_fetches_nothing_twice(
    database: str, kills: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(kills)
    calm, wild = tmp_path / "calm", tmp_path / "wild"
    wild_url = f"sqlite:///{wild / 'threadmill.sqlite'}"
    if database == "postgresql":
        wild_url = request.getfixturevalue("new_postgres_url")
        wild.mkdir()
        (wild / "threadmill.toml").write_text(f'[store]\nurl = "{wild_url}"\n')
    crawler = Crawler()
    with SiteServer(make_site(PAGES_PER_KILL * kills), delay=0.003) as site:
        crawler.start(calm, site.url("/p0"))
        assert crawler.wait() == 0
        once = Counter(site.log)
        site.log.clear()

        finished: set[str] = set()
        for _ in range(kills):
            before = len(site.log)
            kill_at_random(crawler, site, wild, chance)
            again = finished.intersection(site.log[before:])
            assert not again, f"asked for again although the archive had it: {sorted(again)}"
            finished = set(archived(wild))
        before = len(site.log)
        crawler.start(wild, site.url("/p0"))
        assert crawler.wait() == 0
        assert not finished.intersection(site.log[before:])
        asked = Counter(site.log)
    crawler.close()

    assert set(once.values()) == {1}
    assert set(asked) == set(once)
    assert asked.total() - once.total() <= kills * CONCURRENCY
    assert outcome(wild_url) == outcome(f"sqlite:///{calm / 'threadmill.sqlite'}")
    assert archived(wild) == archived(calm)
    assert set(archived(wild).values()) == {1}


def test_after_the_end_nothing_is_left_leased(tmp_path: Path) -> None:
    with SiteServer({"/": page("/a", "/b"), "/a": page(), "/b": page()}) as site:
        crawler = Crawler()
        crawler.start(tmp_path / "work", site.url())
        assert crawler.wait() == 0
        crawler.close()
    _, states = outcome(f"sqlite:///{tmp_path / 'work' / 'threadmill.sqlite'}")
    assert {state for _, state, _ in states} == {UrlState.DONE}
