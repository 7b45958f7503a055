"""Takes screenshots of every page of the console, 1280 and 390 pixels wide.

Without --workspace, a demonstration is crawled first. Look at the pictures: no test does.
"""

from __future__ import annotations

import argparse
import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tools.browser import HOW_TO, is_there, open_browser, set_size

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from threadmill.workspace import Workspace

WIDTHS = (1280, 390)
_PAGES = {
    "overview": "/",
    "forum": "/forums/1",
    "model": "/forums/1/model",
    "board": "/boards/2",
    "thread": "/threads/1",
    "operations": "/operations",
    "inspect": "/inspect",
    "missing": "/nowhere",
}
_TALLEST = 2600  # pixels of a picture


@contextmanager
def console_at(
    workspace: Workspace, host: str = "127.0.0.1", password: str = ""
) -> Iterator[tuple[str, str]]:
    """A running console of a workspace: its address, and the token if it asks for one."""
    import uvicorn

    from threadmill.console.app import make_console
    from threadmill.console.security.gate import make_rules
    from threadmill.store import open_store

    store = open_store(workspace.store_url)
    rules = make_rules(host, password)
    app = make_console(workspace, store, rules)
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_level="warning", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.02)
        [socket] = server.servers[0].sockets
        yield f"http://127.0.0.1:{socket.getsockname()[1]}", rules.token
    finally:
        app.state.crawls.close()
        server.should_exit = True
        thread.join()
        store.close()


def pages_of(browser: Chrome, base: str) -> Iterator[tuple[str, str]]:
    """Name and path of every page. Paths with numbers are found by following links."""
    from selenium.webdriver.common.by import By

    yield from _PAGES.items()
    browser.get(f"{base}/inspect")
    links = browser.find_elements(By.CSS_SELECTOR, "td.url a")
    for name, word in (("inspect-thread", "/threads/"), ("inspect-index", "/forums/")):
        found = [link.get_attribute("href") or "" for link in links if word in link.text]
        if found:
            yield name, found[0].removeprefix(base)
            yield f"{name}-paragraphs", found[0].removeprefix(base) + "?layer=paragraphs&layer=links"


def take(browser: Chrome, base: str, folder: Path) -> None:
    """Write the pictures of all pages."""
    for name, path in list(pages_of(browser, base)):
        for width in WIDTHS:
            for theme in ("light", "dark"):
                features = [{"name": "prefers-color-scheme", "value": theme}]
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                set_size(browser, width, 900)
                browser.get(base + path)
                height = browser.execute_script("return document.documentElement.scrollHeight")
                set_size(browser, width, min(int(cast(int, height)), _TALLEST))
                shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
                target = folder / f"{name}-{width}-{theme}.png"
                target.write_bytes(base64.b64decode(shot["data"]))
                print(json.dumps({"page": path, "picture": str(target), "height": height}), flush=True)


def main() -> None:
    """Take the pictures."""
    from threadmill.config import override
    from threadmill.workspace import open_workspace

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("screenshots"))
    arguments = parser.parse_args()
    if not is_there():
        raise SystemExit(HOW_TO)
    directory = arguments.workspace
    if directory is None:
        from threadmill.lab.evaluate.forum_experiment import run_demo

        directory = arguments.folder / "workspace"
        if not directory.exists():
            run_demo(directory, print)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    workspace = open_workspace(directory)
    workspace = replace(workspace, settings=override(workspace.settings, "crawl", delay=0.0))
    with console_at(workspace) as (base, _), open_browser() as browser:
        take(browser, base, arguments.folder)


if __name__ == "__main__":
    main()
