"""Groups the pages of a site by their common framing, as the source does, in near-linear time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from threadmill.template.fragments import Chains, intersect
from threadmill.template.overlap import Overlap


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """The source's parameters, under its names, with its defaults."""

    min_fragmenters_chain: int = 6
    duplicate_share: float = 0.7  # a pair that matches in more than this may not start a cluster
    min_nav_share: float = 0.8  # of the first pair's framing that every further page must hold
    lowest_nav_share: float = 0.4
    nav_share_step: float = 0.2
    min_cluster: int = 4
    sample: int = 1500  # pages among which the first pair is looked for exactly; larger sites are sampled


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages of one framing."""

    pages: tuple[int, ...]  # indexes into the pages given, in the order they joined
    framing: Chains


def find_clusters(pages: Sequence[Chains], settings: TemplateSettings | None = None) -> list[Cluster]:
    """All valid clusters, largest framing first; a page is in one cluster at most."""
    settings = settings or TemplateSettings()
    found: list[Cluster] = []
    left = list(range(len(pages)))
    share = settings.min_nav_share
    while len(left) >= settings.min_cluster and share > settings.lowest_nav_share - 1e-9:
        cluster = _build_cluster(pages, left, share, settings)
        if cluster is None:
            share -= settings.nav_share_step
            continue
        found.append(cluster)
        taken = set(cluster.pages)
        left = [page for page in left if page not in taken]
        share = settings.min_nav_share
    return found


def _build_cluster(
    pages: Sequence[Chains], left: list[int], share: float, settings: TemplateSettings
) -> Cluster | None:
    """The first pair whose cluster is valid: pairs are tried from the largest overlap down.

    The source stops at the largest pair. Two pages that are alike by accident would then hide every
    framing below them, so a pair that gathers too few pages is put aside and the next one is tried.
    """
    aside: set[int] = set()
    while len(left) - len(aside) >= settings.min_cluster:
        rest = [page for page in left if page not in aside]
        pair = first_pair(pages, rest, settings)
        if pair is None:
            return None
        cluster = _grow(pages, rest, pair, share)
        if len(cluster.pages) >= settings.min_cluster:
            return cluster
        aside.update(pair)
    return None
