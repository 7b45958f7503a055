"""How a forum crawl is shown while it runs, and summed up when it has ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from threadmill.workspace import Workspace

if TYPE_CHECKING:
    from threadmill.crawl.forum.forum_loop import ForumProgress


@contextmanager
def show_forum_crawl(url: str, *, quiet: bool) -> Iterator[Callable[[ForumProgress], None] | None]:
    """A live view on standard error, on a terminal only."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.live import Live

    with Live(f"crawling {url} …", console=console, refresh_per_second=4, transient=True) as live:
        yield lambda progress: live.update(_view(progress, url))


def _view(progress: ForumProgress, url: str) -> str:
    seconds = max(0.001, time.monotonic() - progress.started)
    return (
        f"crawling {url}\n"
        f"{progress.pages:,} pages ({progress.pages / seconds:.1f}/s): {progress.index_pages:,} of boards, "
        f"{progress.thread_pages:,} of threads; {progress.new_posts:,} new posts\n"
        f"due: {progress.due_boards:,} boards, {progress.due_threads:,} threads; "
        f"{progress.boards:,} boards done; {sum(progress.troubles.values()):,} troubles"
        + (f"\n{progress.saved:,} pages fewer than a full recrawl so far" if progress.known_pages > 1 else "")
    )


def sum_up_forum_crawl(progress: ForumProgress, workspace: Workspace) -> None:
    """What the run did, in numbers, on one screen."""
    from rich.console import Console
    from rich.table import Table

    table = Table("what", "count", title=f"{workspace.root}: {progress.ended}")
    table.columns[1].justify = "right"
    counts = {
        "pages fetched": progress.pages,
        "  of boards": progress.index_pages,
        "  of threads": progress.thread_pages,
        "new threads": progress.new_threads,
        "new posts": progress.new_posts,
        "edited posts": progress.edited,
        "vanished posts": progress.vanished,
        "pages saved against a full recrawl": progress.saved,
        "boards still due": progress.due_boards,
        "threads still due": progress.due_threads,
    }
    for what, count in counts.items():
        if count or not what.endswith("due"):
            table.add_row(what, f"{count:,}")
    for reason, count in progress.troubles.most_common():
        table.add_row(f"trouble: {reason}", f"{count:,}")
    console = Console()
    console.print(table)
    seconds = max(0.001, time.monotonic() - progress.started)
    console.print(f"{progress.pages:,} pages, {progress.bytes / 1e6:.1f} MB in {seconds:.1f} s")
    if progress.last_trouble:
        console.print(f"last trouble: {progress.last_trouble}", soft_wrap=True, markup=False)
