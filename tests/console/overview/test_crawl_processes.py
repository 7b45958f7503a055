"""The console runs one crawl at a time, and says what the last one said when it failed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from threadmill.console.overview.crawl_processes import CrawlProcesses, WantedCrawl

FORUM, SITE = WantedCrawl("forum", "http://a.test/"), WantedCrawl("site", "http://b.test/", "prefix")


def stand_in(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Every crawl runs this Python code instead."""
    monkeypatch.setattr(WantedCrawl, "words", lambda *_: [sys.executable, "-c", code])


async def finished(processes: CrawlProcesses) -> None:
    assert processes._task is not None
    await asyncio.wait_for(processes._task, 60)


def test_the_url_stands_behind_two_dashes_and_a_site_has_its_scope() -> None:
    assert FORUM.words(Path("work"))[-2:] == ["--", "http://a.test/"]
    assert SITE.words(Path("work"))[-5:] == ["--site", "--scope", "prefix", "--", "http://b.test/"]


def test_a_crawl_that_waits_is_not_added_again_and_can_be_taken_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, "import time; time.sleep(60)")

    async def run() -> None:
        processes = CrawlProcesses(tmp_path)
        processes.start(FORUM)
        while processes._process is None:  # noqa: ASYNC110 -- a process starts, nobody tells
            await asyncio.sleep(0.05)
        processes.start(FORUM)
        processes.start(SITE)
        processes.start(SITE)
        assert (processes.current, processes.waiting) == (FORUM, [SITE])
        await processes.stop(SITE)
        assert processes.waiting == []
        await processes.stop(FORUM)
        await finished(processes)
        assert processes.current is None
        assert processes.failure == ""  # it was stopped by us

    asyncio.run(run())


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("print('no such host'); raise SystemExit(1)", "http://a.test/: no such host"),
        ("raise SystemExit(7)", "http://a.test/: the crawl ended with code 7"),
        ("print('all is well')", ""),
    ],
)
def test_a_crawl_that_fails_leaves_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, failure: str
) -> None:
    stand_in(monkeypatch, code)

    async def run() -> CrawlProcesses:
        processes = CrawlProcesses(tmp_path)
        processes.start(FORUM)
        await finished(processes)
        return processes

    assert asyncio.run(run()).failure == failure
