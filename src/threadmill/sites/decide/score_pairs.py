"""Scores pairs of sites: weighs evidence into one calibrated score, and explains it in a sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import itemgetter

from threadmill.sites.decide.candidates import (
    CandidatePairs,
    connected_pairs,
    find_candidates,
)
from threadmill.sites.decide.evidence import EVIDENCE_KINDS, SiteComparison
from threadmill.sites.decide.site_table import SiteTable
from threadmill.sites.decide.sparse_vectors import Vectors, join_by_cosine
from threadmill.sites.decide.vocabulary import Vocabulary
from threadmill.sites.model import CompanySite, Evidence, SitePair

# Cosine of words: a pair below it is examined only if other evidence connects the two sites.
COSINE_FLOOR = 0.3
DEFAULT_BORDER = 0.5  # of the score: more likely one company than not
LEAST_KEPT_SCORE = 0.01  # pairs that score less are not kept: fewer than one in a hundred of them is true
_LEAST_SOUGHT = 0.0099  # scores are rounded to four digits before they are compared with the least one kept
_LEAST_WORTH = 0.15  # strength times weight: weaker evidence is not mentioned in the sentence
_MOST_REASONS = 5
_MAIL_DOMAIN = re.compile(r"^(?:the e-mail domain|a mention of an e-mail address at) ")
_AGAINST = {"other contact": "some contact data", "other name": "their names"}  # where no text says more


def describe_list(sites: Iterable[CompanySite], vocabulary: Vocabulary) -> SiteTable:
    """The table of some sites."""
    table = SiteTable(vocabulary)
    for site in sites:
        table.add(site)
    return table


def candidate_pairs(table: SiteTable) -> set[tuple[int, int]]:
    """Pairs that share a rare key, and pairs of which one site links to the other or claims its domain."""
    return {divmod(code, len(table)) for code in connected_pairs(table).tolist()}


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """A logistic model over the strengths of the evidence."""

    intercept: float
    weights: dict[str, float]

    def score(self, strengths: Mapping[str, float]) -> float:
        """The probability that two sites with evidence of some strength are one company."""
        total = self.intercept + sum(self.weights.get(kind, 0.0) * value for kind, value in strengths.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def default_weights() -> EvidenceWeights:
    """The weights that come with Threadmill. tools/train_sites.py says what they were learnt from."""
    text = files("threadmill.sites").joinpath("data/weights.json").read_text(encoding="utf-8")
    value = json.loads(text)
    weights = {kind: float(value["weights"][kind]) for kind in EVIDENCE_KINDS}
    return EvidenceWeights(float(value["intercept"]), weights)


def score_pairs(
    table: SiteTable,
    weights: EvidenceWeights | None = None,
    floor: float = COSINE_FLOOR,
    places: Sequence[int] | None = None,
) -> list[SitePair]:
    """All pairs whose words are alike over the floor or that other evidence connects, best first.

    Pairs that score less than LEAST_KEPT_SCORE are left out. `places` are those of the rows in the list: the
    first site of a pair, which the sentence quotes, is the one that stands first there.
    """
    weights = weights or default_weights()
    least = math.log(_LEAST_SOUGHT / (1 - _LEAST_SOUGHT)) - weights.intercept
    candidates = find_candidates(table, floor, weights.weights, least)
    found = []
    for compared in _compare(table, candidates, places or range(len(table))):
        score = round(weights.score(compared.strengths), 4)
        if score >= LEAST_KEPT_SCORE:
            evidence = tuple(item for item in compared.evidence() if item.strength > 0)
            cosine = round(compared.strengths.get("words", 0.0), 4)
            why = explain(evidence, weights)
            found.append(SitePair(compared.one, compared.other, score, cosine, evidence, why))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def _compare(table: SiteTable, candidates: CandidatePairs, places: Sequence[int]) -> Iterator[SiteComparison]:
    before, ours = -1, table.keys_of(0) if len(table) else {}
    parts = (candidates.codes.tolist(), candidates.words.tolist(), candidates.pictures.tolist())
    for code, *alike in zip(*parts, strict=True):
        one, other = divmod(code, len(table))
        if places[one] > places[other]:
            yield SiteComparison.of(table, other, one, table.keys_of(other), alike)
            continue
        if one != before:
            before, ours = one, table.keys_of(one)
        yield SiteComparison.of(table, one, other, ours, alike)


def score_pairs_by_words(vectors: Vectors, floor: float = COSINE_FLOOR) -> list[SitePair]:
    """The method of the source: the score of two sites is the cosine of their words, nothing else counts."""
    found = []
    for match in join_by_cosine(vectors, floor):
        cosine = round(match.cosine, 4)
        words = Evidence("words", cosine, f"words alike to {cosine:.2f} of 1")
        found.append(SitePair(match.one, match.other, cosine, cosine, (words,), f"both have {words.text}."))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def explain(evidence: Sequence[Evidence], weights: EvidenceWeights) -> str:
    """One sentence: the evidence for the pair, strongest first, then the evidence against it."""
    weighed = [(weights.weights.get(e.kind, 0.0) * e.strength, e) for e in evidence]
    reasons = [(worth, e.text) for worth, e in weighed if worth > _LEAST_WORTH and e.text]
    reasons.sort(key=itemgetter(0), reverse=True)
    texts = _without_repeated([text for _, text in reasons])[:_MOST_REASONS]
    sentence = f"both have {', '.join(texts)}" if texts else "little in common"
    against = [e.text or _AGAINST[e.kind] for e in evidence if e.strength > 0 and e.kind in _AGAINST]
    if against:
        sentence += f"; but {' differ, and so do '.join(against)}{' differ' * (len(against) == 1)}"
    return f"{sentence}."


def _without_repeated(texts: Sequence[str]) -> list[str]:
    """The texts without a mail domain that an address before it already shows."""
    shown = {text.rpartition("@")[2].lower() for text in texts if "@" in text}
    return [text for text in texts if _MAIL_DOMAIN.sub("", text) not in shown]
