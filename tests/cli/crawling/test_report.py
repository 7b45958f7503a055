import json
from pathlib import Path

import pytest

from tests.crawl.forum.world import FIRST, world
from threadmill.cli import main


def test_a_report_tells_of_every_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with world(tmp_path) as here:
        here.crawl(FIRST)
        here.crawl("2016-01-01")
    root = str(here.workspace.root)
    assert main(["report", "--workspace", root, "--json", "--chart", str(tmp_path / "chart.html")]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["pages"] > second["pages"] > 0
    assert first["pages"] == sum(first[kind] for kind in ("new", "semi", "duplicate", "other"))
    assert first["new_posts"] + second["new_posts"] == len(here.posts())
    assert second["precision"] > 0.8
    chart = (tmp_path / "chart.html").read_text()
    assert chart.count("<rect") >= 2
    picture = tmp_path / "chart.png"
    assert main(["report", "--workspace", root, "--chart", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert main(["report", "--workspace", root]) == 0
    assert "precision" in capsys.readouterr().out


def test_a_workspace_without_crawls_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from threadmill.workspace import open_workspace

    open_workspace(tmp_path / "w", create=True)
    assert main(["report", "--workspace", str(tmp_path / "w")]) == 1
    assert "No forum" in capsys.readouterr().out
