"""What a comparison came to, kept as JSON so that any border is answered without comparing again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from threadmill.errors import UsageError
from threadmill.sites.decide.clusters import make_clusters
from threadmill.sites.model import Cluster, Outcome, Pair, Signal, Site

KEPT = 0.01  # pairs scored lower are not kept: one in a hundred of them would be true


@dataclass(frozen=True, slots=True)
class Results:
    """The sites of a list with their outcomes, and the pairs of them that are worth keeping."""

    sites: tuple[Site, ...]  # without keywords and facts
    pairs: tuple[Pair, ...]  # best first

    def over(self, border: float) -> tuple[Pair, ...]:
        """The pairs scored at least the border."""
        return tuple(pair for pair in self.pairs if pair.score >= border)

    def clusters(self, border: float) -> list[Cluster]:
        """The clusters these pairs make."""
        return make_clusters(self.sites, self.pairs, border)


def make_results(sites: Sequence[Site], pairs: Sequence[Pair]) -> Results:
    """Results of a comparison, reduced to what is kept."""
    bare = tuple(Site(s.url, s.outcome, s.reason, s.language, pages=s.pages) for s in sites)
    return Results(bare, tuple(pair for pair in pairs if pair.score >= KEPT))


def save_results(results: Results, file: Path) -> None:
    """Write results as JSON."""
    value = {
        "sites": [
            {"url": s.url, "outcome": s.outcome, "reason": s.reason, "language": s.language, "pages": s.pages}
            for s in results.sites
        ],
        "pairs": [as_plain(results, pair) for pair in results.pairs],
    }
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def as_plain(results: Results, pair: Pair) -> dict[str, object]:
    """One pair as every export writes it."""
    return {
        "url1": results.sites[pair.one].url,
        "url2": results.sites[pair.other].url,
        "similarity": pair.score,
        "words": pair.cosine,
        "why": pair.why,
        "evidence": {signal.kind: round(signal.strength, 3) for signal in pair.signals},
    }


def load_results(file: Path) -> Results:
    """Read what `save_results` wrote."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        sites = tuple(
            Site(s["url"], Outcome(s["outcome"]), s["reason"], s["language"], pages=s["pages"])
            for s in value["sites"]
        )
        number = {site.url: position for position, site in enumerate(sites)}
        pairs = tuple(
            Pair(
                number[p["url1"]],
                number[p["url2"]],
                float(p["similarity"]),
                float(p["words"]),
                tuple(Signal(kind, float(strength)) for kind, strength in p["evidence"].items()),
                p["why"],
            )
            for p in value["pairs"]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"expected results made by `threadmill sites compare` in {file}, but it lacks {error}"
        ) from None
    return Results(sites, pairs)
