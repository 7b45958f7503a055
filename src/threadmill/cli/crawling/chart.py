"""The chart of a report: a bar for each run, its pages by what they were worth; one HTML file, no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.store.forum.page_visits import RunReport

COLOURS = {"new": "#2a7f62", "semi": "#8fc6a4", "duplicate": "#e0a458", "other": "#b34a3c"}
_BAR, _GAP, _LEFT, _WIDTH = 22, 8, 150, 640
_STYLE = "body{font:14px sans-serif;margin:2em}text{font:12px sans-serif}"


def draw_chart(runs: Sequence[RunReport]) -> str:
    """The whole page."""
    most = max((report.pages.pages for report in runs), default=0) or 1
    bars = "\n".join(_bar(report, place, most) for place, report in enumerate(runs))
    legend = " ".join(
        f'<span style="color:{colour}">&#9632;</span> {name}' for name, colour in COLOURS.items()
    )
    height = len(runs) * (_BAR + _GAP) + _GAP
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Crawls</title>\n'
        f"<style>{_STYLE}</style>\n"
        f"<h1>Pages of each crawl</h1><p>{legend}</p>\n"
        f'<svg width="{_LEFT + _WIDTH + 150}" height="{height}" role="img">\n{bars}\n</svg></html>\n'
    )


def _bar(report: RunReport, row: int, most: int) -> str:
    top = _GAP + row * (_BAR + _GAP)
    parts = [f'<text x="0" y="{top + 15}">{report.started:%Y-%m-%d %H:%M}</text>']
    left = float(_LEFT)
    for name, colour in COLOURS.items():
        pages = getattr(report.pages, name)
        width = _WIDTH * pages / most
        if pages:
            title = f"<title>{pages} {name}: {escape(report.url)}</title>"
            place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_BAR}"'
            parts.append(f'<rect {place} fill="{colour}">{title}</rect>')
        left += width
    parts.append(f'<text x="{left + 6:.1f}" y="{top + 15}">{report.pages.posts:,} new posts</text>')
    return "".join(parts)
