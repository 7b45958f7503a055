"""What conditional requests save: simulated forums crawled every day, with and without truthful validators.

python -m bench.daily [FORUM …]
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from bench.figures import Figure, write_figures
from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.lab.judge.judge_crawl import judge_crawl
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.export import export_posts
from threadmill.workspace import Workspace, open_workspace

_FORUMS = ("clearing", "harbour", "linden")
_BEFORE = ("2015-12-01", "2016-01-01", "2016-02-01", "2016-03-01")
_DAYS = tuple(f"2016-03-{day:02d}" for day in range(2, 26))


@dataclass(frozen=True, slots=True)
class DailyCrawls:
    """What 24 daily crawls of one forum cost and found."""

    pages: int
    unmodified: int
    kilobytes: float
    robots: int
    recall: float

    def __str__(self) -> str:
        return (
            f"{self.pages:4} pages, {self.unmodified:3} not modified, {self.kilobytes:7.0f} kB, "
            f"robots.txt {self.robots}; posts found {self.recall:.3f}"
        )


def main() -> None:
    """Print a line for each forum and kind of validators."""
    figures = []
    for name in sys.argv[1:] or _FORUMS:
        for validators in ("none", "truthful"):
            with tempfile.TemporaryDirectory() as directory:
                crawls = _measure(name, validators, Path(directory))
            print(f"{name:10} {validators:9} {crawls}", flush=True)
            where = f"{name}, daily crawls, validators: {validators}"
            figures += [
                Figure("crawl", f"downloaded, {where}", crawls.kilobytes, unit="kB"),
                Figure("crawl", f"posts found, {where}", crawls.recall),
            ]
    write_figures("daily", figures)


def _measure(name: str, validators: str, directory: Path) -> DailyCrawls:
    forum = open_forum(name, "small", validators=validators)
    simulation = Simulation({name: forum}, as_unix_time(_BEFORE[0]))
    workspace = open_workspace(directory / "w", create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    with serving(simulation) as base:
        for date in (*_BEFORE, *_DAYS):
            simulation.advance(date)
            crawl_forum(replace(workspace, settings=settings), f"{base}/")
    asked = [entry for entry in simulation.requests if entry["date"] in _DAYS]
    pages = [entry for entry in asked if entry["key"] != "/robots.txt"]
    unmodified = sum(entry["status"] == 304 for entry in pages)
    held = judge_crawl(forum, simulation.requests, {_DAYS[-1]: _posts(workspace)}, [_DAYS[-1]])
    recall = held.by_date[_DAYS[-1]].posts.summary()["post_recall"]
    kilobytes = sum(entry["bytes"] for entry in pages) / 1000
    return DailyCrawls(len(pages), unmodified, kilobytes, len(asked) - len(pages), recall or 0.0)


def _posts(workspace: Workspace) -> list[dict[str, object]]:
    store = open_store(workspace.store_url)
    with store.reading() as connection:
        posts = list(export_posts(connection))
    store.close()
    return posts


if __name__ == "__main__":
    main()
