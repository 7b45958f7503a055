from sqlalchemy import Connection

from tests.store.forum.conftest import NOW
from threadmill.store.forum.forums import (
    add_board,
    board_urls,
    change_board,
    due_boards,
    find_board,
    find_forum,
    forget_due_boards,
    has_boards_below,
    is_visited,
    keep_forum,
    make_due,
)


def test_a_forum_is_known_by_its_job_and_learnt_anew(connection: Connection) -> None:
    assert find_forum(connection, 1) == (1, "https://f.example/", {"a": 1})
    assert keep_forum(connection, 1, "https://f.example/new/", {"a": 2}, NOW) == 1
    assert find_forum(connection, 1) == (1, "https://f.example/new/", {"a": 2})
    assert find_forum(connection, 9) is None


def test_a_board_is_due_until_it_was_read(connection: Connection) -> None:
    (board,) = due_boards(connection, 1)
    change_board(connection, board.id, due=None, visited=NOW, visited_run=4, said={"count": 3})
    assert due_boards(connection, 1) == []
    assert is_visited(connection, board.id, 4)
    assert not is_visited(connection, board.id, 5)
    make_due(connection, board.id)
    assert [one.due for one in due_boards(connection, 1)] == [board.url]
    forget_due_boards(connection, 1)
    kept = find_board(connection, 1, board.url)
    assert kept is not None
    assert (kept.due, dict(kept.said)) == (None, {})


def test_a_new_board_is_due_at_its_first_page(connection: Connection) -> None:
    child = add_board(connection, 1, "https://f.example/b/2", "Child", 1)
    board = find_board(connection, 1, "https://f.example/b/2")
    assert board is not None
    assert (board.id, board.title, board.parent, board.due, board.page) == (child, "Child", 1, board.url, 0)
    assert (has_boards_below(connection, 1), has_boards_below(connection, child)) == (True, False)
    assert board_urls(connection, 1) == [(1, "https://f.example/b/1"), (child, "https://f.example/b/2")]
    assert find_board(connection, 1, "https://f.example/none") is None


def test_making_a_board_due_does_not_restart_one_that_is_being_read(connection: Connection) -> None:
    change_board(connection, 1, due="https://f.example/b/1?page=2", page=1)
    make_due(connection, 1)
    (board,) = due_boards(connection, 1)
    assert (board.due, board.page) == ("https://f.example/b/1?page=2", 1)


def test_a_board_that_was_never_read_is_not_visited(connection: Connection) -> None:
    assert not is_visited(connection, 1, 1)
