"""The decision: evidence weighed into one calibrated score, with a sentence that says why."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter

from threadmill.sites.decide.cosine_join import join
from threadmill.sites.decide.pair_evidence import FEATURES, candidate_pairs, make_background, signals
from threadmill.sites.decide.sparse_vectors import Vectors
from threadmill.sites.model import Pair, Signal, Site
from threadmill.sites.read.vocabulary import Vocabulary

FLOOR = 0.3  # of the cosine of words: pairs under it are looked at only when other evidence joins them
BORDER = 0.5  # of the score: more likely than not
_AGAINST = {"other contact", "other name"}
_WORTH_SAYING = 0.15  # of a signal's strength, times its weight


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model over the strengths of the signals."""

    intercept: float
    weights: dict[str, float]

    def score(self, found: Iterable[Signal]) -> float:
        """How likely two sites are one company."""
        total = self.intercept + sum(self.weights.get(s.kind, 0.0) * s.strength for s in found)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def default_weights() -> Weights:
    """The weights that come with Threadmill: tools/train_sites.py says what they were learnt from."""
    text = files("threadmill.sites").joinpath("data/weights.json").read_text(encoding="utf-8")
    value = json.loads(text)
    return Weights(float(value["intercept"]), {kind: float(value["weights"][kind]) for kind in FEATURES})


def decide(
    sites: Sequence[Site],
    vectors: Vectors,
    vocabulary: Vocabulary,
    weights: Weights | None = None,
    floor: float = FLOOR,
) -> list[Pair]:
    """Every pair with words alike over the floor or with other evidence, best first."""
    weights = weights or default_weights()
    background = make_background(sites, vectors, vocabulary)
    pairs = candidate_pairs(background) | {(match.one, match.other) for match in join(vectors, floor)}
    found = []
    for one, of_one in groupby(sorted(pairs), itemgetter(0)):
        others = [other for _, other in of_one]
        for other, evidence in zip(others, signals(background, one, others), strict=True):
            told = tuple(s for s in evidence if s.strength > 0)
            cosine = next((s.strength for s in told if s.kind == "words"), 0.0)
            score = weights.score(told)
            found.append(Pair(one, other, round(score, 4), round(cosine, 4), told, explain(told, weights)))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def decide_by_words(vectors: Vectors, floor: float = FLOOR) -> list[Pair]:
    """The source's decision: the cosine of two sites' words is their score."""
    found = []
    for match in join(vectors, floor):
        cosine = round(match.cosine, 4)
        signal = Signal("words", cosine, f"words alike to {cosine:.2f}")
        found.append(Pair(match.one, match.other, cosine, cosine, (signal,), f"both have {signal.text}."))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def explain(found: Sequence[Signal], weights: Weights) -> str:
    """One sentence: what speaks for it, strongest first, and what against."""
    weighed = [(weights.weights.get(s.kind, 0.0) * s.strength, s) for s in found]
    reasons = [(worth, s.text) for worth, s in weighed if worth > _WORTH_SAYING and s.text]
    reasons.sort(key=itemgetter(0), reverse=True)
    against = {s.kind for s in found if s.strength > 0 and s.kind in _AGAINST}
    sentence = f"both have {', '.join(text for _, text in reasons[:5])}" if reasons else "little in common"
    if "other contact" in against:
        sentence += "; but some contact data differ"
    if "other name" in against:
        sentence += "; but their names differ"
    return f"{sentence}."
