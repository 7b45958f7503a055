"""`threadmill doctor`: check the installation, a workspace, and what keeps us from reading a page."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shutil
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill import __version__
from threadmill.cli.arguments import access_settings, add_access
from threadmill.cli.terminal import counted
from threadmill.errors import FetchError, ThreadmillError

if TYPE_CHECKING:
    from threadmill.config import Settings
    from threadmill.types import Capture

EXAMPLES = """\
  threadmill doctor
  threadmill doctor https://forum.example.org/ --workspace work/forum
  threadmill doctor https://forum.example.org/ --cookies cookies.txt

exit codes:
  0    nothing is wrong
  1    something is wrong; the lines that begin with "!" say what"""

_LEAST_FREE = 1_000_000_000  # bytes; a forum of a million posts takes about as much
# What each extra is for, and a module of it.
_EXTRAS = {
    "console": ("the console in a browser", "fastapi"),
    "search": ("search indexes", "tantivy"),
    "parquet": ("Parquet files", "pyarrow"),
    "lemma": ("lemmas", "simplemma"),
    "xlsx": ("lists of sites as Excel files", "openpyxl"),
    "postgres": ("PostgreSQL", "psycopg"),
    "queue": ("RabbitMQ", "faststream"),
    "browser": ("pages made by scripts", "playwright"),
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was looked at."""

    what: str
    told: str
    ok: bool = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("url", metavar="URL", nargs="?", help="a page to fetch and to look at")
    parser.add_argument("--workspace", type=Path, metavar="DIR", help="a workspace to look at")
    add_access(parser)
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check, and print what was found."""
    found = [*_check_installation()]
    if arguments.workspace is not None:
        found += _check_workspace(arguments.workspace)
    if arguments.url is not None:
        found += asyncio.run(_check_page(arguments))
    if arguments.json:
        print(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1))
    else:
        width = max(len(one.what) for one in found)
        for one in found:
            print(f"{' ' if one.ok else '!'} {one.what:{width}}  {one.told}")
    return 0 if all(one.ok for one in found) else 1


def _check_installation() -> Iterator[CheckResult]:
    from threadmill.config import load_settings
    from threadmill.crawl.fetch.browser import HOW_TO, find_program
    from threadmill.native.loader import describe_extensions, missing_extensions

    yield CheckResult("threadmill", __version__)
    yield CheckResult("Python", f"{platform.python_version()} on {platform.system()}")
    yield CheckResult("compiled loops", describe_extensions(), not missing_extensions())
    for extra, (purpose, module) in _EXTRAS.items():
        there = find_spec(module) is not None
        told = "installed" if there else f"not installed: pip install '.[{extra}]'"
        if extra == "browser" and there and not find_program(load_settings().fetch):
            told = f"Chromium was not found: {HOW_TO}"
        yield CheckResult(purpose, told)


def _check_workspace(root: Path) -> Iterator[CheckResult]:
    from threadmill.config import SETTINGS_FILE, holds_secrets, load_settings
    from threadmill.crawl.lock import lock_holder
    from threadmill.workspace import open_workspace

    try:
        workspace = open_workspace(root)
    except ThreadmillError as error:
        yield CheckResult("workspace", str(error), ok=False)
        return
    yield CheckResult("workspace", str(workspace.root))
    may_write = os.access(workspace.root, os.W_OK)
    yield CheckResult("may be written", "yes" if may_write else "no: crawls cannot store anything", may_write)
    file = workspace.root / SETTINGS_FILE
    if file.stat().st_mode & stat.S_IROTH and os.name != "nt" and holds_secrets(load_settings(file, {})):
        told = f"{file} holds a password, and every user of this machine may read it: chmod 600 {file}"
        yield CheckResult("settings", told, ok=False)
    holder = lock_holder(workspace.root)
    yield CheckResult("in use", f"by the process {holder}" if holder else "no")
    free = shutil.disk_usage(workspace.root).free
    advice = "" if free >= _LEAST_FREE else "; make room before a crawl"
    yield CheckResult("free disk", f"{free / 1e9:.1f} GB{advice}", not advice)
    try:
        boards, threads = sum(1 for _ in workspace.boards()), sum(1 for _ in workspace.threads())
        kind = "PostgreSQL" if workspace.store_url.startswith("postgresql") else "SQLite"
        yield CheckResult("store", f"{kind}: {counted(boards, 'board')}, {counted(threads, 'thread')}")
    except ThreadmillError as error:
        yield CheckResult("store", str(error), ok=False)


async def _check_page(arguments: argparse.Namespace) -> list[CheckResult]:
    from threadmill.config import override
    from threadmill.crawl.access.login import open_fetcher
    from threadmill.crawl.fetch.client import Request
    from threadmill.crawl.fetch.clock import SystemClock
    from threadmill.crawl.manners.robots import MemoryRobotsCache
    from threadmill.urls import canonicalise

    url = canonicalise(arguments.url)
    settings = access_settings(arguments, override(_settings(arguments.workspace), "fetch", retries=1), url)
    try:
        async with open_fetcher(settings, SystemClock(), MemoryRobotsCache()) as fetcher:
            result = await fetcher.fetch(Request(url))
    except FetchError as error:
        return [CheckResult("page", str(error), ok=False)]
    return list(_look_at(result.capture, url))


def _settings(workspace: Path | None) -> Settings:
    from threadmill.config import load_settings
    from threadmill.workspace import open_workspace

    return open_workspace(workspace).settings if workspace is not None else load_settings()


def _look_at(capture: Capture, asked: str) -> Iterator[CheckResult]:
    """What came, what keeps us out, and what kind of page it is."""
    from threadmill.api.forum_page import find_obstacle, read_forum_page

    moved = f", at {capture.url}" if capture.url != asked else ""
    told = f"status {capture.status}, {len(capture.payload):,} bytes{moved}"
    yield CheckResult("page", told, capture.status == 200)
    content_type = capture.header("content-type") or ""
    problem = find_obstacle(capture)
    if problem is not None:
        yield CheckResult(problem.kind, problem.sentence, ok=False)
        return
    page = read_forum_page(capture.payload, capture.url, content_type=content_type)
    if page.kind == "thread":
        yield CheckResult("kind", f"a thread with {len(page.posts)} posts: threadmill crawl {asked}")
    elif page.kind == "index":
        yield CheckResult("kind", f"an index of a forum: threadmill crawl {asked}")
    else:
        told = "this page alone does not look like a forum; a crawl tries more pages"
        yield CheckResult("kind", f"{told}: threadmill crawl {asked}; an ordinary site: add --site")
