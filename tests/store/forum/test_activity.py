from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Connection

from tests.store.forum.conftest import NOW, THREAD, make_post
from threadmill.store.crawl.jobs import end_run, start_run
from threadmill.store.forum.activity import (
    all_boards,
    as_days,
    days_by_thread,
    known_forums,
    lives_of_threads,
    pages_a_post,
    posts_by_day,
    request_moments,
)
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit
from threadmill.store.forum.posts import (
    add_post,
)
from threadmill.types import Moment, Precision


def test_the_life_of_a_forum_is_told_to_who_plans_visits(connection: Connection) -> None:
    for number in (1, 2, 2, 20):
        add_post(connection, 1, make_post(number, f"text {number}"), "https://f.example/t/1", NOW)
    assert posts_by_day(connection, 1, date(2026, 4, 2)) == {1: {date(2026, 4, 2): 2, date(2026, 4, 20): 1}}
    assert [one.url for one in all_boards(connection, 1)] == ["https://f.example/b/1"]
    assert pages_a_post(connection, 1) is None
    for _ in range(2):
        run = start_run(connection, 1, NOW)
        add_page_visit(connection, PageVisitRow(run, "https://f.example/x", NOW, "thread", 10, 8, 4))
        end_run(connection, run, NOW, 0, {})
    (forum,) = known_forums(connection)
    assert (forum.url, forum.last_run) == ("https://f.example/", NOW)
    assert pages_a_post(connection, 1) == 0.25
    assert request_moments(connection, [1], NOW - timedelta(hours=1)) == [NOW, NOW]
    assert request_moments(connection, [1], NOW + timedelta(hours=1)) == []


def test_a_day_is_a_number_that_grows_with_the_time_of_day() -> None:
    midnight = datetime(2026, 4, 2, tzinfo=UTC)
    assert as_days(midnight) == date(2026, 4, 2).toordinal()
    assert as_days(midnight + timedelta(hours=12, minutes=36)) == date(2026, 4, 2).toordinal() + 0.525


def test_the_life_of_a_thread_spans_its_first_and_last_post(connection: Connection) -> None:
    for number in (5, 2, 9):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    ((begun, thread, ended),) = lives_of_threads(connection, 1)
    assert (int(begun), thread, int(ended)) == (date(2026, 4, 2).toordinal(), 1, date(2026, 4, 9).toordinal())
    assert lives_of_threads(connection, 2) == []
    assert lives_of_threads(connection, None, 1) == lives_of_threads(connection, 1)
    assert lives_of_threads(connection, None, 2) == []


def test_the_days_of_posts_come_sorted_and_undated_posts_are_left_out(connection: Connection) -> None:
    for number in (5, 2):
        add_post(connection, 1, make_post(number), THREAD, NOW)
    month = Moment(date(2026, 4, 1), None, None, Precision.MONTH)
    add_post(connection, 1, replace(make_post(7), date=month), THREAD, NOW)
    add_post(connection, 1, replace(make_post(8), date=None), THREAD, NOW)
    (days,) = days_by_thread(connection, 1, 10)
    assert [int(day) for day in days] == [date(2026, 4, 2).toordinal(), date(2026, 4, 5).toordinal()]
