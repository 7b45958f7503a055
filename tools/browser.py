"""A real browser for the tests and screenshots of the console: Debian's chromium, driven by Selenium."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

HOW_TO = "no browser for the tests: apt-get install chromium chromium-driver, and pip install selenium"
_SECONDS = 60
_WAIT = 5  # seconds that an element may take to appear


def is_there() -> bool:
    """Whether a browser, its driver and Selenium are installed."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return False
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


@contextmanager
def open_browser(width: int = 1280, height: int = 900) -> Iterator[Chrome]:
    """Open a window of a size. Nothing is kept when it is closed."""
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    with tempfile.TemporaryDirectory(prefix="threadmill-browser-", ignore_cleanup_errors=True) as profile:
        for word in (
            "--headless=new",
            "--no-sandbox",  # chromium refuses its own sandbox to root; tests visit our pages only
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
        ):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        browser = Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
        try:
            browser.set_page_load_timeout(_SECONDS)
            browser.implicitly_wait(_WAIT)
            set_size(browser, width, height)
            yield browser
        finally:
            browser.quit()


def set_size(browser: Chrome, width: int, height: int) -> None:
    """Show pages as on a screen of this size. A window of chromium cannot be narrower than 500 pixels."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def read_log(browser: Chrome, name: str) -> list[dict[str, Any]]:
    """What a log ("browser" or "performance") holds since it was last read."""
    entries: list[dict[str, Any]] = browser.get_log(name)  # type: ignore[no-untyped-call]
    return entries
