from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.sites.collect.test_fetch_sites import Pages
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.config import Settings, override
from threadmill.crawl.fetch.client import Fetcher
from threadmill.errors import UsageError
from threadmill.sites.collect.archived_pages import ArchivedPages
from threadmill.sites.collect.fetch_sites import FetchLimits, fetch_site
from threadmill.sites.compare import fetch_and_read
from threadmill.sites.model import CompanySite

_KERN = "http://kern.test/"
_PAGES = {
    _KERN: "<title>Kern</title><p>Bread and rolls, baked by hand every single night.<a href=/about>About</a>",
    "http://kern.test/about": "<p>Our family has baked since 1924.",
    "http://huber.test/": "<title>Huber</title><p>Wheels and bikes for all who ride to work, new and old.",
}


def read(web: Pages, folder: Path, *urls: str, use_archive_data: bool) -> dict[str, CompanySite]:
    settings = override(Settings(), "crawl", delay=0.0)

    async def work() -> dict[str, CompanySite]:
        with ArchiveWriter(folder) as writer:
            async with Fetcher(settings, transport=web) as fetcher:
                found = fetch_and_read(
                    fetcher,
                    urls,
                    archive=writer,
                    archived=ArchivedPages(folder),
                    use_archive_data=use_archive_data,
                )
                return {site.url: site async for site in found}

    return asyncio.run(work())


def test_a_site_in_the_archive_is_read_again_without_a_request(tmp_path: Path) -> None:
    first = read(Pages(_PAGES), tmp_path, _KERN, use_archive_data=False)
    silent = Pages({})
    again = read(silent, tmp_path, _KERN, use_archive_data=True)
    assert silent.asked == []
    assert again == first
    assert again[_KERN].pages == 2


def test_a_site_that_is_not_in_the_archive_is_fetched(tmp_path: Path) -> None:
    read(Pages(_PAGES), tmp_path, _KERN, use_archive_data=False)
    web = Pages(_PAGES)
    found = read(web, tmp_path, _KERN, "http://huber.test/", use_archive_data=True)
    assert "http://huber.test/" in web.asked
    assert not any("kern" in url for url in web.asked)
    assert {site.outcome for site in found.values()} == {"ok"}


def test_a_later_error_does_not_replace_an_earlier_answer(tmp_path: Path) -> None:
    read(Pages(_PAGES), tmp_path, _KERN, use_archive_data=False)
    read(Pages({}), tmp_path, _KERN, use_archive_data=False)
    found = ArchivedPages(tmp_path).find(_KERN)
    assert found is not None
    assert found.status == 200


def test_what_was_archived_since_is_found_after_a_refresh(tmp_path: Path) -> None:
    archived = ArchivedPages(tmp_path)
    assert archived.find(_KERN) is None
    read(Pages(_PAGES), tmp_path, _KERN, use_archive_data=False)
    archived.refresh()
    assert archived.find(_KERN) is not None


def test_archive_data_without_an_archive_is_a_wrong_call() -> None:
    async def work() -> None:
        async with Fetcher(Settings(), transport=Pages({})) as fetcher:
            await fetch_site(fetcher, _KERN, FetchLimits(), use_archive_data=True)

    with pytest.raises(UsageError, match="archive"):
        asyncio.run(work())


def test_pages_are_counted_and_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert len(ArchivedPages(tmp_path / "nothing")) == 0
    web = Pages(_PAGES)
    read(web, tmp_path, _KERN, use_archive_data=False)
    assert len(ArchivedPages(tmp_path)) == len({url for url in web.asked if not url.endswith("robots.txt")})


def test_a_page_that_the_archive_lacks_is_left_out(tmp_path: Path) -> None:
    web = {_KERN: f"{_PAGES[_KERN]}<a href=/jobs>Jobs</a>"}
    read(Pages(web), tmp_path, _KERN, use_archive_data=False)
    silent = Pages(_PAGES)
    assert read(silent, tmp_path, _KERN, use_archive_data=True)[_KERN].pages == 1
    assert silent.asked == []
