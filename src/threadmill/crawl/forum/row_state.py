"""Tells from what a row says now and what it said before whether there is something new behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from threadmill.types import BoardRow, Moment, Precision, ThreadRow


class Change(StrEnum):
    """What a row's words mean for the pages behind it."""

    CHANGED = "changed"
    SAME = "same"
    UNSURE = "unsure"  # the row does not say enough


@dataclass(frozen=True, slots=True)
class Said:
    """What a row says of the activity behind it."""

    count: int | None = None  # replies of a thread, posts of a board
    other: int | None = None  # the row's other number: views, or what was taken for them
    active: str | None = None  # ISO 8601, as precise as shown
    precision: str = ""
    active_url: str | None = None
    # Every number of a thread's row by its column; what they count is learnt, so they are no part of what
    # is compared.
    numbers: Mapping[str, int] = field(default_factory=dict, compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, to be stored."""
        return {
            "count": self.count,
            "other": self.other,
            "active": self.active,
            "precision": self.precision,
            "url": self.active_url,
            **({"numbers": dict(self.numbers)} if self.numbers else {}),
        }


def said_by(row: ThreadRow | BoardRow) -> Said:
    """What a row says."""
    moment = row.active
    when = (_start(moment), str(moment.precision)) if moment else (None, "")
    if isinstance(row, ThreadRow):
        return Said(row.replies, row.views, when[0], when[1], row.active_url, row.numbers)
    return Said(row.posts, row.threads, when[0], when[1])


def said_before(stored: dict[str, Any]) -> Said:
    """What was stored of a row; nothing, when it is new."""
    if not stored:
        return Said()
    return Said(
        stored.get("count"),
        stored.get("other"),
        stored.get("active"),
        stored.get("precision", ""),
        stored.get("url"),
        stored.get("numbers", {}),
    )


def compare(now: Said, before: Said) -> Change:
    """Has anything been added since?

    A counter that moved says so; one that stands still says the opposite only if the last activity is
    not later (a post was deleted and another added). Without counters a moment to the minute decides,
    and a coarser one only where it moved by more than it may be off.
    """
    moved = _moved(now, before)
    if now.count is not None and before.count is not None:
        # A last activity that went back in time is a post deleted, or another column read for it.
        later = moved is Change.CHANGED and str(now.active) > str(before.active)
        if now.count < before.count and now.active and before.active and not later:
            # Posts were deleted. One that was added since would be younger than all that stood there.
            return Change.UNSURE if moved is Change.UNSURE else Change.SAME
        if now.count != before.count:
            return Change.CHANGED
        return Change.CHANGED if later else Change.SAME
    return moved


def is_past(said: Said, seen: datetime) -> bool:
    """Is the last activity a row tells of older than a moment at which everything was known?

    A day more is for the zone: the row's clock is the site's, which may be ahead of ours or behind.
    """
    if said.active is None:
        return False
    latest = datetime.fromisoformat(said.active) + _slack(said.precision) + timedelta(days=1)
    return latest < seen.replace(tzinfo=None)


def _moved(now: Said, before: Said) -> Change:
    if now.active is None or before.active is None:
        return Change.UNSURE
    then, today = datetime.fromisoformat(before.active), datetime.fromisoformat(now.active)
    if _swapped(then, today):
        return Change.UNSURE
    apart = abs(today - then)
    slack = _slack(now.precision) + _slack(before.precision)
    if now.precision == before.precision == Precision.DAY and apart:
        return Change.CHANGED
    if apart > slack:
        return Change.CHANGED
    return Change.SAME if not slack else Change.UNSURE


def _swapped(one: datetime, other: datetime) -> bool:
    """The same digits with day and month the other way round: 3/4 read once as March, once as April."""
    return (
        one.date() != other.date()
        and one.day <= 12
        and one.replace(month=one.day, day=one.month).date() == other.date()
        and one.time() == other.time()
    )


def _slack(precision: str) -> timedelta:
    """How far a moment of this precision may be off: relative dates are rounded either way."""
    return {
        Precision.SECOND.value: timedelta(0),
        Precision.MINUTE.value: timedelta(0),
        Precision.HOUR.value: timedelta(hours=1),
        Precision.DAY.value: timedelta(days=1),
        Precision.MONTH.value: timedelta(days=31),
    }.get(str(precision), timedelta(days=366))


def _start(moment: Moment) -> str:
    """The beginning of what a moment covers; the zone is the site's own and the same for all its rows."""
    if moment.time is None:
        return moment.date.isoformat()
    return (
        f"{moment.date.isoformat()}T{moment.time.replace(second=0, microsecond=0, tzinfo=None).isoformat()}"
    )
