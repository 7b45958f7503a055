"""The experiment of the source paper: crawl a forum once, then again at later dates, and judge each crawl.

It runs on simulated and on recorded forums. A directory of recordings holds replay.py (a server),
judge.py, data/SITE.sqlite.xz and truth/SITE.jsonl.xz. `run_demo` is a small experiment to look at.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.errors import UsageError
from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures
from threadmill.lab.judge.judge_crawl import DateFigures, judge_crawl
from threadmill.lab.judge.truth import find_new_content
from threadmill.lab.simulate.catalogue import CRAWL_DATES, open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.export import export_posts
from threadmill.workspace import Workspace, open_workspace


def scratch_workspace(root: Path) -> Workspace:
    """Create a workspace whose crawls do not wait and do not archive."""
    workspace = open_workspace(root, create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    return replace(workspace, settings=override(settings, "archive", enabled=False))


def crawl_whole(workspace: Workspace, url: str) -> ForumProgress:
    """Crawl a forum to its end. An interrupted crawl stops the measurement: its figures would be wrong."""
    progress = crawl_forum(workspace, url)
    if progress.ended == INTERRUPTED:
        raise KeyboardInterrupt
    return progress


def read_posts(workspace: Workspace) -> list[dict[str, Any]]:
    """Return all posts of a workspace."""
    store = open_store(workspace.store_url)
    try:
        with store.reading() as connection:
            return list(export_posts(connection))
    finally:
        store.close()


def write_posts(posts: Iterable[dict[str, Any]], target: Path) -> Path:
    """Write posts as JSON lines. Return the file."""
    with target.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(post, ensure_ascii=False) + "\n" for post in posts)
    return target


RECORDED_DATES = ("2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30")
_ENTRIES = {"machina": "/forum/"}  # forums that are not at the root of their host
_TRIES, _PAUSE = 200, 0.2  # unpacking a recording takes some seconds

Say = Callable[[str], None]


def evaluate_simulated_forum(
    name: str, scale: str | int, dates: Sequence[str] = CRAWL_DATES, say: Say | None = None
) -> CrawlExperiment:
    """Crawl a simulated forum on each date. Judge its requests and posts."""
    forum = open_forum(name, scale)
    return judge_run(forum, crawl_dates(forum, dates, "/", say))


@dataclass(frozen=True, slots=True)
class ForumRunRecord:
    """What crawls of a simulated forum did: the server's log, and for each date the posts and the report."""

    requests: list[dict[str, Any]]
    posts: dict[str, list[dict[str, Any]]]
    reports: dict[str, ForumProgress]


def crawl_dates(
    forum: SimulatedForum, dates: Sequence[str], start: str, say: Say | None = None
) -> ForumRunRecord:
    """Crawl a simulated forum on each date, beginning at a path."""
    name = forum.traits.name
    simulation = Simulation({name: forum}, as_unix_time(dates[0]))
    record = ForumRunRecord(simulation.requests, {}, {})
    with tempfile.TemporaryDirectory(prefix="threadmill-evaluate-") as directory:
        workspace = scratch_workspace(Path(directory) / "w")
        with serving(simulation) as base:
            for date in dates:
                if say is not None:
                    say(f"{name} {date}")
                simulation.advance(date)
                record.reports[date] = crawl_whole(workspace, base + start)
                record.posts[date] = read_posts(workspace)
    return record


def judge_run(forum: SimulatedForum, record: ForumRunRecord) -> CrawlExperiment:
    """Judge the crawls of a simulated forum."""
    dates = list(record.posts)
    verdict = judge_crawl(forum, record.requests, record.posts, dates)
    before = [None, *dates]
    by_date = {
        date: _figures_of_simulation(forum, before[place], date, verdict.by_date[date])
        for place, date in enumerate(dates)
    }
    return CrawlExperiment(forum.traits.name, by_date)


def _figures_of_simulation(
    forum: SimulatedForum, before: str | None, date: str, judged: DateFigures
) -> CrawlFigures:
    """Convert the judge's counts. Add those of a full recrawl, computed from the truth."""
    classes = find_new_content(forum, before, date).pages
    posts = judged.posts
    return CrawlFigures(
        pages=judged.pages,
        new=judged.new,
        semi=judged.semi,
        duplicate=judged.duplicate,
        other=judged.other,
        forbidden=judged.forbidden,
        bytes=judged.bytes,
        news_bytes=judged.news_bytes,
        least_thread=judged.oracle_thread,
        covered=judged.covered,
        least=judged.oracle_thread + judged.oracle_index,
        skeleton=len(classes),
        skeleton_news=sum(kind != "duplicate" for kind in classes.values()),
        posts=posts.wanted,
        found=posts.found,
        exported=posts.exported,
        true=posts.matched,
        dates=posts.date_right,
        authors=posts.author_right,
        body=posts.body_f1,
    )


def list_recorded_forums(directory: Path) -> list[str]:
    """Return the names of the recorded forums in a directory."""
    missing = [name for name in ("replay.py", "judge.py", "data", "truth") if not (directory / name).exists()]
    if missing:
        raise UsageError(f"expected recorded forums in {directory}, but it has no {missing[0]}")
    return sorted(path.name.partition(".")[0] for path in (directory / "data").glob("*.sqlite.xz"))


def evaluate_recorded_forum(directory: Path, site: str, say: Say | None = None) -> CrawlExperiment:
    """Crawl a recorded forum on each date. Let its own judge count."""
    directory = directory.resolve()
    with tempfile.TemporaryDirectory(prefix="threadmill-evaluate-") as scratch:
        judged = _crawl_and_judge(directory, site, Path(scratch), say)
    return CrawlExperiment(
        site, {date: _figures_of_recording(judged["dates"][date]) for date in RECORDED_DATES}
    )


def _crawl_and_judge(directory: Path, site: str, scratch: Path, say: Say | None) -> dict[str, Any]:
    log, verdict = scratch / "requests.jsonl", scratch / "verdict.json"
    exported = []
    workspace = scratch_workspace(scratch / "workspace")
    with _replay(directory, site, log) as base:
        for date in RECORDED_DATES:
            if say is not None:
                say(f"{site} {date}")
            if date != RECORDED_DATES[0]:
                _ask(f"{base}/__replay__/advance?date={date}", method="POST")
            crawl_whole(workspace, base + _ENTRIES.get(site, "/"))
            exported.append(f"{date}={write_posts(read_posts(workspace), scratch / f'{date}.jsonl')}")
    words = ["judge.py", "--site", site, "--log", str(log), "--posts", *exported, "--json", str(verdict)]
    subprocess.run(  # noqa: S603 -- the user chose this judge
        [sys.executable, *words], cwd=directory, check=True, stdout=subprocess.DEVNULL
    )
    found: dict[str, Any] = json.loads(verdict.read_text())
    return found


def _figures_of_recording(judged: Mapping[str, Any]) -> CrawlFigures:
    """Convert the counts of the recordings' judge. It gives posts as shares, and no `news_bytes`."""

    def of(share: str, whole: float) -> float:
        return (judged[share] or 0.0) * whole

    true = of("post_precision", judged["posts_exported"])
    return CrawlFigures(
        pages=judged["pages"],
        new=judged["NEW"],
        semi=judged["SEMI"],
        duplicate=judged["DUPLICATE"],
        other=judged["OTHER"],
        bytes=judged["mbytes"] * 1e6,
        least_thread=judged["oracle_thread"],
        covered=round(of("page_recall", judged["oracle_thread"])),
        least=judged["oracle"],
        skeleton=judged["full_crawl"],
        skeleton_news=judged["oracle"],
        posts=judged["new_posts"],
        found=of("post_recall", judged["new_posts"]),
        exported=judged["posts_exported"],
        true=true,
        dates=of("date_minute", true),
        authors=of("author", true),
        body=of("body_f1", true),
    )


@contextmanager
def _replay(directory: Path, site: str, log: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["replay.py", "--site", site, "--date", RECORDED_DATES[0], "--port", str(port), "--log", str(log)]
    server = subprocess.Popen(  # noqa: S603 -- the user chose it
        [sys.executable, *words], cwd=directory, stdout=subprocess.DEVNULL
    )
    base = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{base}/__replay__/stats", server)
        yield base
    finally:
        server.terminate()
        server.wait()


def _ask(url: str, method: str = "GET") -> None:
    urlopen(Request(url, method=method)).close()  # noqa: S310 -- our own loopback address


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(_TRIES):
        try:
            _ask(url)
        except URLError:
            if server.poll() is not None:
                break
            time.sleep(_PAUSE)
        else:
            return
    raise UsageError(
        f"the recordings' replay server did not answer at {url}; start it by hand (it needs aiohttp)"
    )


DATES = ("2015-12-01", "2016-01-01", "2016-02-01", "2016-03-01")
FORUM = "studio"


@dataclass(frozen=True, slots=True)
class DemoCrawl:
    """The figures of one crawl of the demonstration."""

    date: str
    fetched: int
    all_pages: int  # pages that a full recrawl fetches
    truly_new: int  # posts written since the previous crawl
    found: int  # new posts that were found


def run_demo(directory: Path, say: Callable[[str], None]) -> list[DemoCrawl]:
    """Crawl a simulated forum four times, a month apart. Return the figures of each crawl."""
    forum = open_forum(FORUM, "default")
    simulation = Simulation({FORUM: forum}, as_unix_time(DATES[0]))
    workspace = _open(directory)
    fetched: dict[str, int] = {}
    posts: dict[str, list[dict[str, Any]]] = {}
    with serving(simulation) as base:
        say(f"a simulated forum is served at {base}/")
        for date in DATES:
            simulation.advance(date)
            say(f"{date}: crawling …")
            fetched[date] = crawl_forum(workspace, f"{base}/").pages
            posts[date] = read_posts(workspace)
    verdict = judge_crawl(forum, simulation.requests, posts, DATES)
    return [
        DemoCrawl(date, fetched[date], figures.skeleton, figures.posts.wanted, figures.posts.found)
        for date, figures in verdict.by_date.items()
    ]


def export_demo(directory: Path) -> tuple[Path, int]:
    """Write the posts of the demonstration as JSON lines. Return the file and the number of posts."""
    posts = read_posts(open_workspace(directory))
    return write_posts(posts, directory / "posts.jsonl"), len(posts)


def _open(directory: Path) -> Workspace:
    workspace = open_workspace(directory, create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=4, host_concurrency=4)
    return replace(workspace, settings=settings)
