from datetime import date

import pytest

from threadmill.errors import UsageError
from threadmill.page.render import compare, comparison_head, extractor, to_markdown, to_record
from threadmill.types import Link, Metadata, Moment, Page, Paragraph, ParagraphClass


def markdown(*paragraphs: Paragraph) -> str:
    return to_markdown(Page("http://a.example/", paragraphs))


def block(text: str, kind: str = "p", *links: Link, path: str = "html.body.p") -> Paragraph:
    return Paragraph(text, kind, path, links)


@pytest.mark.parametrize(
    ("paragraph", "written"),
    [
        (block("Tides\nand winds", "h2"), "## Tides and winds"),
        (block("one\ntwo", "li"), "- one\n  two"),
        (block("one\ntwo"), "one  \ntwo"),
        (block("said\nso", path="html.body.blockquote.p"), "> said\n> so"),
        (block("a *b*\n  c", "pre"), "```\na *b*\n  c\n```"),
        (block("```", "pre"), "~~~~\n```\n~~~~"),
        (block("a*b_c [d] <e> `f`"), r"a\*b\_c \[d\] \<e\> \`f\`"),
    ],
)
def test_each_kind_of_paragraph_has_its_markup(paragraph: Paragraph, written: str) -> None:
    assert markdown(paragraph).startswith(written)


def test_what_looks_like_markup_at_the_start_of_a_line_is_escaped() -> None:
    lines = ["# a", "- b", " + c", "3) d", "12. e", "#f", "-g", "1.5 h", "7- i", "(1) j"]
    written = ["\\# a", "\\- b", " \\+ c", "3\\) d", "12\\. e", *lines[5:]]
    assert markdown(block("\n".join(lines))).split("  \n") == written


def test_links_and_images_stand_where_they_stood() -> None:
    text = "see the map here"
    links = (
        Link("http://a.example/m p(1)", "the map", 4, 11),
        Link("http://a.example/i.png", "a cat", 11, 11, "image"),
        Link("http://a.example/inner", "map", 8, 11),
        Link("http://a.example/empty", "", 12, 12),
    )
    assert markdown(block(text, "p", *links)) == (
        "see [the map](http://a.example/m%20p(1%29)![a cat](http://a.example/i.png) here"
    )


def test_only_good_paragraphs_are_written_and_items_stand_close() -> None:
    bad = Paragraph("menu", "p", "html.body.p", verdict=ParagraphClass.BAD)
    empty = block("")
    assert markdown(block("a"), bad, empty, block("b", "li"), block("c", "li"), block("d")) == (
        "a\n\n- b\n- c\n\nd"
    )


def test_a_record_has_plain_values_only() -> None:
    link = Link("http://a.example/x", "x", 0, 1)
    page = Page(
        "http://a.example/",
        (Paragraph("x", "p", "html.body.p", (link,), ParagraphClass.SHORT, "too short", "en"),),
        "en",
        0.123456,
        "utf-8",
        Metadata(title="T", date=Moment(date(2020, 5, 1)), alternates=(("de", "http://a.example/de"),)),
    )
    record = to_record(page)
    assert (record["language_confidence"], record["encoding"]) == (0.1235, "utf-8")
    assert record["metadata"]["date"] == "2020-05-01"
    assert record["metadata"]["alternates"] == [["de", "http://a.example/de"]]
    assert record["paragraphs"] == [
        {
            "text": "x",
            "class": "short",
            "reason": "too short",
            "kind": "p",
            "path": "html.body.p",
            "language": "en",
            "links": [{"url": "http://a.example/x", "text": "x", "start": 0, "end": 1, "kind": "link"}],
        }
    ]
    assert to_record(Page(None, ()))["metadata"]["date"] is None


def test_two_texts_stand_side_by_side_and_escaped() -> None:
    page = compare("<t>", "same\n<only one>\n\n", "same\nonly two\nand  three")
    assert "<h2>&lt;t&gt;</h2><p>2 and 3 lines, 40% alike</p>" in page
    assert "<tr><td>same</td><td>same</td></tr>" in page
    assert '<td class="left">&lt;only one&gt;</td><td class="right">only two</td>' in page
    assert '<td class="none"></td><td class="right">and three</td>' in page
    assert "<h1>a&lt; and b</h1>" in comparison_head("a<", "b")


def test_an_unknown_extractor_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match="known are justext, trafilatura, resiliparse"):
        extractor("nobody")
