from datetime import date, time

import pytest

from threadmill.crawl.forum.row_state import Change, RowState, compare, state_of_row, stored_state
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
