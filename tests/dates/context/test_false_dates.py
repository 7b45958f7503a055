import pytest

from threadmill.dates.scan import scan


@pytest.mark.parametrize(
    "text",
    [
        "my pack would normally be 12-15 lbs",
        "or a 5.8-mile hike",
        "in fila per 6 col resto",
        "11:29 PM</a></cite>Die nicht irren",
        "<a href='/more'>More</a>",
        "Device 005: ID 06cb:009a",
        "set 3",
    ],
)
def test_what_real_pages_say_beside_dates_is_no_date(text: str) -> None:
    assert [stamp.date for stamp in scan(text).stamps if stamp.date] == []


@pytest.mark.parametrize("text", ["Monday 10:30", "Sat 5/12", "5 May", "12.05. 10:30"])
def test_little_is_enough_where_something_speaks_for_it(text: str) -> None:
    assert [stamp.date for stamp in scan(text).stamps if stamp.date] != []


def test_a_cell_of_a_column_needs_less_proof() -> None:
    assert scan("5/12").stamps == []
    assert scan("5/12", lenient=True).stamps != []


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
