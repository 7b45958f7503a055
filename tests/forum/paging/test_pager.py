import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.paging.page_urls import PageUrlStyle, find_url_style
from threadmill.forum.paging.pager import Paging, comparable_url, find_paging, may_be_pages_of_one_thread
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse


def _paging(body: str, url: str) -> Paging:
    return find_paging(PageOutline(parse(f"<html><body>{body}</body></html>", url)))


def _links(*pairs: tuple[str, str]) -> str:
    return " ".join(f'<a href="{href}">{text}</a>' for text, href in pairs)


@pytest.mark.parametrize(
    ("url", "links", "wanted"),
    [
        ("http://a/t?id=1", [("2", "/t?id=1&p=2"), ("3", "/t?id=1&p=3")], "http://a/t?id=1&p=2"),
        ("http://a/t?id=1&p=2", [("1", "/t?id=1"), ("3", "/t?id=1&p=3")], "http://a/t?id=1&p=3"),
        ("http://a/b,14.25.html", [("1", "/b,14.0.html"), ("3", "/b,14.50.html")], "http://a/b,14.50.html"),
        ("http://a/x.9/", [("2", "/x.9/page-2"), ("Last", "/x.9/page-7")], "http://a/x.9/page-2"),
        ("http://a/f-28-1.html", [("2", "/f-28-2.html"), ("3", "/f-28-3.html")], "http://a/f-28-2.html"),
        ("http://a/x/", [("2", "?page=2"), ("3", "?page=3")], "http://a/x/?page=2"),
        ("http://a/t/8?page=0", [("2", "/t/8?page=1"), ("3", "/t/8?page=2")], "http://a/t/8?page=1"),
        ("http://a/t/8", [("Next", "/t/8?page=1"), ("Last", "/t/8?page=11")], "http://a/t/8?page=1"),
        ("http://a/t/8/", [("", "?page=2"), ("Last", "?page=4")], "http://a/t/8/?page=2"),
        ("http://a/t/8/?page=2", [("", "?page=1"), ("", "?page=3")], "http://a/t/8/?page=3"),
        ("http://a/t/8?start=40", [("", "?start=0"), ("", "?start=60")], "http://a/t/8?start=60"),
        ("http://a/t/8", [("volgende", "/t/8?start=993")], "http://a/t/8?start=993"),
    ],
)
def test_the_next_page_is_found_by_the_number_that_differs(
    url: str, links: list[tuple[str, str]], wanted: str
) -> None:
    assert _paging(_links(*links), url).next == wanted


def test_a_link_of_the_first_page_to_itself_is_no_pager() -> None:
    assert _paging(_links(("", "?page=1")), "http://a/t/8") == Paging()


def test_rel_next_counts_where_no_number_is_shown() -> None:
    page = '<html><head><link rel="next" href="/t/1?cursor=ab12"></head><body><p>x</p></body></html>'
    assert find_paging(PageOutline(parse(page, "http://a/t/1"))).next == "http://a/t/1?cursor=ab12"


def test_the_last_page_has_no_next() -> None:
    paging = _paging(_links(("1", "/t?id=1"), ("2", "/t?id=1&p=2")), "http://a/t?id=1&p=3")
    assert (paging.next, paging.number, paging.previous) == (None, 3, "http://a/t?id=1&p=2")


def test_links_to_the_next_thread_are_no_paging() -> None:
    assert (
        _paging(_links(("next", "/t?id=2"), ("Next thread", "/t?id=1&view=next")), "http://a/t?id=1").next
        is None
    )


_BASES = st.integers(1, 10**6)


@given(number=_BASES, page=st.integers(2, 500), step=st.sampled_from([1, 10, 15, 25]))
@pytest.mark.parametrize(
    ("base", "second"),
    [
        ("http://a/t?id={}", "http://a/t?id={}&p=#"),
        ("http://a/x.{}/", "http://a/x.{}/page-#"),
        ("http://a/thread-{}-1-1.html", "http://a/thread-{}-#-1.html"),
        ("http://a/d/{}/slug", "http://a/d/{}/slug/p#"),
        ("http://a/t{}.html", "http://a/t{}-s#.html"),
    ],
)
def test_page_addresses_are_made_and_taken_apart_again(
    base: str, second: str, number: int, page: int, step: int
) -> None:
    start = 1 if step == 1 or "thread-" in base else 0
    if "thread-" in base and step > 1:
        return
    first = base.format(number)
    shown = " ".join(
        f'<a href="{second.format(number).replace("#", str(start + step * (k - 1)))}">{k}</a>' for k in (2, 3)
    )
    style = find_url_style(first, _paging(shown, first))
    assert isinstance(style, PageUrlStyle)
    assert style.split(style.url_of(first, page)) == (first, page)


@pytest.mark.parametrize(
    ("url", "back", "number"),
    [
        ("http://a/t/8?page=2", "/t/8", 2),
        ("http://a/t/8?page=1", "/t/8", 2),
        ("http://a/t/8?start=20", "/t/8", 2),
        ("http://a/t/8?year=2", "/t/8", None),
    ],
)
def test_the_last_of_two_pages_may_lead_nowhere_but_back(url: str, back: str, number: int | None) -> None:
    paging = _paging(f'<a rel="prev" href="{back}">Previous</a>', url)
    assert (paging.number, paging.count, paging.next) == (number, number, None)


def test_a_count_beside_a_pager_that_links_its_own_page_is_no_page() -> None:
    pager = _links(("1", "/f/x.2/"), ("2", "/f/x.2/page-2"))
    rows = "<p>One <b>3</b></p><p>Two <b>9</b></p>"
    paging = _paging(f"<div>{pager}{rows}{pager}</div>", "http://a/f/x.2/page-2")
    assert (paging.number, paging.count, paging.previous) == (2, 2, "http://a/f/x.2/")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a/t/123", "http://a/t/123/page/2", True),
        ("http://a/t?id=1", "http://a/t?id=1&cursor=ab12", True),
        ("http://a/t/12", "http://a/t/13", False),
        ("http://a/page/1", "http://a/page/2", True),
        ("http://a/2019-March/000123.html", "http://a/2019-March/000124.html", False),
        ("http://a/how-to-cook", "http://a/how-to-swim", False),
    ],
)
def test_pages_of_one_thing_differ_by_a_number_not_by_words(one: str, other: str, same: bool) -> None:
    assert may_be_pages_of_one_thread(one, other) is same


def test_parameters_are_compared_by_name_and_empty_ones_say_nothing() -> None:
    assert comparable_url("http://a/t?p=2&id=1&x=") == "http://a/t?id=1&p=2"
