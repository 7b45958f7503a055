"""`threadmill demo`: crawl a simulated forum four times, and export its posts."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.tables import TableColumns, print_table
from threadmill.cli.terminal import table_console
from threadmill.config import ConsoleSettings
from threadmill.errors import UsageError

if TYPE_CHECKING:
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
    parser.add_argument("--json", action="store_true", help="print one JSON object per crawl, nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Run the demo and sum up what it did."""
    from threadmill.lab.evaluate.forum_experiment import export_demo, run_demo

    _remove_earlier_demo(arguments.directory)
    if arguments.json:
        for crawl in run_demo(arguments.directory, lambda _: None):
            print(json.dumps(_as_dict(crawl)))
        return 0 if export_demo(arguments.directory)[1] else 1
    console = table_console()
    crawls = run_demo(arguments.directory, lambda line: console.print(line, highlight=False))
    _print_crawls(crawls)
    file, count = export_demo(arguments.directory)
    later = crawls[1:]
    console.print(
        f"After the first crawl {sum(c.fetched for c in later):,} pages brought "
        f"{sum(c.found for c in later):,} of {sum(c.truly_new for c in later):,} new posts; "
        f"crawling everything again would have taken {sum(c.all_pages for c in later):,} pages."
    )
    chart = _report(arguments.directory)
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


def _report(directory: Path) -> Path:
    """Run `threadmill report`, which prints what each crawl fetched and writes its chart."""
    from threadmill.cli import main

    chart = directory / "crawls.html"
    print("\nthreadmill report: what each crawl fetched", flush=True)
    main(["report", "--workspace", str(directory), "--chart", str(chart)])
    return chart


def _remove_earlier_demo(directory: Path) -> None:
    """A demo replaces an earlier one, and nothing else."""
    if not directory.exists():
        return
    if not (directory / "threadmill.toml").exists() and any(directory.iterdir()):
        raise UsageError(f"{directory} is not empty and not an earlier demo; name another --directory")
    shutil.rmtree(directory)


_COLUMNS = ("date", "pages_there_are", "pages_fetched", "new_posts", "found")


def _as_dict(crawl: DemoCrawl) -> dict[str, Any]:
    counts = (crawl.all_pages, crawl.fetched, crawl.truly_new, crawl.found)
    return dict(zip(_COLUMNS, (crawl.date, *counts), strict=True))


def _print_crawls(crawls: list[DemoCrawl]) -> None:
    columns = TableColumns(_COLUMNS, right=_COLUMNS[1:])
    print_table(map(_as_dict, crawls), columns, title="one forum, four crawls")
