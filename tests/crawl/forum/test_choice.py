"""Choosing boards and threads of a forum, through the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import threadmill
from threadmill.cli import main
from threadmill.crawl.forum.choice import ChoiceFilter, read_choice
from threadmill.errors import UsageError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store.forum.forums import BoardState
from threadmill.store.forum.threads import ThreadState


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))
    with serving(simulation) as address:
        yield address


@pytest.fixture(scope="module")
def everything(base: str, tmp_path_factory: pytest.TempPathFactory) -> threadmill.Workspace:
    """The whole forum, to compare with."""
    work = tmp_path_factory.mktemp("all") / "work"
    threadmill.crawl_forum(base, work, delay=0)
    return threadmill.open_workspace(work)


def crawl(base: str, work: Path, *options: str) -> set[str]:
    """Crawl with options; the threads that have posts."""
    assert main(["crawl", base, "--workspace", str(work), "--delay", "0", "--quiet", *options]) == 0
    return {post.thread_url for post in threadmill.open_workspace(work).posts()}


def test_a_board_only_and_later_the_rest(base: str, everything: threadmill.Workspace, tmp_path: Path) -> None:
    board = min((one for one in everything.boards() if one.threads), key=lambda one: one.threads)
    wanted = {one.url for one in everything.threads(board=board.url)}
    whole = {post.thread_url for post in everything.posts()}
    assert 0 < len(wanted) < len(whole)
    assert crawl(base, tmp_path / "w", "--board", board.url) == wanted
    titles = [one.title for one in threadmill.open_workspace(tmp_path / "w").boards() if one.threads]
    assert len(titles) == 1
    assert board.title in titles[0]  # of its page, as no page was read that lists it
    assert crawl(base, tmp_path / "w") == whole


def test_a_board_that_a_breadcrumb_names_is_not_below_the_chosen_one(
    base: str, everything: threadmill.Workspace, tmp_path: Path
) -> None:
    board = next(one for one in everything.boards() if one.title == "For sale and wanted")
    wanted = {one.url for one in everything.threads(board=board.url)}
    assert wanted
    assert crawl(base, tmp_path / "w", "--board", board.url) == wanted
    above = next(one for one in threadmill.open_workspace(tmp_path / "w").boards() if one.url != board.url)
    assert (above.posts, above.parent_url) == (0, None)
    assert crawl(base, tmp_path / "w") == {post.thread_url for post in everything.posts()}


def test_threads_by_title_by_activity_and_by_number(
    base: str, everything: threadmill.Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    threads = list(everything.threads())
    word = max((word for one in threads for word in one.title.split()), key=len)
    with_it = {one.url for one in threads if word.lower() in one.title.lower()}
    without = {one.url for one in threads} - with_it
    assert crawl(base, tmp_path / "a", "--include", f"*{word}*") == with_it
    assert crawl(base, tmp_path / "b", "--exclude", f"*{word}*") == without
    last: dict[str, str] = {}
    for post in everything.posts():
        date = post.date.isoformat() if post.date else ""
        last[post.thread_url] = max(last.get(post.thread_url, ""), date)
    day = sorted(last.values())[len(last) // 2][:10]
    recent = {url for url, date in last.items() if date >= day}
    assert crawl(base, tmp_path / "c", "--since", day) == recent
    assert len(crawl(base, tmp_path / "d", "--max-threads", "2")) == 2
    assert len(crawl(base, tmp_path / "d", "--max-threads", "2")) == 4
    main(["crawl", base, "--workspace", str(tmp_path / "d"), "--delay", "0", "--include", "*nowhere said*"])
    assert "no thread was read" in capsys.readouterr().out


def test_what_makes_no_sense_is_refused(
    base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for options in (
        ["--site", "--board", base],
        ["--site", "--max-threads", "3"],
        ["--since", "someday"],
        ["--max-threads", "0"],
        ["--include", " "],
        ["--board", "ftp://x"],
    ):
        assert main(["crawl", base, "--workspace", str(tmp_path / "w"), *options]) == 2, options
    assert not (tmp_path / "w").exists()
    assert capsys.readouterr().err.count("threadmill: ") == 6


def board(number: int, url: str, parent: int | None = None) -> BoardState:
    return BoardState(number, url, "", parent, {}, None, url, 0)


def thread(number: int, board: int, active: str | None = None) -> ThreadState:
    url = f"https://f.example/t/{number}"
    return ThreadState(
        number, board, str(number), url, f"Title {number}", {"active": active}, 0, 1, None, url, {}
    )


def test_boards_below_a_chosen_one_are_chosen() -> None:
    choice = read_choice(["https://f.example/cars/"])
    assert choice is not None
    chosen = ChoiceFilter(choice)
    assert chosen.wants(board(1, "https://f.example/cars/"))
    assert chosen.wants(board(2, "https://f.example/cars/old/", parent=1))
    assert not chosen.wants(board(3, "https://f.example/boats/"))
    assert chosen.wants(thread(1, 2))
    assert not chosen.wants(thread(2, 3))


def test_a_list_ends_where_all_threads_are_older() -> None:
    choice = read_choice(since="2015-06-01")
    assert choice is not None
    chosen = ChoiceFilter(choice)
    assert chosen.ends_list(["2015-05-31T10:00", "2014"])
    assert not chosen.ends_list(["2015-05-31", "2015-06-01T00:10"])
    assert not chosen.ends_list([None])
    assert chosen.wants(thread(1, 1, None))
    assert not chosen.wants(thread(1, 1, "2015-05-31"))


def test_no_option_is_no_choice() -> None:
    assert read_choice() is None
    with pytest.raises(UsageError, match="pattern"):
        read_choice(include=[""])


def test_the_choice_is_told_in_json(base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["crawl", base, "--workspace", str(tmp_path), "--delay", "0", "--json", "--max-threads", "1"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["due_threads"] > 0
    assert told["account"] is None
    assert told["ended"] == "what was chosen has been read"
