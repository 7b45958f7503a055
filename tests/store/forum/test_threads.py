from sqlalchemy import Connection

from threadmill.store.forum.forums import change_board, due_boards
from threadmill.store.forum.threads import (
    add_thread,
    adopt_thread,
    bring_back_due,
    change_thread,
    count_due,
    count_pages,
    due_threads,
    find_thread,
    find_threads,
    forget_due,
    holds_threads,
    idle_threads_at,
    namesakes,
    set_due_aside,
)


def test_threads_are_found_by_key_and_served_in_order(connection: Connection) -> None:
    for number in (2, 3):
        url = f"https://f.example/t/{number}"
        add_thread(connection, forum=1, board=1, key=f"k{number}", url=url, title="One", due=url, pages=2)
    assert find_threads(connection, 1, ["k1", "k3", "k9"]).keys() == {"k1", "k3"}
    assert [thread.key for thread in due_threads(connection, 1, 10)] == ["k2", "k3"]
    assert (count_due(connection, 1), count_pages(connection, 1)) == (2, 5)
    forget_due(connection, 1, lambda url: url.endswith("3"))
    assert [thread.key for thread in due_threads(connection, 1, 10)] == ["k3"]
    assert holds_threads(connection, 1)
    change_thread(connection, 2, posts=1)
    assert [thread.id for thread in namesakes(connection, 1, "One", 1)] == [2]
    adopt_thread(connection, 1, find_thread(connection, 3))
    assert find_thread(connection, 1).key == "k3"


def test_the_limit_cuts_the_list_of_due_threads(connection: Connection) -> None:
    for number in (2, 3):
        url = f"https://f.example/t/{number}"
        add_thread(connection, forum=1, board=1, key=f"k{number}", url=url, title="T", due=url)
    assert [thread.key for thread in due_threads(connection, 1, 1)] == ["k2"]


def test_a_thread_without_a_due_page_is_found_by_its_last_page_first(connection: Connection) -> None:
    change_thread(connection, 1, last_page="https://f.example/t/1?page=2")
    both = ["https://f.example/t/1", "https://f.example/t/1?page=2"]
    assert list(idle_threads_at(connection, 1, both)) == [(1, "https://f.example/t/1?page=2")]
    assert list(idle_threads_at(connection, 1, both[:1])) == [(1, "https://f.example/t/1")]
    assert list(idle_threads_at(connection, 1, ["https://f.example/t/9"])) == []
    change_thread(connection, 1, due="https://f.example/t/1")
    assert list(idle_threads_at(connection, 1, both)) == []


def test_a_thread_without_posts_is_no_namesake(connection: Connection) -> None:
    add_thread(connection, forum=1, board=1, key="k2", url="https://f.example/t/2", title="One")
    assert namesakes(connection, 1, "One", 1) == []


def test_an_adopted_thread_keeps_its_id_and_takes_the_new_state(connection: Connection) -> None:
    url = "https://f.example/new/1"
    new = add_thread(
        connection,
        forum=1,
        board=1,
        key="n1",
        url=url,
        title="One",
        due=url,
        said={"replies": 4},
        walk={"a": 1},
    )
    change_thread(connection, 1, gone=True, last_page="https://f.example/t/1?page=9")
    adopt_thread(connection, 1, find_thread(connection, new))
    kept = find_thread(connection, 1)
    assert (kept.key, kept.url, kept.due, kept.last_page) == ("n1", url, url, None)
    assert (dict(kept.said), dict(kept.walk)) == ({"replies": 4}, {"a": 1})
    assert find_threads(connection, 1, ["k1", "n1"]).keys() == {"n1"}


def test_a_board_without_threads_holds_none(connection: Connection) -> None:
    assert not holds_threads(connection, 99)


def test_what_was_due_comes_back_unless_another_page_is_due_there_by_then(connection: Connection) -> None:
    for number in (2, 3):
        url = f"https://f.example/t/{number}"
        walk = {"why": "new"}
        add_thread(connection, forum=1, board=1, key=f"k{number}", url=url, title="T", due=url, walk=walk)
    change_board(connection, 1, due="https://f.example/b/1?page=2", page=2)
    aside = set_due_aside(connection, 1)
    assert due_boards(connection, 1) == []
    assert due_threads(connection, 1, 10) == []
    change_thread(connection, 3, due="https://f.example/t/3?page=9")
    bring_back_due(connection, 1, aside)
    assert [(board.due, board.page) for board in due_boards(connection, 1)] == [
        ("https://f.example/b/1?page=2", 2)
    ]
    assert [thread.due for thread in due_threads(connection, 1, 10)] == [
        "https://f.example/t/2",
        "https://f.example/t/3?page=9",
    ]
    assert find_thread(connection, 2).walk == {"why": "new"}
    set_due_aside(connection, 1)
    change_board(connection, 1, due="https://f.example/b/1", page=0)
    bring_back_due(connection, 1, aside)
    assert [board.due for board in due_boards(connection, 1)] == ["https://f.example/b/1"]
