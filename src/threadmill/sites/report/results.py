"""Results of a comparison: kept as JSON for any border asked later, exported as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadmill.errors import UsageError
from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import CompanySite, Evidence, Fact, ReadOutcome, SiteCluster, SitePair

# One column for each kind of evidence would be empty in most lines; `export --format evidence-csv` has them.
_CSV_COLUMNS = ("cluster", "company", "url1", "url2", "similarity", "words", "why", "found1", "found2")
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

    def cluster_ids(self, border: float) -> dict[int, int]:
        """The number of the cluster of each site that has one, from 1."""
        return {
            site: number
            for number, cluster in enumerate(self.clusters(border), 1)
            for site in cluster.members
        }

    def company(self, pair: SitePair) -> str:
        """What the company of a pair is called: the name that both sites write, else that of one of them."""
        shared = (item.places[0].written for item in pair.evidence if item.kind == "name" and item.places)
        return next(shared, "") or self.sites[pair.one].name or self.sites[pair.other].name


def save_results(results: ComparisonResults, file: Path) -> None:
    """Write results as JSON."""
    value = {
        "sites": [
            {
                "url": s.url,
                "outcome": s.outcome,
                "reason": s.reason,
                "language": s.language,
                "pages": s.pages,
                "name": s.name,
            }
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
            CompanySite(
                s["url"],
                ReadOutcome(s["outcome"]),
                s["reason"],
                s["language"],
                pages=s["pages"],
                name=s.get("name", ""),
            )
            for s in value["sites"]
        )
        number = {site.url: position for position, site in enumerate(sites)}
        pairs = tuple(
            SitePair(
                number[p["url1"]],
                number[p["url2"]],
                float(p["similarity"]),
                float(p["words"]),
                _load_evidence(p),
                p["why"],
            )
            for p in value["pairs"]
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"expected results made by `threadmill sites compare` in {file}, but {problem}"
        ) from None
    return ComparisonResults(sites, pairs)


def _load_evidence(record: Mapping[str, Any]) -> tuple[Evidence, ...]:
    places: dict[str, list[Fact]] = {}
    for place in record.get("found", ()):
        fact = Fact(place["kind"], "", place["written"], place["around"], place["page"])
        places.setdefault(place["kind"], []).append(fact)
    return tuple(
        Evidence(kind, float(strength), places=tuple(places.get(kind, ())))
        for kind, strength in record["evidence"].items()
    )


def pair_record(results: ComparisonResults, pair: SitePair) -> dict[str, object]:
    """One pair as every export writes it."""
    return {
        "url1": results.sites[pair.one].url,
        "url2": results.sites[pair.other].url,
        "similarity": pair.score,
        "words": pair.cosine,
        "why": pair.why,
        "evidence": {item.kind: round(item.strength, 3) for item in pair.evidence},
        "found": places_record(pair.evidence),
    }


def places_record(evidence: Iterable[Evidence]) -> list[dict[str, str]]:
    """Where each kind of evidence stands: first on the first site, then on the second."""
    return [
        {"kind": item.kind, "page": fact.page, "written": fact.written, "around": fact.around}
        for item in evidence
        for fact in item.places
    ]


def as_csv(results: ComparisonResults, border: float) -> str:
    """One line per pair that scores at least the border."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_CSV_COLUMNS)
    clusters = results.cluster_ids(border)
    for pair in results.over(border):
        number = clusters.get(pair.one, 0)
        record = pair_record(results, pair) | {"cluster": number or "", "company": results.company(pair)}
        record |= {f"found{side + 1}": _places_text(pair, side) for side in (0, 1)}
        writer.writerow([without_formula(record[name]) for name in _CSV_COLUMNS])
    return out.getvalue()


def _places_text(pair: SitePair, side: int) -> str:
    """The places of the evidence on one of the two sites, in one cell."""
    places = (item.places[side] for item in pair.evidence if len(item.places) == 2)
    return " | ".join(f"{fact.kind or 'fact'}: {fact.written} ({fact.page})" for fact in places)


def without_formula(value: object) -> object:
    """The value, quoted if a spreadsheet would take it for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) else value


def as_json(results: ComparisonResults, border: float) -> str:
    """Pairs, clusters and sites as one JSON object."""
    clusters = [
        {
            "id": number,
            "company": next((name for n in cluster.members if (name := results.sites[n].name)), ""),
            "representative": results.sites[cluster.members[0]].url,
            "sites": [results.sites[n].url for n in cluster.members],
        }
        for number, cluster in enumerate(results.clusters(border), 1)
    ]
    value = {
        "similarity_border": border,
        "results": [pair_record(results, pair) for pair in results.over(border)],
        "clusters": clusters,
        "sites": [
            {"url": s.url, "name": s.name, "outcome": s.outcome, "reason": s.reason} for s in results.sites
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
