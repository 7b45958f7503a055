"""Graphs of clusters as SVG: the sites on a circle, with a line for each pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from threadmill.console.page_renderer import show_url
from threadmill.sites.model import CompanySite, SiteCluster, SitePair

_MOST_SMALL = 24  # members of a small graph
_MOST_LARGE = 40  # more names would cover each other
_LETTER = 6.4  # average pixels of a letter in a large graph
_MOST_LETTERS = 30
_SIZE = 96  # pixels of a small graph

Place = tuple[float, float]
Decided = Mapping[tuple[int, int], bool]  # pairs that people accepted or rejected


def small_graph(cluster: SiteCluster, pairs: Sequence[SitePair], decisions: Decided) -> Markup:
    """A cluster without names."""
    drawn = cluster.members[:_MOST_SMALL]
    places = _circle(drawn, _SIZE / 2, _SIZE / 2, _SIZE / 2 - 10)
    body = _lines(places, pairs, decisions) + "".join(
        f'<circle class="{"node" if rank else "first"}" cx="{x:.1f}" cy="{y:.1f}" r="{5 if rank else 6}"/>'
        for rank, (x, y) in enumerate(places.values())
    )
    return _svg(_SIZE, _SIZE, body, f"graph of {len(cluster.members)} sites", "mini-graph")


def large_graph(
    sites: Sequence[CompanySite],
    cluster: SiteCluster,
    pairs: Sequence[SitePair],
    decisions: Decided,
) -> Markup:
    """A cluster with the names of its sites."""
    drawn = cluster.members[:_MOST_LARGE]
    names = {number: _short(sites[number].url) for number in drawn}
    radius = max(80, 13 * len(drawn))
    margin = 22 + _LETTER * max(map(len, names.values()))
    width, height = 2 * (radius + margin), 60 + 2 * radius * (len(drawn) > 2)
    places = _circle(drawn, width / 2, height / 2, radius)
    nodes = []
    for rank, (number, (x, y)) in enumerate(places.items()):
        kind, left = "first" if not rank else "node", x < width / 2 - 1
        nodes.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{8 if not rank else 6}"/>')
        nodes.append(
            f'<text x="{x - 13 if left else x + 13:.1f}" y="{y + 4:.1f}" '
            f'text-anchor="{"end" if left else "start"}">{escape(names[number])}</text>'
        )
    body = _lines(places, pairs, decisions) + "".join(nodes)
    return _svg(width, height, body, f"graph of {len(cluster.members)} sites", "graph")


def _circle(members: Sequence[int], x: float, y: float, radius: float) -> dict[int, Place]:
    turn = 2 * math.pi / len(members)
    return {
        number: (x - radius * math.cos(turn * rank), y - radius * math.sin(turn * rank))
        for rank, number in enumerate(members)
    }


def _lines(places: Mapping[int, Place], pairs: Sequence[SitePair], decisions: Decided) -> str:
    """A line for each pair: the higher its score, the thicker and darker."""
    parts = []
    for pair in pairs:
        if pair.one in places and pair.other in places:
            (x1, y1), (x2, y2) = places[pair.one], places[pair.other]
            said = decisions.get((pair.one, pair.other))
            kind = "edge" if said is None else "edge accepted" if said else "edge rejected"
            parts.append(
                f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                f'stroke-width="{1 + 2.5 * pair.score:.1f}" stroke-opacity="{0.3 + 0.6 * pair.score:.2f}">'
                f"<title>{pair.score:.2f}</title></line>"
            )
    return "".join(parts)


def histogram(counts: Sequence[int], border: float) -> Markup:
    """The number of pairs by score; those from the border on are coloured. Bars grow with the square root."""
    highest = math.sqrt(max(counts, default=0)) or 1.0
    step = 300 / max(1, len(counts))
    bars = "".join(
        f'<rect class="{"c1" if (number + 1) / len(counts) > border else "c3"}" x="{number * step:.1f}" '
        f'y="{44 - 42 * math.sqrt(count) / highest:.1f}" width="{step - 1:.1f}" '
        f'height="{42 * math.sqrt(count) / highest:.1f}"><title>{number / len(counts):.2f}: {count:,} pairs'
        "</title></rect>"
        for number, count in enumerate(counts)
        if count
    )
    title = f"pairs by score, {sum(counts):,} in all"
    head = (
        f'<svg class="spark" preserveAspectRatio="none" viewBox="0 0 300 44" role="img" aria-label="{title}">'
    )
    return Markup(f"{head}{bars}</svg>")  # noqa: S704 -- numbers only


def _short(url: str) -> str:
    plain = show_url(url).removeprefix("www.")
    return plain if len(plain) <= _MOST_LETTERS else plain[: _MOST_LETTERS - 1] + "…"


def _svg(width: float, height: float, body: str, title: str, kind: str) -> Markup:
    box = f'class="{kind}" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    head = f'<svg {box} role="img" aria-label="{escape(title)}">'
    return Markup(f"{head}{body}</svg>")  # noqa: S704 -- numbers, and texts that are escaped
