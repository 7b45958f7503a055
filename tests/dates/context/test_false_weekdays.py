import pytest

from threadmill.dates.scan import scan


def first_date(text: str) -> str:
    date = scan(text).stamps[0].date
    assert date is not None
    return text[date.start : date.end]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("available is January 28th", "January 28th"),
        ("born on July 9, 2017, to her parents", "July 9, 2017"),
        ("On 10/29/2025 at 2:07 PM", "10/29/2025"),
        ("postat la 27.12.2014", "27.12.2014"),
        ("obnovljen je 27. veljače 2019.", "27. veljače 2019."),
        ("С 18 апреля по 15 мая", "18 апреля"),
        ("el 11 de septiembre de 1979, donde el cantante", "11 de septiembre de 1979"),
    ],
)
def test_words_that_are_weekdays_elsewhere_are_left_out(text: str, date: str) -> None:
    assert first_date(text) == date


@pytest.mark.parametrize(
    "text",
    [
        "la 27.12.2014",
        "Mo 14. Sep 2009",
        "Sat, 1 Nov 2014",
        "22 Ağustos 2018 Çarşamba",
        "2017年05月09日（火）",
    ],
)
def test_weekdays_of_the_date_are_part_of_it(text: str) -> None:
    assert first_date(text) == text
