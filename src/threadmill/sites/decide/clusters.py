"""Joins pairs into clusters: if A and B are one company, and B and C are, then A, B and C are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from threadmill.sites.model import CompanySite, SiteCluster, SitePair


def make_clusters(
    sites: Sequence[CompanySite], pairs: Iterable[SitePair], border: float
) -> list[SiteCluster]:
    """Clusters of the pairs that score at least `border`, largest cluster first.

    In a cluster the site with the highest sum of scores comes first. Ties go to the site with more pages,
    then to the shorter URL.
    """
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
        SiteCluster(
            tuple(sorted(group, key=lambda n: (-worth[n], -sites[n].pages, len(sites[n].url), sites[n].url)))
        )
        for group in members.values()
    ]
    return sorted(found, key=lambda cluster: (-len(cluster.members), cluster.members))


def _root(parent: list[int], number: int) -> int:
    """The site that stands for a group (union-find). The path to it is halved on the way."""
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number
