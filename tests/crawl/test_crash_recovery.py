"""After a kill, answers without a row and rows without an answer are found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter
from threadmill.archive.recovery import verify_archive
from threadmill.archive.warc_writer import OPEN_SUFFIX
from threadmill.crawl.crash_recovery import (
    group_by_visit,
    mark_lost_captures,
    repair_archive,
    shortened_files,
    unrecorded_visits,
)
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import CaptureRow, add_captures, lost_urls, unread_files
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.types import Exchange, Location

AT = datetime(2026, 1, 1, tzinfo=UTC)
A, B = "http://a.test/", "http://a.test/b"


def exchange(url: str, status: int = 200, location: str = "", truncated: str = "") -> Exchange:
    headers = (("Location", location),) if location else ()
    head = b"GET / HTTP/1.1\r\n\r\n"
    return Exchange(url, AT, head, status, "", headers, b"body", truncated=truncated)


@pytest.mark.parametrize(
    ("exchanges", "sizes"),
    [
        ([exchange(A), exchange(B)], [1, 1]),
        ([exchange(A), exchange(A)], [1, 1]),  # asked twice
        ([exchange(A, 503), exchange(A)], [2]),  # a retry
        ([exchange(A, truncated="disconnect"), exchange(A)], [2]),
        ([exchange(A, truncated="disconnect"), exchange(B)], [1, 1]),
        ([exchange(A, 301, "/b"), exchange(B)], [2]),  # a redirect that was followed
        ([exchange(A, 301, "/c"), exchange(B)], [1, 1]),
        ([exchange(A, 200, "/b"), exchange(B)], [1, 1]),
        ([exchange(A, 302, "/"), exchange(A)], [2]),  # with a cookie the second time
        ([], []),
    ],
)
def test_retries_and_followed_redirects_belong_to_one_visit(
    exchanges: list[Exchange], sizes: list[int]
) -> None:
    archived = [(Location("f", at, 1, ""), found) for at, found in enumerate(exchanges)]
    assert [len(group) for group in group_by_visit(archived)] == sizes


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty database."""
    opened = open_store("sqlite://")
    yield opened
    opened.close()


def archive(folder: Path, store: Store, urls: list[str], known: int) -> tuple[int, Path]:
    """An archive whose first answers have rows. Its writer died."""
    with ArchiveWriter(folder) as writer:
        places = [writer.write(exchange(url)) for url in urls]
    file = folder / places[0].file
    (folder / f"{file.name}{OPEN_SUFFIX}").touch()
    with store.writing() as connection:
        job = find_or_add_job(connection, "site", A, "host", AT).id
        rows = [
            CaptureRow(job, url, AT, 200, file=place.file, offset=place.offset, length=place.length)
            for url, place in list(zip(urls, places, strict=True))[:known]
        ]
        add_captures(connection, rows)
    return job, file


def test_answers_without_a_row_are_found_after_a_repair(tmp_path: Path, store: Store) -> None:
    job, file = archive(tmp_path, store, [A, B], known=1)
    with file.open("ab") as stream:
        stream.write(b"half a record")
    assert not list(unrecorded_visits(store, tmp_path, job))  # no file is noted yet
    (repaired,) = repair_archive(store, tmp_path)
    assert repaired.cut == len(b"half a record")
    with store.reading() as connection:
        assert unread_files(connection, job) == [file.name]
    assert [[found.url for _, found in visit] for visit in unrecorded_visits(store, tmp_path, job)] == [[B]]
    assert repair_archive(store, tmp_path) == ()  # nothing is left to do


def test_a_file_that_is_gone_has_no_visits(tmp_path: Path, store: Store) -> None:
    job, file = archive(tmp_path, store, [A], known=0)
    repair_archive(store, tmp_path)
    file.unlink()
    assert not list(unrecorded_visits(store, tmp_path, job))


def test_rows_whose_bytes_are_gone_are_marked_once(tmp_path: Path, store: Store) -> None:
    job, file = archive(tmp_path, store, [A, B], known=2)
    with store.reading() as connection:
        assert shortened_files(connection, tmp_path) == {}
    assert mark_lost_captures(store, tmp_path, job) == 0
    whole = file.stat().st_size
    with file.open("r+b") as stream:
        stream.truncate(whole - 1)
    with store.reading() as connection:
        assert shortened_files(connection, tmp_path) == {file.name: whole - 1}
    assert mark_lost_captures(store, tmp_path, job) == 1
    with store.reading() as connection:
        assert lost_urls(connection, job) == [B]
    assert mark_lost_captures(store, tmp_path, job) == 0


def test_half_a_record_is_cut_off_before_the_file_is_continued(tmp_path: Path, store: Store) -> None:
    _, file = archive(tmp_path, store, [A, B], known=2)
    (tmp_path / f"{file.name}{OPEN_SUFFIX}").unlink()  # its writer came to its end
    assert repair_archive(store, tmp_path) == ()
    os.truncate(file, file.stat().st_size - 1)
    (repaired,) = repair_archive(store, tmp_path)
    assert repaired.cut > 1
    with ArchiveWriter(tmp_path) as writer:
        assert writer.write(exchange(B)).file == file.name
    assert verify_archive(tmp_path).damaged == 0


def test_half_a_record_in_an_older_file_is_cut_off_when_its_answer_is_missed(
    tmp_path: Path, store: Store
) -> None:
    job, file = archive(tmp_path, store, [A, B], known=2)
    (tmp_path / f"{file.name}{OPEN_SUFFIX}").unlink()
    file.with_name("threadmill-9.warc.gz").touch()  # a newer file
    os.truncate(file, file.stat().st_size - 1)
    assert repair_archive(store, tmp_path) == ()
    assert mark_lost_captures(store, tmp_path, job) == 1
    assert verify_archive(tmp_path).damaged == 0
    assert mark_lost_captures(store, tmp_path, job) == 0


def test_rows_of_another_workspace_with_the_same_database_are_left_alone(
    tmp_path: Path, store: Store
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for directory in (here, there):
        directory.mkdir()
    job, file = archive(here, store, [A], known=1)
    with store.writing() as connection:
        other = find_or_add_job(connection, "site", "http://b.example/", "host", AT).id
    assert mark_lost_captures(store, there, other) == 0
    with store.reading() as connection:
        assert not lost_urls(connection, job)
        assert shortened_files(connection, here) == {}
    file.unlink()
    with store.reading() as connection:  # the whole archive is gone
        assert shortened_files(connection, here) == {file.name: 0}
