from datetime import date

import pytest

from threadmill.dates.meaning.calendars import gregorian_from_persian


@pytest.mark.parametrize(
    ("persian", "gregorian"),
    [
        ((1398, 1, 1), date(2019, 3, 21)),
        ((1399, 12, 30), date(2021, 3, 20)),  # a leap day
        ((1357, 11, 22), date(1979, 2, 11)),
    ],
)
def test_a_persian_day_has_its_gregorian_one(persian: tuple[int, int, int], gregorian: date) -> None:
    assert gregorian_from_persian(*persian) == gregorian


def test_a_day_the_calendar_has_not_is_refused() -> None:
    assert gregorian_from_persian(1398, 12, 30) is None
