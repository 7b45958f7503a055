"""Conditional requests in forum crawls, asked of servers that tell the truth and of servers that lie."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.forum.world import FIRST, World, identities, world
from threadmill.crawl.forum.forum_crawl import ForumRun, RunScope
from threadmill.crawl.forum.resources import open_resources
from threadmill.lab.simulate.respond import SimulatedAnswer
from threadmill.lab.simulate.server import Simulation
from threadmill.store import open_store
from threadmill.store.forum.page_visits import PageCounts, count_pages_of_run

MONTHS = ("2016-01-01", "2016-02-01", "2016-03-01", "2016-04-01")


@dataclass
class Asked(Simulation):
    """Tells the truth, and remembers which requests were conditional."""

    lies: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.conditional: list[tuple[str, int]] = []

    def answer(self, url: str, headers: dict[str, str], method: str = "GET") -> SimulatedAnswer:
        lowered = {name.lower(): value for name, value in headers.items()}
        tag = lowered.get("if-none-match") or lowered.get("if-modified-since")
        answer = super().answer(url, headers, method)
        if answer.page_class in {"thread", "index"}:
            answer = self.bend(answer, tag)
        if tag is not None:
            self.conditional.append((url, answer.status))
        return answer

    def bend(self, answer: SimulatedAnswer, tag: str | None) -> SimulatedAnswer:
        """What a liar makes of an answer."""
        if self.lies and tag is not None:
            return replace(answer, status=304, body=b"")
        return answer


class StaleTags(Asked):
    """A cache in front whose tags never change."""

    def bend(self, answer: SimulatedAnswer, tag: str | None) -> SimulatedAnswer:
        headers = tuple((name, value) for name, value in answer.headers if name.lower() != "etag")
        answer = replace(answer, headers=(*headers, ("ETag", '"for ever"')))
        return replace(answer, status=304, body=b"") if tag is not None else answer


class StaleDates(Asked):
    """The same with dates."""

    def bend(self, answer: SimulatedAnswer, tag: str | None) -> SimulatedAnswer:
        headers = tuple((name, value) for name, value in answer.headers if name.lower() != "etag")
        stale = ("Last-Modified", "Mon, 01 Jun 2015 00:00:00 GMT")
        answer = replace(answer, headers=(*headers, stale))
        return replace(answer, status=304, body=b"") if tag is not None else answer


def _statuses(here: World, since: int) -> list[int]:
    pages = here.simulation.requests[since:]
    return [entry["status"] for entry in pages if entry["key"] != "/robots.txt"]


def _server(here: World) -> Asked:
    assert isinstance(here.simulation, Asked)
    return here.simulation


def _has_all(here: World, date: str) -> bool:
    """Every post is there, and none twice; those that were deleted stay."""
    posts = identities(here.posts())
    return here.figures(date).posts.summary()["post_recall"] == 1.0 and len(posts) == len(set(posts))


def _crawl_all(here: World, months: tuple[str, ...] = MONTHS) -> None:
    here.crawl(FIRST)
    for month in months:
        here.crawl(month)


def test_the_first_crawl_asks_without_conditions(tmp_path: Path) -> None:
    with world(tmp_path, server=Asked, validators="truthful") as here:
        here.crawl(FIRST)
        assert _server(here).conditional == []


def test_a_site_that_proved_truthful_is_asked_whether_anything_changed(tmp_path: Path) -> None:
    with world(tmp_path, server=Asked, scale="small", validators="truthful") as here:
        _crawl_all(here)
        before = here.simulation.count
        progress = here.crawl(MONTHS[-1])
        assert _statuses(here, before) == [304]
        assert (progress.pages, progress.bytes, progress.new_posts) == (1, 0, 0)
        told = _tally(here, len(MONTHS) + 2)
        assert (told.pages, told.duplicate, told.bytes, told.posts) == (1, 1, 0, 0)
        for month in ("2016-05-01", "2016-05-01", "2016-06-01"):
            here.crawl(month)
        assert _has_all(here, "2016-06-01")


@pytest.mark.parametrize("liar", [StaleTags, StaleDates])
def test_validators_that_never_change_lose_no_posts(tmp_path: Path, liar: type[Asked]) -> None:
    with world(tmp_path, server=liar, validators="truthful") as here:
        _crawl_all(here)
        assert _has_all(here, MONTHS[-1])
        first = len(_server(here).conditional)
        here.crawl("2016-05-01")
        here.crawl("2016-06-01")
        assert _has_all(here, "2016-06-01")
        assert len(_server(here).conditional) == first <= 4  # one lie is enough, two at a time are under way


def test_one_who_says_not_modified_to_everything_is_found_out_at_once(tmp_path: Path) -> None:
    with world(tmp_path, server=Asked, validators="truthful") as here:
        here.crawl(FIRST)
        _server(here).lies = True
        here.crawl(MONTHS[0])
        assert _has_all(here, MONTHS[0])
        here.crawl(MONTHS[1])
        assert _has_all(here, MONTHS[1])
        assert len(_server(here).conditional) <= 4


def test_one_who_begins_to_lie_once_he_is_trusted_is_controlled(tmp_path: Path) -> None:
    later = [f"2016-{month:02d}-01" for month in range(5, 10)]
    with world(tmp_path, server=Asked, scale="small", validators="truthful") as here:
        _crawl_all(here)
        _server(here).lies = True
        missing: list[bool] = []
        for month in later:
            here.crawl(month)
            missing.append(not _has_all(here, month))
        assert missing == [True] * 3 + [False] * 2  # each fourth look is without conditions


def test_pages_of_which_a_part_was_looked_at_come_again_whole(tmp_path: Path) -> None:
    """A watch that is about some boards reads the start page and leaves the rows of the others alone."""
    with world(tmp_path, server=Asked, validators="truthful") as here:
        _crawl_all(here)
        _crawl_boards(here, frozenset(), "2016-05-01")
        here.crawl("2016-05-01")
        assert _has_all(here, "2016-05-01")


def _tally(here: World, run: int) -> PageCounts:
    store = open_store(here.workspace.store_url)
    with store.reading() as connection:
        told = count_pages_of_run(connection, run)
    store.close()
    return told


def _crawl_boards(here: World, boards: frozenset[int], date: str) -> None:
    async def go() -> Any:
        async with open_resources(here.workspace) as means:
            return await ForumRun(means, f"{here.base}/", RunScope(boards=boards)).run()

    here.simulation.advance(date)
    asyncio.run(go())
