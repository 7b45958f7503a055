"""The next page of a list without numbers, and whether a list ends with a page."""

import pytest

from threadmill.forum.paging.cursors import ends_with_page, find_appended, find_cursor, is_next_by_cursor
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
