"""Voting in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.console.test_browser import complaints, find, flaws_of
from tools.browser import set_size

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def wait_for(browser: Chrome, ending: str) -> None:
    """Wait until the browser is at a URL with this end."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 20).until(lambda window: window.current_url.endswith(ending))


def make_set(browser: Chrome, base: str) -> str:
    browser.get(f"{base}/compare")
    count = find(browser, "input[name=count]")
    count.clear()
    count.send_keys("2")
    find(browser, "button.main").click()
    wait_for(browser, "/0")
    return browser.current_url.rpartition("/")[0]


def test_a_person_votes_until_the_tally_comes(browser: Chrome, base: str) -> None:
    path = make_set(browser, base)
    find(browser, "input[name=name]").send_keys("Ana")
    find(browser, "button[value=A]").click()
    wait_for(browser, f"{path}/1")
    find(browser, "button[value=equal]").click()
    wait_for(browser, f"{path}/tally")
    assert find(browser, "svg.interval").is_displayed()
    assert "Ana" in find(browser, "main").text
    assert complaints(browser) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_fit_and_have_no_serious_flaw(browser: Chrome, base: str, width: int) -> None:
    path = make_set(browser, base)
    set_size(browser, width, 900)
    try:
        for url in (f"{base}/compare", f"{path}/0", f"{path}/tally"):
            assert flaws_of(browser, url, width) == [], url
    finally:
        set_size(browser, 1280, 900)
