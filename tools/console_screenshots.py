"""Takes screenshots of every page of the console, 1280 and 390 pixels wide.

Without --workspace, a demonstration is crawled first. Look at the pictures: no test does.
"""

from __future__ import annotations

import argparse
import base64
import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
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
            yield f"{name}-point", found[0].removeprefix(base) + "?point=author"


def add_examples(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Store made-up contents, and name the pages that show them."""
    from threadmill.api.corpora import build_index
    from threadmill.store import open_store
    from threadmill.store.crawl.captures import sample_pages
    from threadmill.store.sites.compare_results import pairs_over
    from threadmill.store.sites.decisions import DecisionMaker, decide_pairs
    from threadmill.store.sites.tasks import list_tasks
    from threadmill.store.votes import Vote, add_vote_set, put_vote
    from tools.console_examples import add_comparison

    store = open_store(workspace.store_url)
    with store.reading() as connection:
        tasks = list_tasks(connection, offset=0, most=1)
    task = tasks[0].id if tasks else add_comparison(store, 160)
    with store.writing() as connection:
        best = pairs_over(connection, task, 0.5, limit=3)
        maker = DecisionMaker("Ana", datetime.now(UTC))
        decide_pairs(connection, task, [(best[1].position1, best[1].position2)], same=True, maker=maker)
        decide_pairs(connection, task, [(best[2].position1, best[2].position2)], same=False, maker=maker)
        pages = sample_pages(connection, "")[:4]
        now = datetime.now(UTC)
        keys, readings = [f"c{number}" for number in pages], ["ours", "jusText", "everything"]
        voted = add_vote_set(connection, "first round", readings, keys, who="Ana", at=now)
        for page, choice in enumerate(["ours", "ours", "jusText", "equal"]):
            for who in ("Ana", "Ben", "Cleo")[: 3 - page % 2]:
                put_vote(connection, voted, Vote(page, who, choice, 12.0 + page, now))
    store.close()
    build_index([workspace.root], workspace.root / "threadmill-index")
    yield "search", "/search"
    yield "search-lines", "/search?q=the&sort=right"
    yield "search-filters", "/search?q=manual+OR+order*&since=2015-06&order=newest&context=100"
    yield "compare", "/compare"
    yield "compare-page", f"/compare/{voted}/0"
    yield "compare-tally", f"/compare/{voted}/tally"
    yield "correction", "/forums/1/corrections/try?kind=date+order&said=mdy"
    yield "sites", "/sites"
    for view in ("clusters", "pairs", "sites", "decisions"):
        yield f"sites-{view}", f"/sites/{task}?view={view}"
    yield "sites-cluster", f"/sites/{task}/cluster/{best[0].position1}"
    yield "sites-pair", f"/sites/{task}/pair/{best[0].position1}/{best[0].position2}"


def take(browser: Chrome, base: str, folder: Path, wanted: Iterable[tuple[str, str]]) -> None:
    """Write the pictures of some pages."""
    for name, path in wanted:
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
    parser.add_argument("--only", default="", help="only pages whose name begins so")
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
        wanted = [*pages_of(browser, base), *add_examples(workspace)]
        chosen = [page for page in wanted if page[0].startswith(arguments.only)]
        take(browser, base, arguments.folder, chosen)


if __name__ == "__main__":
    main()
