from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, THREAD, make_post
from threadmill.store.forum.export import PostFilter
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.replies import count_replies
from threadmill.types import Post, Quote


def test_parents_and_quotes_are_answers_and_each_counts_once(connection: Connection) -> None:
    bob = Quote("said", "Bob", None)
    posts = [
        make_post(1, author="Ann"),
        make_post(2, author="Bob"),
        make_post(3, author="Ann", quotes=(bob, bob)),
        make_post(4, author="Bob", quotes=(bob,)),  # himself
        Post("x", "<p>", "Cleo", post_id="5", position=5, parent="2", quotes=(bob,)),
        Post("y", "<p>", None, post_id="6", position=6, parent="2"),
    ]
    for post in posts:
        add_post(connection, 1, post, THREAD, NOW)
    assert count_replies(connection) == {("Ann", "Bob"): 1, ("Cleo", "Bob"): 1}
    assert not count_replies(connection, PostFilter(author="Bob"))
