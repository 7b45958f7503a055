import asyncio
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.empty_store import put_empty_store
from tests.servers.behaviours import BEHAVIOURS
from tests.servers.misbehaving import MisbehavingServer
from tests.servers.sites import Reply, SiteServer, page, redirect
from tests.servers.wire import Asked, Line
from threadmill.archive import ArchiveWriter, ReadTally, read_captures
from threadmill.config import Settings, override
from threadmill.crawl.crash_recovery import group_by_visit
from threadmill.crawl.site.site_crawl import crawl_site
from threadmill.crawl.site.site_loop import SiteProgress
from threadmill.errors import ArchiveError, StoreError, URLError, WorkspaceError
from threadmill.store import open_store
from threadmill.store.crawl.captures import latest_capture
from threadmill.store.crawl.jobs import run
from threadmill.store.crawl.url_queue import UrlState, queue
from threadmill.types import Exchange, Location
from threadmill.urls import Scope
from threadmill.workspace import Workspace, open_workspace

WHERE = Location("x.warc.gz", 0, 0, "")


def kept(path: str, status: int = 200, location: str = "") -> tuple[Location, Exchange]:
    headers = (("Location", location),) if location else ()
    at = datetime(2026, 11, 15, tzinfo=UTC)
    return WHERE, Exchange(f"http://a.example{path}", at, b"", status, "", headers, b"")


def paths(*exchanges: tuple[Location, Exchange]) -> list[list[str]]:
    return [[e.url.removeprefix("http://a.example") for _, e in chain] for chain in group_by_visit(exchanges)]


def test_answers_to_different_urls_are_visits_of_their_own() -> None:
    assert paths(kept("/1"), kept("/2"), kept("/3", 404)) == [["/1"], ["/2"], ["/3"]]


def test_a_redirect_and_where_it_led_are_one_visit() -> None:
    assert paths(kept("/1", 301, "/2"), kept("/2", 302, "3"), kept("/3"), kept("/4")) == [
        ["/1", "/2", "/3"],
        ["/4"],
    ]


def test_a_redirect_that_was_not_followed_ends_its_visit() -> None:
    assert paths(kept("/1", 301, "/elsewhere"), kept("/2")) == [["/1"], ["/2"]]


def test_tries_of_one_url_are_one_visit() -> None:
    assert paths(kept("/1", 503), kept("/1", 500), kept("/1"), kept("/2")) == [["/1", "/1", "/1"], ["/2"]]


def test_a_cookie_wall_sends_round_to_the_same_url() -> None:
    assert paths(kept("/1", 302, "/1"), kept("/1")) == [["/1", "/1"]]


def test_nothing_kept_is_no_visit() -> None:
    assert paths() == []


def workspace(root: Path, **crawl: float) -> Workspace:
    """A workspace whose crawls are over soon."""
    opened = open_workspace(root / "work", create=True)
    if not (opened.root / "threadmill.sqlite").exists():
        put_empty_store(opened.root / "threadmill.sqlite")
    quick = {"delay": 0.0, "concurrency": 4, "host_concurrency": 4, "patience": 0.0, **crawl}
    settings = override(opened.settings, "crawl", **quick)
    return Workspace(opened.root, override(settings, "fetch", retries=1, retry_seconds=0.02, timeout=0.5))


def crawl(root: Path, url: str, scope: Scope = Scope.HOST, **limits: float) -> SiteProgress:
    return crawl_site(workspace(root, **limits), url, scope)


def rows(root: Path) -> dict[str, tuple[UrlState, str]]:
    """State and reason of every URL of the frontier, by path."""
    store = open_store(open_workspace(root / "work").store_url)
    with store.reading() as connection:
        found = connection.execute(select(queue.c.url, queue.c.state, queue.c.reason))
        result = {"/" + row.url.split("/", 3)[3]: (UrlState(row.state), row.reason) for row in found}
    store.close()
    return result


SMALL = {
    "/": page("/a", "/b", "https://elsewhere.example/", "/photo.jpg"),
    "/a": page("/", "/b", "/a/1"),
    "/b": page("/missing", "/away"),
    "/a/1": page("/a/2"),
    "/a/2": page("/"),
    "/away": redirect("/landing"),
    "/landing": page("/"),
}


def test_a_site_is_crawled_whole_and_every_url_once(tmp_path: Path) -> None:
    with SiteServer(SMALL) as site:
        progress = crawl(tmp_path, site.url())
    assert Counter(site.log) == Counter(["/", "/a", "/b", "/a/1", "/a/2", "/missing", "/away", "/landing"])
    assert (progress.pages, progress.ended, progress.queue) == (6, "nothing left", 0)
    assert progress.visits == {"fetched": 6, "failed: 404": 1}
    assert progress.left_out == {"out of scope": 1, "media": 1}


def test_everything_that_came_is_in_the_archive_and_the_store_knows_where(tmp_path: Path) -> None:
    with SiteServer(SMALL) as site:
        crawl(tmp_path, site.url())
    root = tmp_path / "work"
    archived = {capture.url: capture for capture in read_captures(root / "archive", ReadTally())}
    assert {"/" + url.split("/", 3)[3] for url in archived} == {*site.log, "/robots.txt"}
    store = open_store(open_workspace(root).store_url)
    with store.reading() as connection:
        row = latest_capture(connection, site.url("/a"))
    store.close()
    assert row is not None
    assert (row.status, row.content_type, row.depth) == (200, "text/html", 1)
    assert archived[site.url("/a")].source.endswith(f"{row.file}:{row.offset}")


def test_without_the_archive_nothing_is_archived(tmp_path: Path) -> None:
    quick = workspace(tmp_path)
    settings = override(quick.settings, "archive", enabled=False)
    with SiteServer(SMALL) as site:
        assert crawl_site(Workspace(quick.root, settings), site.url(), Scope.HOST).pages == 6
    assert not quick.archive.exists()


def test_lower_levels_come_first(tmp_path: Path) -> None:
    tree = {f"/{n}": page(f"/{2 * n}", f"/{2 * n + 1}") for n in range(1, 64)}
    with SiteServer(tree) as site:
        crawl(tmp_path, site.url("/1"), concurrency=1, host_concurrency=1)
    depths = [int(path[1:]).bit_length() for path in site.log]
    assert depths == sorted(depths)
    assert len(depths) == 127


def test_the_same_command_again_fetches_nothing(tmp_path: Path) -> None:
    with SiteServer(SMALL) as site:
        crawl(tmp_path, site.url())
        site.log.clear()
        again = crawl(tmp_path, site.url())
    assert site.log == []
    assert (again.pages, again.pages_before, again.ended) == (0, 6, "nothing left")


def test_a_page_limit_counts_over_all_runs_and_is_never_passed(tmp_path: Path) -> None:
    with SiteServer(SMALL) as site:
        first = crawl(tmp_path, site.url(), max_pages=3)
        assert (first.pages, first.ended) == (3, "page limit")
        assert crawl(tmp_path, site.url(), max_pages=3).pages == 0
        rest = crawl(tmp_path, site.url())
    assert (rest.pages, rest.pages_before) == (3, 3)
    assert set(Counter(site.log).values()) == {1}


def test_a_page_limit_waits_for_what_is_under_way_on_a_host_that_has_rested(tmp_path: Path) -> None:
    pages = {"/": page(*(f"/{n}" for n in range(9))), **{f"/{n}": page() for n in range(9)}}
    with SiteServer(pages, delay=0.2) as site:
        assert crawl(tmp_path, site.url(), delay=0.02, max_pages=4).pages == 4
    assert len(site.log) == 4


def test_requests_to_a_host_keep_their_distance(tmp_path: Path) -> None:
    moments: list[float] = []
    with SiteServer(SMALL) as site:
        site.on_request = lambda _: moments.append(time.monotonic())
        crawl(tmp_path, site.url(), delay=0.1)
    # What the machine adds on one side it takes from the other; the whole cannot be shorter.
    assert moments[-1] - moments[0] >= 0.1 * (len(moments) - 1) - 0.05


def test_a_depth_limit_can_be_raised_later(tmp_path: Path) -> None:
    chain = {f"/{n}": page(f"/{n + 1}") for n in range(10)}
    with SiteServer(chain) as site:
        first = crawl(tmp_path, site.url("/0"), max_depth=2)
        assert site.log == ["/0", "/1", "/2"]
        assert first.left_out == {"too deep": 1}
        assert rows(tmp_path)["/3"] == (UrlState.BEYOND, "")
        crawl(tmp_path, site.url("/0"), max_depth=4)
        assert site.log == ["/0", "/1", "/2", "/3", "/4"]
        crawl(tmp_path, site.url("/0"))
    assert site.log == [f"/{n}" for n in range(11)]


def test_a_shorter_way_found_later_brings_a_page_within_reach(tmp_path: Path) -> None:
    pages = {
        "/": page("/quick", "/slow"),
        "/quick": page("/quick2"),
        "/quick2": page("/goal"),
        "/slow": page("/goal"),
        "/goal": page(),
    }
    server = SiteServer(pages)
    wait = {"/slow": 0.3}
    answer = server._answer

    async def slow_answer(path: str, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(wait.get(path, 0))
        await answer(path, writer)

    server._answer = slow_answer  # type: ignore[method-assign]
    with server as site:
        crawl(tmp_path, site.url(), max_depth=2)
    assert "/goal" in site.log


def test_a_time_limit_ends_a_run_and_the_next_goes_on(tmp_path: Path) -> None:
    chain = {f"/{n}": page(f"/{n + 1}") for n in range(20)}
    with SiteServer(chain, delay=0.05) as site:
        progress = crawl(tmp_path, site.url("/0"), max_seconds=0.3)
        assert progress.ended == "time limit"
        assert 0 < progress.pages < 15
        crawl(tmp_path, site.url("/0"))
    assert Counter(site.log) == Counter(f"/{n}" for n in range(21))


def test_the_prefix_scope_stays_below_the_directory(tmp_path: Path) -> None:
    pages = {"/docs/": page("/docs/a", "/blog/"), "/docs/a": page("/"), "/blog/": page(), "/": page()}
    with SiteServer(pages) as site:
        crawl(tmp_path, site.url("/docs/"), Scope.PREFIX)
    assert site.log == ["/docs/", "/docs/a"]


def test_a_redirect_out_of_scope_is_not_followed(tmp_path: Path) -> None:
    with SiteServer({"/secret": page()}) as other:
        pages = {"/": page("/out", "/in"), "/out": redirect(other.url("/secret")), "/in": page()}
        with SiteServer(pages) as site:
            progress = crawl(tmp_path, site.url())
    assert other.log == []
    assert progress.visits == {"fetched": 2, "done: redirect": 1}
    assert progress.left_out == {"out of scope": 1}


def test_many_redirects_to_one_page_fetch_it_once(tmp_path: Path) -> None:
    pages = {f"/member{n}": redirect("/login") for n in range(20)}
    pages |= {"/": page(*pages), "/login": page("/")}
    with SiteServer(pages, delay=0.01) as site:
        crawl(tmp_path, site.url())
    assert Counter(site.log) == Counter(["/", "/login", *(f"/member{n}" for n in range(20))])


def test_where_a_redirect_leads_is_not_lost_when_it_fails_at_first(tmp_path: Path) -> None:
    busy = Reply(b"", 503, {"Retry-After": "0"})
    pages = {"/": page("/a", "/c"), "/a": redirect("/b"), "/b": busy, "/c": page("/b")}
    with SiteServer(pages) as site:
        crawl(tmp_path, site.url(), concurrency=1, host_concurrency=1)
        assert rows(tmp_path)["/a"] == (UrlState.WAITING, "busy")
        pages["/b"] = page()
        store = open_store(open_workspace(tmp_path / "work").store_url)
        with store.writing() as connection:
            connection.execute(queue.update().values(due=0.0))
        store.close()
        crawl(tmp_path, site.url())
    assert {state for state, _ in rows(tmp_path).values()} == {UrlState.DONE}
    assert set(rows(tmp_path)) == {"/", "/a", "/b", "/c"}


def test_redirects_without_end_are_given_up(tmp_path: Path) -> None:
    pages = {f"/r{n}": redirect(f"/r{n + 1}") for n in range(100)}
    with SiteServer({"/": page("/r0", "/loop"), "/loop": redirect("/loop"), **pages}) as site:
        crawl(tmp_path, site.url())
    assert len(site.log) < 20
    assert rows(tmp_path)["/r0"] == (UrlState.FAILED, "too-many-redirects")
    assert rows(tmp_path)["/loop"] == (UrlState.FAILED, "redirect-loop")


def test_robots_txt_is_kept_to_and_told(tmp_path: Path) -> None:
    with MisbehavingServer(robots="User-agent: *\nDisallow: /missing") as server:
        BEHAVIOURS["robots-home"] = _links("/ok", "/missing")
        progress = crawl(tmp_path, server.url("/robots-home"))
    assert progress.visits == {"fetched": 2, "refused: robots": 1}
    assert server.hits["/missing"] == 0


def test_a_page_that_closes_its_links_is_not_followed(tmp_path: Path) -> None:
    closed = Reply(b'<meta name="robots" content="nofollow"><a href="/a">a</a>')
    with SiteServer({"/": closed, "/a": page()}) as site:
        crawl(tmp_path, site.url())
    assert site.log == ["/"]


def test_only_html_is_searched_for_links(tmp_path: Path) -> None:
    text = Reply(b'<a href="/a">a</a>', headers={"Content-Type": "text/plain"})
    with SiteServer({"/": page("/text"), "/text": text, "/a": page()}) as site:
        crawl(tmp_path, site.url())
    assert site.log == ["/", "/text"]


def _links(*paths: str):  # type: ignore[no-untyped-def]
    body = "".join(f'<a href="{path}">x</a>' for path in paths).encode()

    async def behave(asked: Asked, line: Line) -> None:
        await line.answer(body)

    return behave


def test_a_server_that_misbehaves_in_every_way_is_survived_and_each_way_told(tmp_path: Path) -> None:
    names = [name for name in BEHAVIOURS if "home" not in name]
    BEHAVIOURS["home"] = _links(*(f"/{name}" for name in names))
    quick = workspace(tmp_path, concurrency=16, host_concurrency=16, max_depth=4)
    settings = override(quick.settings, "fetch", max_body_bytes=1_000_000, max_retry_after=0.2)
    with MisbehavingServer() as server:
        progress = crawl_site(Workspace(quick.root, settings), server.url("/home"), Scope.HOST)
    told = rows(tmp_path)
    assert {f"/{name}" for name in names} <= set(told)
    assert not {state for state, _ in told.values()} & {UrlState.LEASED}
    assert progress.pages > 10
    expected = {"/missing": "404", "/mail": "bad-redirect", "/garbage": "bad-http", "/drip": "timeout"}
    assert {path: told[path][1] for path in expected} == expected
    assert told["/silent"] == (UrlState.WAITING, "timeout")


def test_a_host_that_is_not_there_ends_the_run_at_once(tmp_path: Path) -> None:
    with SiteServer({}) as site:
        url = site.url()
    started = time.monotonic()
    progress = crawl(tmp_path, url, patience=90.0)
    assert time.monotonic() - started < 20
    assert (progress.pages, progress.ended) == (0, "the rest has to wait")
    assert progress.visits == {"waiting: refused": 1}
    assert "127.0.0.1" in progress.last_error


def test_a_host_that_is_back_is_tried_again_at_once(tmp_path: Path) -> None:
    pages: dict[str, Reply] = {"/": Reply(b"", 500)}
    with SiteServer(pages) as site:
        assert crawl(tmp_path, site.url()).visits == {"failed: 500": 1}
        pages["/"] = page("/a")
        pages["/a"] = page()
        assert crawl(tmp_path, site.url()).pages == 2


def test_two_crawls_in_one_workspace_are_refused(tmp_path: Path) -> None:
    from threadmill.crawl.lock import lock_workspace

    with (
        lock_workspace(workspace(tmp_path).root),
        pytest.raises(WorkspaceError, match=r"another crawl \(process \d+\)"),
    ):
        crawl(tmp_path, "http://127.0.0.1:1/")


def test_a_url_without_scheme_is_refused_before_anything_else(tmp_path: Path) -> None:
    with pytest.raises(URLError, match="did you mean https://example"):
        crawl(tmp_path, "example.org")


def test_a_store_that_fails_midway_ends_the_crawl_with_its_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_connection: object, rows: list[object]) -> None:
        if rows:
            raise StoreError("the disk is full")

    with SiteServer(SMALL) as site:
        monkeypatch.setattr("threadmill.crawl.site.recorder.add_captures", fail)
        with pytest.raises(StoreError, match="the disk is full"):
            crawl(tmp_path, site.url())
        monkeypatch.undo()
        assert crawl(tmp_path, site.url()).recovered > 0
    assert set(Counter(site.log).values()) == {1}


def test_another_job_between_leaves_what_a_killed_one_archived_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_connection: object, rows: list[object]) -> None:
        if rows:
            raise StoreError("the disk is full")

    with SiteServer(SMALL) as site, SiteServer(SMALL) as other:
        monkeypatch.setattr("threadmill.crawl.site.recorder.add_captures", fail)
        with pytest.raises(StoreError):
            crawl(tmp_path, site.url())
        monkeypatch.undo()
        assert crawl(tmp_path, other.url()).recovered == 0
        assert crawl(tmp_path, site.url()).recovered > 0
    assert set(Counter(site.log).values()) == {1}


def test_a_crawl_cut_between_a_redirect_and_its_target_asks_for_the_target_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = ArchiveWriter.write

    def write_until_landing(writer: ArchiveWriter, exchange: Exchange) -> Location:
        if exchange.url.endswith("/landing"):
            raise ArchiveError("cut off")
        return write(writer, exchange)

    with SiteServer(SMALL) as site:
        monkeypatch.setattr(ArchiveWriter, "write", write_until_landing)
        with pytest.raises(ArchiveError, match="cut off"):
            crawl(tmp_path, site.url())
        monkeypatch.undo()
        before = len(site.log)
        crawl(tmp_path, site.url())
    assert "/landing" in site.log[before:]
    assert "/away" not in site.log[before:]
    assert rows(tmp_path)["/away"] == (UrlState.DONE, "redirect")
    assert rows(tmp_path)["/landing"] == (UrlState.DONE, "")


def test_an_archive_that_fails_midway_ends_the_crawl_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise ArchiveError("cannot write to the archive: No space left on device")

    with SiteServer(SMALL) as site:
        monkeypatch.setattr("threadmill.archive.ArchiveWriter.write", fail)
        with pytest.raises(ArchiveError, match="No space left"):
            crawl(tmp_path, site.url())
        monkeypatch.undo()
        assert crawl(tmp_path, site.url()).pages == 6


def test_every_run_is_written_down(tmp_path: Path) -> None:
    with SiteServer(SMALL) as site:
        crawl(tmp_path, site.url(), max_pages=2)
        crawl(tmp_path, site.url())
    store = open_store(open_workspace(tmp_path / "work").store_url)
    with store.reading() as connection:
        noted = list(connection.execute(select(run).order_by(run.c.id)))
    store.close()
    assert [(row.counts["fetched"], row.exit_code) for row in noted] == [(2, 0), (4, 0)]
    assert all(row.ended > row.started for row in noted)


def test_the_crawl_runs_on_postgresql_too(tmp_path: Path, postgres_url: str) -> None:
    quick = workspace(tmp_path)
    settings: Settings = override(quick.settings, "store", url=postgres_url)
    with SiteServer(SMALL) as site:
        assert crawl_site(Workspace(quick.root, settings), site.url(), Scope.HOST).pages == 6
        assert crawl_site(Workspace(quick.root, settings), site.url(), Scope.HOST).pages_before == 6
    assert set(Counter(site.log).values()) == {1}
