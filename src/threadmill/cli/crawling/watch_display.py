"""How a watch is shown: what is due and why, what is under way, and a line for each run that has ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from threadmill.crawl.watch.planner import ForumTurn
    from threadmill.crawl.watch.watcher import FinishedRun, Watcher

WIDE = 140
_LINES = 12  # boards of a forum that are shown while the watch runs
_LOOK_SECONDS = 0.5


def plan_table(turn: ForumTurn, now: datetime, most: int | None = None) -> Table:
    """What one forum is due for, board by board."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(f"{turn.plan.url} ({turn.left:,} requests left today)"), title_justify="left")
    for name in ("board", "posts/day", "last seen", "every", "due", "why"):
        table.add_column(name, justify="right" if name in {"posts/day", "every"} else "left")
    for item in sorted(turn.plan.items, key=lambda item: item.due)[:most]:
        table.add_row(
            escape(item.name),
            f"{item.posts_per_day:.2f}" if item.posts_per_day is not None else "–",
            f"{_span(now - item.seen)} ago" if item.seen else "never",
            _span(item.every) if item.every else "–",
            "now" if item.due <= now else f"in {_span(item.due - now)}",
            escape(item.why),
        )
    return table


def tell_run(run: FinishedRun) -> None:
    """One line on standard output for a run that has ended."""
    at = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    if run.progress is None or run.failure:
        print(f"{at} {run.url}: failed, {run.failure}", flush=True)
        return
    progress = run.progress
    print(
        f"{at} {run.url}: {progress.pages:,} pages, {progress.new_posts:,} new posts ({run.why}; "
        f"{progress.ended})",
        flush=True,
    )


@asynccontextmanager
async def show_watch(watcher: Watcher, *, quiet: bool) -> AsyncIterator[None]:
    """A live view on standard error, on a terminal only."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    from rich.live import Live

    with Live("…", console=console, refresh_per_second=2, transient=True) as live:

        async def draw() -> None:
            while True:
                live.update(_view(watcher))
                await asyncio.sleep(_LOOK_SECONDS)

        drawing = asyncio.create_task(draw())
        try:
            yield
        finally:
            drawing.cancel()
            with suppress(asyncio.CancelledError):
                await drawing


def _view(watcher: Watcher) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    now, state = datetime.now(UTC), watcher.state
    lines = [f"{state.runs:,} runs, {state.pages:,} pages, {state.new_posts:,} new posts"]
    for url, progress in state.under_way.items():
        done = f"{progress.pages:,} pages, {progress.new_posts:,} new posts" if progress else "learning it"
        lines.append(f"under way: {url}: {done}")
    lines += [f"failing: {url}: {sentence}" for url, sentence in state.last_failure.items()]
    waiting = [turn for turn in state.turns if turn.plan.url not in state.under_way]
    format_span = max(1, _LINES // max(1, len(waiting)))
    return Group(Text("\n".join(lines)), *(plan_table(turn, now, format_span) for turn in waiting[:_LINES]))


def _span(span: timedelta) -> str:
    from threadmill.crawl.watch.planner import format_span

    return format_span(span)
