"""Finds a known framing on one page, to be removed, marked, or told to whoever judges its paragraphs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from threadmill.template.apply.framing import find_framing
from threadmill.template.apply.marking import Span, balanced, mark, merge, remove
from threadmill.template.apply.source import read_source
from threadmill.template.apply.spans import element_spans
from threadmill.template.clusters.fragments import Chains, fragments_of, overlap
from threadmill.template.template import KnownCluster, Template


class Method(StrEnum):
    """How framing is found on a page."""

    PLACES = "places"  # ours: places that are framing over the whole site
    PAPER = "paper"  # the source's: chains of fragments that a cluster's pages share


@dataclass(frozen=True, slots=True)
class Found:
    """The framing of one page."""

    spans: tuple[Span, ...]  # what is framing, in the page's bytes
    removable: tuple[Span, ...]  # what of it can go without breaking what stays
    cluster: int | None  # index into the template's clusters, which the source's method goes by
    fit: float  # 0…1: how much of the framing that was learnt is there


def find(template: Template, html: bytes, method: Method = Method.PLACES) -> Found:
    """Find a site's framing on a page of it."""
    if method is Method.PAPER:
        return _find_chains(template, html)
    source = read_source(html)
    document = source.parse()
    matches = find_framing(document, template.framing)
    spans = tuple(merge(element_spans(source, (match.element for match in matches))))
    known = sum(match.known for match in matches)
    fit = min(1.0, known / template.typical) if template.typical else 1.0
    return Found(spans, spans, None, fit)


def nearest_cluster(template: Template, chains: Chains) -> int | None:
    """The cluster whose framing a page holds most of, if it holds enough of it."""
    held = [overlap(chains, known.chains) for known in template.clusters]
    enough = [i for i, known in enumerate(template.clusters) if held[i] >= known.least]
    return max(enough, key=held.__getitem__, default=None)


def remove_framing(template: Template, html: bytes, method: Method = Method.PLACES) -> bytes:
    """The page without its framing."""
    return remove(html, find(template, html, method).removable)


def mark_framing(template: Template, html: bytes, method: Method = Method.PLACES) -> bytes:
    """The page with its framing coloured."""
    return mark(html, find(template, html, method).spans)


def _find_chains(template: Template, html: bytes) -> Found:
    """As the source: the chains of the page's cluster; of all clusters when it is in none."""
    fragments = fragments_of(html, template.chain_length)
    cluster = nearest_cluster(template, fragments.chains)
    wanted: Iterable[KnownCluster] = template.clusters if cluster is None else [template.clusters[cluster]]
    names = [known.chains.names for known in wanted]
    flags = fragments.covered(np.unique(np.concatenate(names)) if names else np.empty(0, np.uint64))
    spans = merge(place for place, flag in zip(fragments.places, flags, strict=True) if flag)
    removable = balanced(html, fragments.places, flags)
    return Found(tuple(spans), tuple(removable), cluster, _chain_fit(template, fragments.chains, cluster))


def _chain_fit(template: Template, chains: Chains, cluster: int | None) -> float:
    if cluster is None:
        return 0.0
    known = template.clusters[cluster].chains
    return overlap(chains, known) / known.size if known.size else 1.0
