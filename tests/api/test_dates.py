import math
from datetime import datetime
from typing import Any

import pytest

from threadmill.api.dates import find_dates, read_date_column
from threadmill.errors import UsageError

NOW = datetime(2024, 5, 31, 12)


def test_spans_are_offsets_in_the_text() -> None:
    text = "am 5. September 2005 um 10:48 Uhr"
    found = find_dates(text, now=NOW, language="de")
    assert [(text[s.start : s.end], s.label) for s in found.spans] == [
        ("5. September 2005", "DATE"),
        ("10:48", "TIME"),
    ]
    assert found.moment is not None
    assert found.moment.isoformat() == "2005-09-05T10:48"


def test_relative_dates_count_from_now() -> None:
    found = find_dates("yesterday", now=NOW)
    assert found.moment is not None
    assert found.moment.isoformat() == "2024-05-30"


def test_a_text_without_a_date_has_no_moment() -> None:
    found = find_dates("nothing of the kind", now=NOW)
    assert found.spans == ()
    assert found.moment is None


def test_without_now_the_clock_counts() -> None:
    found = find_dates("today")
    assert found.moment is not None
    assert found.moment.date.year >= 2024


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="'xx-nowhere'"):
        find_dates("yesterday", language="xx-nowhere")
    with pytest.raises(UsageError, match="'xx-nowhere'"):
        read_date_column(["yesterday"], language="xx-nowhere")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a text as str, not NoneType"):
        find_dates(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("cells", ["12.3.2019", b"12.3.2019", None])
def test_one_text_is_no_column(cells: Any) -> None:
    with pytest.raises(
        UsageError, match=r"expected the cells of a column.*, not (str|bytes|NoneType); for one"
    ):
        read_date_column(cells)


def test_a_cell_that_is_no_text_is_refused() -> None:
    with pytest.raises(UsageError, match="expected each cell as str or None, not float"):
        read_date_column(["12.3.2019", math.nan])  # type: ignore[list-item]


def test_a_cell_may_be_empty() -> None:
    column = read_date_column(["13/04/2005", None, ""], now=NOW)
    assert [moment and moment.isoformat() for moment in column.moments] == ["2005-04-13", None, None]


def test_a_column_may_be_any_iterable() -> None:
    column = read_date_column((cell for cell in ("03/04/2005", "13/04/2005")), now=NOW)
    assert column.order == "dmy"


def test_the_cells_of_a_column_settle_each_other() -> None:
    column = read_date_column(["03/04/2005", "13/04/2005", "no date"], now=NOW)
    assert [moment and moment.isoformat() for moment in column.moments] == ["2005-04-03", "2005-04-13", None]
    assert column.order == "dmy"


def test_an_open_column_keeps_every_reading() -> None:
    column = read_date_column(["03/04/2005", "05/06/2005"], now=NOW)
    assert {reading.order for reading in column.readings} >= {"dmy", "mdy"}
