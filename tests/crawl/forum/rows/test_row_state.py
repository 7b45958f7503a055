from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from threadmill.crawl.forum.rows.row_state import (
    Change,
    RowState,
    compare,
    compare_with_post,
    has_gone_back,
    is_before,
    state_of_row,
    stored_state,
    with_count_of_same_column,
)
from threadmill.types import BoardRow, Moment, Precision, ThreadRow


def at(day: int, clock: str | None = None, precision: Precision | None = None) -> Moment:
    moment = time.fromisoformat(clock) if clock else None
    return Moment(
        date(2025, 5, day), moment, None, precision or (Precision.MINUTE if clock else Precision.DAY)
    )


def row(replies: int | None = None, active: Moment | None = None) -> RowState:
    return state_of_row(ThreadRow("u", "t", replies=replies, active=active))


@pytest.mark.parametrize(
    ("now", "before", "change"),
    [
        (row(5), row(4), Change.CHANGED),
        (row(4), row(5), Change.CHANGED),
        (row(5), row(5), Change.SAME),
        (row(4, at(2, "10:00")), row(5, at(2, "10:00")), Change.SAME),
        (row(4, at(1, "10:00")), row(5, at(2, "10:00")), Change.SAME),  # the last one was deleted
        (row(4, at(3, "10:00")), row(5, at(2, "10:00")), Change.CHANGED),
        (row(4, at(2)), row(5, at(2)), Change.UNSURE),
        (row(5, at(3, "10:00")), row(5, at(2, "10:00")), Change.CHANGED),
        (row(5, at(2, "10:00")), row(5, at(2, "10:00")), Change.SAME),
        (row(None, at(2, "10:00")), row(None, at(2, "10:00")), Change.SAME),
        (row(None, at(2, "10:01")), row(None, at(2, "10:00")), Change.CHANGED),
        (row(None, at(2)), row(None, at(2)), Change.UNSURE),
        (row(None, at(3)), row(None, at(2)), Change.CHANGED),
        (row(5, at(2)), row(5, at(2)), Change.SAME),
        # "3 hours ago" when it was stored, the clock's own time now
        (row(None, at(2, "10:20")), row(None, at(2, "10:00", Precision.HOUR)), Change.UNSURE),
        (row(None, at(2, "14:20")), row(None, at(2, "10:00", Precision.HOUR)), Change.CHANGED),
        (row(), row(), Change.UNSURE),
        (row(5), row(), Change.UNSURE),
    ],
)
def test_a_row_tells_whether_there_is_something_new(now: RowState, before: RowState, change: Change) -> None:
    assert compare(now, before) is change


def test_what_a_row_said_survives_being_stored() -> None:
    said = state_of_row(BoardRow("u", "t", posts=7, active=at(2, "10:00")))
    assert stored_state(said.as_dict()) == said
    assert stored_state({}) == RowState()


def _state(active: str | None, precision: str = "day", **changes: Any) -> RowState:
    return RowState(active=active, precision=precision, **changes)


@pytest.mark.parametrize(
    ("active", "precision", "seen", "before"),
    [
        ("2026-05-01", "day", "2026-05-03T00:00:00", False),  # the day, its precision and a day for the zone
        ("2026-05-01", "day", "2026-05-03T00:00:01", True),
        ("2026-05-01T10:00:00", "minute", "2026-05-02T10:00:00", False),
        ("2026-05-01T10:00:00", "minute", "2026-05-02T10:00:01", True),
        ("2026-05-01T10:00:00", "second", "2026-05-02T10:00:01", True),
        ("2026-05-01T10:00:00", "hour", "2026-05-02T11:00:00", False),
        ("2026-05-01T10:00:00", "hour", "2026-05-02T11:00:01", True),
        ("2026-05-01", "month", "2026-06-02T00:00:00", False),
        ("2026-05-01", "month", "2026-06-02T00:00:01", True),
        ("2026-05-01", "year", "2027-05-03T00:00:00", False),
        ("2026-05-01", "year", "2027-05-03T00:00:01", True),
    ],
)
def test_an_activity_is_before_a_moment_by_its_precision_and_a_day_for_the_zone(
    active: str, precision: str, seen: str, before: bool
) -> None:
    assert is_before(_state(active, precision), datetime.fromisoformat(f"{seen}+00:00")) is before


def test_a_row_without_activity_is_before_nothing() -> None:
    assert not is_before(RowState(), datetime(2030, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("now", "before", "back"),
    [
        (_state("2026-04-14"), _state("2026-04-17"), True),
        (_state("2026-04-17"), _state("2026-04-17"), False),
        (_state(None), _state("2026-04-17"), False),
        (_state("2026-04-14"), _state(None), False),
        (_state("2026-04-14", count=5), _state("2026-04-17", count=5), True),
        (_state("2026-04-14", count=6), _state("2026-04-17", count=5), False),
        (_state("2026-04-14", other=6), _state("2026-04-17", other=5), False),
        (_state("2026-04-14", other=6), _state("2026-04-17"), True),
    ],
)
def test_a_date_has_gone_back_if_nothing_else_grew(now: RowState, before: RowState, back: bool) -> None:
    assert has_gone_back(now, before) is back


@pytest.mark.parametrize(
    ("now", "before", "change"),
    [
        # the same digits with day and month swapped
        (_state("2026-04-03"), _state("2026-03-04"), Change.UNSURE),
        (_state("2026-04-03T10:00:00", "minute"), _state("2026-03-04T10:00:00", "minute"), Change.UNSURE),
        (_state("2026-04-03T10:00:00", "minute"), _state("2026-03-04T11:00:00", "minute"), Change.CHANGED),
        (_state("2026-04-13"), _state("2026-03-14"), Change.CHANGED),  # there is no month 13
        (_state("2026-12-03"), _state("2026-03-12"), Change.UNSURE),
        (_state("2026-04-04"), _state("2026-04-04"), Change.UNSURE),
        # a coarse date moves by itself up to its precision
        (_state("2026-06-01", "month"), _state("2026-04-01", "month"), Change.UNSURE),
        (_state("2026-06-03", "month"), _state("2026-04-01", "month"), Change.CHANGED),
        (_state("2026-04-01T12:00:00", "hour"), _state("2026-04-01T10:00:00", "hour"), Change.UNSURE),
        (_state("2026-04-01T12:01:00", "hour"), _state("2026-04-01T10:00:00", "hour"), Change.CHANGED),
        (_state("2026-04-02"), _state("2026-04-01T00:00:00", "hour"), Change.UNSURE),
        (_state("2026-04-02", "second"), _state("2026-04-02", "second"), Change.SAME),
        (_state("2026-04-02", count=0), _state("2026-04-02", count=1), Change.UNSURE),
        (_state(None, count=0), _state("2026-04-02", count=1), Change.CHANGED),
        (_state("2026-04-02", count=0), _state(None, count=1), Change.CHANGED),
    ],
)
def test_activities_are_compared_by_their_precision(now: RowState, before: RowState, change: Change) -> None:
    assert compare(now, before) is change


def test_seconds_and_zones_of_a_row_are_dropped() -> None:
    moment = Moment(date(2025, 5, 2), time(10, 7, 33), "+02:00", Precision.SECOND)
    state = state_of_row(ThreadRow("u", "t", views=3, active=moment, active_url="last", numbers={"x": 1}))
    assert (state.active, state.precision, state.other) == ("2025-05-02T10:07:00", "second", 3)
    assert (state.active_url, state.numbers) == ("last", {"x": 1})
    assert state_of_row(BoardRow("u", "t", threads=4)).other == 4


def test_numbers_of_columns_survive_being_stored_and_are_not_compared() -> None:
    state = RowState(count=1, numbers={"x": 7})
    assert stored_state(state.as_dict()).numbers == {"x": 7}
    assert state == RowState(count=1)
    assert "numbers" not in RowState(count=1).as_dict()


@pytest.mark.parametrize(
    ("active", "precision", "newest", "change"),
    [
        ("2026-04-10T12:00:00", "minute", "2026-04-10T12:00:41+02:00", Change.SAME),
        ("2026-04-10T12:01:00", "minute", "2026-04-10T12:00:41+02:00", Change.CHANGED),
        ("2026-04-09T12:00:00", "minute", "2026-04-10T12:00", Change.SAME),
        ("2026-04-10", "day", "2026-04-10T12:00", Change.UNSURE),  # a later post of the same day
        ("2026-04-11", "day", "2026-04-10T12:00", Change.CHANGED),
        ("2026-04-10T12:00:00", "minute", "2026-04-10", Change.UNSURE),
        ("2026-04-10T12:00:00", "hour", "2026-04-09T20:00", Change.UNSURE),  # "3 hours ago" is rounded
        ("2026-02-01", "month", "2026-01-10", Change.UNSURE),
        ("2026-04-01", "month", "2026-01-10", Change.CHANGED),
        ("2026-04-10", "day", "2026", Change.UNSURE),
        (None, "", "2026-04-10", Change.UNSURE),
    ],
)
def test_the_date_of_a_row_is_compared_with_that_of_a_post(
    active: str | None, precision: str, newest: str, change: Change
) -> None:
    assert compare_with_post(RowState(active=active, precision=precision), newest) is change


def test_the_count_of_another_column_is_not_compared() -> None:
    before = RowState(3, numbers={"votes": 3, "answers": 0})
    now = RowState(0, numbers={"votes": 3, "answers": 0})
    assert with_count_of_same_column(before, now).count == 0
    answered = RowState(1, numbers={"votes": 3, "answers": 1})
    assert with_count_of_same_column(before, answered).count == 0
    assert with_count_of_same_column(now, answered) == now
    assert with_count_of_same_column(RowState(7), now).count == 7
