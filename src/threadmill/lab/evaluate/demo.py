"""The demonstration: crawls a simulated forum, then again monthly, fetching only pages with new posts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.lab.evaluate.scratch_workspace import read_posts, write_posts
from threadmill.lab.judge.judge_crawl import judge_crawl
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.workspace import Workspace, open_workspace

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
