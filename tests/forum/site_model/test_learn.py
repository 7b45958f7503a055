import json

import pytest

from tests.forum import sites
from threadmill.forum.read_page import read_thread
from threadmill.forum.site_model.model import ForumModel
from threadmill.lab.judge.truth import all_pages, true_posts


@pytest.mark.quality
@pytest.mark.parametrize("name", ["harbour", "studio", "bahce"])
def test_a_simulated_forum_is_learnt_from_its_start_page(name: str) -> None:
    forum, model, fetched = sites.learn_simulated(name)
    assert fetched <= 25
    assert model.threads.per_page == forum.traits.posts_per_page
    assert model.post_order is not None
    assert model.post_order.startswith(forum.traits.post_order)
    assert model.index_order == forum.traits.index_order
    true = {post.post: post for post in true_posts(forum, sites.WHEN)}
    threads = [page for page in all_pages(forum, sites.WHEN) if page.kind == "thread"][::15]
    for page in threads:
        assert model.kind_of_url(sites.BASE + page.key).startswith("thread")
        sample = sites.fetch(forum, sites.BASE + page.key)
        assert sample
        posts = read_thread(sample.tree, sample.now, model.wrapper).posts
        assert [post.author for post in posts] == [true[number].author for number in page.items]


def test_a_model_survives_json() -> None:
    _, model, _ = sites.learn_simulated("harbour")
    assert ForumModel.from_json(json.loads(json.dumps(model.to_json()))) == model


def test_addresses_tell_their_kind() -> None:
    _, model, _ = sites.learn_simulated("harbour")
    assert model.kind_of_url(f"{sites.BASE}/viewtopic.php?f=2&t=5") == "thread"
    assert model.kind_of_url(f"{sites.BASE}/viewtopic.php?f=2&t=5&start=30") == "thread page"
    assert model.base_of(f"{sites.BASE}/viewtopic.php?f=2&t=5&start=30") == (
        f"{sites.BASE}/viewtopic.php?f=2&t=5",
        3,
    )
    assert model.kind_of_url(f"{sites.BASE}/memberlist.php?mode=viewprofile&u=5") == "other"
    assert model.kind_of_url("https://elsewhere.example/viewtopic.php?f=2&t=5") == "other"
