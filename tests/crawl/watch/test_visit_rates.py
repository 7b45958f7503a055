from datetime import date, timedelta

import pytest

from threadmill.crawl.watch.visit_rates import LONGEST, SHORTEST, BoardActivity, fit_to_budget, posting_rate

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
