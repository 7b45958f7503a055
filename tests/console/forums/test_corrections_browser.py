"""A person corrects a reading in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.console.test_browser import complaints, find, flaws_of
from tools.browser import set_size

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def thread_page(browser: Chrome, base: str) -> str:
    browser.get(f"{base}/forums/1/model")
    browser.find_element("link text", "Open a thread page").click()
    if "/archived" in browser.current_url:
        find(browser, "td.url a").click()
    return browser.current_url


def test_pointing_at_a_text_in_the_page_leads_to_a_tested_correction(browser: Chrome, base: str) -> None:
    thread_page(browser, base)
    browser.find_element("link text", "This is the text").click()
    assert "Point at the text of a post" in find(browser, ".point-note").text
    browser.switch_to.frame(find(browser, "iframe.page"))
    find(browser, ".tm-posts-body .tm-point, .tm-point").click()
    browser.switch_to.default_content()
    assert "/corrections/try?" in browser.current_url
    assert find(browser, "h1").text in {"This is the text", "Bad Request"}
    assert [line for line in complaints(browser) if "400" not in line] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_fit_and_have_no_serious_flaw(browser: Chrome, base: str, width: int) -> None:
    page = thread_page(browser, base)
    set_size(browser, width, 900)
    tried = f"{base}/forums/1/corrections/try?kind=date+order&said=mdy"
    try:
        for url in (f"{page}?point=author", tried, f"{base}/forums/1/model"):
            assert flaws_of(browser, url, width) == [], url
    finally:
        set_size(browser, 1280, 900)
