from datetime import date, datetime, time

import pytest

from threadmill.dates import find_dates, parse_date
from threadmill.dates.scan import scan
from threadmill.dates.written_dates import WrittenTime, combine_day_and_time, possible_orders, to_24_hours
from threadmill.types import Moment, Precision


@pytest.mark.parametrize(
    ("numbers", "widths", "orders"),
    [
        ((5, 12, 2019), (2, 2, 4), ("dmy", "mdy")),
        ((25, 12, 2019), (2, 2, 4), ("dmy",)),
        ((2019, 12, 25), (4, 2, 2), ("ymd",)),
        ((1, 2, 3), (2, 2, 2), ("dmy", "mdy", "ymd")),
        ((36, 14, 2016), (2, 2, 4), ()),
    ],
)
def test_the_orders_are_those_the_calendar_allows(
    numbers: tuple[int, ...], widths: tuple[int, ...], orders: tuple[str, ...]
) -> None:
    assert possible_orders(numbers, widths) == orders


def test_a_range_begins_on_its_first_day() -> None:
    date = scan("12.-14.06.2021").stamps[0].date
    assert date is not None
    assert date.numbers == (12, 6, 2021)


@pytest.mark.parametrize(
    ("digits", "time"), [("20210820030646", (3, 6, 46)), ("202108200306", (3, 6, None)), ("20210820", None)]
)
def test_digits_in_a_row_hold_a_day_and_perhaps_a_time(
    digits: str, time: tuple[int, int, int | None] | None
) -> None:
    stamp = scan(digits, lenient=True).stamps[0]
    assert stamp.date is not None
    assert (stamp.date.year, stamp.date.months[0].value, stamp.date.day) == (2021, 8, 20)
    assert (stamp.time and (stamp.time.hour, stamp.time.minute, stamp.time.second)) == time


def test_a_version_before_a_hyphen_is_no_date() -> None:
    assert scan("the announcement for pre-2.1.99-3").stamps == []


NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def read_text(text: str) -> tuple[list[str], str | None]:
    """What is found in a text, and the moment it means."""
    moment = parse_date(text, NOW)
    return [text[span.start : span.end] for span in find_dates(text)], moment.isoformat() if moment else None


@pytest.mark.parametrize(
    ("text", "spans", "moment"),
    [
        ("31/12/2019", ["31/12/2019"], "2019-12-31"),
        ("12/31/2019", ["12/31/2019"], "2019-12-31"),
        ("2019/13/12", ["2019/13/12"], "2019-12-13"),
        ("2019-31-12", ["2019-31-12"], "2019-12-31"),
        ("2019,11,13", ["2019,11,13"], "2019-11-13"),
        ("25. 9. 2012 a od té doby", ["25. 9. 2012"], "2012-09-25"),
        ("25.09.2012 r.", ["25.09.2012 r."], "2012-09-25"),
        ("12/2019", [], "2019-12"),
        ("20200431", [], None),
        ("202004221503", [], "2020-04-22T15:03"),
        ('<i data-time="1587567780123">x</i>', ["1587567780123"], "2020-04-22T15:03:00+00:00"),
        ('<i data-time="2556143999">x</i>', ["2556143999"], "2050-12-31T23:59:59+00:00"),
        ("15.03", [], "2026-03-15"),
    ],
)
def test_numbers_mean_the_day_they_write(text: str, spans: list[str], moment: str) -> None:
    assert read_text(text) == (spans, moment)


@pytest.mark.parametrize(
    "text",
    ["32/12/2019", "13/13/2019", "0/5/2019", "5/0/2019", "13/2019", "0/2019", "20201301", "20200400",
    "1587567780",
     '<i data-time="2556144000">x</i>', "60/60", "0/5", "32/5"],
)  # fmt: skip
def test_numbers_outside_the_calendar_are_no_date(text: str) -> None:
    assert read_text(text) == ([], None)


@pytest.mark.parametrize(
    ("numbers", "widths", "orders"),
    [
        ((2019, 25, 12), (4, 2, 2), ("ydm",)),
        ((2019, 5, 12), (4, 2, 2), ("ymd", "ydm")),
        ((2019, 0, 12), (4, 2, 2), ()),
        ((12, 2019, 5), (2, 4, 2), ()),
        ((12, 31, 2019), (2, 2, 4), ("mdy",)),
        ((31, 12, 19), (2, 2, 2), ("dmy", "ymd")),
        ((31, 12, 65), (2, 2, 2), ()),
        ((12, 31, 19), (2, 2, 2), ("mdy",)),
        ((99, 12, 31), (2, 2, 2), ("ymd",)),
        ((60, 12, 31), (2, 2, 2), ()),
        ((5, 6, 7), (1, 1, 2), ("dmy", "mdy")),
        ((5, 6, 7), (1, 1, 1), ()),
        ((0, 6, 7), (2, 2, 2), ("ymd",)),
        ((32, 12, 2019), (2, 2, 4), ()),
        ((31, 13, 2019), (2, 2, 4), ()),
    ],
)
def test_every_order_is_checked_against_day_month_and_year(
    numbers: tuple[int, ...], widths: tuple[int, ...], orders: tuple[str, ...]
) -> None:
    assert possible_orders(numbers, widths) == orders


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


@pytest.mark.parametrize(
    ("text", "span", "moment"),
    [
        ("10:46 PM.", "10:46 PM", "2026-11-15T22:46"),
        ("10:46 p.m.", "10:46 p.m.", "2026-11-15T22:46"),
        ("13:00 am", "13:00", "2026-11-15T13:00"),
        ("11:54 du", "11:54 du", "2026-11-15T23:54"),
        ("11:54 du code", "11:54", "2026-11-15T11:54"),
        ("9 PM", "9 PM", "2026-11-15T21"),
        ("de 12h30", "12h30", "2026-11-15T12:30"),
        ("10:15:00-05:00", "10:15:00-05:00", "2026-11-15T10:15:00-05:00"),
        ("10:15 -0530", "10:15 -0530", "2026-11-15T10:15-05:30"),
        ("10:15+1400", "10:15+1400", "2026-11-15T10:15+14:00"),
        ("10:15+1500", "10:15", "2026-11-15T10:15"),
        ("24:00", "24:00", "2026-11-15T00:00"),
        ("12:30 am", "12:30 am", "2026-11-15T00:30"),
        ("12:30 pm", "12:30 pm", "2026-11-15T12:30"),
        ("中午9:30", "中午9:30", "2026-11-15T21:30"),
        ("中午10:30", "中午10:30", "2026-11-15T10:30"),
        ("晚上6:30", "晚上6:30", "2026-11-15T18:30"),
        ("at noon", "noon", "2026-11-15T12"),
        ("kl. 15.03", "15.03", "2026-11-15T15:03"),
        ("15.03 Uhr", "15.03", "2026-11-15T15:03"),
    ],
)
def test_a_time_alone_is_one_of_today(text: str, span: str, moment: str) -> None:
    assert read_text(text) == ([span], moment)


@pytest.mark.parametrize(
    "text", ["24:01", "25:00", "23:60", "23:59:61", "4wd", "1 night", "noon", "2:1", "10:1"]
)
def test_what_is_no_time_of_day_is_not_read(text: str) -> None:
    assert read_text(text) == ([], None)


@pytest.mark.parametrize(
    ("hour", "period", "wanted"),
    [
        (11, "am", 11), (12, "am", 0), (11, "pm", 23), (12, "midnight", 0), (11, "midnight", 11),
        (9, "noon", 21),
        (10, "noon", 10), (12, "night", 0), (5, "night", 5), (6, "night", 18), (11, "night", 23),
        (13, "night", 13),
        (13, "", 13),
    ],
)  # fmt: skip
def test_each_day_period_has_its_own_noon(hour: int, period: str, wanted: int) -> None:
    assert to_24_hours(WrittenTime(0, 0, 0, 0, hour, day_period=period)).hour == wanted


def test_a_moment_is_as_precise_as_its_time() -> None:
    day = date(2020, 5, 5)
    assert combine_day_and_time(day, None) == Moment(day)
    hour = combine_day_and_time(day, WrittenTime(0, 0, 0, 0, 9))
    assert (hour.time, hour.precision) == (time(9), Precision.HOUR)
    minute = combine_day_and_time(day, WrittenTime(0, 0, 0, 0, 9, 15, zone="UTC"))
    assert (minute.time, minute.zone, minute.precision) == (time(9, 15), "UTC", Precision.MINUTE)
    second = combine_day_and_time(day, WrittenTime(0, 0, 0, 0, 9, 15, 30))
    assert (second.time, second.precision) == (time(9, 15, 30), Precision.SECOND)


def test_a_time_knows_how_its_day_period_is_written() -> None:
    def first(text: str) -> WrittenTime:
        found = scan(text).stamps[0].time
        assert found is not None
        return found

    assert first("5/6/2019 10:46 p.m.").english_period
    assert not first("5/6/2019 4:43 μμ.").english_period
    assert first("2019-5-6 下午4:08").cjk_period
    assert not first("5/6/2019 10:46 PM").cjk_period
    assert first("5 May 2019 15.03").needs_date
    assert not first("5 May 2019 15:03").needs_date
    assert first("5 May 2019, noon").spoken


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("2019-05-12 10:15+1500", "10:15"),
        ("2019-05-12 10:15 - 2019", "10:15"),
        ("2019-05-12 10:15 UTC+1500", "10:15 UTC"),
        ("2019-05-12 10:15+0200", "10:15+0200"),
    ],
)
def test_a_number_that_is_no_offset_does_not_belong_to_the_time(text: str, clock: str) -> None:
    assert read_text(text)[0] == ["2019-05-12", clock]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-02-31", None),
        ("2020-02-31 10:15", None),
        ("2020/04/31", None),
        ("31.02.2020", "2020-02-29"),
        ("2020-02-29", "2020-02-29"),
    ],
)
def test_a_machine_writes_no_impossible_day(text: str, moment: str | None) -> None:
    assert read_text(text)[1] == moment
