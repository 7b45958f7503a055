import json
from pathlib import Path

import pytest

from tests.servers.closed_forum import PASSWORD, ClosedForum, serving_closed
from tests.servers.obstacles import serving_obstacles
from threadmill.cli import main
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.workspace import open_workspace


def harbour() -> Simulation:
    return Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))


def test_a_sound_installation_and_workspace_are_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_workspace(tmp_path / "w", create=True)
    main(["doctor", "--workspace", str(tmp_path / "w"), "--json"])
    found = {one["what"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["store"]["told"] == "SQLite: 0 boards, 0 threads"
    assert found["workspace"]["ok"]
    assert found["may be written"]["ok"]


def test_a_password_that_everybody_may_read_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    file = workspace.root / "threadmill.toml"
    file.write_text('[service]\ntoken = "secret"\n')
    file.chmod(0o644)
    assert main(["doctor", "--workspace", str(workspace.root)]) == 1
    said = capsys.readouterr().out
    assert f"chmod 600 {file}" in said
    assert "secret" not in said
    file.chmod(0o600)
    main(["doctor", "--workspace", str(workspace.root)])
    assert "chmod" not in capsys.readouterr().out


def test_a_directory_without_a_workspace_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--workspace", str(tmp_path)]) == 1
    assert "! workspace" in capsys.readouterr().out


def test_a_forum_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(harbour()) as base:
        main(["doctor", f"{base}/index.php"])
    assert "an index of a forum" in capsys.readouterr().out


def test_what_keeps_us_out_is_said_with_a_cure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_closed(ClosedForum(harbour(), "basic")) as site:
        assert main(["doctor", site.base]) == 1
        assert "--user NAME" in capsys.readouterr().out
        monkeypatch.setenv("THREADMILL_ACCESS_PASSWORD", PASSWORD)
        main(["doctor", site.base, "--user", "anna"])
        assert "an index of a forum" in capsys.readouterr().out
    with serving_closed(ClosedForum(harbour(), "form")) as site:
        assert main(["doctor", site.base]) == 1
        assert "--login FILE" in capsys.readouterr().out


def test_a_crawl_and_an_inspection_say_what_keeps_them_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving_closed(ClosedForum(harbour(), "form")) as site:
        assert main(["crawl", site.base, "--workspace", str(tmp_path / "w"), "--delay", "0"]) != 0
        assert "open to members only" in capsys.readouterr().err
        assert main(["forum", "inspect", site.base, "--delay", "0"]) == 1
        shown = capsys.readouterr()
        assert "open to members only" in shown.err
        assert "nothing was learnt" in shown.err
        assert not shown.out, "an empty table says nothing"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/login", "open to members only; log in with --cookies"),
        ("/refused", "the server refuses the request; see whether a browser"),
        ("/password", "asks for a password, or refuses the one given; give it with --user"),
        ("/failed", "fails to answer; try again later"),
        ("/challenge", "keeps robots out with a challenge; ask its owner"),
        ("/script", "this site needs a browser: try --browser"),
        ("/file.pdf", "expected a web page, but this is a PDF file"),
        ("/empty", "the page holds no text"),
        ("/private/", "robots.txt disallows"),
        ("/nothing", "there is no page at this address"),
    ],
)
def test_each_obstacle_has_its_own_sentence(
    path: str,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THREADMILL_FETCH_RETRY_SECONDS", "0")
    monkeypatch.setenv("THREADMILL_FETCH_RETRIES", "1")
    with serving_obstacles() as base:
        assert main(["doctor", base + path]) == 1
        assert sentence in capsys.readouterr().out
        assert main(["forum", "inspect", base + path, "--delay", "0"]) == 1
        said = capsys.readouterr().err
        assert said.count("threadmill: http") == 1, "the finding, and nothing about guesses"
        assert sentence in said
        assert main(["crawl", base + path, "--workspace", str(tmp_path / "w"), "--delay", "0"]) == 1
        assert sentence in capsys.readouterr().err


def test_a_site_that_is_no_forum_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving_obstacles() as base:
        main(["doctor", f"{base}/bakery"])
        assert "does not look like a forum" in capsys.readouterr().out
        assert main(["crawl", f"{base}/bakery", "--workspace", str(tmp_path / "w"), "--delay", "0"]) == 1
        assert "add --site" in capsys.readouterr().err


def test_an_inspection_takes_the_way_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADMILL_ACCESS_PASSWORD", PASSWORD)
    with serving_closed(ClosedForum(harbour(), "basic")) as site:
        assert main(["forum", "inspect", site.base, "--delay", "0", "--user", "anna"]) == 0
    assert "viewtopic" in capsys.readouterr().out


def test_a_box_for_logging_in_beside_boards_is_no_wall(capsys: pytest.CaptureFixture[str]) -> None:
    forum = open_random_forum(31415)  # three boards, and a form with a password above them
    with serving(Simulation({"box": forum}, as_unix_time("2015-12-01"))) as base:
        assert main(["doctor", f"{base}/"]) in {0, 1}
        shown = capsys.readouterr().out
        assert "members only" not in shown
        assert "an index of a forum" in shown
        assert main(["forum", "inspect", f"{base}/", "--delay", "0"]) == 0
        assert "members only" not in capsys.readouterr().err


def test_a_host_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "http://127.0.0.1:9/"]) == 1
    assert "! page" in capsys.readouterr().out
