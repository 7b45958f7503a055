"""Learns a site's framing from its pages: clusters of chains, then the places of each cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from threadmill.page.blocks.cutting import READER, cut
from threadmill.template.apply.framing import Framing, find_framing, framing_from
from threadmill.template.apply.source import read_source
from threadmill.template.clusters.clusters import Cluster, find_clusters
from threadmill.template.clusters.fragments import Chains, chains_of, intersect, overlap
from threadmill.template.places.outline import Outline, name_of, normalise, outline_of, title_parts
from threadmill.template.places.places import judge_places
from threadmill.template.template import KnownCluster, Template, TemplateSettings


def learn(pages: Sequence[bytes], settings: TemplateSettings | None = None) -> Template:
    """Learn from pages that are read one at a time, so that a lazy sequence may be larger than memory."""
    settings = settings or TemplateSettings()
    titles: set[str] = set()
    clusters = _cluster(pages, settings, titles)
    outlines, repeated = _outlines(pages, settings, frozenset(titles))
    framing = replace(framing_from(judge_places(outlines, settings.places)), repeated=repeated)
    known = tuple(KnownCluster(len(found.pages), found.framing, found.least) for found in clusters)
    template = Template(len(pages), settings.clusters.min_fragmenters_chain, known, framing)
    return replace(template, typical=_typical(pages, framing, settings))


def _cluster(pages: Sequence[bytes], settings: TemplateSettings, titles: set[str]) -> list[Cluster]:
    """Clusters of all pages: as the source among a sample; every other page joins one or is sampled next."""
    length = settings.clusters.min_fragmenters_chain
    left = list(range(len(pages)))
    found: list[Cluster] = []
    while len(left) >= settings.clusters.min_cluster:
        chosen = _spread(left, settings.sample)
        chains = []
        for page in chosen:
            titles.update(title_parts(pages[page]))
            chains.append(chains_of(pages[page], length))
        fresh = [
            replace(cluster, pages=tuple(chosen[i] for i in cluster.pages))
            for cluster in find_clusters(chains, settings.clusters)
        ]
        if len(chosen) == len(left):
            return found + fresh
        sampled = set(chosen)
        rest = [page for page in left if page not in sampled]
        fresh, left = _assign(pages, rest, fresh, length, titles)
        found += fresh
        if not fresh:
            break
    return found


def _assign(
    pages: Sequence[bytes], rest: list[int], clusters: list[Cluster], length: int, titles: set[str]
) -> tuple[list[Cluster], list[int]]:
    """Let pages outside the sample join the cluster they hold most of; gives those that cannot."""
    joined: list[list[int]] = [list(cluster.pages) for cluster in clusters]
    framings: list[Chains] = [cluster.framing for cluster in clusters]
    untouched = []
    for page in rest:
        html = pages[page]
        titles.update(title_parts(html))
        chains = chains_of(html, length)
        held = [overlap(chains, framing) for framing in framings]
        enough = [i for i, cluster in enumerate(clusters) if held[i] >= cluster.least]
        if not enough:
            untouched.append(page)
            continue
        best = max(enough, key=held.__getitem__)
        joined[best].append(page)
        if held[best] < framings[best].size:
            framings[best] = intersect(framings[best], chains)
    grown = [
        Cluster(tuple(members), framing, cluster.least)
        for members, framing, cluster in zip(joined, framings, clusters, strict=True)
    ]
    return grown, untouched


def _spread(items: Sequence[int], count: int) -> list[int]:
    """At most so many of the items, evenly from all of them: a site's sections follow one another."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def _outlines(
    pages: Sequence[bytes], settings: TemplateSettings, titles: frozenset[str]
) -> tuple[list[Outline], frozenset[int]]:
    """Outlines of a sample, and the texts of blocks that are on several pages of it."""
    outlines: list[Outline] = []
    often: Counter[int] = Counter()
    for page in _spread(range(len(pages)), settings.outlines):
        document = read_source(pages[page]).parse()
        outlines.append(outline_of(document, titles))
        often.update({name_of(normalise(block.text)) for block in cut(document, READER).blocks})
    least = max(settings.places.min_repeats, settings.places.min_repeat_share * len(outlines))
    return outlines, frozenset(name for name, count in often.items() if count >= least)


def _typical(pages: Sequence[bytes], framing: Framing, settings: TemplateSettings) -> float:
    chosen = _spread(range(len(pages)), min(50, settings.outlines))
    known = [
        sum(match.known for match in find_framing(read_source(pages[page]).parse(), framing))
        for page in chosen
    ]
    return float(sorted(known)[len(known) // 5]) if known else 0.0  # what four pages of five reach
