from __future__ import annotations

import pytest

from threadmill.errors import UsageError
from threadmill.lab.simulate.layout import (
    LAYOUTS,
    alternating,
    as_int,
    as_page,
    join_with_breaks,
    load_layout,
    match_numbers,
    neighbours,
    query_only,
    with_links,
    wrap_in_paragraphs,
)
from threadmill.lab.simulate.snapshot import PageSlice


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_loaded_by_its_name(name: str) -> None:
    assert load_layout(name).name == name


def test_an_unknown_layout_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError,
        match=r"no layout 'x'; expected one of phpbb, .*in LAYOUTS of lab/simulate/layout\.py",
    ):
        load_layout("x")


def test_numbers_come_from_a_full_match_only() -> None:
    assert match_numbers(r"/t/(\d+)(?:/p(\d+))?", "/t/12/p3") == (12, 3)
    assert match_numbers(r"/t/(\d+)(?:/p(\d+))?", "/t/12") == (12, 0)
    assert match_numbers(r"/t/(\d+)", "/t/12/more") is None


@pytest.mark.parametrize(
    ("text", "number", "page"), [("7x", 7, 7), ("", 0, 1), (None, 0, 1), ("-3", 0, 1), ("0", 0, 1)]
)
def test_badly_written_numbers_are_read(text: str | None, number: int, page: int) -> None:
    assert (as_int(text), as_page(text)) == (number, page)


def test_text_is_escaped_and_its_urls_are_links() -> None:
    linked = 'a &lt; <a href="http://x.example/y.pdf" rel="n">http://x.example/y.pdf</a>.'
    assert with_links("a < http://x.example/y.pdf.", ' rel="n"') == linked
    assert wrap_in_paragraphs(["a", "b&"]) == "<p>a</p>\n<p>b&amp;</p>"
    assert join_with_breaks(["a", "b"], "<br>") == "a<br><br>b"


def test_links_to_neighbouring_pages_stop_at_both_ends() -> None:
    assert neighbours(PageSlice(0, 25, 10)) == (None, 10)
    assert neighbours(PageSlice(10, 25, 10)) == (0, 20)
    assert neighbours(PageSlice(20, 25, 10)) == (10, None)
    assert neighbours(PageSlice(5, 25, 10)) == (0, 15)


def test_small_parts_of_markup() -> None:
    assert alternating("abc", "odd", "even") == ["odd", "even", "odd"]
    assert (query_only("/a?p=2"), query_only("/a")) == ("?p=2", "/a")
