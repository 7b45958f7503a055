"""A workspace that holds a simulated forum, a console on it, and a browser, each made once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers.console import ConsoleClient
from threadmill.api.crawling import crawl_forum
from threadmill.config import override
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.workspace import Workspace, open_workspace
from tools.browser import HOW_TO, is_there, open_browser, read_log
from tools.console_screenshots import console_at

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def simulation() -> Iterator[tuple[Simulation, str]]:
    """A simulated forum and its address."""
    simulation = Simulation({"harbour": open_forum("harbour", 120)}, as_unix_time("2015-12-01"))
    with serving(simulation) as base:
        yield simulation, f"{base}/"


@pytest.fixture(scope="session")
def crawled(simulation: tuple[Simulation, str], tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with the whole forum in it. Tests only read it."""
    root: Path = tmp_path_factory.mktemp("console") / "work"
    crawl_forum(simulation[1], root, delay=0, concurrency=1)
    return open_workspace(root)


@pytest.fixture(scope="session")
def base(crawled: Workspace) -> Iterator[str]:
    """The address of a console on that workspace."""
    settings = override(override(crawled.settings, "crawl", delay=0.0), "service", private_targets=True)
    quick = replace(crawled, settings=settings)
    with console_at(quick) as (address, _):
        yield address


@pytest.fixture
def client(base: str) -> ConsoleClient:
    """A visitor of that console who has opened a page with a form."""
    visitor = ConsoleClient(base)
    visitor.get("/inspect")
    return visitor


@pytest.fixture(scope="session")
def chromium() -> Iterator["Chrome"]:
    if not is_there():
        pytest.skip(HOW_TO)
    with open_browser() as window:
        yield window


@pytest.fixture
def browser(chromium: "Chrome") -> "Chrome":
    """A browser that has forgotten everything."""
    chromium.get("about:blank")
    chromium.delete_all_cookies()
    read_log(chromium, "browser")
    read_log(chromium, "performance")
    return chromium
