from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.test_clean import PAGE
from tests.template.sites import WORDS, make_page, make_site
from threadmill.page.clean import clean
from threadmill.page.parse.tree import parse
from threadmill.template import (
    FramingMethod,
    Template,
    TemplateFit,
    clean_html,
    clean_with_template,
    find_framing,
    framing_blocks,
    learn_template,
    mark_framing,
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


def test_of_text_that_other_pages_have_outside_of_framing_the_page_decides(template: Template) -> None:
    tree = parse(article(63))
    said = framing_blocks(template, tree.document)
    paths = {p.text: p.path for p in clean(tree).paragraphs}
    [disclaimer] = [text for text in paths if DISCLAIMER in text]
    [own] = [text for text in paths if text.startswith("It was said") and DISCLAIMER not in text][:1]
    assert said(disclaimer, paths[disclaimer]) is None
    assert said(own, paths[own]) is False
    assert said(BLURB, paths[BLURB]) is True


def test_a_long_text_that_no_other_page_has_is_no_framing_by_its_place_alone(template: Template) -> None:
    short, long = (
        "Now at half its price",
        "Nobody in the town had seen such a tide before, and nobody will again.",
    )
    page = article(61).replace(b"<div class=y>", f"<div class=y><p>{short}</p><p>{long}</p>".encode())
    tree = parse(page)
    said = framing_blocks(template, tree.document)
    paths = {p.text: p.path for p in clean(tree).paragraphs}
    assert [said(text, paths[text]) for text in (short, long, BLURB)] == [True, None, True]


def test_about_dates_and_headings_of_one_page_in_a_framing_place_the_site_says_nothing(
    template: Template,
) -> None:
    date, heading, other = "Wednesday, 9 January 2008", "Now at half its price", "Now at its full price"
    page = article(61).replace(
        b"<div class=y>", f"<div class=y><p>{date}</p><h3>{heading}</h3><p>{other}</p>".encode()
    )
    tree = parse(page)
    said = framing_blocks(template, tree.document)
    paths = {p.text: p.path for p in clean(tree).paragraphs}
    assert [said(text, paths[text]) for text in (date, heading, other)] == [False, False, True]


def test_a_template_takes_text_away_and_adds_none(template: Template) -> None:
    for number in range(60, 70):
        tree = parse(article(number))
        assert kept(clean_with_template(tree, template)) <= kept(clean(tree))


def test_a_heading_may_stand_on_many_pages(template: Template) -> None:
    tree = parse(article(63))
    said = framing_blocks(template, tree.document)
    [disclaimer] = [p for p in clean(tree).paragraphs if DISCLAIMER in p.text]
    assert said(disclaimer.text, disclaimer.path) is None
    assert said(disclaimer.text, "html.body.div.h2") is False


def teaser_page(number: int, shown: str) -> bytes:
    """A page of a newspaper with teasers of stories that other pages tell."""
    teasers = "".join(f"<div><p>{TEASER} {i}.</p></div>" for i in range(number, number + 3))
    return article(number).replace(b"</body>", f"{shown}{teasers}</body>".encode())


TEASER = "The harbour was closed on Monday, the master of the port said to our reporter in chapter"


def test_new_text_around_the_story_does_not_become_content() -> None:
    template = learn_template([teaser_page(number, "") for number in range(0, 40, 4)])
    new = "<div><p>A whale was seen off the coast on Sunday, and it was the third one of this year.</p></div>"
    page = parse(teaser_page(61, new))
    chances = {
        name: float(p.reason.rpartition(" ")[2])
        for name, found in (("alone", clean(page)), ("site", clean_with_template(page, template)))
        for p in found.paragraphs
        if "A whale" in p.text and p.reason[-1].isdigit()
    }
    assert chances.get("site", 0.0) <= chances.get("alone", 0.0)


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


PAGES = [page.html for page in make_site(30)]
TEMPLATE = learn_template(PAGES)


@pytest.mark.parametrize("method", FramingMethod)
def test_a_page_of_the_site_fits_and_a_strange_one_does_not(method: FramingMethod) -> None:
    assert find_framing(TEMPLATE, make_page(99).html, method).fit > 0.5
    assert find_framing(TEMPLATE, b"<html><body><p>strange</p></body></html>", method).fit == 0.0


def test_only_the_method_of_the_source_names_a_cluster() -> None:
    assert find_framing(TEMPLATE, PAGES[0], FramingMethod.PAPER).cluster in range(len(TEMPLATE.clusters))
    assert find_framing(TEMPLATE, PAGES[0], FramingMethod.PLACES).cluster is None


@pytest.mark.parametrize("method", FramingMethod)
def test_marks_can_be_taken_off_again(method: FramingMethod) -> None:
    marked = mark_framing(TEMPLATE, PAGES[0], method)
    assert marked != PAGES[0]
    assert unmark(marked) == PAGES[0]


def test_the_template_is_out_of_date_when_ten_pages_fit_badly() -> None:
    fit = TemplateFit()
    assert (fit.mean, fit.fallen) == (1.0, False)
    fallen = []
    for _ in range(10):
        fit.note(0.4)
        fallen.append(fit.fallen)
    assert fallen == [False] * 9 + [True]
    assert fit.mean == pytest.approx(0.4)


def test_a_mean_fit_of_a_half_is_enough_and_old_pages_are_forgotten() -> None:
    fit = TemplateFit()
    for _ in range(40):
        fit.note(0.0)
    for _ in range(30):
        fit.note(0.5)
    assert (fit.mean, fit.fallen) == (0.5, False)
