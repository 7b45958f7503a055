"""`threadmill report`: what each forum crawl of a workspace fetched, as a table, JSON or a chart."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadmill.cli.arguments import add_workspace
from threadmill.cli.tables import TableColumns, print_table
from threadmill.errors import UsageError
from threadmill.workspace import open_workspace, refuse_lost_database

if TYPE_CHECKING:
    from threadmill.store.forum.page_visits import RunReport

EXAMPLES = """\
  threadmill report --workspace work/forum
  threadmill report --workspace work/forum --chart crawls.html
  threadmill report --workspace work/forum --chart crawls.svg
  threadmill report --workspace work/forum --json"""

_NUMBERS = (
    "pages", "new", "semi", "duplicate", "other", "kB", "new_posts", "precision", "bandwidth", "kB/post",
)  # fmt: skip
_COLUMNS = TableColumns(("started", *_NUMBERS), right=_NUMBERS)

# The kinds of pages in the chart: colour, and what the legend says.
_KINDS = {
    "new": ("#2a7f62", "new: all posts or rows are new"),
    "semi": ("#8fc6a4", "semi: some are new"),
    "duplicate": ("#e0a458", "duplicate: none is new"),
    "other": ("#b34a3c", "other: neither board nor thread"),
}
_TITLE = "Pages of each crawl"
_HOW_TO_READ = (
    "Each bar is one crawl. The longer it is, the more pages were fetched; "
    "the greener it is, the more of them brought something new."
)
# Sizes in pixels: a bar, the gap below it, the space for dates, the longest bar, the space for counts.
_BAR, _GAP, _LEFT, _WIDTH, _RIGHT = 22, 8, 150, 640, 150
_HEAD = 92  # title, sentence and two rows of legend
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}"
    ".forum{font-weight:bold;paint-order:stroke;stroke:Canvas;stroke-width:4px}"
    "line{stroke:#999}.grid{stroke:#ddd}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}"
)


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
        print(f"the chart is in {arguments.chart}", file=sys.stderr)
    return 0 if runs else 1


def read_runs(workspace: Path) -> list[RunReport]:
    """All forum crawls of a workspace."""
    from threadmill.store import open_store_for_reading
    from threadmill.store.forum.page_visits import report_runs

    opened = open_workspace(workspace)
    refuse_lost_database(opened)
    store = open_store_for_reading(opened.store_url)
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
    if not runs:
        print("No forum has been crawled into this workspace yet.")
    for url in dict.fromkeys(report.url for report in runs):
        of_forum = [report for report in runs if report.url == url]
        print_report(url, of_forum)
        for line in _account_lines(of_forum):
            print(line)


def _account_lines(runs: Sequence[RunReport]) -> list[str]:
    """The newest account: what is kept beside what the forum claims, with the boards that lack posts."""
    account = next((report.account for report in reversed(runs) if report.account), None)
    if account is None:
        return []
    lead = "INCOMPLETE: " if account.verdict == "incomplete" else ""
    return [f"{lead}{account.sentence}", *(f"  {note}" for note in account.notes)]


def print_report(title: str, runs: Sequence[RunReport]) -> None:
    """Print a table with one line per crawl."""
    print_table(map(_row, runs), _COLUMNS, title=title)


def _row(report: RunReport) -> dict[str, Any]:
    pages = report.pages
    return {
        "started": f"{report.started:%Y-%m-%d %H:%M}",
        "pages": pages.pages,
        "new": pages.new,
        "semi": pages.semi,
        "duplicate": pages.duplicate,
        "other": pages.other,
        "kB": pages.bytes // 1000,
        "new_posts": pages.posts,
        "precision": f"{pages.precision:.1%}",
        "bandwidth": f"{report.bandwidth:.1%}",
        "kB/post": f"{report.cost / 1000:.1f}" if report.cost is not None else "–",
    }


def write_chart(file: Path, runs: Sequence[RunReport]) -> None:
    """Write a bar per crawl, as an SVG picture or as an HTML page around it. Neither needs a script."""
    picture = draw_chart(runs)
    if file.suffix.lower() != ".svg":
        picture = (
            f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{_TITLE}</title>\n'
            '<meta name="color-scheme" content="light dark">\n'
            f'<body style="font:14px sans-serif;margin:2em">\n{picture}'
        )
    file.write_text(picture, "utf-8")


def draw_chart(runs: Sequence[RunReport]) -> str:
    """An SVG picture: title, how to read it, legend, axes, and a bar per crawl below its forum's URL."""
    most = _round_up(max((report.pages.pages for report in runs), default=0))
    parts, top = [_draw_head()], _HEAD
    for url in dict.fromkeys(report.url for report in runs):
        parts.append(f'<text class="forum" x="{_LEFT + 6}" y="{top + 15}">{escape(url)}</text>')
        top += _BAR
        for report in runs:
            if report.url == url:
                parts.append(_draw_bar(report, top, most))
                top += _BAR + _GAP
    height = top + 3 * _BAR
    width = _LEFT + _WIDTH + _RIGHT
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    # The lines of the axes stand first, so that the bars cover them.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{_TITLE}. {_HOW_TO_READ}">\n'
        f"<style>{_STYLE}</style>\n<title>{_TITLE}</title>\n{_draw_axes(most, top)}\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _draw_head() -> str:
    parts = [
        f'<text class="title" x="0" y="16">{_TITLE}</text>',
        f'<text x="0" y="38">{_HOW_TO_READ}</text>',
    ]
    for place, (colour, words) in enumerate(_KINDS.values()):
        left, top = _LEFT + place % 2 * 320, 50 + place // 2 * 20
        parts.append(f'<rect x="{left}" y="{top}" width="14" height="14" fill="{colour}"/>')
        parts.append(f'<text x="{left + 20}" y="{top + 12}">{words}</text>')
    return "".join(parts)


def _draw_axes(most: int, bottom: int) -> str:
    """The axis of pages below the bars, with lines up to them, and the axis of crawls."""
    parts = [f'<text x="0" y="{bottom + 18}">start of the crawl, UTC</text>']
    ticks = sorted({most * share // 4 for share in range(5)})
    for tick in ticks:
        x = _LEFT + _WIDTH * tick / most
        kind = ' class="grid"' if tick else ""
        parts.append(f'<line{kind} x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{tick:,}</text>')
    parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{bottom}" y2="{bottom}"/>')
    middle = _LEFT + _WIDTH / 2
    parts.append(f'<text x="{middle:.0f}" y="{bottom + 40}" text-anchor="middle">pages fetched</text>')
    return "".join(parts)


def _round_up(most: int) -> int:
    """The end of the axis: a round number that four parts divide."""
    power: int = 10 ** max(0, len(str(most)) - 2)
    steps = (4, 8, 12, 20, 40, 60, 80, 100)
    return next(step * power for step in steps if step * power >= most)


def _draw_bar(report: RunReport, top: int, most: int) -> str:
    parts = [f'<text x="0" y="{top + 15}">{report.started:%Y-%m-%d %H:%M}</text>']
    left = float(_LEFT)
    for name, (colour, _) in _KINDS.items():
        pages = getattr(report.pages, name)
        width = _WIDTH * pages / most
        if pages:
            title = f"<title>{pages} {name}: {escape(report.url)}</title>"
            place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_BAR}"'
            parts.append(f'<rect {place} fill="{colour}">{title}</rect>')
        left += width
    parts.append(f'<text x="{left + 6:.1f}" y="{top + 15}">{report.pages.posts:,} new posts</text>')
    return "".join(parts)
