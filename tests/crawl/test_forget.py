"""Forgetting through the command, on a crawled forum."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import threadmill
from tests.servers.postgresql import HOW_TO, Database, programs
from threadmill.archive import rewriting
from threadmill.archive.read_tally import ReadTally
from threadmill.archive.recovery import verify_archive
from threadmill.archive.warc_reader import read_captures
from threadmill.cli import main
from threadmill.crawl import forget as forgetting
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A forum that was crawled twice."""
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-11-01"))
    work = tmp_path_factory.mktemp("forget") / "work"
    with serving(simulation) as base:
        threadmill.crawl_forum(base, work, delay=0)
        simulation.advance("2015-12-01")
        threadmill.crawl_forum(base, work, delay=0)
    return work, base


@pytest.fixture
def crawled(once: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of it."""
    shutil.copytree(once[0], tmp_path / "work")
    return tmp_path / "work", once[1]


def authors(work: Path) -> list[str]:
    found = (post.author or "" for post in threadmill.open_workspace(work).posts())
    return sorted(found)


def archived(work: Path) -> list[str]:
    pages = read_captures(work / "archive", ReadTally(), follow_revisits=True)
    return [page.payload.decode("utf-8-sig", "replace") for page in pages]


def busiest(work: Path) -> str:
    names = authors(work)
    return max(names, key=names.count)


def test_an_author_is_gone_from_posts_archive_and_index(
    crawled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    work, _ = crawled
    name = busiest(work)
    theirs = [post.text for post in threadmill.open_workspace(work).posts(author=name)]
    others = [one for one in authors(work) if one != name]
    assert main(["index", str(work), "--index", str(work / "threadmill-index")]) == 0
    assert any(theirs[0].splitlines()[0] in page for page in archived(work))
    capsys.readouterr()
    assert main(["forget", "--author", name, "--workspace", str(work), "--yes", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["posts"] == len(theirs)
    assert report["left"] == []
    assert authors(work) == others
    for text in theirs:
        line = max(text.splitlines(), key=len)
        assert not any(line in page for page in archived(work))
        assert line.encode() not in (work / "threadmill.sqlite").read_bytes()
    assert not (work / "threadmill-index").exists()
    assert not (work / forgetting.PLAN_FILE).exists()
    assert verify_archive(work / "archive").damaged == 0
    assert main(["archive", "verify", str(work)]) == 0
    assert main(["forget", "--author", name, "--workspace", str(work), "--yes"]) == 1


def test_the_posts_of_others_can_be_rebuilt_afterwards(crawled: tuple[Path, str]) -> None:
    work, _ = crawled
    name = busiest(work)
    others = [one for one in authors(work) if one != name]
    threadmill.forget(work, author=name)
    assert main(["rebuild", "--workspace", str(work), "--force"]) == 0
    rebuilt = authors(work)
    assert name not in rebuilt
    assert [one for one in rebuilt if one in others] == others


def test_without_yes_nothing_is_deleted(
    crawled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    work, _ = crawled
    before, name = authors(work), busiest(work)
    assert main(["forget", "--author", name, "--workspace", str(work)]) == 0
    told = capsys.readouterr()
    assert f"{before.count(name)} posts of the author {name}" in told.out
    assert "posts of others quote them" in told.out
    assert "add --yes" in told.err
    assert authors(work) == before


def test_a_thread_is_gone_with_its_pages_and_its_title(crawled: tuple[Path, str]) -> None:
    work, _ = crawled
    workspace = threadmill.open_workspace(work)
    thread = max(workspace.threads(), key=lambda one: one.posts)
    texts = [max(post.text.splitlines(), key=len) for post in workspace.posts(thread=thread.url)]
    rest = len(list(workspace.posts())) - len(texts)
    assert main(["forget", "--thread", thread.url, "--workspace", str(work), "--yes"]) == 0
    assert len(list(workspace.posts())) == rest
    assert thread.url not in [one.url for one in workspace.threads()]
    pages = archived(work)
    assert not any(text in page for text in texts for page in pages)
    assert not any(f">{thread.title}<" in page for page in pages)


def test_a_forum_is_gone_with_all_its_records(crawled: tuple[Path, str]) -> None:
    work, base = crawled
    assert main(["forget", "--forum", base, "--workspace", str(work), "--yes"]) == 0
    workspace = threadmill.open_workspace(work)
    assert not list(workspace.posts())
    assert not list(workspace.boards())
    assert not archived(work)
    assert main(["report", "--workspace", str(work)]) in {0, 1, 2}


@pytest.mark.skipif(programs() is None, reason=HOW_TO)
def test_an_author_is_gone_from_postgresql_and_its_files(
    crawled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    work, _ = crawled
    name = busiest(work)
    theirs = [
        max(post.text.splitlines(), key=len) for post in threadmill.open_workspace(work).posts(author=name)
    ]
    others = [one for one in authors(work) if one != name]
    with Database() as database:
        assert main(["move", "--to", database.url, "--workspace", str(work)]) == 0
        stored = [text for text in theirs if database.holds(text.encode())]
        assert len(stored) > len(theirs) / 2  # longer rows are packed
        capsys.readouterr()
        command = ["forget", "--author", name, "--workspace", str(work), "--yes", "--json"]
        assert main(command) == 1
        report = json.loads(capsys.readouterr().out)
        assert report["posts"] == len(theirs)
        assert report["left"] == ["the file threadmill.sqlite; delete it if nothing else needs it"]
        (work / "threadmill.sqlite").unlink()  # what `move` left as it was
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)["left"] == []
        assert authors(work) == others
        assert not [text for text in stored if database.holds(text.encode())]
        assert not [text for text in theirs for page in archived(work) if text in page]
        assert main(["archive", "verify", str(work)]) == 0
        assert main([*command[:-1], "--yes"]) == 1


@pytest.mark.parametrize("what", ["thread", "forum"])
def test_a_thread_or_a_forum_is_gone_from_postgresql(
    crawled: tuple[Path, str], postgres_url: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    work, base = crawled
    workspace = threadmill.open_workspace(work)
    thread = max(workspace.threads(), key=lambda one: one.posts)
    rest = len(list(workspace.posts())) - thread.posts if what == "thread" else 0
    assert main(["move", "--to", postgres_url, "--workspace", str(work)]) == 0
    (work / "threadmill.sqlite").unlink()
    url = {"thread": thread.url, "forum": base}[what]
    assert main(["forget", f"--{what}", url, "--workspace", str(work), "--yes"]) == 0
    assert "found nothing" in capsys.readouterr().out
    moved = threadmill.open_workspace(work)
    assert moved.store_url == postgres_url
    assert len(list(moved.posts())) == rest
    assert thread.url not in [one.url for one in moved.threads()]


def test_a_call_that_was_cut_off_goes_on(crawled: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    work, _ = crawled
    name = busiest(work)
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "remove_posts", _fail)
        with pytest.raises(RuntimeError):
            threadmill.forget(work, author=name)
    assert (work / forgetting.PLAN_FILE).stat().st_mode & 0o077 == 0
    assert name in authors(work)
    assert threadmill.forget(work, author=name).left == []
    assert name not in authors(work)


def _fail(*_: object) -> None:
    raise RuntimeError("the power is gone")


@pytest.mark.parametrize("cut", ["put_in_place", "finish"])
def test_a_crash_while_an_archive_file_is_replaced_loses_nothing(
    crawled: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    work, _ = crawled
    name = busiest(work)
    with monkeypatch.context() as patch:
        patch.setattr(rewriting, cut, _fail)
        with pytest.raises(RuntimeError):
            threadmill.forget(work, author=name)
    assert main(["archive", "verify", str(work)]) == 0
    assert threadmill.forget(work, author=name).left == []
    assert main(["archive", "verify", str(work)]) == 0
    assert not list((work / "archive").glob("*.part")) + list((work / "archive").glob("*.replaces"))


def test_a_rebuild_does_not_bring_forgotten_posts_back(crawled: tuple[Path, str]) -> None:
    work, _ = crawled
    name = busiest(work)
    assert main(["forget", "--author", name, "--workspace", str(work), "--yes"]) == 0
    left = sorted((post.url, post.author) for post in threadmill.open_workspace(work).posts())
    assert main(["rebuild", "--workspace", str(work), "--force"]) == 0
    assert sorted((post.url, post.author) for post in threadmill.open_workspace(work).posts()) == left


def test_a_name_in_other_case_is_not_found_and_its_spelling_is_told(
    crawled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    work, _ = crawled
    name = busiest(work)
    for command in ("forget", "posts"):
        assert main([command, "--author", name.upper(), "--workspace", str(work)]) == 1
        assert f"letter by letter: there is {name!r}" in capsys.readouterr().err
