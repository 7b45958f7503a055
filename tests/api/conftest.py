"""A simulated forum on loopback and a workspace that holds it, made once for all tests of the API."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from threadmill.api.crawling import crawl_forum
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.workspace import Workspace, open_workspace


@pytest.fixture(scope="session")
def forum_url() -> Iterator[str]:
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))
    with serving(simulation) as base:
        yield f"{base}/"


@pytest.fixture(scope="session")
def crawled(forum_url: str, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with the whole forum in it. Tests only read it."""
    root: Path = tmp_path_factory.mktemp("crawled") / "work"
    crawl_forum(forum_url, root, delay=0, concurrency=1)
    return open_workspace(root)


@pytest.fixture
def without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")
