"""Quotations: found by element, by name or by their first words, with whom they quote."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from threadmill.forum.posts.quotes_and_signatures import find_quote_intro, find_quotes, read_quote
from threadmill.forum.read_page import read_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse
from threadmill.types import Post


def quotes_in(html: str) -> list[tuple[str | None, str]]:
    outline = PageOutline(
        parse(f'<body><div class="b">{html}<p>My own words.</p></div></body>'.encode(), "https://a.example/")
    )
    body = outline.symbols.index("div.b")
    return [
        (q.author, q.text) for q in (read_quote(outline, i, ["anna"]) for i in find_quotes(outline, body))
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<blockquote><cite>anna wrote:</cite>It rains.</blockquote>",
        '<div class="bbCodeBlock bbCodeQuote" data-author="anna">'
        "<aside><div>anna said:</div><blockquote>It rains.</blockquote></aside></div>",
        '<aside class="quote" data-username="anna"><div class="title">anna:</div>'
        "<blockquote><p>It rains.</p></blockquote></aside>",
        "<div><div>Quote:</div><table><tr><td>"
        "<div>Originally Posted by <b>anna</b></div><div>It rains.</div></td></tr></table></div>",
        '<blockquote class="x" data-ipsquote-username="anna">'
        '<div class="x_citation">anna schrieb:</div><p>It rains.</p></blockquote>',
    ],
)
def test_quotation_names_whom_it_quotes(html: str) -> None:
    assert quotes_in(html) == [("anna", "It rains.")]


def test_a_body_one_may_quote_from_is_no_quotation() -> None:
    assert quotes_in('<div class="body js-selectToQuote">It rains, and these are words of mine.</div>') == []


def _outline(html: str) -> PageOutline:
    return PageOutline(parse(f"<html><body>{html}</body></html>"))


def _body(outline: PageOutline) -> int:
    return outline.tags.index("div")


def test_the_line_above_a_quotation_names_whom_it_quotes() -> None:
    page = _outline(
        "<div><p><a href=/u/7>@farid</a> said:</p><blockquote>Old words</blockquote><p>New</p></div>"
    )
    (quote,) = find_quotes(page, _body(page))
    lead = find_quote_intro(page, quote, ())
    assert lead is not None
    assert read_quote(page, quote, (), lead).author == "farid"
    assert read_quote(page, quote, (), lead).text == "Old words"


def test_words_above_a_quotation_that_name_nobody_are_the_authors_own() -> None:
    page = _outline("<div><p>I saw this today:</p><blockquote>Old words</blockquote><p>New</p></div>")
    (quote,) = find_quotes(page, _body(page))
    assert find_quote_intro(page, quote, ("anna",)) is None


def test_a_known_name_with_a_colon_says_who_in_any_language() -> None:
    page = _outline("<div><p>anna írta:</p><blockquote>Old words</blockquote><p>New</p></div>")
    (quote,) = find_quotes(page, _body(page))
    lead = find_quote_intro(page, quote, ("anna",))
    assert lead is not None
    assert read_quote(page, quote, ("anna",), lead).author == "anna"


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
