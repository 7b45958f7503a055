"""The plans of all forums of a workspace, made from its store; the boards of one host share a budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection

from threadmill.crawl.forum.forum_crawl import Round
from threadmill.crawl.forum.notes import CHECKED
from threadmill.crawl.watch.pace import MEMORY_DAYS, Activity, Pace, fit, posting_rate
from threadmill.crawl.watch.plan import ForumPlan, Item, SeenBoard, choose_round, plan_boards
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
_UNDATED = 1.0  # posts a day, where no dates are read
_ROOM = 10  # a run is worth starting once a tenth of the day's requests is free again


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user wants of a watch."""

    urls: tuple[str, ...]  # canonical; none: all forums of the workspace
    budget: int  # requests a host and day
    posts_a_visit: float
    period: timedelta | None = None  # visit everything this often, whatever is posted


@dataclass(frozen=True, slots=True)
class Turn:
    """A forum's plan with what a run of it now would be."""

    plan: ForumPlan
    host: str
    round: Round
    left: int  # requests the host may be asked today


class Agenda:
    """Works out all plans anew from one state of the store."""

    def __init__(self, connection: Connection, wish: Wish, now: datetime) -> None:
        self._connection = connection
        self._wish = wish
        self._now = now
        known = {forum.url: forum for forum in known_forums(connection)}
        self._urls = wish.urls or tuple(known)
        self._forums = known

    def turns(self) -> list[Turn]:
        """Every forum, the one due first in front."""
        hosts: dict[str, list[str]] = defaultdict(list)
        for url in self._urls:
            hosts[host_of(url)].append(url)
        found = [turn for host, urls in hosts.items() for turn in self._turns_of(host, urls)]
        return sorted(found, key=lambda turn: turn.plan.due)

    def _turns_of(self, host: str, urls: Sequence[str]) -> list[Turn]:
        forums = [self._forums[url] for url in urls if url in self._forums]
        boards = {forum.url: self._boards_of(forum) for forum in forums}
        paces = self._fit(forums, boards)
        made = request_moments(self._connection, [forum.job for forum in forums], self._now - DAY)
        left = max(0, self._wish.budget - len(made))
        turns = []
        for url in urls:
            plan = self._plan(url, boards.get(url, []), paces)
            scope = (
                Round() if plan.items[0].board is None else choose_round(plan, boards[url], paces, self._now)
            )
            turns.append(Turn(self._within(plan, left, made), host, scope, left))
        return turns

    def _plan(self, url: str, boards: Sequence[SeenBoard], paces: dict[int, Pace]) -> ForumPlan:
        forum = self._forums.get(url)
        if forum is None or forum.last_run is None:
            return _whole(url, self._now, "it was never crawled")
        if is_unfinished(self._connection, forum.job):
            return _whole(url, self._now, "its last run was cut off")
        if self._wish.period is not None or not boards:
            every = self._wish.period or DAY
            return _whole(url, forum.last_run + every, f"every {shown(every)}", every, forum.last_run)
        return plan_boards(url, boards, paces, self._now)

    def _within(self, plan: ForumPlan, left: int, made: Sequence[datetime]) -> ForumPlan:
        """Nothing is due before the host may be asked again."""
        room = max(1, self._wish.budget // _ROOM)
        if left >= room or not made:
            return plan
        free = made[min(room - left, len(made)) - 1] + DAY
        why = f"the {self._wish.budget:,} requests of a day are made"
        items = [
            Item(i.name, free, why, i.board, i.rate, i.every, i.seen) if i.due < free else i
            for i in plan.items
        ]
        return ForumPlan(plan.url, tuple(items))

    def _boards_of(self, forum: KnownForum) -> list[SeenBoard]:
        states = all_boards(self._connection, forum.id)
        entry = next((state.id for state in states if state.url == forum.entry), None)
        return [
            SeenBoard(
                state.id,
                state.title or ("start page" if state.id == entry else state.url),
                _seen(state, forum.last_run or self._now),
                state.id == entry,
                state.parent == entry and _tells(state.said),
            )
            for state in states
        ]

    def _fit(self, forums: Sequence[KnownForum], boards: dict[str, list[SeenBoard]]) -> dict[int, Pace]:
        lives = [life for forum in forums for life in self._lives(forum, boards[forum.url])]
        paces = fit(lives, self._wish.budget, self._wish.posts_a_visit) if lives else []
        return {pace.board: pace for pace in paces}

    def _lives(self, forum: KnownForum, boards: Sequence[SeenBoard]) -> list[Activity]:
        """Posting rates as of each board's last visit, in days of the site's own calendar."""
        lead = timedelta(seconds=forum.model.get("lead", 0.0))
        oldest = min((board.seen for board in boards), default=self._now) + lead
        posts = posts_by_day(self._connection, forum.id, (oldest - timedelta(days=MEMORY_DAYS)).date())
        cost = pages_a_post(self._connection, forum.job) or 1.0
        rates = {board.id: self._rate(posts, board, lead) for board in boards}
        # The entry page is worth a visit for all that its rows tell of.
        told = sum(rates[board.id] for board in boards if board.told)
        return [Activity(board.id, rates[board.id] + told * board.is_entry, cost) for board in boards]

    def _rate(self, posts: dict[int, dict[date, int]], board: SeenBoard, lead: timedelta) -> float:
        if not posts:
            return _UNDATED
        return posting_rate(posts.get(board.id, {}), (board.seen + lead).date())


def host_of(url: str) -> str:
    """Whom a forum's requests go to."""
    return urlsplit(url).netloc


def shown(span: timedelta) -> str:
    """A span of time for people."""
    seconds = span.total_seconds()
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size * 1.5 or unit == "min":
            return f"{seconds / size:.0f} {unit}"
    raise AssertionError


def _whole(
    url: str, due: datetime, why: str, every: timedelta | None = None, seen: datetime | None = None
) -> ForumPlan:
    return ForumPlan(url, (Item("the whole forum", due, why, every=every, seen=seen),))


def _seen(state: BoardState, otherwise: datetime) -> datetime:
    checked = state.said.get(CHECKED)
    moments = [datetime.fromisoformat(checked)] if checked else []
    moments += [state.visited] if state.visited else []
    return max(moments, default=otherwise)


def _tells(said: Any) -> bool:
    return said.get("count") is not None or said.get("active") is not None
