"""The imitated engines answer: each page that the truth knows is drawn under its own URLs, with its posts."""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin

import pytest

from bench.imitations import SETS, open_imitation, read_engines
from bench.imitations.numbers import STYLES, Shifted
from threadmill.lab.judge.truth import all_pages, true_posts
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.respond import SimulatedAnswer, respond
from threadmill.lab.simulate.url_keys import url_key
from threadmill.lab.simulate.view import ForumView

DATE = "2016-03-01"
LATER = "2016-12-01"  # lists have several pages then
HOST = "http://forum.example"


def ask(forum: SimulatedForum, url: str, date: str = DATE) -> SimulatedAnswer:
    return respond(forum, url, as_unix_time(date), {"host": "forum.example"})


@pytest.mark.parametrize("name", read_engines())
def test_an_imitated_engine_answers_every_url_of_the_truth(name: str) -> None:
    forum = open_imitation(name, 60)
    pages = all_pages(forum, DATE)
    assert {page.kind for page in pages} >= {"thread"}
    for page in pages:
        answer = ask(forum, page.key)
        assert answer.status == 200
        assert url_key(answer.page) == page.key


@pytest.mark.parametrize("name", [name for which in SETS if which != "first" for name in read_engines(which)])
def test_each_page_shows_its_posts_and_links_lead_to_all_pages_and_nowhere_else(name: str) -> None:
    forum = open_imitation(name, 40)
    posts = {post.post: post for post in true_posts(forum, DATE)}
    pages = all_pages(forum, DATE)
    linked = {url_key(forum.layout.home)}
    shown: set[int] = set()
    asked: set[str] = set()
    for page in pages:
        for alias in page.aliases:
            answer = ask(forum, alias)
            assert url_key(answer.page or answer.target) == page.key, alias
        body = ask(forum, page.key).body.decode(forum.layout.charset)
        text = plain_text(body)
        if page.kind == "thread":
            shown.update(page.items)
            for post in map(posts.__getitem__, page.items):
                assert all(plain_text(html.escape(line)) in text for line in post.text.splitlines()), post
                assert post.author in text
        for url in link_urls(body, page.key) - asked:
            asked.add(url)
            answer = ask(forum, url)
            assert answer.status < 400, url
            linked.add(url_key(answer.page or answer.target))
    assert shown == set(posts)
    assert {page.key for page in pages} <= linked


@pytest.mark.parametrize("name", read_engines("sixth"))
def test_who_follows_links_from_the_start_page_finds_each_page_of_a_forum_with_long_lists(name: str) -> None:
    forum = open_imitation(name, 200)
    wanted = {page.key for page in all_pages(forum, LATER)}
    asked = {forum.layout.home}
    queue, found = [forum.layout.home], set[str]()
    while queue:
        url = queue.pop()
        answer = ask(forum, url, LATER)
        if answer.target and not answer.page:  # a redirect
            links = {answer.target}
        elif answer.page and (key := url_key(answer.page)) not in found:
            found.add(key)
            links = link_urls(answer.body.decode(forum.layout.charset), key)
        else:
            continue
        queue += links - asked
        asked |= links
    assert found == wanted


@pytest.mark.parametrize("name", read_engines("sixth"))
def test_no_two_posts_have_one_permalink_where_posts_have_any(name: str) -> None:
    forum = open_imitation(name, 200)
    view = ForumView(forum, as_unix_time(LATER))
    owners: dict[str, set[int]] = {}
    for page in all_pages(forum, LATER):
        for post in page.items if page.kind == "thread" else ():
            rank = forum.world.rank_of(post)
            assert rank is not None
            index = view.snapshot.home_of(forum.world.owners[rank])
            offset = view.snapshot.offset_of_post(index, rank)
            owners.setdefault(forum.layout.post_url(view, index, post, offset), set()).add(post)
    spec = read_engines()[name]
    if spec["anchor"] or spec.get("single"):
        assert all(len(posts) == 1 for posts in owners.values())


@pytest.mark.parametrize("style", STYLES)
def test_numbers_are_read_as_they_were_written_and_other_texts_are_none(style: str) -> None:
    found = STYLES[style]
    numbers = [1, 99, found.count - 1 if isinstance(found, Shifted) else 12_345_678]
    assert [found.read(found.write(number)) for number in numbers] == numbers
    assert all(re.fullmatch(found.pattern, found.write(number)) for number in numbers)
    assert found.read("A" * 32) == -1


def plain_text(body: str) -> str:
    """Return the text without elements and spaces."""
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]*>", "", body)))


def link_urls(body: str, page: str) -> set[str]:
    """Return the URLs of the forum that a page links with <a>."""
    found = re.findall(r"""<a\b[^>]*?\bhref=["']([^"'#]*)""", body, re.IGNORECASE)
    urls = {urljoin(HOST + page, html.unescape(link)) for link in found}
    return {url.removeprefix(HOST) for url in urls if url.startswith(HOST)}
