from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.empty_store import put_empty_store
from threadmill.crawl.frontier.frontier import FoundURL, Frontier, Lease, LeaseOutcome
from threadmill.crawl.site.page_visit import URLVisit
from threadmill.crawl.site.recorder import CrawlRecorder, capture_row
from threadmill.store import Store, open_store
from threadmill.store.crawl.captures import capture
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.crawl.url_queue import UrlState, queue
from threadmill.types import Exchange, Location

AT = datetime(2026, 11, 15, tzinfo=UTC)
HOME = "http://a.example/"
WHERE = Location("1.warc.gz", 7, 90, "sha1:ABC")


def answer(url: str = HOME, *headers: tuple[str, str]) -> Exchange:
    return Exchange(url, AT, b"", 200, "OK", headers, b"body")


class Archive:
    """Notes what it is asked to do."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def write(self, exchange: Exchange) -> Location:
        self.done.append(exchange.url)
        return Location("1.warc.gz", len(self.done), 90, "sha1:ABC")

    def sync(self) -> None:
        self.done.append("sync")


class Crawl:
    """A recorder with a frontier whose first URL is handed out."""

    def __init__(self, store: Store, archive: Archive | None) -> None:
        self.store = store
        with store.writing() as connection:
            self.frontier = Frontier(find_or_add_job(connection, "site", HOME, "host", AT).id)
            self.frontier.add(connection, [FoundURL(HOME, 0, 0)])
            self.frontier.refill(connection, 0.0)
        self.recorder = CrawlRecorder(store, self.frontier, archive)
        self.lease: Lease = self.frontier.take("a.example")

    def visit(self, **parts: tuple[object, ...]) -> URLVisit:
        return URLVisit(LeaseOutcome(self.lease, UrlState.DONE), **parts)  # type: ignore[arg-type]

    def captures(self) -> list[tuple[str, str, int]]:
        with self.store.reading() as connection:
            found = connection.execute(select(capture.c.url, capture.c.file, capture.c.offset))
            return [(row.url, row.file, row.offset) for row in found]

    def states(self) -> dict[str, UrlState]:
        with self.store.reading() as connection:
            return {row.url: UrlState(row.state) for row in connection.execute(select(queue))}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(put_empty_store(tmp_path / "store.sqlite"))
    yield opened
    opened.close()


def test_the_archive_has_an_answer_before_the_database_has_its_row(store: Store) -> None:
    archive = Archive()
    crawl = Crawl(store, archive)
    crawl.recorder.record(crawl.visit(exchanges=(answer(), answer(HOME + "2"))))
    assert archive.done == [HOME, HOME + "2"]
    assert (crawl.recorder.pending, crawl.captures()) == (1, [])
    crawl.recorder.commit(0.0)
    assert archive.done[2:] == ["sync"]
    assert crawl.captures() == [(HOME, "1.warc.gz", 1), (HOME + "2", "1.warc.gz", 2)]
    assert crawl.recorder.pending == 0


def test_nothing_is_written_twice(store: Store) -> None:
    archive = Archive()
    crawl = Crawl(store, archive)
    crawl.recorder.record(crawl.visit(exchanges=(answer(),)))
    crawl.recorder.commit(0.0)
    crawl.recorder.commit(0.0)
    assert len(crawl.captures()) == 1
    assert archive.done.count("sync") == 1  # without a new answer there is nothing to keep


def test_without_an_archive_a_capture_has_no_place(store: Store) -> None:
    crawl = Crawl(store, None)
    crawl.recorder.record(crawl.visit(exchanges=(answer(),)))
    crawl.recorder.commit(0.0)
    assert crawl.captures() == [(HOME, "", 0)]


def test_each_kind_of_found_url_gets_its_state(store: Store) -> None:
    crawl = Crawl(store, Archive())
    found = {name: (FoundURL(HOME + name, 1, 1),) for name in ("links", "too_deep", "redirected")}
    crawl.recorder.record(crawl.visit(**found))
    crawl.recorder.commit(0.0, refill=False)
    assert crawl.states() == {
        HOME: UrlState.DONE,
        HOME + "links": UrlState.QUEUED,
        HOME + "too_deep": UrlState.BEYOND,
        HOME + "redirected": UrlState.DONE,
    }


def test_the_next_urls_are_handed_out_unless_the_crawl_ends(store: Store) -> None:
    crawl = Crawl(store, Archive())
    crawl.recorder.record(crawl.visit(links=(FoundURL(HOME + "next", 1, 1),)))
    crawl.recorder.commit(0.0, refill=False)
    assert crawl.states()[HOME + "next"] is UrlState.QUEUED
    crawl.recorder.commit(0.0)
    assert crawl.states()[HOME + "next"] is UrlState.LEASED


def test_a_row_has_the_first_header_of_each_name() -> None:
    headers = (
        ("Content-Type", " Text/HTML; charset=x"),
        ("ETag", '"1"'),
        ("etag", '"2"'),
        ("Last-Modified", "then\0"),
    )
    row = capture_row(3, 2, answer(HOME + "\0", *headers), WHERE)
    assert (row.content_type, row.etag, row.last_modified) == ("text/html", '"1"', "then")
    assert (row.job, row.depth, row.url, row.status) == (3, 2, HOME, 200)
    assert (row.file, row.offset, row.length, row.digest) == ("1.warc.gz", 7, 90, "sha1:ABC")


def test_headers_that_are_missing_or_too_long_do_no_harm() -> None:
    row = capture_row(1, 0, answer(HOME, ("ETag", "e" * 900)), WHERE)
    assert (row.content_type, row.last_modified) == ("", None)
    assert row.etag == "e" * 500
