"""Workspaces for measurements against local servers: no delay, no archive."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.crawl.forum.forum_loop import ForumProgress
from threadmill.crawl.site.site_crawl import INTERRUPTED
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
