"""Watches how well a site's framing still fits the pages that arrive, and says when to learn it anew."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

# A redesign leaves nothing of the known framing on any page; a few odd pages (errors, print views) do not.
_WINDOW = 30
_LEAST_PAGES = 10
_FALLEN = 0.5


@dataclass(slots=True)
class Fit:
    """The fit of the latest pages, one figure between 0 and 1 each."""

    latest: deque[float] = field(default_factory=lambda: deque(maxlen=_WINDOW))

    def note(self, fit: float) -> None:
        """Take a page's fit into account."""
        self.latest.append(fit)

    @property
    def mean(self) -> float:
        """The mean fit of the latest pages; 1 before any."""
        return sum(self.latest) / len(self.latest) if self.latest else 1.0

    @property
    def fallen(self) -> bool:
        """Has the site changed, so that its framing must be learnt anew?"""
        return len(self.latest) >= _LEAST_PAGES and self.mean < _FALLEN
