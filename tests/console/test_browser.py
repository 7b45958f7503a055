"""The console in a real browser: what is used, what is loaded, and that no archived page runs anything."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.console.inspector.hostile_pages import hostile_pages
from tools.browser import read_log, set_size

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_PAGES = (
    *("/", "/forums/1", "/forums/1/model", "/boards/2", "/threads/1", "/operations"),
    *("/inspect", "/inspect/c2", "/inspect/c2?layer=paragraphs", "/login", "/nowhere"),
)


def find(browser: "Chrome", selector: str) -> Any:
    return browser.find_element("css selector", selector)


def requested_hosts(browser: "Chrome") -> set[str]:
    """The hosts that the browser asked since the log was last read."""
    found = set()
    for entry in read_log(browser, "performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if url.startswith(("http:", "https:", "ws:", "wss:")):
                found.add(url.split("/")[2])
    return found


def complaints(browser: "Chrome") -> list[str]:
    return [entry["message"] for entry in read_log(browser, "browser") if "favicon" not in entry["message"]]


def flaws_of(browser: "Chrome", url: str, width: int) -> list[Any]:
    """What is wrong with a page in both themes: too wide, or a serious finding of axe."""
    from axe_core_python.selenium import Axe

    found: list[Any] = []
    for theme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get(url)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        found += [f"{wide} pixels wide"] if int(str(wide)) > width else []
        results = Axe().run(browser, options="{iframes: false}")
        found += [
            (rule["id"], [node["html"] for node in rule["nodes"]][:3])
            for rule in results["violations"]
            if rule["impact"] in {"serious", "critical"}
        ]
    return found


def test_layers_are_switched_by_one_click(browser: "Chrome", base: str) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get(f"{base}/inspect/c2")
    assert not find(browser, "form[data-auto-submit] button").is_displayed()
    find(browser, "input[value=paragraphs]").click()
    WebDriverWait(browser, 10).until(lambda window: "layer=paragraphs" in window.current_url)
    browser.switch_to.frame(find(browser, "iframe.page"))
    assert browser.find_elements("css selector", ".tm-paragraphs")
    browser.switch_to.default_content()
    assert complaints(browser) == []


def test_the_theme_is_switched_and_kept(browser: "Chrome", base: str) -> None:
    browser.get(f"{base}/inspect")
    button = find(browser, "[data-theme-switch]")
    before = button.text
    button.click()
    assert button.text != before
    browser.get(f"{base}/inspect")
    assert find(browser, "[data-theme-switch]").text != before


def test_no_archived_page_runs_or_loads_anything(browser: "Chrome", base: str, tmp_path: Path) -> None:
    readable = 0
    for number, html in enumerate(hostile_pages()):
        file = tmp_path / f"{number}.html"
        file.write_bytes(html)
        browser.get(f"{base}/inspect")
        find(browser, "input[type=file]").send_keys(str(file))
        find(browser, "form[enctype] button").click()
        assert "owned" not in browser.title, html
        browser.switch_to.frame(find(browser, "iframe.page"))
        readable += "word 1" in find(browser, "body").text
        browser.switch_to.default_content()
        assert browser.execute_script("return document.title") != "owned"
    assert readable >= 40  # some pages swallow the rest of themselves, in every browser
    own = base.removeprefix("http://")
    assert requested_hosts(browser) <= {own}


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_their_width_and_have_no_serious_flaw_for_readers_with_impairments(
    browser: "Chrome", base: str, width: int
) -> None:
    set_size(browser, width, 900)
    try:
        for path in _PAGES:
            assert flaws_of(browser, base + path, width) == [], path
    finally:
        set_size(browser, 1280, 900)


def test_the_main_ways_work_by_keyboard_alone(browser: "Chrome", base: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.get(f"{base}/inspect")
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element.text == "Skip to the content"
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert browser.switch_to.active_element.get_attribute("id") == "main"


def test_a_first_view_is_light_and_stays_on_this_machine(browser: "Chrome", base: str) -> None:
    browser.get(f"{base}/inspect/c2")
    sizes = browser.execute_script(
        "return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".map(entry => entry.decodedBodySize)"
    )
    assert sum(sizes) < 1_500_000
    assert requested_hosts(browser) <= {base.removeprefix("http://")}
