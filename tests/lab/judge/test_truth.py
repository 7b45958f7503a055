import io
import json

import pytest

from threadmill.lab.judge.truth import (
    all_pages,
    export_truth,
    find_new_content,
    new_posts,
    true_posts,
    visible_posts,
)
from threadmill.lab.simulate.catalogue import FORUMS, open_forum

BEFORE, AFTER = "2016-03-01", "2016-04-01"


@pytest.mark.parametrize("name", FORUMS)
def test_thread_pages_show_every_visible_post_and_nothing_else(name: str) -> None:
    forum = open_forum(name, "small")
    shown = [item for page in all_pages(forum, AFTER) if page.kind == "thread" for item in page.items]
    assert set(shown) == visible_posts(forum, AFTER) == {post.post for post in true_posts(forum, AFTER)}
    if forum.traits.lead != "every":
        assert len(shown) == len(set(shown))


@pytest.mark.parametrize("name", FORUMS)
def test_every_visible_thread_is_listed_by_its_board(name: str) -> None:
    forum = open_forum(name, "small")
    listed = {
        item for page in all_pages(forum, AFTER) if page.kind == "index" and page.board for item in page.items
    }
    assert listed == {post.thread for post in true_posts(forum, AFTER)}


@pytest.mark.parametrize("name", FORUMS)
def test_keys_are_unique_and_name_one_page(name: str) -> None:
    forum = open_forum(name, "small")
    keys = [page.key for page in all_pages(forum, AFTER)]
    assert len(keys) == len(set(keys))
    aliases = [alias for page in all_pages(forum, AFTER) for alias in page.aliases]
    assert not set(aliases) & set(keys)


@pytest.mark.parametrize("name", FORUMS)
def test_the_least_pages_show_all_that_is_new_and_none_could_be_left_out(name: str) -> None:
    forum = open_forum(name, "small")
    fresh = find_new_content(forum, BEFORE, AFTER)
    by_key = {page.key: set(page.items) for page in all_pages(forum, AFTER)}
    chosen = [by_key[key] for key in fresh.least_thread_pages]
    assert fresh.posts <= set().union(*chosen)
    for left_out in range(len(chosen)):
        rest = set().union(*(items for n, items in enumerate(chosen) if n != left_out), set())
        assert not fresh.posts <= rest


def test_verdicts_say_how_much_of_a_page_is_new() -> None:
    forum = open_forum("harbour")
    fresh = find_new_content(forum, BEFORE, AFTER)
    for page in all_pages(forum, AFTER):
        if page.kind == "thread":
            hits = len(fresh.posts.intersection(page.items))
            expected = "duplicate" if not hits else "new" if hits == len(page.items) else "semi"
            assert fresh.pages[page.key] == expected
    assert set(fresh.pages.values()) == {"new", "semi", "duplicate"}


def test_new_posts_are_those_written_since() -> None:
    forum = open_forum("harbour")
    dates = {post.post: post.date for post in true_posts(forum, AFTER)}
    expected = {post for post, date in dates.items() if date > "2016-03-01T12:00:00Z"}
    assert new_posts(forum, BEFORE, AFTER) == expected
    assert new_posts(forum, None, AFTER) == set(dates)


def test_the_export_tells_posts_once_and_pages_for_every_date() -> None:
    lines = io.StringIO()
    forum = open_forum("chaguan", "small")
    count = export_truth(forum, [BEFORE, AFTER], lines)
    entries = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert len(entries) == count
    posts = [entry["post"] for entry in entries if entry["type"] == "post"]
    assert sorted(posts) == sorted(visible_posts(forum, BEFORE) | visible_posts(forum, AFTER))
    shown = [entry for entry in entries if entry["type"] == "page" and entry["date"] == AFTER]
    assert {entry["key"] for entry in shown} == {page.key for page in all_pages(forum, AFTER)}
    assert [entry["since"] for entry in entries if entry["type"] == "news"] == [None, BEFORE]


def test_a_truth_post_knows_what_it_quotes_and_answers() -> None:
    quoting = [post for post in true_posts(open_forum("werkbank"), AFTER) if post.quoted]
    assert any(len(post.quoted) > 1 for post in quoting)  # quotes within quotes
    nested = true_posts(open_forum("linden", "small"), AFTER)
    numbers = {post.post for post in nested}
    assert all(post.parent in numbers for post in nested if post.position > 1)
    remarks = [post for post in true_posts(open_forum("vopros", "small"), AFTER) if post.comment]
    assert remarks
