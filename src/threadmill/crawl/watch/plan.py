"""What is due when, and why: the plan of one forum's next run, from what the store knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from threadmill.crawl.forum.forum_crawl import Round
from threadmill.crawl.watch.pace import LONGEST, Pace

NEW_BOARDS_EVERY = timedelta(days=14)  # how long a board that nobody knew of may stay undiscovered
# A board that would be due soon is taken along: its next visit is that much earlier, the run is shared.
_ALONG = 0.1


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the plan: a board, or a forum as a whole."""

    name: str
    due: datetime
    why: str
    board: int | None = None
    rate: float | None = None  # posts a day
    every: timedelta | None = None
    seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForumPlan:
    """What a forum is due for."""

    url: str
    items: tuple[Item, ...]

    @property
    def due(self) -> datetime:
        """When its next run is due."""
        return min(item.due for item in self.items)

    @property
    def why(self) -> str:
        """What that run is for."""
        return min(self.items, key=lambda item: item.due).why


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """A board as planning sees it."""

    id: int
    name: str
    seen: datetime  # everything in it was known then
    is_entry: bool = False
    told: bool = False  # does a row on the entry page tell of its activity


def plan_boards(url: str, boards: Sequence[SeenBoard], paces: Mapping[int, Pace], now: datetime) -> ForumPlan:
    """Each board when its posts are worth a visit, the entry page now and then for boards that are new."""
    items = []
    for board in boards:
        pace = paces[board.id]
        every = min(pace.every, NEW_BOARDS_EVERY) if board.is_entry else pace.every
        items.append(
            Item(
                board.name,
                board.seen + every,
                _reason(board, pace, every, now),
                board.id,
                pace.rate,
                every,
                board.seen,
            )
        )
    return ForumPlan(url, tuple(sorted(items, key=lambda item: item.due)))


def _reason(board: SeenBoard, pace: Pace, every: timedelta, now: datetime) -> str:
    if board.is_entry and every < pace.every:
        return "there may be new boards"
    if pace.every >= LONGEST:
        return "hardly anything is posted there"
    expected = pace.rate * ((now - board.seen) / timedelta(days=1))
    text = f"{expected:.1f} new posts expected"
    return f"{text}; the budget allows no more visits" if pace.stretched else text


def choose_round(
    plan: ForumPlan, boards: Sequence[SeenBoard], paces: Mapping[int, Pace], now: datetime
) -> Round:
    """The boards a run is for.

    Where rows of the entry page tell which boards have changed, that page is asked, and every board that has
    is worth its visit, unless the budget is short: then only those whose turn it is. Others are visited
    straight away.
    """
    by_id = {board.id: board for board in boards}
    chosen = frozenset(item.board for item in plan.items if item.board is not None and _is_near(item, now))
    told = frozenset(board for board in chosen if by_id[board].told)
    through = bool(told) or any(by_id[board].is_entry for board in chosen)
    if through and not any(pace.stretched for pace in paces.values()):
        return Round(None, chosen - told)
    return Round(chosen, chosen - told, through_entry=through)


def _is_near(item: Item, now: datetime) -> bool:
    return item.due - now <= (item.every or timedelta()) * _ALONG
