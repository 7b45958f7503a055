"""Whether a list ends with a page."""

import pytest

from threadmill.forum.paging.cursors import ends_with_page
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
