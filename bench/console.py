"""The console with a million posts: how long its pages take for twenty people, what the first view weighs.

python -m bench.console [--posts 1000000] [--threads 100000] [--sites 10000] [--workspace DIR] [--rounds 5]

Twenty clients open all pages in random order, and read each for a second (--think). Time is that of the
clock, so the machine must be quiet; the processor time of the console per page is printed beside it. With
--workspace the contents are kept, and not made again when they are there. The first view is measured in a
real browser, if there is one.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.figures import Figure, at_most, write_figures
from tools.browser import is_there, open_browser
from tools.console_examples import add_comparison

_TEXT = "the a tide pier boat harbour light keeper lamp storm rope anchor sail engine manual screw seal"
WORDS = tuple(_TEXT.split())
CLIENTS = 20
_FORUMS, _BOARDS = 5, 20  # boards of each forum
_CHUNK = 20_000
_START = datetime(2010, 1, 1, tzinfo=UTC)
_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=100_000)
    parser.add_argument("--sites", type=int, default=10_000)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a person reads a page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = arguments.workspace or Path(folder) / "work"
        if not (root / "filled").exists():
            fill(root, arguments.posts, arguments.threads, arguments.sites)
        with serving(root) as (port, process):
            paths = find_pages(port)
            times, cpu = ask_all(port, process, paths, arguments.rounds, arguments.think)
            first = first_view(port) if is_there() else None
    for path, took in sorted(times.items(), key=lambda item: -_p95(item[1])):
        print(f"{1000 * _p95(took):8.1f} ms p95  {path}")
    every = [one for took in times.values() for one in took]
    size = f"{arguments.posts:,} posts, {arguments.sites:,} sites"
    slowest = max(_p95(took) for took in times.values())
    what = f"p95, 20 clients, {size}"
    figures = [
        Figure("service", f"console, slowest page, {what}", _ms(slowest), at_most(300), "ms"),
        Figure("service", f"console, any page, {what}", _ms(_p95(every)), at_most(300), "ms"),
        Figure("service", f"console, processor time of a page, {size}", _ms(cpu / len(every)), unit="ms"),
    ]
    if first is not None:
        usable, size_kb = round(first[0]), round(first[1] / 1e3)
        figures.append(Figure("service", f"console, first view usable, {size}", usable, at_most(1500), "ms"))
        figures.append(Figure("service", "console, first view, all bytes", size_kb, at_most(1500), "kB"))
    write_figures("console", figures)


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _p95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


def fill(root: Path, posts: int, threads: int, sites: int) -> None:
    """Make a workspace with made-up forums, an index of some posts, and a comparison of sites."""
    from threadmill.store import open_store
    from threadmill.store.forum.browsing import refresh_post_counts
    from threadmill.workspace import open_workspace

    workspace = open_workspace(root, create=True)
    store = open_store(workspace.store_url)
    started = time.process_time()
    with store.writing() as connection:
        boards = _add_forums(connection)
        _add_threads(connection, boards, threads)
    for first in range(0, posts, _CHUNK):
        with store.writing() as connection:
            _add_posts(connection, first, min(_CHUNK, posts - first), threads)
    with store.writing() as connection:
        refresh_post_counts(connection)
    add_comparison(store, sites)
    store.close()
    _index(root, posts)
    (root / "filled").touch()
    print(f"filled in {time.process_time() - started:.0f} s of processor time", flush=True)


def _add_forums(connection) -> list[tuple[int, int]]:  # type: ignore[no-untyped-def]
    from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
    from threadmill.forum.site_model.model import ForumModel
    from threadmill.store.crawl.jobs import end_run, find_or_add_job, start_run
    from threadmill.store.forum.forums import add_board, keep_forum

    boards = []
    for number in range(_FORUMS):
        entry = f"http://f{number}.example/"
        job = find_or_add_job(connection, "forum", entry, "forum", _START)
        model = ForumKnowledge(LayoutKnowledge(ForumModel(entry))).to_json()
        forum = keep_forum(connection, job.id, entry, model, _START)
        for _ in range(40):
            end_run(
                connection, start_run(connection, job.id, _START), _START, 0, {"pages": 100, "new posts": 7}
            )
        boards += [
            (forum, add_board(connection, forum, f"{entry}b/{board}", f"Board {board}", None))
            for board in range(_BOARDS)
        ]
    return boards


def _add_threads(connection, boards: list[tuple[int, int]], threads: int) -> None:  # type: ignore[no-untyped-def]
    from threadmill.store.forum.threads import thread

    rows = [
        {
            "id": number + 1, "forum": boards[number % len(boards)][0], "title": f"Thread {number}",
            "key": str(number), "board": boards[number % len(boards)][1],
            "url": f"http://f.example/t/{number}", "said": {}, "posts": 10, "pages": 1,
            "visited": _START, "walk": {}, "gone": False,
        }
        for number in range(threads)
    ]  # fmt: skip
    for first in range(0, threads, _CHUNK):
        connection.execute(thread.insert(), rows[first : first + _CHUNK])


def _texts(first: int, count: int) -> Iterator[tuple[int, str, str]]:
    """Number, date and text of some posts."""
    chance = random.Random(first)
    for number in range(first, first + count):
        date = (_START + timedelta(minutes=8 * number)).isoformat(timespec="minutes")[:16]
        yield number, date, " ".join(chance.choices(WORDS, k=30)) + f" number {number}"


def _add_posts(connection, first: int, count: int, threads: int) -> None:  # type: ignore[no-untyped-def]
    from threadmill.store.forum.posts import post

    rows = [
        {
            "thread": number % threads + 1, "post_id": str(number),
            "identity": str(number), "wording": str(number),
            "url": f"http://f.example/t/{number % threads}#p{number}", "author": f"user{number % 3000}",
            "date": date, "position": number // threads + 1, "text": text, "html": "", "first_seen": _START,
            "apart": {"quotes": []},
        }
        for number, date, text in _texts(first, count)
    ]  # fmt: skip
    connection.execute(post.insert(), rows)


def _index(root: Path, posts: int) -> None:
    from threadmill.corpus.search.entries import SearchEntry
    from threadmill.corpus.search.index import SearchIndex

    index = SearchIndex(root / "threadmill-index", create=True)
    entries = (
        SearchEntry(text, f"http://f.example/t/{n}#p{n}", "A thread", f"user{n % 3000}", date, "en", "post")
        for n, date, text in _texts(0, posts)
    )
    index.add("posts", "1", entries)
    index.close()


@contextmanager
def serving(root: Path) -> Iterator[tuple[int, int]]:
    """A console as a process of its own: its port and its process id."""
    command = [sys.executable, "-m", "threadmill", "console", "--workspace", str(root), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found is not None
    try:
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait()


def get(port: int, path: str) -> str:
    """One page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"{path}: expected 200, but got {answer.status}: {text[:300]}")
    return text


def find_pages(port: int) -> list[str]:
    """The addresses of all pages. Each is opened once before the clock runs, as on any day but the first."""
    [task] = set(re.findall(r"/sites/([0-9a-f-]{36})", get(port, "/sites")))
    cluster = re.findall(r"/cluster/(\d+)", get(port, f"/sites/{task}"))[0]
    paths = [
        *("/", "/forums/1", "/forums/1/model", "/boards/3", "/boards/3?sort=title", "/boards/3?page=15"),
        *(
            "/threads/77",
            "/threads/99",
            "/inspect",
            "/operations",
            "/metrics",
            "/health",
            "/compare",
            "/search",
        ),
        *("/search?q=lamp", "/search?q=lamp+storm&order=newest", "/search?q=%22tide+pier%22&sort=right"),
        *("/search?q=boat&order=random&seed=3", "/search?q=anchor&author=user7&since=2012"),
        *("/sites", f"/sites/{task}", f"/sites/{task}?border=0.8", f"/sites/{task}?view=pairs&page=9"),
        *(f"/sites/{task}?view=sites", f"/sites/{task}/cluster/{cluster}", f"/sites/{task}/pair/0/1"),
    ]
    for path in paths:
        get(port, path)
    return paths


def ask_all(
    port: int, process: int, paths: list[str], rounds: int, think: float
) -> tuple[dict[str, list[float]], float]:
    """Seconds of each page, and processor seconds of the console in all."""
    times: dict[str, list[float]] = defaultdict(list)
    lock = threading.Lock()

    def visit(number: int) -> None:
        chance = random.Random(number)
        time.sleep(chance.uniform(0, think))
        for _ in range(rounds):
            for path in chance.sample(paths, len(paths)):
                started = time.perf_counter()
                get(port, path)
                took = time.perf_counter() - started
                with lock:
                    times[path].append(took)
                time.sleep(chance.uniform(0.5, 1.5) * think)

    before = _cpu(process)
    clients = [threading.Thread(target=visit, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return times, _cpu(process) - before


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def first_view(port: int) -> tuple[float, float]:
    """Milliseconds until the overview can be used in a fresh browser, and bytes of all it loads."""
    with open_browser() as browser:
        browser.get(f"http://127.0.0.1:{port}/")
        found = browser.execute_script(
            "const of = kind => performance.getEntriesByType(kind);"
            "const bytes = of('resource').concat(of('navigation')).map(one => one.decodedBodySize);"
            "return [of('navigation')[0].domContentLoadedEventEnd, bytes.reduce((a, b) => a + b, 0)]"
        )
    milliseconds, size = (float(str(value)) for value in found)
    return milliseconds, size


if __name__ == "__main__":
    main()
