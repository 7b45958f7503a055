"""`threadmill rebuild`: what it says at the end."""

from pathlib import Path

import pytest

from threadmill.cli import main
from threadmill.crawl.rebuild import RebuildProgress


def test_the_end_tells_posts_before_and_after_and_what_could_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = RebuildProgress(runs=2, answers=1200, posts=5000, posts_before=4000, unread=3, troubles=1)
    forced: list[bool] = []

    def rebuild(workspace: object, watch: object, *, force: bool) -> RebuildProgress:
        forced.append(force)
        return done

    monkeypatch.setattr("threadmill.crawl.rebuild.rebuild", rebuild)
    (tmp_path / "threadmill.toml").touch()
    assert main(["rebuild", "--workspace", str(tmp_path), "--force"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "5,000 posts of 1,200 archived answers in 2 runs",
        "the database had 4,000 posts",
        "3 archived pages are neither boards nor threads now",
        "1 runs could not be repeated to their end",
    ]
    assert forced == [True]


def test_a_workspace_without_an_archive_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "threadmill.toml").touch()
    assert main(["rebuild", "--workspace", str(tmp_path)]) == 1
    assert "expected an archive of crawls" in capsys.readouterr().err
