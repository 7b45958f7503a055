from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection

from threadmill.store.crawl.captures import (
    CaptureRow,
    add_captures,
    count_pages,
    forget_unread,
    known_end,
    latest_capture,
    newest_pages,
    note_unread,
    recent_captures,
    unmodified_urls,
    unread_files,
)
from threadmill.store.crawl.jobs import find_or_add_job

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
URL = "http://a.example/"


@pytest.fixture
def jobs(empty: Connection) -> tuple[int, int]:
    kinds = (("site", "http://a.example/"), ("forum", "http://b.example/"))
    one, other = (find_or_add_job(empty, kind, url, "host", NOW).id for kind, url in kinds)
    return one, other


def capture(job: int, minute: int, status: int = 200, url: str = URL, offset: int = 0) -> CaptureRow:
    at = NOW + timedelta(minutes=minute)
    return CaptureRow(job, url, at, status, "text/html", 1, "a.warc", offset, 10, "sha", '"e"', "Mon")


def test_the_latest_capture_of_a_url_comes_back_as_it_was(empty: Connection, jobs: tuple[int, int]) -> None:
    newest = capture(jobs[1], 3)
    add_captures(empty, [capture(jobs[0], 1), newest, capture(jobs[0], 2)])
    assert latest_capture(empty, URL) == newest
    assert latest_capture(empty, "http://none.example/") is None
    add_captures(empty, [])


def test_recent_captures_are_those_of_the_job_newest_first(empty: Connection, jobs: tuple[int, int]) -> None:
    add_captures(empty, [capture(jobs[0], n) for n in (1, 3, 2)] + [capture(jobs[1], 9)])
    found = recent_captures(empty, jobs[0], URL, 2)
    assert [row.at - NOW for row in found] == [timedelta(minutes=3), timedelta(minutes=2)]


def test_a_url_is_unmodified_while_its_newest_capture_is_304(
    empty: Connection, jobs: tuple[int, int]
) -> None:
    add_captures(empty, [capture(jobs[0], 1), capture(jobs[0], 2, 304), capture(jobs[1], 3)])
    assert unmodified_urls(empty, jobs[0]) == [URL]
    assert unmodified_urls(empty, jobs[1]) == []
    add_captures(empty, [capture(jobs[0], 4)])
    assert unmodified_urls(empty, jobs[0]) == []


def test_newest_pages_are_the_last_200_of_each_url_in_archive_order(
    empty: Connection, jobs: tuple[int, int]
) -> None:
    rows = [
        capture(jobs[0], 1, offset=50),
        capture(jobs[0], 2, offset=70),
        capture(jobs[0], 3, 404, offset=90),
        capture(jobs[0], 4, url="http://a.example/b", offset=20),
        capture(jobs[1], 5, url="http://b.example/", offset=5),
    ]
    add_captures(empty, rows)
    assert [(row.url, row.offset) for row in newest_pages(empty, "site")] == [
        ("http://a.example/b", 20),
        (URL, 70),
    ]
    assert [row.url for row in newest_pages(empty, "forum")] == ["http://b.example/"]


def test_the_known_end_of_a_file_is_the_end_of_the_last_stored_record(
    empty: Connection, jobs: tuple[int, int]
) -> None:
    assert known_end(empty, jobs[0], "a.warc") == 0
    add_captures(empty, [capture(jobs[0], 1, offset=50), capture(jobs[0], 2, offset=20)])
    assert known_end(empty, jobs[0], "a.warc") == 60
    assert known_end(empty, jobs[1], "a.warc") == 0


def test_every_job_reads_an_unread_file_once(empty: Connection, jobs: tuple[int, int]) -> None:
    note_unread(empty, ["b.warc", "a.warc"])
    note_unread(empty, ["a.warc"])
    assert unread_files(empty, jobs[0]) == ["a.warc", "b.warc"]
    forget_unread(empty, jobs[0])
    assert (unread_files(empty, jobs[0]), unread_files(empty, jobs[1])) == ([], ["a.warc", "b.warc"])


def test_only_answers_of_status_2xx_count_as_pages(empty: Connection, jobs: tuple[int, int]) -> None:
    add_captures(
        empty, [capture(jobs[0], n, status) for n, status in enumerate((199, 200, 204, 299, 300, 304, 404))]
    )
    assert count_pages(empty, jobs[0]) == 3
    assert count_pages(empty, jobs[1]) == 0
