"""Joins pairs into clusters: if A and B are one company, and B and C are, then A, B and C are.

People may decide about a pair. Two sites that somebody kept apart are never joined, by no chain of others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from threadmill.sites.model import CompanySite, SiteCluster, SitePair

_ACCEPTED_WORTH = 1.0  # of a pair that a person accepted


def make_clusters(
    sites: Sequence[CompanySite],
    pairs: Iterable[SitePair],
    border: float,
    decisions: Mapping[tuple[int, int], bool] | None = None,
) -> list[SiteCluster]:
    """Clusters of the pairs that score at least `border`, largest cluster first.

    `decisions` says of some pairs (the smaller position first) whether they are one company. Accepted pairs
    are joined first, then the others, best first. In a cluster the site with the highest sum of scores comes
    first. Ties go to the site with more pages, then to the shorter URL.
    """
    said = decisions or {}
    groups = _SiteGroups(len(sites), [pair for pair, same in said.items() if not same])
    links = [(*pair, _ACCEPTED_WORTH) for pair, same in said.items() if same]
    links += sorted(
        (
            (pair.one, pair.other, pair.score)
            for pair in pairs
            if pair.score >= border and (pair.one, pair.other) not in said
        ),
        key=lambda link: -link[2],
    )
    for one, other, _ in links:
        groups.join(one, other)
    worth: dict[int, float] = defaultdict(float)
    for one, other, score in links:
        if groups.root(one) == groups.root(other):
            worth[one] += score
            worth[other] += score
    return _sorted_clusters(sites, groups, worth)


def _sorted_clusters(
    sites: Sequence[CompanySite], groups: _SiteGroups, worth: Mapping[int, float]
) -> list[SiteCluster]:
    members: dict[int, list[int]] = defaultdict(list)
    for number in sorted(worth):
        members[groups.root(number)].append(number)
    found = [
        SiteCluster(
            tuple(sorted(group, key=lambda n: (-worth[n], -sites[n].pages, len(sites[n].url), sites[n].url)))
        )
        for group in members.values()
    ]
    return sorted(found, key=lambda cluster: (-len(cluster.members), cluster.members))


class _SiteGroups:
    """Groups of sites (union-find), with pairs that must stay in different groups."""

    def __init__(self, count: int, apart: Iterable[tuple[int, int]]) -> None:
        self._parent = list(range(count))
        self._apart: dict[int, set[int]] = defaultdict(set)  # root → roots it must not be joined with
        for one, other in apart:
            self._apart[one].add(other)
            self._apart[other].add(one)

    def root(self, number: int) -> int:
        """The site that stands for a group. The path to it is halved on the way."""
        parent = self._parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Join the groups of two sites, unless they must stay apart."""
        gone, kept = self.root(one), self.root(other)
        if gone == kept or kept in self._apart.get(gone, ()):
            return
        self._parent[gone] = kept
        for enemy in self._apart.pop(gone, ()):
            self._apart[enemy].discard(gone)
            self._apart[enemy].add(kept)
            self._apart[kept].add(enemy)
