"""The loop of a site crawl with a fetcher of the tests instead of a network."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.crawl.fakes import Unscattered
from tests.empty_store import put_empty_store
from threadmill.config import CrawlSettings, FetchSettings
from threadmill.crawl.fetch.client import FetchResult, Request
from threadmill.crawl.fetch.clock import SystemClock
from threadmill.crawl.frontier.frontier import FoundURL, Frontier
from threadmill.crawl.frontier.scope import CrawlScope
from threadmill.crawl.manners.politeness import Politeness, RequestOutcome
from threadmill.crawl.site.recorder import CrawlRecorder
from threadmill.crawl.site.site_loop import SiteCrawlLoop, SiteProgress
from threadmill.errors import FetchTimeoutError
from threadmill.store import Store, open_store
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.crawl.url_queue import UrlState, queue
from threadmill.types import Capture, Exchange
from threadmill.urls import Scope

HOME = "http://a.example/"
AT = datetime(2026, 11, 15, tzinfo=UTC)
Follow = Callable[[str], bool]


@dataclass
class Site:
    """Pages by path; a path may fail, and `on_fetch` may ask which redirects would be followed."""

    pages: dict[str, str]
    on_fetch: Callable[[str, Follow], None] = lambda _path, _follow: None
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = CrawlSettings(delay=0.0, host_concurrency=4)
        self.politeness = Politeness(settings, FetchSettings(), SystemClock(), Unscattered())

    async def fetch(self, request: Request, may_follow: Follow) -> FetchResult:
        path = request.url.removeprefix("http://a.example")
        self.asked.append(path)
        self.on_fetch(path, may_follow)
        await asyncio.sleep(0)
        if path not in self.pages:
            raise FetchTimeoutError(f"{path} did not answer")
        body = self.pages[path].encode()
        headers = (("Content-Type", "text/html"),)
        exchange = Exchange(request.url, AT, b"", 200, "OK", headers, body)
        return FetchResult(request, (exchange,), Capture(request.url, AT, 200, headers, body), False)


class Crawl:
    """A crawl of such a site."""

    def __init__(self, store: Store, site: Site, **limits: float) -> None:
        self.store, self.site = store, site
        self.progress = SiteProgress()
        with store.writing() as connection:
            self.frontier = Frontier(find_or_add_job(connection, "site", HOME, "host", AT).id)
            self.frontier.add(connection, [FoundURL(HOME, 0, 0)])
        self.settings = CrawlSettings(delay=0.0, concurrency=2, patience=0.0, **limits)  # type: ignore[arg-type]

    def run(self, watch: Callable[[SiteProgress], None] | None = None) -> SiteProgress:
        async def crawl() -> None:
            self.loop = SiteCrawlLoop(
                self.settings,
                self.store,
                self.frontier,
                scope=CrawlScope(HOME, Scope.HOST),
                recorder=CrawlRecorder(self.store, self.frontier, None),
                fetcher=self.site,  # type: ignore[arg-type]
                progress=self.progress,
            )
            await asyncio.wait_for(self.loop.run(watch), 30)

        asyncio.run(crawl())
        return self.progress

    def states(self) -> dict[str, UrlState]:
        with self.store.reading() as connection:
            found = connection.execute(select(queue.c.url, queue.c.state))
            return {row.url.removeprefix("http://a.example"): UrlState(row.state) for row in found}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(put_empty_store(tmp_path / "store.sqlite"))
    yield opened
    opened.close()


def links(*targets: str) -> str:
    return "".join(f'<a href="{target}">x</a>' for target in targets)


def test_everything_within_reach_is_fetched_once(store: Store) -> None:
    crawl = Crawl(store, Site({"/": links("/a", "/b"), "/a": links("/b", "/"), "/b": ""}))
    progress = crawl.run()
    assert sorted(crawl.site.asked) == ["/", "/a", "/b"]
    assert (progress.ended, progress.pages, progress.errors) == ("nothing left", 3, 0)
    assert (progress.queue, progress.waiting, progress.under_way) == (0, 0, 0)
    assert set(crawl.states().values()) == {UrlState.DONE}


def test_a_link_that_is_left_out_counts_once_however_often_it_is_met(store: Store) -> None:
    away = "http://b.example/"
    progress = Crawl(store, Site({"/": links("/a", away), "/a": links(away, "/x.jpg")})).run()
    assert progress.left_out == {"out of scope": 1, "media": 1}


def test_a_page_limit_counts_the_pages_of_earlier_runs(store: Store) -> None:
    crawl = Crawl(store, Site({"/": links("/a", "/b", "/c"), "/a": "", "/b": "", "/c": ""}), max_pages=3)
    crawl.progress.pages_before = 1
    progress = crawl.run()
    assert (progress.pages, progress.ended) == (2, "page limit")
    assert sorted(crawl.states().values()) == [UrlState.QUEUED] * 2 + [UrlState.DONE] * 2


def test_a_run_ends_when_the_rest_has_to_wait_longer_than_its_patience(store: Store) -> None:
    crawl = Crawl(store, Site({"/": links("/silent")}))
    progress = crawl.run()
    assert progress.ended == "the rest has to wait"
    assert progress.visits == {"fetched": 1, "waiting: timeout": 1}
    assert (progress.errors, progress.waiting) == (1, 1)
    assert progress.last_error == "/silent did not answer"


def test_without_a_single_page_a_run_does_not_wait_at_all(store: Store) -> None:
    crawl = Crawl(store, Site({}), max_seconds=20)
    crawl.settings = CrawlSettings(delay=0.0, concurrency=2, patience=1e9)
    began = time.monotonic()
    assert crawl.run().ended == "the rest has to wait"
    assert time.monotonic() - began < 20


def test_no_url_is_lost_however_many_runs_find_the_host_silent(store: Store) -> None:
    for _ in range(5):
        crawl = Crawl(store, Site({}))
        with store.writing() as connection:
            crawl.frontier.retry_now(connection, HOME)
            crawl.frontier.load(connection, 0)
        assert crawl.run().ended == "the rest has to wait"
    assert crawl.states() == {"/": UrlState.WAITING}
    with store.reading() as connection:
        assert connection.execute(select(queue.c.tries)).scalar_one() == 0


def test_a_try_counts_against_a_url_where_only_it_is_silent(store: Store) -> None:
    site = Site({"/": links("/silent")})
    site.politeness.release("a.example", RequestOutcome.GOOD)
    crawl = Crawl(store, site)
    crawl.run()
    with store.reading() as connection:
        found = select(queue.c.tries).where(queue.c.url == HOME + "silent")
        assert connection.execute(found).scalar_one() == 1


def test_only_redirects_to_new_urls_within_the_scope_are_followed(store: Store) -> None:
    followed: list[tuple[str, bool]] = []
    targets = ("http://b.example/", "mailto:x@b.example", HOME, HOME + "new", HOME + "new", HOME + "a")

    def ask(path: str, follow: Follow) -> None:
        if path == "/":
            followed.extend((target, follow(target)) for target in targets)

    crawl = Crawl(store, Site({"/": "", "/a": ""}, ask))
    with store.writing() as connection:
        crawl.frontier.add(connection, [FoundURL(HOME + "a", 1, 1)])
    crawl.run()
    assert [answer for _, answer in followed] == [False, False, True, True, True, False]


def test_where_a_failed_redirect_led_may_be_fetched_later(store: Store) -> None:
    def ask(path: str, follow: Follow) -> None:
        if path == "/b":
            assert follow(HOME + "new")

    crawl = Crawl(store, Site({"/": links("/b")}, ask))
    crawl.run()
    with store.reading() as connection:
        assert crawl.frontier.claim(connection, HOME + "new")


def test_a_crawl_that_is_stopped_gives_back_what_it_did_not_fetch(store: Store) -> None:
    crawl = Crawl(store, Site({"/": links("/a", "/b", "/c"), "/a": "", "/b": "", "/c": ""}))
    crawl.site.on_fetch = lambda path, _: crawl.loop.stop("enough") if path != "/" else None
    progress = crawl.run()
    assert progress.ended == "enough"
    assert 0 < len(crawl.site.asked) < 4
    assert UrlState.LEASED not in crawl.states().values()


def test_an_error_that_is_none_of_a_fetch_ends_the_crawl(store: Store) -> None:
    def break_down(_path: str, _follow: Follow) -> None:
        raise RuntimeError("a fault of ours")

    with pytest.raises(RuntimeError, match="a fault of ours"):
        Crawl(store, Site({"/": ""}, break_down)).run()


def test_a_watcher_sees_the_progress(store: Store) -> None:
    seen: list[int] = []
    Crawl(store, Site({"/": links("/a"), "/a": ""})).run(lambda progress: seen.append(progress.queue))
    assert seen


def test_redirects_and_unmodified_pages_are_no_errors() -> None:
    kinds = Counter({"fetched": 3, "done: redirect": 2, "failed: 404": 1, "waiting: timeout": 4})
    assert SiteProgress(visits=kinds).errors == 5
