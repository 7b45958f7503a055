"""Pages that follow each other by a value that cannot be computed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.paging.cursors import (
    find_cursor,
    find_cursor_parameter,
    query_parameters,
    without_parameter,
)
from threadmill.forum.paging.pager import find_paging
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _outline(url: str, links: str) -> PageOutline:
    return PageOutline(parse(f"<html><body><p>{links}</p></body></html>".encode(), url))


def _steps(url: str, links: str) -> tuple[str | None, str | None]:
    outline = _outline(url, links)
    return find_cursor(outline, url, [(index, href) for index, href in enumerate(outline.hrefs) if href])


def test_from_page_one_a_step_to_older_posts_leads_on() -> None:
    page = _outline("http://a.test/t/1", '<a href="/t/1?before=130">Ältere Beiträge</a>')
    assert find_paging(page).next == "http://a.test/t/1?before=130"


def test_a_later_page_knows_the_way_back_and_on() -> None:
    links = '<a href="/t/1">Newer posts</a> <a href="/t/1?before=113">Older posts</a>'
    paging = find_paging(_outline("http://a.test/t/1?before=130", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?before=113", "http://a.test/t/1")


def test_of_two_steps_by_one_parameter_the_first_leads_back() -> None:
    url = "http://a.test/t?id=1&c=b50"
    links = (
        '<a href="/t?id=1&c=b70">Newer</a> <a href="/t?id=1&c=b30">Older</a> <a href="/t?id=1&c=b30">More</a>'
    )
    assert _steps(url, links) == ("http://a.test/t?id=1&c=b30", "http://a.test/t?id=1&c=b70")


def test_the_last_page_leads_only_back() -> None:
    assert _steps("http://a.test/t/1?c=b50", '<a href="/t/1">Newer</a>') == (None, "http://a.test/t/1")


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/t/1?order=old">Older first</a>',  # sorts the page anew
        '<a href="/t/2?before=130">Older</a>',  # another path
        '<a href="/t/1?before=130&x=1">Older</a>',  # two parameters
        '<a href="/t/1">Older</a>',  # the page itself
        '<a href="/t/1?before=130">130</a>',  # does not say older
        '<a href="#x">Older</a>',
    ],
)
def test_other_links_are_no_steps(link: str) -> None:
    assert _steps("http://a.test/t/1", link) == (None, None)


def test_a_code_of_letters_of_both_cases_is_a_cursor() -> None:
    links = '<a href="/t/1?c=aBcDeFgH">Older</a>'
    assert _steps("http://a.test/t/1", links)[0] == "http://a.test/t/1?c=aBcDeFgH"
    assert _steps("http://a.test/t/1", links.replace("aBcDeFgH", "aBcDeFg")) == (None, None)


def test_the_only_parameter_names_the_thread() -> None:
    assert _steps("http://a.test/t?id=5", '<a href="/t?id=4">Older</a>') == (None, None)
    assert (
        _steps("http://a.test/t?id=5&x=1", '<a href="/t?id=4&x=1">Older</a>')[0] == "http://a.test/t?id=4&x=1"
    )


def test_three_steps_are_no_pager() -> None:
    links = "".join(f'<a href="/t?id=1&c=b{n}">More</a> ' for n in (10, 20, 30))
    assert _steps("http://a.test/t?id=1&c=b50", links) == (None, None)


def test_a_cursor_that_is_called_an_offset_is_not_counted_by() -> None:
    links = (
        '<a class="step" href="/t/1">Newer posts</a> <a class="step" href="/t/1?start=386">Older posts</a>'
    )
    paging = find_paging(_outline("http://a.test/t/1?start=398", links))
    assert (paging.next, paging.previous) == ("http://a.test/t/1?start=386", "http://a.test/t/1")
    assert paging.slot is None


def test_a_word_that_leads_to_another_thread_is_no_cursor() -> None:
    page = _outline("http://a.test/t.php?t=5", '<a href="/t.php?t=5&amp;goto=nextoldest">Older thread</a>')
    assert find_paging(page).next is None


@pytest.mark.parametrize(
    ("url", "following", "name"),
    [
        ("http://a.test/t/1?b=2", "http://a.test/t/1?b=2&before=9", "before"),
        ("http://a.test/t/1?before=12", "http://a.test/t/1?before=9", "before"),
        ("http://a.test/t/1", None, ""),
        ("http://a.test/t/1", "http://a.test/t/2?before=9", ""),
        ("http://a.test/t/1", "http://a.test/t/1?a=1&b=2", ""),
        ("http://a.test/t/1?x=1", "http://a.test/t/1?before=9", ""),
    ],
)
def test_the_cursor_is_the_one_parameter_that_differs(url: str, following: str | None, name: str) -> None:
    assert find_cursor_parameter(url, following) == name


@pytest.mark.parametrize(
    ("url", "name", "without"),
    [
        ("http://a.test/t/1?b=2&before=9", "before", "http://a.test/t/1?b=2"),
        ("http://a.test/t/1?before=9", "before", "http://a.test/t/1"),
        ("http://a.test/t/1?before2=9", "before", "http://a.test/t/1?before2=9"),
        ("http://a.test/t/1", "before", "http://a.test/t/1"),
    ],
)
def test_a_parameter_is_left_out(url: str, name: str, without: str) -> None:
    assert without_parameter(url, name) == without


@given(st.dictionaries(st.text("abc", min_size=1), st.text("xyz1"), max_size=4))
def test_parameters_are_read_as_written(parameters: dict[str, str]) -> None:
    for mark in "&;":
        query = mark.join(f"{name}={value}" for name, value in parameters.items())
        assert query_parameters(query) == parameters
