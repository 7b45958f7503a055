from pathlib import Path

import pytest

from tests.crawl.forum.world import FIRST, world
from threadmill.cli import main


def test_a_watch_serves_what_is_due_once_and_shows_its_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(tmp_path / "watched")
    with world(tmp_path) as here:
        here.simulation.advance(FIRST)
        command = ["watch", "--workspace", root, "--delay", "0", "--once"]
        assert main([*command, f"{here.base}/"]) == 0
        assert "it was never crawled" in capsys.readouterr().out
        assert main(command) == 0
        assert "0 runs" in capsys.readouterr().out
        asked = len(here.simulation.requests)
        assert main(["watch", "--workspace", root, "--plan"]) == 0
        shown = capsys.readouterr().out
        assert "start page" in shown
        assert "Workshop" in shown
        assert len(here.simulation.requests) == asked


def test_a_workspace_without_forums_has_nothing_to_watch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from threadmill.workspace import open_workspace

    open_workspace(tmp_path / "w", create=True)
    assert main(["watch", "--workspace", str(tmp_path / "w"), "--plan"]) == 2
    assert "no forum" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--period", "soon"], ["--budget", "0"], ["--posts", "-1"]])
def test_a_wish_that_makes_no_sense_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", *words]) == 2
    assert "expected" in capsys.readouterr().err
