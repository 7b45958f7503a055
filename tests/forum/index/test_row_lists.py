"""Row lists in boxes at the side of a page score less than those of the page itself."""

from datetime import UTC, datetime

from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.read_page import extract_index
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _reading(side: str) -> PageAnalysis:
    rows = "".join(f'<li><a href="/t/{n}/">A question about pump {n}</a> ({n})</li>' for n in range(1, 4))
    recent = "".join(
        f'<li><a href="/t/9{n}/">What I found in shed {n}</a> {n} June 2020, 10:15</li>' for n in range(1, 6)
    )
    page = (
        f"<html><body><h1>Pumps</h1><ul>{rows}</ul><div class='{side}'><ol>{recent}</ol></div></body></html>"
    )
    return PageAnalysis(parse(page.encode(), "http://a.test/b/1/"), NOW)


def test_a_box_at_the_side_comes_after_the_list_of_the_page() -> None:
    assert [found.aside for found in _reading("page-sidebar").row_lists][:2] == [False, True]
    assert not any(found.aside for found in _reading("content").row_lists)
    assert not any(found.aside for found in _reading("no-sidebar").row_lists)


def test_a_counter_beside_the_title_is_read() -> None:
    boxed = _reading("sidebar")

    assert [row.replies for row in boxed.parsed_row_lists[0].rows] == [1, 2, 3]
    assert extract_index(boxed).rows or extract_index(boxed).boards
