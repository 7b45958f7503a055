"""The views that people ask by SQL, in both databases, and as Datasette shows them."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from tests.store.forum.conftest import NOW, THREAD, connection, make_post
from threadmill.cli import main
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.workspace import open_workspace

ROOT = Path(__file__).parents[2]
__all__ = ["connection"]  # the fixture


def test_the_views_hold_what_their_names_say(connection: Connection) -> None:
    for number in (1, 2):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    posts = connection.execute(text("SELECT author, thread, board_url, forum_url FROM posts")).all()
    assert [tuple(row) for row in posts] == [
        ("Ann", "One", "https://f.example/b/1", "https://f.example/")
    ] * 2
    thread = connection.execute(text("SELECT title, posts, first_post, board FROM threads")).one()
    assert tuple(thread) == ("One", 2, "2026-04-01T09:30+02:00", "Board")
    assert tuple(connection.execute(text("SELECT title, threads FROM boards")).one()) == ("Board", 1)
    assert connection.execute(text("SELECT COUNT(*) FROM post_versions")).scalar() == 0


def keep_one_post(file: Path) -> None:
    """The database of a workspace with one post."""
    store = open_store(f"sqlite:///{file}")
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "https://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "https://f.example/", {}, NOW)
        thread = add_thread(connection, forum=forum, key="k", url=THREAD, title="One")
        add_post(connection, thread, make_post(1), THREAD, NOW)
    store.close()


@pytest.mark.skipif(find_spec("datasette") is None, reason="datasette is not installed: pip install '.[dev]'")
def test_datasette_opens_the_database_of_a_workspace(tmp_path: Path) -> None:
    file = tmp_path / "threadmill.sqlite"
    keep_one_post(file)
    asked = ["--get", "/threadmill/posts.json?_shape=array"]
    done = subprocess.run(
        [sys.executable, "-m", "datasette", str(file), *asked], capture_output=True, text=True, check=True
    )
    [post] = json.loads(done.stdout)
    assert (post["author"], post["thread"], post["text"]) == ("Ann", "One", "post 1")


def test_duckdb_asks_views_and_exported_posts_as_the_docs_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own extension for SQLite is downloaded; what the docs name instead needs no network."""
    for package in ("duckdb", "pandas", "pyarrow"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[dev]'")
    monkeypatch.chdir(tmp_path)
    workspace = open_workspace("work", create=True)
    keep_one_post(workspace.root / "threadmill.sqlite")
    assert main(["posts", "--workspace", "work", "-o", "posts.parquet"]) == 0
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(import sqlite3\n.*?)```", page, re.DOTALL)
    capsys.readouterr()
    exec(example, {})  # noqa: S102 -- our own document
    boards, authors = capsys.readouterr().out.split("author", 1)
    assert "sum(posts)" in boards
    assert "Ann" in authors
