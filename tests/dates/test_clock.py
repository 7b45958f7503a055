from datetime import datetime

import pytest

from threadmill.dates.scan import scan


@pytest.mark.parametrize(
    ("text", "hour", "minute", "half", "zone"),
    [
        ("10:46 PM", 10, 46, "pm", None),
        ("下午4:08", 4, 8, "pm", None),
        ("21:33:05+02:00", 21, 33, "", "+02:00"),
        ("16:20 GMT", 16, 20, "", "UTC"),
        ("9h15", 9, 15, "", None),
    ],
)
def test_a_clock_is_read_with_its_half_and_its_zone(
    text: str, hour: int, minute: int, half: str, zone: str | None
) -> None:
    time = scan(f"2019-05-12 {text}").stamps[0].time
    assert time is not None
    assert (time.hour, time.minute, time.half, time.zone) == (hour, minute, half, zone)


def test_a_span_of_hours_is_no_time_zone() -> None:
    time = scan("2019-05-12 10:15-11:30").stamps[0].time
    assert time is not None
    assert time.zone is None


def test_a_year_after_the_seconds_is_no_fraction() -> None:
    stamp = scan("Tue Jan 5 10:00:00,2021").stamps[0]
    assert stamp.year is not None
    assert stamp.year.year == datetime(2021, 1, 5).year


def test_numbers_beyond_a_day_are_no_time() -> None:
    assert scan("2019-05-12 25:61").stamps[0].time is None
