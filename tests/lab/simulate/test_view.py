from __future__ import annotations

import pytest

from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import PageLocation, as_unix_time
from threadmill.lab.simulate.view import ForumView, slug

NOW = as_unix_time("2016-06-01")


@pytest.mark.parametrize(
    ("style", "url", "expected"),
    [
        ("path", "/a.php?x=1", "/a.php?x=1"),
        ("dot", "/a.php", "./a.php"),
        ("bare", "/a.php", "a.php"),
        ("bare", "/", "./"),
        ("full", "/a.php", "http://h.example/a.php"),
    ],
)
def test_links_are_written_as_the_engine_does(style: str, url: str, expected: str) -> None:
    view = ForumView(open_forum("harbour", "small"), NOW, host="h.example")
    before = view.layout.link_style
    view.layout.link_style = style
    try:
        assert view.href(url) == expected
    finally:
        view.layout.link_style = before


def test_a_visitor_without_cookies_has_the_session_in_each_link() -> None:
    view = ForumView(open_forum("werkbank", "small"), NOW, session="abc")
    name = view.layout.session_name
    assert view.href("/t?x=1#p2").endswith(f"t?x=1&amp;{name}=abc#p2")
    assert view.href("/t").endswith(f"t?{name}=abc")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Wie geht's? Öl & Fett", "wie-geht-s-ol-fett"),
        ("Łódź ılık", "lodz-ilik"),
        ("__a__", "a"),
        ("茶", "%E8%8C%B6"),
    ],
)
def test_a_slug_has_letters_and_digits_of_any_script(title: str, expected: str) -> None:
    assert slug(title) == expected


@pytest.mark.parametrize(("name", "counts_first"), [("harbour", False), ("kiosk", True)])
def test_a_row_tells_the_counters_and_the_last_post(name: str, counts_first: bool) -> None:
    view = ForumView(open_forum(name, "small"), NOW)
    board = view.snapshot.boards[0]
    for row in view.rows(PageLocation("index", board)):
        ranks = view.snapshot.ranks(row.index)
        assert row.replies == len(ranks) - (not counts_first)
        if not row.stub:
            assert row.last_id == view.world.ids[ranks[-1]]
        assert row.number == view.world.threads[row.index].number


def test_posts_stand_in_the_order_of_the_forum_with_their_positions() -> None:
    for name, newest_first in (("harbour", False), ("garage", True)):
        view = ForumView(open_forum(name, "small"), NOW)
        index = max(range(len(view.world.threads)), key=view.snapshot.count)
        positions = [post.position for post in view.posts(PageLocation("thread", index))]
        assert positions == sorted(positions, reverse=newest_first)
        assert len(positions) == view.traits.posts_per_page


def test_nested_posts_come_with_the_post_they_are_under() -> None:
    view = ForumView(open_forum("linden", "small"), NOW)
    index = max(range(len(view.world.threads)), key=view.snapshot.count)
    place = PageLocation("thread", index)
    flat = view.posts(place)
    grouped = view.units(place)
    assert [post for top, under in grouped for post in (top, *under)] == flat
    assert all(post.depth > 0 and post.parent_id for _, under in grouped for post in under)
    assert flat[0].first
    assert flat[0].parent_id == 0
