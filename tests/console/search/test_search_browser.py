"""The page of words in context in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.console.test_browser import complaints, find, flaws_of
from threadmill.api.corpora import build_index
from threadmill.workspace import Workspace
from tools.browser import set_size

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module", autouse=True)
def index(crawled: Workspace) -> None:
    build_index([crawled.root], crawled.root / "threadmill-index")


def test_a_person_searches_sorts_and_opens_a_post(browser: Chrome, base: str) -> None:
    browser.get(f"{base}/search")
    field = find(browser, "input[name=q]")
    field.send_keys("the")
    find(browser, "select[name=sort] option[value=right]").click()
    field.submit()
    assert len(browser.find_elements("css selector", ".kwic tbody tr")) == 50
    assert find(browser, ".charts svg").is_displayed()
    find(browser, ".kwic .from a").click()
    assert "/threads/" in browser.current_url
    assert "#p" in browser.current_url
    assert complaints(browser) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_and_has_no_serious_flaw(browser: Chrome, base: str, width: int) -> None:
    set_size(browser, width, 900)
    try:
        for path in ("/search", "/search?q=the&author=x", "/search?q=the&sort=left"):
            assert flaws_of(browser, base + path, width) == [], path
    finally:
        set_size(browser, 1280, 900)
