import asyncio
from pathlib import Path

import pytest

from tests.servers.sites import SiteServer, page
from threadmill.api.crawling import crawl_forum, crawl_forum_async, crawl_site
from threadmill.errors import URLError, UsageError
from threadmill.workspace import Workspace, open_workspace

TREE = {f"/{n}": page(f"/{2 * n}", f"/{2 * n + 1}") for n in range(1, 16)}


def test_a_forum_is_crawled_into_a_new_directory(forum_url: str, crawled: Workspace, tmp_path: Path) -> None:
    seen: list[int] = []
    done = crawl_forum(forum_url, tmp_path / "w", delay=0, on_progress=lambda now: seen.append(now.pages))
    assert done.new_posts == len(list(crawled.posts()))
    assert 0 < seen[-1] <= done.pages
    assert crawl_forum(forum_url, str(tmp_path / "w"), delay=0).new_posts == 0


def test_a_crawl_that_ended_well_leaves_no_mark_of_an_open_archive(forum_url: str, tmp_path: Path) -> None:
    crawl_forum(forum_url, tmp_path / "w", delay=0, max_pages=5)
    assert [file.suffix for file in (tmp_path / "w" / "archive").iterdir()] == [".gz"]


def test_the_limit_of_a_call_goes_before_the_settings(forum_url: str, tmp_path: Path) -> None:
    done = crawl_forum(forum_url, tmp_path / "w", delay=0, max_pages=5)
    assert done.ended == "page limit"
    assert done.pages < 25


def test_an_open_workspace_keeps_its_settings(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path / "w", create=True)
    (tmp_path / "w" / "threadmill.toml").write_text("[crawl]\ndelay = 0\nmax_depth = 2\n")
    workspace = open_workspace(workspace.root)
    with SiteServer(TREE) as site:
        assert crawl_site(site.url("/1"), workspace).pages == 7


def test_inside_an_event_loop_the_async_form_is_named(tmp_path: Path) -> None:
    async def call() -> None:
        crawl_forum("http://127.0.0.1:9/", tmp_path / "w")

    with pytest.raises(UsageError, match="await crawl_forum_async"):
        asyncio.run(call())
    assert not (tmp_path / "w").exists()


def test_the_async_form_runs_beside_other_tasks(forum_url: str, tmp_path: Path) -> None:
    async def main() -> tuple[int, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        done = await crawl_forum_async(forum_url, tmp_path / "w", delay=0)
        ticking.cancel()
        return done.new_posts, ticks

    posts, ticks = asyncio.run(main())
    assert posts > 0
    assert ticks > 10


@pytest.mark.parametrize("crawl", [crawl_forum, crawl_site])
def test_a_wrong_url_makes_no_directory(crawl: object, tmp_path: Path) -> None:
    with pytest.raises(URLError):
        crawl("forum.example.org", tmp_path / "w")  # type: ignore[operator]
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"max_depth": 1}, {"/1", "/2", "/3"}),
        ({"scope": "prefix", "max_pages": 1}, {"/1"}),
    ],
)
def test_a_site_is_crawled_within_its_limits(
    options: dict[str, object], paths: set[str], tmp_path: Path
) -> None:
    with SiteServer(TREE) as site:
        done = crawl_site(site.url("/1"), tmp_path / "w", delay=0, concurrency=1, **options)  # type: ignore[arg-type]
        assert set(site.log) == paths
    assert done.pages == len(paths)


def test_a_site_crawl_reports_its_progress(tmp_path: Path) -> None:
    seen: list[object] = []
    with SiteServer(TREE) as site:
        done = crawl_site(site.url("/1"), tmp_path / "w", delay=0, on_progress=seen.append)
    assert seen[-1] is done
