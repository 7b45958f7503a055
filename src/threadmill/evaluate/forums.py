"""The experiment of the source: a first crawl, then one a month for a year, on simulated forums, judged."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadmill.config import override
from threadmill.crawl.incremental.session import crawl_forum_at
from threadmill.simulate.catalogue import CRAWL_DATES, open_forum
from threadmill.simulate.forum import moment_of
from threadmill.simulate.judge import Verdict, judge
from threadmill.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.export import export_posts
from threadmill.workspace import Workspace, open_workspace


async def evaluate_forum(name: str, scale: str | int, dates: Sequence[str] = CRAWL_DATES) -> Verdict:
    """Crawl one simulated forum on each date and judge requests and posts."""
    forum = open_forum(name, scale)
    simulation = Simulation({name: forum}, moment_of(dates[0]))
    posts: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="threadmill-evaluate-") as directory:
        workspace = _workspace(Path(directory) / "w")
        with serving(simulation) as base:
            for date in dates:
                simulation.advance(date)
                await crawl_forum_at(workspace, f"{base}/")
                posts[date] = _export(workspace)
    return judge(forum, simulation.requests, posts, dates)


def _workspace(root: Path) -> Workspace:
    workspace = open_workspace(root, create=True)
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    settings = override(settings, "archive", enabled=False)
    return replace(workspace, settings=settings)


def _export(workspace: Workspace) -> list[dict[str, Any]]:
    store = open_store(workspace.store_url)
    try:
        with store.reading() as connection:
            return list(export_posts(connection))
    finally:
        store.close()
