"""A simulated forum on loopback with a workspace to crawl it into."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.empty_store import put_empty_store
from threadmill.config import override
from threadmill.crawl.forum.forum_crawl import crawl_forum
from threadmill.crawl.forum.progress import ForumProgress
from threadmill.lab.judge.judge_crawl import DateFigures, judge_crawl
from threadmill.lab.judge.truth import true_posts
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import SimulatedForum, as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.export import export_posts
from threadmill.store.forum.forums import forum as forums
from threadmill.workspace import Workspace, open_workspace

FIRST = "2015-12-01"
SCALE = 300  # posts of all years; threads and boards still have second pages


@dataclass
class World:
    """One forum, its server and our copy of it."""

    forum: SimulatedForum
    simulation: Simulation
    base: str
    workspace: Workspace

    def crawl(self, date: str = "", **settings: Any) -> ForumProgress:
        """Crawl it as of a date."""
        if date:
            self.simulation.advance(date)
        workspace = replace(self.workspace, settings=override(self.workspace.settings, "crawl", **settings))
        return crawl_forum(workspace, f"{self.base}/")

    def posts(self) -> list[dict[str, Any]]:
        """Everything the workspace holds."""
        store = open_store(self.workspace.store_url)
        try:
            with store.reading() as connection:
                return list(export_posts(connection))
        finally:
            store.close()

    def forget_part_of_the_model(self, name: str) -> None:
        """Make the stored model one of a version that did not know a part of it yet."""
        store = open_store(self.workspace.store_url)
        try:
            with store.writing() as connection:
                row = connection.execute(select(forums.c.id, forums.c.model)).one()
                del row.model["model"]["threads"][name]
                connection.execute(forums.update().where(forums.c.id == row.id).values(model=row.model))
        finally:
            store.close()

    def figures(self, date: str) -> DateFigures:
        """What the judge says of everything we hold as of a date, as if it were all new."""
        return judge_crawl(self.forum, self.simulation.requests, {date: self.posts()}, [date]).by_date[date]

    def lacks_nothing(self, date: str) -> bool:
        """Is every post there, once?"""
        held = self.figures(date).posts.summary()
        return held["post_recall"] == 1.0 and len(self.posts()) == len(true_posts(self.forum, date))


@contextmanager
def world(
    directory: Path,
    name: str = "harbour",
    server: type[Simulation] = Simulation,
    scale: str | int = SCALE,
    **traits: Any,
) -> Iterator[World]:
    """A small forum as of the first date, and an empty workspace."""
    forum = open_forum(name, scale, **traits)
    simulation = server({name: forum}, as_unix_time(FIRST))
    workspace = open_workspace(directory / "w", create=True)
    put_empty_store(workspace.root / "threadmill.sqlite")
    settings = override(workspace.settings, "crawl", delay=0.0, concurrency=2, host_concurrency=2)
    settings = override(settings, "fetch", retries=0)
    with serving(simulation) as base:
        yield World(forum, simulation, base, replace(workspace, settings=settings))


def settings_file(directory: Path) -> None:
    """The same settings for a crawl in another process."""
    text = "\n".join(["[crawl]", "delay = 0.0", "[fetch]", "retries = 0", ""])
    (directory / "threadmill.toml").write_text(text)


def identities(posts: list[dict[str, Any]]) -> list[str]:
    """What names each post."""
    return [json.dumps([post["post_id"], post["author"], post["date"], post["text"]]) for post in posts]
