"""Quotations: found by element, by name or by their first words, with whom they quote."""

from __future__ import annotations

import pytest

from threadmill.forum.posts.quotes import find_lead, find_quotes, read_quote
from threadmill.forum.records.outline import Outline
from threadmill.page.parse.tree import parse


def quotes_in(html: str) -> list[tuple[str | None, str]]:
    outline = Outline(
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


def _outline(html: str) -> Outline:
    return Outline(parse(f"<html><body>{html}</body></html>"))


def _body(outline: Outline) -> int:
    return outline.tags.index("div")


def test_the_line_above_a_quotation_names_whom_it_quotes() -> None:
    page = _outline(
        "<div><p><a href=/u/7>@farid</a> said:</p><blockquote>Old words</blockquote><p>New</p></div>"
    )
    (quote,) = find_quotes(page, _body(page))
    lead = find_lead(page, quote, ())
    assert lead is not None
    assert read_quote(page, quote, (), lead).author == "farid"
    assert read_quote(page, quote, (), lead).text == "Old words"


def test_words_above_a_quotation_that_name_nobody_are_the_authors_own() -> None:
    page = _outline("<div><p>I saw this today:</p><blockquote>Old words</blockquote><p>New</p></div>")
    (quote,) = find_quotes(page, _body(page))
    assert find_lead(page, quote, ("anna",)) is None


def test_a_known_name_with_a_colon_says_who_in_any_language() -> None:
    page = _outline("<div><p>anna írta:</p><blockquote>Old words</blockquote><p>New</p></div>")
    (quote,) = find_quotes(page, _body(page))
    lead = find_lead(page, quote, ("anna",))
    assert lead is not None
    assert read_quote(page, quote, ("anna",), lead).author == "anna"
