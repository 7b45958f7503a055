"""Pages of one post: what is the post, and who wrote it."""

from datetime import UTC, datetime

import pytest

from threadmill.forum.cells import is_prose, looks_dated
from threadmill.forum.pages import read_thread
from threadmill.page.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)
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
    posts = read_thread(parse(_page(author), "http://a.test/t/7/"), NOW).posts

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
    assert is_prose(text) is prose
    assert looks_dated(text) is not prose
