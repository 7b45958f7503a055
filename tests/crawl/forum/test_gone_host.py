"""A crawl whose host is gone ends soon, says so, and goes on when the host is back."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.forum.world import FIRST, World, world
from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import ForumRun
from threadmill.crawl.forum.progress import HOST_FAILS, ForumProgress, exit_code
from threadmill.crawl.forum.resources import open_resources
from threadmill.crawl.site.site_crawl import INTERRUPTED
from threadmill.lab.simulate.server import Simulation


class Vanishing(Simulation):
    """A server that answers some requests, and then hangs up on every request."""

    answers = 8

    def answer(self, url: str, headers: dict[str, str], method: str = "GET") -> Any:
        if self.count >= self.answers and not self.trouble:
            self.trouble, self.trouble_left = "drop", 1 << 30
        return super().answer(url, headers, method)


def crawl(here: World, patience: float, retry: float, act: Callable[[ForumRun], None]) -> ForumProgress:
    settings = override(here.workspace.settings, "crawl", patience=patience)
    settings = override(settings, "fetch", retries=1, retry_seconds=retry)

    async def run() -> ForumProgress:
        async with open_resources(replace(here.workspace, settings=settings)) as resources:
            forum_run = ForumRun(resources, f"{here.base}/")
            asyncio.get_running_loop().call_later(0.2, act, forum_run)
            return await forum_run.run()

    return asyncio.run(run())


@pytest.mark.parametrize("answers", [8, 24])
def test_a_crawl_ends_when_its_host_is_gone_and_the_next_one_goes_on(tmp_path: Path, answers: int) -> None:
    with world(tmp_path, server=Vanishing) as here:
        here.simulation.answers = answers  # type: ignore[attr-defined]
        progress = crawl(here, 0.05, 0.02, lambda _: None)
        assert progress.ended == HOST_FAILS
        assert exit_code(progress) == 1
        assert "host-aside" in progress.troubles
        here.simulation.answers, here.simulation.trouble = 1 << 30, ""  # type: ignore[attr-defined]
        here.simulation.trouble_left = 0
        assert here.crawl(FIRST).new_posts
        assert here.lacks_nothing(FIRST)


@pytest.mark.parametrize("answers", [8, 24])
def test_a_crawl_that_waits_for_its_host_can_be_interrupted(tmp_path: Path, answers: int) -> None:
    begun, stopped = time.monotonic(), [0.0]

    def interrupt(run: ForumRun) -> None:
        # A connection that is lost by chance makes the crawl wait too.
        if not here.simulation.trouble and time.monotonic() - begun < 15:
            asyncio.get_running_loop().call_later(0.2, interrupt, run)
            return
        stopped[0] = time.monotonic()
        run.stop()

    with world(tmp_path, server=Vanishing) as here:
        here.simulation.answers = answers  # type: ignore[attr-defined]
        progress = crawl(here, 1e6, 1e5, interrupt)
        assert progress.ended == INTERRUPTED
        assert exit_code(progress) == 130
        assert time.monotonic() - stopped[0] < 30  # it would have waited for a day
