"""A random forum is the same for the same seed, and its pages show what the truth says."""

import re
from html import unescape
from urllib.parse import urljoin

import pytest
from turbohtml import parse

from threadmill.errors import UsageError
from threadmill.lab.judge.post_matching import tokenise
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.random_forum.choices import choice_names, describe, options_of
from threadmill.lab.simulate.random_forum.open_forum import PRESETS, open_random_forum, preset, random_choices
from threadmill.lab.simulate.respond import respond
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView

DATE = "2016-06-01"
NOW = as_unix_time(DATE)
SEEDS = range(1, 41)


def page_of(forum: SimulatedForum, url: str) -> str:
    headers = {"Cookie": f"{forum.layout.cookie}=1", "Host": "forum.test"}
    answer = respond(forum, url, NOW, headers)
    assert answer.status == 200, url
    return answer.body.decode(forum.layout.charset)


def unreached(forum: SimulatedForum) -> set[str]:
    """Return the pages that no links lead to from the start page, through index and thread pages."""
    wanted = {page.key for page in all_pages(forum, DATE)}
    seen, queue = {url_key(forum.layout.home)}, [forum.layout.home]
    while queue:
        url = queue.pop()
        for href in re.findall(r"""\bhref=["']([^"']*)""", page_of(forum, url)):
            target = urljoin(f"http://forum.test{url}", unescape(href)).partition("#")[0]
            key = url_key(target)
            if key in wanted and key not in seen:
                seen.add(key)
                queue.append(target.removeprefix("http://forum.test"))
    return wanted - seen


@pytest.mark.parametrize("seed", SEEDS)
def test_every_page_is_reached_by_links_from_the_start_page(seed: int) -> None:
    assert not unreached(open_random_forum(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_shows_the_words_author_and_date_of_its_posts(seed: int) -> None:
    forum = open_random_forum(seed)
    posts = {post.post: post for post in true_posts(forum, DATE)}
    pages = [page for page in all_pages(forum, DATE) if page.kind == "thread"]
    assert {item for page in pages for item in page.items} == set(posts)
    view = ForumView(forum, NOW)
    for page in pages[:12]:
        text = " ".join(tokenise(parse(page_of(forum, page.key)).text))
        for item in page.items:
            for line in posts[item].text.split("\n"):
                assert " ".join(tokenise(line)) in text, (page.key, line)
            assert " ".join(tokenise(posts[item].author)) in text
            when = view.show_date(as_unix_time(posts[item].date)).text
            assert " ".join(tokenise(when)) in text, (page.key, when)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_draws_a_forum_with_its_choices(name: str) -> None:
    forum = open_random_forum(7, **preset(name))
    assert not unreached(forum)
    chosen = {key: value for key, value, _ in describe(random_choices(7, **preset(name)))}
    kept = [key for key, value in preset(name).items() if chosen[key] == value]
    assert len(kept) >= len(preset(name)) - 2


def test_the_same_seed_draws_the_same_pages_and_another_seed_does_not() -> None:
    one, again, other = open_random_forum(5), open_random_forum(5), open_random_forum(6)
    assert page_of(one, one.layout.home) == page_of(again, again.layout.home)
    assert random_choices(5) != random_choices(6)
    assert page_of(one, one.layout.home) != page_of(other, other.layout.home)


def test_every_value_of_every_choice_is_drawn() -> None:
    forums = [random_choices(seed) for seed in range(600)]
    drawn = {(name, getattr(choices, name)) for choices in forums for name in choice_names()}
    wanted = {(name, value) for name in choice_names() for value in options_of(name)}
    assert wanted == drawn


def test_a_choice_that_there_is_not_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="no choice 'colour'"):
        open_random_forum(1, colour="blue")
    with pytest.raises(UsageError, match="urls has no value"):
        open_random_forum(1, urls="blue")
    with pytest.raises(UsageError, match="no preset"):
        preset("blue")


def test_an_offset_behind_a_slug_is_not_taken_for_a_thread() -> None:
    """The thread "/general-discussion/thanks" answered with the list of its board, from "thanks" on."""
    forum = open_random_forum(1001569, urls="nested_path", ids="slug", paging="offset")
    when = as_unix_time("2016-12-01")
    titles: dict[str, set[str]] = {"index": set(), "thread": set()}
    for page in all_pages(forum, "2016-12-01"):
        if page.kind in titles and page.order == 0:
            body = respond(forum, page.key, when, {"host": "forum.example"}).body.decode()
            titles[page.kind].update(re.findall("<title>(.*?)</title>", body))
    assert len(titles["thread"]) > 5
    assert titles["index"].isdisjoint(titles["thread"])
