"""Scores pairs of sites: weighs all evidence into one calibrated score, and explains it in a sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter

from threadmill.sites.decide.cosine_join import join_by_cosine
from threadmill.sites.decide.pair_evidence import (
    EVIDENCE_KINDS,
    candidate_pairs,
    describe_list,
    find_evidence,
)
from threadmill.sites.decide.sparse_vectors import Vectors
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, SitePair

COSINE_FLOOR = 0.3  # of words: a pair below it is examined only if other evidence connects the two sites
DEFAULT_BORDER = 0.5  # of the score: more likely one company than not
_LEAST_WORTH = 0.15  # strength times weight: weaker evidence is not mentioned in the sentence
_MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """A logistic model over the strengths of the evidence."""

    intercept: float
    weights: dict[str, float]

    def score(self, evidence: Iterable[Evidence]) -> float:
        """The probability that two sites are one company."""
        total = self.intercept + sum(self.weights.get(e.kind, 0.0) * e.strength for e in evidence)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def default_weights() -> EvidenceWeights:
    """The weights that come with Threadmill. tools/train_sites.py says what they were learnt from."""
    text = files("threadmill.sites").joinpath("data/weights.json").read_text(encoding="utf-8")
    value = json.loads(text)
    weights = {kind: float(value["weights"][kind]) for kind in EVIDENCE_KINDS}
    return EvidenceWeights(float(value["intercept"]), weights)


def score_pairs(
    sites: Sequence[CompanySite],
    vectors: Vectors,
    vocabulary: Vocabulary,
    weights: EvidenceWeights | None = None,
    floor: float = COSINE_FLOOR,
) -> list[SitePair]:
    """All pairs whose words are alike over the floor or that other evidence connects, best first."""
    weights = weights or default_weights()
    background = describe_list(sites, vectors, vocabulary)
    alike = {(match.one, match.other) for match in join_by_cosine(vectors, floor)}
    found = []
    for one, group in groupby(sorted(candidate_pairs(background) | alike), itemgetter(0)):
        others = [other for _, other in group]
        for other, every_kind in zip(others, find_evidence(background, one, others), strict=True):
            evidence = tuple(e for e in every_kind if e.strength > 0)
            cosine = next((e.strength for e in evidence if e.kind == "words"), 0.0)
            score = round(weights.score(evidence), 4)
            found.append(SitePair(one, other, score, round(cosine, 4), evidence, explain(evidence, weights)))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def score_pairs_by_words(vectors: Vectors, floor: float = COSINE_FLOOR) -> list[SitePair]:
    """The method of the source: the score of two sites is the cosine of their words, nothing else counts."""
    found = []
    for match in join_by_cosine(vectors, floor):
        cosine = round(match.cosine, 4)
        words = Evidence("words", cosine, f"words alike to {cosine:.2f}")
        found.append(SitePair(match.one, match.other, cosine, cosine, (words,), f"both have {words.text}."))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def explain(evidence: Sequence[Evidence], weights: EvidenceWeights) -> str:
    """One sentence: the evidence for the pair, strongest first, then the evidence against it."""
    weighed = [(weights.weights.get(e.kind, 0.0) * e.strength, e) for e in evidence]
    reasons = [(worth, e.text) for worth, e in weighed if worth > _LEAST_WORTH and e.text]
    reasons.sort(key=itemgetter(0), reverse=True)
    texts = [text for _, text in reasons[:_MOST_REASONS]]
    kinds = {e.kind for e in evidence if e.strength > 0}
    sentence = f"both have {', '.join(texts)}" if texts else "little in common"
    if "other contact" in kinds:
        sentence += "; but some contact data differ"
    if "other name" in kinds:
        sentence += "; but their names differ"
    return f"{sentence}."
