"""Finds the pairs of a list that are worth comparing, without looking at every pair.

Two sites become a pair if they share a rare key or a sound, if one links to the other or claims its domain,
or if their words are alike. From arrays alone it is known how high a pair can score at most; pairs that
cannot reach the least score are dropped before what their pages say is unpacked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from threadmill.sites.decide.site_table import KEY_KINDS, MOST_SITES_OF_KEY, SiteTable, hash_of
from threadmill.sites.decide.sparse_vectors import Floats, Indices, Vectors, join_in_blocks

# Contact data are compared by kind. An e-mail address, its domain and the first part of that are one kind.
CONTACT_KINDS = (
    frozenset({"phone"}),
    frozenset({"e-mail", "mail domain"}),
    frozenset({"register number"}),
    frozenset({"address"}),
)
_MAIL = 1  # the place of mail in CONTACT_KINDS
MOST_STRENGTH = 1.5
LINK_STRENGTH = 0.5  # of a link from one site to the other
CLAIM_STRENGTH = 1.0  # of a site that states the other's domain as its own
LINKS, SOUND, LABEL = "links", "name in another script", "same label"
_KINDS = (*KEY_KINDS, LINKS, SOUND)
_PAIRS_AT_ONCE = 200_000  # whose evidence is added up together, so that arrays stay small
# In a long list, pairs that only words connect are sought from a higher cosine on: words alone are worth a
# score of 0.08 at most. And a text that many sites have is that of a template or of a placeholder.
_LONG_LIST = 20_000
_FLOOR_OF_LONG_LIST = 0.8


@dataclass(frozen=True, slots=True)
class CandidatePairs:
    """Pairs as numbers `one * sites + other`, sorted, each once, with the cosines of words and pictures."""

    codes: Indices
    words: Floats
    pictures: Floats


@dataclass(frozen=True, slots=True)
class _SharedEvidence:
    """What two sites share, one entry for each pair and each thing shared, sorted by pair."""

    codes: Indices
    kinds: Indices  # numbers in _KINDS
    strengths: Floats

    def take(self, chosen: Indices) -> _SharedEvidence:
        return _SharedEvidence(self.codes[chosen], self.kinds[chosen], self.strengths[chosen])


def rarity(count: int) -> float:
    """1 for a key on up to three sites (a firm with two languages and a shop), 0.5 for a key on twelve."""
    return 1.0 if count <= 3 else 1 / (1 + math.log2(count / 3) / 2)


def floor_for(sites: int, floor: float) -> float:
    """The cosine from which words alone make a pair in a list of so many sites."""
    return floor if sites <= _LONG_LIST else max(floor, _FLOOR_OF_LONG_LIST)


def connected_pairs(table: SiteTable) -> Indices:
    """Pairs that share a rare key or a sound, or of which one site links to or claims the other's domain."""
    return np.unique(_shared_evidence(table).codes)


def find_candidates(
    table: SiteTable, floor: float, worth: Mapping[str, float], least: float
) -> CandidatePairs:
    """The pairs whose evidence may be worth at least `least`.

    `worth` is the weight of each kind of evidence. `floor` is the cosine from which words make a pair.
    """
    shared = _shared_evidence(table)
    alike = _alike_by_words(table.words, floor)
    codes = np.union1d(shared.codes, alike)
    bounds = _bounds(table, codes, shared, worth)
    codes, bounds = _over(codes, bounds + _upside(worth, "words") + _upside(worth, "pictures"), least, bounds)
    ones, others = np.divmod(codes, max(1, len(table)))
    words = table.words.cosines_of_pairs(ones, others)
    pictures = table.pictures.cosines_of_pairs(ones, others)
    totals = bounds + _upside(worth, "words") * words + _upside(worth, "pictures") * pictures
    kept = totals >= least
    return CandidatePairs(codes[kept], words[kept], pictures[kept])


def _over(codes: Indices, totals: Floats, least: float, bounds: Floats) -> tuple[Indices, Floats]:
    kept = totals >= least
    return codes[kept], bounds[kept]


def _upside(worth: Mapping[str, float], kind: str) -> float:
    """What a kind of evidence for a pair can add, at strength 1."""
    return max(0.0, worth.get(kind, 0.0))


def _shared_evidence(table: SiteTable) -> _SharedEvidence:
    parts = [*_by_key(table), _by_sound(table), *_by_link(table)]
    ones = np.concatenate([part[0] for part in parts]).astype(np.int64)
    others = np.concatenate([part[1] for part in parts]).astype(np.int64)
    kinds = np.concatenate([np.broadcast_to(np.uint8(part[2]), len(part[0])) for part in parts])
    strengths = np.concatenate([np.full(len(part[0]), part[3], np.float32) for part in parts])
    codes = np.minimum(ones, others) * max(1, len(table)) + np.maximum(ones, others)
    order = np.argsort(codes, kind="stable")
    return _SharedEvidence(codes, kinds, strengths).take(order[(ones != others)[order]])


_Part = tuple[Indices, Indices, Indices | int, float]  # first sites, second sites, kinds, strength


def _by_key(table: SiteTable) -> Iterator[_Part]:
    """The pairs of each key's sites, for all keys on two sites, then for all on three, and so on."""
    keys = table.shared_keys
    for count in range(2, MOST_SITES_OF_KEY + 1):
        chosen = np.flatnonzero(keys.counts == count)
        if len(chosen):
            owners = keys.owners[keys.begins[chosen][:, None] + np.arange(count)]
            first, second = np.triu_indices(count, 1)
            kinds = np.repeat(keys.kinds[chosen], len(first))
            yield owners[:, first].ravel(), owners[:, second].ravel(), kinds, rarity(count)


def _by_sound(table: SiteTable) -> _Part:
    (latin, ours), (foreign, theirs) = table.sounds()
    places = _Places(foreign)
    in_latin = _Places(latin)
    few = places.counts(latin) + in_latin.counts(latin) <= MOST_SITES_OF_KEY
    rows, found = places.find(latin, few)
    return ours[rows], theirs[found], _KINDS.index(SOUND), 1.0


def _by_link(table: SiteTable) -> Iterator[_Part]:
    links, linking = table.links()
    keys, claiming = table.keys.entries()
    owners = np.array([n for n, domain in enumerate(table.domains) if domain], np.int64)
    domains = [table.domains[owner] for owner in owners.tolist()]
    for wanted, values, sites, strength in (
        (map(hash, domains), links, linking, LINK_STRENGTH),
        ((hash_of(("domain", domain)) for domain in domains), keys, claiming, CLAIM_STRENGTH),
        ((hash_of(("mail domain", domain)) for domain in domains), keys, claiming, 0.0),
    ):
        places = _Places(np.fromiter(wanted, np.int64, len(domains)))
        # A domain of many sites is that of their host. It is linked to by all of them.
        rows, found = places.find(values, places.counts(values) <= MOST_SITES_OF_KEY)
        yield sites[rows], owners[found], _KINDS.index(LINKS), strength


class _Places:
    """Where each of some values stands."""

    def __init__(self, values: Indices) -> None:
        self._order = np.argsort(values, kind="stable")
        self._sorted = values[self._order]

    def counts(self, wanted: Indices) -> Indices:
        """How often each wanted value is there."""
        return np.searchsorted(self._sorted, wanted, "right") - np.searchsorted(self._sorted, wanted)

    def find(
        self, wanted: Indices, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ) -> tuple[Indices, Indices]:
        """For each chosen wanted value and each place of it: the number of the wanted value, the place."""
        counts = np.where(chosen, self.counts(wanted), 0)
        rows = np.repeat(np.arange(len(wanted)), counts)
        begins = np.repeat(np.searchsorted(self._sorted, wanted) - np.cumsum(counts) + counts, counts)
        return rows, self._order[begins + np.arange(len(begins))]


def _alike_by_words(vectors: Vectors, floor: float) -> Indices:
    """Pairs whose words are alike, without those of a long list that have a crowd of likes."""
    size = len(vectors)
    most = MOST_SITES_OF_KEY if size > _LONG_LIST else size
    likes = np.zeros(size, np.int64)
    found = [np.zeros(0, np.int64)]
    for ones, others, _ in join_in_blocks(vectors, floor):
        likes += np.bincount(ones, minlength=size) + np.bincount(others, minlength=size)
        few = (likes[ones] <= most) & (likes[others] <= most)
        found.append(ones[few] * max(1, size) + others[few])
    codes = np.concatenate(found)
    ones, others = np.divmod(codes, max(1, size))
    kept: Indices = codes[(likes[ones] <= most) & (likes[others] <= most)]
    return kept


def _bounds(table: SiteTable, codes: Indices, shared: _SharedEvidence, worth: Mapping[str, float]) -> Floats:
    """What the evidence of pairs is worth at most, words and pictures left aside."""
    weights = np.array([_upside(worth, LABEL if kind == "label" else kind) for kind in _KINDS])
    contacts = [table.contact_kinds(kinds) for kinds in CONTACT_KINDS]
    groups = [[KEY_KINDS.index(kind) for kind in sorted(kinds)] for kinds in CONTACT_KINDS]
    found = np.zeros(len(codes))
    for first in range(0, len(codes), _PAIRS_AT_ONCE):
        part = codes[first : first + _PAIRS_AT_ONCE]
        ones, others = np.divmod(part, max(1, len(table)))
        begin, end = np.searchsorted(shared.codes, part[0]), np.searchsorted(shared.codes, part[-1], "right")
        rows = np.searchsorted(part, shared.codes[begin:end])
        cells = rows * len(_KINDS) + shared.kinds[begin:end]
        count = len(part) * len(_KINDS)
        strengths = np.bincount(cells, shared.strengths[begin:end], count).reshape(-1, len(_KINDS))
        has = strengths > 0
        total = np.minimum(strengths, MOST_STRENGTH) @ weights
        total += _upside(worth, "phone and address") * (
            has[:, KEY_KINDS.index("phone")] & has[:, KEY_KINDS.index("address")]
        )
        both, apart = np.zeros(len(part)), np.zeros(len(part))
        for number, ((given, is_common), kinds) in enumerate(zip(contacts, groups, strict=True)):
            comparable = given[ones] & given[others]
            same = has[:, kinds].any(axis=1) | (is_common[ones] & is_common[others])
            if number == _MAIL:
                same |= has[:, KEY_KINDS.index("label")]
            both += comparable
            apart += comparable & ~same
        total += min(0.0, worth.get("other contact", 0.0)) * apart / np.maximum(1, both)
        found[first : first + len(part)] = total
    return found
