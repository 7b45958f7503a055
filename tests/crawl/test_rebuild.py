"""A database made from the archive alone is the one that was lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.crawl.forum.world import FIRST, World, world
from tests.servers.sites import SiteServer, page
from threadmill.archive import ArchiveWriter
from threadmill.cli import main
from threadmill.config import override
from threadmill.crawl.rebuild import rebuild
from threadmill.crawl.site.site_crawl import crawl_site
from threadmill.errors import WorkspaceError
from threadmill.store import open_store
from threadmill.store.crawl.captures import capture
from threadmill.store.crawl.jobs import run
from threadmill.store.crawl.url_queue import queue
from threadmill.store.forum.forums import board
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import thread
from threadmill.urls import Scope
from threadmill.workspace import Workspace, open_workspace


def contents(workspace: Workspace) -> dict[str, list[Any]]:
    """What must be the same: posts with their first-seen dates, threads, boards, runs, captures."""
    store = open_store(workspace.store_url)
    wanted = {
        "posts": select(
            post.c.identity, post.c.author, post.c.date, post.c.text, post.c.position, post.c.first_seen
        ),
        "threads": select(thread.c.key, thread.c.title, thread.c.posts, thread.c.due),
        "boards": select(board.c.url, board.c.title, board.c.due),
        "runs": select(run.c.started, run.c.ended, run.c.exit_code),
        "captures": select(capture.c.url, capture.c.file, capture.c.offset, capture.c.status),
    }
    with store.reading() as connection:
        found = {name: sorted(map(repr, connection.execute(what))) for name, what in wanted.items()}
    store.close()
    return found


def lose_database(here: World) -> None:
    for file in here.workspace.root.glob("threadmill.sqlite*"):
        file.unlink()


def test_a_lost_database_costs_nothing(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        for date in (FIRST, "2016-01-01", "2016-02-01"):
            here.crawl(date)
        before = contents(here.workspace)
        asked = len(here.simulation.requests)
        lose_database(here)
        assert main(["rebuild", "--workspace", str(here.workspace.root)]) == 0
        assert len(here.simulation.requests) == asked
        after = contents(here.workspace)
        for name, rows in before.items():
            assert after[name] == rows, name
        here.crawl("2016-03-01")
        assert here.lacks_nothing("2016-03-01")


def test_a_crawl_that_stopped_midway_goes_on_after_a_rebuild(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST, max_pages=22)
        before = contents(here.workspace)
        lose_database(here)
        rebuild(here.workspace)
        assert contents(here.workspace)["posts"] == before["posts"]
        here.crawl(FIRST)
        assert here.lacks_nothing(FIRST)


def test_a_run_cut_off_while_it_learnt_is_repeated_as_far_as_it_came(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST, max_pages=3)
        here.crawl(FIRST)
        before = contents(here.workspace)["posts"]
        lose_database(here)
        rebuild(here.workspace)
        assert contents(here.workspace)["posts"] == before


def test_a_run_killed_while_it_learnt_is_repeated_as_far_as_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = ArchiveWriter.write_run
    with world(tmp_path) as here:
        with monkeypatch.context() as patch:  # a killed run does not archive its end
            patch.setattr(ArchiveWriter, "write_run", lambda a, r: None if r.ended else write(a, r))
            here.crawl(FIRST, max_pages=5)
        here.crawl(FIRST)
        before = contents(here.workspace)["posts"]
        lose_database(here)
        rebuild(here.workspace)
        assert contents(here.workspace)["posts"] == before


def test_a_rebuild_that_would_lose_posts_is_refused(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        settings = override(here.workspace.settings, "archive", join_file_bytes=0)
        here.workspace = Workspace(here.workspace.root, settings)
        here.crawl(FIRST, max_pages=22)
        archived = here.workspace.archive
        first = min(archived.glob("*.warc.gz"))
        here.crawl(FIRST)
        for file in archived.glob("*.warc.gz"):
            if file != first:
                file.unlink()
        before = contents(here.workspace)
        with pytest.raises(WorkspaceError, match="--force"):
            rebuild(here.workspace)
        assert contents(here.workspace) == before
        assert rebuild(here.workspace, force=True).posts < len(before["posts"])


def test_a_damaged_database_is_kept_aside(tmp_path: Path) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST)
        posts = contents(here.workspace)["posts"]
        lose_database(here)
        (here.workspace.root / "threadmill.sqlite").write_bytes(b"no database at all " * 100)
        rebuild(here.workspace)
        assert contents(here.workspace)["posts"] == posts
        assert (here.workspace.root / "threadmill.sqlite.damaged").exists()


def test_an_empty_archive_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="holds none"):
        rebuild(open_workspace(tmp_path / "w", create=True))


def test_the_pages_of_a_site_are_known_again(tmp_path: Path) -> None:
    pages = {"/": page("/a", "/b"), "/a": page("/c"), "/b": page("/"), "/c": page()}
    workspace = open_workspace(tmp_path / "w", create=True)
    workspace = Workspace(workspace.root, override(workspace.settings, "crawl", delay=0.0))
    with SiteServer(pages) as site:
        crawl_site(workspace, site.url("/"), Scope.HOST)
        before = contents(workspace)["captures"]
        for file in workspace.root.glob("threadmill.sqlite*"):
            file.unlink()
        rebuild(workspace)
        assert contents(workspace)["captures"] == before
        assert crawl_site(workspace, site.url("/"), Scope.HOST).pages == 0
    store = open_store(workspace.store_url)
    with store.reading() as connection:
        assert len(list(connection.execute(select(queue.c.url)))) == 4
    store.close()
