"""What sites do between two crawls: other page sizes, merged threads, clocks that are wrong."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import pytest

from tests.crawl.forum.world import FIRST, SCALE, World, identities, world
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.respond import SimulatedAnswer
from threadmill.lab.simulate.server import Simulation

MONTHS = ("2016-01-01", "2016-02-01", "2016-03-01")


def _has_all(here: World, date: str) -> bool:
    """Every post is there, and none twice; those that were deleted stay."""
    names = identities(here.posts())
    return here.figures(date).posts.summary()["post_recall"] == 1.0 and len(names) == len(set(names))


@pytest.mark.parametrize(("posts", "threads"), [(25, 40), (6, 10)])
def test_more_or_fewer_posts_and_threads_a_page_lose_and_double_nothing(
    tmp_path: Path, posts: int, threads: int
) -> None:
    with world(tmp_path, "werkbank") as here:
        here.crawl(FIRST)
        changed = open_forum("werkbank", SCALE, posts_per_page=posts, threads_per_page=threads)
        here.simulation.forums["werkbank"] = here.forum = changed
        for month in MONTHS:
            here.crawl(month)
            assert _has_all(here, month)


def test_posts_of_a_thread_that_was_merged_into_another_are_not_lost(tmp_path: Path) -> None:
    with world(tmp_path, "chaguan", merges=10) as here:
        here.crawl(FIRST)
        for month in MONTHS:
            here.crawl(month)
        assert here.figures(MONTHS[-1]).posts.summary()["post_recall"] == 1.0


@dataclass
class WrongClock(Simulation):
    """A server whose Date header is off."""

    off: timedelta = timedelta(0)

    def answer(self, url: str, headers: dict[str, str], method: str = "GET") -> SimulatedAnswer:
        answer = super().answer(url, headers, method)
        return replace(answer, headers=tuple(self._bent(*one) for one in answer.headers))

    def _bent(self, name: str, value: str) -> tuple[str, str]:
        if name.lower() != "date":
            return name, value
        moment: datetime = parsedate_to_datetime(value) + self.off
        return name, format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    "offs", [[-3, 5, 20], [-24 * 400, -24 * 400, -24 * 400], [24 * 3, -24 * 2, 24 * 9]], ids=str
)
def test_a_clock_of_the_site_that_is_wrong_or_jumps_loses_no_posts(tmp_path: Path, offs: list[int]) -> None:
    with world(tmp_path, "werkbank", server=WrongClock) as here:
        assert isinstance(here.simulation, WrongClock)
        here.crawl(FIRST)
        for month, hours in zip(MONTHS, offs, strict=True):
            here.simulation.off = timedelta(hours=hours)
            here.crawl(month)
            assert _has_all(here, month)
