from datetime import date, datetime

import pytest

from threadmill.dates.meaning.resolve import Convention, clamp, resolve
from threadmill.dates.scan import scan
from threadmill.types import Precision

NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def test_the_day_after_the_last_is_the_last() -> None:
    assert clamp(2018, 9, 31) == date(2018, 9, 30)
    assert clamp(2018, 13, 1) is None


@pytest.mark.parametrize(("order", "wanted"), [("dmy", date(2019, 12, 5)), ("mdy", date(2019, 5, 12))])
def test_the_convention_of_the_site_settles_the_order(order: str, wanted: date) -> None:
    moment = resolve(scan("05/12/2019").stamps[0], NOW, Convention(order))
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
