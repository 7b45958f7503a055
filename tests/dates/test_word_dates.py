from datetime import datetime

import pytest

from threadmill.dates import find_dates, parse_date
from threadmill.dates.scan import scan
from threadmill.dates.written_dates import RelativeOffset


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


MONDAY = datetime(2014, 9, 1, 10, 30)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 year 2 months ago", "2013-07"),
        ("преди 3 месеца преди 2 седмици", "2014-05-18"),
        ("2 gün öncə 23 saat öncə", "2014-08-29T11"),
        ("2.5 hours ago", "2014-09-01T08"),
        ("twenty one days ago", "2014-08-11"),
        ("now - 2 hours", "2014-09-01T08"),
        ("last decade", "2004"),
        ("大前天", "2014-08-29"),
        ("לפני יומיים", "2014-08-30"),
        ("לפני שעתיים", "2014-09-01T08"),
        ("לפני כ־3 שעות", "2014-09-01T07"),
        ("قبل يومين", "2014-08-30"),
        ("이틀 전", "2014-08-30"),
        ("하루 전", "2014-08-31"),
        ("преди около час", "2014-09-01T09"),
        ("około godziny temu", "2014-09-01T09"),
    ],
)
def test_a_distance_is_taken_from_now(text: str, wanted: str) -> None:
    moment = parse_date(text, MONDAY)
    assert moment is not None
    assert moment.isoformat().startswith(wanted)


def test_units_of_different_languages_make_no_distance() -> None:
    assert not [s for s in scan("3 Tage ago").stamps if s.date and s.date.offset]


@pytest.mark.parametrize("text", ["supervision is more a need", "from Maine, who spent", "por Ana em Lisboa"])
def test_words_that_are_days_in_some_language_stay_words(text: str) -> None:
    assert scan(text).stamps == []


@pytest.mark.parametrize(
    ("text", "spans", "moment"),
    [
        ("1 year 2 months ago", ["1 year 2 months ago"], "2025-09"),
        ("in 3 days", ["in 3 days"], "2026-11-18"),
        ("3 days from now", ["3 days from now"], "2026-11-18"),
        ("2 órája", ["2 órája"], "2026-11-15T10"),
        ("a lani", ["lani"], "2025"),
        ("il y a quelques semaines et m'a", ["il y a quelques semaines"], "2026-10-25"),
        ("преди 2 месеца.", ["преди 2 месеца"], "2026-09"),
        ("منذ دقيقة واحدة", ["منذ دقيقة واحدة"], "2026-11-15T11:59"),
        ("for 3 timer siden", ["for 3 timer siden"], "2026-11-15T09"),
        ("上周三", ["上周三"], "2026-11-11"),
        ("last Sunday", ["last Sunday"], "2026-11-08"),
        ("this Sunday", ["this Sunday"], "2026-11-15"),
        ("next Sunday", ["next Sunday"], "2026-11-22"),
        ("next week", [], "2026-11-22"),
        ("just now", ["just now"], "2026-11-15T12:00:00"),
        ("3h 5m", ["3h 5m"], "2026-11-15T08:55"),
        ("2.25 hours ago", ["2.25 hours ago"], "2026-11-15T09"),
    ],
)
def test_words_and_amounts_are_read_whole(text: str, spans: list[str], moment: str) -> None:
    assert [text[span.start : span.end] for span in find_dates(text)] == spans
    found = parse_date(text, NOW)
    assert found is not None
    assert found.isoformat() == moment


def offset_of(text: str) -> RelativeOffset | None:
    date = scan(text, lenient=True).stamps[0].date
    assert date is not None
    return date.offset


def test_an_amount_keeps_its_units_and_its_sign() -> None:
    assert offset_of("2.5 hours ago") == RelativeOffset((("hour", -2.5),))
    assert offset_of("1 year, 2 months ago") == RelativeOffset((("year", -1), ("month", -2)))
    assert offset_of("in 3 days") == RelativeOffset((("day", 3),))
    assert offset_of("קבל לפני יומיים") == RelativeOffset((("day", -2),))
    assert offset_of("last Sunday") == RelativeOffset((), 6, -1)
    assert offset_of("last week") == RelativeOffset((("week", -1),))
    assert offset_of("yesterday") == RelativeOffset((("day", -1),))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("пре недељу дана", "2014-08-25"),
        ("пре месец дана", "2014-08"),
        ("pre godinu dana", "2013"),
        ("prije tjedan dana", "2014-08-25"),
        ("2 sett. fa", "2014-08-18"),
        ("2 sett fa", "2014-08-18"),
    ],
)
def test_a_distance_is_read_whole(text: str, wanted: str) -> None:
    moment = parse_date(text, MONDAY)
    assert spans(text) == [text]
    assert moment is not None
    assert moment.isoformat() == wanted


def test_a_unit_after_another_unit_is_no_part_of_the_distance() -> None:
    assert spans("пре дан недеља") == ["пре дан"]
