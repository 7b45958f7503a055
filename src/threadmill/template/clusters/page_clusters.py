"""Groups the pages of a site by their common framing, as the source does."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.clusters.fragments import Chains


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """The parameters of the source with its defaults; the last two are ours."""

    min_fragmenters_chain: int = 6
    duplicate_share: float = 0.7  # a pair that shares more than this of both pages may not be the first
    min_nav_share: float = 0.8  # share of the first pair's framing that every further page must have
    lowest_nav_share: float = 0.4
    nav_share_step: float = 0.2
    min_cluster: int = 4
    # On a site of almost nothing but framing, every pair is a "duplicate". Then the least similar pair is
    # taken.
    among_duplicates: bool = True
    # A pair that gathers too few pages at the lowest threshold is skipped, and the next pair is tried.
    past_barren_pairs: bool = True

    def thresholds(self) -> list[float]:
        """Return the required shares of the first framing, in the order they are tried."""
        steps = round((self.min_nav_share - self.lowest_nav_share) / self.nav_share_step)
        return [self.min_nav_share - step * self.nav_share_step for step in range(steps + 1)]


@dataclass(frozen=True, slots=True)
class PageCluster:
    """Pages with a common framing."""

    pages: tuple[int, ...]  # indexes into the pages given, in the order they joined
    framing: Chains
    least: int  # a page must have this many bytes of the framing to belong here


def find_clusters(pages: Sequence[Chains], settings: ClusterSettings | None = None) -> list[PageCluster]:
    """Return all valid clusters in the order they are found; a page is in at most one cluster.

    Work grows with the square of the pages: larger sites are sampled, see learn.py.
    """
    settings = settings or ClusterSettings()
    shared = find_shared_chains(pages)
    overlaps = overlap_all_pairs(shared)
    left = np.ones(len(pages), bool)
    found: list[PageCluster] = []
    while left.sum() >= settings.min_cluster:
        pair = _first_pair(overlaps, shared.sizes, left, settings)
        if pair is None:
            break
        cluster = _build_cluster(shared, left, pair, settings)
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
    """Return the pair with the longest match that is no duplicate; of equals, the one that comes first."""
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


def _build_cluster(
    shared: SharedChains, left: NDArray[np.bool_], pair: tuple[int, int], settings: ClusterSettings
) -> PageCluster | None:
    for threshold in settings.thresholds():
        cluster = _grow_cluster(shared, left, pair, threshold)
        if len(cluster.pages) >= settings.min_cluster:
            return cluster
    return None


def _grow_cluster(
    shared: SharedChains, left: NDArray[np.bool_], pair: tuple[int, int], threshold: float
) -> PageCluster:
    """Let the page with the largest overlap join, again and again.

    The overlap with a shrinking framing can only fall, so a page is measured again only when it is next.
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
    return PageCluster(tuple(joined), shared.chains_of(inside), int(np.ceil(least)))


def _overlap(shared: SharedChains, page: int, inside: NDArray[np.bool_]) -> int:
    numbers = shared.pages[page]
    return int(shared.lengths[numbers[inside[numbers]]].sum())


Numbers = NDArray[np.int64]
_BLOCK = 512  # groups of chains that are multiplied at once: 4 MB for 1,000 pages


@dataclass(frozen=True, slots=True)
class SharedChains:
    """The chains that two or more pages have, numbered. Chains of exactly the same pages share a number."""

    lengths: Numbers  # in bytes, by number
    pages: tuple[Numbers, ...]  # for each page: the numbers of its shared chains, ascending
    sizes: Numbers  # for each page: the bytes of all its chains, shared or not
    vocabulary: Chains  # the chains behind the numbers
    groups: Numbers  # for each chain of the vocabulary: its number

    def bytes_of(self, numbers: Numbers) -> int:
        """Return the total length of some chains."""
        return int(self.lengths[numbers].sum())

    def chains_of(self, inside: NDArray[np.bool_]) -> Chains:
        """Return the chains behind the marked numbers."""
        if not len(self.groups):
            return self.vocabulary
        wanted = inside[self.groups]
        return Chains(self.vocabulary.names[wanted], self.vocabulary.lengths[wanted])


def find_shared_chains(pages: Sequence[Chains]) -> SharedChains:
    """Number the chains that pages share, by the set of pages that have them."""
    sizes = np.array([page.size for page in pages], np.int64)
    names = np.concatenate([page.names for page in pages]) if pages else np.empty(0, np.uint64)
    vocabulary, count = np.unique(names, return_counts=True)
    vocabulary = vocabulary[count > 1]
    lengths = np.zeros(len(vocabulary), np.int64)
    signatures = np.zeros(len(vocabulary), np.uint64)
    held = []
    # Each page has a random number, and each chain their sum: equal sums mean equal sets, but for 1 chance in
    # 2^64.
    keys = np.random.default_rng(0).integers(1, 2**63, len(pages), np.uint64)
    for page, key in zip(pages, keys, strict=True):
        place = np.searchsorted(vocabulary, page.names)
        place[place == len(vocabulary)] = 0
        known = vocabulary[place] == page.names if len(vocabulary) else np.zeros(len(place), bool)
        lengths[place[known]] = page.lengths[known]
        signatures[place[known]] += key
        held.append(place[known])
    _, groups = np.unique(signatures, return_inverse=True)
    summed = np.bincount(groups, lengths).astype(np.int64) if len(groups) else lengths
    numbered = tuple(np.unique(groups[numbers]) for numbers in held)
    return SharedChains(summed, numbered, sizes, Chains(vocabulary, lengths), groups)


def overlap_all_pairs(shared: SharedChains) -> NDArray[np.float64]:
    """Return the overlap in bytes of every pair of pages; the diagonal is zero."""
    count = len(shared.pages)
    overlaps = np.zeros((count, count))
    rows = np.repeat(np.arange(count), [len(page) for page in shared.pages])
    columns = np.concatenate(shared.pages) if count else np.empty(0, np.int64)
    order = np.argsort(columns, kind="stable")
    rows, columns = rows[order], columns[order]
    for start in range(0, len(shared.lengths), _BLOCK):
        low, high = np.searchsorted(columns, (start, start + _BLOCK))
        block = np.zeros((count, min(_BLOCK, len(shared.lengths) - start)))
        block[rows[low:high], columns[low:high] - start] = 1.0
        overlaps += (block * shared.lengths[start : start + _BLOCK]) @ block.T
    np.fill_diagonal(overlaps, 0)
    return overlaps
