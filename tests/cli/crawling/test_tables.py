"""`threadmill boards`, `threads` and `replies`: tables for people, spreadsheets and programs."""

import csv
import json
from datetime import UTC, date, datetime
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from threadmill.cli import main
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import add_board, keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.types import Moment, Post, Quote
from threadmill.workspace import open_workspace

NOW = datetime(2025, 5, 1, tzinfo=UTC)
BASE = "http://f.example/"


@pytest.fixture
def work(tmp_path: Path) -> str:
    root = tmp_path / "w"
    store = open_store(open_workspace(root, create=True).store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", BASE, "forum", NOW)
        forum = keep_forum(connection, job.id, BASE, {}, NOW)
        board = add_board(connection, forum, f"{BASE}b", "=Tides [bold]", None)
        thread = add_thread(connection, forum=forum, board=board, key="t", url=f"{BASE}t", title="Low [b]")
        for number, author in enumerate(("anna", "<bo & co>", "anna"), 1):
            quotes = (Quote("x", "<bo & co>", None),) if number == 3 else ()
            on = Moment(date(2025, 4, number))
            post = Post(f"post {number}", "<p>", author, date=on, position=number, quotes=quotes)
            add_post(connection, thread, post, f"{BASE}t", NOW)
    store.close()
    return str(root)


def test_boards_and_threads_are_printed_for_people(work: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "--workspace", work]) == 0
    assert "=Tides [bold]" in capsys.readouterr().out
    assert main(["threads", "--workspace", work]) == 0
    shown = capsys.readouterr().out
    assert "Low [b]" in shown
    assert "2025-04-03" in shown


def test_a_no_below_a_row_is_left_out(
    work: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert main(["threads", "--workspace", work]) == 0
    shown = capsys.readouterr().out
    assert "  url: " in shown
    assert "gone" not in shown


def test_they_are_written_for_spreadsheets_and_programs(
    work: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boards.csv"
    assert main(["boards", "--workspace", work, "-o", str(file)]) == 0
    [board] = csv.DictReader(file.read_text("utf-8").splitlines())
    assert (board["title"], board["threads"], board["posts"]) == ("'=Tides [bold]", "1", "3")
    assert main(["threads", "--workspace", work, "--json"]) == 0
    thread = json.loads(capsys.readouterr().out)
    assert (thread["title"], thread["posts"], thread["authors"]) == ("Low [b]", 3, 2)


@pytest.mark.parametrize(
    ("verb", "said"),
    [("boards", "no boards yet"), ("threads", "no threads yet"), ("replies", "no post answers another")],
)
def test_an_empty_workspace_is_said(
    verb: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_workspace(tmp_path / "w", create=True)
    assert main([verb, "--workspace", str(tmp_path / "w")]) == 0
    shown = capsys.readouterr()
    assert (said in shown.err, shown.out) == (True, "")


def test_a_board_without_threads_is_said(work: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["threads", "--workspace", work, "--board", f"{BASE}nowhere"]) == 1
    assert "no threads of a board with this URL" in capsys.readouterr().err


def test_replies_are_pairs_or_a_graph(work: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replies", "--workspace", work, "--format", "csv"]) == 0
    rows = capsys.readouterr().out.split("\r\n")
    assert rows[:2] == ["author,answered,posts", "anna,<bo & co>,1"]
    file = tmp_path / "r.gexf"
    assert main(["replies", "--workspace", work, "-o", str(file)]) == 0
    graph = fromstring(file.read_text("utf-8"))  # noqa: S314 -- made here
    labels = {node.get("label") for node in graph.iter("{http://gexf.net/1.3}node")}
    assert labels == {"anna", "<bo & co>"}
    assert len(list(graph.iter("{http://gexf.net/1.3}edge"))) == 1


def test_pseudonyms_hide_the_names_of_a_graph(work: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replies", "--workspace", work, "--format", "gexf", "--pseudonyms", "key"]) == 0
    shown = capsys.readouterr().out
    assert "author-" in shown
    assert "anna" not in shown
    assert main(["replies", "--workspace", work, "--pseudonyms", ""]) == 2


def test_a_forum_that_is_not_there_is_said(work: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replies", "--workspace", work, "--forum", "http://g.example/"]) == 1
    assert "no forum with this URL" in capsys.readouterr().err
