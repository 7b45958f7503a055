from datetime import datetime

import pytest

from threadmill.dates import find_dates, parse_date
from threadmill.dates.grammar.written_dates import RelativeOffset
from threadmill.dates.scan import scan

NOW = datetime(2014, 9, 1, 10, 30)


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
    moment = parse_date(text, NOW)
    assert moment is not None
    assert moment.isoformat().startswith(wanted)


def test_units_of_different_languages_make_no_distance() -> None:
    assert not [s for s in scan("3 Tage ago").stamps if s.date and s.date.offset]


@pytest.mark.parametrize("text", ["supervision is more a need", "from Maine, who spent", "por Ana em Lisboa"])
def test_words_that_are_days_in_some_language_stay_words(text: str) -> None:
    assert scan(text).stamps == []


SUNDAY = datetime(2026, 11, 15, 12, 0)


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
    found = parse_date(text, SUNDAY)
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
