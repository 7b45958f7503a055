"""How likely a thread that was silent for some time has been answered since, by what the forum did before.

Where threads are sorted by when they began, an old one that is answered stays where it is, and nothing on
the pages above tells of it. But every thread's past is known: how often those that had been silent for so
long got another post before the next look.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_BINS = 7  # of silence: each twice as long as the one before
_QUARTER = 4  # the shortest is a quarter of the time between two looks
_LOOKS = 24  # in the past; a forum of last year tells little of this one
_ENOUGH = 30  # threads at such looks; fewer say nothing
_WEIGHT = 2  # what the forum as a whole does counts as so many threads of each silence


@dataclass(frozen=True, slots=True)
class Revival:
    """What share of the threads was answered between two looks, by how long they had been silent."""

    span: float  # days between two looks
    shares: tuple[float, ...]

    def chance(self, silent: float, days: float) -> float:
        """That a thread got a post in so many days, after so many days of silence."""
        missed = 1.0
        while days > 0:
            missed *= (1 - self.shares[_bin(silent, self.span)]) ** min(1.0, days / self.span)
            silent += self.span
            days -= self.span
        return 1 - missed


def learn_revival(threads: Iterable[Sequence[float]], until: float, span: float) -> Revival | None:
    """From the days of each thread's posts, in order, up to the last look; None where they are too few."""
    if span <= 0:
        return None
    answered, silent = [0] * _BINS, [0] * _BINS
    for days in threads:
        for look in range(1, _LOOKS + 1):
            start = until - look * span
            before = bisect_right(days, start)
            if not before:
                break
            place = _bin(start - days[before - 1], span)
            silent[place] += 1
            answered[place] += bisect_right(days, start + span) > before
    if sum(silent) < _ENOUGH:
        return None
    usual = sum(answered) / sum(silent)
    pairs = zip(answered, silent, strict=True)
    return Revival(span, tuple((hits + _WEIGHT * usual) / (seen + _WEIGHT) for hits, seen in pairs))


def _bin(silent: float, span: float) -> int:
    return min(_BINS - 1, int(math.log2(1 + _QUARTER * max(0.0, silent) / span)))
