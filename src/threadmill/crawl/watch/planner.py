"""Makes the plans of all forums of a workspace from its store: which board is visited when, and why.

A board is visited by its posting rate. The boards of one host share a daily budget.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection

from threadmill.crawl.forum.forum_crawl import RunScope
from threadmill.crawl.forum.rows.row_state import COMPARED_AT
from threadmill.store.crawl.jobs import is_unfinished
from threadmill.store.forum.activity import (
    KnownForum,
    all_boards,
    known_forums,
    pages_a_post,
    posts_by_day,
    request_moments,
)
from threadmill.store.forum.forums import BoardState

NEW_BOARDS_EVERY = timedelta(days=14)  # a new board is found at the latest after this time
# A board that is due soon is read in the same run: its visit comes earlier by this share of its interval.
_EARLY_SHARE = 0.1
HALF_LIFE = 28.0  # days after which a day counts half: a change of habits is followed within a month
MEMORY_DAYS = 365
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=30)  # the original system visited everything once a month
_MIN_SHARE_FOR_INDEX_PAGES = 0.2  # of the budget, even if pages of new posts alone would use it up
_BISECTIONS = 60  # the scale is exact to a billionth after half as many


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One line of a plan: a board, or a forum as a whole."""

    name: str
    due: datetime
    why: str
    board: int | None = None
    posts_per_day: float | None = None
    every: timedelta | None = None
    seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForumPlan:
    """What is due in a forum, and when."""

    url: str
    items: tuple[PlanItem, ...]

    @property
    def due(self) -> datetime:
        """When its next run is due."""
        return min(item.due for item in self.items)

    @property
    def why(self) -> str:
        """Why its next run is due."""
        return min(self.items, key=lambda item: item.due).why


@dataclass(frozen=True, slots=True)
class PlannedBoard:
    """A board as the plan needs it."""

    id: int
    name: str
    seen: datetime  # when everything in it was last known
    is_entry: bool = False
    has_row: bool = False  # does a row of the entry page show its activity


def plan_boards(
    url: str, boards: Sequence[PlannedBoard], rates: Mapping[int, VisitRate], now: datetime
) -> ForumPlan:
    """Plan each board by its visit rate. The entry page is also read now and then to find new boards."""
    items = []
    for board in boards:
        rate = rates[board.id]
        every = min(rate.every, NEW_BOARDS_EVERY) if board.is_entry else rate.every
        items.append(
            PlanItem(
                board.name,
                board.seen + every,
                _reason(board, rate, every, now),
                board.id,
                rate.posts_per_day,
                every,
                board.seen,
            )
        )
    return ForumPlan(url, tuple(sorted(items, key=lambda item: item.due)))


def _reason(board: PlannedBoard, rate: VisitRate, every: timedelta, now: datetime) -> str:
    if board.is_entry and every < rate.every:
        return "there may be new boards"
    if rate.every >= LONGEST:
        return "it gets hardly any posts"
    expected = rate.posts_per_day * ((now - board.seen) / timedelta(days=1))
    text = f"{expected:.1f} new posts expected"
    return f"{text}; the budget allows no more visits" if rate.limited else text


def choose_scope(
    plan: ForumPlan, boards: Sequence[PlannedBoard], rates: Mapping[int, VisitRate], now: datetime
) -> RunScope:
    """Which boards a run reads.

    If rows of the entry page show which boards have changed, that page is read first, and every changed board
    is read too. If the budget is short, only boards that are due are read. Boards without such a row are read
    directly.
    """
    by_id = {board.id: board for board in boards}
    chosen = frozenset(
        item.board for item in plan.items if item.board is not None and _is_due_soon(item, now)
    )
    with_row = frozenset(board for board in chosen if by_id[board].has_row)
    through_entry = bool(with_row) or any(by_id[board].is_entry for board in chosen)
    if through_entry and not any(rate.limited for rate in rates.values()):
        return RunScope(None, chosen - with_row)
    return RunScope(chosen, chosen - with_row, through_entry=through_entry)


def _is_due_soon(item: PlanItem, now: datetime) -> bool:
    return item.due - now <= (item.every or timedelta()) * _EARLY_SHARE


DAY = timedelta(days=1)
_UNDATED = 1.0  # posts per day that are assumed if no posts have dates
_ROOM = 10  # a run starts once a tenth of the daily requests is free again


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """The options of a watch."""

    urls: tuple[str, ...]  # canonical; empty: all forums of the workspace
    budget: int  # requests per host and day
    posts_per_visit: float  # new posts to expect before a board is visited
    period: timedelta | None = None  # visit everything this often, whatever is posted


@dataclass(frozen=True, slots=True)
class ForumTurn:
    """The plan of a forum, and what a run now would do."""

    plan: ForumPlan
    host: str
    scope: RunScope
    left: int  # requests that the host may still get today


class WatchPlanner:
    """Computes all plans from the current state of the store."""

    def __init__(self, connection: Connection, options: WatchOptions, now: datetime) -> None:
        self._connection = connection
        self._options = options
        self._now = now
        known = {forum.url: forum for forum in known_forums(connection, options.urls)}
        self._urls = options.urls or tuple(known)
        self._forums = known

    def turns(self) -> list[ForumTurn]:
        """All forums, sorted by when they are due."""
        hosts: dict[str, list[str]] = defaultdict(list)
        for url in self._urls:
            hosts[host_of(url)].append(url)
        found = [turn for host, urls in hosts.items() for turn in self._turns_of(host, urls)]
        return sorted(found, key=lambda turn: turn.plan.due)

    def _turns_of(self, host: str, urls: Sequence[str]) -> list[ForumTurn]:
        forums = [self._forums[url] for url in urls if url in self._forums]
        boards = {forum.url: self._boards_of(forum) for forum in forums}
        rates = self._fit_rates(forums, boards)
        made = request_moments(self._connection, [forum.job for forum in forums], self._now - DAY)
        left = max(0, self._options.budget - len(made))
        turns = []
        for url in urls:
            plan = self._plan(url, boards.get(url, []), rates)
            scope = (
                RunScope()
                if plan.items[0].board is None
                else choose_scope(plan, boards[url], rates, self._now)
            )
            turns.append(ForumTurn(self._after_budget(plan, left, made), host, scope, left))
        return turns

    def _plan(self, url: str, boards: Sequence[PlannedBoard], rates: dict[int, VisitRate]) -> ForumPlan:
        forum = self._forums.get(url)
        if forum is None or forum.last_run is None:
            return _whole(url, self._now, "it was never crawled")
        if is_unfinished(self._connection, forum.job):
            return _whole(url, self._now, "its last run was interrupted")
        if self._options.period is not None or not boards:
            every = self._options.period or DAY
            return _whole(url, forum.last_run + every, f"every {format_span(every)}", every, forum.last_run)
        return plan_boards(url, boards, rates, self._now)

    def _after_budget(self, plan: ForumPlan, left: int, made: Sequence[datetime]) -> ForumPlan:
        """Delay what is due until the host has requests left."""
        room = max(1, self._options.budget // _ROOM)
        if left >= room or not made:
            return plan
        free = made[min(room - left, len(made)) - 1] + DAY
        why = f"all {self._options.budget:,} requests of the day are used"
        items = [replace(item, due=free, why=why) if item.due < free else item for item in plan.items]
        return ForumPlan(plan.url, tuple(items))

    def _boards_of(self, forum: KnownForum) -> list[PlannedBoard]:
        states = all_boards(self._connection, forum.id)
        entry = next((state.id for state in states if state.url == forum.entry), None)
        return [
            PlannedBoard(
                state.id,
                state.title or ("start page" if state.id == entry else state.url),
                _last_seen(state, forum.last_run or self._now),
                state.id == entry,
                state.parent == entry and _shows_activity(state.said),
            )
            for state in states
        ]

    def _fit_rates(
        self, forums: Sequence[KnownForum], boards: dict[str, list[PlannedBoard]]
    ) -> dict[int, VisitRate]:
        activities = [one for forum in forums for one in self._activities(forum, boards[forum.url])]
        rates = (
            fit_to_budget(activities, self._options.budget, self._options.posts_per_visit)
            if activities
            else []
        )
        return {rate.board: rate for rate in rates}

    def _activities(self, forum: KnownForum, boards: Sequence[PlannedBoard]) -> list[BoardActivity]:
        """The activity of each board at its last visit. Days are those of the site's own clock."""
        lead = timedelta(seconds=forum.model.get("lead", 0.0))
        oldest = min((board.seen for board in boards), default=self._now) + lead
        posts = posts_by_day(self._connection, forum.id, (oldest - timedelta(days=MEMORY_DAYS)).date())
        cost = pages_a_post(self._connection, forum.job) or 1.0
        rates = {board.id: self._rate(posts, board, lead) for board in boards}
        # A visit of the entry page finds the posts of all boards that have a row there.
        listed = sum(rates[board.id] for board in boards if board.has_row)
        return [BoardActivity(board.id, rates[board.id] + listed * board.is_entry, cost) for board in boards]

    def _rate(self, posts: dict[int, dict[date, int]], board: PlannedBoard, lead: timedelta) -> float:
        if not posts:
            return _UNDATED
        return posting_rate(posts.get(board.id, {}), (board.seen + lead).date())


def host_of(url: str) -> str:
    """The host of a URL."""
    return urlsplit(url).netloc


def format_span(span: timedelta) -> str:
    """A span of time in words: "3 d", "2 h", "15 min"."""
    seconds = span.total_seconds()
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size * 1.5 or unit == "min":
            return f"{seconds / size:.0f} {unit}"
    raise AssertionError


def _whole(
    url: str, due: datetime, why: str, every: timedelta | None = None, seen: datetime | None = None
) -> ForumPlan:
    return ForumPlan(url, (PlanItem("the whole forum", due, why, every=every, seen=seen),))


def _last_seen(state: BoardState, otherwise: datetime) -> datetime:
    checked = state.said.get(COMPARED_AT)
    moments = [datetime.fromisoformat(checked)] if checked else []
    moments += [state.visited] if state.visited else []
    return max(moments, default=otherwise)


def _shows_activity(said: Any) -> bool:
    return said.get("count") is not None or said.get("active") is not None


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
