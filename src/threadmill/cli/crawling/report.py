"""`threadmill report`: what each forum crawl of a workspace fetched, as a table, JSON or a chart."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workspace
from threadmill.cli.terminal import table_console
from threadmill.errors import UsageError
from threadmill.workspace import open_workspace

if TYPE_CHECKING:
    from rich.table import Table

    from threadmill.store.forum.page_visits import RunReport

EXAMPLES = """\
  threadmill report --workspace work/forum
  threadmill report --workspace work/forum --chart crawls.html
  threadmill report --workspace work/forum --chart crawls.svg
  threadmill report --workspace work/forum --json"""

_COLUMNS = (
    "started", "pages", "new", "semi", "duplicate", "other", "kB", "new posts", "precision", "bandwidth",
    "kB/post",
)  # fmt: skip

# The kinds of pages in the chart, with their colours.
_COLOURS = {"new": "#2a7f62", "semi": "#8fc6a4", "duplicate": "#e0a458", "other": "#b34a3c"}
# Sizes in pixels: a bar, the gap below it, the space for dates, the longest bar, the space for counts.
_BAR, _GAP, _LEFT, _WIDTH, _RIGHT = 22, 8, 150, 640, 150
_FONT = "font:12px sans-serif"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_workspace(parser, "the workspace of the crawls")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="also write a chart: .svg or .html")
    parser.add_argument("--json", action="store_true", help="print one JSON object per crawl, no table")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per crawl. The exit code is 1 when there has been none."""
    if arguments.chart and arguments.chart.suffix.lower() not in {".svg", ".html", ".htm"}:
        raise UsageError(f"a chart is a .svg or .html file, not {arguments.chart}")
    runs = read_runs(arguments.workspace)
    if arguments.json:
        for report in runs:
            print(json.dumps(_as_dict(report)))
    else:
        _print_tables(runs)
    if arguments.chart:
        write_chart(arguments.chart, runs)
    return 0 if runs else 1


def read_runs(workspace: Path) -> list[RunReport]:
    """All forum crawls of a workspace."""
    from threadmill.store import open_store_for_reading
    from threadmill.store.forum.page_visits import report_runs

    store = open_store_for_reading(open_workspace(workspace).store_url)
    try:
        with store.reading() as connection:
            return list(report_runs(connection))
    finally:
        store.close()


def _as_dict(report: RunReport) -> dict[str, Any]:
    pages = report.pages
    return {
        "url": report.url,
        "started": report.started.isoformat(timespec="seconds"),
        "ended": report.ended.isoformat(timespec="seconds") if report.ended else None,
        "pages": pages.pages,
        "new": pages.new,
        "semi": pages.semi,
        "duplicate": pages.duplicate,
        "other": pages.other,
        "bytes": pages.bytes,
        "new_posts": pages.posts,
        "precision": round(pages.precision, 4),
        "bandwidth": round(report.bandwidth, 4),
        "bytes_per_post": round(report.cost) if report.cost is not None else None,
        "account": report.account.as_dict() if report.account else None,
    }


def _print_tables(runs: Sequence[RunReport]) -> None:
    console = table_console()
    if not runs:
        console.print("No forum has been crawled into this workspace yet.")
    for url in dict.fromkeys(report.url for report in runs):
        of_forum = [report for report in runs if report.url == url]
        console.print(report_table(url, of_forum))
        for line in _account_lines(of_forum):
            console.print(line)


def _account_lines(runs: Sequence[RunReport]) -> list[str]:
    """The newest account: what is kept beside what the forum claims, with the boards that lack posts."""
    account = next((report.account for report in reversed(runs) if report.account), None)
    if account is None:
        return []
    lead = "INCOMPLETE: " if account.verdict == "incomplete" else ""
    return [f"{lead}{account.sentence}", *(f"  {note}" for note in account.notes)]


def report_table(title: str, runs: Sequence[RunReport]) -> Table:
    """A table with one line per crawl."""
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for name in _COLUMNS:
        table.add_column(name, justify="left" if name == "started" else "right")
    for report in runs:
        pages = report.pages
        numbers = (
            pages.pages,
            pages.new,
            pages.semi,
            pages.duplicate,
            pages.other,
            pages.bytes // 1000,
            pages.posts,
        )
        table.add_row(
            f"{report.started:%Y-%m-%d %H:%M}",
            *(f"{number:,}" for number in numbers),
            f"{pages.precision:.1%}",
            f"{report.bandwidth:.1%}",
            f"{report.cost / 1000:.1f}" if report.cost is not None else "–",
        )
    return table


def write_chart(file: Path, runs: Sequence[RunReport]) -> None:
    """Write a bar per crawl, as an SVG picture or as an HTML page around it. Neither needs a script."""
    picture = draw_chart(runs)
    if file.suffix.lower() != ".svg":
        picture = (
            '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Crawls</title>\n'
            f'<body style="font:14px sans-serif;margin:2em">\n<h1>Pages of each crawl</h1>\n{picture}'
        )
    file.write_text(picture, "utf-8")


def draw_chart(runs: Sequence[RunReport]) -> str:
    """An SVG picture: a legend, then a bar per crawl with its pages by kind."""
    most = max((report.pages.pages for report in runs), default=0) or 1
    height = (len(runs) + 1) * (_BAR + _GAP) + _GAP
    bars = "\n".join(_draw_bar(report, row, most) for row, report in enumerate(runs, 1))
    size = f'width="{_LEFT + _WIDTH + _RIGHT}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" style="{_FONT}">\n'
        f"<title>Pages of each crawl</title>\n{_draw_legend()}\n{bars}\n</svg>\n"
    )


def _draw_legend() -> str:
    parts = []
    for place, (name, colour) in enumerate(_COLOURS.items()):
        left = _LEFT + place * 100
        parts.append(f'<rect x="{left}" y="{_GAP + 4}" width="14" height="14" fill="{colour}"/>')
        parts.append(f'<text x="{left + 20}" y="{_GAP + 16}">{name}</text>')
    return "".join(parts)


def _draw_bar(report: RunReport, row: int, most: int) -> str:
    top = _GAP + row * (_BAR + _GAP)
    parts = [f'<text x="0" y="{top + 15}">{report.started:%Y-%m-%d %H:%M}</text>']
    left = float(_LEFT)
    for name, colour in _COLOURS.items():
        pages = getattr(report.pages, name)
        width = _WIDTH * pages / most
        if pages:
            title = f"<title>{pages} {name}: {escape(report.url)}</title>"
            place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_BAR}"'
            parts.append(f'<rect {place} fill="{colour}">{title}</rect>')
        left += width
    parts.append(f'<text x="{left + 6:.1f}" y="{top + 15}">{report.pages.posts:,} new posts</text>')
    return "".join(parts)
