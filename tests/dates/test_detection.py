"""Where dates and times are found, and where nothing may be found."""

import pytest

from threadmill.dates import detect


def spans(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.label) for span in detect(text)]


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
