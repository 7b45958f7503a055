"""`threadmill report`: what each crawl of a workspace fetched, and what that was worth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.workspace import open_workspace

if TYPE_CHECKING:
    from rich.table import Table

    from threadmill.store.forum.page_visits import RunReport

EXAMPLES = """\
  threadmill report --workspace work/forum
  threadmill report --workspace work/forum --chart crawls.html
  threadmill report --workspace work/forum --json"""

_COLUMNS = (
    "started", "pages", "new", "semi", "duplicate", "other", "kB", "new posts", "precision", "bandwidth",
    "kB/post",
)  # fmt: skip

WIDE = 140  # of a table in a file or a pipe, which have no edge to cut columns at


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument(
        "--workspace", type=Path, default=Path("threadmill-work"), metavar="DIR", help="whose crawls"
    )
    parser.add_argument("--chart", type=Path, metavar="FILE", help="write a chart too: a .png, else HTML")
    parser.add_argument("--json", action="store_true", help="one JSON object a crawl, instead of the table")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each crawl; 1 when there has been none."""
    runs = read_runs(arguments.workspace)
    if arguments.json:
        for report in runs:
            print(json.dumps(_plain(report)))
    else:
        _print(runs)
    if arguments.chart:
        _write_chart(arguments.chart, runs)
    return 0 if runs else 1


def read_runs(workspace: Path) -> list[RunReport]:
    """All forum crawls of a workspace."""
    from threadmill.store import open_store
    from threadmill.store.forum.page_visits import report_runs

    store = open_store(open_workspace(workspace).store_url)
    try:
        with store.reading() as connection:
            return list(report_runs(connection))
    finally:
        store.close()


def _plain(report: RunReport) -> dict[str, Any]:
    tally = report.pages
    return {
        "url": report.url,
        "started": report.started.isoformat(timespec="seconds"),
        "ended": report.ended.isoformat(timespec="seconds") if report.ended else None,
        "pages": tally.pages,
        "new": tally.new,
        "semi": tally.semi,
        "duplicate": tally.duplicate,
        "other": tally.other,
        "bytes": tally.bytes,
        "new_posts": tally.posts,
        "precision": round(tally.precision, 4),
        "bandwidth": round(report.bandwidth, 4),
        "bytes_per_post": round(report.cost) if report.cost is not None else None,
    }


def _write_chart(file: Path, runs: list[RunReport]) -> None:
    if file.suffix.lower() == ".png":
        from threadmill.cli.crawling.chart_png import draw_picture

        file.write_bytes(draw_picture(runs))
    else:
        from threadmill.cli.crawling.chart import draw_chart

        file.write_text(draw_chart(runs), "utf-8")


def _print(runs: list[RunReport]) -> None:
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    if not runs:
        console.print("No forum has been crawled into this workspace yet.")
    for url in dict.fromkeys(report.url for report in runs):
        console.print(report_table(url, [report for report in runs if report.url == url]))


def report_table(url: str, runs: list[RunReport]) -> Table:
    """A line for each crawl."""
    from rich.table import Table

    table = Table(title=url, title_justify="left")
    for name in _COLUMNS:
        table.add_column(name, justify="left" if name == "started" else "right")
    for report in runs:
        tally = report.pages
        numbers = (
            tally.pages,
            tally.new,
            tally.semi,
            tally.duplicate,
            tally.other,
            tally.bytes // 1000,
            tally.posts,
        )
        table.add_row(
            f"{report.started:%Y-%m-%d %H:%M}",
            *(f"{number:,}" for number in numbers),
            f"{tally.precision:.1%}",
            f"{report.bandwidth:.1%}",
            f"{report.cost / 1000:.1f}" if report.cost is not None else "–",
        )
    return table
