"""`threadmill evaluate forums`: the source's experiment on simulated forums, its figures as a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from threadmill.simulate.judge import Verdict

# column → figure of the judge; those of the first crawl, then those of all later ones together
_FIRST = {"1st: pages/skeleton": "pages_per_skeleton", "posts": "post_recall"}
_LATER = {
    "later: pages": "pages",
    "precision": "precision",
    "page recall": "page_recall",
    "posts found": "post_recall",
    "posts true": "post_precision",
    "dates": "date_right",
    "authors": "author_right",
    "body F1": "body_f1",
    "pages/least": "downloads_per_oracle",
    "bandwidth": "bandwidth",
    "forbidden": "forbidden",
}
_WIDE = 220


def run_forums(names: Sequence[str] | None, scale: str, dates: int) -> int:
    """Crawl each forum on each date and print what the judge says; 1 when a forum could not be crawled."""
    from rich.console import Console
    from rich.progress import Progress

    from threadmill.simulate.catalogue import FORUMS

    if not 2 <= dates <= 13:
        raise UsageError(f"expected 2 to 13 dates, but got {dates}")
    console = Console()
    if not console.is_terminal:
        console.width = _WIDE  # a file or a pipe has no edge to cut columns at
    wanted = list(names or FORUMS)
    verdicts: list[Verdict] = []
    with Progress(console=Console(stderr=True), disable=not console.is_terminal) as progress:
        task = progress.add_task("forums", total=len(wanted))
        for name in wanted:
            progress.update(task, description=name)
            verdicts += _evaluate(name, scale, dates, console)
            progress.advance(task)
    console.print(_table(verdicts))
    return 0 if len(verdicts) == len(wanted) else 1


def _evaluate(name: str, scale: str, dates: int, console: object) -> list[Verdict]:
    from threadmill.errors import ThreadmillError
    from threadmill.evaluate.forums import evaluate_forum
    from threadmill.simulate.catalogue import CRAWL_DATES

    try:
        size = int(scale) if scale.isdecimal() else scale
        return [asyncio.run(evaluate_forum(name, size, CRAWL_DATES[:dates]))]
    except ThreadmillError as error:
        console.print(f"{name}: {error}")  # type: ignore[attr-defined]
        return []


def _table(verdicts: Sequence[Verdict]) -> Table:
    from rich.table import Table

    table = Table()
    for column in ("forum", *_FIRST, *_LATER, "recrawl: precision"):
        table.add_column(column, justify="left" if column == "forum" else "right")
    rows = [_figures(verdict) for verdict in verdicts]
    for verdict, row in zip(verdicts, rows, strict=True):
        table.add_row(verdict.forum, *(_shown(value) for value in row))
    if rows:
        means = [_mean([row[place] for row in rows]) for place in range(len(rows[0]))]
        table.add_section()
        table.add_row("mean", *(_shown(value) for value in means))
    return table


def _figures(verdict: Verdict) -> list[float | int | None]:
    first = next(iter(verdict.by_date.values())).summary()
    later = verdict.later.summary()
    # A crawler that fetches everything again finds the same news among all pages there are.
    recrawl = (verdict.later.new + verdict.later.semi) / max(1, verdict.later.skeleton)
    return [*(first[key] for key in _FIRST.values()), *(later[key] for key in _LATER.values()), recrawl]


def _mean(values: Sequence[float | int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
