"""What conditional requests save: simulated forums crawled every day, with and without truthful validators.

python -m bench.daily [FORUM …]
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

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


def main() -> None:
    """Print a line for each forum and kind of validators."""
    for name in sys.argv[1:] or _FORUMS:
        for validators in ("none", "truthful"):
            with tempfile.TemporaryDirectory() as directory:
                print(f"{name:10} {validators:9} {_measure(name, validators, Path(directory))}", flush=True)


def _measure(name: str, validators: str, directory: Path) -> str:
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
    return (
        f"{len(pages):4} pages, {unmodified:3} not modified, {kilobytes:7.0f} kB, "
        f"robots.txt {len(asked) - len(pages)}; posts found {recall:.3f}"
    )


def _posts(workspace: Workspace) -> list[dict[str, object]]:
    store = open_store(workspace.store_url)
    with store.reading() as connection:
        posts = list(export_posts(connection))
    store.close()
    return posts


if __name__ == "__main__":
    main()
