"""An incremental crawl in a store of a million posts: its memory, and how soon the store opens.

python -m bench.crawl_million [--posts N]; a simulated forum is crawled for real, its store is then filled
with threads and posts of the same forum through the functions of the store, a month passes, and the next
crawl runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from pathlib import Path

from sqlalchemy import select

from bench.figures import Figure, at_most, write_figures
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.lab.evaluate.forum_experiment import scratch_workspace
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.forums import board, forum
from threadmill.store.forum.posts import new_values, post
from threadmill.store.forum.threads import add_thread
from threadmill.types import Moment, Post, Precision
from threadmill.workspace import open_workspace

NAME = "harbour"
POSTS_A_THREAD = 12
BAR_MEGABYTES, BAR_SECONDS = 300, 1.0
_TEXT = "Some words that a post of usual length has, again and again, until it is as long as most. " * 4


def main() -> int:
    """Crawl, fill, crawl again; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=1_000_000)
    posts = parser.parse_args().posts
    simulation = Simulation({NAME: open_forum(NAME, "small")}, as_unix_time("2015-12-01"))
    with tempfile.TemporaryDirectory() as directory, serving(simulation) as base:
        root = Path(directory) / "w"
        crawl_forum(scratch_workspace(root), f"{base}/")
        fill(root, posts)
        size = sum(path.stat().st_size for path in root.glob("threadmill.sqlite*")) / 1e6
        seconds = min(open_seconds(root) for _ in range(3))
        simulation.advance("2016-01-01")
        found, megabytes, cpu = crawl_apart(root, f"{base}/")
    print(f"store: {posts:,} posts more, {size:,.0f} MB, opens in {seconds:.3f} s (bar {BAR_SECONDS})")
    print(f"incremental crawl: {found}, {megabytes:.0f} MB at most (bar {BAR_MEGABYTES}), {cpu:.1f} s of CPU")
    figures = [
        Figure("crawl", f"opening a store of {posts:,} posts", seconds, at_most(BAR_SECONDS), "s"),
        Figure(
            "crawl",
            f"memory of a crawl in a store of {posts:,} posts",
            megabytes,
            at_most(BAR_MEGABYTES),
            "MB",
        ),
    ]
    write_figures("crawl_million", figures)
    return 0 if megabytes <= BAR_MEGABYTES and seconds <= BAR_SECONDS else 1


def fill(root: Path, posts: int) -> None:
    """Give the boards that are there many more threads and posts, a thread's in one statement."""
    store = open_store(open_workspace(root).store_url)
    begin = datetime(2005, 1, 1, tzinfo=UTC)
    with store.writing() as connection:
        number = connection.execute(select(forum.c.id)).scalar_one()
        boards = list(connection.execute(select(board.c.id).order_by(board.c.id)).scalars())[1:]
        for place in range(posts // POSTS_A_THREAD):
            url = f"http://127.0.0.1/viewtopic.php?t={1_000_000 + place}"
            thread = add_thread(
                connection,
                forum=number,
                board=boards[place % len(boards)],
                key=url,
                url=url,
                title=f"An old thread {place}",
                posts=POSTS_A_THREAD,
                pages=1,
                said={"count": POSTS_A_THREAD - 1, "active": "2015-01-01", "precision": "day"},
            )
            rows = [
                _row(thread, place * POSTS_A_THREAD + n, n + 1, url, begin) for n in range(POSTS_A_THREAD)
            ]
            connection.execute(post.insert(), rows)
    store.close()


def _row(thread: int, number: int, position: int, url: str, begin: datetime) -> dict[str, object]:
    at = begin + timedelta(minutes=5 * number)
    moment = Moment(date(at.year, at.month, at.day), clock(at.hour, at.minute), precision=Precision.MINUTE)
    text = f"{number} {_TEXT}"
    shown = Post(text, f"<p>{text}</p>", f"author {number % 5000}", date=moment, post_id=str(10**6 + number))
    return {"thread": thread, "first_seen": at, **new_values(shown, url), "position": position}


def open_seconds(root: Path) -> float:
    """How long opening the store takes, in a process that has it open for the first time."""
    code = (
        "import sys, time; from threadmill.store import open_store; s = time.perf_counter(); "
        "store = open_store(sys.argv[1]); connection = store.reading().__enter__(); "
        "print(time.perf_counter() - s)"
    )
    command = [sys.executable, "-c", code, open_workspace(root).store_url]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def crawl_apart(root: Path, url: str) -> tuple[str, float, float]:
    """A crawl in a process of its own: what it found, its greatest memory in MB, its seconds of CPU."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.crawl_million", "--crawl", str(root), url], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    said = json.loads(process.stdout.read().splitlines()[-1])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return said, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def _crawl(root: str, url: str) -> None:
    from dataclasses import replace

    from threadmill.config import override

    workspace = open_workspace(Path(root))
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    started = time.perf_counter()
    progress = crawl_forum(replace(workspace, settings=settings), url)
    seconds = time.perf_counter() - started
    print(json.dumps(f"{progress.pages} pages, {progress.new_posts} new posts in {seconds:.1f} s"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--crawl"]:
        _crawl(*sys.argv[2:])
    else:
        sys.exit(main())
