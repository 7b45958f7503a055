"""The pages of comparisons in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from tests.console.test_browser import complaints, find, flaws_of
from threadmill.store import open_store
from threadmill.workspace import Workspace
from tools.browser import set_size
from tools.console_examples import add_comparison

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def task(crawled: Workspace) -> UUID:
    store = open_store(crawled.store_url)
    found = add_comparison(store, 80, seed=7)
    store.close()
    return found


def test_moving_the_border_redraws_the_clusters_at_once(browser: Chrome, base: str, task: UUID) -> None:
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get(f"{base}/sites/{task}")
    before = len(browser.find_elements("css selector", ".cluster"))
    slider = find(browser, "#border")
    slider.send_keys(Keys.END)
    # The page may be redrawn between finding an element and reading it.
    waiting = WebDriverWait(browser, 10, ignored_exceptions=[StaleElementReferenceException])
    waiting.until(lambda window: "1.00" in find(window, ".histogram strong").text)
    assert before > 0
    waiting.until(lambda window: find(window, ".empty").text.startswith("No two sites"))
    assert "border=1" in browser.current_url
    slider.send_keys(Keys.HOME)
    waiting.until(lambda window: window.find_elements("css selector", ".cluster"))
    assert complaints(browser) == []


def test_a_pair_is_accepted_by_one_click_and_the_decision_is_kept(
    browser: Chrome, base: str, task: UUID
) -> None:
    browser.get(f"{base}/sites/{task}?view=pairs")
    find(browser, "button[value=accept]").click()
    assert "view=pairs" in browser.current_url
    assert find(browser, ".verdict-good").text == "accepted"
    browser.get(f"{base}/sites/{task}?view=decisions")
    assert find(browser, ".verdict-good").text == "accepted"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_fit_and_have_no_serious_flaw(browser: Chrome, base: str, task: UUID, width: int) -> None:
    browser.get(f"{base}/sites/{task}")
    cluster = str(find(browser, ".cluster").get_attribute("href"))
    paths = ["/sites", f"/sites/{task}", f"/sites/{task}?view=pairs", f"/sites/{task}?view=sites"]
    paths += [cluster.removeprefix(base), f"/sites/{task}/pair/0/1"]
    set_size(browser, width, 900)
    try:
        for path in paths:
            assert flaws_of(browser, base + path, width) == [], path
    finally:
        set_size(browser, 1280, 900)
