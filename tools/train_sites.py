"""Learns the weights of the evidence from labelled pairs of sites, organisations apart.

    python3 dev.py run python -m tools.train_sites

A logistic model; evidence for never weighs against and the other way round, so that a rare accident in the
sample cannot turn it. What it reaches on organisations it
has not seen, bench/sites_quality measures by cross-validation.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from threadmill.sites.decide.evidence import EVIDENCE_KINDS
from threadmill.sites.decide.score_pairs import EvidenceWeights

_TARGET = Path(__file__).parents[1] / "src/threadmill/sites/data/weights.json"
# How hard beliefs hold: of 0.5, 1 and 2 each gives the same F1 by cross-validation, 4 and 8 less; the largest
# of the three, because one accident of the sample (a template's telephone number) cannot talk it over.
_PENALTY = 2.0
_AGAINST = {"other contact", "other name"}
# What a kind of evidence is worth before anything is learnt, in log odds: the sample has 200 sites, and
# kinds that always come together there (a telephone and the e-mail beside it) would share one weight between
# them. On other lists each may stand alone, so the penalty pulls towards these and not towards nothing.
_BELIEF = {
    "e-mail": 5.0,
    "mail domain": 3.5,
    "phone": 4.0,
    "register number": 6.0,
    "address": 3.0,
    "account": 6.0,
    "profile": 4.0,
    "domain": 5.0,
    "name": 4.0,
    "title": 2.0,
    "name in another script": 4.0,
    "phone and address": 2.0,
    "picture": 2.0,
    "links": 4.0,
    "same label": 3.0,
    "words": 3.0,
    "pictures": 2.0,
    "other contact": -2.0,
    "other name": -1.5,
}
_STEPS = 60
_STILL = 1e-5  # a step this small changes no score
Floats = NDArray[np.float64]


def fit(
    rows: Floats, truth: Floats, penalty: float = _PENALTY, counted: Floats | None = None
) -> EvidenceWeights:
    """Weights by Newton's method with the signs kept; `counted` says how often each row counts."""
    columns = np.hstack([rows, np.ones((len(rows), 1))])
    times = np.ones(len(rows)) if counted is None else counted
    signs = np.array([-1.0 if kind in _AGAINST else 1.0 for kind in EVIDENCE_KINDS] + [0.0])
    belief = np.array([_BELIEF[kind] for kind in EVIDENCE_KINDS] + [-5.5])

    def loss(weights: Floats) -> float:
        total = columns @ weights
        wrong = times @ (np.logaddexp(0, total) - truth * total)
        return float(wrong + penalty / 2 * ((weights - belief) ** 2).sum())

    weights = belief.copy()
    for _ in range(_STEPS):
        likely = _logistic(columns @ weights)
        slope = columns.T @ (times * (likely - truth)) + penalty * (weights - belief)
        # What stands at nothing and wants to turn its sign stays there; the others move together.
        free = (weights != 0) | (signs * slope <= 0)
        curve = (columns.T * (times * likely * (1 - likely))) @ columns + penalty * np.eye(len(weights))
        step = np.zeros(len(weights))
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        before = loss(weights)
        for shorter in range(20):
            tried = weights - step / 2**shorter
            tried = np.where(signs * tried < 0, 0.0, tried)
            if loss(tried) <= before:
                break
        moved, weights = np.abs(tried - weights).max(), tried
        if moved < _STILL:
            break
    return EvidenceWeights(
        float(weights[-1]), dict(zip(EVIDENCE_KINDS, map(float, weights[:-1]), strict=True))
    )


def _logistic(value: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-np.clip(value, -30, 30)))
    return found


def main() -> None:
    """Fit on all labelled organisations and write the weights."""
    from bench.sites_quality import read_labelled

    labelled = read_labelled()
    truth = labelled.truth
    weights = fit(labelled.rows, truth)
    value = {
        "note": f"{int(truth.sum())} pairs of one organisation among {len(truth)} pairs",
        "intercept": round(weights.intercept, 3),
        "weights": {kind: round(weight, 3) for kind, weight in weights.weights.items()},
    }
    _TARGET.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(value, indent=1))


if __name__ == "__main__":
    main()
