"""Which pairs of labelled sites are found: words alone, ours without each kind of evidence, ours whole.

    python3 dev.py run python -m bench.sites_quality [--lemmas]

Every pair is scored by weights that were learnt without the organisations of its two sites. The code that
finds the evidence was developed on four fifths of the organisations; the last fifth is printed apart.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.figures import Figure, at_least, write_figures
from bench.sites_data import PARTS, data_folder, load_sites, part_of
from threadmill.sites.decide.evidence import EVIDENCE_KINDS, find_evidence
from threadmill.sites.decide.score_pairs import (
    COSINE_FLOOR,
    EvidenceWeights,
    candidate_pairs,
    default_weights,
    describe_list,
)
from threadmill.sites.decide.sparse_vectors import join_by_cosine
from threadmill.sites.decide.vocabulary import load_vocabulary
from threadmill.sites.model import CompanySite, ReadOutcome
from tools.train_sites import fit

Floats = NDArray[np.float64]
_BORDER = 0.5
HELD_BACK = PARTS - 1  # nothing is tuned on its organisations from 2026-11-16 on
_KINDS = {
    "contact data": {"e-mail", "mail domain", "phone", "address", "phone and address", "other contact"},
    "register numbers": {"register number"},
    "accounts": {"account"},
    "profiles": {"profile"},
    "domains and links": {"domain", "links", "same label"},
    "names": {"name", "title", "name in another script", "other name"},
    "favicon and logo": {"picture"},
    "picture names": {"pictures"},
    "words": {"words"},
}


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Every pair of labelled sites: its signals, whether it is one organisation, its stratum."""

    rows: Floats
    truth: Floats
    strata: list[str]
    hosts: list[tuple[str, str]]
    parts: NDArray[np.int64]  # the parts of both organisations
    reported: NDArray[np.bool_]  # brought together by evidence or words; the others are never scored


def require_data() -> Path:
    """Where the labelled sites are; without them nothing can be measured."""
    data = data_folder()
    if data is None:
        raise SystemExit("the labelled sites are not here; set THREADMILL_SHARED")
    return data


def label(every: Sequence[CompanySite], data: Path) -> Labelled:
    """Compare sites that were read; a pair of which one could not be read counts as missed."""
    known = {entry["host"]: entry for entry in _lines(data / "sites.jsonl")}
    labels = {frozenset((p["id1"], p["id2"])): p["stratum"] for p in _lines(data / "pairs.jsonl")}
    sites = [site for site in every if site.outcome is ReadOutcome.OK]
    vocabulary = load_vocabulary()
    background = describe_list(sites, vocabulary)
    alike = join_by_cosine(background.words, COSINE_FLOOR)
    near = candidate_pairs(background) | {(match.one, match.other) for match in alike}
    number_of = {site.url.split("/")[2]: number for number, site in enumerate(sites)}
    rows, truth, strata, hosts, parts, reported = [], [], [], [], [], []
    for one, other in combinations(sorted(known), 2):
        stratum = labels.get(frozenset((known[one]["id"], known[other]["id"])), "")
        if stratum == "ignore":
            continue
        pair = tuple(sorted(number_of.get(host, -1) for host in (one, other)))
        read = pair[0] >= 0
        rows.append(
            [s.strength for s in next(find_evidence(background, pair[0], pair[1:]))]
            if read
            else [0.0] * len(EVIDENCE_KINDS)
        )
        truth.append(float(stratum not in {"", "neg"}))
        strata.append(stratum)
        hosts.append((one, other))
        parts.append((part_of(known[one]["group"]), part_of(known[other]["group"])))
        reported.append(pair in near)
    return Labelled(np.array(rows), np.array(truth), strata, hosts, np.array(parts), np.array(reported))


def read_labelled() -> Labelled:
    """Read and compare the labelled sites."""
    data = require_data()
    return label(load_sites(data), data)


def cross_validated(labelled: Labelled) -> Floats:
    """The score of every pair by weights learnt without the organisations of either site."""
    return score_by_parts(learn_by_parts(labelled), labelled)


def learn_by_parts(labelled: Labelled) -> dict[tuple[int, int], EvidenceWeights]:
    """For every two parts, weights that know the organisations of neither."""
    learnt = {}
    for parts in combinations_with_replacement(range(PARTS), 2):
        others = ~np.isin(labelled.parts, parts).any(axis=1)
        learnt[parts] = fit(labelled.rows[others], labelled.truth[others])
    return learnt


def score_by_parts(weights: Mapping[tuple[int, int], EvidenceWeights], scored: Labelled) -> Floats:
    """The score of every pair by the weights of its two parts. Pairs that nothing brought together have 0."""
    scores = np.zeros(len(scored.truth))
    for parts, learnt in weights.items():
        own = (np.sort(scored.parts, axis=1) == parts).all(axis=1)
        scores[own] = apply(learnt, scored.rows[own])
    return scores * scored.reported


def apply(weights: EvidenceWeights, rows: Floats, without: frozenset[str] = frozenset()) -> Floats:
    """Scores of rows, some kinds of evidence left out."""
    vector = np.array([0.0 if kind in without else weights.weights[kind] for kind in EVIDENCE_KINDS])
    scores: Floats = 1 / (1 + np.exp(-np.clip(rows @ vector + weights.intercept, -30, 30)))
    return scores


def rates(scores: Floats, truth: Floats, border: float) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    hit = scores >= border
    right = float((hit & (truth > 0)).sum())
    precision = right / float(hit.sum()) if hit.any() else 1.0
    recall = right / float(truth.sum())
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def measure(scores: Floats, truth: Floats, strata: list[str], border: float) -> str:
    """Precision, recall, F1 and recall per stratum as a line."""
    hit = scores >= border
    precision, recall, f1 = rates(scores, truth, border)
    named = np.array(strata)
    parts = [
        f"{s} {(hit & (named == s)).sum() / (named == s).sum():.2f}"
        for s in ("a", "b", "ab", "c", "d")
        if (named == s).any()
    ]
    wrong = int((hit & (named == "neg")).sum())
    hard = (named == "neg").sum()
    head = f"P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"
    return f"{head}  recall {' '.join(parts)}  hard negatives {wrong}/{hard}"


def main() -> None:
    """Print the methods side by side."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", type=int, default=0, help="so many missed and false pairs")
    parser.add_argument("--lemmas", action="store_true", help="count lemmas instead of words as they stand")
    arguments = parser.parse_args()
    data = require_data()
    labelled = label(load_sites(data, lemmas=arguments.lemmas), data)
    print(f"{int(labelled.truth.sum())} pairs of one organisation among {len(labelled.truth)}")
    _say("words alone, border 0.5", labelled.rows[:, EVIDENCE_KINDS.index("words")], labelled)
    for name, kinds in _KINDS.items():
        gone = [EVIDENCE_KINDS.index(kind) for kind in kinds]
        rows = labelled.rows.copy()
        rows[:, gone] = 0.0
        _say(f"ours without {name}", cross_validated(replace(labelled, rows=rows)), labelled)
    scores = cross_validated(labelled)
    _say("ours, whole", scores, labelled)
    _write(scores, labelled)
    _say("ours, as shipped", apply(default_weights(), labelled.rows) * labelled.reported, labelled)
    _apart(scores, labelled)
    _show(scores, labelled, arguments.show)


def _write(scores: Floats, labelled: Labelled) -> None:
    """Precision, F1 and recall by stratum of all evidence, beside words alone."""
    words = labelled.rows[:, EVIDENCE_KINDS.index("words")]
    ours, alone = (rates(found, labelled.truth, _BORDER) for found in (scores, words))
    held = (labelled.parts == HELD_BACK).any(axis=1)
    figures = [
        _figure("pairs of one organisation, precision", ours[0], 0.98, alone[0]),
        _figure("pairs of one organisation, F1", ours[2], 0.965, alone[2]),
        _figure(
            "pairs of one organisation, F1, organisations held back",
            rates(scores[held], labelled.truth[held], _BORDER)[2],
            0.965,
            rates(words[held], labelled.truth[held], _BORDER)[2],
        ),
    ]
    for name, strata, bar in (("two languages", {"a", "ab"}, 0.95), ("rewritten", {"b", "ab"}, 0.9)):
        of_it = np.isin(labelled.strata, sorted(strata))
        found, by_words = (float((values[of_it] >= _BORDER).mean()) for values in (scores, words))
        figures.append(_figure(f"pairs of one organisation found, {name}", found, bar, by_words))
    write_figures("sites_quality", figures)
    reached = {True: "reached", False: "missed"}
    print(*(f"{f.what}: {f.value:.3f}, bar {reached[bool(f.is_reached)]}" for f in figures), sep="\n")


def _figure(what: str, value: float, bar: float, words_alone: float) -> Figure:
    return Figure(
        "sites", f"{what}, cross-validated", value, at_least(bar), peers={"words alone": words_alone}
    )


def _say(name: str, scores: Floats, labelled: Labelled) -> None:
    print(f"{name:<32}{measure(scores, labelled.truth, labelled.strata, _BORDER)}", flush=True)


def _apart(scores: Floats, labelled: Labelled) -> None:
    """The organisations held back, and the others by themselves; no weight was learnt from either's own."""
    held = (labelled.parts == HELD_BACK).any(axis=1)
    for name, part in (("organisations held back", held), ("the other organisations", ~held)):
        strata = [stratum for stratum, of_it in zip(labelled.strata, part, strict=True) if of_it]
        told = measure(scores[part], labelled.truth[part], strata, _BORDER)
        print(f"{name:<32}{told}, {int(labelled.truth[part].sum())} pairs")


def _show(scores: Floats, labelled: Labelled, most: int) -> None:
    truth = labelled.truth
    for wrong, word in (
        ((scores >= _BORDER) & (truth == 0), "false"),
        ((scores < _BORDER) & (truth > 0), "missed"),
    ):
        for number in np.flatnonzero(wrong)[:most]:
            row = labelled.rows[number]
            said = {k: round(float(v), 2) for k, v in zip(EVIDENCE_KINDS, row, strict=True) if v > 0.02}
            print(word, f"{scores[number]:.2f}", labelled.strata[number], *labelled.hosts[number], said)


if __name__ == "__main__":
    main()
