"""Finds the learnt framing on one page, removes or marks it, and notices when it no longer fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from threadmill.template.apply.framing_places import match_framing
from threadmill.template.apply.marking import ByteSpan, mark_spans, merge_spans, removable_spans, remove_spans
from threadmill.template.apply.page_source import decode_exactly, element_spans
from threadmill.template.clusters.fragments import Chains, fragments_of, overlap_bytes
from threadmill.template.site_template import KnownCluster, Template


class FramingMethod(StrEnum):
    """How framing is found on a page."""

    PLACES = "places"  # our method: places that are framing on the whole site
    PAPER = "paper"  # the method of the source: chains of fragments that the pages of a cluster share


@dataclass(frozen=True, slots=True)
class FoundFraming:
    """The framing of one page."""

    spans: tuple[ByteSpan, ...]  # the framing, as byte offsets
    removable: tuple[ByteSpan, ...]  # the part that can be removed without breaking the rest
    cluster: int | None  # index into the template's clusters; only the method of the source uses it
    fit: float  # 0 to 1: how much of the learnt framing the page has


def find_framing(
    template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES
) -> FoundFraming:
    """Find the framing of a site on one of its pages."""
    if method is FramingMethod.PAPER:
        return _find_chains(template, html)
    source = decode_exactly(html)
    document = source.parse()
    matches = match_framing(document, template.framing)
    spans = tuple(merge_spans(element_spans(source, (match.element for match in matches))))
    known = sum(match.known for match in matches)
    fit = min(1.0, known / template.typical) if template.typical else 1.0
    return FoundFraming(spans, spans, None, fit)


def nearest_cluster(template: Template, chains: Chains) -> int | None:
    """Return the cluster whose framing a page holds most of, if it holds enough."""
    held = [overlap_bytes(chains, known.chains) for known in template.clusters]
    enough = [i for i, known in enumerate(template.clusters) if held[i] >= known.least]
    return max(enough, key=held.__getitem__, default=None)


def remove_framing(template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES) -> bytes:
    """Return the page without its framing."""
    return remove_spans(html, find_framing(template, html, method).removable)


def mark_framing(template: Template, html: bytes, method: FramingMethod = FramingMethod.PLACES) -> bytes:
    """Return the page with its framing coloured."""
    return mark_spans(html, find_framing(template, html, method).spans)


def _find_chains(template: Template, html: bytes) -> FoundFraming:
    """Find framing as the source does: by the chains of the page's cluster, else of all clusters."""
    fragments = fragments_of(html, template.chain_length)
    cluster = nearest_cluster(template, fragments.chains)
    wanted: Iterable[KnownCluster] = template.clusters if cluster is None else [template.clusters[cluster]]
    names = [known.chains.names for known in wanted]
    flags = fragments.covered(np.unique(np.concatenate(names)) if names else np.empty(0, np.uint64))
    spans = merge_spans(place for place, flag in zip(fragments.places, flags, strict=True) if flag)
    removable = removable_spans(html, fragments.places, flags)
    return FoundFraming(
        tuple(spans), tuple(removable), cluster, _chain_fit(template, fragments.chains, cluster)
    )


def _chain_fit(template: Template, chains: Chains, cluster: int | None) -> float:
    if cluster is None:
        return 0.0
    known = template.clusters[cluster].chains
    return overlap_bytes(chains, known) / known.size if known.size else 1.0


# After a redesign, no page has the known framing any more. A few odd pages (errors, print views) do not
# matter.
_RECENT_PAGES = 30
_MIN_PAGES = 10
_MIN_MEAN_FIT = 0.5


@dataclass(slots=True)
class TemplateFit:
    """How well the template fits the latest pages, one figure between 0 and 1 for each."""

    latest: deque[float] = field(default_factory=lambda: deque(maxlen=_RECENT_PAGES))

    def note(self, fit: float) -> None:
        """Add the fit of a page."""
        self.latest.append(fit)

    @property
    def mean(self) -> float:
        """The mean fit of the latest pages; 1 before any page."""
        return sum(self.latest) / len(self.latest) if self.latest else 1.0

    @property
    def fallen(self) -> bool:
        """Whether the site has changed, so that its framing must be learnt again."""
        return len(self.latest) >= _MIN_PAGES and self.mean < _MIN_MEAN_FIT
