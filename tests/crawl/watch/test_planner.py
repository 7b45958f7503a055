from datetime import UTC, datetime, timedelta

from threadmill.crawl.watch.planner import PlannedBoard, choose_scope, plan_boards
from threadmill.crawl.watch.visit_rates import LONGEST, VisitRate

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
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
