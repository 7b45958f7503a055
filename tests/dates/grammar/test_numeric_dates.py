from datetime import datetime

import pytest

from threadmill.dates import find_dates, parse_date
from threadmill.dates.grammar.numeric_dates import possible_orders
from threadmill.dates.scan import scan


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
        ("20200431", [], "2020-04-30"),
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
