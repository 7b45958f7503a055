from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.dates.written_dates import (
    WrittenDate,
    WrittenTime,
    WrittenTimestamp,
    clamp_day,
    expand_year,
    gregorian_from_persian,
)


def test_a_distance_from_now_names_no_day_by_itself() -> None:
    assert WrittenDate(0, 5, 0, 1, "numeric").exact
    assert not WrittenDate(0, 5, 0, 1, "relative").exact
    assert not WrittenDate(0, 5, 0, 1, "weekday").exact


def test_a_stamp_begins_with_its_first_part() -> None:
    date, time = WrittenDate(8, 18, 3, 6, "named"), WrittenTime(0, 5, 0, 3, 10, 15)
    assert WrittenTimestamp(date, time).start == 0
    assert WrittenTimestamp(date, None).start == 8


@pytest.mark.parametrize(
    ("persian", "gregorian"),
    [
        ((1398, 1, 1), date(2019, 3, 21)),
        ((1399, 12, 30), date(2021, 3, 20)),  # a leap day
        ((1357, 11, 22), date(1979, 2, 11)),
    ],
)
def test_a_persian_day_has_its_gregorian_one(persian: tuple[int, int, int], gregorian: date) -> None:
    assert gregorian_from_persian(*persian) == gregorian


def test_a_day_the_calendar_has_not_is_refused() -> None:
    assert gregorian_from_persian(1398, 12, 30) is None


@pytest.mark.parametrize(
    ("value", "width", "year"),
    [
        (0, 2, 2000), (50, 2, 2050), (51, 2, None), (69, 2, None), (70, 2, 1970), (99, 2, 1999),
        (1969, 4, None), (1970, 4, 1970), (2050, 4, 2050), (2051, 4, None), (5, 1, None),
    ],
)  # fmt: skip
def test_a_written_year_is_completed_where_a_forum_can_show_it(
    value: int, width: int, year: int | None
) -> None:
    assert expand_year(value, width) == year


@pytest.mark.parametrize(
    ("numbers", "day"),
    [
        ((2020, 2, 31), date(2020, 2, 29)), ((2019, 2, 29), date(2019, 2, 28)),
        ((2019, 12, 31), date(2019, 12, 31)),
        ((2019, 1, 1), date(2019, 1, 1)), ((2019, 0, 1), None), ((2019, 13, 1), None), ((2019, 1, 0), None),
        ((2019, 1, 32), None), ((0, 1, 1), None), ((1, 1, 1), date(1, 1, 1)),
        ((9998, 1, 1), date(9998, 1, 1)),
        ((9999, 1, 1), None),
    ],
)  # fmt: skip
def test_a_day_beyond_its_month_is_the_last_one(numbers: tuple[int, int, int], day: date | None) -> None:
    assert clamp_day(*numbers) == day


@pytest.mark.parametrize(
    ("persian", "gregorian"),
    [
        ((1343, 1, 1), date(1964, 3, 21)), ((1342, 12, 29), None), ((1450, 1, 1), date(2071, 3, 21)),
        ((1451, 1, 1), None), ((1398, 6, 31), date(2019, 9, 22)), ((1398, 7, 1), date(2019, 9, 23)),
        ((1398, 7, 31), None), ((1398, 11, 30), date(2020, 2, 19)), ((1398, 12, 29), date(2020, 3, 19)),
        ((1398, 0, 1), None), ((1398, 13, 1), None), ((1398, 1, 0), None), ((1399, 12, 31), None),
    ],
)  # fmt: skip
def test_persian_months_have_their_own_lengths(persian: tuple[int, int, int], gregorian: date | None) -> None:
    assert gregorian_from_persian(*persian) == gregorian


@given(st.dates(date(1964, 3, 21), date(2071, 3, 20)))
def test_every_gregorian_day_is_exactly_one_persian_day(day: date) -> None:
    year = day.year - 621
    days = [(y, m, d) for y in (year - 1, year) for m in range(1, 13) for d in range(1, 32)]
    assert sum(gregorian_from_persian(*persian) == day for persian in days) == 1
