import pytest

from threadmill.errors import HookError
from threadmill.page.judge.user_hooks import apply_hook, keep_wikipedia_links, paragraph_html
from threadmill.types import Link, Paragraph, ParagraphClass


def paragraph(text: str, *links: Link, kind: str = "p") -> Paragraph:
    return Paragraph(text=text, path="", verdict=ParagraphClass.BAD, kind=kind, links=links)


def test_links_and_images_are_written_and_everything_is_escaped() -> None:
    found = paragraph(
        "a < b & pier", Link('http://a.test/?x="1"', "pier", 8, 12, "link"), Link("i.png", "P", 0, 0, "image")
    )
    assert paragraph_html(found) == (
        '<p><img src="i.png" alt="P">a &lt; b &amp; <a href="http://a.test/?x=&quot;1&quot;">pier</a></p>'
    )


def test_what_is_nested_in_a_link_is_written_once() -> None:
    found = paragraph("pier", Link("u", "pier", 0, 4, "link"), Link("i.png", "", 2, 2, "image"))
    assert paragraph_html(found) == '<p><a href="u">pier</a></p>'


@pytest.mark.parametrize(("kind", "tag"), [("h2", "h2"), ("li", "li"), ("div", "p"), ("body", "p")])
def test_a_paragraph_has_a_tag_of_text(kind: str, tag: str) -> None:
    assert paragraph_html(paragraph("x", kind=kind)) == f"<{tag}>x</{tag}>"


def test_a_hook_may_change_class_and_text() -> None:
    said = apply_hook(lambda text, verdict, html: ("good", f"{text} {verdict} {html}"), paragraph("x"), "<p>")
    assert said == (ParagraphClass.GOOD, "x bad <p>")


@pytest.mark.parametrize("answer", [None, "good", ("fine", "x"), ("good", "x", "y")])
def test_an_answer_of_another_shape_is_an_error_that_shows_it(answer: object) -> None:
    with pytest.raises(HookError, match="expected is a class"):
        apply_hook(lambda *_: answer, paragraph("x"), "")  # type: ignore[arg-type]


def test_a_hook_that_fails_is_named() -> None:
    with pytest.raises(HookError, match="ZeroDivisionError"):
        apply_hook(lambda *_: ("good", str(1 / 0)), paragraph("x"), "")


def test_the_example_keeps_what_links_to_wikipedia_only() -> None:
    html = '<p><a href="https://cs.wikipedia.org/wiki/Molo">x</a></p>'
    assert keep_wikipedia_links("x", "bad", html) == ("good", "x")
    assert keep_wikipedia_links("x", "bad", html.replace("wikipedia.org", "wikipedia.org.test")) == (
        "bad",
        "x",
    )
