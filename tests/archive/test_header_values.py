from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.archive.header_values import read_http_date, read_iso_date, read_whole_number


def test_dates_are_read_in_utc() -> None:
    assert read_http_date("Tue, 15 Nov 1994 08:12:31 GMT") == datetime(1994, 11, 15, 8, 12, 31, tzinfo=UTC)
    assert read_http_date("Tue, 15 Nov 1994 08:12:31 -0000") == datetime(1994, 11, 15, 8, 12, 31, tzinfo=UTC)
    assert read_iso_date("2024-05-01T10:00:00+02:00") == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert read_iso_date("2024-05-01T10:00:00") == datetime(2024, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["", None, "soon", "Tue, 15 Nov 1994 08:12:31 +999999", "Sat, 1 Jan 9999 00:00:00 -9999", "x" * 10**6],
)
def test_absurd_http_dates_are_none(value: str | None) -> None:
    assert read_http_date(value) is None


@pytest.mark.parametrize("value", ["", None, "0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-14:00", "x"])
def test_absurd_iso_dates_are_none(value: str | None) -> None:
    assert read_iso_date(value) is None


def test_numbers_are_read_and_huge_ones_cut() -> None:
    assert read_whole_number(" 12 ") == 12
    assert read_whole_number("-5") == -5
    assert read_whole_number("9" * 5000) == 10**13 - 1
    for value in (None, "", "--5", "1.5", "²", "٣", "5-"):
        assert read_whole_number(value) is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    read_http_date(text)
    read_iso_date(text)
    read_whole_number(text)
