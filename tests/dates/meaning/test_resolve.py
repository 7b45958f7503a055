from datetime import UTC, date, datetime

import pytest

from threadmill.dates.grammar.written_dates import RelativeOffset, WrittenTime
from threadmill.dates.meaning.calendars import clamp_day
from threadmill.dates.meaning.resolve import DateConvention, latest_weekday, resolve, resolve_offset
from threadmill.dates.scan import scan
from threadmill.types import Precision

NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_the_day_after_the_last_is_the_last() -> None:
    assert clamp_day(2018, 9, 31) == date(2018, 9, 30)
    assert clamp_day(2018, 13, 1) is None


@pytest.mark.parametrize(("order", "wanted"), [("dmy", date(2019, 12, 5)), ("mdy", date(2019, 5, 12))])
def test_the_convention_of_the_site_settles_the_order(order: str, wanted: date) -> None:
    moment = resolve(scan("05/12/2019").stamps[0], NOW, DateConvention(order))
    assert moment is not None
    assert moment.date == wanted


def test_a_date_without_year_lies_in_the_past() -> None:
    moment = resolve(scan("24 December").stamps[0], NOW)
    assert moment is not None
    assert moment.date == date(2025, 12, 24)
    assert moment.precision is Precision.DAY


def test_a_half_of_the_day_in_chinese_says_that_the_year_comes_first() -> None:
    moment = resolve(scan("17-07-27 下午 5:26").stamps[0], NOW)
    assert moment is not None
    assert moment.date == date(2017, 7, 27)


NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_a_weekday_is_the_latest_before_today() -> None:
    assert latest_weekday(6, NOW) == date(2026, 11, 8)
    assert latest_weekday(5, NOW) == date(2026, 11, 14)


@pytest.mark.parametrize(
    ("steps", "wanted", "precision"),
    [
        ((("month", -9),), date(2026, 2, 15), Precision.MONTH),
        ((("week", -1), ("day", -2)), date(2026, 11, 6), Precision.DAY),
        ((("hour", -13),), date(2026, 11, 14), Precision.HOUR),
    ],
)
def test_a_distance_is_as_precise_as_its_smallest_unit(
    steps: tuple[tuple[str, float], ...], wanted: date, precision: Precision
) -> None:
    moment = resolve_offset(RelativeOffset(steps), None, NOW)
    assert moment is not None
    assert (moment.date, moment.precision) == (wanted, precision)


def test_hours_are_told_in_the_zone_of_now_and_days_in_none() -> None:
    hour = resolve_offset(RelativeOffset((("hour", -1),)), None, NOW.replace(tzinfo=UTC))
    day = resolve_offset(
        RelativeOffset((("day", -1),)), WrittenTime(0, 0, 0, 0, 9, 15), NOW.replace(tzinfo=UTC)
    )
    assert hour is not None
    assert day is not None
    assert (hour.zone, day.zone) == ("UTC", None)


def test_a_distance_beyond_our_years_means_nothing() -> None:
    assert resolve_offset(RelativeOffset((("year", -100),)), None, NOW) is None
    assert resolve_offset(RelativeOffset((("year", -1e9),)), None, NOW) is None
