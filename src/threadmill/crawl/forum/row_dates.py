"""What the dates of rows are worth: they settle what counters leave open, where they have followed them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.notes import SEEN
from threadmill.crawl.forum.row_state import Change, Said, is_past, said_before


def settle(lore: Lore, kind: str, change: Change, said: Said, stored: Mapping[str, Any]) -> Change:
    """A row whose last activity is older than our last look at it has nothing new.

    That settles what a coarse date left open; and where dates have followed the counters, also a
    board's counter that grew without them: threads were merged, or moved into it.
    """
    seen = stored.get(SEEN)
    if change is Change.SAME or not seen or not is_past(said, datetime.fromisoformat(seen)):
        return change
    if change is Change.UNSURE or _went_back(said, said_before(dict(stored))):
        # Without a number beside it nothing has shown yet that the date is not that of the first post.
        known = stored.get("active") is not None and (said.count is not None or said.other is not None)
        return Change.SAME if known and not lore.dates_stay(kind) else change
    # A thread is opened all the same: posts merged into it may be ones we never had (recorded Discuz!).
    return Change.SAME if kind == "board" and lore.trusts_dates(kind) else change


def judge_dates(lore: Lore, kind: str, said: Said, before: Said) -> None:
    """A counter that grew tells whether the date beside it is that of the last post."""
    if said.active is None or before.active is None or said.count is None or before.count is None:
        return
    if said.count > before.count:
        lore.judge_dates(kind, follows=said.active > before.active)


def _went_back(said: Said, before: Said) -> bool:
    """An earlier date and nothing else new: "2 weeks ago" was said of it before, or a post was deleted."""
    if said.active is None or before.active is None or said.active >= before.active:
        return False
    numbers = ((said.count, before.count), (said.other, before.other))
    return all(now is None or then is None or now <= then for now, then in numbers)
