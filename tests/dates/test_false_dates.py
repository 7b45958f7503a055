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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("version 10.11.12", []), ("firmware: 10.11.2012", []), ("10.11.12", ["10.11.12"]), ("1.2.13", []),
        ("1. 2. 13", ["1. 2. 13"]), ("1.2.13 10:15", ["1.2.13"]), ("Mon 1.2.13", ["Mon 1.2.13"]),
        ("16 10 12", ["16 10 12"]), ("the 16 10 12 was", []), ("PS5 2023", []), ("cut1", []),
        ("may 5", ["may 5"]),
        ("on May 5 they", ["May 5"]), ("set 3", []), ("3 set", ["3 set"]), ("AG 2013", ["AG 2013"]),
        ("Some Firm AG 2013", []), ("by 2028 may be", []), ("the 2024 LED lamp", []),
        ("már 1998", ["már 1998"]),
        ("5/12", []), ("Sat 5/12", ["Sat 5/12"]), ("sat 5/12 and more", []), ("Sat 5-12", []),
        ("Sat 05-12", ["Sat 05-12"]), ("WO1-5", []), ("12.05. hello", ["12.05."]), ("5/12 10:15", ["5/12"]),
        ("hier", ["hier"]), ("hier wir", []), ("hier 10:15", ["hier"]), ("tomorrow", []),
        ("tomorrow 10:15", ["tomorrow"]), ("jutro", []), ("no", []), ("now", ["now"]), ("it is now late", []),
        ("3h", ["3h"]), ("3H", []), ("2D", []), ("6k", []), ("3 h", []), ("3 hours", []),
        ("we ran 3 hours", []),
        ("Monday", ["Monday"]), ("we met Monday", []), ("Monday 10:15", ["Monday"]), ("Mon", []),
        ("Mon 10:15", ["Mon"]), ("mon 10:15", []), ("cars", []), ("cars 10:15", ["cars"]),
        ("20200422", []), ("20200422T1503", ["20200422"]), ("2 in 3 days", []), ("1587567780", []),
        ("1d ago", ["1d ago"]), ("3 h ago", ["3 h ago"]), ("il y a 2 heures", ["il y a 2 heures"]),
    ],
)  # fmt: skip
def test_the_context_decides_whether_it_is_a_date(text: str, found: list[str]) -> None:
    assert [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.2.13", ["1.2.13"]), ("Sat 5-12", ["Sat 5-12"]), ("tomorrow", ["tomorrow"]), ("Mon", ["Mon"]),
        ("3 hours", ["3 hours"]), ("20200422", ["20200422"]), ("no", ["no"]), ("set 3", ["set 3"]),
        ("12/2019", ["12/2019"]), ("in 12/2019 we", []), ("we ran 3 hours", []), ("1587567780", []),
    ],
)  # fmt: skip
def test_a_cell_of_a_date_column_may_hold_less_but_nothing_else(text: str, found: list[str]) -> None:
    assert [text[s.date.start : s.date.end] for s in scan(text, lenient=True).stamps if s.date] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mars2020", []),
        ("by Mars2020 » 12 May 2019", ["12 May 2019"]),
        ("Март2020", []),
        ("Mr.May 25.01.2015", ["25.01.2015"]),
        ("Marc 14-Apr-1997", ["14-Apr-1997"]),
        ("Augustus 05/jan/2015", ["05/jan/2015"]),
        ("April 5 May 2019", ["5 May 2019"]),
        ("by Avril 2014-05-06", ["2014-05-06"]),
        ("Jan 3 - Feb 2012", ["Jan 3", "Feb 2012"]),
        ("May 25, 2015", ["May 25, 2015"]),
        ("May 25", ["May 25"]),
        ("2016January05", ["2016January05"]),
        ("aus, 12", []),
        ("Wir gehen davon aus, 12 Leute", []),
        ("stalo se 6. 5. 2010", ["6. 5. 2010"]),
        ("se 6. 5. 2010", ["6. 5. 2010"]),
    ],
)
def test_a_name_is_no_month_and_a_small_word_no_weekday(text: str, found: list[str]) -> None:
    assert [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by admin 20130321", ["20130321"]),
        ("Posted 20130321 by admin", ["20130321"]),
        ("admin | 20130321 10:15", ["20130321"]),
        ("order 20130321", []),
        ("ISBN 20130321", []),
        ("we sold 20130321 of them by then", []),
        ("par alan, hier", ["hier"]),
        ("alan » Hier", ["Hier"]),
        ("di alan, Domenica", ["Domenica"]),
        ("작성자 alan 화요일", ["화요일"]),
        ("投稿者: alan 月曜日", ["月曜日"]),
        ("alan 星期一", ["星期一"]),
        ("作者：alan 星期三", ["星期三"]),
        ("írta: alan, hétfő", ["hétfő"]),
        ("de alan, luni", ["luni"]),
        ("von Hans, hier", []),
        ("date: 20140102", ["20140102"]),
        ("Последнее сообщение от alan, понедельник", ["понедельник"]),
        ("alan tarafından Pazartesi", ["Pazartesi"]),
        ("yesterday by alan", ["yesterday"]),
        ("I am done by Monday", []),
        ("Ok, Monday", []),
        ("Started by FrED", []),
        ("Central, MA", []),
        ("Oui, hier", []),
        ("alan · 5h", ["5h"]),
        ("last reply 5h", ["5h"]),
        ("by alan 2d", ["2d"]),
        ("rope | 5m", []),
        ("rope - 5m", []),
        ("alan · 4G", []),
        ("Guten Morgen,", []),
        ("alan, Hier", ["Hier"]),
        ("月曜日に行きます", []),
    ],
)
def test_a_byline_needs_less_proof_than_a_sentence(text: str, found: list[str]) -> None:
    assert [text[s.date.start : s.date.end] for s in scan(text).stamps if s.date] == found
