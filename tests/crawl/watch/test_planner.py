"""Plans made from a store, without a network."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.empty_store import put_empty_store
from threadmill.crawl.watch.planner import (
    LONGEST,
    SHORTEST,
    BoardActivity,
    PlannedBoard,
    VisitRate,
    WatchOptions,
    WatchPlanner,
    choose_scope,
    fit_to_budget,
    format_span,
    host_of,
    plan_boards,
    posting_rate,
)
from threadmill.store import open_store
from threadmill.store.crawl.jobs import UNFINISHED, end_run, find_or_add_job, start_run
from threadmill.store.forum.forums import add_board, change_board, keep_forum
from threadmill.store.forum.page_visits import PageVisitRow, add_page_visit

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
URL = "https://f.example/"
OPTIONS = WatchOptions((), budget=100, posts_per_visit=3.0)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with store.writing() as connection:
        yield connection
    store.close()


def _crawled(connection: Connection, ago: timedelta, **counts: int) -> int:
    """A forum with a start page and a board that a run has read some time ago; gives the run."""
    job = find_or_add_job(connection, "forum", URL, "forum", NOW - ago)
    run = start_run(connection, job.id, NOW - ago)
    forum = keep_forum(connection, job.id, URL, {}, NOW - ago)
    for url in (URL, f"{URL}b/1"):
        board = add_board(connection, forum, url, "", None if url == URL else 1)
        change_board(connection, board, due=None, visited=NOW - ago, said={"count": 5} if url != URL else {})
    end_run(connection, run, NOW - ago, 0, counts)
    return run


def test_a_forum_that_was_never_crawled_is_due_at_once(connection: Connection) -> None:
    (turn,) = WatchPlanner(connection, WatchOptions((URL,), 100, 3.0), NOW).turns()
    assert (turn.plan.due, turn.plan.why, turn.host, turn.left) == (
        NOW,
        "it was never crawled",
        "f.example",
        100,
    )
    assert turn.scope.boards is None


def test_an_interrupted_run_is_continued_at_once(connection: Connection) -> None:
    _crawled(connection, timedelta(hours=1), **{UNFINISHED: 1})
    (turn,) = WatchPlanner(connection, OPTIONS, NOW).turns()
    assert (turn.plan.due, turn.plan.why) == (NOW, "its last run was interrupted")


def test_a_period_makes_the_whole_forum_due_after_it(connection: Connection) -> None:
    _crawled(connection, timedelta(hours=1))
    options = WatchOptions((), 100, 3.0, timedelta(hours=6))
    (turn,) = WatchPlanner(connection, options, NOW).turns()
    assert (turn.plan.due, turn.plan.why) == (NOW + timedelta(hours=5), "every 6 h")
    assert turn.plan.items[0].name == "the whole forum"


def test_boards_without_dated_posts_are_planned_for_one_post_a_day(connection: Connection) -> None:
    _crawled(connection, timedelta(days=1))
    (turn,) = WatchPlanner(connection, OPTIONS, NOW).turns()
    items = {item.name: item for item in turn.plan.items}
    assert items[f"{URL}b/1"].posts_per_day == 1.0
    assert items["start page"].posts_per_day == 2.0  # its own, and that of the board that it lists
    assert items["start page"].every == timedelta(days=1.5)
    assert items[f"{URL}b/1"].seen == NOW - timedelta(days=1)


def test_requests_of_the_last_day_are_taken_from_the_budget(connection: Connection) -> None:
    run = _crawled(connection, timedelta(hours=18))
    for minutes in range(95):
        at = NOW - timedelta(hours=20) + timedelta(minutes=minutes)
        add_page_visit(connection, PageVisitRow(run, URL, at, "index", 0, 0, 0))
    (turn,) = WatchPlanner(connection, WatchOptions((), 100, 0.1), NOW).turns()
    assert turn.left == 5
    # A tenth of the budget is free once the fifth of these requests is a day old.
    assert turn.plan.due == NOW + timedelta(hours=4, minutes=4)
    assert turn.plan.why == "all 100 requests of the day are used"
    (rich,) = WatchPlanner(connection, WatchOptions((), 105, 0.1), NOW).turns()
    assert rich.plan.why != turn.plan.why  # ten are left


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(days=3), "3 d"),
        (timedelta(days=1.5), "2 d"),
        (timedelta(days=1), "24 h"),
        (timedelta(hours=1), "60 min"),
        (timedelta(minutes=15), "15 min"),
    ],
)
def test_spans_are_shown_in_the_largest_fitting_unit(span: timedelta, words: str) -> None:
    assert format_span(span) == words


def test_the_host_of_a_url_has_its_port() -> None:
    assert host_of("http://f.example:8080/x") == "f.example:8080"


ENTRY = PlannedBoard(1, "start page", NOW - timedelta(hours=1), is_entry=True)


def _board(number: int, hours: float, *, has_row: bool = True) -> PlannedBoard:
    return PlannedBoard(number, f"board {number}", NOW - timedelta(hours=hours), has_row=has_row)


def _paces(**rates: float) -> dict[int, VisitRate]:
    found = {1: VisitRate(1, 0.0, LONGEST, limited=False)}
    for name, rate in rates.items():
        number = int(name.removeprefix("b"))
        found[number] = VisitRate(number, rate, timedelta(days=3 / rate), limited=False)
    return found


def test_the_board_with_the_most_posts_to_expect_is_due_first() -> None:
    plan = plan_boards("u", [ENTRY, _board(2, 5), _board(3, 5)], _paces(b2=1, b3=12), NOW)
    assert [item.board for item in plan.items] == [3, 2, 1]
    assert plan.due == NOW + timedelta(hours=1)
    assert plan.why == "2.5 new posts expected"


def test_the_start_page_is_due_every_two_weeks_for_boards_that_are_new() -> None:
    plan = plan_boards("u", [ENTRY], _paces(), NOW)
    assert plan.due == ENTRY.seen + timedelta(days=14)
    assert plan.why == "there may be new boards"


def test_a_run_takes_along_boards_that_are_nearly_due() -> None:
    boards = [ENTRY, _board(2, 7, has_row=False), _board(3, 5.8, has_row=False), _board(4, 1, has_row=False)]
    paces = _paces(b2=12, b3=12, b4=12)
    scope = choose_scope(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.boards == frozenset({2, 3})


def test_boards_of_which_no_row_tells_are_visited_straight_away() -> None:
    boards = [ENTRY, _board(2, 7, has_row=False), _board(3, 7, has_row=False)]
    paces = _paces(b2=12, b3=12)
    scope = choose_scope(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.direct == {2, 3}
    assert not scope.through_entry


def test_where_the_start_page_tells_it_is_asked_which_boards_have_changed() -> None:
    boards = [ENTRY, _board(2, 7), _board(3, 1), _board(9, 7, has_row=False)]
    paces = _paces(b2=12, b3=12, b9=12)
    scope = choose_scope(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.through_entry
    assert scope.boards is None
    assert scope.direct == {9}


def test_where_the_budget_is_short_only_boards_whose_turn_it_is_are_visited() -> None:
    boards = [ENTRY, _board(2, 7), _board(3, 1)]
    paces = {n: VisitRate(n, 12, timedelta(hours=6), limited=True) for n in (1, 2, 3)}
    scope = choose_scope(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.boards == frozenset({2})
    assert scope.through_entry


TODAY = date(2026, 5, 31)


def _daily(posts: int, days: int, until: date = TODAY) -> dict[date, int]:
    return {until - timedelta(days=age): posts for age in range(days)}


def test_a_steady_rate_is_found_whatever_the_age_of_the_board() -> None:
    assert posting_rate(_daily(4, 10), TODAY) == pytest.approx(4)
    assert posting_rate(_daily(4, 300), TODAY) == pytest.approx(4)


def test_a_board_that_fell_silent_is_expected_to_stay_so() -> None:
    before = posting_rate(_daily(4, 200, TODAY), TODAY)
    later = posting_rate(_daily(4, 200, TODAY - timedelta(days=56)), TODAY)
    assert later < before / 3


def test_a_burst_on_a_quiet_board_counts_once() -> None:
    bursts = {TODAY - timedelta(days=age): 8 for age in range(0, 200, 20)}
    assert posting_rate(bursts, TODAY) == pytest.approx(1 / 20, rel=0.7)


def test_posts_after_the_last_visit_and_of_other_years_do_not_count() -> None:
    far = {TODAY + timedelta(days=1): 9, TODAY - timedelta(days=900): 9}
    assert posting_rate(far, TODAY) == 0


def test_a_board_is_visited_when_three_posts_are_expected() -> None:
    (pace,) = fit_to_budget([BoardActivity(1, 6.0)], budget=1000, posts_per_visit=3)
    assert pace.every == timedelta(hours=12)
    assert not pace.limited


def test_no_board_is_visited_too_often_or_forgotten() -> None:
    busy, dead = fit_to_budget(
        [BoardActivity(1, 100_000.0), BoardActivity(2, 0.0)], budget=10_000_000, posts_per_visit=3
    )
    assert busy.every == SHORTEST
    assert dead.every == LONGEST


def test_the_budget_is_kept_and_shared_by_the_root_of_the_rates() -> None:
    boards = [BoardActivity(1, 400.0, 0.1), BoardActivity(2, 100.0, 0.1), BoardActivity(3, 1.0, 0.1)]
    paces = fit_to_budget(boards, budget=90, posts_per_visit=3)
    visits = [timedelta(days=1) / pace.every for pace in paces]
    assert sum(visits) == pytest.approx(90 - 50.1, rel=0.01)
    assert visits[0] / visits[1] == pytest.approx(2, rel=0.01)
    assert visits[2] == pytest.approx(1 / 3, rel=0.01)  # no more than it is worth
    assert [pace.limited for pace in paces] == [True, True, False]


def test_a_budget_below_the_posts_themselves_still_lets_boards_be_looked_at() -> None:
    (pace,) = fit_to_budget([BoardActivity(1, 1000.0)], budget=10, posts_per_visit=3)
    assert timedelta(days=1) / pace.every == pytest.approx(2, rel=0.01)


def test_a_day_counts_half_after_four_weeks_and_nothing_after_a_year() -> None:
    now, then = {TODAY: 1}, {TODAY - timedelta(days=28): 1}
    decay = 0.5 ** (1 / 28)
    weight = (1 - decay**29) / (1 - decay)
    assert posting_rate(now, TODAY) == pytest.approx(1.0)
    assert posting_rate(then, TODAY) == pytest.approx(0.5 / weight)
    assert posting_rate({TODAY - timedelta(days=364): 1}, TODAY) > 0
    assert posting_rate({TODAY - timedelta(days=365): 1}, TODAY) == 0.0


def test_a_short_budget_is_shared_by_the_square_root_of_the_posting_rates() -> None:
    boards = [BoardActivity(1, 400.0, 0.0), BoardActivity(2, 100.0, 0.0)]
    busy, calm = fit_to_budget(boards, budget=30, posts_per_visit=3)
    assert timedelta(days=1) / busy.every == pytest.approx(20)
    assert timedelta(days=1) / calm.every == pytest.approx(10)
    assert busy.limited
    assert calm.limited


def test_pages_of_posts_are_paid_first_but_a_fifth_is_kept_for_index_pages() -> None:
    (paid,) = fit_to_budget([BoardActivity(1, 30.0)], budget=35, posts_per_visit=3)
    assert timedelta(days=1) / paid.every == pytest.approx(
        7.0
    )  # a fifth of 35 is more than the 5 that are left
    (rich,) = fit_to_budget([BoardActivity(1, 30.0, 0.5)], budget=35, posts_per_visit=3)
    assert timedelta(days=1) / rich.every == pytest.approx(10.0)  # 20 are left, and 10 are wanted
    assert (paid.limited, rich.limited, paid.posts_per_day) == (True, False, 30.0)


def test_the_bounds_of_visits_are_a_quarter_of_an_hour_and_a_month() -> None:
    assert (timedelta(minutes=15), timedelta(days=30)) == (SHORTEST, LONGEST)
