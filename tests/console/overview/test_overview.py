import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.console import ConsoleClient
from threadmill.console.overview.crawl_processes import WantedCrawl
from threadmill.console.overview.summaries import WEEKS, disk_use, weekly
from threadmill.crawl.lock import lock_holder, lock_workspace
from threadmill.lab.simulate.server import Simulation
from threadmill.workspace import Workspace, open_workspace
from tools.console_screenshots import console_at


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


def test_weeks_are_counted_back_from_the_last_day() -> None:
    weeks = weekly({"": 5, "2024-05-31": 1, "2024-05-25": 2, "2024-05-24": 4, "2020-01-01": 8}, "2024-05-31")
    assert len(weeks) == WEEKS
    assert weeks[-2:] == (4, 3)
    assert sum(weeks) == 7
    assert weekly({}, "") == ()


def test_a_url_never_becomes_an_option_of_the_command() -> None:
    words = WantedCrawl("site", "--version", "prefix").words(Path("/w"))
    assert words[-2:] == ["--", "--version"]


def test_the_holder_of_a_workspace_is_known_while_it_crawls(tmp_path: Path) -> None:
    assert lock_holder(tmp_path) is None
    (tmp_path / "crawl.lock").write_text("nonsense")
    assert lock_holder(tmp_path) is None
    with lock_workspace(tmp_path):
        holder = "from pathlib import Path; from threadmill.crawl.lock import lock_holder; import sys;"
        words = [sys.executable, "-c", f"{holder} print(lock_holder(Path(sys.argv[1])))", str(tmp_path)]
        assert subprocess.check_output(words, text=True).strip() == str(os.getpid())
    assert lock_holder(tmp_path) is None


def test_disk_use_tells_the_archive_from_the_rest(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "a.warc").write_bytes(b"x" * 30)
    (tmp_path / "b").write_bytes(b"x" * 12)
    assert disk_use(tmp_path) == (30, 12)


def test_the_overview_shows_posts_account_and_last_visit(client: ConsoleClient) -> None:
    page = client.get("/").text
    assert "29 <span" in page or "posts" in page
    assert "Crawl again" in page
    assert "complete" in page
    assert 'class="spark"' in page


def test_events_bring_the_cards(base: str) -> None:
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=20)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    line = answer.readline()
    assert line.startswith(b"data: ")
    assert b"Crawl again" in line
    connection.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "work", create=True)


def test_a_forum_is_crawled_from_the_page(
    fresh: Workspace, simulation: tuple[Simulation, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
    with console_at(fresh) as (base, _):
        client = ConsoleClient(base)
        assert "Nothing has been crawled yet" in client.get("/").text
        assert client.post("/crawls/start", {"url": simulation[1], "kind": "forum"}).status == 303
        wait_for(lambda: "Crawl again" in client.get("/").text)
        assert "29" in client.get("/").text


def test_a_crawl_is_paused_and_continued(
    fresh: Workspace, simulation: tuple[Simulation, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0.3")
    with console_at(fresh) as (base, _):
        client = ConsoleClient(base)
        client.get("/")
        wanted = {"url": simulation[1], "kind": "forum", "scope": "forum"}
        client.post("/crawls/start", wanted)
        wait_for(lambda: "new posts," in client.get("/").text)
        client.post("/crawls/pause", wanted)
        wait_for(lambda: "Continue" in client.get("/").text)
        monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
        client.post("/crawls/start", wanted)
        wait_for(lambda: "Crawl again" in client.get("/").text)


def test_a_crawl_that_fails_says_why(fresh: Workspace) -> None:
    with console_at(fresh) as (base, _):
        client = ConsoleClient(base)
        client.get("/")
        client.post("/crawls/start", {"url": "http://nowhere.invalid/", "kind": "forum"})
        wait_for(lambda: "problem" in client.get("/").text)
        assert client.post("/crawls/start", {"url": "", "kind": "forum"}).status == 400
        assert client.post("/crawls/start", {"url": "http://a.example/", "kind": "x"}).status == 400


def test_a_waiting_crawl_is_removed(fresh: Workspace, simulation: tuple[Simulation, str]) -> None:
    with console_at(fresh) as (base, _):
        client = ConsoleClient(base)
        client.get("/")
        client.post("/crawls/start", {"url": simulation[1], "kind": "forum"})
        other = {"url": "http://other.invalid/", "kind": "forum"}
        client.post("/crawls/start", other)
        wait_for(lambda: "other.invalid" in client.get("/").text)
        client.post("/crawls/stop", other)
        wait_for(lambda: "other.invalid" not in client.get("/").text)
        client.post("/crawls/stop", {"url": simulation[1], "kind": "forum"})
        wait_for(lambda: "state-running" not in client.get("/").text)
