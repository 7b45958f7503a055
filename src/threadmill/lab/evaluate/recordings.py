"""The same experiment on recorded forums: their replay server, their dates, their judge.

A directory of recordings holds replay.py, judge.py, data/SITE.sqlite.xz and truth/SITE.jsonl.xz.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from threadmill.errors import UsageError
from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures
from threadmill.lab.evaluate.scratch_workspace import crawl_whole, read_posts, scratch_workspace, write_posts

DATES = ("2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30")
_ENTRIES = {"machina": "/forum/"}  # where a forum does not stand at the root of its host
_TRIES, _PAUSE = 200, 0.2  # unpacking a recording takes some seconds

Say = Callable[[str], None]


def recorded_sites(directory: Path) -> list[str]:
    """The names of the sites a directory holds."""
    missing = [name for name in ("replay.py", "judge.py", "data", "truth") if not (directory / name).exists()]
    if missing:
        raise UsageError(f"expected recorded forums in {directory}, but it has no {missing[0]}")
    return sorted(path.name.partition(".")[0] for path in (directory / "data").glob("*.sqlite.xz"))


def evaluate_recording(directory: Path, site: str, say: Say | None = None) -> CrawlExperiment:
    """Crawl one recorded site on each date and ask its judge."""
    directory = directory.resolve()
    with tempfile.TemporaryDirectory(prefix="threadmill-evaluate-") as scratch:
        judged = _crawl_and_judge(directory, site, Path(scratch), say)
    return CrawlExperiment(site, {date: _figures(judged["dates"][date]) for date in DATES})


def _crawl_and_judge(directory: Path, site: str, scratch: Path, say: Say | None) -> dict[str, Any]:
    log, verdict = scratch / "requests.jsonl", scratch / "verdict.json"
    exported = []
    workspace = scratch_workspace(scratch / "workspace")
    with _replay(directory, site, log) as base:
        for date in DATES:
            if say is not None:
                say(f"{site} {date}")
            if date != DATES[0]:
                _ask(f"{base}/__replay__/advance?date={date}", method="POST")
            crawl_whole(workspace, base + _ENTRIES.get(site, "/"))
            exported.append(f"{date}={write_posts(read_posts(workspace), scratch / f'{date}.jsonl')}")
    words = ["judge.py", "--site", site, "--log", str(log), "--posts", *exported, "--json", str(verdict)]
    subprocess.run(  # noqa: S603 -- what the user named as the recordings' judge
        [sys.executable, *words], cwd=directory, check=True, stdout=subprocess.DEVNULL
    )
    found: dict[str, Any] = json.loads(verdict.read_text())
    return found


def _figures(judged: Mapping[str, Any]) -> CrawlFigures:
    """The judge gives posts as shares; the bytes of pages with news it does not tell."""

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
    words = ["replay.py", "--site", site, "--date", DATES[0], "--port", str(port), "--log", str(log)]
    server = subprocess.Popen(  # noqa: S603 -- the user named it
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
    urlopen(Request(url, method=method)).close()  # noqa: S310 -- an address of ours on loopback


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
        f"the recordings' replay server did not answer at {url}; does it run by itself (it needs aiohttp)?"
    )
