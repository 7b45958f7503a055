from __future__ import annotations

from functools import cache

import pytest
import turbohtml

from tests.template.sites import make_page, make_site
from threadmill.template import Template, learn_template
from threadmill.template.apply.framing_places import FramingMatch, match_framing


@cache
def template() -> Template:
    return learn_template([page.html for page in make_site(30)])


def matched(html: bytes) -> list[str]:
    found = match_framing(turbohtml.parse(html.decode()), template().framing)
    return [match.element.attr("id") or str(match.element.attr("class")) for match in found]


def test_framing_is_found_on_a_page_that_was_not_learnt_from_and_the_content_is_not() -> None:
    names = matched(make_page(77).html)
    assert "head-one" in names
    assert "main" not in names


def test_an_element_into_which_somebody_wrote_much_stays() -> None:
    letter = "<p>" + "Dear readers, the harbour will be closed for the whole winter. " * 20 + "</p>"
    html = make_page(77).html.replace(b'<div class="foot">', b'<div class="foot">' + letter.encode())
    assert "foot" in matched(make_page(77).html)
    assert "foot" not in matched(html)


def test_a_header_is_known_by_its_id_on_a_page_of_another_kind() -> None:
    html = (
        make_page(77)
        .html.replace(b"<body>", b"<body><section><div>")
        .replace(b'class="main"', b'class="new"')
    )
    assert "head-one" in matched(html)


def test_an_empty_page_and_a_site_without_framing_match_nothing() -> None:
    assert matched(b"") == []
    nothing = learn_template([b"<p>only one page</p>"])
    assert match_framing(turbohtml.parse(make_page(1).html.decode()), nothing.framing) == []


def test_places_have_a_path_for_people_and_the_outermost_stand_in_no_other() -> None:
    framing = template().framing
    paths = {framing.path(number) for number in framing.outermost()}
    assert any("head-one" in path for path in paths)
    inner = set(framing.places) - set(framing.outermost())
    assert all(any(framing.path(number).startswith(outer) for outer in paths) for number in inner)


@pytest.mark.parametrize(
    ("known", "new", "familiar"),
    [(50, 50, True), (49, 9, False), (25, 8, True), (24, 0, False), (30, 9, False)],
)
def test_half_known_text_is_familiar_or_a_quarter_with_links(known: int, new: int, familiar: bool) -> None:
    element = turbohtml.parse("<p>x").select("p")[0]
    assert FramingMatch(element, 1, 100, known, new).is_familiar is familiar


MENU = "<a href=/>Start page</a> <a href=/tours>Walking tours</a> <a href=/about>About our company</a>"
FOOTER = "<p>Guided walks through the hills of the west coast</p><p>Write to us at any time</p>"


def offer(number: int, footer: str = "<footer class=f>{}</footer>", path: str = "") -> bytes:
    """A page with a menu, its own text and a footer."""
    page = make_page(number)
    text = "".join(f"<p>{words}</p>" for words in page.content)
    return (
        f"<title>{page.title}</title><body><header class=h>{MENU}</header><main><h1>{page.title}</h1>"
        f"{path}{text}</main>{footer.format(FOOTER)}</body>"
    ).encode()


@cache
def offers() -> Template:
    return learn_template([offer(number) for number in range(30)])


def tags(html: bytes) -> list[str]:
    return [m.element.tag for m in match_framing(turbohtml.parse(html.decode()), offers().framing)]


def test_a_footer_with_other_names_is_known_by_its_tag_and_its_text() -> None:
    assert tags(offer(77, "<div class=odd><div><footer class=other>{}</footer></div></div>")) == [
        "header",
        "footer",
    ]
    assert tags(offer(77, "<div class=odd><div><section class=other>{}</section></div></div>")) == ["header"]


def test_a_footer_with_text_of_its_own_and_the_header_of_an_article_stay() -> None:
    letter = "Dear readers, the harbour will be closed for the whole winter."
    assert tags(offer(77, f"<div><footer class=other><p>{letter}</p>{{}}</footer></div>")) == ["header"]
    inside = offer(77).replace(b"</main>", f"<header class=g>{FOOTER}</header></main>".encode())
    assert tags(inside).count("header") == 1


def test_a_header_with_the_title_of_the_page_stays() -> None:
    header = f"<div class=odd><header class=other>{MENU}<h1>{make_page(77).title}</h1></header></div>"
    html = offer(77).replace(b"<main>", header.encode() + b"<main>")
    assert tags(html).count("header") == 1
    assert tags(html.replace(b"h1>", b"p>")).count("header") == 2


def test_a_path_that_ends_with_the_title_of_the_page_is_framing() -> None:
    title = make_page(77).title
    path = f"<div class=breadcrumb><a href=/>Start page</a> / {title}</div>"
    assert "div" in tags(offer(77, path=path))
    assert "div" in tags(offer(77, path=path.replace(title, "A walk that nobody has done before")))


def test_what_is_called_a_path_and_tells_a_story_is_content() -> None:
    story = "A walk that nobody has done before, " * 4
    path = f"<div class=breadcrumb><a href=/>Start page</a> / {story}</div>"
    assert "div" not in tags(offer(77, path=path))
