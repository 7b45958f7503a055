"""A page's paragraphs and its site's framing together; its bytes with bad paragraphs removed or marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.test_clean import PAGE
from tests.template.sites import WORDS, make_page
from threadmill.page.clean import clean
from threadmill.page.parse.tree import parse
from threadmill.template import (
    Template,
    clean_html,
    clean_with_template,
    framing_blocks,
    learn_template,
    unmark,
)
from threadmill.types import Page, ParagraphClass

# Prose in an element that says nothing: no single page can tell it from the article over it.
BLURB = (
    "This magazine was founded by a handful of friends who thought that the towns of the coast deserved a "
    "paper of their own, and it has come out every week since, in war and peace, in storm and calm."
)
DISCLAIMER = "The views in this article are those of its author, and nobody else has to share any of them."


def article(number: int) -> bytes:
    text = make_page(number).content
    # every third article ends on the same remark, as a paragraph among its paragraphs
    paragraphs = [*text, DISCLAIMER] if number % 3 == 0 else text
    body = "".join(f"<p>It was said that {words}, and so it came.</p>" for words in paragraphs)
    return (
        f"<html lang=en><head><title>{WORDS[number % 30]} {number}</title></head><body><div class=x>"
        f"<h1>{WORDS[number % 30].title()} {number}</h1>{body}</div><div class=y><p>{BLURB}</p></div>"
        "</body></html>"
    ).encode()


@pytest.fixture(scope="module")
def template() -> Template:
    return learn_template([article(number) for number in range(40)])


def kept(page: Page) -> set[str]:
    return {p.text for p in page.paragraphs if p.verdict is ParagraphClass.GOOD}


def test_framing_of_the_site_settles_what_a_page_cannot(template: Template) -> None:
    page = article(61)
    assert BLURB in kept(clean(page))
    together = clean_with_template(parse(page), template)
    [blurb] = [p for p in together.paragraphs if p.text == BLURB]
    assert blurb.verdict is ParagraphClass.BAD
    assert blurb.reason.startswith("framing of the site")
    assert kept(together) >= kept(clean(page)) - {BLURB}


def test_repeated_content_that_is_no_framing_is_kept(template: Template) -> None:
    page = article(63)
    assert any(DISCLAIMER in text for text in kept(clean_with_template(parse(page), template)))


def test_of_text_that_other_pages_have_outside_of_framing_nothing_is_said(template: Template) -> None:
    tree = parse(article(63))
    said = framing_blocks(template, tree.document)
    paths = {p.text: p.path for p in clean(tree).paragraphs}
    [disclaimer] = [text for text in paths if DISCLAIMER in text]
    [own] = [text for text in paths if text.startswith("It was said") and DISCLAIMER not in text][:1]
    assert said(disclaimer, paths[disclaimer]) is None
    assert said(own, paths[own]) is False
    assert said(BLURB, paths[BLURB]) is True


def test_removed_html_has_the_article_only() -> None:
    html = clean_html(PAGE.encode())
    assert b"the wind turned" in html
    assert b"Terms of use" not in html
    assert b"<title>Ships leave the bay - The Harbour Times</title>" in html
    assert clean(html).text.count("the wind turned") == 8


def test_marked_html_is_the_page_and_its_marks() -> None:
    html = clean_html(PAGE.encode(), marked=True)
    assert b"<threadmill-framing-0" in html
    assert unmark(html) == PAGE.encode()
    before, _, after = html.partition(b"Terms of use")
    assert before.rstrip().endswith(b">")
    assert after.startswith(b"</threadmill-framing-0>")


def test_loose_bad_text_beside_good_is_marked_where_it_stands(template: Template) -> None:
    def drop(text: str, verdict: str, html: str) -> tuple[str, str]:
        return ("bad" if "loose" in text else "good"), text

    page = b"<body><div>loose words<p>a paragraph that stays</p>more <b>loose</b> words</div></body>"
    html = clean_html(page, hook=drop)
    assert b"a paragraph that stays" in html
    assert b"loose" not in html
    assert unmark(clean_html(page, hook=drop, marked=True)) == page


def test_a_template_counts_for_html_too(template: Template) -> None:
    html = clean_html(article(64), template=template)
    assert BLURB.encode() not in html
    assert make_page(64).content[0].encode() in html


PIECES = st.sampled_from(
    ["<div>", "</div>", "<p>", "</b>", "<b>", "text &amp; more", "\r\n", "<table>", "<td>", "<!-- c -->", "ü",
     "<title>", "<textarea>", "<script>x<y</script>", "<svg>", "<a href=x>", "</a>", "<br>", "\0", "<"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_marks_always_come_off_again(html: str) -> None:
    page = html.encode()
    assert unmark(clean_html(page, marked=True)) == page
    clean_html(page)
