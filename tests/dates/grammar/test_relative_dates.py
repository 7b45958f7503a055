from datetime import datetime

import pytest

from threadmill.dates import parse_date
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
