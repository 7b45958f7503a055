"""Results for people: one HTML page, complete in itself, with clusters as graphs and all evidence."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from threadmill.sites.model import Cluster, Outcome, Pair
from threadmill.sites.report.results import Results

_MOST_DRAWN = 40  # members of a cluster: more names than that cover each other
_AGAINST = {"other contact": "contact data differ", "other name": "names differ"}
_LETTER = 7.2  # pixels of a letter, on average, in the graph's type
_MOST_LETTERS = 44

# What the page may load: nothing; whatever a site calls itself can do no harm in it.
_HEAD = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
    "<meta name=viewport content='width=device-width,initial-scale=1'>"
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<title>Sites of one company</title><style>{}</style></head><body><main>"
)


def as_html(results: Results, border: float) -> str:
    """The page: how many, the clusters one after the other, the sites that were left out."""
    clusters = results.clusters(border)
    pairs = _by_cluster(clusters, results.over(border))
    style = files("threadmill.sites").joinpath("data/report.css").read_text(encoding="utf-8")
    parts = [_HEAD.format(style), _summary(results, clusters, border)]
    for number, cluster in enumerate(clusters, 1):
        parts.append(_section(results, cluster, pairs[cluster.members[0]], number))
    if not clusters:
        parts.append("<p class=none>No two sites are one company at this border.</p>")
    parts.append(_left_out(results))
    return "\n".join(parts) + "</main></body></html>\n"


def _by_cluster(clusters: Sequence[Cluster], pairs: Sequence[Pair]) -> Mapping[int, list[Pair]]:
    """The pairs of each cluster, by its first member."""
    head = {member: cluster.members[0] for cluster in clusters for member in cluster.members}
    found: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        found[head[pair.one]].append(pair)
    return found


def _summary(results: Results, clusters: Sequence[Cluster], border: float) -> str:
    counts = Counter(site.outcome.value for site in results.sites)
    told = [
        (len(results.sites), "sites"),
        (counts["ok"], "compared"),
        (len(results.over(border)), f"pairs scored {border:g} or more"),
        (len(clusters), "companies with several sites"),
    ]
    cards = "".join(f"<li><b>{number:,}</b> {escape(name)}</li>" for number, name in told)
    links = "".join(
        f"<li><a href='#c{number}'>{_name(results, cluster.members[0])}</a> "
        f"<span>{len(cluster.members)} sites</span></li>"
        for number, cluster in enumerate(clusters, 1)
    )
    index = f"<nav><h2>Clusters</h2><ol>{links}</ol></nav>" if links else ""
    return f"<h1>Sites of one company</h1><ul class=cards>{cards}</ul>{index}"


def _section(results: Results, cluster: Cluster, pairs: Sequence[Pair], number: int) -> str:
    head = f"<h2>{_name(results, cluster.members[0])} <small>{len(cluster.members)} sites</small></h2>"
    drawing = _draw(results, cluster, pairs)
    rows = "".join(_row(results, pair) for pair in pairs)
    table = f"<table><thead><tr><th>score<th>sites<th>why</thead><tbody>{rows}</tbody></table>"
    return f"<section id=c{number}>{head}{drawing}{table}</section>"


def _row(results: Results, pair: Pair) -> str:
    """One pair: its score as number and bar, its two sites, the sentence, and each kind of evidence."""
    chips = "".join(
        f"<li class={'against' if signal.kind in _AGAINST else 'for'} title='strength {signal.strength:.2f}'>"
        f"{escape(_AGAINST.get(signal.kind, signal.kind))}</li>"
        for signal in sorted(pair.signals, key=lambda signal: -signal.strength)
        if signal.strength >= 0.05
    )
    bar = f"<div class=bar><i style='width:{100 * pair.score:.0f}%'></i></div>"
    return (
        f"<tr><td class=score><b>{pair.score:.2f}</b>{bar}"
        f"<td class=sites>{_link(results, pair.one)}<br>{_link(results, pair.other)}"
        f"<td>{escape(pair.why)}<ul class=chips>{chips}</ul>"
    )


def _draw(results: Results, cluster: Cluster, pairs: Sequence[Pair]) -> str:
    """The members on a circle, a line for every pair, thick and dark as it is sure."""
    drawn = cluster.members[:_MOST_DRAWN]
    radius = max(70, 14 * len(drawn))
    margin = 30 + _LETTER * max(len(_short(results.sites[number].url)) for number in drawn)
    # Two members lie on one line, and need no room above and below.
    width, height = 2 * (radius + margin), 60 + 2 * radius * (len(drawn) > 2)
    turn = 2 * math.pi / len(drawn)
    place = {
        number: (width / 2 - radius * math.cos(turn * i), height / 2 - radius * math.sin(turn * i))
        for i, number in enumerate(drawn)
    }
    lines = "".join(_line(place, pair) for pair in pairs if pair.one in place and pair.other in place)
    nodes = "".join(
        _node(results, number, place[number], width / 2, first=not i) for i, number in enumerate(drawn)
    )
    rest = len(cluster.members) - len(drawn)
    note = f"<figcaption>and {rest} more, in the table</figcaption>" if rest else ""
    box = f"viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' height='{height:.0f}'"
    return (
        f"<figure><svg {box} role=img aria-label='graph of the cluster'>{lines}{nodes}</svg>{note}</figure>"
    )


def _line(place: Mapping[int, tuple[float, float]], pair: Pair) -> str:
    (x1, y1), (x2, y2) = place[pair.one], place[pair.other]
    look = f"stroke-width='{1 + 3 * pair.score:.1f}' stroke-opacity='{0.25 + 0.6 * pair.score:.2f}'"
    title = f"<title>{pair.score:.2f}: {escape(pair.why)}</title>"
    return f"<line x1='{x1:.0f}' y1='{y1:.0f}' x2='{x2:.0f}' y2='{y2:.0f}' {look}>{title}</line>"


def _node(results: Results, number: int, place: tuple[float, float], middle: float, *, first: bool) -> str:
    x, y = place
    left = x < middle - 1
    text = escape(_short(results.sites[number].url))
    kind = " class=first" if first else ""
    return (
        f"<circle{kind} cx='{x:.0f}' cy='{y:.0f}' r='{8 if first else 6}'/>"
        f"<text{kind} x='{x - 13 if left else x + 13:.0f}' y='{y + 4:.0f}' "
        f"text-anchor='{'end' if left else 'start'}'>{text}</text>"
    )


def _short(url: str) -> str:
    plain = url.partition("://")[2].removeprefix("www.").rstrip("/") or url
    return plain if len(plain) <= _MOST_LETTERS else plain[: _MOST_LETTERS - 1] + "…"


def _name(results: Results, number: int) -> str:
    return escape(_short(results.sites[number].url))


def _link(results: Results, number: int) -> str:
    url = results.sites[number].url
    if not url.startswith(("http://", "https://")):
        return escape(url)
    return f'<a href="{escape(url)}" rel="noreferrer noopener">{escape(_short(url))}</a>'


def _left_out(results: Results) -> str:
    """What was not compared, with the reason, by kind."""
    rows = "".join(
        f"<tr><td>{_link(results, number)}<td><span class=outcome>{escape(site.outcome)}</span>"
        f"<td>{escape(site.reason)}"
        for number, site in sorted(enumerate(results.sites), key=lambda p: (p[1].outcome, p[1].url))
        if site.outcome is not Outcome.OK
    )
    if not rows:
        return ""
    head = "<thead><tr><th>site<th>outcome<th>reason</thead>"
    return f"<section><h2>Not compared</h2><table>{head}<tbody>{rows}</tbody></table></section>"
