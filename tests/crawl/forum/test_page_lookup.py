"""Single pages, fetched within the limits of a run, from a web that the test plays."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.forum.played_web import NOW, PlayedWeb
from tests.empty_store import put_empty_store
from threadmill.archive import ArchiveWriter
from threadmill.archive.warc_writer import OPEN_SUFFIX
from threadmill.config import Settings, override
from threadmill.crawl.crash_recovery import repair_archive
from threadmill.crawl.fetch.clock import SystemClock
from threadmill.crawl.forum.page_lookup import PageLookup, StoppedError, learn_forum
from threadmill.crawl.forum.page_requests import FetchedPage
from threadmill.crawl.forum.progress import FOR_MEMBERS, HOST_FAILS, PAGE_LIMIT, TIME_LIMIT, ForumProgress
from threadmill.crawl.forum.resources import CrawlResources
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.errors import FetchError, HostAsideError, NothingFoundError
from threadmill.store import Store, open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.types import Exchange

START = "https://f.example/"
LOG_IN = b"<title>Log in</title><form><input name=user><input type=password name=p></form>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(put_empty_store(tmp_path / "store.sqlite"))
    with opened.writing() as connection:
        find_or_add_job(connection, "forum", START, "forum", NOW)
    yield opened
    opened.close()


def lookup(
    store: Store,
    pages: dict[str, Any],
    max_pages: int = 0,
    archive: ArchiveWriter | None = None,
    directory: Path | None = None,
    **crawl: Any,
) -> tuple[PageLookup, PlayedWeb]:
    web = PlayedWeb(pages)
    settings = override(Settings(), "crawl", **crawl)
    resources = CrawlResources(settings, store, archive, web, SystemClock(), directory)  # type: ignore[arg-type]
    return PageLookup(resources, ForumProgress(), max_pages), web


def fetch_all(pages: PageLookup, *urls: str) -> list[FetchedPage | None]:
    async def run() -> list[FetchedPage | None]:
        fetch = pages.fetcher_for(1)
        return [await fetch(url) for url in urls]

    return asyncio.run(run())


def test_a_fetched_page_is_ready_for_the_loop_by_the_url_asked_and_by_that_of_the_answer(
    store: Store,
) -> None:
    pages, _ = lookup(store, {START: (f"{START}index.php", 200, b"<p>words")})
    [page] = fetch_all(pages, START)
    assert page is not None
    assert pages.ready == {START: page, f"{START}index.php": page}
    assert pages.pages_seen() == [page]
    pages.forget()
    assert pages.ready == {}


def test_pages_are_counted_when_the_loop_takes_them_over(store: Store) -> None:
    pages, _ = lookup(store, {})
    told: list[int] = []
    pages.watch = lambda progress: told.append(progress.pages)
    fetch_all(pages, START, f"{START}a")
    assert told == [1, 2]
    pages.count(fetched=3)
    assert pages._progress.pages == 5
    pages.count()
    assert pages._progress.pages == 5
    pages.learning = False
    fetch_all(pages, f"{START}b")
    assert told == [1, 2]


def test_no_more_pages_are_fetched_than_the_run_may(store: Store) -> None:
    pages, web = lookup(store, {}, max_pages=2)
    with pytest.raises(StoppedError, match=PAGE_LIMIT):
        fetch_all(pages, START, f"{START}a", f"{START}b")
    assert web.requests == [START, f"{START}a"]


def test_a_stopped_run_fetches_nothing(store: Store) -> None:
    pages, web = lookup(store, {})
    pages.stop()
    with pytest.raises(StoppedError, match=INTERRUPTED):
        fetch_all(pages, START)
    assert web.requests == []


def test_a_run_whose_time_is_over_fetches_nothing(store: Store) -> None:
    pages, web = lookup(store, {}, max_seconds=0.000001)
    assert pages.deadline is not None
    with pytest.raises(StoppedError, match=TIME_LIMIT):
        fetch_all(pages, START)
    assert web.requests == []


def test_a_request_ends_with_the_time_of_the_run(store: Store) -> None:
    pages, web = lookup(store, {START: 30.0}, max_seconds=0.2)
    with pytest.raises(StoppedError, match=TIME_LIMIT):
        fetch_all(pages, START)
    assert web.requests == [START]


def test_an_error_on_the_page_that_the_user_named_is_told_and_on_others_counted(store: Store) -> None:
    pages, _ = lookup(store, {START: FetchError("gone")})
    with pytest.raises(FetchError, match="gone"):
        fetch_all(pages, START)
    pages, _ = lookup(store, {f"{START}a": FetchError("gone")})
    found = fetch_all(pages, START, f"{START}a", f"{START}b")
    assert [page is None for page in found] == [False, True, False]
    assert pages.troubles == {"fetch": 1}


def test_a_host_that_does_not_answer_any_more_ends_the_run(store: Store) -> None:
    pages, _ = lookup(store, {f"{START}a": HostAsideError("it failed five times")})
    with pytest.raises(StoppedError, match=HOST_FAILS):
        fetch_all(pages, START, f"{START}a")
    assert pages._progress.troubles == {"host-aside": 1}
    assert f"{START}a: it failed five times" in pages._progress.last_trouble


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ((f"{START}a", 403, b"<p>For members only."), 1),
        ((f"{START}login.php", 200, LOG_IN), 1),
        ((f"{START}a", 200, LOG_IN), 0),  # a page with a log-in form beside its own words
        ((f"{START}b", 200, b"<p>Words that everybody may read are behind this link, some of them."), 0),
        ((f"{START}a", 500, b"<p>broken"), 0),
    ],
)
def test_pages_that_only_members_see_are_counted(
    store: Store, answer: tuple[str, int, bytes], count: int
) -> None:
    pages, _ = lookup(store, {f"{START}a": answer})
    fetch_all(pages, f"{START}a")
    assert pages._progress.troubles[FOR_MEMBERS] == count


def learn(store: Store, pages: dict[str, Any]) -> None:
    found, _ = lookup(store, pages)
    asyncio.run(learn_forum(START, found.fetcher_for(1)))


def test_a_page_that_is_no_forum_is_told_with_what_to_do(store: Store) -> None:
    with pytest.raises(NothingFoundError, match="found neither boards nor threads there; name a page"):
        learn(store, {START: b"<p>A story without links, but with some words in it."})


def test_a_first_page_for_members_only_is_the_reason_why_nothing_was_learnt(store: Store) -> None:
    with pytest.raises(NothingFoundError, match=f"nothing could be learnt from {START}: "):
        learn(store, {START: (START, 403, b"<p>For members only.")})


def test_later_pages_for_members_only_are_the_reason_if_the_first_can_be_read(store: Store) -> None:
    links = b"".join(b'<li><a href="/forum/%d/">Board %d</a>' % (number, number) for number in range(5))
    walls = {f"{START}forum/{number}/": (f"{START}forum/{number}/", 403, b"members") for number in range(5)}
    with pytest.raises(NothingFoundError, match=r"\d of \d pages that were tried cannot be read by guests"):
        learn(store, {START: b"<h1>Boards</h1><ul>" + links + b"</ul>", **walls})


@pytest.mark.parametrize(("minutes", "fetched"), [(59, []), (61, [f"{START}a"])])
def test_pages_that_a_killed_run_archived_a_short_while_ago_are_not_fetched_again(
    store: Store, tmp_path: Path, minutes: int, fetched: list[str]
) -> None:
    folder = tmp_path / "archive"
    with ArchiveWriter(folder) as writer:
        for url, kind in ((f"{START}a", "text/html"), (f"{START}b", "image/png")):
            head = b"GET / HTTP/1.1\r\n\r\n"
            place = writer.write(Exchange(url, NOW, head, 200, "", (("Content-Type", kind),), b"<p>words"))
    (folder / f"{place.file}{OPEN_SUFFIX}").touch()  # its writer died
    repair_archive(store, folder)
    with ArchiveWriter(folder) as writer:
        pages, web = lookup(store, {}, archive=writer, directory=folder)
        pages.recover(1, NOW + timedelta(minutes=minutes))
        pages.offer_recovered()
        assert list(pages.ready) == ([] if fetched else [f"{START}a"])
        [page] = fetch_all(pages, f"{START}a")
    assert page is not None
    assert web.requests == fetched
