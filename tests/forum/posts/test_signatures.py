"""Asides: signatures and edit notes stand apart from a post's words, inside its body or below it."""

from __future__ import annotations

from datetime import UTC, datetime

from threadmill.forum.read_page import read_thread
from threadmill.page.parse.tree import parse
from threadmill.types import Post

NOW = datetime(2020, 6, 17, 12, tzinfo=UTC)
POST = (
    '<div class="post" id="p{n}"><a class="username" href="/user/{n}">user{n}</a> <i>2020-01-0{n} 10:00</i>'
    '<div class="content"><p>These are the words of post number {n}, and there are enough of them.</p>'
    "{within}</div>"
    "{after}</div>"
)


def read(within: str = "", after: str = "") -> tuple[Post, ...]:
    body = "".join(POST.format(n=n, within=within, after=after) for n in range(1, 6))
    return read_thread(parse(f"<body><div>{body}</div></body>".encode(), "https://a.example/"), NOW).posts


def test_signature_below_the_body_is_the_posts_signature() -> None:
    posts = read(after='<div class="signature">Fifty ways to leave</div>')

    assert {post.signature for post in posts} == {"Fifty ways to leave"}
    assert not any("Fifty" in post.text for post in posts)


def test_signature_inside_the_body_is_not_part_of_the_words() -> None:
    posts = read(within='<div class="sig">Fifty ways to leave</div>')

    assert {post.signature for post in posts} == {"Fifty ways to leave"}
    assert not any("Fifty" in post.text for post in posts)


def test_edit_note_is_apart_and_its_date_is_not_the_posts() -> None:
    posts = read(after="<div class='notice'>Last edited by user1 on 2020-03-03 12:00</div>")

    assert all(post.edit_note.startswith("Last edited") for post in posts)
    assert [post.date.date.month for post in posts if post.date] == [1] * 5
