"""Columns read as a whole."""

from datetime import date, datetime, time

import pytest

from threadmill.dates import ColumnReading, DateColumn, read_date_column, settle_date_order
from threadmill.dates.date_column import (
    compare_moments,
    count_inversions,
    fill_missing_years,
    fix_afternoons,
    main_direction,
)
from threadmill.dates.scan import scan
from threadmill.dates.written_dates import DateConvention, WrittenTimestamp
from threadmill.types import Moment, Precision

PRESENT = datetime(2026, 11, 15, 12, 0)


def at(day: int, hour: int | None = None) -> Moment:
    if hour is None:
        return Moment(date(2020, 5, day))
    return Moment(date(2020, 5, day), time(hour), None, Precision.MINUTE)


def shown(cells: list[str]) -> list[str]:
    return [moment.isoformat() if moment else "" for moment in read_date_column(cells, PRESENT).moments]


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


def test_cells_without_a_date_stand_in_the_way_of_no_year() -> None:
    cells = ["3 Feb", "hello", "10 Jan", "", "28 Dec", "30 Nov"]
    assert shown(cells) == ["2026-02-03", "", "2026-01-10", "", "2025-12-28", "2025-11-30"]


def test_cells_without_a_time_stand_in_the_way_of_no_afternoon() -> None:
    hours = ["5 May 2020 9:10", "5 May 2020", "5 May 2020 11:45", "hello"]
    cells = [*hours, "5 May 2020 1:30", "5 May 2020 4:05"]
    assert [text[11:] for text in shown(cells)] == ["09:10", "", "11:45", "", "13:30", "16:05"]


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
    assert fill_missing_years(stamps, list(moments), PRESENT, [DateConvention()] * 3) == moments
    assert fix_afternoons(stamps, list(moments)) == moments


NOW = datetime(2026, 11, 15, 12, 0)


def dates(column: DateColumn) -> list[str | None]:
    return [moment.isoformat() if moment else None for moment in column.moments]


def test_one_impossible_month_settles_the_order_of_all() -> None:
    column = read_date_column(["1/2/2018", "12/30/2017"], NOW)
    assert dates(column) == ["2018-01-02", "2017-12-30"]
    assert column.readings == ()


def test_days_close_together_settle_the_order() -> None:
    column = read_date_column(["03/04/2019", "05/04/2019", "07/04/2019"], NOW)
    assert dates(column) == ["2019-04-03", "2019-04-05", "2019-04-07"]
    assert column.confidence > 0.95


def test_a_column_that_cannot_be_settled_gives_both_readings() -> None:
    column = read_date_column(["05/06/2020"], NOW)
    assert {reading.order for reading in column.readings} == {"dmy", "mdy"}
    assert column.confidence < 0.95


def test_another_column_of_the_site_settles_it() -> None:
    column = read_date_column(["05/06/2020"], NOW, order="mdy")
    assert dates(column) == ["2020-05-06"]
    assert column.readings == ()


def test_today_above_shows_that_the_month_comes_first() -> None:
    column = read_date_column(["Today, 10:15", "Yesterday, 11:00", "11/10/2026", "11/09/2026"], NOW)
    assert dates(column) == ["2026-11-15T10:15", "2026-11-14T11:00", "2026-11-10", "2026-11-09"]


def test_future_dates_rule_an_order_out() -> None:
    assert dates(read_date_column(["12/10/2026"], NOW)) == ["2026-10-12"]


def test_years_left_out_follow_the_order_of_the_column() -> None:
    column = read_date_column(["Apr 23", "Mar 1", "Dec 30", "Nov 3", "Dec 1"], NOW)
    assert dates(column) == ["2026-04-23", "2026-03-01", "2025-12-30", "2025-11-03", "2024-12-01"]


def test_short_years_may_lead() -> None:
    assert dates(read_date_column(["16 10 12", "16 10 14", "16 11 02"], NOW))[0] == "2016-10-12"


def test_cells_that_are_no_dates_are_none_and_lower_the_confidence() -> None:
    column = read_date_column(["5 May 2019", "hello", ""], NOW)
    assert dates(column) == ["2019-05-05", None, None]
    assert column.confidence == 0.5


def test_an_empty_column_is_read_as_nothing() -> None:
    assert read_date_column([], NOW) == DateColumn((), 0.0)


def test_french_yesterday_before_a_time_with_a_letter_in_it_is_the_day_before() -> None:
    now = datetime(2016, 5, 1, 12)
    cells = ["Aujourd'hui, 01h19", "Hier, 22h20", "Hier à 08h18", "28/04/2016, 16h08"]
    days = [moment.date.day for moment in read_date_column(cells, now).moments if moment]
    assert days == [1, 30, 30, 28]


NOW = datetime(2026, 11, 15, 12, 0)
OPEN = read_date_column(["05/06/2020"], NOW)
MONTH_FIRST = read_date_column(["12/30/2017", "1/2/2018"], NOW)
DAY_FIRST = read_date_column(["30/12/2017", "2/1/2018"], NOW)
NAMED = read_date_column(["5 May 2019", "6 May 2019"], NOW)
SAME = read_date_column(["5/5/2018"], NOW)


def test_a_settled_column_settles_an_open_one() -> None:
    assert settle_date_order([OPEN, MONTH_FIRST]) == "mdy"
    assert settle_date_order([OPEN, DAY_FIRST, NAMED]) == "dmy"


def test_open_columns_leave_the_order_open() -> None:
    assert settle_date_order([OPEN]) == ""
    assert settle_date_order([]) == ""


def test_columns_without_numbers_and_numbers_that_read_the_same_have_no_say() -> None:
    assert settle_date_order([NAMED, SAME]) == ""
    assert settle_date_order([NAMED, SAME, MONTH_FIRST]) == "mdy"


def test_one_wrong_column_does_not_outvote_two() -> None:
    assert settle_date_order([MONTH_FIRST, MONTH_FIRST, DAY_FIRST]) == "mdy"


def test_what_is_settled_reads_the_open_column() -> None:
    order = settle_date_order([OPEN, MONTH_FIRST])
    moment = read_date_column(["05/06/2020"], NOW, order=order).moments[0]
    assert moment is not None
    assert moment.isoformat() == "2020-05-06"


@pytest.mark.parametrize(
    ("cells", "order", "confidence", "others"),
    [
        (["05/06/2020"], "dmy", 0.7318, ["mdy"]),
        (["05.06.2020"], "dmy", 0.9821, ["mdy"]),
        (["05/06/2020 10:15 PM"], "mdy", 0.817, ["dmy"]),
        (["05.06.2020 10:15 PM"], "dmy", 0.9821, ["mdy"]),
        (["12/10/2026"], "dmy", 0.9996, []),
        (["05/06/20"], "dmy", 0.6845, ["mdy", "ymd"]),
        (["2020-05-06"], "ymd", 0.9975, ["ydm"]),
        (["Fri 5/12/2020"], "dmy", 0.0, ["mdy"]),
        (["31/02/2020", "02/03/2020"], "dmy", 0.4804, ["mdy"]),
        (["05/06/2020", "hello"], "dmy", 0.3659, ["mdy"]),
        (["", "05/06/2020", "  "], "dmy", 0.7318, ["mdy"]),
        (["01/02/2020", "01/03/2020", "01/04/2020"], "mdy", 0.9934, ["dmy"]),
        (["03/04/2019", "05/04/2019"], "dmy", 0.9825, ["mdy"]),
        (["01/02/2020", "02/02/2020", "03/02/2020", "04/02/2020"], "dmy", 1.0, []),
        (["07/01/2019", "04/11/2019", "09/11/2019"], "dmy", 0.6288, ["mdy"]),  # three rows in order tell
        (["12/01/2012", "03/04/2011", "05/06/2019", "07/08/2010", "02/03/2018"], "dmy", 0.7317, ["mdy"]),
        (["5/6", "6/6", "7/6"], "dmy", 0.9991, []),
        (["5/5/2018"], "", 1.0, []),
        (["16 Nov 2026"], "", 1.0, []),
        (["17 Nov 2026"], "", 0.0, []),
    ],
)
def test_the_confidence_weighs_custom_chronology_and_impossible_cells(
    cells: list[str], order: str, confidence: float, others: list[str]
) -> None:
    column = read_date_column(cells, NOW)
    assert (column.order, column.confidence) == (order, confidence)
    assert [reading.order for reading in column.readings[1:]] == others
    if column.readings:
        assert column.readings[0].moments == column.moments
        assert sum(reading.confidence for reading in column.readings) == pytest.approx(1, abs=0.002)


@pytest.mark.parametrize(
    ("cell", "order", "date", "settled"),
    [
        ("05/06/2020", "ymd", "2020-05-06", "mdy"),
        ("05/06/20", "ymd", "2005-06-20", "ymd"),
        ("05/06/20", "mdy", "2020-05-06", "mdy"),
        ("13/06/2020", "mdy", "2020-06-13", "dmy"),
    ],
)
def test_a_given_order_is_used_where_it_is_possible(cell: str, order: str, date: str, settled: str) -> None:
    column = read_date_column([cell], NOW, order=order)
    assert (dates(column), column.order) == ([date], settled)


def test_a_site_does_not_mix_day_first_and_month_first() -> None:
    column = read_date_column(["5/6/2020", "6.13.2020"], NOW)
    assert dates(column) == ["2020-05-06", "2020-06-13"]


def test_the_language_is_the_one_most_cells_share() -> None:
    assert read_date_column(["5 listopada 2016"], NOW).language == "pl"
    assert dates(read_date_column(["5 listopada 2016"], NOW, "hr")) == ["2016-10-05"]
    mixed = read_date_column(["10 окт 2016", "11 lis 2016", "12 lis 2016"], NOW)
    assert (mixed.language, dates(mixed)) == ("pl", ["2016-10-10", "2016-11-11", "2016-11-12"])
    assert read_date_column(["5/6/2020"], NOW).language == ""


def test_an_order_needs_odds_of_twenty_to_one_over_the_columns_of_a_site() -> None:
    def column(confidence: float) -> DateColumn:
        other = ColumnReading("mdy", (), 1 - confidence)
        return DateColumn((), confidence, (ColumnReading("dmy", (), confidence), other), "dmy")

    assert settle_date_order([column(0.951)]) == ""
    assert settle_date_order([column(0.953)]) == "dmy"
    assert settle_date_order([column(0.82), column(0.82)]) == "dmy"
    assert settle_date_order([column(0.81), column(0.81)]) == ""
    assert settle_date_order([DateColumn((), 0.0, (), "dmy")]) == ""


def test_a_column_whose_dates_contradict_each_other_is_read_nevertheless() -> None:
    """Its cells come from two parts of a page: one puts the day first, the other the month."""
    column = read_date_column(["31.12.2015", "12/30/2015"], datetime(2016, 3, 1))
    assert [moment and moment.date.isoformat() for moment in column.moments] == ["2015-12-31", "2015-12-30"]
