"""`threadmill evaluate forums`: the source's experiment on simulated and recorded forums, its tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import ThreadmillError, UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from threadmill.lab.evaluate.figures import CrawlExperiment, CrawlFigures

    Say = Callable[[str], None]
    Work = Callable[[Say], CrawlExperiment]

_WIDE = 260
_NOTE = (
    "precision: pages with something new among all fetched. least: what an all-knowing crawler fetches. "
    "recrawl: a crawler that fetches every page of boards and threads again, counted from the truth, not run."
)
# column → figure; of the first crawl, then of all later ones together
_FIRST: dict[str, Callable[[CrawlFigures], float | None]] = {
    "1st crawl/skeleton": lambda f: f.share("pages", "skeleton"),
    "posts": lambda f: f.share("found", "posts"),
}
_PAGES: dict[str, Callable[[CrawlFigures], float | None]] = {
    "pages": lambda f: f.pages,
    "new": lambda f: f.share("new", "pages"),
    "semi": lambda f: f.share("semi", "pages"),
    "duplicate": lambda f: f.share("duplicate", "pages"),
    "precision": lambda f: f.precision,
    "recall": lambda f: f.recall,
    "F": lambda f: f.f,
    "bandwidth": lambda f: f.bandwidth,
    "pages/least": lambda f: f.share("pages", "least"),
    "recrawl pages": lambda f: f.skeleton,
    "recrawl precision": lambda f: f.recrawl_precision,
}
_POSTS: dict[str, Callable[[CrawlFigures], float | None]] = {
    "posts found": lambda f: f.share("found", "posts"),
    "posts true": lambda f: f.share("true", "exported"),
    "dates": lambda f: f.share("dates", "true"),
    "authors": lambda f: f.share("authors", "true"),
    "body F1": lambda f: f.share("body", "true"),
    "forbidden": lambda f: f.forbidden,
}


def run_forums(
    names: Sequence[str] | None, scale: str, dates: int, recordings: Path | None, keep: Path | None
) -> int:
    """Run the experiment and print its tables; 1 when a site could not be crawled."""
    from rich.console import Console

    if not 2 <= dates <= 13:
        raise UsageError(f"expected 2 to 13 dates, but got {dates}")
    console = Console()
    if not console.is_terminal:
        console.width = _WIDE  # a file or a pipe has no edge to cut columns at
    groups = {
        "simulated forums": _simulated(names, scale, dates),
        "recorded forums": _recorded(names, recordings),
    }
    if not any(groups.values()):
        raise UsageError("no such forum; see threadmill simulate --help and the names in --recordings DIR")
    failed = 0
    for title, works in groups.items():
        done, missed = _run(works, keep, console)
        failed += missed
        if done:
            console.print(_site_table(title, done), _month_table(title, done))
    console.print(_NOTE)
    return 1 if failed else 0


def _simulated(names: Sequence[str] | None, scale: str, dates: int) -> dict[str, Work]:
    from threadmill.lab.evaluate.forum_experiment import evaluate_simulated_forum
    from threadmill.lab.simulate.catalogue import CRAWL_DATES, FORUMS

    size = int(scale) if scale.isdecimal() else scale
    return {
        f"{name}-{scale}-{dates}": partial(evaluate_simulated_forum, name, size, CRAWL_DATES[:dates])
        for name in FORUMS
        if not names or name in names
    }


def _recorded(names: Sequence[str] | None, directory: Path | None) -> dict[str, Work]:
    if directory is None:
        return {}
    from threadmill.lab.evaluate.forum_experiment import evaluate_recorded_forum, list_recorded_forums

    return {
        f"recorded-{site}": partial(evaluate_recorded_forum, directory, site)
        for site in list_recorded_forums(directory)
        if not names or site in names
    }


def _run(works: dict[str, Work], keep: Path | None, console: Console) -> tuple[list[CrawlExperiment], int]:
    """Every site in turn; with `keep`, what an earlier run of the same command did is taken from there."""
    done: list[CrawlExperiment] = []
    missed = 0
    with _progress(len(works)) as (say, advance):
        for name, work in works.items():
            try:
                done.append(_kept(name, work, keep, say))
            except ThreadmillError as error:
                console.print(f"{name}: {error}", markup=False)
                missed += 1
            advance()
    return done, missed


def _kept(name: str, work: Work, keep: Path | None, say: Say) -> CrawlExperiment:
    from threadmill.lab.evaluate.figures import CrawlExperiment

    if keep is None:
        return work(say)
    file = keep / f"{name}.json"
    if file.exists():
        return CrawlExperiment.from_json(json.loads(file.read_text("utf-8")))
    found = work(say)
    keep.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found.to_json()), "utf-8")
    part.replace(file)  # a kill leaves no half of a result
    return found


@contextmanager
def _progress(total: int) -> Iterator[tuple[Say, Callable[[], None]]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal or not total) as progress:
        task = progress.add_task("forums", total=total)
        yield (
            lambda text: progress.update(task, description=text),
            lambda: progress.advance(task),
        )


def _site_table(title: str, done: Sequence[CrawlExperiment]) -> Table:
    """A line a site over all later crawls; the mean is over sites."""
    columns = [*_FIRST, *_PAGES, *_POSTS]
    table = _table(f"{title}, all later crawls together", "site", columns)
    rows = [
        [
            *(figure(one.first) for figure in _FIRST.values()),
            *(figure(one.later) for figure in (*_PAGES.values(), *_POSTS.values())),
        ]
        for one in done
    ]
    for one, row in zip(done, rows, strict=True):
        table.add_row(one.site, *(_shown(value) for value in row))
    table.add_section()
    table.add_row("mean", *(_shown(_mean([row[place] for row in rows])) for place in range(len(columns))))
    return table


def _month_table(title: str, done: Sequence[CrawlExperiment]) -> Table:
    """A line a date, all sites added up."""
    from threadmill.lab.evaluate.figures import add_figures

    table = _table(f"{title}, month by month, all sites together", "date", list(_PAGES))
    for date in list(done[0].by_date)[1:]:
        together = add_figures(one.by_date[date] for one in done if date in one.by_date)
        table.add_row(date, *(_shown(figure(together)) for figure in _PAGES.values()))
    return table


def _table(title: str, first: str, columns: Sequence[str]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
