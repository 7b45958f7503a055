"""Results for people and programs: CSV, JSON as the service answers, an HTML page with the clusters drawn."""

from __future__ import annotations

import csv
import io
import json
import math
from html import escape

from threadmill.sites.model import Cluster, Outcome
from threadmill.sites.results import Results, as_plain

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}"
    "svg{max-width:100%}line{stroke:#48a}circle{fill:#fff;stroke:#246;stroke-width:2}"
    "text{font:11px sans-serif}"
)
_RADIUS = 120


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


def as_html(results: Results, border: float) -> str:
    """A page that needs nothing else: clusters as graphs, pairs with their evidence, sites left out."""
    clusters = results.clusters(border)
    parts = [
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Sites of one company</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>Sites of one company</h1><p>{len(results.sites)} sites, {len(results.over(border))} pairs "
        f"scored {border:g} or more, {len(clusters)} clusters.</p>",
    ]
    for cluster in clusters:
        head = escape(results.sites[cluster.members[0]].url)
        parts.append(f"<h2>{head}</h2>{_draw(results, cluster, border)}{_table(results, cluster, border)}")
    parts.append(_left_out(results))
    return "\n".join(parts) + "\n"


def _draw(results: Results, cluster: Cluster, border: float) -> str:
    """The members on a circle, a line for every pair over the border, as thick as it is sure."""
    count = len(cluster.members)
    radius = _RADIUS + 8 * count
    turn = 2 * math.pi / count
    place = {
        number: (radius * 2 + radius * math.cos(turn * i), radius + 30 + radius * math.sin(turn * i))
        for i, number in enumerate(cluster.members)
    }
    lines = [
        '<line x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}" stroke-width="{:.1f}">'
        "<title>{:.2f}</title></line>".format(
            *place[pair.one], *place[pair.other], 4 * pair.score, pair.score
        )
        for pair in results.over(border)
        if pair.one in place
    ]
    nodes = [
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="7"/><text x="{x + 10:.0f}" y="{y - 8:.0f}">'
        f"{escape(results.sites[number].url)}</text>"
        for number, (x, y) in place.items()
    ]
    size = f'viewBox="0 0 {radius * 4 + 120} {radius * 2 + 60}" width="{radius * 4 + 120}"'
    return f"<svg {size} role=img>{''.join(lines)}{''.join(nodes)}</svg>"


def _table(results: Results, cluster: Cluster, border: float) -> str:
    inside = set(cluster.members)
    rows = [
        f"<tr><td>{escape(results.sites[p.one].url)}<td>{escape(results.sites[p.other].url)}"
        f"<td>{p.score:.2f}<td>{p.cosine:.2f}<td>{escape(p.why)}"
        for p in results.over(border)
        if p.one in inside
    ]
    return f"<table><tr><th>site<th>site<th>score<th>words<th>why{''.join(rows)}</table>"


def _left_out(results: Results) -> str:
    rows = [
        f"<tr><td>{escape(s.url)}<td>{escape(s.outcome)}<td>{escape(s.reason)}"
        for s in results.sites
        if s.outcome is not Outcome.OK
    ]
    if not rows:
        return ""
    return f"<h2>Not compared</h2><table><tr><th>site<th>outcome<th>reason{''.join(rows)}</table>"
