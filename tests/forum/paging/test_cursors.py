"""The next page of a list without numbers, and whether a list ends with a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.forum.link_urls import (
    NumberSlot,
    names_service_page,
    url_fields,
)
from threadmill.forum.paging.cursors import (
    PageNumbering,
    PagerEntry,
    ends_with_page,
    find_appended,
    find_cursor,
    is_next_by_cursor,
    names_page,
    names_page_or_offset,
    numbering_from_labels,
    numbering_from_next_link,
    numbering_from_url_name,
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


@pytest.mark.parametrize(("name", "leads_on"), [("start", True), ("after", True), ("id", False)])
def test_more_of_a_thread_follows_its_second_page_too_where_the_parameter_names_a_cursor(
    name: str, leads_on: bool
) -> None:
    """Page one is "/t/dGhy-noise", and page two has one parameter and one link."""
    second, third = (f"https://f.example/t/dGhy-noise?{name}=cG9zdDo{code}" for code in ("xMTY", "xMjk"))
    outline = PageOutline(parse(f"<html><body><a href='{third}'>More</a></body></html>", second))
    assert find_paging(outline).next == (third if leads_on else None)


def _entries(*pairs: tuple[int, int]) -> list[PagerEntry]:
    return [PagerEntry(0, number, label, "") for label, number in pairs]


@given(st.integers(1, 60), st.sampled_from([0, 1]), st.integers(1, 99))
def test_the_page_of_a_number_is_the_page_it_was_made_for(step: int, start: int, page: int) -> None:
    assert PageNumbering(step, start).page(start + step * (page - 1)) == page


def test_a_number_between_or_before_the_pages_is_no_page() -> None:
    assert PageNumbering(25, 0).page(30) is None
    assert PageNumbering(25, 0).page(-25) is None
    assert PageNumbering(25, 0).page(50) == 3
    assert PageNumbering(1, 1).page(0) is None


@pytest.mark.parametrize(
    ("pairs", "here", "numbering"),
    [
        ([(2, 25), (3, 50), (9, 200)], None, PageNumbering(25, 0)),
        ([(2, 2), (3, 3)], None, PageNumbering(1, 1)),
        ([(1, 0), (2, 1)], None, PageNumbering(1, 0)),
        ([(2, 2)], None, PageNumbering(1, 1)),
        ([(2, 1)], None, PageNumbering(1, 0)),
        ([(3, 40)], None, PageNumbering(20, 0)),
        ([(3, 50)], None, PageNumbering(25, 0)),
        ([(3, 4)], None, PageNumbering(2, 0)),
        ([(5, 3)], None, None),
        ([(3, 41)], None, None),
        ([(2, 7), (3, 5), (4, 900)], None, None),
        ([(2, 4), (3, 3)], None, None),  # falls
        ([(2, 30), (3, 40)], None, None),  # page one would be 20
        ([(2, 2), (2, 3)], None, None),  # one label for two numbers
        ([(3, 60)], (2, 30), PageNumbering(30, 0)),
        ([(2, 2), (3, 3)], (9, 900), PageNumbering(1, 1)),  # two labels are enough
        ([], (2, 30), PageNumbering(30, 0)),
        ([], None, None),
        ([(1, 5)], None, None),
        ([(2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (7, 7)], None, PageNumbering(1, 1)),
        ([(2, 2), (3, 9), (4, 9), (5, 5)], None, None),  # half of them fit
    ],
)
def test_labels_give_the_numbering(
    pairs: list[tuple[int, int]], here: tuple[int, int] | None, numbering: PageNumbering | None
) -> None:
    assert numbering_from_labels(_entries(*pairs), here) == numbering


def _links(*links: tuple[str, int]) -> tuple[PageOutline, list[PagerEntry]]:
    body = "".join(f'<a href="?n={number}">{text}</a>' for text, number in links)
    outline = PageOutline(parse(f"<html><body><p>{body}</p></body></html>", "http://a/"))
    places = [index for index, tag in enumerate(outline.tags) if tag == "a"]
    return outline, [PagerEntry(index, n, None, "") for index, (_, n) in zip(places, links, strict=True)]


@pytest.mark.parametrize(
    ("url", "before", "links", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 1)], PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 2)], PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 3)], PageNumbering(3, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 500)], PageNumbering(500, 0)),
        ("http://a/t/8", "http://a/t/8?start=", [("Next", 501)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Next", 0)], None),
        ("http://a/t/8", "http://a/u/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/8?page=", [("Other", 2)], None),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 4), ("Next", 9)], PageNumbering(1, 1)),
        ("http://a/t/8?start=45", "http://a/t/8?start=", [("Next", 60)], PageNumbering(15, 0)),
        ("http://a/t/8?start=46", "http://a/t/8?start=", [("Next", 61)], PageNumbering(15, 1)),
        ("http://a/t/8?page=3", "http://a/t/8?page=", [("Next", 2)], None),
        ("http://a/t/8", "http://a/t/", [("Next", 9)], None),  # the next thread
        ("http://a/list/mail2", "http://a/list/mail", [("Next Page", 3)], PageNumbering(1, 1)),
        ("http://a/list/mail2", "http://a/list/mail", [("Nächste Seite", 3)], PageNumbering(1, 1)),
        ("http://a/?page=8", "http://a/?page=", [("Next", 9)], PageNumbering(1, 1)),
    ],
)
def test_the_link_that_says_next_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], numbering: PageNumbering | None
) -> None:
    outline, entries = _links(*links)
    assert numbering_from_next_link(outline, url, NumberSlot(before, ""), entries) == numbering


def test_where_links_show_numbers_the_words_are_not_asked() -> None:
    outline, entries = _links(("Next", 2))
    labelled = [*entries, PagerEntry(entries[0].element, 3, 3, "")]
    slot = NumberSlot("http://a/t/8?page=", "")
    assert numbering_from_next_link(outline, "http://a/t/8", slot, labelled) is None
    assert numbering_from_url_name(outline, "http://a/t/8", slot, labelled, leads_back=False) is None


@pytest.mark.parametrize(
    ("url", "before", "links", "back", "numbering"),
    [
        ("http://a/t/8", "http://a/t/8?page=", [("", 2), ("", 4)], False, PageNumbering(1, 1)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1), ("", 4)], False, PageNumbering(1, 0)),
        ("http://a/t/8", "http://a/t/8?page=", [("", 1)], False, None),
        ("http://a/t/8?page=0", "http://a/t/8?page=", [("", 1)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 0), ("", 3)], False, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [("", 2)], True, PageNumbering(1, 1)),
        ("http://a/t/8?page=1", "http://a/t/8?page=", [], True, PageNumbering(1, 0)),
        ("http://a/t/8?page=2", "http://a/t/8?page=", [], False, None),
        ("http://a/t/8?start=20", "http://a/t/8?start=", [], True, PageNumbering(20, 0)),
        ("http://a/t/8?start=1", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?start=501", "http://a/t/8?start=", [], True, None),
        ("http://a/t/8?year=20", "http://a/t/8?year=", [], True, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 20), ("", 60)], False, PageNumbering(20, 0)),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("Older", 20)], False, None),
        ("http://a/t/8?start=40", "http://a/t/8?start=", [("", 21)], False, None),
        ("http://a/t/8", "http://a/t/8?start=", [("", 1000)], False, None),
        ("http://a/t/8", "http://a/t/8?id=", [("", 2)], False, None),
        ("http://a/u/9", "http://a/t/8?page=", [("", 2)], False, None),
    ],
)
def test_the_name_in_the_url_gives_the_numbering(
    url: str, before: str, links: list[tuple[str, int]], back: bool, numbering: PageNumbering | None
) -> None:
    outline, entries = _links(*links)
    found = numbering_from_url_name(outline, url, NumberSlot(before, ""), entries, leads_back=back)
    assert found == numbering


@pytest.mark.parametrize(
    ("before", "page", "offset"),
    [
        ("http://a/t?page=", True, False),
        ("http://a/t/p", True, False),
        ("http://a/t/seite-", True, False),
        ("http://a/t?start=", False, True),
        ("http://a/t?skip=", False, True),
        ("http://a/t?id=", False, False),
        ("http://a/t?homepage=", False, False),
    ],
)
def test_pages_and_offsets_are_called_so(before: str, page: bool, offset: bool) -> None:
    assert names_page(before) is page
    assert names_page_or_offset(before) is (page or offset)


def test_values_without_names_are_numbered_through_path_and_query() -> None:
    fields = url_fields("http://a.example/x;p;q=1?7,8,page=2")
    assert dict(fields) == {"/1": "x", "?1": "p", "q": "1", "?2": "7", "?3": "8", "page": "2"}


def test_a_value_too_long_for_a_word_names_no_service_page() -> None:
    assert names_service_page("http://a.example/reply-12.5.html")
    assert not names_service_page("http://a.example/reply" + "-1.5" * 100)
