"""`threadmill watch`: keep forums current. Busy boards are checked more often, within a daily budget."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workspace, positive_number, seconds, whole_number
from threadmill.cli.tables import TableColumns, print_table, table_lines
from threadmill.cli.terminal import counted
from threadmill.config import override
from threadmill.errors import UsageError
from threadmill.workspace import Workspace, open_workspace, refuse_lost_database

if TYPE_CHECKING:
    from rich.console import RenderableType

    from threadmill.crawl.watch.planner import ForumTurn, PlanItem, WatchOptions
    from threadmill.crawl.watch.watcher import FinishedRun, Watcher, WatchState

EXAMPLES = """\
  threadmill watch --workspace work/forums --plan         show what is due when, and why; fetch nothing
  threadmill watch https://forum.example.org/ https://talk.example.net/ --budget 500
  threadmill watch --workspace work/forums --once         fetch what is due now, then end (for cron)
  threadmill watch --workspace work/forums --period 6h    check everything every six hours
  threadmill watch --workspace shared/forums --fleet      one of many workers that share a PostgreSQL store"""

_UNITS = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0, "w": 168.0, "": 1.0}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)", re.IGNORECASE)
_INTERRUPTED_CODE = 130
_LIVE_ROWS = 12  # boards that are shown while the watch runs
_REFRESH_SECONDS = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("url", nargs="*", metavar="URL", help="forums (default: all of the workspace)")
    add_workspace(parser, "the workspace of the forums")
    parser.add_argument(
        "--budget", type=whole_number(1), metavar="N", help="most requests to a host in 24 hours (2000)"
    )
    parser.add_argument(
        "--posts", type=positive_number, metavar="N", help="visit a board when N new posts are expected (3)"
    )
    parser.add_argument(
        "--period", type=_hours, metavar="TIME", help="visit everything this often instead: 30min, 6h, 1d"
    )
    parser.add_argument("--once", action="store_true", help="fetch what is due now, then end")
    parser.add_argument("--plan", action="store_true", help="show what is due when, and why; fetch nothing")
    parser.add_argument(
        "--delay", type=seconds, metavar="S", help="least seconds between two requests to a host"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: a line per board of the plan, or per run that ended"
    )
    fleet = parser.add_argument_group("many workers", "the store must be PostgreSQL, the workspace shared")
    fleet.add_argument(
        "--fleet", action="store_true", help="share the forums with other workers, on this or other machines"
    )
    fleet.add_argument(
        "--name", metavar="NAME", help="name of this worker (default: machine, process and a random part)"
    )
    fleet.add_argument(
        "--hosts", type=whole_number(1), metavar="N", help="hosts that this worker visits at once (20)"
    )
    fleet.add_argument(
        "--fleet-budget",
        type=whole_number(1),
        metavar="N",
        help="most requests of all workers together in 24 hours",
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch. The exit code is 1 when a forum could not be visited at the end."""
    from threadmill.urls import canonicalise

    urls = tuple(dict.fromkeys(canonicalise(url) for url in arguments.url))
    if not arguments.fleet and (arguments.name or arguments.hosts or arguments.fleet_budget):
        raise UsageError("--name, --hosts and --fleet-budget belong to --fleet; add it or leave them out")
    if arguments.plan and (arguments.once or arguments.fleet):
        raise UsageError("--plan fetches nothing; leave out --once and --fleet, or leave out --plan")
    workspace = _configure(open_workspace(arguments.workspace, create=bool(urls)), arguments)
    refuse_lost_database(workspace)
    options = _watch_options(workspace, urls)
    if arguments.plan:
        return _show_plan(workspace, options, as_json=arguments.json)
    if arguments.fleet:
        return asyncio.run(_watch_in_fleet(workspace, options, arguments))
    return asyncio.run(_watch(workspace, options, arguments))


def _configure(workspace: Workspace, arguments: argparse.Namespace) -> Workspace:
    settings = override(
        workspace.settings,
        "watch",
        budget=arguments.budget,
        posts=arguments.posts,
        period_hours=arguments.period,
    )
    return Workspace(workspace.root, override(settings, "crawl", delay=arguments.delay))


def _watch_options(workspace: Workspace, urls: tuple[str, ...]) -> WatchOptions:
    from threadmill.crawl.watch.planner import WatchOptions

    watch = workspace.settings.watch
    if watch.budget < 1 or watch.posts <= 0:
        raise UsageError("watch.budget and watch.posts must be above 0; change them in threadmill.toml")
    period = timedelta(hours=watch.period_hours) if watch.period_hours else None
    return WatchOptions(urls, watch.budget, watch.posts, period)


def _show_plan(workspace: Workspace, options: WatchOptions, *, as_json: bool) -> int:
    from threadmill.crawl.watch.planner import WatchPlanner
    from threadmill.store import open_store_for_reading

    now = datetime.now(UTC)
    store = open_store_for_reading(workspace.store_url)
    try:
        with store.reading() as connection:
            turns = WatchPlanner(connection, options, now).turns()
    finally:
        store.close()
    for turn in turns:
        if as_json:
            for item in _by_due(turn):
                print(json.dumps(_item_as_dict(turn, item), ensure_ascii=False))
        else:
            print_table(_plan_rows(turn, now), _PLAN, title=_plan_title(turn))
    _require_forums(turns)
    return 0


async def _watch(workspace: Workspace, options: WatchOptions, arguments: argparse.Namespace) -> int:
    from threadmill.crawl.forum.resources import open_resources
    from threadmill.crawl.site.site_crawl import stop_on_signals
    from threadmill.crawl.watch.watcher import Watcher

    async with open_resources(workspace) as resources:
        watcher = Watcher(resources, options, _teller(arguments))
        with stop_on_signals(watcher.stop) as came:
            async with _live_view(watcher, quiet=arguments.quiet or arguments.json):
                state = await watcher.run(once=arguments.once)
    _require_forums(state.turns)
    if not arguments.quiet and not arguments.json:
        _sum_up(state)
    if signal.SIGINT in came:
        return _INTERRUPTED_CODE
    # Who manages services ends them by SIGTERM. That is how a watch ends when all is well.
    return 1 if state.failures and not came else 0


async def _watch_in_fleet(workspace: Workspace, options: WatchOptions, arguments: argparse.Namespace) -> int:
    from threadmill.crawl.forum.resources import open_resources
    from threadmill.crawl.site.site_crawl import stop_on_signals
    from threadmill.crawl.watch.fleet import FleetOptions, FleetWorker
    from threadmill.crawl.watch.leases import HostLeases, worker_name
    from threadmill.store.crawl.fleet import add_forums
    from threadmill.store.forum.activity import known_forums

    if not workspace.store_url.startswith("postgres"):
        raise UsageError(
            "a fleet needs a store in PostgreSQL; set store.url in threadmill.toml, "
            "or take this workspace there: threadmill move --to postgresql://…"
        )
    seconds, budget = workspace.settings.watch.lease_seconds, arguments.fleet_budget or 0
    leases = HostLeases(arguments.name or worker_name(), seconds, budget)
    async with open_resources(workspace, permit=leases) as resources:
        with resources.store.writing() as connection:
            urls = options.urls or [forum.url for forum in known_forums(connection)]
            add_forums(connection, urls)
        fleet = FleetOptions(options, arguments.hosts or 20)
        worker = FleetWorker(resources, leases, fleet, _teller(arguments) or _ignore)
        with stop_on_signals(worker.stop) as came:
            progress = await worker.run(once=arguments.once)
    if not arguments.quiet and not arguments.json:
        print(
            f"{progress.runs:,} runs, {progress.pages:,} pages, {progress.posts:,} new posts; "
            f"{progress.taken_over:,} hosts of dead workers taken over"
        )
        for url, sentence in progress.last_failure.items():
            print(f"{url} could not be visited: {sentence}")
    if signal.SIGINT in came:
        return _INTERRUPTED_CODE
    return 1 if progress.last_failure and not came else 0


def _ignore(_: FinishedRun) -> None:
    """Tell nobody of a run that has ended."""


def _sum_of(state: WatchState) -> str:
    counts = counted(state.runs, "run"), counted(state.pages, "page"), counted(state.new_posts, "new post")
    return ", ".join(counts)


def _sum_up(state: WatchState) -> None:
    print(_sum_of(state))
    for url, sentence in state.last_failure.items():
        print(f"{url} could not be visited: {sentence}")
    if state.turns:
        first = state.turns[0].plan
        print(f"next: {first.url} at {first.due:%Y-%m-%d %H:%M} UTC, {first.why}")


def _require_forums(turns: list[ForumTurn]) -> None:
    if not turns:
        raise UsageError("this workspace has no forum yet; name one: threadmill watch URL --workspace DIR")


def _hours(text: str) -> float:
    match = _SPAN.fullmatch(text.strip())
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None or not float(match[1]):
        raise argparse.ArgumentTypeError(f"expected a time like 30min, 6h or 1d, not {text!r}")
    return float(match[1]) * unit


_PLAN = TableColumns(("board", "posts/day", "last_seen", "every", "due", "why"), right=("posts/day", "every"))


def _plan_title(turn: ForumTurn) -> str:
    return f"{turn.plan.url} ({turn.left:,} requests left today)"


def _by_due(turn: ForumTurn) -> list[PlanItem]:
    return sorted(turn.plan.items, key=lambda item: item.due)


def _plan_rows(turn: ForumTurn, now: datetime) -> list[dict[str, str]]:
    """The boards of a forum: how busy they are, and when each is due."""
    return [
        {
            "board": item.name,
            "posts/day": f"{item.posts_per_day:.2f}" if item.posts_per_day is not None else "–",
            "last_seen": f"{_span(now - item.seen)} ago" if item.seen else "never",
            "every": _span(item.every) if item.every else "–",
            "due": "now" if item.due <= now else f"in {_span(item.due - now)}",
            "why": item.why,
        }
        for item in _by_due(turn)
    ]


def _item_as_dict(turn: ForumTurn, item: PlanItem) -> dict[str, Any]:
    return {
        "forum": turn.plan.url,
        "requests_left": turn.left,
        "board": item.name,
        "posts_per_day": round(item.posts_per_day, 4) if item.posts_per_day is not None else None,
        "last_seen": item.seen.isoformat(timespec="seconds") if item.seen else None,
        "every_hours": round(item.every / timedelta(hours=1), 2) if item.every else None,
        "due": item.due.isoformat(timespec="seconds"),
        "why": item.why,
    }


def _teller(arguments: argparse.Namespace) -> Callable[[FinishedRun], None] | None:
    if arguments.json:
        return _print_run_as_json
    return None if arguments.quiet else _print_run


def _print_run_as_json(run: FinishedRun) -> None:
    """Print one JSON object about a run that has ended."""
    progress = run.progress
    told = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "url": run.url,
        "why": run.why,
        "pages": progress.pages if progress else 0,
        "new_posts": progress.new_posts if progress else 0,
        "ended": progress.ended if progress else None,
        "failure": run.failure or None,
    }
    print(json.dumps(told, ensure_ascii=False), flush=True)


def _print_run(run: FinishedRun) -> None:
    """Print one line about a run that has ended."""
    at = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    if run.progress is None or run.failure:
        print(f"{at} {run.url}: failed, {run.failure}", flush=True)
        return
    progress = run.progress
    done = f"{counted(progress.pages, 'page')}, {counted(progress.new_posts, 'new post')}"
    print(f"{at} {run.url}: {done} ({run.why}; {progress.ended})", flush=True)


@asynccontextmanager
async def _live_view(watcher: Watcher, *, quiet: bool) -> AsyncIterator[None]:
    """Show on standard error what the watch does, if that is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    from rich.live import Live

    with Live("…", console=console, refresh_per_second=2, transient=True) as live:

        async def draw() -> None:
            while True:
                live.update(_render(watcher, console.width))
                await asyncio.sleep(_REFRESH_SECONDS)

        drawing = asyncio.create_task(draw())
        try:
            yield
        finally:
            drawing.cancel()
            with suppress(asyncio.CancelledError):
                await drawing


def _render(watcher: Watcher, width: int) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    now, state = datetime.now(UTC), watcher.state
    lines = [_sum_of(state)]
    for url, progress in state.under_way.items():
        done = f"{progress.pages:,} pages, {progress.new_posts:,} new posts" if progress else "learning"
        lines.append(f"under way: {url}: {done}")
    lines += [f"failing: {url}: {sentence}" for url, sentence in state.last_failure.items()]
    waiting = [turn for turn in state.turns if turn.plan.url not in state.under_way]
    rows = max(1, _LIVE_ROWS // max(1, len(waiting)))
    tables = (
        line
        for turn in waiting[:_LIVE_ROWS]
        for line in table_lines(_plan_rows(turn, now)[:rows], _PLAN, width, title=_plan_title(turn))
    )
    return Group(Text("\n".join(lines)), *tables)


def _span(span: timedelta) -> str:
    from threadmill.crawl.watch.planner import format_span

    return format_span(span)
