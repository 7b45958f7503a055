"""The plan of one forum: when each of its boards is due and why, and which boards the next run reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from threadmill.crawl.forum.forum_crawl import RunScope
from threadmill.crawl.watch.visit_rates import LONGEST, VisitRate

NEW_BOARDS_EVERY = timedelta(days=14)  # a new board is found at the latest after this time
# A board that is due soon is read in the same run: its visit comes earlier by this share of its interval.
_EARLY_SHARE = 0.1


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
