"""Results of a comparison as one HTML page: a summary, a graph of each cluster, and the evidence."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from threadmill.sites.model import ReadOutcome, SiteCluster, SitePair
from threadmill.sites.report.results import ComparisonResults

_MOST_DRAWN = 40  # members of a cluster in the graph; more names would cover each other
_AGAINST = {"other contact": "contact data differ", "other name": "names differ"}
_LETTER_WIDTH = 7.2  # average pixels of a letter in the graph
_MOST_LETTERS = 44  # of a URL
CLUSTERS_OF_PAGE = 200  # of the report: a page of more is slow to open
_SITES_OF_PAGE = 1000  # that were not compared
_NEAR_PAGES = 3
_LEAST_STRENGTH = 0.05  # weaker evidence is not listed

# The page may load nothing, so a hostile name of a site can do no harm in it.
_HEAD = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
    "<meta name=viewport content='width=device-width,initial-scale=1'>"
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<title>Sites of one company</title><style>{}</style></head><body><main>"
)


def as_html(results: ComparisonResults, border: float, page: int = 1, file: str = "report.html") -> str:
    """One page of the report: a summary, some clusters, and some of the sites that were not compared.

    `file` is the name of the first page; the others are linked as report-2.html and so on.
    """
    clusters = results.clusters(border)
    pairs = _pairs_by_cluster(clusters, results.over(border))
    style = files("threadmill.sites").joinpath("data/report.css").read_text(encoding="utf-8")
    first = (page - 1) * CLUSTERS_OF_PAGE
    shown = clusters[first : first + CLUSTERS_OF_PAGE]
    pager = _page_links(page, page_count(results, border), file)
    parts = [_HEAD.format(style), _summary(results, clusters, shown, border, first), pager]
    for number, cluster in enumerate(shown, first + 1):
        parts.append(_section(results, cluster, pairs[cluster.members[0]], number))
    if not clusters:
        parts.append("<p class=none>No two sites are one company at this border.</p>")
    parts += [_not_compared(results, page), pager]
    return "\n".join(parts) + "</main></body></html>\n"


def page_count(results: ComparisonResults, border: float) -> int:
    """How many pages the report has."""
    failed = sum(site.outcome is not ReadOutcome.OK for site in results.sites)
    clusters = len(results.clusters(border))
    return max(1, math.ceil(clusters / CLUSTERS_OF_PAGE), math.ceil(failed / _SITES_OF_PAGE))


def write_html(results: ComparisonResults, border: float, file: Path) -> list[Path]:
    """Write the report: the first page to the file, further pages beside it (report-2.html)."""
    written = []
    for page in range(1, page_count(results, border) + 1):
        place = file.with_name(_page_name(file.name, page))
        place.write_text(as_html(results, border, page, file.name), encoding="utf-8")
        written.append(place)
    return written


def _page_name(file: str, page: int) -> str:
    stem, dot, ending = file.rpartition(".")
    return file if page == 1 else f"{stem or ending}-{page}{dot}{ending if stem else ''}"


def _page_links(page: int, pages: int, file: str) -> str:
    """Links to the other pages of the report."""
    if pages == 1:
        return ""
    near = [n for n in range(1, pages + 1) if n in {1, pages} or abs(n - page) <= _NEAR_PAGES]
    links = " ".join(
        f"<b>{n}</b>" if n == page else f'<a href="{quote(_page_name(file, n))}">{n}</a>' for n in near
    )
    return f"<nav class=pages>page {links} of {pages:,}</nav>"


def _pairs_by_cluster(
    clusters: Sequence[SiteCluster], pairs: Sequence[SitePair]
) -> Mapping[int, list[SitePair]]:
    """The pairs of each cluster, by the first member of the cluster."""
    head = {member: cluster.members[0] for cluster in clusters for member in cluster.members}
    found: dict[int, list[SitePair]] = defaultdict(list)
    for pair in pairs:
        found[head[pair.one]].append(pair)
    return found


def _summary(
    results: ComparisonResults,
    clusters: Sequence[SiteCluster],
    shown: Sequence[SiteCluster],
    border: float,
    first: int,
) -> str:
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
        for number, cluster in enumerate(shown, first + 1)
    )
    index = f"<nav><h2>Clusters</h2><ol start={first + 1}>{links}</ol></nav>" if links else ""
    return f"<h1>Sites of one company</h1><ul class=cards>{cards}</ul>{index}"


def _section(results: ComparisonResults, cluster: SiteCluster, pairs: Sequence[SitePair], number: int) -> str:
    head = f"<h2>{_name(results, cluster.members[0])} <small>{len(cluster.members)} sites</small></h2>"
    drawing = _graph(results, cluster, pairs)
    rows = "".join(_row(results, pair) for pair in pairs)
    table = f"<table><thead><tr><th>score<th>sites<th>why</thead><tbody>{rows}</tbody></table>"
    return f"<section id=c{number}>{head}{drawing}{table}</section>"


def _row(results: ComparisonResults, pair: SitePair) -> str:
    """One pair: its score as a number and a bar, its two sites, the sentence, and each kind of evidence."""
    chips = "".join(
        f"<li class={'against' if item.kind in _AGAINST else 'for'} title='strength {item.strength:.2f}'>"
        f"{escape(_AGAINST.get(item.kind, item.kind))}</li>"
        for item in sorted(pair.evidence, key=lambda item: -item.strength)
        if item.strength >= _LEAST_STRENGTH
    )
    bar = f"<div class=bar><i style='width:{100 * pair.score:.0f}%'></i></div>"
    return (
        f"<tr><td class=score><b>{pair.score:.2f}</b>{bar}"
        f"<td class=sites>{_link(results, pair.one)}<br>{_link(results, pair.other)}"
        f"<td>{escape(pair.why)}<ul class=chips>{chips}</ul>{_places(pair)}"
    )


def _places(pair: SitePair) -> str:
    """Where the evidence stands: a line for each fact on each site, behind a click."""
    rows = "".join(
        f"<li><b>{escape(item.kind)}</b> {_page_link(fact.page)}: {escape(fact.around or fact.written)}</li>"
        for item in pair.evidence
        for fact in item.places
    )
    return (
        f"<details><summary>where it was found</summary><ul class=places>{rows}</ul></details>"
        if rows
        else ""
    )


def _page_link(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        return escape(url)
    return f'<a href="{escape(url)}" rel="noreferrer noopener">{escape(_short_url(url))}</a>'


def _graph(results: ComparisonResults, cluster: SiteCluster, pairs: Sequence[SitePair]) -> str:
    """The members on a circle, with a line for every pair: the higher its score, the thicker and darker."""
    drawn = cluster.members[:_MOST_DRAWN]
    radius = max(70, 14 * len(drawn))
    margin = 30 + _LETTER_WIDTH * max(len(_short_url(results.sites[number].url)) for number in drawn)
    # Two members lie on one horizontal line, which needs no room above and below.
    width, height = 2 * (radius + margin), 60 + 2 * radius * (len(drawn) > 2)
    turn = 2 * math.pi / len(drawn)
    place = {
        number: (width / 2 - radius * math.cos(turn * i), height / 2 - radius * math.sin(turn * i))
        for i, number in enumerate(drawn)
    }
    lines = "".join(_graph_line(place, pair) for pair in pairs if pair.one in place and pair.other in place)
    nodes = "".join(
        _graph_node(results, number, place[number], width / 2, first=not i) for i, number in enumerate(drawn)
    )
    rest = len(cluster.members) - len(drawn)
    note = f"<figcaption>and {rest} more, in the table</figcaption>" if rest else ""
    box = f"viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' height='{height:.0f}'"
    return (
        f"<figure><svg {box} role=img aria-label='graph of the cluster'>{lines}{nodes}</svg>{note}</figure>"
    )


def _graph_line(place: Mapping[int, tuple[float, float]], pair: SitePair) -> str:
    (x1, y1), (x2, y2) = place[pair.one], place[pair.other]
    look = f"stroke-width='{1 + 3 * pair.score:.1f}' stroke-opacity='{0.25 + 0.6 * pair.score:.2f}'"
    title = f"<title>{pair.score:.2f}: {escape(pair.why)}</title>"
    return f"<line x1='{x1:.0f}' y1='{y1:.0f}' x2='{x2:.0f}' y2='{y2:.0f}' {look}>{title}</line>"


def _graph_node(
    results: ComparisonResults, number: int, place: tuple[float, float], middle: float, *, first: bool
) -> str:
    x, y = place
    left = x < middle - 1
    text = escape(_short_url(results.sites[number].url))
    kind = " class=first" if first else ""
    return (
        f"<circle{kind} cx='{x:.0f}' cy='{y:.0f}' r='{8 if first else 6}'/>"
        f"<text{kind} x='{x - 13 if left else x + 13:.0f}' y='{y + 4:.0f}' "
        f"text-anchor='{'end' if left else 'start'}'>{text}</text>"
    )


def _short_url(url: str) -> str:
    plain = url.partition("://")[2].removeprefix("www.").rstrip("/") or url
    return plain if len(plain) <= _MOST_LETTERS else plain[: _MOST_LETTERS - 1] + "…"


def _name(results: ComparisonResults, number: int) -> str:
    site = results.sites[number]
    address = _short_url(site.url)
    return escape(f"{site.name} ({address})" if site.name else address)


def _link(results: ComparisonResults, number: int) -> str:
    return _page_link(results.sites[number].url)


def _not_compared(results: ComparisonResults, page: int) -> str:
    """Sites that were not compared, sorted by outcome, with the reason."""
    failed = sorted(
        (number for number, site in enumerate(results.sites) if site.outcome is not ReadOutcome.OK),
        key=lambda number: (results.sites[number].outcome, results.sites[number].url),
    )
    rows = "".join(
        f"<tr><td>{_link(results, number)}"
        f"<td><span class=outcome>{escape(results.sites[number].outcome)}</span>"
        f"<td>{escape(results.sites[number].reason)}"
        for number in failed[(page - 1) * _SITES_OF_PAGE : page * _SITES_OF_PAGE]
    )
    if not rows:
        return ""
    head = "<thead><tr><th>site<th>outcome<th>reason</thead>"
    return f"<section><h2>Not compared</h2><table>{head}<tbody>{rows}</tbody></table></section>"
