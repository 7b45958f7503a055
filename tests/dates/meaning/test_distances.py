from datetime import UTC, date, datetime

import pytest

from threadmill.dates.forms.written_dates import Offset, TimeForm
from threadmill.dates.meaning.distances import last_weekday, resolve_offset
from threadmill.types import Precision

NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_a_weekday_is_the_latest_before_today() -> None:
    assert last_weekday(6, NOW) == date(2026, 11, 8)
    assert last_weekday(5, NOW) == date(2026, 11, 14)


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
    moment = resolve_offset(Offset(steps), None, NOW)
    assert moment is not None
    assert (moment.date, moment.precision) == (wanted, precision)


def test_hours_are_told_in_the_zone_of_now_and_days_in_none() -> None:
    hour = resolve_offset(Offset((("hour", -1),)), None, NOW.replace(tzinfo=UTC))
    day = resolve_offset(Offset((("day", -1),)), TimeForm(0, 0, 0, 0, 9, 15), NOW.replace(tzinfo=UTC))
    assert hour is not None
    assert day is not None
    assert (hour.zone, day.zone) == ("UTC", None)


def test_a_distance_beyond_our_years_means_nothing() -> None:
    assert resolve_offset(Offset((("year", -100),)), None, NOW) is None
    assert resolve_offset(Offset((("year", -1e9),)), None, NOW) is None
