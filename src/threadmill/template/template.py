"""What is known of a site's framing, learnt once and applied to every page that comes later."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadmill.template.apply.framing import Framing
from threadmill.template.clusters.clusters import ClusterSettings
from threadmill.template.clusters.fragments import Chains
from threadmill.template.places.place_settings import PlaceSettings


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """How framing is learnt."""

    clusters: ClusterSettings = field(default_factory=ClusterSettings)
    places: PlaceSettings = field(default_factory=PlaceSettings)
    # Pages among which clusters are looked for pair by pair; 1,000 of them take 2 s, and on the sites of the
    # evaluation half as many found the same clusters.
    sample: int = 1000
    outlines: int = 250  # pages whose places are counted; more changed no figure of the evaluation


@dataclass(frozen=True, slots=True)
class KnownCluster:
    """A cluster of pages with one framing, as the source knows it."""

    pages: int
    chains: Chains
    least: int  # bytes of the chains that a page of this cluster has at least


@dataclass(frozen=True, slots=True)
class Template:
    """A site's framing."""

    pages: int  # learnt from
    chain_length: int
    clusters: tuple[KnownCluster, ...]
    framing: Framing  # the places
    typical: float = 0.0  # characters in known wordings that a page's framing held when it was learnt
