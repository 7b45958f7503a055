"""What the rows of a list say about their threads or boards."""

from datetime import UTC, datetime

import pytest

from tests.forum import known_values, sites
from threadmill.forum.index.rows import as_board, find_page_links
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.page.parse.tree import parse
from threadmill.types import BoardRow, ThreadRow

NOW = datetime(2020, 7, 1, tzinfo=UTC)


def _analysis(rows: list[str]) -> PageAnalysis:
    page = f"<html><body><table>{''.join(rows)}</table></body></html>"
    return PageAnalysis(parse(page.encode(), "http://a.test/b/1"), NOW)


def _rows(*rows: str) -> tuple[ThreadRow, ...]:
    return _analysis(list(rows)).parsed_row_lists[0].rows


def _row(number: int, more: str = "", name: str = "row") -> str:
    return (
        f'<tr class="{name}"><td><a href="/t/{number}">A question about pump number {number}</a>{more}</td>'
        f"<td>{number * 3}</td><td>{20 - number} June 2020, 10:15</td></tr>"
    )


def test_every_row_says_what_is_known() -> None:
    assert known_values.differences("rows") == []


@pytest.mark.parametrize(
    ("mark", "flags"),
    [
        ('<img src="/i/sticky.gif">', (True, False, False)),
        ('<span class="icon-lock"></span>', (False, True, False)),
        ("<b>Moved:</b>", (False, False, True)),
        ('<i title="Angepinnt"></i>', (True, False, False)),
        ("<em>A rather long text about moved pumps</em>", (False, False, False)),
        ('<a href="/t/1?sticky">x</a>', (False, False, False)),
    ],
)
def test_marks_are_read_from_attributes_and_short_labels(mark: str, flags: tuple[bool, bool, bool]) -> None:
    rows = _rows(_row(1, mark), *(_row(n) for n in range(2, 7)))
    assert (rows[0].sticky, rows[0].locked, rows[0].moved) == flags
    assert not any(row.sticky or row.locked or row.moved for row in rows[1:])


@pytest.mark.parametrize("mark", ["sticky", "closed", "moved"])
def test_a_mark_of_all_rows_says_nothing(mark: str) -> None:
    rows = _rows(*(_row(n, f'<i class="{mark}"></i>') for n in range(1, 7)))
    assert not any(row.sticky or row.locked or row.moved for row in rows)


def test_two_dates_are_creation_and_last_activity() -> None:
    rows = _rows(
        *(
            f'<tr><td><a href="/t/{n}">A question about pump number {n}</a></td><td>{n} May 2020</td>'
            f"<td>{n}</td><td>{n} June 2020</td></tr>"
            for n in range(1, 6)
        )
    )
    assert [
        (row.created.date.month, row.active.date.month) for row in rows if row.created and row.active
    ] == [(5, 6)] * 5


def test_the_same_date_twice_is_one_date() -> None:
    rows = _rows(
        *(
            f'<tr><td><a href="/t/{n}">A question about pump number {n}</a></td><td>{n} June 2020</td>'
            f"<td>{n}</td><td>{n} June 2020</td></tr>"
            for n in range(1, 6)
        )
    )
    assert [row.created for row in rows] == [None] * 5
    assert [row.active.date.day for row in rows if row.active] == [1, 2, 3, 4, 5]


def test_links_to_pages_and_to_the_last_post_are_told_apart() -> None:
    more = ' <a href="/t/12?page=2">2</a> <a href="/t/12?page=3">3</a> <a href="/t/12?page=3#p977">last</a>'
    row = _rows(_row(12, more), *(_row(n) for n in range(13, 18)))[0]
    assert row.page_urls == ("http://a.test/t/12?page=2", "http://a.test/t/12?page=3")
    assert row.active_url == "http://a.test/t/12?page=3#p977"


def test_a_link_into_another_thread_is_no_last_post() -> None:
    row = _rows(_row(12, ' <a href="/t/99#p5">see also</a>'), *(_row(n) for n in range(13, 18)))[0]
    assert row.active_url is None


def test_numbers_that_link_elsewhere_are_no_pages() -> None:
    analysis = _analysis([_row(12, ' <a href="/x/y">2</a>'), *(_row(n) for n in range(13, 18))])
    table = analysis.row_lists[0].table
    assert find_page_links(table, 0, "http://a.test/t/12") == []


def test_boards_and_threads_are_told_apart() -> None:
    boards = [
        f'<tr><td><a href="/forum/{n}">The board of pump {n}</a>'
        "<p>All about the repair of old pumps and their valves, "
        f"and what they cost, year by year {n}</p></td><td>{n * 30}</td><td>{n * 400}</td>"
        f'<td><a href="/t/{n * 7}">What to do about leak {n}</a> {n * 3} June 2020</td></tr>'
        for n in (4, 2, 5, 1, 3)
    ]
    assert _analysis(boards).parsed_row_lists[0].boardness == pytest.approx(0.8 + 1.2 + 0.5 + 1.6)
    assert _analysis([_row(n) for n in range(1, 8)]).parsed_row_lists[0].boardness < 0


def test_the_counters_of_a_board_are_threads_and_posts() -> None:
    row = ThreadRow("http://a.test/b/1", "Pumps", replies=30, views=400)
    assert as_board(row) == BoardRow("http://a.test/b/1", "Pumps", 30, 400, None)


def test_the_author_of_a_row_is_not_its_title() -> None:
    analysis = PageAnalysis(sites.tree(sites.index_page(), "https://forum.example.org/b/5"), sites.NOW)
    assert [row.author for row in analysis.parsed_row_lists[0].rows] == [*sites.NAMES, *sites.NAMES]
