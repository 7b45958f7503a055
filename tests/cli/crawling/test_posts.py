import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from threadmill.cli import main
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.types import Post
from threadmill.workspace import open_workspace

NOW = datetime(2025, 5, 1, tzinfo=UTC)


def fill(root: Path, count: int) -> None:
    store = open_store(open_workspace(root, create=True).store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "http://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "http://f.example/", {}, NOW)
        thread = add_thread(connection, forum=forum, key="t", url="http://f.example/t", title="t")
        for number in range(count):
            text = f"Post {number}. " + "Words enough to fill a pipe. " * 20
            add_post(connection, thread, Post(text, text, author="anna", position=number), "u", NOW)
    store.close()


def test_a_reader_that_leaves_early_is_no_failure(tmp_path: Path) -> None:
    fill(tmp_path / "w", 300)
    command = f"{sys.executable} -m threadmill posts --workspace {tmp_path / 'w'} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_full_disk_is_not_blamed_on_the_store(tmp_path: Path, capsys: object) -> None:
    fill(tmp_path / "w", 300)
    assert main(["posts", "--workspace", str(tmp_path / "w"), "-o", "/dev/full"]) == 1
    said = capsys.readouterr().err  # type: ignore[attr-defined]
    assert "no space left" in said
    assert "store" not in said
