"""Pages of one or two posts: a post beside a list is one post, two posts are two."""

from __future__ import annotations

from datetime import UTC, datetime

from threadmill.forum.read_page import read_thread
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
