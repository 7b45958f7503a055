"""`threadmill demo`: crawl a simulated forum four times, and export its posts."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from threadmill.cli.terminal import table_console
from threadmill.config import ConsoleSettings
from threadmill.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from threadmill.lab.evaluate.forum_experiment import DemoCrawl

EXAMPLES = """\
  threadmill demo
  threadmill demo --directory /tmp/threadmill-demo"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--directory",
        type=Path,
        default=Path("demo"),
        metavar="DIR",
        help="where results are written; an earlier demo there is replaced (demo)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the demo and sum up what it did."""
    from threadmill.lab.evaluate.forum_experiment import export_demo, run_demo

    console = table_console()
    _remove_earlier_demo(arguments.directory)
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
        f"{count:,} posts are in {file}. A chart of the crawls is {chart}. "
        f"Every answer of the forum is kept in {arguments.directory / 'archive'}.",
        soft_wrap=True,
    )
    settings = ConsoleSettings()
    console.print(
        f"Open the console: `threadmill console --workspace {arguments.directory}` shows all of this in a "
        f"browser, at http://{settings.host}:{settings.port}/",
        soft_wrap=True,
    )
    return 0 if count else 1


def _report(directory: Path, console: Console) -> Path:
    """Print what `threadmill report --chart` prints, and write its chart."""
    from threadmill.cli.crawling.report import read_runs, report_table, write_chart

    runs = read_runs(directory)
    console.print(report_table("threadmill report: what each crawl fetched", runs))
    chart = directory / "crawls.html"
    write_chart(chart, runs)
    return chart


def _remove_earlier_demo(directory: Path) -> None:
    """A demo replaces an earlier one, and nothing else."""
    if not directory.exists():
        return
    if not (directory / "threadmill.toml").exists() and any(directory.iterdir()):
        raise UsageError(f"{directory} is not empty and not an earlier demo; name another --directory")
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
