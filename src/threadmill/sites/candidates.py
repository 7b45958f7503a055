"""Which pairs are worth a look: those that share a rare key, a link, or many words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from threadmill.sites.model import Key, Site
from threadmill.sites.sparse import Vectors, make_vectors

# A key on more sites than this is a web maker's or a template's: it would make pairs by the square.
MOST_SHARING = 40


def frequencies(sites: Sequence[Site]) -> Counter[Key]:
    """On how many sites of the list each key occurs."""
    return Counter(key for site in sites for key in site.facts.keys)


def pairs_by_keys(sites: Sequence[Site], counts: Mapping[Key, int]) -> set[tuple[int, int]]:
    """Pairs that share a key which few others have."""
    holders: dict[Key, list[int]] = defaultdict(list)
    for number, site in enumerate(sites):
        for key in site.facts.keys:
            if 1 < counts[key] <= MOST_SHARING:
                holders[key].append(number)
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


def list_vectors(rows: Iterable[Mapping[str, float]], sites: int) -> Vectors:
    """Unit vectors weighted by rarity in the list itself."""
    rows = list(rows)
    counts = Counter(term for row in rows for term in row)
    numbers: dict[str, int] = {}
    weighed = []
    for row in rows:
        weighed.append(
            {
                numbers.setdefault(term, len(numbers)): value * math.log((sites + 1) / counts[term])
                for term, value in row.items()
            }
        )
    return make_vectors(weighed, max(1, len(numbers)))
