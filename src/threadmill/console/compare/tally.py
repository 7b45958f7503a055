"""Counts votes: the share of each reading with its confidence interval, and how far voters agree."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from threadmill.sites.report.results import without_formula
from threadmill.store.votes import Vote, VoteSet

EQUAL = "equal"
_Z = 1.959964  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """How often a reading was chosen, among the votes for any reading."""

    name: str
    won: int
    share: float
    low: float  # of the 95 % confidence interval
    high: float


@dataclass(frozen=True, slots=True)
class VoteTally:
    """The result of a vote so far."""

    scores: tuple[ReadingScore, ...]  # best first
    votes: int
    equal: int
    voters: tuple[tuple[str, int], ...]
    pages: int  # with at least one vote
    agreement: float | None  # share of the pairs of votes on one page that are the same; None without any
    seconds: float  # median of a vote


def wilson_interval(won: int, votes: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson's score interval), which holds for few votes, too."""
    if not votes:
        return 0.0, 1.0
    share, square = won / votes, _Z * _Z
    middle = share + square / (2 * votes)
    spread = _Z * sqrt(share * (1 - share) / votes + square / (4 * votes * votes))
    whole = 1 + square / votes
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def count_votes(readings: Sequence[str], votes: Sequence[Vote]) -> VoteTally:
    """The tally of a set."""
    chosen = Counter(vote.choice for vote in votes)
    decided = sum(chosen[name] for name in readings)
    scores = [_score(name, chosen[name], decided) for name in readings]
    seconds = sorted(vote.seconds for vote in votes)
    return VoteTally(
        tuple(sorted(scores, key=lambda score: -score.won)),
        len(votes),
        chosen[EQUAL],
        tuple(Counter(vote.who for vote in votes).most_common()),
        len({vote.page for vote in votes}),
        _agreement(votes),
        seconds[len(seconds) // 2] if seconds else 0.0,
    )


def _score(name: str, won: int, votes: int) -> ReadingScore:
    return ReadingScore(name, won, won / max(1, votes), *wilson_interval(won, votes))


def _agreement(votes: Sequence[Vote]) -> float | None:
    by_page: dict[int, list[str]] = defaultdict(list)
    for vote in votes:
        by_page[vote.page].append(vote.choice)
    pairs = [one == other for choices in by_page.values() for one, other in combinations(choices, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def votes_as_csv(votes: Sequence[Vote], urls: Sequence[str]) -> str:
    """One line per vote."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("page", "url", "voter", "choice", "seconds", "at"))
    for vote in votes:
        row = (vote.page + 1, urls[vote.page], vote.who, vote.choice, round(vote.seconds, 1))
        writer.writerow([without_formula(value) for value in (*row, vote.at.isoformat())])
    return out.getvalue()


def tally_as_json(found: VoteSet, tally: VoteTally) -> str:
    """The result with its intervals."""
    value = {
        "name": found.name,
        "pages": len(found.pages),
        "pages_with_votes": tally.pages,
        "votes": tally.votes,
        "equal": tally.equal,
        "voters": dict(tally.voters),
        "agreement": tally.agreement,
        "readings": [
            {
                "name": score.name,
                "won": score.won,
                "share": round(score.share, 4),
                "interval_95": [round(score.low, 4), round(score.high, 4)],
            }
            for score in tally.scores
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
