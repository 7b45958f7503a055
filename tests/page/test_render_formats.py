import csv
import io
import json

import pytest

from threadmill import clean, render_page
from threadmill.errors import UsageError
from threadmill.page.render import CSV_HEAD, RepeatedParagraphs
from threadmill.types import Page

HTML = (
    "<title>Tides</title><h1>Tides</h1><p>" + "The tide was late at the pier today. " * 9 + "</p>"
    "<table><tr><td>Six</td><td>1.2 m</td></tr></table>"
)


def page() -> Page:
    return clean(HTML, "https://example.org/a", method="everything")


def test_json_is_one_line_with_the_text() -> None:
    line = render_page(page(), "json")
    assert "\n" not in line
    assert json.loads(line)["text"] == page().text


def test_csv_has_a_value_for_each_column() -> None:
    (row,) = csv.reader(io.StringIO(render_page(page(), "csv")))
    assert dict(zip(CSV_HEAD, row, strict=True))["title"] == "Tides"


def test_text_leaves_tables_out_on_request() -> None:
    assert "1.2 m" in render_page(page(), "text")
    assert "1.2 m" not in render_page(page(), "text", tables=False)


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(UsageError, match="not 'pdf'"):
        render_page(page(), "pdf")


def test_a_stored_page_has_no_structure_to_write_as_tei() -> None:
    with pytest.raises(UsageError, match="tei"):
        render_page(page().whole(), "tei")  # type: ignore[attr-defined]


def test_a_paragraph_that_was_written_before_is_left_out() -> None:
    repeats = RepeatedParagraphs()
    assert repeats.left_out(page()).text == page().text
    again = repeats.left_out(page())
    assert again.text == "Tides\nSix\n1.2 m"
    assert "written before in this run" in {paragraph.reason for paragraph in again.paragraphs}
