"""How often a board is worth a visit: its posting rate, and what a host's daily budget leaves of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

HALF_LIFE = 28.0  # days after which a day counts half: a month's change of habits is followed in a month
MEMORY_DAYS = 365
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=30)  # the source visited everything once a month
_LOOKING = 0.2  # of a budget that new posts alone would use up, this is kept for finding them
_ROUNDS = 60  # halvings; the scale is exact to a billionth after half as many


@dataclass(frozen=True, slots=True)
class Activity:
    """What is known of a board's life."""

    board: int
    rate: float  # posts a day
    pages_a_post: float = 1.0  # thread pages fetched for each new post, at most about one


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a board is visited."""

    board: int
    rate: float
    every: timedelta
    stretched: bool  # less often than its posts are worth, since the budget is shared


def posting_rate(posts: Mapping[date, int], until: date) -> float:
    """Posts a day as of a day, recent days counting most; a board younger than the memory by its own age.

    On a quiet board posts come in bursts, a question and its answers: of a day more than the mean, and more
    than one, counts as that, so that the rate tells how often there is something to find.
    """
    ages = {(until - day).days: count for day, count in posts.items() if count and day <= until}
    ages = {age: count for age, count in ages.items() if age < MEMORY_DAYS}
    if not ages:
        return 0.0
    decay: float = 0.5 ** (1 / HALF_LIFE)
    days = max(ages) + 1
    weight = (1 - decay**days) / (1 - decay)
    mean = sum(count * decay**age for age, count in ages.items()) / weight
    most = max(1.0, mean)
    return float(sum(min(count, most) * decay**age for age, count in ages.items()) / weight)


def fit(boards: Sequence[Activity], budget: float, posts_a_visit: float) -> list[Pace]:
    """The pace of all boards of one host, in requests a day.

    A board is worth a visit when it is expected to have some new posts: with three of them it has at least
    one in 95 % of all cases, if they come by chance (1 - e^-3). Where the budget does not reach, visits are
    shared so that the posts' mean waiting time is least: as many as the square root of the posting rate.
    """
    wanted = [_wanted(board.rate, posts_a_visit) for board in boards]
    for_posts = sum(board.rate * min(1.0, board.pages_a_post) for board in boards)
    for_looking = max(budget - for_posts, budget * _LOOKING)
    if sum(wanted) <= for_looking:
        visits = wanted
    else:
        roots = [max(board.rate, 1 / LONGEST.days) ** 0.5 for board in boards]
        scale = _scale(wanted, roots, for_looking)
        visits = [min(most, scale * root) for most, root in zip(wanted, roots, strict=True)]
    return [
        Pace(board.board, board.rate, timedelta(days=1 / max(visit, 1e-6)), visit < most * 0.999)
        for board, visit, most in zip(boards, visits, wanted, strict=True)
    ]


def _wanted(rate: float, posts_a_visit: float) -> float:
    """Visits a day that a posting rate is worth."""
    longest, shortest = LONGEST / timedelta(days=1), SHORTEST / timedelta(days=1)
    return min(max(rate / posts_a_visit, 1 / longest), 1 / shortest)


def _scale(wanted: Sequence[float], roots: Sequence[float], budget: float) -> float:
    """The factor on the square roots with which visits, none beyond its worth, use up the budget."""
    low, high = 0.0, max(most / root for most, root in zip(wanted, roots, strict=True))
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        cost = sum(min(most, middle * root) for most, root in zip(wanted, roots, strict=True))
        low, high = (middle, high) if cost <= budget else (low, middle)
    return low
