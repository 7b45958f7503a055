"""The next page of a list without numbers, and whether a list ends with a page."""

import pytest

from threadmill.forum.paging.cursors import (
    ends_with_page,
    find_appended,
    find_cursor,
    is_next_by_cursor,
    may_be_pages_of_one_thread,
)
from threadmill.forum.paging.pager import find_paging
from threadmill.forum.records.page_outline import PageOutline
from threadmill.page.parse.tree import parse

BOARD = "https://f.example/b?id=3"


@pytest.mark.parametrize(
    ("links", "ends"),
    [
        ("<a href='/t?id=5'>A thread</a> <a href='/u?id=7'>alan</a> <a href='/login'>2</a>", True),
        ("<a href='/b?id=3&amp;page=2'>More of them</a>", False),
        ("<a href='/list/9'>3</a>", False),
        ("<a href='/list/9'>1</a>", True),  # the page before this one
        ("<a href='/list/9'>»</a>", False),
        ("<a href='/list/9'><i class=icon-right></i></a>", False),
        ("<a href='/b?id=3&amp;page=1'>«</a>", True),
        ("<a href='/t?id=5&amp;page=2'>2</a>", True),
        ("<a href='https://g.example/x'>4</a>", True),
        ("<a href='/b?id=4'>Another board</a>", True),
    ],
)
def test_a_list_goes_on_if_a_link_shows_a_later_number_or_has_its_url_and_more(
    links: str, ends: bool
) -> None:
    outline = PageOutline(parse(f"<html><body>{links}</body></html>", f"{BOARD}&page=2"))
    read = ["https://f.example/b?id=3&page=1"]
    assert ends_with_page(outline, BOARD, 2, read, lambda url: "/t?" in url) == ends


@pytest.mark.parametrize(
    ("link", "ends"),
    [
        ("<a href='/b?id=3&amp;page=3'>Next</a>", False),
        ("<a href='/b?id=3&amp;page=3' rel='next'>Seite 3</a>", False),
        ("<a href='/b?id=3&amp;page=1'>Next</a>", True),  # it was read
        ("<a href='/t?id=5'>Next to the old mill</a>", True),
        ("<a href='/b?id=4'>Bicycles</a>", True),
    ],
)
def test_a_list_goes_on_if_a_link_says_next_though_a_broad_pattern_takes_it_for_a_board(
    link: str, ends: bool
) -> None:
    outline = PageOutline(parse(f"<html><body>{link}</body></html>", f"{BOARD}&page=2"))
    read = ["https://f.example/b?id=3&page=1"]
    assert ends_with_page(outline, BOARD, 2, read, lambda _: True) == ends


@pytest.mark.parametrize(
    ("first", "later", "mark"),
    [
        ("/a-t12.html", "/a-t12-from-e3779b16.html", "-from-"),
        ("/?thread-be1e0829.htm", "/?thread-be1e0829-c447494f3.htm", "-c"),
        ("/t,12.html", "/t,12,from,cG9zdDox.html", ",from,"),
        ("/lists/", "/lists/index-from-e3779b16.html", "/index-from-"),
        ("/t-12.html", "/t-13.html", None),
        ("/t-12.html", "/t-12-again.html", None),
    ],
)
def test_what_stands_before_an_appended_cursor_is_found(first: str, later: str, mark: str | None) -> None:
    found = find_appended(first, later)
    assert (found and found[0]) == mark


@pytest.mark.parametrize(
    ("url", "target", "expected"),
    [
        ("/?thread-be1e0829-c447494f3.htm", "/?thread-be1e0829-c666ffe5e.htm", True),
        ("/a-t12-from-74b430d6.html", "/a-t12-from-abb01fbd.html", True),
        ("/?thread-be1e0829.htm", "/?thread-c447494f3.htm", False),
        ("/noise-from-the-cellar-t12.html", "/noise-from-the-attic-t13.html", False),
        ("/noise-from-the-cellar-t12.html", "/noise-from-the-cellar-t12-from-388.html", True),
    ],
)
def test_a_page_by_cursor_differs_from_its_neighbour_in_the_cursor_alone(
    url: str, target: str, expected: bool
) -> None:
    assert is_next_by_cursor(url, target) is expected


@pytest.mark.parametrize(
    ("link", "onward"),
    [
        ("<a href='/latest?before=991'>Mehr</a>", "https://f.example/latest?before=991"),
        ("<a href='/member.php?u=34485'>mehrant</a>", None),
    ],
)
def test_a_member_whose_name_begins_with_a_word_for_more_leads_to_no_page(
    link: str, onward: str | None
) -> None:
    page = f"<html><body>{link}</body></html>"
    paging = find_paging(PageOutline(parse(page, "https://f.example/")), is_list=True)
    assert paging.next == onward


def test_a_cursor_behind_the_id_of_a_thread_is_no_other_thread() -> None:
    """The cursor stands in the value that names the thread: "?t=12" and "?t=12/from-128"."""
    base = "https://f.example/YaBB.pl?t=12"

    def steps(url: str, *links: str) -> tuple[str | None, str | None]:
        outline = PageOutline(parse(f"<html><body>{''.join(links)}</body></html>", url))
        hrefs = [(index, href) for index, href in enumerate(outline.hrefs) if href]
        return find_cursor(outline, url, hrefs)

    older = [f"<a href='{base}/from-{number}'>Older posts</a>" for number in (128, 96)]
    newer = f"<a href='{base}'>Newer posts</a>"
    assert steps(base, older[0]) == (f"{base}/from-128", None)
    assert steps(f"{base}/from-128", newer, older[1]) == (f"{base}/from-96", base)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a/t/123", "http://a/t/123/page/2", True),
        ("http://a/t?id=1", "http://a/t?id=1&cursor=ab12", True),
        ("http://a/t/12", "http://a/t/13", False),
        ("http://a/page/1", "http://a/page/2", True),
        ("http://a/2019-March/000123.html", "http://a/2019-March/000124.html", False),
        ("http://a/how-to-cook", "http://a/how-to-swim", False),
        ("http://a/i.php?t-18.htm", "http://a/i.php?t-18-c153.htm", True),
        ("http://a/i.php?t-18-c142.htm", "http://a/i.php?t-18-c153.htm", True),
        ("http://a/i.php?thread-143.htm", "http://a/i.php?thread-144.htm", False),
        ("http://a/r.php?1,1003", "http://a/r.php?1,1005", False),
        ("http://a/title-t12.html", "http://a/title-t12-from-111.html", True),
        ("http://a/title-t12.html", "http://a/other-t13.html", False),
        ("http://a/?forums/2/from-22", "http://a/?forums/2/from-16", True),
    ],
)
def test_pages_of_one_thing_differ_by_a_number_not_by_words(one: str, other: str, same: bool) -> None:
    assert may_be_pages_of_one_thread(one, other) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("", "http://a/t", True),
        ("http://a/t", "", True),
        ("http://a/t?id=1", "http://a/t?id=1", True),
        ("http://a/t/", "http://a/t?c=x", False),
        ("http://a/t/", "http://a/t?c=x5", True),
        ("http://a/x/123/a", "http://a/y/123/b", True),
        ("http://a/x/2019/a", "http://a/y/2019/b", False),
        ("http://a/t/5/2", "http://a/t/5/3", True),
        ("http://a/p/5", "http://a/p/6", True),
        ("http://a/t/5", "http://a/t/6", False),
        ("http://a/i?threads/pump.46/from-388", "http://a/i?threads/pump.46/from-370", True),
        ("http://a/i?threads/pump.46/from-388", "http://a/i?threads/hose.47/from-370", False),
        ("http://a/i?threads/pump-46", "http://a/i?threads/pump-47", False),
        ("http://a/r?1,1003", "http://a/r?1,1005", False),
        ("https://f.example/?topic-6526afd7.htm", "https://f.example/?topic-6526afd7-cf024b4ac.htm", True),
        ("https://f.example/?topic-6526afd7.htm", "https://f.example/?topic-cc623aa1.htm", False),
    ],
)
def test_more_pages_of_one_thread(one: str, other: str, same: bool) -> None:
    assert may_be_pages_of_one_thread(one, other) is same


def test_two_separators_may_stand_between_the_word_for_a_page_and_its_number() -> None:
    urls = [f"http://a/index.php?/topic/some-words/page__p__{number}" for number in (2, 3)]
    assert may_be_pages_of_one_thread(*urls)
    assert not may_be_pages_of_one_thread(
        "http://a/index.php?/topic/words-2", "http://a/index.php?/topic/words-3"
    )


@pytest.mark.parametrize(("name", "leads_on"), [("start", True), ("after", True), ("id", False)])
def test_more_of_a_thread_follows_its_second_page_too_where_the_parameter_names_a_cursor(
    name: str, leads_on: bool
) -> None:
    """Page one is "/t/dGhy-noise", and page two has one parameter and one link."""
    second, third = (f"https://f.example/t/dGhy-noise?{name}=cG9zdDo{code}" for code in ("xMTY", "xMjk"))
    outline = PageOutline(parse(f"<html><body><a href='{third}'>More</a></body></html>", second))
    assert find_paging(outline).next == (third if leads_on else None)
