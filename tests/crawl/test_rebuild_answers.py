"""Archived answers take the place of the network when a run is repeated."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from threadmill.archive import ArchiveWriter
from threadmill.archive.archive_index import ArchivedRun, ArchiveIndex
from threadmill.archive.run_records import RunRecord
from threadmill.config import Settings
from threadmill.crawl.fetch.client import Request
from threadmill.crawl.rebuild import ArchiveFetcher, CutOffHere, ReplayClock, was_cut_off
from threadmill.errors import NotArchivedError
from threadmill.types import Exchange

START = datetime(2026, 1, 1, tzinfo=UTC)
PAGE, PICTURE = "http://a.test/page", "http://a.test/picture"


def exchange(url: str, minutes: int, body: bytes, kind: str = "text/html; charset=utf-8") -> Exchange:
    at = START + timedelta(minutes=minutes)
    return Exchange(url, at, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", (("Content-Type", kind),), body)


def record(*, ended: bool = False, **counts: int) -> RunRecord:
    return RunRecord("1", "forum", PAGE, "forum", START.isoformat(), ended=ended, counts=counts)


def archived(folder: Path, *, killed: bool = False) -> tuple[ArchiveIndex, ArchivedRun]:
    """An archive of one run, which asked twice for a page and once for a picture."""
    with ArchiveWriter(folder) as writer:
        writer.write_run(record())
        writer.write(exchange(PAGE, 1, b"<p>first"))
        writer.write(exchange(PICTURE, 2, b"\x89PNG", "image/png"))
        writer.write(exchange(PAGE, 3, b"<p>second"))
        if not killed:
            writer.write_run(record(ended=True))
    index = ArchiveIndex(folder)
    return index, index.runs[0]


def fetcher_of(index: ArchiveIndex, clock: ReplayClock) -> ArchiveFetcher:
    return ArchiveFetcher(Settings(), index, clock)


def fetch(fetcher: ArchiveFetcher, url: str) -> bytes:
    return asyncio.run(fetcher.fetch(Request(url))).capture.payload


def test_answers_come_in_their_order_and_the_last_one_again_after_that(tmp_path: Path) -> None:
    index, run = archived(tmp_path)
    clock = ReplayClock()
    fetcher = fetcher_of(index, clock)
    fetcher.begin(run, resumes=False)
    assert [fetch(fetcher, PAGE) for _ in range(3)] == [b"<p>first", b"<p>second", b"<p>second"]
    assert fetcher.answers == 3
    assert clock.now() == START + timedelta(minutes=3)


def test_only_pages_are_left_to_ask_for(tmp_path: Path) -> None:
    index, run = archived(tmp_path)
    fetcher = fetcher_of(index, ReplayClock())
    fetcher.begin(run, resumes=False)
    assert fetcher.unasked() == [PAGE]
    fetcher.drop(PAGE)
    assert not fetcher.unasked()


@pytest.mark.parametrize(("killed", "error"), [(False, NotArchivedError), (True, CutOffHere)])
def test_a_page_that_was_not_asked_for_is_missing_or_the_end_of_a_killed_run(
    tmp_path: Path, killed: bool, error: type[Exception]
) -> None:
    index, run = archived(tmp_path, killed=killed)
    fetcher = fetcher_of(index, ReplayClock())
    fetcher.begin(run, resumes=False)
    with pytest.raises(error):
        fetch(fetcher, "http://a.test/other")


def test_a_run_that_continues_may_use_what_the_last_one_left(tmp_path: Path) -> None:
    index, run = archived(tmp_path)
    empty = ArchivedRun(record(), record(ended=True))
    for resumes, left in ((True, [PAGE]), (False, [])):
        fetcher = fetcher_of(index, ReplayClock())
        fetcher.begin(run, resumes=False)
        fetcher.begin(empty, resumes=resumes)
        assert fetcher.unasked() == left


def test_a_run_without_an_end_or_one_that_was_stopped_was_cut_off() -> None:
    assert was_cut_off(ArchivedRun(record()))
    assert was_cut_off(ArchivedRun(record(), record(ended=True, unfinished=1)))
    assert not was_cut_off(ArchivedRun(record(), record(ended=True, posts=3)))
