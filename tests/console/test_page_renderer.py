"""How the console writes numbers, times and addresses, and which part of a table a request wants."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from starlette.requests import Request

from threadmill.console.page_renderer import (
    PAGE_ROWS,
    local_path,
    redirect,
    show_ago,
    show_count,
    show_counted,
    show_site,
    show_size,
    show_url,
    show_when,
    static_name,
    table_view,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SORTS = {"title": False, "posts": True}


def request(query: str = "", root: str = "") -> Request:
    return Request({"type": "http", "query_string": query.encode(), "headers": [], "root_path": root})


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("", (1, "title", False)),
        ("page=3&sort=posts", (3, "posts", True)),
        ("sort=posts&dir=up", (1, "posts", False)),
        ("sort=title&dir=down", (1, "title", True)),
        ("page=0&sort=nothing&dir=x", (1, "title", False)),
        ("page=-2", (1, "title", False)),
        ("page=٣", (1, "title", False)),
        ("page=9999999", (1_000_000, "title", False)),
        ("page=99999999", (1, "title", False)),
    ],
)
def test_what_makes_no_sense_is_the_first_page_in_the_first_order(
    query: str, view: tuple[int, str, bool]
) -> None:
    found = table_view(request(query), SORTS)
    assert (found.page, found.sort, found.descending) == view
    assert found.offset == (found.page - 1) * PAGE_ROWS


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/forums/1?page=2", "/forums/1?page=2"),
        ("", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("/a\r\nLocation: x", "/"),
    ],
)
def test_a_form_leads_to_a_page_of_the_console_only(text: str, path: str) -> None:
    assert local_path(text) == path
    answer = redirect(request(root="/console"), local_path(text))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/console{path}")


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(0), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(seconds=-5), "now"),
        (timedelta(days=-3), "in 3 days"),
    ],
)
def test_a_span_is_told_in_its_largest_unit(span: timedelta, words: str) -> None:
    assert show_ago(NOW - span, NOW) == words


def test_times_are_in_utc_and_an_unknown_one_is_never() -> None:
    assert show_when(NOW.astimezone(timezone(timedelta(hours=5)))) == "2026-05-01 12:00"
    assert show_when(None) == show_ago(None) == "never"


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (None, "–"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (99_900, "99.9 kB"),
        (123_000, "123 kB"),
        (5e12, "5,000 GB"),
    ],
)
def test_sizes_have_a_unit_that_fits(size: float | None, words: str) -> None:
    assert show_size(size) == words


def test_numbers_and_addresses_are_written_as_people_do() -> None:
    assert (show_count(1234567), show_count(None)) == ("1,234,567", "–")
    assert (show_counted(1, "site"), show_counted(1200, "site")) == ("1 site", "1,200 sites")
    assert show_url("https://www.a.example/b/") == "www.a.example/b"
    assert show_site("https://www.a.example/") == "a.example"
    assert show_url("nothing") == "nothing"


def test_the_name_of_a_static_file_changes_with_its_content_only() -> None:
    assert static_name("console.css") == static_name("console.css")
    assert static_name("console.css") != static_name("console.js")
    assert static_name("console.css").startswith("console-")
