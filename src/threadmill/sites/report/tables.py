"""Results for programs: CSV and JSON, as the service answers them; picture.py draws the page for people."""

from __future__ import annotations

import csv
import io
import json

from threadmill.sites.report.html_report import as_html
from threadmill.sites.report.results import Results, as_plain

__all__ = ["as_csv", "as_html", "as_json"]


def as_csv(results: Results, border: float) -> str:
    """One line per pair; a cell that a spreadsheet would take for a formula is quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["url1", "url2", "similarity", "words", "why"])
    for pair in results.over(border):
        plain = as_plain(results, pair)
        writer.writerow([_harmless(plain[name]) for name in ("url1", "url2", "similarity", "words", "why")])
    return out.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value


def as_json(results: Results, border: float) -> str:
    """Pairs, clusters and sites as one object."""
    clusters = [[results.sites[number].url for number in c.members] for c in results.clusters(border)]
    value = {
        "similarity_border": border,
        "results": [as_plain(results, pair) for pair in results.over(border)],
        "clusters": [{"representative": urls[0], "sites": urls} for urls in clusters],
        "sites": [{"url": s.url, "outcome": s.outcome, "reason": s.reason} for s in results.sites],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
