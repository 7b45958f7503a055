"""How many bytes of chains the pages of a site share, for all pairs of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.clusters.fragments import Chains

Numbers = NDArray[np.int64]
_BLOCK = 512  # groups of chains multiplied at a time: 4 MB of them for 1,000 pages


@dataclass(frozen=True, slots=True)
class Shared:
    """The chains that two pages or more have, numbered; chains of exactly the same pages count as one."""

    lengths: Numbers  # in bytes, by number
    pages: tuple[Numbers, ...]  # of each page: the numbers of its shared chains, ascending
    sizes: Numbers  # of each page: the bytes of all its chains, shared or not
    vocabulary: Chains  # the chains behind the numbers
    groups: Numbers  # of each chain of the vocabulary: its number

    def bytes_of(self, numbers: Numbers) -> int:
        """The length of some chains together."""
        return int(self.lengths[numbers].sum())

    def chains_of(self, inside: NDArray[np.bool_]) -> Chains:
        """The chains behind the numbers that are marked."""
        if not len(self.groups):
            return self.vocabulary
        wanted = inside[self.groups]
        return Chains(self.vocabulary.names[wanted], self.vocabulary.lengths[wanted])


def share(pages: Sequence[Chains]) -> Shared:
    """Number the chains that pages share, by the sets of pages that have them."""
    sizes = np.array([page.size for page in pages], np.int64)
    names = np.concatenate([page.names for page in pages]) if pages else np.empty(0, np.uint64)
    vocabulary, count = np.unique(names, return_counts=True)
    vocabulary = vocabulary[count > 1]
    lengths = np.zeros(len(vocabulary), np.int64)
    signatures = np.zeros(len(vocabulary), np.uint64)
    held = []
    # Random numbers for pages, added up for a chain: equal sums are equal sets, but for one chance in 2^64.
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
    return Shared(summed, numbered, sizes, Chains(vocabulary, lengths), groups)


def all_pairs(shared: Shared) -> NDArray[np.float64]:
    """The overlap in bytes of every page with every other; nothing on the diagonal."""
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
