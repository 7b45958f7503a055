"""What the order of a column tells."""

from datetime import date, datetime, time

import pytest

from threadmill.dates import read_date_column
from threadmill.dates.columns.chronology import (
    compare_moments,
    count_inversions,
    fill_missing_years,
    fix_afternoons,
    main_direction,
)
from threadmill.dates.grammar.written_dates import WrittenTimestamp
from threadmill.dates.meaning.resolve import DateConvention
from threadmill.dates.scan import scan
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


def stamps_of(*cells: str) -> list[WrittenTimestamp | None]:
    return [scan(cell, lenient=True).stamps[0] if cell else None for cell in cells]


def test_equal_times_and_days_are_neither_earlier_nor_later() -> None:
    assert compare_moments(at(3, 10), at(3, 10)) == 0
    assert compare_moments(at(3), at(3)) == 0
    assert compare_moments(at(3, 10), at(3)) == 0
    assert compare_moments(at(3, 11), at(3, 10)) == 1
    assert compare_moments(at(2), at(3)) == -1


def test_a_column_that_runs_both_ways_equally_counts_as_ascending() -> None:
    assert main_direction([at(1), at(2), at(1)]) == 1
    assert main_direction([]) == 1


@pytest.mark.parametrize(
    ("cells", "years"),
    [
        (["3 Feb", "28 Dec"], [2026, 2025]),
        (["28 Dec", "3 Feb"], [2025, 2026]),
        (["9 Nov", "8 Nov", "7 Nov", "9 Nov"], [2026, 2026, 2026, 2025]),
        (["1 Mar", "9 Nov", "8 Nov", "7 Nov"], [2026, 2026, 2026, 2026]),
        (["10/11", "9/11", "30/12", "29/12"], [2026, 2026, 2025, 2025]),
        (["5 Nov", "5 Oct 2025", "1 Oct 2025", "28 Nov 2024", "1 Nov"], [2026, 2025, 2025, 2024, 2024]),
        (["3 Feb", "4 Mar", "5 Apr"], [2026, 2026, 2026]),
    ],
)
def test_years_move_back_only_where_the_column_asks_for_it(cells: list[str], years: list[int]) -> None:
    assert [int(text[:4]) for text in shown(cells)] == years


def clocks(*cells: str) -> list[str]:
    return [text[11:] for text in shown([f"5 May 2020 {cell}" for cell in cells])]


def test_afternoons_are_found_only_on_a_twelve_hour_clock() -> None:
    assert clocks("11:10", "1:45", "2:30") == ["11:10", "01:45", "02:30"]  # three cells are too few
    assert clocks("11:10", "1:45", "2:30", "13:05") == ["11:10", "01:45", "02:30", "13:05"]
    assert clocks("11:10", "1:45 PM", "2:30", "3:05") == ["11:10", "13:45", "02:30", "03:05"]
    assert clocks("12:10", "1:45", "11:30", "12:05") == ["00:10", "01:45", "11:30", "12:05"]
    assert clocks("4:10", "2:45", "11:30", "9:05") == ["16:10", "14:45", "11:30", "09:05"]


def test_a_new_day_begins_in_the_morning_again() -> None:
    cells = ["5 May 2020 11:10", "5 May 2020 1:45", "6 May 2020 1:30", "6 May 2020 2:05"]
    assert shown(cells) == ["2020-05-05T11:10", "2020-05-05T13:45", "2020-05-06T01:30", "2020-05-06T02:05"]


def test_cells_without_a_moment_are_passed_over() -> None:
    stamps = stamps_of("3 Feb", "", "28 Dec")
    moments = [Moment(date(2026, 2, 3)), None, Moment(date(2025, 12, 28))]
    assert fill_missing_years(stamps, list(moments), NOW, [DateConvention()] * 3) == moments
    assert fix_afternoons(stamps, list(moments)) == moments
