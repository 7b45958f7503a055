"""Forums that are open to members only, crawled through the doors that users take."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import threadmill
from tests.servers.closed_forum import KEY, NAME, PASSWORD, ClosedForum, serving_closed
from threadmill.cli import main
from threadmill.errors import LoginError, UsageError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation

POSTS = 29
RECIPE = """url = "{base}/login"
proof = "Harbour Wall"
[fields]
user = "anna"
pass = {{env = "FORUM_PASSWORD"}}
"""


@pytest.fixture
def closed() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def forum(stack: ExitStack, way: str) -> ClosedForum:
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))
    return stack.enter_context(serving_closed(ClosedForum(simulation, way)))


def archived(workspace: Path) -> bytes:
    return b"".join(gzip.decompress(file.read_bytes()) for file in (workspace / "archive").glob("*.warc.gz"))


def test_a_forum_behind_a_form_is_crawled_after_logging_in(
    closed: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = forum(closed, "form")
    monkeypatch.setenv("FORUM_PASSWORD", PASSWORD)
    recipe = tmp_path / "login.toml"
    recipe.write_text(RECIPE.format(base=site.base), "utf-8")
    work = tmp_path / "work"
    assert main(["crawl", site.base, "--workspace", str(work), "--delay", "0", "--login", str(recipe)]) == 0
    assert len(list(threadmill.open_workspace(work).posts())) == POSTS
    assert site.refused == 0
    kept = archived(work)
    assert PASSWORD.encode() not in kept
    assert b"s3cret" not in kept
    assert not any(session.encode() in kept for session in site.sessions)
    assert b"Cookie: (left out)" in kept


def test_a_wrong_password_is_said_and_nothing_is_crawled(
    closed: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = forum(closed, "form")
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    recipe = tmp_path / "login.toml"
    recipe.write_text(RECIPE.format(base=site.base), "utf-8")
    with pytest.raises(LoginError, match="check the name and the password") as told:
        threadmill.crawl_forum(site.base, tmp_path / "work", delay=0, access={"login": str(recipe)})
    assert "wrong" not in str(told.value).replace(site.base, "")


def test_the_cookies_of_a_browser_let_a_crawl_in(closed: ExitStack, tmp_path: Path) -> None:
    site = forum(closed, "form")
    site.sessions.add("abc123")
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tmember\tabc123\n", "utf-8"
    )
    work = tmp_path / "work"
    crawl = ["crawl", site.base, "--workspace", str(work), "--delay", "0", "--quiet"]
    assert main([*crawl, "--cookies", str(file)]) == 0
    assert len(list(threadmill.open_workspace(work).posts())) == POSTS
    assert b"abc123" not in archived(work)


def test_http_basic_and_own_headers_let_a_crawl_in(
    closed: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    basic, header = forum(closed, "basic"), forum(closed, "header")
    monkeypatch.setenv("THREADMILL_ACCESS_PASSWORD", PASSWORD)
    one = ["crawl", basic.base, "--workspace", str(tmp_path / "one"), "--delay", "0", "--quiet"]
    assert main([*one, "--user", NAME]) == 0
    monkeypatch.delenv("THREADMILL_ACCESS_PASSWORD")
    other = ["crawl", header.base, "--workspace", str(tmp_path / "other"), "--delay", "0", "--quiet"]
    assert main([*other, "--header", f"X-Key: {KEY}"]) == 0
    for name in ("one", "other"):
        assert len(list(threadmill.open_workspace(tmp_path / name).posts())) == POSTS
    assert KEY.encode() not in archived(tmp_path / "other")
    assert b"X-Key: (left out)" in archived(tmp_path / "other")
    assert b"Authorization: (left out)" in archived(tmp_path / "one")


@pytest.mark.parametrize("way", ["form", "basic"])
@pytest.mark.parametrize("options", [[], ["--max-threads", "3"], ["--since", "2015"]])
def test_a_crawl_without_an_account_says_that_one_must_log_in(
    closed: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str, options: list[str]
) -> None:
    site, advice = forum(closed, way), {"form": "--login FILE", "basic": "--user NAME"}[way]
    assert main(["crawl", site.base, "--workspace", str(tmp_path / "w"), "--delay", "0", *options]) == 1
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize("way", ["form", "basic"])
@pytest.mark.parametrize("options", [[], ["--max-threads", "3"]])
def test_a_forum_whose_threads_only_members_see_is_no_success(
    closed: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str, options: list[str]
) -> None:
    site = forum(closed, way)
    site.closed_part = "viewtopic"
    code = main(["crawl", site.base, "--workspace", str(tmp_path / "w"), "--delay", "0", *options])
    assert code in {3, 4}, "doubtful, or fewer posts than the forum claims"
    assert "open to members only; log in with" in capsys.readouterr().out


@pytest.mark.parametrize(("way", "advice"), [("form", "--login FILE"), ("basic", "--user NAME")])
def test_a_forum_whose_boards_only_members_see_says_so_not_that_it_is_no_forum(
    closed: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str, advice: str
) -> None:
    simulation = Simulation({"werkbank": open_forum("werkbank", 100)}, as_unix_time("2015-12-01"))
    site = closed.enter_context(serving_closed(ClosedForum(simulation, way, closed_part="forumdisplay")))
    assert main(["crawl", site.base, "--workspace", str(tmp_path / "w"), "--delay", "0"]) == 1
    told = capsys.readouterr().err
    assert "cannot be read by guests" in told
    assert advice in told


def test_a_password_without_a_terminal_is_asked_for_in_one_sentence(
    closed: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = forum(closed, "basic")
    assert main(["crawl", site.base, "--workspace", str(tmp_path / "w"), "--user", NAME]) == 2
    assert "THREADMILL_ACCESS_PASSWORD" in capsys.readouterr().err
    with pytest.raises(UsageError, match="access has no 'passwort'"):
        threadmill.crawl_forum(site.base, tmp_path / "w", access={"passwort": "x"})
