"""Finds a known framing on one page, to be removed, marked, or told to whoever judges its paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import turbohtml

from threadmill.template.fragments import Chains, fragments_of, overlap
from threadmill.template.framing import find_framing
from threadmill.template.marking import VOID, Span, balanced, mark, merge, remove
from threadmill.template.source import Source, read_source
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
    spans = tuple(merge(_element_spans(source, (match.element for match in matches))))
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


def _element_spans(source: Source, elements: Iterable[turbohtml.Element]) -> Iterator[Span]:
    limits = [limit for element in elements if (limit := _limits(element)) is not None]
    flat = source.byte_offsets(place for limit in limits for place in limit)
    return zip(flat[::2], flat[1::2], strict=True)


def _limits(element: turbohtml.Element) -> Span | None:
    """Where an element begins and ends in the text; None when its markup does not tell."""
    location = element.source_location
    if location is None:
        return None
    start = location.start_tag.start_offset
    if location.end_tag is not None:
        return start, location.end_tag.end_offset
    if element.tag.encode() in VOID:
        return start, location.start_tag.end_offset
    end = _end_of_unclosed(element)
    return None if end is None or end <= start else (start, end)


def _end_of_unclosed(element: turbohtml.Element) -> int | None:
    """An element without an end tag ends where the next one begins, or where its parent is closed."""
    node: turbohtml.Node | None = element
    while isinstance(node, turbohtml.Element):
        following = node.next_sibling
        while following is not None and not isinstance(following, turbohtml.Element):
            if isinstance(following, turbohtml.Text) and following.data.strip():
                return None  # text that the repair of broken markup has put there
            following = following.next_sibling
        if following is not None:
            place = following.source_location
            return place.start_tag.start_offset if place else None
        parent = node.parent
        if isinstance(parent, turbohtml.Element):
            location = parent.source_location
            if location is not None and location.end_tag is not None:
                return location.end_tag.start_offset
        node = parent if isinstance(parent, turbohtml.Element) else None
    return None
