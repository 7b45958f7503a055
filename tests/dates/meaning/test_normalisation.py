"""The moments texts speak of."""

from datetime import UTC, date, datetime, time

import pytest

from threadmill.dates import Moment, Precision, normalise

NOW = datetime(2026, 11, 15, 12, 0)


def iso(text: str) -> str | None:
    moment = normalise(text, NOW)
    return moment.isoformat() if moment else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nov 25, 2019", "2019-11-25"),
        ("Sunday, 05 October 99", "1999-10-05"),
        ("Feb-Tue-23-99", "1999-02-23"),
        ("2016January05", "2016-01-05"),
        ("11:43pm On Apr 23", "2026-04-23T23:43"),
        ("2011-12-03T17:27:18-05:00", "2011-12-03T17:27:18-05:00"),
        ("Sat Nov 1 10:15:00 2013", "2013-11-01T10:15:00"),
        ("Posted by Anna on 12/05/2019 at 3:24 PM", "2019-12-05T15:24"),
        ("22/04/2020 15:03", "2020-04-22T15:03"),
        ("3 weeks ago", "2026-10-25"),
        ("an hour ago", "2026-11-15T11"),
        ("yesterday at 10:15", "2026-11-14T10:15"),
        ("Sunday at 10:15 AM", "2026-11-08T10:15"),
        ("Sunday 8th March", "2026-03-08"),
        ("12 декабря", "2025-12-12"),
        ('<i title="2025-5-29 13:25">3 天前</i>', "2025-05-29T13:25"),
        ('<abbr data-time="1587567780">x</abbr>', "2020-04-22T15:03:00+00:00"),
        ("20200422T150300Z", "2020-04-22T15:03:00+00:00"),
        ("۱۳۹۸/۰۵/۱۲", "2019-08-03"),
        ("22 เม.ย. 2563 10:15", "2020-04-22T10:15"),
        ("ส. 12 พ.ย. 65 11:12", "2022-11-12T11:12"),
        ("2020年5月3日 中午11:30", "2020-05-03T11:30"),
        ("πριν από 2 days", "2026-11-13"),
    ],
)
def test_a_text_means_the_moment_it_shows(text: str, expected: str) -> None:
    assert iso(text) == expected


def test_a_date_shown_to_the_day_is_not_midnight() -> None:
    assert normalise("5 May 2019", NOW) == Moment(date(2019, 5, 5), None, None, Precision.DAY)


def test_an_impossible_day_is_the_last_of_its_month() -> None:
    assert iso("Sep 31, '98") == "1998-09-30"
    assert iso("30 02 2020") == "2020-02-29"


def test_an_amount_of_hours_before_an_aware_now_is_in_its_zone() -> None:
    moment = normalise("3 hours ago", datetime(2026, 11, 15, 1, 30, tzinfo=UTC))
    assert moment == Moment(date(2026, 11, 14), time(22, 30), "UTC", Precision.HOUR)


@pytest.mark.parametrize("text", ["", "hello", "13/13/2013", "5 May 1889", "version 1.2.3"])
def test_what_is_no_date_means_nothing(text: str) -> None:
    assert normalise(text, NOW) is None
