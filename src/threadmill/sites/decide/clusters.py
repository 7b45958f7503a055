"""Pairs joined into clusters: A is B and B is C make one company of three sites."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from threadmill.sites.model import Cluster, Pair, Site


def make_clusters(sites: Sequence[Site], pairs: Iterable[Pair], border: float) -> list[Cluster]:
    """Clusters of two and more sites, largest first; the site with the best pairs comes first."""
    parent = list(range(len(sites)))
    worth: dict[int, float] = defaultdict(float)
    for pair in pairs:
        if pair.score >= border:
            parent[_root(parent, pair.one)] = _root(parent, pair.other)
            worth[pair.one] += pair.score
            worth[pair.other] += pair.score
    members: dict[int, list[int]] = defaultdict(list)
    for number in sorted(worth):
        members[_root(parent, number)].append(number)
    found = [
        Cluster(
            tuple(sorted(group, key=lambda n: (-worth[n], -sites[n].pages, len(sites[n].url), sites[n].url)))
        )
        for group in members.values()
    ]
    return sorted(found, key=lambda cluster: (-len(cluster.members), cluster.members))


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number
