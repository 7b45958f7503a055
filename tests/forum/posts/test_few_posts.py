# ruff: noqa: E501 -- markup reads better unbroken
"""Pages of one or two posts: a post beside a list is one post, two posts are two."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from threadmill.forum.read_page import read_thread
from threadmill.forum.records.date_columns import has_date, is_dated_sentence
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)
POST = (
    '<div class="post"><a class="username" href="/user/{0}">{0}</a> <i>{1}</i>'
    '<div class="text"><p>{2} and that is what I wanted to say about this matter today.</p></div></div>'
)


def posts_of(html: str) -> list[tuple[str | None, str]]:
    page = f"<html><head><title>A thread</title></head><body><h1>A thread</h1>{html}</body></html>"
    return [
        (post.author, post.text)
        for post in read_thread(parse(page.encode(), "https://a.example/"), NOW).posts
    ]


def test_a_post_beside_a_list_of_threads_is_one_post() -> None:
    rows = "".join(
        f'<li><a href="/t/{n}">Some other thread {n}</a> <time>2020-01-0{n}</time></li>' for n in range(1, 6)
    )
    found = posts_of(
        f'<div id="main">{POST.format("anna", "2020-01-05 10:00", "Hello")}</div><ul>{rows}</ul>'
    )

    assert [author for author, _ in found] == ["anna"]
    assert found[0][1].startswith("Hello and that")


def test_two_posts_are_two_without_the_headings_around_them() -> None:
    first, second = (
        POST.format("anna", "2020-01-05 10:00", "Hello"),
        POST.format("bert", "2020-01-06 11:30", "Hi"),
    )
    found = posts_of(f"<div>{first}</div><div><h2>1 answer</h2>{second}<form><p>Reply</p></form></div>")

    assert [author for author, _ in found] == ["anna", "bert"]
    assert "answer" not in found[1][1]


def test_what_stands_between_posts_without_a_place_in_the_site_is_no_post() -> None:
    first, second = (
        POST.format("anna", "2020-01-05 10:00", "Hello"),
        POST.format("bert", "2020-01-06 11:30", "Hi"),
    )
    insert = (
        '<div class="post"><b>Bargains</b> <i>2020-06-17</i><div class="text"><p>We have more pumps than '
        "anybody else in this town and in all the others.</p></div></div>"
    )

    assert [author for author, _ in posts_of(f"{first}{insert}{second}")] == ["anna", "bert"]


def test_pagers_above_and_below_a_lone_post_make_no_pair() -> None:
    pager = '<table class="pager"><tr><td>Page 4 of 4</td><td><a href="/?page=3">3</a></td></tr></table>'

    assert len(posts_of(f"{pager}{POST.format('anna', '2020-01-05 10:00', 'Hello')}{pager}")) == 1


JULY = datetime(2020, 7, 1, tzinfo=UTC)
WORDS = "We left before sunrise and were at the lake when the others had their breakfast."


def _page(author: str) -> bytes:
    recent = "".join(f'<li><a href="/t/{n}/">Trip {n}</a> {n} June 2020, 10:15</li>' for n in range(1, 6))
    return (
        f"<html><head><title>Early</title></head><body><h1>Early</h1><div>{author} <i>3 May 2020, 10:15</i>"
        f'<p>{WORDS}</p><a href="/answer?to=153">Zitieren</a></div><ul>{recent}</ul></body></html>'
    ).encode()


@pytest.mark.parametrize(
    "author", ['<a href="/lid/23/meeuw">meeuw</a>', '<a href="/clan.asp?id=31"><b>meeuw</b></a>']
)
def test_a_name_is_known_by_where_it_leads_in_any_language(author: str) -> None:
    posts = read_thread(parse(_page(author), "http://a.test/t/7/"), JULY).posts

    assert [post.author for post in posts] == ["meeuw"]
    assert posts[0].text.startswith(WORDS)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Since 4 March 2014 nobody answers the telephone any more.", True),
        ("上周末换了CE-189，味道安静了许多，2012-08-10以后。", True),
        ("Posted: Tue Mar 12, 2010 10:12 am Post subject: where is the old one?", False),
        ("Joined: March 2010.", False),
    ],
)
def test_a_date_in_a_sentence_is_no_byline(text: str, prose: bool) -> None:
    assert is_dated_sentence(text) is prose
    assert has_date(text) is not prose


def _short(words: str) -> bytes:
    menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("home", "search", "members", "help"))
    return (
        f"<html><head><title>Pumps</title></head><body><h1>A board</h1><ul>{menu}</ul><p>You are not logged in.</p>"
        '<div id="p1562"><h2><a href="/t/9?p=1562">2020-05-03 10:15</a></h2><div><a href="/profile/27">otter</a> '
        f"<dl><dd>Member</dd><dd>Posts: 20</dd></dl></div><div class='said'><p>{words}</p></div></div>"
        "<div><h2>Footer</h2><p>Powered by hand</p></div></body></html>"
    ).encode()


def test_a_lone_post_may_say_next_to_nothing() -> None:
    posts = read_thread(parse(_short("Thanks, that solved it!"), "http://a.test/t/9"), JULY).posts

    assert [(post.author, post.text) for post in posts] == [("otter", "Thanks, that solved it!")]


def test_posts_of_people_without_a_name_are_told_apart_by_their_bylines() -> None:
    rows = "".join(
        f'<dt id="r{n}">{n} : <b>nameless</b> : 2020/05/0{n} 11:10:37</dt><dd>{WORDS} That was number {n}.</dd>'
        for n in (1, 2)
    )
    page = f"<html><head><title>Early</title></head><body><h1>Early</h1><dl>{rows}</dl></body></html>"
    posts = read_thread(parse(page.encode(), "http://a.test/t/7/"), JULY).posts

    assert [post.author for post in posts] == ["nameless", "nameless"]


def test_a_message_whose_page_wraps_nothing_is_a_post() -> None:
    page = (
        "<html><head><title>Early</title></head><body><h1>Early</h1><b>otter</b> "
        '<a href="mailto:l@lists.test">otter at a.test</a><br><i>Mon May 4 10:15:00 2020</i><ul><li>Next message: '
        f'<a href="000124.html">Late</a></li></ul><hr><pre>{WORDS}</pre><hr></body></html>'
    )
    posts = read_thread(parse(page.encode(), "http://a.test/2020-May/000123.html"), JULY).posts

    assert [(post.author, post.text) for post in posts] == [("otter", WORDS)]
