from pathlib import Path

import pytest

from threadmill.cli import main


def test_a_demo_crawls_exports_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = tmp_path / "demo"
    assert main(["demo", "--directory", str(demo)]) == 0
    out = capsys.readouterr().out
    assert "one forum, four crawls" in out
    posts = (demo / "posts.jsonl").read_text().splitlines()
    assert f"{len(posts):,} posts are in" in out
    chart = (demo / "crawls.html").read_text()
    assert chart.count("new posts</text>") == 4


def test_another_directory_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    assert main(["demo", "--directory", str(tmp_path)]) == 2
    assert "not an earlier demo" in capsys.readouterr().err
    assert (tmp_path / "thesis.tex").exists()
