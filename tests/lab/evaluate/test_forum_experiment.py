"""The experiment through the door: simulated forums, and recorded ones where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.lab.evaluate.forum_experiment import (
    crawl_whole,
    evaluate_recorded_forum,
    list_recorded_forums,
    read_posts,
    scratch_workspace,
    write_posts,
)
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving


def test_a_crawl_stores_posts_and_archives_nothing(tmp_path: Path) -> None:
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2016-03-01"))
    workspace = scratch_workspace(tmp_path / "w")
    with serving(simulation) as base:
        crawl_whole(workspace, f"{base}/")
    posts = read_posts(workspace)
    assert len(posts) > 20
    assert list((tmp_path / "w").glob("archive/*")) == []
    file = write_posts(posts, tmp_path / "posts.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == posts


RECORDINGS = Path(os.environ.get("THREADMILL_RECORDINGS", "../shared/data/forums"))


def test_the_experiment_prints_its_tables_and_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", "forums", "--forum", "harbour", "--scale", "small", "--dates", "3"]
    assert main([*command, "--keep", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "2016-02-01" in shown
    assert "recrawl" in shown
    (file,) = tmp_path.glob("*.json")
    written = file.stat().st_mtime_ns
    assert main([*command, "--keep", str(tmp_path)]) == 0
    assert capsys.readouterr().out == shown
    assert file.stat().st_mtime_ns == written


def test_a_forum_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "forums", "--forum", "nowhere"]) == 2
    assert "no such forum" in capsys.readouterr().err


def test_a_directory_without_recordings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "forums", "--forum", "x", "--recordings", str(tmp_path)]) == 2
    assert "replay.py" in capsys.readouterr().err


@pytest.mark.quality
@pytest.mark.timeout(300)
@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recorded forums: set THREADMILL_RECORDINGS")
def test_a_recorded_forum_is_kept_current_with_hardly_a_page_in_vain() -> None:
    pytest.importorskip("aiohttp", reason="the replay server of the recordings needs aiohttp")
    assert "smf" in list_recorded_forums(RECORDINGS)
    later = evaluate_recorded_forum(RECORDINGS, "smf").later
    assert later.precision is not None
    assert later.precision >= 0.97
    assert later.recall is not None
    assert later.recall >= 0.995
    assert later.found >= 0.999 * later.posts
