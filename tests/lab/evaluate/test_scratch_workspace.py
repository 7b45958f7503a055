from __future__ import annotations

import json
from pathlib import Path

from threadmill.lab.evaluate.scratch_workspace import crawl_whole, read_posts, scratch_workspace, write_posts
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
