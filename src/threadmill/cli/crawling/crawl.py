"""`threadmill crawl`: fetch a forum or a site into a workspace, show how it goes, and sum up."""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.config import override
from threadmill.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from threadmill.crawl.site.site_crawl import Watch
    from threadmill.crawl.site.site_loop import SiteProgress

EXAMPLES = """\
  threadmill crawl https://forum.example.org/any/page
  threadmill crawl https://example.org/ --site
  threadmill crawl https://example.org/docs/ --site --scope prefix --max-depth 3
  threadmill crawl https://example.org/ --site --workspace work/example --delay 2 --max-pages 1000"""

_INTERRUPTED_CODE = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("url", metavar="URL", help="where to start, with its scheme")
    parser.add_argument("--site", action="store_true", help="crawl an ordinary site, breadth-first")
    parser.add_argument(
        "--scope",
        choices=["host", "site", "prefix"],
        default="host",
        help="with --site: stay on the host of URL, with and without www. and on its port (default); "
        "on all hosts of its registered domain; or below the directory of URL",
    )
    parser.add_argument(
        "--workspace",
        type=Path,
        default=Path("threadmill-work"),
        metavar="DIR",
        help="where database and archive are kept (default: threadmill-work)",
    )
    parser.add_argument(
        "--delay", type=_seconds, metavar="S", help="least seconds between two requests to a host"
    )
    parser.add_argument("--concurrency", type=_count, metavar="N", help="requests under way at once")
    parser.add_argument("--max-pages", type=_limit, metavar="N", help="stop after N pages, over all runs")
    parser.add_argument("--max-depth", type=_limit, metavar="N", help="follow links N steps from URL")
    parser.add_argument("--max-seconds", type=_seconds, metavar="S", help="stop this run after S seconds")
    parser.add_argument(
        "--sitemaps", action="store_true", default=None, help="with --site: start from its sitemaps, too"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress display, no summary")


def run(arguments: argparse.Namespace) -> int:
    """Crawl; the exit code is 0 when the workspace holds pages of the site at the end."""
    from threadmill.urls import canonicalise

    url = canonicalise(arguments.url)  # before a workspace is made for something that is none
    return _crawl_site(arguments, url) if arguments.site else _crawl_forum(arguments, url)


def _crawl_forum(arguments: argparse.Namespace, url: str) -> int:
    from threadmill.cli.crawling.forum_display import show_forum_crawl, sum_up_forum_crawl
    from threadmill.crawl.forum.forum_crawl import crawl_forum
    from threadmill.crawl.site.site_crawl import INTERRUPTED

    workspace = _configure(open_workspace(arguments.workspace, create=True), arguments)
    with show_forum_crawl(url, quiet=arguments.quiet) as watch:
        progress = crawl_forum(workspace, url, watch)
    if not arguments.quiet:
        sum_up_forum_crawl(progress, workspace)
    if progress.ended == INTERRUPTED:
        return _INTERRUPTED_CODE
    return 0 if progress.index_pages + progress.thread_pages else 1


def _crawl_site(arguments: argparse.Namespace, url: str) -> int:
    from threadmill.crawl.site.site_crawl import INTERRUPTED, crawl_site
    from threadmill.urls import Scope

    workspace = _configure(open_workspace(arguments.workspace, create=True), arguments)
    with _display(url, quiet=arguments.quiet) as watch:
        progress = crawl_site(workspace, url, Scope(arguments.scope), watch)
    if not arguments.quiet:
        _sum_up(progress, workspace)
    if progress.ended == INTERRUPTED:
        return _INTERRUPTED_CODE
    return 0 if progress.pages or progress.pages_before else 1


def _configure(workspace: Workspace, arguments: argparse.Namespace) -> Workspace:
    """The workspace's settings with the command's own over them."""
    settings = override(
        workspace.settings,
        "crawl",
        delay=arguments.delay,
        concurrency=arguments.concurrency,
        # A site is mostly one host: who asks for N at once means N there.
        host_concurrency=arguments.concurrency,
        max_pages=arguments.max_pages,
        max_depth=arguments.max_depth,
        sitemaps=arguments.sitemaps,
        max_seconds=arguments.max_seconds,
    )
    return dataclasses.replace(workspace, settings=settings)


@contextmanager
def _display(url: str, *, quiet: bool) -> Iterator[Watch | None]:
    """A line on standard error that tells how the crawl goes, on a terminal only."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.live import Live
    from rich.text import Text  # a URL may hold brackets, which would be markup in a plain string

    with Live(Text(f"crawling {url} …"), console=console, refresh_per_second=4, transient=True) as live:
        yield lambda progress: live.update(Text(_line(progress, url)))


def _line(progress: SiteProgress, url: str) -> str:
    seconds = max(0.001, time.monotonic() - progress.started)
    return (
        f"crawling {url}\n"
        f"{progress.pages:,} pages ({progress.pages / seconds:.1f}/s), {progress.queue:,} in the queue, "
        f"{progress.under_way} under way, {progress.errors} errors, {progress.waiting} to try again, "
        f"{progress.resting} hosts waiting"
    )


def _sum_up(progress: SiteProgress, workspace: Workspace) -> None:
    """What the run did, in numbers."""
    from rich.console import Console
    from rich.table import Table

    seconds = max(0.001, time.monotonic() - progress.started)
    table = Table("what", "count")
    table.columns[1].justify = "right"
    for what, count in _counts(progress):
        table.add_row(what, f"{count:,}")
    console = Console(markup=False, highlight=False)
    console.print(f"{workspace.root}: {progress.ended}", soft_wrap=True)
    console.print(table)
    rate = f"{progress.pages:,} pages in {seconds:.1f} s ({progress.pages / seconds:.1f}/s)"
    rest = progress.queue + progress.waiting
    console.print(rate + (f"; {rest:,} URLs are left, the same command goes on with them" if rest else ""))
    if not progress.pages and not progress.pages_before:
        console.print(
            f"nothing could be fetched: {progress.last_error or 'see the counts above'}", soft_wrap=True
        )


def _counts(progress: SiteProgress) -> Iterator[tuple[str, int]]:
    if progress.pages_before:
        yield "pages of earlier runs", progress.pages_before
    if progress.recovered:
        yield "taken from the archive of a killed run", progress.recovered
    yield "pages fetched", progress.pages
    for kind, count in sorted(progress.visits.items()):
        if kind != "fetched":
            yield kind, count
    for flaw, count in sorted(progress.flaws.items()):
        yield f"pages with a flaw: {flaw}", count
    for reason, count in sorted(progress.left_out.items()):
        yield f"links left out: {reason}", count


def _count(text: str) -> int:
    return _number(text, 1)


def _limit(text: str) -> int:
    return _number(text, 0)


def _number(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, but got {text!r}")
    return number


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds, 0 or more, but got {text!r}")
    return number
