"""Whether a score of 0.9 means nine of ten: labelled sites that give away ever less, many draws of each.

    python3 dev.py run python -m bench.sites_calibration [--draws 8]

As they are, nearly all labelled pairs have so much in common that they score 0.99; a list has pairs of which
less is known. So each draw takes from every site a part of its keys, names and links by coin, and the scores
of all pairs are compared with the truth, by weights that were learnt without the organisations of both
sites. Draws of one pair are not independent: the pairs and organisations behind a band are counted, too.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bench.figures import Figure, write_figures
from bench.sites_data import load_sites
from bench.sites_quality import (
    HELD_BACK,
    Floats,
    Labelled,
    label,
    learn_by_parts,
    require_data,
    score_by_parts,
)
from threadmill.sites.decide.evidence import EVIDENCE_KINDS, find_evidence
from threadmill.sites.decide.score_pairs import COSINE_FLOOR, candidate_pairs, describe_list
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CompanySite, ReadOutcome

_KEPT = (0.15, 0.3, 0.5, 0.7)  # of what a site gives away
_EDGES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.95, 1.01)
# What a draw leaves as it is, and what is slow to compute again.
_COSINES = [EVIDENCE_KINDS.index(kind) for kind in ("words", "pictures")]


@dataclass(frozen=True, slots=True)
class Seen:
    """The scores of one draw."""

    scores: Floats
    labelled: Labelled


def thin(site: CompanySite, chance: random.Random, kept: float) -> CompanySite:
    """A site that gives away less: each key, name and link is kept or lost by chance."""
    facts = site.facts
    names = frozenset(name for name in sorted(facts.names) if chance.random() < kept)
    keys = frozenset(
        key for key in sorted(facts.keys) if (key[1] in names if key[0] == "name" else chance.random() < kept)
    )
    links = frozenset(link for link in sorted(facts.links) if chance.random() < kept)
    found = tuple(fact for fact in facts.found if fact.key in keys)
    return replace(site, facts=replace(facts, keys=keys, names=names, links=links, found=found))


def draw(sites: Sequence[CompanySite], labelled: Labelled, chance: random.Random, kept: float) -> Labelled:
    """The labelled pairs when every site gives away only a part of what it does."""
    bare = [
        replace(site, keywords={}, facts=replace(site.facts, pictures=frozenset(), template=()))
        for site in sites
    ]
    background = describe_list([thin(site, chance, kept) for site in bare], load_vocabulary())
    near = candidate_pairs(background)
    number_of = {site.url.split("/")[2]: number for number, site in enumerate(sites)}
    rows = np.zeros_like(labelled.rows)
    reported = labelled.rows[:, EVIDENCE_KINDS.index("words")] >= COSINE_FLOOR
    for place, hosts in enumerate(labelled.hosts):
        one, other = sorted(number_of.get(host, -1) for host in hosts)
        reported[place] &= one >= 0
        reported[place] |= (one, other) in near
        if reported[place]:  # the others score nothing
            rows[place] = [signal.strength for signal in next(find_evidence(background, one, [other]))]
    rows[:, _COSINES] = labelled.rows[:, _COSINES]
    return replace(labelled, rows=rows, reported=reported)


def bands(seen: Sequence[Seen], part: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Iterator[str]:
    """Per band of scores: how many, how many of them true, of how many pairs and organisations."""
    scores = np.array([one.scores[part] for one in seen])
    labelled = seen[0].labelled
    truth = np.array([labelled.truth[part]] * len(seen))
    hosts = np.array(labelled.hosts)[part]
    for low, high in pairwise(_EDGES):
        band = (scores >= low) & (scores < high)
        if band.any():
            pairs = np.flatnonzero(band.any(axis=0))
            yield (
                f"  scored {low:.2f} to {min(high, 1):.2f}: {int(band.sum()):5} of {len(pairs)} pairs of "
                f"{len(set(hosts[pairs].ravel()))} sites, true {truth[band].mean():.2f}, "
                f"said {scores[band].mean():.2f}"
            )


def calibration_error(seen: Sequence[Seen], part: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """How far the mean score of a band is from the share that is true, on average over scored pairs."""
    scores = np.array([one.scores[part] for one in seen])
    truth = np.array([seen[0].labelled.truth[part]] * len(seen))
    off, count = 0.0, 0
    for low, high in pairwise(_EDGES):
        band = (scores >= low) & (scores < high)
        if band.any():
            off += float(abs(scores[band].mean() - truth[band].mean())) * int(band.sum())
            count += int(band.sum())
    return off / count if count else 0.0


def bootstrap_error(
    seen: Sequence[Seen], part: np.ndarray[tuple[int], np.dtype[np.bool_]], times: int = 500
) -> tuple[float, float]:
    """The range of the error in 95 of 100 lists that are drawn from these sites, with repetition."""
    labelled = seen[0].labelled
    hosts, numbers = np.unique(np.array(labelled.hosts)[part], return_inverse=True)
    numbers = numbers.reshape(-1, 2)
    scores = np.array([one.scores[part] for one in seen])
    truth = labelled.truth[part]
    places = np.flatnonzero((scores >= _EDGES[0]).any(axis=0))  # the other pairs are in no band
    scores, truth, numbers = scores[:, places], truth[places], numbers[places]
    chance = np.random.default_rng(8)
    errors = []
    for _ in range(times):
        often = np.bincount(chance.integers(0, len(hosts), len(hosts)), minlength=len(hosts))
        weights = np.broadcast_to(often[numbers[:, 0]] * often[numbers[:, 1]], scores.shape).astype(float)
        errors.append(_weighted_error(scores, np.broadcast_to(truth, scores.shape), weights))
    low, high = np.percentile(errors, [2.5, 97.5])
    return float(low), float(high)


def _weighted_error(scores: Floats, truth: Floats, weights: Floats) -> float:
    off = total = 0.0
    for low, high in pairwise(_EDGES):
        band = (scores >= low) & (scores < high)
        weight = float(weights[band].sum())
        if weight:
            said = float((scores[band] * weights[band]).sum()) / weight
            true = float((truth[band] * weights[band]).sum()) / weight
            off += abs(said - true) * weight
            total += weight
    return off / total if total else 0.0


def main() -> None:
    """Print how true each band of scores is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=8, help="of each share kept")
    arguments = parser.parse_args()
    data = require_data()
    every = load_sites(data)
    labelled = label(every, data)
    sites = [site for site in every if site.outcome is ReadOutcome.OK]
    chance = random.Random(8)
    weights = learn_by_parts(labelled)
    seen = [Seen(score_by_parts(weights, labelled), labelled)]
    for kept in _KEPT:
        for _ in range(arguments.draws):
            poorer = draw(sites, labelled, chance, kept)
            seen.append(Seen(score_by_parts(weights, poorer), poorer))
    held = (labelled.parts == HELD_BACK).any(axis=1)
    for name, part in (("the organisations held back", held), ("the other organisations", ~held)):
        print(f"pairs of {name}, {len(seen)} draws:", *bands(seen, part), sep="\n", flush=True)
    error = calibration_error(seen, held)
    low, high = bootstrap_error(seen, held)
    print(f"error of scores held back: {error:.3f} (bootstrap over sites: {low:.3f} to {high:.3f})")
    figures = [
        Figure("sites", "error of scores, organisations held back", error),
        Figure("sites", "error of scores, upper end of 95 % (bootstrap over sites)", high),
    ]
    write_figures("sites_calibration", figures)


if __name__ == "__main__":
    main()
