from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.crawl.fetch.retry import BUSY_STATUSES, RETRIED_STATUSES, backoff, read_retry_after

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Tue, 01 Jan 2030 00:02:00 GMT", 120.0),
        ("Tuesday, 01-Jan-30 00:02:00 GMT", 120.0),
        ("Mon, 31 Dec 2029 00:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        (None, None),
        ("9" * 400, 365 * 86400.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, NOW) == seconds


@given(st.text(max_size=60))
def test_any_retry_after_is_judged(value: str) -> None:
    found = read_retry_after(value, NOW)
    assert found is None or found >= 0


@given(st.integers(0, 10_000), st.floats(0, 1, exclude_max=True))
def test_a_backoff_stays_within_half_and_whole_of_its_length(attempt: int, jitter: float) -> None:
    full = min(2.0 ** min(attempt, 30), 300.0)
    assert full / 2 <= backoff(attempt, 1.0, 300.0, jitter) <= full


def test_the_statuses_of_overload_are_retried_and_two_of_them_stop_the_host() -> None:
    assert sorted(RETRIED_STATUSES) == [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]
    assert sorted(BUSY_STATUSES) == [429, 503]


def test_a_backoff_doubles_up_to_its_limit_and_is_spread_by_jitter() -> None:
    assert [backoff(attempt, 1.0, 5.0, 0.0) for attempt in range(4)] == [0.5, 1.0, 2.0, 2.5]
    assert backoff(1, 1.0, 5.0, 0.5) == 1.5


def test_a_wait_is_a_year_at_most() -> None:
    assert read_retry_after("99999999999", NOW) == 365 * 86400.0
