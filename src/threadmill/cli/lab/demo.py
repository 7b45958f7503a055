"""`threadmill demo`: the main job on a simulated forum, from nothing to exported posts."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from threadmill.lab.evaluate.demo import DemoCrawl

EXAMPLES = """\
  threadmill demo
  threadmill demo --directory /tmp/threadmill-demo"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument(
        "--directory", type=Path, default=Path("demo"), metavar="DIR", help="what is made anew there (demo)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the demonstration and tell what it did."""
    from rich.console import Console

    from threadmill.cli.crawling.report import WIDE
    from threadmill.lab.evaluate.demo import export_demo, run_demo

    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    _make_room(arguments.directory)
    crawls = run_demo(arguments.directory, lambda line: console.print(line, highlight=False))
    console.print(_table(crawls))
    file, count = export_demo(arguments.directory)
    later = crawls[1:]
    console.print(
        f"After the first crawl {sum(c.fetched for c in later):,} pages brought "
        f"{sum(c.found for c in later):,} of {sum(c.truly_new for c in later):,} new posts; "
        f"crawling everything again would have taken {sum(c.all_pages for c in later):,} pages."
    )
    chart = _report(arguments.directory, console)
    console.print(
        f"{count:,} posts are in {file}; a chart of the crawls is {chart}; "
        f"every answer is kept in {arguments.directory / 'archive'}.",
        soft_wrap=True,
    )
    return 0 if count else 1


def _report(directory: Path, console: Console) -> Path:
    """What `threadmill report --chart` says of the workspace."""
    from threadmill.cli.crawling.chart import draw_chart
    from threadmill.cli.crawling.report import read_runs, report_table

    runs = read_runs(directory)
    console.print(report_table("threadmill report: what each crawl was worth", runs))
    chart = directory / "crawls.html"
    chart.write_text(draw_chart(runs), "utf-8")
    return chart


def _make_room(directory: Path) -> None:
    """A demonstration replaces an earlier one, and nothing else."""
    if not directory.exists():
        return
    if not (directory / "threadmill.toml").exists() and any(directory.iterdir()):
        raise UsageError(f"{directory} holds something that is no demonstration; name another --directory")
    shutil.rmtree(directory)


def _table(crawls: list[DemoCrawl]) -> Table:
    from rich.table import Table

    table = Table(
        "date", "pages there are", "pages fetched", "new posts", "found", title="one forum, four crawls"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for crawl in crawls:
        counts = (crawl.all_pages, crawl.fetched, crawl.truly_new, crawl.found)
        table.add_row(crawl.date, *(f"{count:,}" for count in counts))
    return table
