"""Which pairs are worth a look: those that share a rare key, a link, or many words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from threadmill.sites.decide.sparse_vectors import Columns, Vectors, gather_vectors
from threadmill.sites.model import Key, Site

# A key on more sites than this is a web maker's or a template's: it would make pairs by the square.
MOST_SHARING = 40


def frequencies(sites: Sequence[Site]) -> Counter[Key]:
    """On how many sites of the list each key occurs."""
    return Counter(key for site in sites for key in site.facts.keys)


def sharing(sites: Sequence[Site], counts: Mapping[Key, int]) -> dict[Key, list[int]]:
    """Who has a key that some share and not too many."""
    holders: dict[Key, list[int]] = defaultdict(list)
    for number, site in enumerate(sites):
        for key in site.facts.keys:
            if 1 < counts[key] <= MOST_SHARING:
                holders[key].append(number)
    return dict(holders)


def pairs_by_keys(holders: Mapping[Key, Sequence[int]]) -> set[tuple[int, int]]:
    """Pairs that share a key which few others have."""
    return {pair for numbers in holders.values() for pair in combinations(numbers, 2)}


def pairs_by_links(sites: Sequence[Site]) -> set[tuple[int, int]]:
    """Pairs of which one links to the other, or names its domain as its own."""
    living: dict[str, list[int]] = defaultdict(list)
    for number, site in enumerate(sites):
        if site.facts.domain:
            living[site.facts.domain].append(number)
    found: set[tuple[int, int]] = set()
    for number, site in enumerate(sites):
        claimed = {value for kind, value in site.facts.keys if kind in {"domain", "mail domain"}}
        for domain in site.facts.links | claimed:
            found.update(
                (min(number, other), max(number, other))
                for other in living.get(domain, ())
                if other != number
            )
    return found


def list_vectors(rows: Iterable[Collection[str]], sites: int) -> Vectors:
    """Unit vectors weighted by rarity in the list itself; a mapping tells how often each term occurs."""
    columns = Columns()
    found = []
    for row in rows:
        counts = (
            np.fromiter(row.values(), np.float64, len(row)) if isinstance(row, Mapping) else np.ones(len(row))
        )
        found.append((columns.of(row), 1 + np.log(counts)))
    everywhere = np.concatenate([ours for ours, _ in found]) if found else np.zeros(0, np.int32)
    rarity = np.log((sites + 1) / np.maximum(1, np.bincount(everywhere, minlength=1)))
    return gather_vectors(((ours, values * rarity[ours]) for ours, values in found), max(1, len(columns)))
