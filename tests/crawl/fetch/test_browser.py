"""Forums that scripts make, crawled with a real Chromium."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

import threadmill
from tests.servers.script_forum import ScriptForum, serving_scripts
from threadmill.archive import ArchiveWriter, read_exchanges_after
from threadmill.archive.recovery import verify_archive
from threadmill.archive.warc_reader import read_at
from threadmill.cli import main
from threadmill.config import FetchSettings, Settings, override
from threadmill.crawl.fetch.browser import find_program, needs_browser
from threadmill.crawl.fetch.client import Fetcher, Request
from threadmill.errors import BrowserError
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation
from threadmill.types import Exchange

POSTS = 10
needs_chromium = pytest.mark.skipif(
    not find_program(FetchSettings()) or find_spec("playwright") is None,
    reason="no browser for this test: apt-get install chromium, and pip install playwright",
)


@pytest.fixture
def scripts() -> Iterator[ScriptForum]:
    simulation = Simulation({"harbour": open_forum("harbour", 30)}, as_unix_time("2015-12-01"))
    with serving_scripts(ScriptForum(simulation)) as forum:
        yield forum


def posts_of(workspace: Path) -> list[tuple[str, str]]:
    return sorted((post.author or "", post.text) for post in threadmill.open_workspace(workspace).posts())


@needs_chromium
def test_a_forum_made_by_scripts_is_crawled_recrawled_and_rebuilt(
    scripts: ScriptForum, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    crawl = ["crawl", scripts.base, "--workspace", str(work), "--delay", "0", "--json"]
    assert main([*crawl, "--browser"]) == 0
    posts = posts_of(work)
    assert len(posts) == POSTS
    # Everything went through the client: nothing around it, each script once, and the header that it set.
    assert not scripts.asked("/around/")
    assert len(scripts.asked("/program.js")) == 1
    assert {agent.partition("/")[0] for _, _, agent in scripts.requests} == {"threadmill"}
    # The shell says "not modified" for ever. Nevertheless new posts are found.
    scripts.simulation.advance("2015-12-20")
    capsys.readouterr()
    assert main([*crawl, "--browser"]) == 0
    assert json.loads(capsys.readouterr().out)["new_posts"] > 0
    later = posts_of(work)
    assert verify_archive(work / "archive").damaged == 0
    assert main(["rebuild", "--workspace", str(work)]) == 0
    assert posts_of(work) == later
    # Corpora of the archive hold the text, too.
    out = tmp_path / "corpus.vert"
    assert main(["vert", str(work / "archive"), "-o", str(out)]) == 0
    assert out.read_text("utf-8").count("\n") > 100


def test_without_the_option_the_user_is_told_of_it(
    scripts: ScriptForum, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crawl", scripts.base, "--workspace", str(tmp_path), "--delay", "0"]) != 0
    assert "try --browser" in capsys.readouterr().err
    assert not scripts.asked("/program.js")


@needs_chromium
def test_robots_txt_holds_for_what_scripts_ask_for(scripts: ScriptForum, tmp_path: Path) -> None:
    scripts.robots = b"User-agent: *\nDisallow: /content\n"
    assert main(["crawl", scripts.base, "--workspace", str(tmp_path), "--delay", "0", "--browser"]) != 0
    assert not scripts.asked("/content")


@needs_chromium
def test_private_addresses_are_refused_in_the_browser_too(scripts: ScriptForum) -> None:
    settings = override(Settings(), "crawl", delay=0.0)
    settings = override(settings, "fetch", browser=True)

    async def fetch() -> bytes:
        async with Fetcher(settings) as fetcher:
            page = await fetcher.fetch(Request(scripts.base))
            # From here on only public addresses are allowed. The page is rendered again from what it was.
            fetcher._transport._resolver._private = False  # type: ignore[attr-defined]
            shell = page.exchanges[-1]
            before = len(scripts.requests)
            await fetcher._transport.close()
            rendered = await fetcher._browser.render(shell, shell.body)  # type: ignore[union-attr]
            assert len(scripts.requests) == before
            return rendered.html

    assert b"Harbour Wall" not in asyncio.run(fetch())


def test_a_missing_browser_is_named_before_anything_is_fetched(
    scripts: ScriptForum, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADMILL_FETCH_BROWSER_PROGRAM", "no-such-browser")
    assert main(["crawl", scripts.base, "--workspace", str(tmp_path), "--browser"]) == 1
    assert "expected Chromium for --browser, but found none" in capsys.readouterr().err
    assert not scripts.requests
    with pytest.raises(BrowserError, match="browser_program"):
        Fetcher(override(Settings(), "fetch", browser=True, browser_program="no-such-browser"))


def exchange(body: bytes, kind: str = "text/html", rendered: bytes = b"") -> Exchange:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    head = b"GET / HTTP/1.1\r\n\r\n"
    url, headers = "http://x.example/", (("Content-Type", kind),)
    return Exchange(url, at, head, 200, "OK", headers, body, rendered=rendered)


def test_only_pages_without_content_need_a_browser() -> None:
    shell = b"<div id=app></div><script src=a.js></script>"
    text = b"<p>" + b"The tide was late at the pier today. " * 20
    assert needs_browser(exchange(shell), shell)
    assert not needs_browser(exchange(shell + text), shell + text)
    assert not needs_browser(exchange(shell, "application/json"), shell)


def test_the_page_that_a_browser_made_stands_behind_the_answer(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path) as writer:
        plain = writer.write(exchange(b"shell"))
        made = writer.write(exchange(b"shell", rendered=b"<p>content"))
        writer.write(exchange(b"after"))
    assert read_at(tmp_path, plain).payload == b"shell"
    assert read_at(tmp_path, made).payload == b"<p>content"
    assert made.digest == plain.digest
    found = list(read_exchanges_after(tmp_path, made.file))
    assert [one.rendered for _, one in found] == [b"", b"<p>content", b""]
    assert found[1][0] == made
    assert [one.body for _, one in found] == [b"shell", b"shell", b"after"]
