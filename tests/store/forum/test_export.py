from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, make_post
from threadmill.errors import UsageError
from threadmill.store.forum.export import (
    PostFilter,
    Pseudonyms,
    export_posts,
    read_filter,
    read_since,
    why_nothing,
)
from threadmill.store.forum.posts import (
    add_post,
)
from threadmill.types import Quote


def test_posts_go_out_filtered_in_the_order_of_the_thread(connection: Connection) -> None:
    for number in (3, 1, 2):
        add_post(connection, 1, make_post(number, author=f"A{number}"), "https://f.example/t/1", NOW)
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
        (PostFilter(until="2026-04-01"), 1),
        (PostFilter(since="2026-04-02", until="2026-04-02"), 1),
        (PostFilter(until="2026"), 3),
        (PostFilter(new_since=NOW), 3),
        (PostFilter(new_since=NOW + timedelta(seconds=1)), 0),
        (PostFilter(forum="https://f.example/"), 3),
        (PostFilter(forum="https://g.example/"), 0),
        (PostFilter(words=("POST",)), 3),
        (PostFilter(words=("post", "%_")), 0),
    ):
        assert len(list(export_posts(connection, wanted))) == count


def test_pseudonyms_hide_authors_also_where_they_are_quoted(connection: Connection) -> None:
    quote = Quote("said", "Bob", "https://f.example/u/bob")
    add_post(connection, 1, make_post(1, "as Bob said", quotes=(quote,)), "https://f.example/t/1", NOW)
    (hidden,) = export_posts(connection, None, Pseudonyms("key"))
    assert hidden["author"] == Pseudonyms("key").of("Ann") != Pseudonyms("other").of("Ann")
    assert "Bob" not in str(hidden)
    assert hidden["quotes"][0]["author"] == Pseudonyms("key").of("Bob")


def test_pseudonyms_leave_words_alone_and_leave_html_out() -> None:
    post = {
        "author": "Al", "author_url": "/u/Al", "text": "Also Al", "html": "<p>Also Al, O&#x27;Neil said</p>",
        "quotes": [{"text": "Al wrote", "author": "O'Neil", "url": None}], "thread_title": "For Al",
    }  # fmt: skip
    hide = Pseudonyms("key")
    hidden = hide.hide(post)
    al, neil = hide.of("Al"), hide.of("O'Neil")
    assert hidden["text"] == f"Also {al}"
    assert hidden["thread_title"] == f"For {al}"
    assert hidden["html"] == ""
    assert hidden["quotes"] == [{"text": f"{al} wrote", "author": neil, "url": None}]


def test_pseudonyms_hide_everybody_of_the_thread_and_mentions_of_all_others(connection: Connection) -> None:
    add_post(connection, 1, make_post(1, "Hello", author="Summer"), "https://f.example/t/1", NOW)
    add_post(connection, 1, make_post(2, "Summer is right", author="Ann"), "https://f.example/t/1", NOW)
    (_, second) = export_posts(connection, None, Pseudonyms("key"))
    assert "Summer" not in second["text"]

    hide = Pseudonyms("key", ["Winter", "anna_92", "Jan Hus"])
    post: dict[str, Any] = {
        "author": "Ann", "author_url": None, "html": "", "quotes": [], "thread_title": "",
        "text": "Winter wrote:\nsnow\nIn Winter I ask @winter, anna_92 and Jan Hus. Winters too",
    }  # fmt: skip
    winter, anna, jan = (hide.of(name) for name in ("Winter", "anna_92", "Jan Hus"))
    text = hide.hide(post)["text"]
    assert text == f"{winter} wrote:\nsnow\nIn Winter I ask @{winter}, {anna} and {jan}. Winters too"


def test_names_of_the_thread_are_hidden_in_any_case_unless_they_are_short() -> None:
    hide = Pseudonyms("key")
    post: dict[str, Any] = {
        "author": "Fenwick", "author_url": None, "html": "", "quotes": [], "thread_title": "ask FENWICK",
        "text": "thanks fenwick, al and Al; ANNA is not anna",
    }  # fmt: skip
    hidden = hide.hide(post, ["Al", "anna", "ANNA"])
    fenwick, al, small, large = (hide.of(name) for name in ("Fenwick", "Al", "anna", "ANNA"))
    assert hidden["thread_title"] == f"ask {fenwick}"
    assert hidden["text"] == f"thanks {fenwick}, al and {al}; {large} is not {small}"


def test_days_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(UsageError, match="--since 2025-05-02 is after --until 2025-05-01"):
        read_filter(NOW, since="2025-05-02", until="2025-05-01", new_since=None)
    assert read_filter(NOW, since="2025-05-02", until="2025", new_since=None).until == "2025"
    assert read_filter(NOW, since="2025", until="2025-05-01", new_since=None).since == "2025"


def test_an_empty_key_is_refused() -> None:
    for key in ("", "  "):
        with pytest.raises(UsageError, match="empty"):
            Pseudonyms(key)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-05-01", "2025-05-01"),
        ("01.05.2025", "2025-05-01"),
        ("13/05/2025", "2025-05-13"),
        ("yesterday", "2026-11-15"),
        ("gestern", "2026-11-15"),
        ("2025", "2025"),
        ("May 2025", "2025-05"),
        ("28.02.2025", "2025-02-28"),
        ("17 days ago", "2026-10-30"),
        ("31 days ago", "2026-10-16"),
        ("47 days ago", "2026-09-30"),
        ("1.5.25", "2025-05-01"),
    ],
)
def test_a_day_is_read_as_people_write_it(text: str, day: str) -> None:
    assert read_since(text, datetime(2026, 11, 16, 12)) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2025-13-45",
        "2016-13-01",
        "2016/13/01",
        "2016-02-30",
        "31.02.2015",
        "31 April 2015",
        "31/04/2015",
        "31.2.15",
        "05/06/2025",
        "25",
        "2025-05-01T10:00",
        "2025-05-01 10:00",
    ],
)
def test_a_day_that_is_none_or_could_be_two_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_since(text, datetime(2026, 11, 16, 12))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2025-05-01T18:30+00:00", datetime(2025, 5, 1, 18, 30, tzinfo=UTC)),
        ("2025-05-01 18:30:05Z", datetime(2025, 5, 1, 18, 30, 5, tzinfo=UTC)),
        ("2025-05-01T18:30", datetime(2025, 5, 1, 18, 30).astimezone()),
        ("2025-05-02", datetime(2025, 5, 2).astimezone()),
        ("May 2025", datetime(2025, 5, 1).astimezone()),
        ("2025", datetime(2025, 1, 1).astimezone()),
    ],
)
def test_new_posts_are_asked_for_from_a_moment_on(text: str, moment: datetime) -> None:
    assert read_filter(NOW, since=None, until=None, new_since=text).new_since == moment


def test_a_moment_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="2025-05-01T18:30"):
        read_filter(NOW, since=None, until=None, new_since="2025-05-01T25:00")


def test_a_filter_that_meets_nothing_is_explained(connection: Connection) -> None:
    add_post(connection, 1, make_post(1), "https://f.example/t/1", NOW)
    assert "no board" in why_nothing(connection, PostFilter(board="https://f.example/b/9"))
    assert "no thread" in why_nothing(connection, PostFilter(thread="x"))
    assert "author" in why_nothing(connection, PostFilter(author="Nobody"))
    assert why_nothing(connection, PostFilter(since="2999", author="Ann")) == ""
    assert len(list(export_posts(connection, PostFilter(thread="HTTPS://f.example:443/t/1")))) == 1
