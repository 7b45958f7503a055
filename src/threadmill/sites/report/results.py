"""Results of a comparison: kept as JSON for any border asked later, exported as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from threadmill.errors import UsageError
from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import CompanySite, Evidence, ReadOutcome, SiteCluster, SitePair

LEAST_KEPT_SCORE = 0.01  # pairs that score less are not kept: fewer than one in a hundred of them is true
_CSV_COLUMNS = ("url1", "url2", "similarity", "words", "why")
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t")  # a spreadsheet takes a cell that begins with one for a formula


@dataclass(frozen=True, slots=True)
class ComparisonResults:
    """The sites of a list with their outcomes, and the pairs that are worth keeping."""

    sites: tuple[CompanySite, ...]  # without keywords and facts
    pairs: tuple[SitePair, ...]  # best first
    decisions: Mapping[tuple[int, int], bool] = field(default_factory=dict)  # by people; they outweigh scores

    def over(self, border: float) -> tuple[SitePair, ...]:
        """The pairs that score at least the border or were accepted, without those that were rejected."""
        said = self.decisions
        return tuple(pair for pair in self.pairs if said.get((pair.one, pair.other), pair.score >= border))

    def clusters(self, border: float) -> list[SiteCluster]:
        """The clusters that these pairs make."""
        return make_clusters(self.sites, self.pairs, border, self.decisions)


def make_results(sites: Sequence[CompanySite], pairs: Sequence[SitePair]) -> ComparisonResults:
    """The results of a comparison, reduced to what is kept."""
    bare = tuple(CompanySite(s.url, s.outcome, s.reason, s.language, pages=s.pages) for s in sites)
    return ComparisonResults(bare, tuple(pair for pair in pairs if pair.score >= LEAST_KEPT_SCORE))


def save_results(results: ComparisonResults, file: Path) -> None:
    """Write results as JSON."""
    value = {
        "sites": [
            {"url": s.url, "outcome": s.outcome, "reason": s.reason, "language": s.language, "pages": s.pages}
            for s in results.sites
        ],
        "pairs": [pair_record(results, pair) for pair in results.pairs],
    }
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load_results(file: Path) -> ComparisonResults:
    """Read what `save_results` wrote."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        sites = tuple(
            CompanySite(s["url"], ReadOutcome(s["outcome"]), s["reason"], s["language"], pages=s["pages"])
            for s in value["sites"]
        )
        number = {site.url: position for position, site in enumerate(sites)}
        pairs = tuple(
            SitePair(
                number[p["url1"]],
                number[p["url2"]],
                float(p["similarity"]),
                float(p["words"]),
                tuple(Evidence(kind, float(strength)) for kind, strength in p["evidence"].items()),
                p["why"],
            )
            for p in value["pairs"]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"expected results made by `threadmill sites compare` in {file}, but {problem}"
        ) from None
    return ComparisonResults(sites, pairs)


def pair_record(results: ComparisonResults, pair: SitePair) -> dict[str, object]:
    """One pair as every export writes it."""
    return {
        "url1": results.sites[pair.one].url,
        "url2": results.sites[pair.other].url,
        "similarity": pair.score,
        "words": pair.cosine,
        "why": pair.why,
        "evidence": {item.kind: round(item.strength, 3) for item in pair.evidence},
    }


def as_csv(results: ComparisonResults, border: float) -> str:
    """One line per pair that scores at least the border."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_CSV_COLUMNS)
    for pair in results.over(border):
        record = pair_record(results, pair)
        writer.writerow([without_formula(record[name]) for name in _CSV_COLUMNS])
    return out.getvalue()


def without_formula(value: object) -> object:
    """The value, quoted if a spreadsheet would take it for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) else value


def as_json(results: ComparisonResults, border: float) -> str:
    """Pairs, clusters and sites as one JSON object."""
    clusters = [[results.sites[number].url for number in c.members] for c in results.clusters(border)]
    value = {
        "similarity_border": border,
        "results": [pair_record(results, pair) for pair in results.over(border)],
        "clusters": [{"representative": urls[0], "sites": urls} for urls in clusters],
        "sites": [{"url": s.url, "outcome": s.outcome, "reason": s.reason} for s in results.sites],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
