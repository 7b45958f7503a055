"""Votes of pages on a question about their forum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

_MAX_VOTES = 200  # enough to be sure, few enough to follow a forum that changes its ways


@dataclass(slots=True)
class Ballot:
    """Votes for one of several answers; the last few hundred count."""

    votes: Counter[str] = field(default_factory=Counter)

    def add(self, answer: object, most: int = _MAX_VOTES) -> None:
        """One page's opinion; beyond the most that count, older ones fade."""
        self.votes[str(answer)] += 1
        if self.votes.total() > most:
            self.votes = Counter({name: count // 2 for name, count in self.votes.items() if count > 1})

    @property
    def winner(self) -> str | None:
        """What most pages say."""
        return self.votes.most_common(1)[0][0] if self.votes else None
