import pytest

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
