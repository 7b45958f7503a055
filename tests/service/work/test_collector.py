from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest

from tests.servers.sites import SiteServer, page
from threadmill.config import Settings, override
from threadmill.service.work.collector import SiteCollector, settings_for_fetcher
from threadmill.workspace import Workspace


@pytest.mark.parametrize("allowed", [False, True])
def test_the_service_decides_about_private_addresses(allowed: bool) -> None:
    settings = override(Settings(), "service", private_targets=allowed)
    settings = override(settings, "fetch", private_targets=not allowed)
    assert settings_for_fetcher(settings).fetch.private_targets is allowed


@pytest.mark.parametrize("archived", [False, True])
def test_answers_are_archived_unless_the_archive_is_switched_off(tmp_path: Path, archived: bool) -> None:
    settings = override(Settings(), "service", private_targets=True)
    settings = override(override(settings, "crawl", delay=0.0), "archive", enabled=archived)
    with SiteServer({"/": page(text="we make machines")}) as server:

        async def work() -> int:
            async with SiteCollector(Workspace(tmp_path, settings)) as collector:
                found = await collector.collect(uuid4(), server.url(), alone=True, use_archive_data=False)
                return len(found.pages)

        assert asyncio.run(work()) == 1
    assert bool(list(tmp_path.glob("archive/*"))) is archived


def test_a_site_that_cannot_be_fetched_gives_the_reason(tmp_path: Path) -> None:
    async def work() -> str:
        async with SiteCollector(Workspace(tmp_path, Settings())) as collector:
            found = await collector.collect(
                uuid4(), "http://127.0.0.1:1/", alone=True, use_archive_data=False
            )
            return found.failure

    assert asyncio.run(work()) == "address"
