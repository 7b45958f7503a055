"""The lines of a page as a reader sees them."""

from __future__ import annotations

import pytest

from threadmill.forum.posts.message_lines import (
    ADDRESS,
    PageLine,
    _take_intro,
    read_lines,
    split_elements,
    split_mail_lines,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _lines(body: str) -> list[PageLine]:
    return read_lines(PageOutline(parse(f"<html><body>{body}</body></html>".encode(), "http://a.test/")))


def test_blocks_and_breaks_end_a_line_and_phrases_do_not() -> None:
    lines = _lines("<p>One <b>bold</b> line<br>two</p><ul><li>three</li><li>four</li></ul>five")
    assert [line.text for line in lines] == ["One bold line", "two", "three", "four", "five"]


def test_line_breaks_count_only_in_preformatted_text() -> None:
    assert [line.text for line in _lines("<p>one\n two</p>")] == ["one two"]
    assert [line.text for line in _lines("<pre>one\n  two\n\nthree</pre>")] == ["one", "  two", "", "three"]


def test_rules_are_lines_of_their_own() -> None:
    lines = _lines("<p>one</p><hr><p>two</p>")
    assert [(line.text, line.is_rule, line.is_blank) for line in lines] == [
        ("one", False, False),
        ("", True, False),
        ("two", False, False),
    ]


def test_a_line_knows_its_links_and_its_block() -> None:
    (line,) = _lines('<p>go <a href="/a">there</a> or <a href="/b">here</a></p>')
    assert line.links == (("/a", "there"), ("/b", "here"))
    assert line.linked == len("there") + len("here")
    assert 0.4 < line.link_share < 0.8


def test_an_empty_page_has_no_lines_and_scripts_none_at_all() -> None:
    assert _lines("") == []
    assert read_lines(PageOutline(parse(b"", "http://a.test/"))) == []
    assert [line.text for line in _lines("<script>let x</script><p>one</p>")] == ["one"]


def test_an_address_is_found_with_its_whole_name_and_not_within_a_long_word() -> None:
    found = ADDRESS.search("Anna Berg <anna.berg+lists@mail.example.org> wrote")
    assert found is not None
    assert found[0] == "anna.berg+lists@mail.example.org"
    assert ADDRESS.search("anna at mail.example.org") is not None
    assert ADDRESS.search("a" * 200_000) is None  # minutes, if every character were tried as the begin


@pytest.mark.parametrize(("line", "name"), [("Anna B. from comment #3", "Anna B."), ("comment 12", None)])
def test_the_line_of_a_tracker_above_a_quotation_is_none_of_the_author(line: str, name: str | None) -> None:
    text, quotes, _ = split_mail_lines([f"(In reply to {line})", "> The pump is loud.", "", "Mine too."])
    assert (text, [(quote.text, quote.author) for quote in quotes]) == (
        "Mine too.",
        [("The pump is loud.", name)],
    )
    words = ["(In reply to your comment)", "> The pump is loud.", "", "Mine too."]
    assert split_mail_lines(words)[0].startswith("(In reply to your comment)")


@pytest.mark.parametrize(
    ("lines", "name", "left"),
    [
        (["Hello,", "anna wrote:", ""], "anna", ["Hello,"]),
        (["Hello,", "On Tue, 3 May 2022, anna", "wrote:", "", ""], "anna", ["Hello,"]),
        (["Hello, anna", "wrote:"], "wrote", ["Hello, anna"]),  # no date above it
        (["(In reply to Anna from comment #3)"], "Anna", []),
        (["Hello,", "(In reply to comment #3)"], None, ["Hello,"]),
        (["Hello,", "bye"], None, ["Hello,", "bye"]),
        (["", ""], None, []),
        ([], None, []),
        ([":"], None, []),
    ],
)
def test_the_line_above_a_quotation_tells_whose_words_follow(
    lines: list[str], name: str | None, left: list[str]
) -> None:
    assert _take_intro(lines) == name
    assert lines == left


def test_a_message_without_lines_has_no_parts() -> None:
    outline = PageOutline(parse(b"<html><body></body></html>", "http://a.test/"))
    assert split_elements(outline, []) == ([], (), "", "")
