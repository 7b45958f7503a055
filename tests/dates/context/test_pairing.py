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
