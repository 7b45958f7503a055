from datetime import datetime

import pytest

from threadmill.dates import find_dates, parse_date
from threadmill.dates.scan import scan


def spans(text: str) -> list[str]:
    return [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date]


@pytest.mark.parametrize(
    "text",
    [
        "[Sept] 04, 2014",
        "30th Avr 2025",
        "28. u studenom 2017.",
        "12-14 June 2021",
        "2019年12月3日",
        "12-דצמ׳-2024",
    ],
)
def test_a_date_with_a_named_month_is_read_whole(text: str) -> None:
    assert spans(text) == [text]


def test_a_bracket_around_the_whole_stamp_is_no_part_of_the_date() -> None:
    assert spans("(Fri 16 Oct 2020 5:18)") == ["Fri 16 Oct 2020"]


@pytest.mark.parametrize(
    "text", ["ab 19,90 EUR", "PS5 2023 edition", "USB 3.2 Gen 1", "5 out of 10", "(c) Some AG 2013"]
)
def test_words_that_are_months_somewhere_are_no_dates_here(text: str) -> None:
    assert spans(text) == []


def test_a_word_of_another_language_before_the_date_is_no_weekday() -> None:
    assert spans("Postat pe 9 mai 2013") == ["9 mai 2013"]
    assert spans("등록일 2020.07.15") == ["2020.07.15"]


@pytest.mark.parametrize("text", ["27 Th07 2017", "1° maggio 2010", "Mon Nov 16 CET 2026"])
def test_marks_and_signs_of_one_language_are_read(text: str) -> None:
    assert spans(text) == [text]


def test_an_ordinal_is_no_mark_of_a_month() -> None:
    assert spans("the 5th 2 days later") == []
    assert spans("נכתב ב-3 במרץ 2011") == ["3 במרץ 2011"]


NOW = datetime(2026, 11, 15, 12, 0)  # a Sunday


def read_text(text: str) -> tuple[list[str], str | None]:
    """What is found in a text, and the moment it means."""
    moment = parse_date(text, NOW)
    return [text[span.start : span.end] for span in find_dates(text)], moment.isoformat() if moment else None


@pytest.mark.parametrize(
    ("text", "span", "moment"),
    [
        ("5 May 19", "5 May 19", "2019-05-05"),
        ("5 May 51", "5 May", "2026-05-05"),
        ("5 May 69", "5 May", "2026-05-05"),
        ("5 May 70", "5 May 70", "1970-05-05"),
        ("5 May 32", "5 May 32", "2032-05-05"),
        ("5 May '19", "5 May '19", "2019-05-05"),
        ("5 May 21 Posts: 301", "5 May 21", "2021-05-05"),
        ("5 May 21 users", "5 May", "2026-05-05"),
        ("May '19", "May '19", "2019-05"),
        ("2028 May", "2028 May", "2028-05"),
        ("16年5月3日", "16年5月3日", "2016-05-03"),
        ("令和2年4月", "令和2年4月", "2020-04"),
        ("平成30年4月22日", "平成30年4月22日", "2018-04-22"),
        ("12 พ.ย. 43", "12 พ.ย. 43", "2000-11-12"),
        ("12 พ.ย. 42", "12 พ.ย. 42", "2042-11-12"),
        ("12 พ.ย. 69", "12 พ.ย. 69", "2026-11-12"),
    ],
)
def test_a_year_is_taken_only_where_one_can_be(text: str, span: str, moment: str) -> None:
    assert read_text(text) == ([span], moment)


@pytest.mark.parametrize(
    ("text", "span", "moment"),
    [
        ("21. listopada 2016", "21. listopada 2016", "2016-10-21"),
        ("21 listopada 2016", "21 listopada 2016", "2016-11-21"),
        ("30. lis 2016.", "30. lis 2016.", "2016-10-30"),
        ("30 lis 2016.", "30 lis 2016", "2016-11-30"),
        ("until January 28.", "January 28", "2026-01-28"),
        ("október 22.", "október 22.", "2026-10-22"),
    ],
)
def test_dots_belong_to_the_languages_that_write_them(text: str, span: str, moment: str) -> None:
    assert read_text(text) == ([span], moment)


@pytest.mark.parametrize("text", ["Mai 19,90 Euro", "27th 07 2017", "2016年13月3日"])
def test_numbers_outside_the_calendar_make_no_date(text: str) -> None:
    assert read_text(text) == ([], None)


def test_an_impossible_day_after_a_marked_month_is_left_out() -> None:
    assert read_text("2016年5月32日") == (["2016年5月"], "2016-05")
