from datetime import UTC, datetime, timedelta

from threadmill.crawl.watch.pace import LONGEST, Pace
from threadmill.crawl.watch.plan import SeenBoard, choose_round, plan_boards

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
ENTRY = SeenBoard(1, "start page", NOW - timedelta(hours=1), is_entry=True)


def _board(number: int, hours: float, *, told: bool = True) -> SeenBoard:
    return SeenBoard(number, f"board {number}", NOW - timedelta(hours=hours), told=told)


def _paces(**rates: float) -> dict[int, Pace]:
    found = {1: Pace(1, 0.0, LONGEST, stretched=False)}
    for name, rate in rates.items():
        number = int(name.removeprefix("b"))
        found[number] = Pace(number, rate, timedelta(days=3 / rate), stretched=False)
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
    boards = [ENTRY, _board(2, 7, told=False), _board(3, 5.8, told=False), _board(4, 1, told=False)]
    paces = _paces(b2=12, b3=12, b4=12)
    scope = choose_round(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.boards == frozenset({2, 3})


def test_boards_of_which_no_row_tells_are_visited_straight_away() -> None:
    boards = [ENTRY, _board(2, 7, told=False), _board(3, 7, told=False)]
    paces = _paces(b2=12, b3=12)
    scope = choose_round(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.straight == {2, 3}
    assert not scope.through_entry


def test_where_the_start_page_tells_it_is_asked_which_boards_have_changed() -> None:
    boards = [ENTRY, _board(2, 7), _board(3, 1), _board(9, 7, told=False)]
    paces = _paces(b2=12, b3=12, b9=12)
    scope = choose_round(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.through_entry
    assert scope.boards is None
    assert scope.straight == {9}


def test_where_the_budget_is_short_only_boards_whose_turn_it_is_are_visited() -> None:
    boards = [ENTRY, _board(2, 7), _board(3, 1)]
    paces = {n: Pace(n, 12, timedelta(hours=6), stretched=True) for n in (1, 2, 3)}
    scope = choose_round(plan_boards("u", boards, paces, NOW), boards, paces, NOW)
    assert scope.boards == frozenset({2})
    assert scope.through_entry
