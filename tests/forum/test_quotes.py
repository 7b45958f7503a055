from threadmill.forum.outline import Outline
from threadmill.forum.quotes import find_lead, find_quotes, read_quote
from threadmill.page.tree import parse


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
