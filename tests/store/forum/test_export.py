from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, make_post
from threadmill.store.forum.export import PostFilter, Pseudonyms, export_posts
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
    ):
        assert len(list(export_posts(connection, wanted))) == count


def test_pseudonyms_hide_authors_also_where_they_are_quoted(connection: Connection) -> None:
    quote = Quote("said", "Bob", "https://f.example/u/bob")
    add_post(connection, 1, make_post(1, "as Bob said", quotes=(quote,)), "https://f.example/t/1", NOW)
    (hidden,) = export_posts(connection, None, Pseudonyms("key"))
    assert hidden["author"] == Pseudonyms("key").of("Ann") != Pseudonyms("other").of("Ann")
    assert "Bob" not in str(hidden)
    assert hidden["quotes"][0]["author"] == Pseudonyms("key").of("Bob")


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
