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
