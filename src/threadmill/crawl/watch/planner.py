"""Makes the plans of all forums of a workspace from its store. The boards of one host share a budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection

from threadmill.crawl.forum.forum_crawl import RunScope
from threadmill.crawl.forum.row_state import COMPARED_AT
from threadmill.crawl.watch.forum_plan import ForumPlan, PlanItem, PlannedBoard, choose_scope, plan_boards
from threadmill.crawl.watch.visit_rates import (
    MEMORY_DAYS,
    BoardActivity,
    VisitRate,
    fit_to_budget,
    posting_rate,
)
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
        known = {forum.url: forum for forum in known_forums(connection)}
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
