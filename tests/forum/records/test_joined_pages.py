"""Several pages as one outline, and what they share."""

from __future__ import annotations

from threadmill.forum.records.joined_pages import JoinedPages, join_pages
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse

_MENU = '<ul class="menu"><li><a href="../faq">Questions</a></li><li>Members</li></ul>'


def _join(*bodies: str) -> JoinedPages:
    pages = [
        parse(f"<html><title>Page {n}</title><body>{body}</body></html>", f"http://a.test/dir/{n}.html")
        for n, body in enumerate(bodies)
    ]
    return join_pages([PageOutline(page) for page in pages])


def test_the_bodies_of_all_pages_stand_below_one_root() -> None:
    joined = _join("<p>one</p>", "<p>two <b>three</b></p>")
    outline = joined.outline
    assert [outline.tags[top] for top in joined.tops] == ["body", "body"]
    assert [outline.parent[top] for top in joined.tops] == [0, 0]
    assert [outline.text(top) for top in joined.tops] == ["one", "two three"]
    assert outline.text(0) == "one two three"
    assert outline.end[0] == len(outline)
    assert outline.title.splitlines() == ["Page 0", "Page 1"]


def test_elements_have_the_chains_that_they_have_on_their_own_page() -> None:
    page = '<div class="post"><b>anna</b></div>'
    alone = PageOutline(parse(f"<html><body>{page}</body></html>", "http://a.test/"))
    joined = _join("<p>other</p>", page).outline
    assert joined.chain(len(joined) - 1, 4) == alone.chain(len(alone) - 1, 4)


def test_links_are_absolute_so_that_pages_of_several_folders_agree() -> None:
    joined = _join(f"{_MENU}<p>one</p>", '<p><a href="#top">up</a></p>')
    assert {href for href in joined.outline.hrefs if href} == {"http://a.test/faq", "#top"}


def test_what_stands_at_the_same_place_of_most_pages_is_framing() -> None:
    joined = _join(*(f"{_MENU}<p>text {n}</p><p>same words</p>" for n in range(5)), "<p>text 9</p>")
    texts = [joined.outline.text(index) for index in joined.framing]
    assert texts == ["Questions Members", "same words"] * 5


def test_a_name_on_half_of_the_pages_is_no_framing() -> None:
    names = ["anna", "anna", "bert", "anna", "carl"]
    joined = _join(*(f"{_MENU}<b>{name}</b><p>text {n}</p>" for n, name in enumerate(names)))
    assert {joined.outline.text(index) for index in joined.framing} == {"Questions Members"}
