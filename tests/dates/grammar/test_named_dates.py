import pytest

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
