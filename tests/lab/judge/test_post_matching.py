from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from threadmill.lab.judge.post_matching import PostMatcher, f1, fold_name, post_number, read_date, tokenise
from threadmill.lab.judge.truth import TruePost, true_posts
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum
from threadmill.lab.simulate.random_forum.layout import RandomLayout
from threadmill.lab.simulate.random_forum.open_forum import open_random_forum

WHEN = "2016-03-01"


@pytest.fixture(scope="module")
def forum() -> SimulatedForum:
    return open_forum("harbour", "small")


@pytest.fixture(scope="module")
def posts(forum: SimulatedForum) -> list[TruePost]:
    return true_posts(forum, WHEN)


def export(post: TruePost, **changes: object) -> dict[str, object]:
    return {
        "post_id": str(post.post), "thread_url": post.thread_key, "author": post.author, "date": post.date,
        "text": post.text, **changes,
    }  # fmt: skip


def scores(
    forum: SimulatedForum, *exported: dict[str, object], wanted: int = 1
) -> dict[str, float | int | None]:
    numbers = frozenset(post.post for post in true_posts(forum, WHEN)[:wanted])
    return PostMatcher(forum).judge(exported, WHEN, numbers).summary()


def test_a_perfect_export_has_perfect_scores(forum: SimulatedForum, posts: list[TruePost]) -> None:
    found = scores(forum, *(export(post) for post in posts[:20]), wanted=20)
    assert found == {
        "posts_exported": 20, "post_recall": 1.0, "post_precision": 1.0, "date_minute": 1.0,
        "date_right": 1.0, "author_right": 1.0, "body_f1": 1.0,
    }  # fmt: skip


def test_a_post_exported_twice_counts_once(forum: SimulatedForum, posts: list[TruePost]) -> None:
    found = scores(forum, export(posts[0]), export(posts[0]))
    assert (found["post_precision"], found["post_recall"]) == (0.5, 1.0)


def test_a_wrong_author_date_or_text_costs_its_score_only(
    forum: SimulatedForum, posts: list[TruePost]
) -> None:
    wrong = {"author": "Nobody", "date": "2001-01-01T00:00:00Z", "text": "other words entirely"}
    names = {"author": "author_right", "date": "date_right", "text": "body_f1"}
    for field, value in wrong.items():
        found = scores(forum, export(posts[0], **{field: value}))
        assert found["post_precision"] == 1.0
        low = {name for name in names.values() if (found[name] or 0) < 0.5}
        assert low == {names[field]}


def test_without_a_number_a_post_is_matched_by_its_text_in_its_thread(
    forum: SimulatedForum, posts: list[TruePost]
) -> None:
    thread = [post for post in posts if post.thread == posts[0].thread]
    bare = [export(post, post_id="") for post in thread]
    assert PostMatcher(forum).match(list(bare), WHEN) == [forum.world.rank_of(post.post) for post in thread]
    strange = export(posts[0], post_id="", text="nothing of this was ever written there")
    assert PostMatcher(forum).match([strange], WHEN) == [None]


def test_a_number_of_another_thread_is_no_match(forum: SimulatedForum, posts: list[TruePost]) -> None:
    other = next(post for post in posts if post.thread != posts[0].thread)
    wrong = export(posts[0], thread_url=other.thread_key, text="nothing of this was ever written there")
    assert PostMatcher(forum).match([wrong], WHEN) == [None]


@pytest.mark.parametrize(
    ("item", "number"),
    [
        ({"post_id": "p12"}, 12),
        ({"post_id": "2-34 "}, 34),
        ({"post_id": "none"}, -1),
        ({"url": "/t?x=1#post-77"}, 77),
        ({"url": "/t#p5x"}, -1),
        ({}, -1),
    ],
)
def test_the_number_of_a_post_is_read_from_its_id_or_anchor(item: dict[str, str], number: int) -> None:
    assert post_number(item) == number


def test_dates_are_read_with_and_without_an_offset() -> None:
    noon = datetime(2016, 1, 1, 12, tzinfo=UTC).timestamp()
    assert read_date("2016-01-01T13:00:00+01:00") == (noon, True)
    assert read_date("2016-01-01T12:00:00") == (noon, False)
    assert read_date(noon) == (noon, True)
    assert read_date("2016-01") == read_date("2016-01-15")
    assert read_date("2016") == read_date("2016-07-01")
    assert read_date("soon") == (None, False)
    assert read_date(None) == (None, False)


def test_texts_are_compared_by_tokens() -> None:
    assert tokenise("Ein Öl-Fass 茶馆") == ["ein", "öl", "fass", "茶", "馆"]
    assert f1(["a", "b"], ["b", "c"]) == 0.5
    assert (f1([], []), f1([], ["a"]), f1(["a", "a"], ["a"])) == (1.0, 0.0, 2 / 3)
    assert fold_name(" Ann\u0301 ") == fold_name("aNŃ")


@pytest.mark.parametrize("shape", ["message", "tree"])
def test_a_post_without_id_is_known_by_its_own_page_and_its_words(shape: str) -> None:
    forum = open_random_forum(4, shape=shape, urls="query")
    layout = forum.layout
    assert isinstance(layout, RandomLayout)
    posts = true_posts(forum, WHEN)[:8]
    indexes = {post.post: forum.world.thread_by_number(post.thread) for post in posts}
    urls = [layout.message_url(indexes[post.post] or 0, post.post) for post in posts]
    items: list[Mapping[str, Any]] = [
        {"url": url, "text": p.text} for url, p in zip(urls, posts, strict=True)
    ]
    ranks = PostMatcher(forum).match(items, WHEN)
    assert [forum.world.ids[rank] for rank in ranks if rank is not None] == [post.post for post in posts]
    wrong: list[Mapping[str, Any]] = [{"url": urls[0], "text": "something else entirely"}]
    assert PostMatcher(forum).match(wrong, WHEN) == [None]
