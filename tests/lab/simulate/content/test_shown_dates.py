from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.lab.simulate.content.language import CODES, load_language
from threadmill.lab.simulate.content.shown_dates import DateStyle, ForumZone, format_date, show_date

EN = load_language("en")
NOW = int(datetime(2016, 3, 1, 12, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("when", "minutes"),
    [
        ("2016-03-27T00:59", 60),
        ("2016-03-27T01:00", 120),
        ("2016-10-30T00:59", 120),
        ("2016-10-30T01:00", 60),
    ],
)
def test_summer_time_begins_and_ends_as_in_europe(when: str, minutes: int) -> None:
    moment = int(datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp())
    assert ForumZone(60, summer=True).offset(moment) == minutes


def test_twelve_hour_clocks_know_noon_and_midnight() -> None:
    assert format_date("{h}:{MM} {ap}", datetime(2016, 1, 1, 0, 5), EN) == "12:05 am"
    assert format_date("{hh}:{MM} {AP}", datetime(2016, 1, 1, 12, 5), EN) == "12:05 PM"


def test_lately_is_said_by_the_sites_own_day() -> None:
    style = DateStyle("{Y}-{mm}-{dd}", "{today}", "{yesterday}")
    late = int(datetime(2016, 2, 29, 23, 30, tzinfo=UTC).timestamp())
    assert show_date(late, NOW, style, ForumZone(0), EN).text == "Yesterday"
    assert show_date(late, NOW, style, ForumZone(60), EN).text == "Today"


@pytest.mark.parametrize(
    ("style", "age", "precision"),
    [
        (DateStyle("{Y} {HH}:{MM}:{SS} {d}"), 0, "second"),
        (DateStyle("{d} {HH}:{MM}"), 0, "minute"),
        (DateStyle("{d}.{m}.{Y}"), 0, "day"),
        (DateStyle("{month} {Y}"), 0, "month"),
        (DateStyle("{month} {Y}", exact="{d} {HH}:{MM}"), 0, "minute"),
        (DateStyle("{Y}", relative_days=30), 7200, "hour"),
        (DateStyle("{Y}", relative_days=30), 3 * 86400, "day"),
        (DateStyle("{Y}", relative_days=30), 17 * 86400, "week"),
        (DateStyle("{Y}", relative_days=999), 500 * 86400, "year"),
    ],
)
def test_the_precision_is_what_a_reader_can_know(style: DateStyle, age: int, precision: str) -> None:
    assert show_date(NOW - age, NOW, style, ForumZone(), EN).precision == precision


@given(st.integers(1_400_000_000, 1_500_000_000), st.integers(-12, 14))
def test_the_iso_form_names_the_moment_exactly(moment: int, hours: int) -> None:
    iso = show_date(moment, moment + 10, DateStyle("{Y}"), ForumZone(hours * 60), EN).iso
    assert int(datetime.fromisoformat(iso).timestamp()) == moment


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_every_word_and_form(code: str) -> None:
    language = load_language(code)
    assert set(language.words) == set(EN.words)
    assert len(language.months) == len(language.short_months) == 12
    assert len(language.weekdays) == len(language.short_weekdays) == 7
    for unit in EN.ago:
        for number in (1, 2, 5, 11, 21):
            assert str(number) in language.say_ago(unit, number)


@pytest.mark.parametrize(
    ("code", "number", "said"),
    [
        ("ru", 1, "1 час назад"),
        ("ru", 3, "3 часа назад"),
        ("ru", 11, "11 часов назад"),
        ("ru", 21, "21 час назад"),
        ("pl", 22, "22 godziny temu"),
        ("pl", 21, "21 godzin temu"),
        ("fr", 0, "il y a 0 heure"),
        ("zh", 3, "3 小时前"),
    ],
)
def test_plurals_follow_the_language(code: str, number: int, said: str) -> None:
    assert load_language(code).say_ago("hour", number) == said
