from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadmill.types import Capture, Moment, Page, Paragraph, ParagraphClass, Precision, Quote, StoredPost

PRECISIONS = st.sampled_from(Precision)
ZONES = st.sampled_from([None, "+02:00", "-09:30", "UTC", "Z"])


def moment(on: date, at: time, zone: str | None, precision: Precision) -> Moment:
    has_time = precision in {Precision.HOUR, Precision.MINUTE, Precision.SECOND}
    return Moment(on, at if has_time else None, zone if has_time else None, precision)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (Moment(date(2024, 5, 31), precision=Precision.YEAR), "2024"),
        (Moment(date(824, 5, 31), precision=Precision.YEAR), "0824"),
        (Moment(date(2024, 5, 31), precision=Precision.MONTH), "2024-05"),
        (Moment(date(2024, 5, 31)), "2024-05-31"),
        (Moment(date(2024, 5, 31), time(10, 15), precision=Precision.HOUR), "2024-05-31T10"),
        (Moment(date(2024, 5, 31), time(10, 15), precision=Precision.MINUTE), "2024-05-31T10:15"),
        (Moment(date(2024, 5, 31), time(10, 15), "UTC", Precision.SECOND), "2024-05-31T10:15:00+00:00"),
        (Moment(date(2024, 5, 31), time(10, 15), "+02:00", Precision.MINUTE), "2024-05-31T10:15+02:00"),
    ],
)
def test_a_moment_is_written_as_exactly_as_it_is_known(said: Moment, written: str) -> None:
    assert said.isoformat() == written


@given(st.builds(moment, st.dates(), st.times(), ZONES, PRECISIONS))
def test_a_written_moment_is_read_back(said: Moment) -> None:
    read = Moment.fromisoformat(said.isoformat())
    assert read.isoformat() == said.isoformat()
    assert read.precision is said.precision


def test_a_moment_read_back_keeps_date_time_and_zone() -> None:
    read = Moment.fromisoformat("2024-05-31T10:15:20-05:00")
    assert read == Moment(date(2024, 5, 31), time(10, 15, 20), "-05:00", Precision.SECOND)
    assert Moment.fromisoformat("2024-05") == Moment(date(2024, 5, 1), precision=Precision.MONTH)


@pytest.mark.parametrize(
    "text", ["", "24", "2024-5", "2024-05-31T", "2024-05-31 10:15", "2024-13", "yesterday"]
)
def test_another_text_is_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a moment|month must be"):
        Moment.fromisoformat(text)


def test_headers_are_found_in_any_case() -> None:
    capture = Capture("u", datetime.now(UTC), 200, (("Content-Type", "Text/HTML; charset=utf-8"),), b"")
    assert capture.header("content-TYPE") == "Text/HTML; charset=utf-8"
    assert capture.content_type == "text/html"
    assert capture.header("date") is None


def test_a_capture_without_a_type_has_an_empty_one() -> None:
    assert Capture("u", datetime.now(UTC), 200, (), b"").content_type == ""


def test_the_text_of_a_page_is_its_good_paragraphs() -> None:
    menu = Paragraph("Home", "li", "html.body.li", verdict=ParagraphClass.BAD)
    page = Page("u", (menu, Paragraph("One.", "p", ""), Paragraph("", "p", ""), Paragraph("Two.", "p", "")))
    assert page.text == "One.\nTwo."
    assert len(page.good) == 3


STORED = {
    "id": "3f",
    "post_id": "7",
    "url": "http://f.example/t#7",
    "thread_url": "http://f.example/t",
    "thread_title": "Tides",
    "board_url": None,
    "author": "anna",
    "author_url": None,
    "date": "2024-05-31T10:15",
    "position": 1,
    "parent": None,
    "text": "Low water.",
    "html": "<p>Low water.",
    "quotes": [{"text": "When?", "author": "boris", "url": None}],
    "first_seen": "2024-06-01T00:00:00+00:00",
    "vanished": None,
}


def test_a_stored_post_has_types_and_goes_back_to_plain_values() -> None:
    post = StoredPost.from_dict(STORED)
    assert post.date == Moment(date(2024, 5, 31), time(10, 15), None, Precision.MINUTE)
    assert post.quotes == (Quote("When?", "boris"),)
    assert post.first_seen == datetime(2024, 6, 1, tzinfo=UTC)
    assert post.as_dict() == STORED
    assert list(post.as_dict()) == list(STORED)


def test_a_post_without_a_date_has_none() -> None:
    post = StoredPost.from_dict({**STORED, "date": None, "quotes": []})
    assert post.date is None
    assert post.as_dict()["date"] is None


@pytest.mark.parametrize(
    ("written", "complete"),
    [
        ("2024", "2024-01-01T00:00:00"),
        ("2024-05", "2024-05-01T00:00:00"),
        ("2024-05-31", "2024-05-31T00:00:00"),
        ("2024-05-31T10:15", "2024-05-31T10:15:00"),
        ("2024-05-31T10:15:30+08:00", "2024-05-31T02:15:30"),
        ("0001-01-01T00:00:00+08:00", "0001-01-01T00:00:00"),
    ],
)
def test_a_moment_can_be_completed_for_tables(written: str, complete: str) -> None:
    assert Moment.fromisoformat(written).complete() == complete
