import pytest

from threadmill.dates.scan import scan


def clocks(text: str) -> list[tuple[bool, int | None]]:
    return [(s.date is not None, s.time.hour if s.time else None) for s in scan(text).stamps]


def test_a_date_takes_the_time_after_it_before_the_one_before_it() -> None:
    assert clocks("10:15, 5 May 2019, 11:30") == [(False, 10), (True, 11)]
    assert clocks("10:15, 5 May 2019") == [(True, 10)]


def test_a_time_beyond_other_words_stays_alone() -> None:
    assert clocks("5 May 2019 by a user who came at last to us 10:48") == [(True, None), (False, 10)]


def test_two_dates_take_a_time_each() -> None:
    assert clocks("5 May 2019 10:15 | 6 May 2019 11:30") == [(True, 10), (True, 11)]


def test_a_clock_with_dots_behind_a_date_is_no_second_date() -> None:
    assert clocks("25. mar. 2019 14.05.09") == [(True, 14)]
    assert clocks("25.3.2019 klo 14.05.09") == [(True, 14)]
    assert clocks("12.05.2019 - 14.05.19") == [(True, None), (True, None)]


def test_a_zone_between_date_and_time_is_the_time_s() -> None:
    (stamp,) = scan("16 Nov 2026 UTC 10:00").stamps
    assert stamp.time is not None
    assert stamp.time.zone == "UTC"
    assert clocks("Mon Nov 16 CET 2026 10:00") == [(True, 10)]


def test_noon_is_a_time_behind_at_and_a_name_alone() -> None:
    assert clocks("at noon") == [(False, 12)]
    assert clocks("Midnight") == clocks("noon") == []


def test_a_time_far_from_its_date_stays_alone() -> None:
    assert clocks("5 May 2019 | by a user | 10:48") == [(True, None), (False, 10)]
    assert clocks("5 May 2019 at, - 10:48") == [(True, 10)]
    assert clocks("5 May 2019" + " -" * 4 + " 10:48") == [(True, 10)]
    assert clocks("5 May 2019" + " -" * 5 + " 10:48") == [(True, None), (False, 10)]


def test_a_year_behind_the_time_belongs_to_the_date() -> None:
    (stamp,) = scan("Sat Nov 1 10:15:00 CET 2013").stamps
    assert stamp.year is not None
    assert (stamp.year.year, stamp.year.kind, stamp.year.year_width) == (2013, "year", 4)
    assert scan("Sat Nov 1 10:15, 2013").stamps[0].year is not None
    for text in ("Sat Nov 1 10:15 2013x", "Sat Nov 1 2012 10:15 2013", "11/1 10:15 2013", "10:15 Nov 1"):
        assert all(stamp.year is None for stamp in scan(text).stamps)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("20200422T150300Z", (15, 3, 0, "UTC")),
        ("20200422T1503", (15, 3, None, None)),
        ("20200422T235959", (23, 59, 59, None)),
        ("20200422T235960", (23, 59, 59, None)),
        ("20200422T240000", None),
        ("20200422T236000", None),
        ("20200422T15", None),
    ],
)
def test_digits_behind_a_compact_date_are_its_time(
    text: str, clock: tuple[int, int, int | None, str | None] | None
) -> None:
    time = next((stamp.time for stamp in scan(text).stamps), None)
    assert (time and (time.hour, time.minute, time.second, time.zone)) == clock


def test_an_unsure_time_before_a_date_is_not_taken() -> None:
    assert clocks("15.03 5 May 2019") == [(True, None)]
    assert clocks("15:03 5 May 2019") == [(True, 15)]
