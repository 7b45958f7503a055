from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from tests.servers.sites import SiteServer, page
from threadmill.config import Settings, override
from threadmill.service.work.collector import HostLocks, SiteCollector, settings_for_fetcher
from threadmill.workspace import Workspace

pytest.importorskip("fcntl", reason="locks of this kind are POSIX's")
_HOLDER = """
import asyncio, pathlib, sys
from threadmill.service.work.collector import HostLocks
async def hold():
    async with HostLocks(pathlib.Path(sys.argv[1])).hold("firm.test"):
        print("mine", flush=True)
        await asyncio.sleep(60)
asyncio.run(hold())
"""


def holder(file: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(file)], stdout=subprocess.PIPE, text=True, cwd=file.parent
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "mine\n"
    return process


def is_waited_for(file: Path) -> None:
    """Another process does not get the host."""
    process = subprocess.Popen([sys.executable, "-c", _HOLDER, str(file)], stdout=subprocess.PIPE)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(timeout=2)
    finally:
        process.kill()
        process.communicate()


async def take(locks: HostLocks, host: str) -> float:
    begun = time.monotonic()
    async with locks.hold(host):
        return time.monotonic() - begun


def test_a_host_is_one_process_at_a_time_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    locks = HostLocks(tmp_path / "locks.lock")
    process = holder(tmp_path / "locks.lock")

    async def work() -> None:
        assert await asyncio.wait_for(take(locks, "other.test"), 5) < 5
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(take(locks, "firm.test"), 0.5)
        process.kill()
        process.wait()
        assert await asyncio.wait_for(take(locks, "firm.test"), 10) < 10

    try:
        asyncio.run(work())
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        locks.close()


def test_one_process_may_be_at_a_host_several_times(tmp_path: Path) -> None:
    locks = HostLocks(tmp_path / "locks.lock")

    async def work() -> None:
        async with locks.hold("firm.test"):
            await asyncio.wait_for(take(locks, "firm.test"), 1)
            await asyncio.to_thread(is_waited_for, tmp_path / "locks.lock")  # the lock is still held

    asyncio.run(work())
    locks.close()


def test_the_lock_is_kept_for_a_rest_after_its_use(tmp_path: Path) -> None:
    locks = HostLocks(tmp_path / "hosts.lock", rest=60.0)

    async def work() -> None:
        async with locks.hold("firm.test"):
            pass
        await asyncio.to_thread(is_waited_for, tmp_path / "hosts.lock")

    asyncio.run(work())
    locks.close()


def test_without_posix_locks_every_process_gets_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    locks = HostLocks(tmp_path / "hosts.lock")
    assert asyncio.run(asyncio.wait_for(take(locks, "firm.test"), 1)) < 1
    assert not (tmp_path / "hosts.lock").exists()
    locks.close()


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
