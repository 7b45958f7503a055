"""Computes how often each board is visited: from its posting rate, within the daily budget of its host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

HALF_LIFE = 28.0  # days after which a day counts half: a change of habits is followed within a month
MEMORY_DAYS = 365
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=30)  # the original system visited everything once a month
_MIN_SHARE_FOR_INDEX_PAGES = 0.2  # of the budget, even if pages of new posts alone would use it up
_BISECTIONS = 60  # the scale is exact to a billionth after half as many


@dataclass(frozen=True, slots=True)
class BoardActivity:
    """How active a board is, and what its posts cost."""

    board: int
    posts_per_day: float
    pages_per_post: float = 1.0  # thread pages fetched for each new post, usually at most one


@dataclass(frozen=True, slots=True)
class VisitRate:
    """How often a board is visited."""

    board: int
    posts_per_day: float
    every: timedelta
    limited: bool  # less often than its posts deserve, because the budget is too small


def posting_rate(posts: Mapping[date, int], until: date) -> float:
    """Posts per day at a given day. Recent days weigh most; a young board is measured over its own age.

    On a quiet board posts come in bursts: a question and its answers. A day counts at most as the mean day,
    or as one post if the mean is smaller. So the rate says how often there is something to find.
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


def fit_to_budget(boards: Sequence[BoardActivity], budget: float, posts_per_visit: float) -> list[VisitRate]:
    """The visit rates of all boards of one host. The budget is in requests per day.

    A board is visited when it is expected to have `posts_per_visit` new posts. With three expected posts it
    has at least one in 95 % of all cases, if posts come at random (1 - e^-3). If the budget is too small,
    visits are shared so that the mean waiting time of posts is least: in proportion to the square root of
    the posting rate.
    """
    wanted = [_wanted_visits(board.posts_per_day, posts_per_visit) for board in boards]
    for_posts = sum(board.posts_per_day * min(1.0, board.pages_per_post) for board in boards)
    for_index_pages = max(budget - for_posts, budget * _MIN_SHARE_FOR_INDEX_PAGES)
    if sum(wanted) <= for_index_pages:
        visits = wanted
    else:
        roots = [max(board.posts_per_day, 1 / LONGEST.days) ** 0.5 for board in boards]
        scale = _find_scale(wanted, roots, for_index_pages)
        visits = [min(most, scale * root) for most, root in zip(wanted, roots, strict=True)]
    return [
        VisitRate(
            board.board, board.posts_per_day, timedelta(days=1 / max(visit, 1e-6)), visit < most * 0.999
        )
        for board, visit, most in zip(boards, visits, wanted, strict=True)
    ]


def _wanted_visits(posts_per_day: float, posts_per_visit: float) -> float:
    """Visits per day without a budget, between the longest and the shortest interval."""
    longest, shortest = LONGEST / timedelta(days=1), SHORTEST / timedelta(days=1)
    return min(max(posts_per_day / posts_per_visit, 1 / longest), 1 / shortest)


def _find_scale(wanted: Sequence[float], roots: Sequence[float], budget: float) -> float:
    """The factor on the square roots with which visits use up the budget. No board gets more than wanted."""
    low, high = 0.0, max(most / root for most, root in zip(wanted, roots, strict=True))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        cost = sum(min(most, middle * root) for most, root in zip(wanted, roots, strict=True))
        low, high = (middle, high) if cost <= budget else (low, middle)
    return low
