from datetime import datetime, time

import pytest

from threadmill.dates.grammar.times import to_24_hours
from threadmill.dates.grammar.written_dates import WrittenTime
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
    assert (time.hour, time.minute, time.day_period, time.zone) == (hour, minute, half, zone)


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


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("Oct. 11, 2025, noon", 12),
        ("5. Mai 2019 um Mitternacht", 0),
        ("yesterday at noon", 12),
        ("31/12/2017 μεσημέρι", 12),
        ("05/24/2019 منتصف الليل", 0),
    ],
)
def test_noon_and_midnight_behind_a_date_are_times(text: str, hour: int) -> None:
    stamp = scan(text).stamps[0]
    assert stamp.date is not None
    assert stamp.time is not None
    assert stamp.time.hour == hour


@pytest.mark.parametrize(
    "text",
    [
        "We met at noon.",
        "May 5, 2019 Midnight wrote:",
        "<i>May 5, 2019</i> <b>Midnight</b>",
        "May 2019 Midnight",
    ],
)
def test_noon_and_midnight_elsewhere_are_words(text: str) -> None:
    assert all(stamp.time is None for stamp in scan(text).stamps)


@pytest.mark.parametrize("time", ["4:43 μμ.", "9:23 odp.", "10:37 vorm.", "8:52 de"])
def test_a_short_half_of_the_day_ends_the_time_with_its_dot(time: str) -> None:
    found = scan(f"2019-05-12 {time}")
    assert found.stamps[0].time is not None
    assert found.tokens.text[found.stamps[0].time.start : found.stamps[0].time.end] == time.replace("µ", "μ")


@pytest.mark.parametrize(
    ("hour", "half", "wanted"),
    [(12, "am", 0), (12, "pm", 12), (3, "pm", 15), (11, "noon", 11), (1, "noon", 13), (9, "night", 21)],
)
def test_halves_of_the_day_are_told_on_24_hours(hour: int, half: str, wanted: int) -> None:
    assert to_24_hours(WrittenTime(0, 0, 0, 0, hour, 5, day_period=half)) == time(wanted, 5)
