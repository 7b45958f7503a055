# ruff: noqa: E501 -- markup reads better unbroken
"""Shapes of today's forums that real pages showed: each is a small page read whole."""

from datetime import UTC, datetime

from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import PageAnalysis, extract_thread
from threadmill.page.parse.tree import parse
from threadmill.types import Post

NAMES = ("anna", "bert", "carl", "dora", "emil", "fred")
SAID = (
    "The pump was loud again tonight, so I took the lid off and had a look at the rotor.",
    "Mine does the same when it is cold outside, and a drop of oil made it quiet for a month.",
    "Have a look at the bearing first, because it wears out long before the rotor does.",
    "A new seal costs less than ten euros here, and it took me half an hour to put it in.",
    "Please tell us how old the machine is, since the older ones had another kind of rotor.",
    "It is nine years old now, and nobody has ever opened it before I did that last week.",
)


def analyse(body: str, url: str) -> PageAnalysis:
    html = f"<html><head><title>A loud pump</title></head><body>{body}</body></html>"
    return PageAnalysis(parse(html, url), datetime(2026, 11, 16, tzinfo=UTC))


def read(body: str, url: str = "http://forum.example/questions/12/a-loud-pump") -> tuple[Post, ...]:
    return extract_thread(analyse(body, url)).posts


def _person(number: int) -> str:
    return f'<a class="who" href="/users/{number}/{NAMES[number]}">{NAMES[number]}</a>'


def _answer(number: int, *, edited: bool, comments: int = 0) -> str:
    change = f'<div class="sign"><a href="/posts/{40 + number}/changes"><time>3 May 2026 at 12:0{number}</time></a> {_person((number + 3) % 6)}</div>'
    notes = "".join(
        f'<li class="note" id="note-{number}{n}">{SAID[(number + n) % 6][::-1]} – {_person((number + n) % 6)} <time>4 May 2026 at 13:{number}{n}</time></li>'
        for n in range(comments)
    )
    return (
        f'<a name="{40 + number}"></a><div class="answer" id="answer-{40 + number}"><div class="text"><p>{SAID[number]}</p></div>'
        f'<div class="menu"><a href="/posts/{40 + number}/timeline">Timeline</a> <a href="/a/{40 + number}">Share</a></div>'
        f'{change if edited else ""}<div class="sign">answered <time>2 May 2026 at 10:1{number}</time> {_person(number)}</div>'
        f'<ul class="notes">{notes}</ul></div>'
    )


def _questions() -> str:
    first = (
        f'<div class="question" id="question"><div class="text"><p>{SAID[0]} What should I do?</p></div>'
        f'<div class="menu"><a href="/posts/12/timeline">Timeline</a> <a href="/q/12">Share</a></div>'
        f'<div class="sign">asked <time>1 May 2026 at 09:00</time> {_person(0)}</div></div>'
    )
    answers = "".join(_answer(n, edited=n in (1, 3, 4), comments=n % 3) for n in range(1, 6))
    return f"<main><h1>A loud pump</h1>{first}{answers}</main>"


def test_answers_that_others_edited_are_posts_by_their_own_ids() -> None:
    posts = {post.post_id: post for post in read(_questions())}
    for number in range(1, 6):
        assert SAID[number] in posts[str(40 + number)].text


def test_a_button_of_each_answer_makes_no_list_of_threads_where_the_url_says_question() -> None:
    button = '<a href="/posts/{}/timeline">Timeline</a>'
    body = "".join(
        f'<div class="post" id="post-{number}">{button.format(number) if number < 5 else ""} {_person(number)} '
        f"<time>2 May 2026 at 10:1{number}</time><p>{SAID[number]}</p></div>"
        for number in range(6)
    )
    assert classify_page(analyse(body, "http://board.example/b/12")).kind == "index"
    assert classify_page(analyse(body, "http://forum.example/questions/12/a-loud-pump")).kind == "thread"


def _reply(number: int, inside: str = "") -> str:
    return (
        f'<li class="reply"><article id="reply-{60 + number}"><div class="head">{_person(number)} <a href="/c/{60 + number}">link</a>'
        f' <time datetime="2026-05-01T1{number}:00:00Z">1 year ago</time></div><div class="said"><p>{SAID[number]}</p></div></article>'
        + (f'<ul class="replies">{inside}</ul>' if inside else "")
        + "</li>"
    )


def test_a_list_of_replies_that_are_posts_is_no_comment_inside_a_post() -> None:
    body = f'<ul class="replies">{_reply(0, _reply(1, _reply(2, _reply(3, _reply(4)))) + _reply(5))}</ul>'
    posts = read(body, "http://forum.example/post/12")
    assert [(post.author, post.text) for post in posts] == list(zip(NAMES, SAID, strict=True))


def _boxed(number: int, panel: str = "") -> str:
    return (
        f'<article id="post-{70 + number}"><aside class="pane"><h3>{_person(number)}</h3><p class="rank">Members</p>{panel}</aside>'
        f'<div class="main"><div class="meta"><time>1 May 2026 at 1{number}:00</time></div><div class="words"><p>{SAID[number]}</p></div></div></article>'
    )


def test_the_long_profile_of_one_of_two_authors_is_not_what_they_wrote() -> None:
    parts = ("Board", "Memory", "Video card", "Hard drive", "Fans", "Screen", "Power supply", "Case")
    panel = "".join(
        f"<li><h5>{part}</h5><div>Some maker and its model {part} with lights</div></li>" for part in parts
    )
    posts = read(
        f"<main>{_boxed(0)}{_boxed(1, f'<ul>{panel}</ul>')}</main>", "http://forum.example/topic/12-pump/"
    )
    assert [post.text for post in posts] == list(SAID[:2])


def test_a_preview_of_the_post_that_is_answered_is_not_the_body() -> None:
    def post(number: int) -> str:
        asked = f"<p>{SAID[0]}</p>" * 3
        preview = f'<div class="preview"><b>anna</b><div class="clamp">{asked}</div></div>'
        return (
            f'<li id="p{80 + number}" class="post">{preview if number else ""}<div class="whole"><div class="head">{_person(number)} wrote on <time>1 May 2026 at 1{number}:00</time></div>'
            f'<div class="content">{f"<p>{SAID[number]}</p>" if number else asked}</div></div></li>'
        )

    posts = read(
        f'<ul class="posts">{"".join(map(post, range(6)))}</ul>', "http://forum.example/topic/12/pump"
    )
    assert [post.text for post in posts[1:]] == list(SAID[1:])


def test_words_that_stand_bare_below_a_byline_are_those_of_the_post() -> None:
    # A text archive has no element around a post, and none around its words.
    posts = "".join(
        f'<p class="by"><b>{NAMES[n]}</b> posted on 2026-5-{n + 1} 10:1{n}</p>\n<h3>{"" if n else "A loud pump"}</h3>\n'
        f"{SAID[n]}<br />\n<br />\nSee <a href='http://files.example.org/{n}.pdf'>the plan</a> of it.\n"
        for n in range(6)
    )
    page = f'<div id="nav"><a href="/">Pumps</a></div><div id="content">{posts}<div class="page">Page: 1</div></div><div id="end">All rights reserved by nobody at all.</div>'
    found = read(page, "http://forum.example/archive/tid-12.html")
    assert [post.author for post in found] == list(NAMES)
    assert [post.text.split("\n") for post in found] == [[said, "See", "the plan", "of it."] for said in SAID]


def test_a_word_beside_the_body_of_a_post_is_not_taken_for_it() -> None:
    page = "".join(_boxed(n).replace('<div class="main">', 'Reply <div class="main">') for n in range(6))
    assert [
        post.text for post in read(f"<main>{page}</main>", "http://forum.example/topic/12-pump/")
    ] == list(SAID)
