"""Where dates and times are found, and where nothing may be found."""

from datetime import UTC, date, datetime, time

import pytest

from threadmill.dates import Moment, Precision, find_dates, parse_date


def spans(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in find_dates(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Nov 25, 2019", "Sunday, 05 October 99", "January 30, 2015", "Monday, Jan 30, 2015", "December 13.",
        "Jan. 21/99", "2019 11 13", "30 02 2020", "05 02 1999", "16 10 12", "2009-December-11", "2009-Dec-11",
        "Feb-Tue-23-99", "15 July", "Sep 31, '98", "2016January05", "13 June 2020", "Sat Nov 1 2013",
        "Mon 13 Oct '97", "3 weeks ago", "3 天前", "昨天", "前天", "3ч", "24 Май", "29 Ноя '24",
        "13 août 2023",
        "10 Monate 3 Wochen",
        "1 Jahr 2 Tage her", "2020. április 22.", "22 апреля 2020 г.", "22 tháng 4, 2020",
        "2020. 4. 22.",
        "22 בינואר 2020", "令和2年4月22日", "22 เม.ย. 2563", "۱۳۹۸/۰۵/۱۲",
    ],
)  # fmt: skip
def test_every_kind_of_date_is_one_span(text: str) -> None:
    assert spans(text) == [(text, "DATE")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Post » alan smithee # 05 Sep 2005, 10:48 @tagged",
            [("05 Sep 2005", "DATE"), ("10:48", "TIME")],
        ),
        ("11:43pm On Apr 23", [("11:43pm", "TIME"), ("Apr 23", "DATE")]),
        ("yesterday at 10:15", [("yesterday", "DATE"), ("10:15", "TIME")]),
        ("发表于 2023-7-18 21:45:45", [("2023-7-18", "DATE"), ("21:45:45", "TIME")]),
        ("2020年4月22日(水) 下午 3:24", [("2020年4月22日(水)", "DATE"), ("下午 3:24", "TIME")]),
        ("Posted at 10:15", [("10:15", "TIME")]),
    ],
)
def test_dates_and_times_of_a_byline_are_spans_of_their_own(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert spans(text) == expected


def test_attribute_values_are_read_like_text() -> None:
    text = (
        '<time class="pub-date" datetime="2020-4-22 15:3"> <span class="date">22.04.2020</span> '
        '|<span class="time">15.03</span></time>'
    )
    assert spans(text) == [
        ("2020-4-22", "DATE"),
        ("15:3", "TIME"),
        ("22.04.2020", "DATE"),
        ("15.03", "TIME"),
    ]


def test_an_exact_attribute_value_stands_for_the_relative_words_beside_it() -> None:
    assert spans('<span title="2025-5-29 13:25">3 天前</span>') == [
        ("2025-5-29", "DATE"),
        ("13:25", "TIME"),
    ]


def test_offsets_point_into_the_text_as_given_when_it_has_character_references() -> None:
    assert spans("am 5. M&auml;rz 2019&nbsp;um 10:15") == [("5. M&auml;rz 2019", "DATE"), ("10:15", "TIME")]


@pytest.mark.parametrize(
    "text",
    [
        "version 10.11.12", "v2.3.14", "192.168.1.1", "page 3 of 25", "post #12", "score 3:2", "$12.05",
        "john2019", "http://example.org/2019/05/12/x", "+1 555-12-11-2019", "5 out of 10", "call 555-12-11",
        "IMG_20190512_101500.jpg", "10.12.11.5", "/archive/2019/05/12/", "16:9",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_date_stays_silent(text: str) -> None:
    assert spans(text) == []


NOW = datetime(2026, 11, 15, 12, 0)


def iso(text: str) -> str | None:
    moment = parse_date(text, NOW)
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
    assert parse_date("5 May 2019", NOW) == Moment(date(2019, 5, 5), None, None, Precision.DAY)


def test_an_impossible_day_is_the_last_of_its_month() -> None:
    assert iso("Sep 31, '98") == "1998-09-30"
    assert iso("30 02 2020") == "2020-02-29"


def test_an_amount_of_hours_before_an_aware_now_is_in_its_zone() -> None:
    moment = parse_date("3 hours ago", datetime(2026, 11, 15, 1, 30, tzinfo=UTC))
    assert moment == Moment(date(2026, 11, 14), time(22, 30), "UTC", Precision.HOUR)


@pytest.mark.parametrize("text", ["", "hello", "13/13/2013", "5 May 1889", "version 1.2.3"])
def test_what_is_no_date_means_nothing(text: str) -> None:
    assert parse_date(text, NOW) is None
