"""Columns of one site together."""

from datetime import datetime

from threadmill.dates import read_column, settle_order

NOW = datetime(2026, 11, 15, 12, 0)
OPEN = read_column(["05/06/2020"], NOW)
MONTH_FIRST = read_column(["12/30/2017", "1/2/2018"], NOW)
DAY_FIRST = read_column(["30/12/2017", "2/1/2018"], NOW)
NAMED = read_column(["5 May 2019", "6 May 2019"], NOW)
SAME = read_column(["5/5/2018"], NOW)


def test_a_settled_column_settles_an_open_one() -> None:
    assert settle_order([OPEN, MONTH_FIRST]) == "mdy"
    assert settle_order([OPEN, DAY_FIRST, NAMED]) == "dmy"


def test_open_columns_leave_the_order_open() -> None:
    assert settle_order([OPEN]) == ""
    assert settle_order([]) == ""


def test_columns_without_numbers_and_numbers_that_read_the_same_have_no_say() -> None:
    assert settle_order([NAMED, SAME]) == ""
    assert settle_order([NAMED, SAME, MONTH_FIRST]) == "mdy"


def test_one_wrong_column_does_not_outvote_two() -> None:
    assert settle_order([MONTH_FIRST, MONTH_FIRST, DAY_FIRST]) == "mdy"


def test_what_is_settled_reads_the_open_column() -> None:
    order = settle_order([OPEN, MONTH_FIRST])
    moment = read_column(["05/06/2020"], NOW, order=order).moments[0]
    assert moment is not None
    assert moment.isoformat() == "2020-05-06"
