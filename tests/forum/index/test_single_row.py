"""The only row of a list, which nothing repeats."""

from datetime import UTC, datetime

import pytest

from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.page.parse.tree import parse

NOW = datetime(2020, 7, 1, tzinfo=UTC)
MENU = '<ul><li><a href="/search">Search</a></li><li><a href="/help">Help</a></li></ul>'
FOOT = '<div><a href="/rules">Rules</a> <a href="/contact">Contact</a> 2020, 7 ms</div>'


def _analysis(body: str, url: str = "http://a.test/") -> PageAnalysis:
    page = f"<html><body>{MENU}<div>{body}</div>{FOOT}</body></html>"
    return PageAnalysis(parse(page.encode(), url), NOW)


@pytest.mark.parametrize(
    "row",
    [
        '<table><tr><td><a href="/b/2">Lounge</a></td><td>44 threads</td><td>381 posts</td></tr></table>',
        '<dl><dt><a href="/b/2">Lounge</a> <small>All the rest</small></dt><dd>31</dd><dd>286</dd></dl>',
        '<p><a href="/b/2">Lounge</a> (31/286) 4 May 2020</p>',
        '<x-list><x-row><x-cell><a href="/b/2">Lounge</a></x-cell><x-cell>34</x-cell></x-row></x-list>',
    ],
)
def test_a_start_page_with_one_board_has_one_row(row: str) -> None:
    index = extract_index(_analysis(f"<h1>Pumps</h1>{row}"))
    assert [board.url for board in index.boards] == ["http://a.test/b/2"]


def test_a_single_thread_is_read_before_a_box_of_the_latest_posts() -> None:
    recent = "".join(f'<li><a href="/t/{n}">Shed {n} is open</a> {n} June 2020</li>' for n in range(5, 9))
    row = '<div><a href="/t/1">Who has a valve for me?</a> by anna, 3 replies, 2 May 2020</div>'
    analysis = _analysis(
        f"<h1>Valves</h1>{row}</div><div><h4>Latest</h4><ul>{recent}</ul>", "http://a.test/b/2"
    )
    assert [row.title for row in extract_index(analysis).rows] == ["Who has a valve for me?"]


def test_a_list_is_no_single_row() -> None:
    rows = "".join(
        f"<li><a href='/t/{n}'>Question {n} about a pump</a> {n} replies</li>" for n in range(2, 5)
    )
    analysis = _analysis(f"<h1>Valves</h1><ul>{rows}</ul>")
    assert all(len(found.table.records) > 1 for found in analysis.row_lists)


def test_menus_and_footers_have_no_single_row() -> None:
    assert all(len(found.table.records) > 1 for found in _analysis("<h1>Rules</h1>").row_lists)
