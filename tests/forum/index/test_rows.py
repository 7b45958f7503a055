"""What the rows of a list say about their threads or boards."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from tests.forum import known_values, sites
from threadmill.forum.index.rows import (
    IndexOrder,
    ThreadDates,
    as_board,
    count_breaks,
    find_index_order,
    find_page_links,
    find_site_order,
)
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse
from threadmill.types import BoardRow, Moment, ThreadRow

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
    assert _analysis(boards).parsed_row_lists[0].boardness > 1
    assert _analysis([_row(n) for n in range(1, 8)]).parsed_row_lists[0].boardness < 0


def test_the_counters_of_a_board_are_threads_and_posts() -> None:
    row = ThreadRow("http://a.test/b/1", "Pumps", replies=30, views=400)
    assert as_board(row) == BoardRow("http://a.test/b/1", "Pumps", 30, 400, None)


def test_the_author_of_a_row_is_not_its_title() -> None:
    analysis = PageAnalysis(sites.tree(sites.index_page(), "https://forum.example.org/b/5"), sites.NOW)
    assert [row.author for row in analysis.parsed_row_lists[0].rows] == [*sites.NAMES, *sites.NAMES]


def _thread_row(number: int, day: int, created: int | None = None) -> ThreadRow:
    begun = Moment(date(2020, 1, created)) if created else None
    return ThreadRow(f"http://a.test/t/{number}", "title", created=begun, active=Moment(date(2020, 1, day)))


def test_a_page_whose_threads_were_all_answered_at_once_cannot_tell() -> None:
    rows = [_thread_row(number, number + 1, number) for number in range(20, 10, -1)]
    assert find_index_order(rows) is None


def test_pages_of_a_site_add_up() -> None:
    unsure = [_thread_row(number, number + 1, number) for number in range(20, 10, -1)]
    telling = [
        _thread_row(3, 20, 3),
        _thread_row(9, 18, 9),
        _thread_row(5, 16, 5),
        _thread_row(8, 12, 8),
        _thread_row(1, 9, 1),
    ]
    assert find_site_order([unsure, telling], {}) is IndexOrder.ACTIVITY


def test_a_leading_run_of_stickies_is_left_out() -> None:
    assert count_breaks([(3, 0.0), (2, 0.0), (9, 0.0), (8, 0.0), (7, 0.0), (6, 0.0)]) == (0, 3, 2)


def test_a_day_says_neither_date_when_a_thread_began_and_ended_on_it() -> None:
    rows = [
        _thread_row(number, day)
        for number, day in zip((9, 3, 7, 5, 8, 1, 6, 2), range(9, 1, -1), strict=True)
    ]
    day = date(2020, 1, 8)
    visits = {"http://a.test/t/3": ThreadDates(Moment(day, time(4, 18)), Moment(day, time(23, 51)))}
    assert find_index_order(rows, visits) is IndexOrder.ACTIVITY


def test_what_the_site_is_known_for_decides_where_a_page_says_little() -> None:
    rows = [_thread_row(number, number + 1, number) for number in range(20, 10, -1)]
    assert find_index_order(rows, known=IndexOrder.CREATION) is IndexOrder.CREATION


def _day(number: int) -> Moment:
    return Moment(date(2020, 1, 1) + timedelta(days=number))


def _dated_row(number: int, *, created: int | None = None, active: int | None = None) -> ThreadRow:
    first = _day(created) if created is not None else None
    return ThreadRow(
        f"http://a/t/{number}", "t", created=first, active=_day(active) if active is not None else None
    )


def test_of_two_dates_the_falling_one_is_the_order() -> None:
    activity = [_dated_row(n, created=(7 * n) % 10, active=50 - n) for n in range(10)]
    creation = [_dated_row(n, created=50 - n, active=50 + (7 * n) % 10) for n in range(10)]
    assert find_index_order(activity) is IndexOrder.ACTIVITY
    assert find_index_order(creation) is IndexOrder.CREATION


def test_one_date_is_what_a_visited_thread_says_it_is() -> None:
    rows = [_dated_row((7 * n) % 10, active=50 - n) for n in range(10)]
    begun = {rows[2].url: ThreadDates(rows[2].active, _day(80))}
    assert find_index_order(rows, begun) is IndexOrder.CREATION
    assert find_index_order(rows, {rows[2].url: ThreadDates(_day(3), _day(80))}) is IndexOrder.ACTIVITY


def test_a_date_that_does_not_fall_means_the_other_order() -> None:
    rows = [_dated_row((7 * n) % 10, active=(7 * n) % 10) for n in range(10)]
    visits = {rows[2].url: ThreadDates(rows[2].active, _day(80))}
    assert find_index_order(rows, visits) is IndexOrder.ACTIVITY


def test_many_stickies_do_not_hide_the_order() -> None:
    stickies = [_dated_row(n, created=(3 * n) % 7, active=(5 * n) % 11) for n in range(6)]
    rest = [_dated_row(20 + (7 * n) % 10, created=(7 * n) % 10, active=60 - n) for n in range(8)]
    assert find_index_order([*stickies, *rest]) is IndexOrder.ACTIVITY


def test_ids_in_urls_tell_where_rows_show_no_date() -> None:
    falling = [ThreadRow(f"http://a/t/{n}", "t") for n in range(40, 20, -1)]
    mixed = [ThreadRow(f"http://a/t/{(7 * n) % 20}", "t") for n in range(20)]
    assert find_index_order(falling) is IndexOrder.CREATION
    assert find_index_order(mixed) is IndexOrder.ACTIVITY


def test_ids_must_differ_in_every_row() -> None:
    rows = [ThreadRow(f"http://a/t/{n // 2}/7", "t") for n in range(40, 20, -1)]
    assert find_index_order(rows) is None
    assert find_index_order([ThreadRow(f"http://a/t/{'x' * n}", "t") for n in range(20)]) is None


def test_two_rows_show_no_order_and_three_do() -> None:
    rows = [_dated_row(n, created=n, active=50 - n) for n in range(3)]
    assert find_index_order(rows[:2]) is None
    assert find_index_order(rows) is IndexOrder.ACTIVITY


def test_dates_in_few_rows_are_no_column() -> None:
    def rows(dated: int) -> list[ThreadRow]:
        return [_dated_row(n, active=50 - n if n < dated else None) for n in range(10)]

    assert find_index_order(rows(6)) is IndexOrder.ACTIVITY
    assert find_index_order([ThreadRow("http://a/x", "t", active=row.active) for row in rows(5)]) is None


def test_rows_of_opened_threads_stand_for_dates() -> None:
    rows = [ThreadRow(f"http://a/{'x' * n}", "t") for n in range(1, 9)]
    by_end = {row.url: ThreadDates(_day((5 * n) % 8), _day(50 - n)) for n, row in enumerate(rows)}
    by_begin = {row.url: ThreadDates(_day(50 - n), _day(50 + (5 * n) % 8)) for n, row in enumerate(rows)}
    assert find_index_order(rows, by_end) is IndexOrder.ACTIVITY
    assert find_index_order(rows, by_begin) is IndexOrder.CREATION
    assert find_index_order(rows, dict(list(by_end.items())[:2])) is None


def test_marked_stickies_and_moved_threads_are_left_out() -> None:
    marked = [ThreadRow("http://a/s", "t", active=_day(1), created=_day(99), sticky=True)] * 3
    moved = [ThreadRow("http://a/m", "t", active=_day(1), created=_day(99), moved=True)]
    rows = [_dated_row(n, created=[1, 5, 2, 6, 3, 7, 4, 8][n], active=50 - n) for n in range(8)]
    assert find_index_order([*rows, *marked, *moved]) is IndexOrder.ACTIVITY


def test_a_clear_page_contradicts_what_is_known() -> None:
    rows = [_dated_row(n, created=n // 2 + 6 * (n % 2), active=50 - n) for n in range(12)]
    assert find_index_order(rows, known=IndexOrder.CREATION) is IndexOrder.ACTIVITY
    one_break = [_dated_row(n, created=[9, 8, 7, 6, 4, 5][n], active=50 - n) for n in range(6)]
    assert find_index_order(one_break) is IndexOrder.ACTIVITY
    assert find_index_order(one_break, known=IndexOrder.CREATION) is IndexOrder.CREATION


def test_a_falling_date_and_falling_ids_do_not_tell_which_date_it_is() -> None:
    rows = [_dated_row(40 - n, active=50 - n) for n in range(10)]
    assert find_index_order(rows) is None
    assert find_index_order(rows, {rows[0].url: ThreadDates(_day(3), None)}) is IndexOrder.ACTIVITY


def test_times_of_a_day_are_compared_to_the_minute() -> None:
    rows = [_dated_row((7 * n) % 10, active=50 - n) for n in range(10)]
    at = rows[4].active
    assert at is not None
    timed = [*rows[:4], ThreadRow(rows[4].url, "t", active=Moment(at.date, time(10, 15))), *rows[5:]]
    same = ThreadDates(Moment(at.date, time(10, 15, 59)), Moment(at.date, time(23)))
    other = ThreadDates(Moment(at.date, time(10, 16)), Moment(at.date, time(10, 15)))
    assert find_index_order(timed, {rows[4].url: same}) is IndexOrder.CREATION
    assert find_index_order(timed, {rows[4].url: other}) is IndexOrder.ACTIVITY


def test_breaks_are_counted_after_the_stickies_that_cost_least() -> None:
    def values(*numbers: int) -> list[tuple[int, float]]:
        return [(number, 0.0) for number in numbers]

    assert count_breaks(values(9, 8, 7)) == (0, 2, 0)
    assert count_breaks(values(7, 7, 7)) == (0, 2, 0)
    assert count_breaks(values(7, 8, 9)) == (0, 0, 2)
    assert count_breaks(values(1, 9, 8, 7)) == (0, 2, 1)
    assert count_breaks(values(9, 8, 1, 7)) == (1, 3, 0)
    assert count_breaks(values()) == (0, 0, 0)


@pytest.mark.parametrize(("sticky", "moved"), [(True, False), (False, True)])
def test_marked_rows_between_the_others_break_no_order(sticky: bool, moved: bool) -> None:
    rows = [_dated_row(n, created=[5, 4, 6, 3, 2, 1][n], active=50 - n) for n in range(6)]
    plain = [_dated_row(20 + n, created=5 - n, active=90 + n) for n in range(6)]
    marked = [replace(row, sticky=sticky, moved=moved) for row in plain]
    mixed = [row for pair in zip(rows, marked, strict=True) for row in pair]
    assert find_index_order(mixed) is IndexOrder.ACTIVITY
    unmarked = [row for pair in zip(rows, plain, strict=True) for row in pair]
    assert find_index_order(unmarked) is not IndexOrder.ACTIVITY


def test_of_several_dates_of_one_kind_the_latest_is_the_activity_of_a_row() -> None:
    """An imageboard shows the first post of a thread and the last replies, each with its date."""

    def row(number: int, replies: int) -> str:
        days = "".join(f"<p><span>{day} June 2020, 10:15</span> words</p>" for day in range(3, 4 + replies))
        return f'<tr><td><a href="/t/{number}">A question about pump number {number}</a>{days}</td></tr>'

    rows = _rows(*(row(number, number) for number in range(6)))
    assert [row.active and row.active.date.day for row in rows] == [3, 4, 5, 6, 7, 8]
