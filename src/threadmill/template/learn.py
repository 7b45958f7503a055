"""Learns the framing of a site from its pages: clusters of pages first, then framing places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from threadmill.page.blocks.cutting import READER, cut
from threadmill.template.apply.framing_places import FramingPlaces, keep_framing_places, match_framing
from threadmill.template.apply.page_source import decode_exactly
from threadmill.template.clusters.fragments import Chains, chains_of, intersect_chains, overlap_bytes
from threadmill.template.clusters.page_clusters import PageCluster, find_clusters
from threadmill.template.places.judge_places import judge_places
from threadmill.template.places.text_outline import (
    TextOutline,
    hash_wording,
    normalise_text,
    outline_texts,
    title_parts,
)
from threadmill.template.site_template import KnownCluster, Template, TemplateSettings


def learn_template(pages: Sequence[bytes], settings: TemplateSettings | None = None) -> Template:
    """Learn from pages that are read one at a time, so a lazy sequence may be larger than memory."""
    settings = settings or TemplateSettings()
    titles: set[str] = set()
    clusters = _cluster_pages(pages, settings, titles)
    outlines, repeated = _outlines(pages, settings, frozenset(titles))
    framing = replace(keep_framing_places(judge_places(outlines, settings.places)), repeated=repeated)
    known = tuple(KnownCluster(len(found.pages), found.framing, found.least) for found in clusters)
    template = Template(len(pages), settings.clusters.min_fragmenters_chain, known, framing)
    return replace(template, typical=_typical(pages, framing, settings))


def _cluster_pages(pages: Sequence[bytes], settings: TemplateSettings, titles: set[str]) -> list[PageCluster]:
    """Cluster all pages.

    A sample is clustered as in the source; other pages join a cluster or are sampled next.
    """
    length = settings.clusters.min_fragmenters_chain
    left = list(range(len(pages)))
    found: list[PageCluster] = []
    while len(left) >= settings.clusters.min_cluster:
        chosen = _sample_evenly(left, settings.sample)
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
        fresh, left = _assign_rest(pages, rest, fresh, length, titles)
        found += fresh
        if not fresh:
            break
    return found


def _assign_rest(
    pages: Sequence[bytes], rest: list[int], clusters: list[PageCluster], length: int, titles: set[str]
) -> tuple[list[PageCluster], list[int]]:
    """Let pages outside the sample join the cluster they hold most of; return those that cannot."""
    joined: list[list[int]] = [list(cluster.pages) for cluster in clusters]
    framings: list[Chains] = [cluster.framing for cluster in clusters]
    untouched = []
    for page in rest:
        html = pages[page]
        titles.update(title_parts(html))
        chains = chains_of(html, length)
        held = [overlap_bytes(chains, framing) for framing in framings]
        enough = [i for i, cluster in enumerate(clusters) if held[i] >= cluster.least]
        if not enough:
            untouched.append(page)
            continue
        best = max(enough, key=held.__getitem__)
        joined[best].append(page)
        if held[best] < framings[best].size:
            framings[best] = intersect_chains(framings[best], chains)
    grown = [
        PageCluster(tuple(members), framing, cluster.least)
        for members, framing, cluster in zip(joined, framings, clusters, strict=True)
    ]
    return grown, untouched


def _sample_evenly(items: Sequence[int], count: int) -> list[int]:
    """Return at most `count` items, evenly spread: the sections of a site follow one another."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def _outlines(
    pages: Sequence[bytes], settings: TemplateSettings, titles: frozenset[str]
) -> tuple[list[TextOutline], frozenset[int]]:
    """Return the outlines of a sample of pages, and the texts of blocks that several of them have."""
    outlines: list[TextOutline] = []
    often: Counter[int] = Counter()
    for page in _sample_evenly(range(len(pages)), settings.outlines):
        document = decode_exactly(pages[page]).parse()
        outlines.append(outline_texts(document, titles))
        often.update({hash_wording(normalise_text(block.text)) for block in cut(document, READER).blocks})
    least = max(settings.places.min_repeats, settings.places.min_repeat_share * len(outlines))
    return outlines, frozenset(name for name, count in often.items() if count >= least)


def _typical(pages: Sequence[bytes], framing: FramingPlaces, settings: TemplateSettings) -> float:
    """Return how many characters of known framing a typical page has."""
    chosen = _sample_evenly(range(len(pages)), min(50, settings.outlines))
    known = [
        sum(match.known for match in match_framing(decode_exactly(pages[page]).parse(), framing))
        for page in chosen
    ]
    return float(sorted(known)[len(known) // 5]) if known else 0.0  # four pages of five reach this
