from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection

from tests.store.forum.conftest import NOW
from threadmill.store import open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.corrections import (
    add_correction,
    copy_corrections,
    corrections_of,
    corrections_of_job,
    remove_correction,
    stop_boards,
)
from threadmill.store.forum.forums import change_board, find_board, find_forum

URL = "https://f.example/"


def add(connection: Connection, kind: str, *said: str) -> int:
    return add_correction(connection, URL, kind, said, {"before": {}}, who="Ana", at=NOW + timedelta(hours=1))


def test_corrections_belong_to_the_url_of_a_forum(connection: Connection) -> None:
    job = find_or_add_job(connection, "forum", URL, "forum", NOW)
    numbers = [add(connection, "threads", "a", "b"), add(connection, "date order", "dmy")]
    found = corrections_of_job(connection, job.id)
    assert [(one.id, one.kind, one.said, one.who) for one in found] == [
        (numbers[0], "threads", ("a", "b"), "Ana"),
        (numbers[1], "date order", ("dmy",), "Ana"),
    ]
    assert corrections_of(connection, "https://other.example/") == []
    assert corrections_of_job(connection, 999) == []


def test_removing_a_correction_makes_the_forum_be_learnt_anew(connection: Connection) -> None:
    job = find_or_add_job(connection, "forum", URL, "forum", NOW)
    number = add(connection, "threads", "a")
    remove_correction(connection, URL, 12345)
    before = find_forum(connection, job.id)
    assert before is not None
    assert before[2] == {"a": 1}
    remove_correction(connection, URL, number)
    after = find_forum(connection, job.id)
    assert after is not None
    assert after[2] == {}
    assert corrections_of(connection, URL) == []


def test_boards_that_are_none_are_due_no_more(connection: Connection) -> None:
    job = find_or_add_job(connection, "forum", URL, "forum", NOW)
    forum = find_forum(connection, job.id)
    assert forum is not None
    board = find_board(connection, forum[0], "https://f.example/b/1")
    assert board is not None
    change_board(connection, board.id, due="https://f.example/b/1", page=0)
    stop_boards(connection, forum[0], ["https://f.example/b/1"])
    board = find_board(connection, forum[0], "https://f.example/b/1")
    assert board is not None
    assert board.due is None


def test_corrections_are_copied_to_another_store(connection: Connection, tmp_path: Path) -> None:
    add(connection, "threads", "a")
    other = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with other.writing() as target:
        copy_corrections(connection, target)
        assert [one.said for one in corrections_of(target, URL)] == [("a",)]
    other.close()
