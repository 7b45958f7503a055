"""Boxes of the latest threads beside a list."""

from datetime import date, timedelta

import pytest

from tests.crawl.forum.stored_boards import NOW, PARENT, StoredBoards
from threadmill.crawl.forum.rows.latest_box import LatestBox, read_latest_box
from threadmill.forum.read_page import PageAnalysis
from threadmill.page.parse.tree import parse
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread, find_threads
from threadmill.types import Moment, Post, ThreadRow

# The days of April of the first and the last post of each thread that is stored.
STORED = {1: (1, 20), 2: (2, 2), 3: (3, 9), 4: (4, 4), 5: (5, 6)}


def _url(number: int) -> str:
    return f"https://f.example/t/{number}"


def _read(
    boards: StoredBoards, box: list[tuple[int, int]], listed: dict[int, int] | None = None
) -> LatestBox | None:
    """What a box tells that shows threads with days of April, beside a list that shows others."""
    layout = boards.knowledge.layout
    for number, days in STORED.items():
        key = layout.thread_key(_url(number))
        if not find_threads(boards.connection, boards.forum, [key]):
            thread = add_thread(
                boards.connection, forum=boards.forum, board=None, key=key, url=_url(number), title=""
            )
            for day in days:
                post = Post(f"{number} {day}", "", date=Moment(date(2026, 4, day)))
                add_post(boards.connection, thread, post, _url(number), NOW)
    items = "".join(
        f'<li><a href="{_url(number)}">Question about pump {number}</a> <i>2026-04-{day:02d}</i></li>'
        for number, day in box
    )
    page = f"<html><body><h1>Pumps</h1><div class=box><ul>{items}</ul></div></body></html>"
    analysis = PageAnalysis(parse(page.encode(), PARENT), NOW)
    rows = {
        layout.thread_key(_url(number)): ThreadRow(_url(number), "", active=Moment(date(2026, 4, day)))
        for number, day in (listed or {}).items()
    }
    return read_latest_box(boards.connection, boards.forum, boards.knowledge, analysis, rows)


def _day(day: int) -> int:
    """The last day that a date of April may mean: the dates of rows are to the day."""
    return (date(2026, 4, day) + timedelta(days=1)).toordinal()


def test_a_box_in_the_order_of_answers_tells_since_when_other_threads_are_quiet(boards: StoredBoards) -> None:
    found = _read(boards, [(3, 25), (1, 20), (5, 6)])
    assert found is not None
    assert found.quiet_since == _day(6)
    answered = find_threads(boards.connection, boards.forum, [boards.knowledge.layout.thread_key(_url(3))])
    assert found.answered == {state.id for state in answered.values()}


@pytest.mark.parametrize(
    ("box", "listed"),
    [
        ([(5, 6), (4, 4), (2, 2)], {}),  # perhaps new threads
        ([(1, 20), (5, 6), (3, 9)], {}),  # in no order
        ([(5, 25), (1, 20)], {}),
        ([(3, 25), (1, 10), (5, 6)], {}),  # thread 1 had its last post on the 20th
        ([(3, 25), (1, 20), (5, 6)], {2: 24}),  # the list shows a later answer
    ],
)
def test_a_box_that_may_be_in_another_order_tells_nothing(
    boards: StoredBoards, box: list[tuple[int, int]], listed: dict[int, int]
) -> None:
    assert _read(boards, box, listed) is None


def test_a_box_in_another_order_than_a_list_by_creation_is_by_answers(boards: StoredBoards) -> None:
    box = [(7, 28), (9, 27), (8, 26)]
    assert _read(boards, box, {9: 27, 8: 26, 7: 28}) == LatestBox(_day(26), frozenset())


def test_a_box_that_was_once_out_of_order_is_not_trusted_any_more(boards: StoredBoards) -> None:
    assert _read(boards, [(3, 25), (1, 20), (5, 6)]) is not None
    assert _read(boards, [(1, 20), (5, 6), (3, 9)]) is None
    assert _read(boards, [(3, 25), (1, 20), (5, 6)]) is None
