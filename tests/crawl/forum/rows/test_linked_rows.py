"""Which of several rows speaks for a thread."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from threadmill.crawl.forum.knowledge import LayoutKnowledge
from threadmill.crawl.forum.rows.linked_rows import (
    _as_board,
    _as_boards,
    _as_thread,
    _find_boards_among,
    _find_boards_beside_start,
    _find_box_rows,
    _information,
    _link_places,
    _merge_readings,
    _rows_by_name,
    find_linked_rows,
)
from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.forum.site_model.model import ForumModel, UrlFamily
from threadmill.forum.site_model.url_patterns import UrlPattern
from threadmill.page.parse.tree import parse
from threadmill.types import BoardRow, Moment, Precision, ThreadRow

URL = "https://f.example/t/209/"


def test_a_row_with_a_counter_goes_before_a_box_with_a_date() -> None:
    box = ThreadRow(URL, "T", active=Moment(date(2016, 11, 30), None, None, Precision.DAY))
    row = ThreadRow(URL, "T", replies=31)
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    for rows in ([box, row], [row, box]):
        assert list(_rows_by_name(rows, layout, "thread").values()) == [row]


def _row(number: int, replies: int | None = None, views: int | None = None) -> ThreadRow:
    return ThreadRow(f"https://f.example/t/{number}/", f"T{number}", replies=replies, views=views)


def test_the_reading_that_says_more_about_shared_rows_goes_first_as_a_whole() -> None:
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    poor, rich = [_row(1, views=3), _row(2), _row(3)], [_row(1, replies=1, views=2), _row(2, replies=5)]
    found = _merge_readings([poor, rich], layout, "thread")
    assert [row.title for row in found.values()] == ["T1", "T2", "T3"]
    assert found["f.example/t/1/"] == rich[0]
    assert found["f.example/t/2/"] == rich[1]


def test_threads_in_a_box_are_outside_the_list_and_without_its_counters() -> None:
    rows = {str(number): _row(number, replies=number) for number in range(3)}
    places = {"box": 0, "0": 1, "inside": 2, "1": 3, "2": 4, "below": 5, "counted": 6}
    threads = {**rows, "box": _row(7), "inside": _row(8), "below": _row(9), "counted": _row(10, replies=1)}
    assert _find_box_rows(rows, threads, places) == {"box", "below"}
    assert _find_box_rows({key: rows[key] for key in "01"}, threads, places) == set()  # two rows are no list
    few_counters = {**rows, "3": _row(3), "4": _row(4), "5": _row(5)}
    assert _find_box_rows(few_counters, threads, places) == set()


def test_a_row_of_a_board_is_read_as_one_of_a_thread_and_back() -> None:
    board = BoardRow("u", "t", threads=3, posts=9)
    thread = _as_thread(board)
    assert (thread.replies, thread.views) == (3, 9)
    assert _as_board(thread) == board
    assert _as_thread(thread) is thread
    assert _as_board(board) is board


@pytest.mark.parametrize(
    ("row", "information"),
    [
        (ThreadRow("u", "t"), 0),
        (ThreadRow("u", "t", active=Moment(date(2026, 1, 1))), 1),
        (ThreadRow("u", "t", views=0), 3),
        (ThreadRow("u", "t", replies=0, views=0), 4),
        (BoardRow("u", "t", posts=1, active=Moment(date(2026, 1, 1))), 4),
    ],
)
def test_counters_say_more_than_dates(row: ThreadRow | BoardRow, information: int) -> None:
    assert _information(row) == information


def test_rows_links_and_boards_of_a_page_are_found_by_their_urls() -> None:
    rows = "".join(
        f'<tr><td><a href="/t/{number}">Thread about pumps {number}</a></td><td>ann{number}</td>'
        f"<td>{number * 7}</td><td>2026-04-{number + 10} 10:00</td></tr>"
        for number in range(1, 9)
    )
    head = "<tr><th>Topic</th><th>Author</th><th>Replies</th><th>Last post</th></tr>"
    html = f"<html><body><table>{head}{rows}</table></body></html>"
    analysis = PageAnalysis(parse(html.encode(), "https://f.example/b/1"), datetime(2026, 5, 1, tzinfo=UTC))
    linked = find_linked_rows(
        analysis, extract_index(analysis), LayoutKnowledge(ForumModel("https://f.example/"))
    )
    assert list(linked.threads) == [f"f.example/t/{number}" for number in range(1, 9)]
    assert [row.replies for row in linked.threads.values()] == [number * 7 for number in range(1, 9)]
    assert (linked.boards, linked.links) == ({}, {})


def test_a_page_for_members_is_no_board_because_a_broad_pattern_fits_its_url() -> None:
    boards = UrlFamily((UrlPattern((("/1", r"[^/]+"),)),))
    layout = LayoutKnowledge(ForumModel("https://f.example/", boards))
    tree = parse('<a href="/tea">Tea</a> <a href="/login">Log in</a> <a href="/members">All</a>', URL)
    analysis = PageAnalysis(tree, datetime(2026, 1, 1, tzinfo=UTC))
    assert list(find_linked_rows(analysis, extract_index(analysis), layout).boards) == [
        "https://f.example/tea"
    ]


def test_icons_that_lead_to_threads_are_the_list_of_a_page_without_other_rows() -> None:
    threads = UrlFamily((UrlPattern((("/1", "t"), ("/2", r"\d+"))),))
    layout = LayoutKnowledge(ForumModel("https://f.example/", threads=threads))
    tree = parse("".join(f'<a href="/t/{n}"><img src="/i.png"></a>' for n in range(3)), URL)
    analysis = PageAnalysis(tree, datetime(2026, 1, 1, tzinfo=UTC))
    found = find_linked_rows(analysis, extract_index(analysis), layout)
    assert [row.url for row in found.threads.values()] == [f"https://f.example/t/{n}" for n in range(3)]
    assert not found.links


def test_a_box_before_the_list_does_not_change_the_order_of_the_list() -> None:
    def links(*numbers: int) -> str:
        return "".join(
            f'<li><a href="/t/{number}">Thread about pumps {number}</a></li>' for number in numbers
        )

    html = f"<html><body><ul>{links(3, 4)}</ul><ol>{links(1, 2, 3, 4, 5)}</ol></body></html>"
    analysis = PageAnalysis(parse(html.encode(), "https://f.example/b/1"), datetime(2026, 5, 1, tzinfo=UTC))
    layout = LayoutKnowledge(ForumModel("https://f.example/"))
    in_list = [f"f.example/t/{number}" for number in range(1, 6)]
    places = _link_places(analysis, layout, in_list)
    assert sorted(in_list, key=lambda key: places[key]) == in_list


def test_a_row_among_boards_that_shows_activity_is_a_board_though_no_pattern_fits() -> None:
    """It was empty when the forum was learnt, and was taken for another page."""
    boards = UrlFamily((UrlPattern((("/1", "b"), ("/2", r"(?!(?:green)$)[^/]+"))),))
    layout = LayoutKnowledge(ForumModel("https://f.example/", boards))
    rows = [
        BoardRow(f"https://f.example/b/{name}", name, 3, 9, Moment(date(2026, 4, 1)))
        for name in ("black", "white", "green")
    ]
    known = {row.url: row for row in rows[:2]}
    assert list(_find_boards_among(rows, known, layout)) == ["https://f.example/b/green"]
    assert not _find_boards_among([*rows[:2], replace(rows[2], active=None)], known, layout)
    undated = [replace(row, active=None) for row in rows]
    assert list(_find_boards_among(undated, known, layout)) == ["https://f.example/b/green"]
    footer = BoardRow("https://f.example/contact.html", "Contact", 14, 2026)
    assert list(_find_boards_among([*undated, footer], known, layout)) == ["https://f.example/b/green"]
    assert not _find_boards_among(rows[1:], known, layout)  # one known board makes no list


def _find_threads(html: str) -> tuple[list[str], list[str]]:
    """The titles of the threads with rows, and the URLs of those without one."""
    threads = UrlFamily((UrlPattern((("/1", "t"), ("/2", r"\d+(?:-last)?"))),))
    boards = UrlFamily((UrlPattern((("/1", "b"), ("/2", r"\d+"))),))
    layout = LayoutKnowledge(ForumModel("https://f.example/", boards, threads))
    page = f"<html><body>{html}</body></html>"
    analysis = PageAnalysis(parse(page.encode(), "https://f.example/b/1"), datetime(2026, 5, 1, tzinfo=UTC))
    found = find_linked_rows(analysis, extract_index(analysis), layout)
    return [row.title for row in found.threads.values()], [row.url for row in found.links.values()]


def _list(last: str = "") -> str:
    rows = "".join(
        f'<li><a href="/t/{n}">Pump {n}</a> <i>{n * 3}</i> '
        f'<b><a href="/t/{n}{last}">0{n}.04.2026 10:1{n}</a></b></li>'
        for n in range(1, 6)
    )
    return f"<ul>{rows}</ul>"


def test_the_thread_of_the_last_post_in_a_row_of_a_board_has_no_row_of_its_own() -> None:
    """The counters of the board were taken for those of the thread, which was read in vain."""
    board = (
        '<table><tr><td><a href="/b/8">Tools</a></td><td>4</td><td>37</td><td><a href="/t/36">Meeting</a>'
        " 05.04.2026 23:12</td></tr></table>"
    )
    assert _find_threads(board + _list()) == (
        [f"Pump {n}" for n in range(1, 6)],
        ["https://f.example/t/36"],
    )


def test_a_row_of_a_thread_that_names_its_board_is_a_row_of_the_thread() -> None:
    rows = "".join(
        f'<li>[<a href="/b/{n}">Board {n}</a>] <a href="/t/{n}">Pump {n}</a> <i>{n * 3}</i></li>'
        for n in range(1, 6)
    )
    assert _find_threads(f"<ul>{rows}</ul>") == ([f"Pump {n}" for n in range(1, 6)], [])


def test_the_link_of_a_row_to_its_last_post_is_no_thread() -> None:
    assert _find_threads(_list("-last")) == ([f"Pump {n}" for n in range(1, 6)], [])


def test_of_two_numbers_of_boards_the_larger_one_counts_posts() -> None:
    rows = [ThreadRow(f"https://f.example/b/{n}", "B", replies=n * 30, views=n) for n in (1, 2)]
    found = _as_boards({row.url: row for row in rows})
    assert [(row.threads, row.posts) for row in found.values()] == [(1, 30), (2, 60)]
    right = {row.url: replace(row, replies=row.views, views=row.replies) for row in rows}
    assert _as_boards(right) == found


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><a href='/'>Home</a> › <a href='/b/4'>Up</a></p><a href='/b/8'>Below</a>", {"4"}),
        ("<ul><li><a href='/index.php'>Home</a><li><a href='/b/4'>Up</a></ul><a href='/b/8'>x</a>", {"4"}),
        ("<p><a href='/'><img>Logo</a></p><p><a href='/b/8'>Below</a></p><a href='/t/1'>T</a>", set()),
        ("<div><a href='/'>Home</a><a href='/b/8'>Below</a><a href='/t/1'>T</a></div>", set()),
        ("<p><a href='/about'>About</a> <a href='/b/8'>Below</a></p>", set()),
    ],
)
def test_boards_beside_a_link_to_the_start_page_are_in_a_breadcrumb(html: str, expected: set[str]) -> None:
    threads, boards = (UrlFamily((UrlPattern((("/1", kind), ("/2", r"\d+"))),)) for kind in "tb")
    layout = LayoutKnowledge(ForumModel("https://f.example/", threads=threads, boards=boards))
    analysis = PageAnalysis(parse(html.encode(), "https://f.example/b/8"), datetime(2026, 5, 1, tzinfo=UTC))
    assert _find_boards_beside_start(analysis, layout) == {f"https://f.example/b/{n}" for n in expected}
