from datetime import time

import pytest

from threadmill.dates.forms.time_of_day import clock_time
from threadmill.dates.forms.written_dates import TimeForm


@pytest.mark.parametrize(
    ("hour", "half", "wanted"),
    [(12, "am", 0), (12, "pm", 12), (3, "pm", 15), (11, "noon", 11), (1, "noon", 13), (9, "night", 21)],
)
def test_halves_of_the_day_are_told_on_24_hours(hour: int, half: str, wanted: int) -> None:
    assert clock_time(TimeForm(0, 0, 0, 0, hour, 5, half=half))[0] == time(wanted, 5)
