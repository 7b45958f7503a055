"""The tables of forums, in SQLite and PostgreSQL alike."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

import pytest
from sqlalchemy import Connection

from threadmill.store import open_store
from threadmill.store.crawl.jobs import end_run, find_or_add_job, start_run
from threadmill.store.forum.activity import (
    all_boards,
    known_forums,
    pages_a_post,
    posts_by_day,
    request_moments,
)
from threadmill.store.forum.export import PostFilter, Pseudonyms, export_posts
from threadmill.store.forum.forums import (
    add_board,
    change_board,
    due_boards,
    find_board,
    find_forum,
    forget_due_boards,
    is_visited,
    keep_forum,
    make_due,
)
from threadmill.store.forum.page_visits import PageVisit, add_page_visit, count_pages_of_run, report_runs
from threadmill.store.forum.posts import (
    add_post,
    count_posts,
    count_shown,
    find_known,
    mark_vanished,
    newest_post_id,
    renew_post,
    threads_with,
)
from threadmill.store.forum.threads import (
    add_thread,
    adopt_thread,
    change_thread,
    count_due,
    count_pages,
    due_threads,
    find_thread,
    find_threads,
    forget_due,
    holds_threads,
    namesakes,
)
from threadmill.types import Moment, Post, Precision, Quote

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def connection(store_url: str) -> Iterator[Connection]:
    store = open_store(store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "https://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "https://f.example/", {"a": 1}, NOW)
        board = add_board(connection, forum, "https://f.example/b/1", "Board", None)
        add_thread(connection, forum=forum, board=board, key="k1", url="https://f.example/t/1", title="One")
        yield connection
    store.close()


def _post(number: int, text: str = "", author: str = "Ann", *, quotes: tuple[Quote, ...] = ()) -> Post:
    moment = Moment(date(2026, 4, number), time(9, 30), "+02:00", Precision.MINUTE)
    return Post(
        text or f"post {number}",
        "<p>",
        author,
        date=moment,
        post_id=str(number),
        position=number,
        quotes=quotes,
    )


def test_a_forum_is_known_by_its_job_and_learnt_anew(connection: Connection) -> None:
    assert find_forum(connection, 1) == (1, "https://f.example/", {"a": 1})
    assert keep_forum(connection, 1, "https://f.example/new/", {"a": 2}, NOW) == 1
    assert find_forum(connection, 1) == (1, "https://f.example/new/", {"a": 2})
    assert find_forum(connection, 9) is None


def test_a_board_is_due_until_it_was_read(connection: Connection) -> None:
    (board,) = due_boards(connection, 1)
    change_board(connection, board.id, due=None, visited=NOW, said={"count": 3})
    assert due_boards(connection, 1) == []
    assert is_visited(connection, board.id, NOW)
    assert not is_visited(connection, board.id, NOW + timedelta(seconds=1))
    make_due(connection, board.id)
    assert [one.due for one in due_boards(connection, 1)] == [board.url]
    forget_due_boards(connection, 1)
    kept = find_board(connection, 1, board.url)
    assert kept is not None
    assert (kept.due, dict(kept.said)) == (None, {})


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


def test_a_post_is_known_again_edited_and_missed(connection: Connection) -> None:
    for number in (1, 2, 3):
        add_post(connection, 1, _post(number), "https://f.example/t/1", NOW)
    known = find_known(connection, 1, [_post(1), _post(2, "changed"), _post(9)])
    assert [match and match.post_id for match in known] == ["1", "2", None]
    assert known[1] is not None
    assert renew_post(connection, known[1], _post(2, "changed"), "https://f.example/t/1", NOW)
    seen = [match for match in find_known(connection, 1, [_post(1), _post(3)]) if match]
    assert mark_vanished(connection, 1, seen, shown_last=False, at=NOW) == 1
    assert (count_shown(connection, 1), count_posts(connection, 1)) == (2, 2)
    assert newest_post_id(connection, 1) == "3"
    assert threads_with(connection, 1, [_post(3), _post(1)]) == [1]
    assert threads_with(connection, 1, [_post(3, "other words")]) == []


def test_posts_go_out_filtered_in_the_order_of_the_thread(connection: Connection) -> None:
    for number in (3, 1, 2):
        add_post(connection, 1, _post(number, author=f"A{number}"), "https://f.example/t/1", NOW)
    everything = list(export_posts(connection))
    assert [one["position"] for one in everything] == [1, 2, 3]
    assert everything[0]["date"] == "2026-04-01T09:30+02:00"
    assert everything[0]["first_seen"] == "2026-05-01T12:00:00+00:00"
    assert everything[0]["board_url"] == "https://f.example/b/1"
    for wanted, count in (
        (PostFilter(since="2026-04-02"), 2),
        (PostFilter(author="A1"), 1),
        (PostFilter(thread="https://f.example/t/1"), 3),
        (PostFilter(board="https://f.example/b/9"), 0),
    ):
        assert len(list(export_posts(connection, wanted))) == count


def test_pseudonyms_hide_authors_also_where_they_are_quoted(connection: Connection) -> None:
    quote = Quote("said", "Bob", "https://f.example/u/bob")
    add_post(connection, 1, _post(1, "as Bob said", quotes=(quote,)), "https://f.example/t/1", NOW)
    (hidden,) = export_posts(connection, None, Pseudonyms("key"))
    assert hidden["author"] == Pseudonyms("key").of("Ann") != Pseudonyms("other").of("Ann")
    assert "Bob" not in str(hidden)
    assert hidden["quotes"][0]["author"] == Pseudonyms("key").of("Bob")


def test_runs_are_told_by_what_their_pages_were_worth(connection: Connection) -> None:
    run = start_run(connection, 1, NOW)
    pages = [("index", 4, 1, 100), ("thread", 10, 10, 200), ("thread", 10, 0, 300), ("other", 0, 0, 400)]
    for kind, items, news, size in pages:
        add_page_visit(connection, PageVisit(run, "https://f.example/x", NOW, kind, size, items, news))
    end_run(connection, run, NOW, 0, {"pages": 4})
    counted = count_pages_of_run(connection, run)
    assert (counted.new, counted.semi, counted.duplicate, counted.other) == (1, 1, 1, 1)
    assert (counted.posts, counted.bytes, counted.precision) == (10, 1000, 0.5)
    (report,) = report_runs(connection)
    assert report.cost == 100
    assert report.bandwidth == pytest.approx(0.3)  # the index and the first thread page, 300 of 1,000


def test_the_life_of_a_forum_is_told_to_who_plans_visits(connection: Connection) -> None:
    for number in (1, 2, 2, 20):
        add_post(connection, 1, _post(number, f"text {number}"), "https://f.example/t/1", NOW)
    assert posts_by_day(connection, 1, date(2026, 4, 2)) == {1: {date(2026, 4, 2): 2, date(2026, 4, 20): 1}}
    assert [one.url for one in all_boards(connection, 1)] == ["https://f.example/b/1"]
    assert pages_a_post(connection, 1) is None
    for _ in range(2):
        run = start_run(connection, 1, NOW)
        add_page_visit(connection, PageVisit(run, "https://f.example/x", NOW, "thread", 10, 8, 4))
        end_run(connection, run, NOW, 0, {})
    (forum,) = known_forums(connection)
    assert (forum.url, forum.last_run) == ("https://f.example/", NOW)
    assert pages_a_post(connection, 1) == 0.25
    assert request_moments(connection, [1], NOW - timedelta(hours=1)) == [NOW, NOW]
    assert request_moments(connection, [1], NOW + timedelta(hours=1)) == []


def test_pseudonyms_leave_words_alone_and_find_names_as_html_writes_them() -> None:
    post = {
        "author": "Al", "author_url": "/u/Al", "text": "Also Al", "html": "<p>Also Al, O&#x27;Neil said</p>",
        "quotes": [{"text": "Al wrote", "author": "O'Neil", "url": None}],
    }  # fmt: skip
    hide = Pseudonyms("key")
    hidden = hide.hide(post)
    al, neil = hide.of("Al"), hide.of("O'Neil")
    assert hidden["text"] == f"Also {al}"
    assert hidden["html"] == f"<p>Also {al}, {neil} said</p>"
    assert hidden["quotes"] == [{"text": f"{al} wrote", "author": neil, "url": None}]
