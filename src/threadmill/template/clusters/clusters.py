"""Groups the pages of a site by their common framing, as the source does."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.clusters.fragments import Chains
from threadmill.template.clusters.overlap import Shared, all_pairs, share


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """The source's parameters with its defaults; the last two are ours."""

    min_fragmenters_chain: int = 6
    duplicate_share: float = 0.7  # a pair that matches in more than this of both pages may not be the first
    min_nav_share: float = 0.8  # of the first pair's framing that every further page must hold
    lowest_nav_share: float = 0.4
    nav_share_step: float = 0.2
    min_cluster: int = 4
    # On a site that is framing almost only, every pair is a "duplicate": take the least alike of them then.
    among_duplicates: bool = True
    # A pair that gathers too few pages at the lowest threshold is put aside, and the next one is tried.
    past_barren_pairs: bool = True

    def thresholds(self) -> list[float]:
        """The shares of the first framing that are asked for, one after the other."""
        steps = round((self.min_nav_share - self.lowest_nav_share) / self.nav_share_step)
        return [self.min_nav_share - step * self.nav_share_step for step in range(steps + 1)]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages of one framing."""

    pages: tuple[int, ...]  # indexes into the pages given, in the order they joined
    framing: Chains
    least: int  # bytes of the framing that a page must hold to belong here


def find_clusters(pages: Sequence[Chains], settings: ClusterSettings | None = None) -> list[Cluster]:
    """All valid clusters in the order they are found; a page is in one cluster at most.

    Work grows with the square of the pages: larger sites are sampled, see learn.py.
    """
    settings = settings or ClusterSettings()
    shared = share(pages)
    overlaps = all_pairs(shared)
    left = np.ones(len(pages), bool)
    found: list[Cluster] = []
    while left.sum() >= settings.min_cluster:
        pair = _first_pair(overlaps, shared.sizes, left, settings)
        if pair is None:
            break
        cluster = _build(shared, left, pair, settings)
        if cluster is not None:
            found.append(cluster)
            left[list(cluster.pages)] = False
        elif settings.past_barren_pairs:
            overlaps[pair] = overlaps[pair[::-1]] = 0
        else:
            break
    return found


def _first_pair(
    overlaps: NDArray[np.float64],
    sizes: NDArray[np.int64],
    left: NDArray[np.bool_],
    settings: ClusterSettings,
) -> tuple[int, int] | None:
    """The pair with the longest match that are not duplicates; of equals, the pages that come first."""
    pages = np.flatnonzero(left)
    among = overlaps[np.ix_(pages, pages)]
    longer = np.maximum(sizes[pages][:, None], sizes[pages][None, :])
    duplicates = among > settings.duplicate_share * longer
    allowed = np.where(duplicates, 0, among)
    best = int(allowed.argmax())
    if allowed.flat[best] <= 0:
        if not (settings.among_duplicates and duplicates.any()):
            return None
        best = int(np.where(duplicates, among, np.inf).argmin())
    one, other = divmod(best, len(pages))
    return int(pages[one]), int(pages[other])


def _build(
    shared: Shared, left: NDArray[np.bool_], pair: tuple[int, int], settings: ClusterSettings
) -> Cluster | None:
    for threshold in settings.thresholds():
        cluster = _grow(shared, left, pair, threshold)
        if len(cluster.pages) >= settings.min_cluster:
            return cluster
    return None


def _grow(shared: Shared, left: NDArray[np.bool_], pair: tuple[int, int], threshold: float) -> Cluster:
    """Let the page that overlaps the framing most join, again and again.

    The overlap with a framing that shrinks can only fall: a page is measured again only when it comes up.
    """
    framing = np.intersect1d(shared.pages[pair[0]], shared.pages[pair[1]], assume_unique=True)
    least = threshold * shared.bytes_of(framing)
    inside = np.zeros(len(shared.lengths), bool)
    inside[framing] = True
    joined = list(pair)
    others = [int(page) for page in np.flatnonzero(left) if page not in pair]
    heap = [(-_overlap(shared, page, inside), page) for page in others]
    heapq.heapify(heap)
    while heap:
        claimed, page = heapq.heappop(heap)
        overlap = _overlap(shared, page, inside)
        if overlap < least:
            continue
        if overlap < -claimed:
            heapq.heappush(heap, (-overlap, page))
            continue
        joined.append(page)
        narrowed = np.zeros_like(inside)
        narrowed[shared.pages[page]] = True
        inside &= narrowed
    return Cluster(tuple(joined), shared.chains_of(inside), int(np.ceil(least)))


def _overlap(shared: Shared, page: int, inside: NDArray[np.bool_]) -> int:
    numbers = shared.pages[page]
    return int(shared.lengths[numbers[inside[numbers]]].sum())
