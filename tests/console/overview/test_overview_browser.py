"""The overview in a real browser: a crawl is started there, its progress comes by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.console.overview.test_overview import wait_for
from tests.console.test_browser import complaints, find
from threadmill.lab.simulate.server import Simulation
from threadmill.workspace import open_workspace
from tools.console_screenshots import console_at

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_person_crawls_a_forum_and_reads_a_post(
    browser: Chrome,
    simulation: tuple[Simulation, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THREADMILL_CRAWL_DELAY", "0")

    def shown() -> str:
        # The cards are replaced while they are read, so the page is asked and not an element of it.
        return str(browser.execute_script("return document.querySelector('main').innerText"))

    with console_at(open_workspace(tmp_path / "work", create=True)) as (base, _):
        browser.get(f"{base}/")
        find(browser, "input[name=url]").send_keys(simulation[1])
        find(browser, ".crawl-form button.main").click()
        wait_for(lambda: "Crawl again" in shown())  # without loading the page again
        assert "29" in shown()
        browser.get(f"{base}/forums/1")
        find(browser, "tbody a[href*='/boards/2']").click()
        find(browser, "tbody a[href*='/threads/']").click()
        assert find(browser, "article").text
        assert complaints(browser) == []
