"""What the order of a column tells."""

from datetime import date, datetime, time

from threadmill.dates import read_date_column
from threadmill.dates.columns.chronology import compare_moments, count_inversions, main_direction
from threadmill.types import Moment, Precision

NOW = datetime(2026, 11, 15, 12, 0)


def at(day: int, hour: int | None = None) -> Moment:
    if hour is None:
        return Moment(date(2020, 5, day))
    return Moment(date(2020, 5, day), time(hour), None, Precision.MINUTE)


def shown(cells: list[str]) -> list[str]:
    return [moment.isoformat() if moment else "" for moment in read_date_column(cells, NOW).moments]


def test_a_day_without_time_is_neither_before_nor_after_a_time_of_that_day() -> None:
    assert compare_moments(at(3), at(3, 10)) == 0
    assert compare_moments(at(3, 9), at(3, 10)) == -1
    assert compare_moments(at(4), at(3, 10)) == 1


def test_steps_against_a_direction_are_counted() -> None:
    rising = [at(1), at(3), at(2), at(5)]
    assert count_inversions(rising, 1) == 1
    assert count_inversions(rising, -1) == 2
    assert main_direction(rising) == 1
    assert main_direction(rising[::-1]) == -1


def test_years_left_out_are_moved_back_where_the_column_runs_on_over_new_year() -> None:
    assert shown(["3 Feb", "10 Jan", "28 Dec", "30 Nov"]) == [
        "2026-02-03",
        "2026-01-10",
        "2025-12-28",
        "2025-11-30",
    ]


def test_a_sticky_on_top_moves_no_year() -> None:
    cells = ["1 Mar", "9 Nov", "8 Nov", "7 Nov", "6 Nov", "5 Nov", "4 Nov"]
    assert shown(cells)[0] == "2026-03-01"
    assert shown(cells)[1] == "2026-11-09"


def test_a_clock_without_halves_passes_noon_where_a_day_would_run_backwards() -> None:
    cells = ["5 May 2020 9:10", "5 May 2020 11:45", "5 May 2020 1:30", "5 May 2020 4:05"]
    assert [text[-5:] for text in shown(cells)] == ["09:10", "11:45", "13:30", "16:05"]


def test_a_clock_that_is_in_order_is_left_alone() -> None:
    cells = ["5 May 2020 1:10", "5 May 2020 2:45", "5 May 2020 3:30", "5 May 2020 4:05"]
    assert [text[-5:] for text in shown(cells)] == ["01:10", "02:45", "03:30", "04:05"]
