"""`threadmill watch`: keep forums current, each board visited as often as its posting is worth."""

from __future__ import annotations

import argparse
import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.config import override
from threadmill.errors import UsageError
from threadmill.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from threadmill.crawl.watch.planner import ForumTurn, WatchOptions
    from threadmill.crawl.watch.watcher import WatchState

EXAMPLES = """\
  threadmill watch --workspace work/forums --plan         what is due when, and why; nothing is fetched
  threadmill watch https://forum.example.org/ https://talk.example.net/ --budget 500
  threadmill watch --workspace work/forums --once         serve what is due now, then end (for cron)
  threadmill watch --workspace work/forums --period 6h    everything every six hours"""

_UNITS = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0, "w": 168.0, "": 1.0}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)", re.IGNORECASE)
_INTERRUPTED_CODE = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("url", nargs="*", metavar="URL", help="forums (default: all of the workspace)")
    parser.add_argument(
        "--workspace", type=Path, default=Path("threadmill-work"), metavar="DIR", help="(threadmill-work)"
    )
    parser.add_argument("--budget", type=_count, metavar="N", help="requests to a host in 24 hours (2000)")
    parser.add_argument(
        "--posts", type=_positive, metavar="N", help="visit a board when N new posts are expected (3)"
    )
    parser.add_argument(
        "--period", type=_hours, metavar="TIME", help="visit everything this often instead: 30min, 6h, 1d"
    )
    parser.add_argument("--once", action="store_true", help="serve what is due now, then end")
    parser.add_argument("--plan", action="store_true", help="show what is due when, and why; fetch nothing")
    parser.add_argument(
        "--delay", type=_seconds, metavar="S", help="least seconds between two requests to a host"
    )
    parser.add_argument("--quiet", action="store_true", help="no display")


def run(arguments: argparse.Namespace) -> int:
    """Watch; the exit code is 1 when at the end a forum cannot be visited."""
    from threadmill.urls import canonicalise

    urls = tuple(dict.fromkeys(canonicalise(url) for url in arguments.url))
    workspace = _configure(open_workspace(arguments.workspace, create=bool(urls)), arguments)
    if arguments.plan:
        return _show_plan(workspace, _wish(workspace, urls))
    return asyncio.run(_watch(workspace, _wish(workspace, urls), arguments))


def _configure(workspace: Workspace, arguments: argparse.Namespace) -> Workspace:
    settings = override(
        workspace.settings,
        "watch",
        budget=arguments.budget,
        posts=arguments.posts,
        period_hours=arguments.period,
    )
    settings = override(settings, "crawl", delay=arguments.delay)
    return Workspace(workspace.root, settings)


def _wish(workspace: Workspace, urls: tuple[str, ...]) -> WatchOptions:
    from threadmill.crawl.watch.planner import WatchOptions

    watch = workspace.settings.watch
    if watch.budget < 1 or watch.posts <= 0:
        raise UsageError("expected watch.budget and watch.posts to be more than 0; mend threadmill.toml")
    period = timedelta(hours=watch.period_hours) if watch.period_hours else None
    return WatchOptions(urls, watch.budget, watch.posts, period)


def _show_plan(workspace: Workspace, wish: WatchOptions) -> int:
    from rich.console import Console

    from threadmill.cli.crawling.watch_display import WIDE, plan_table
    from threadmill.crawl.watch.planner import WatchPlanner
    from threadmill.store import open_store

    now = datetime.now(UTC)
    store = open_store(workspace.store_url)
    try:
        with store.reading() as connection:
            turns = WatchPlanner(connection, wish, now).turns()
    finally:
        store.close()
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    for turn in turns:
        console.print(plan_table(turn, now))
    _require(turns)
    return 0


async def _watch(workspace: Workspace, wish: WatchOptions, arguments: argparse.Namespace) -> int:
    from threadmill.cli.crawling.watch_display import show_watch, tell_run
    from threadmill.crawl.forum.forum_crawl import open_resources
    from threadmill.crawl.site.site_crawl import stop_on_signals
    from threadmill.crawl.watch.watcher import Watcher

    stopped = False
    async with open_resources(workspace) as means:
        watcher = Watcher(means, wish, None if arguments.quiet else tell_run)

        def stop() -> None:
            nonlocal stopped
            stopped = True
            watcher.stop()

        with stop_on_signals(stop):
            async with show_watch(watcher, quiet=arguments.quiet):
                state = await watcher.run(once=arguments.once)
    _require(state.turns)
    if not arguments.quiet:
        _sum_up(state)
    if stopped:
        return _INTERRUPTED_CODE
    return 1 if state.failures else 0


def _sum_up(state: WatchState) -> None:
    print(f"{state.runs:,} runs, {state.pages:,} pages, {state.new_posts:,} new posts")
    for url, sentence in state.last_failure.items():
        print(f"{url} could not be visited: {sentence}")
    if state.turns:
        first = state.turns[0].plan
        print(f"next: {first.url} at {first.due:%Y-%m-%d %H:%M} UTC, {first.why}")


def _require(turns: list[ForumTurn]) -> None:
    if not turns:
        raise UsageError("no forum is in this workspace yet; name one: threadmill watch URL --workspace DIR")


def _hours(text: str) -> float:
    match = _SPAN.fullmatch(text.strip())
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None or not float(match[1]):
        raise argparse.ArgumentTypeError(f"expected a time like 30min, 6h or 1d, but got {text!r}")
    return float(match[1]) * unit


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, but got {text!r}")
    return int(text)


def _positive(text: str) -> float:
    return _number(text, "a number above 0", least=1e-9)


def _seconds(text: str) -> float:
    return _number(text, "seconds, 0 or more", least=0.0)


def _number(text: str, expected: str, least: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected {expected}, but got {text!r}")
    return number
