import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.urls import is_trap


def judge(rest: str) -> str:
    return is_trap(f"http://example.com/{rest}", year=2026)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("calendar?month=5&year=2031", "calendar far ahead"),
        ("calendar.php?year=1889&month=12", "calendar far back"),
        ("events/2150/07/", "calendar far ahead"),
        ("kalender/1985-02", "calendar far back"),
        ("index.php?option=com_events&date=20400101", "calendar far ahead"),
        ("?y=2099", "calendar far ahead"),
        ("a/b/a/b/a/b", "repeating path"),
        ("img/img/img/x.png", "repeating path"),
        ("forum/login/login/login", "repeating path"),
        ("/".join(f"d{i}" for i in range(25)), "too deep"),
        ("x" * 2100, "too long"),
        ("?page=1&page=2&page=3&page=4", "growing query"),
        ("?" + "&".join(f"f{i}=1" for i in range(30)), "too many parameters"),
        ("login?return=%252525", "nested query"),
    ],
)
def test_traps_are_named(rest: str, reason: str) -> None:
    assert judge(rest) == reason


@pytest.mark.parametrize(
    "rest",
    [
        *("", "viewtopic.php?f=3&t=203105&start=20", "threads/roadster-2035-concept.345678/", "t/1234/5678"),
        *("calendar?month=12&year=2027", "calendar?year=2026&month=1", "calendar/1999/12/31", "2011/11/11/x"),
        *(
            "films?year=1936",
            "archive/1889/05/03/frontpage",
            "11/11/11",
            "events/2026/festival",
            "a/a/b",
            "a/b/a/b",
        ),
        *(
            "?tag=a&tag=b&tag=c",
            "?id[]=1&id[]=2&id[]=3&id[]=4&id[]=5",
            "calendar/event/20456",
            "day-trader/1234",
        ),
        *("product/cal-203105", "forum/daylight/198502", "best-day-ever.204506/", "best_day/204506"),
    ],
)
def test_ordinary_pages_are_no_traps(rest: str) -> None:
    assert judge(rest) == ""


def test_an_endless_calendar_is_left_within_three_years() -> None:
    months = [f"cal.php?month={m}&year={y}" for y in range(2026, 2040) for m in range(1, 13)]
    assert sum(not judge(month) for month in months) == 36


@given(st.text() | st.from_regex(r"http://a/[0-9/?&=.a-c-]*calendar[0-9/?&=.-]*"))
def test_any_text_is_judged(text: str) -> None:
    assert isinstance(is_trap(text), str)
