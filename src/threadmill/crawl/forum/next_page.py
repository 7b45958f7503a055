"""Which page of a board is read next: the one below, another one that likely has news, or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import WORTH_A_LOOK, Lore
from threadmill.crawl.forum.notes import ARRIVED, DEEPER, FOUND, GROWN, READ, SETTLED
from threadmill.crawl.forum.old_threads import Anchor, OldThreads
from threadmill.crawl.forum.row_state import Change
from threadmill.forum.paging.pager import Paging
from threadmill.types import ThreadRow


@dataclass(frozen=True, slots=True)
class RowsRead:
    """What the rows of a page's threads said."""

    rows: dict[str, ThreadRow]  # by key, in the page's order
    changes: dict[str, Change]
    known: dict[str, int]  # ids of those that were known before
    new: int  # threads, also those that no row tells of

    @property
    def last(self) -> str:
        """The key of the last thread that stands where its order puts it."""
        plain = self.plain
        return (plain or list(self.rows))[-1]

    @property
    def plain(self) -> list[str]:
        """The threads that stand where their order puts them."""
        return [key for key, row in self.rows.items() if not row.sticky and not row.moved]


class NextPage:
    """Chooses the next page of a board that has just shown one, in the caller's transaction."""

    def __init__(self, connection: Connection, lore: Lore, old: OldThreads) -> None:
        self._connection = connection
        self._lore = lore
        self._old = old

    def choose(
        self, board: int, paging: Paging, read: RowsRead, noted: dict[str, Any], now: datetime
    ) -> str | None:
        """Below an unchanged row nothing has changed either, unless threads are sorted by creation.

        Then an old one that got an answer may stand anywhere. The search goes on until the threads found
        account for all posts that the board's own row has gained; without such a counter as long as it is
        likely that a thread of another page was answered.
        """
        if not read.rows:
            return None
        last = read.last
        if self._lore.fresh or not self._lore.by_creation:
            return paging.next if read.changes[last] is not Change.SAME else None
        noted[READ] = [*noted.get(READ, []), paging.number or len(noted.get(READ, [])) + 1]
        if last not in read.known:
            return paging.next
        missing = noted.get(GROWN, 0) - noted[FOUND]
        if GROWN in noted and missing in {0, noted.get(ARRIVED, 0)} and self._lore.trusts_growth():
            noted[SETTLED] = now.isoformat()
            return None
        since = datetime.fromisoformat(noted[SETTLED]) if SETTLED in noted else None
        shown = tuple(read.known[key] for key in read.plain if key in read.known)
        anchor = Anchor(read.known[last], noted[READ][-1], len(read.rows), shown)
        chances = self._old.chances(self._connection, board, anchor, now, since)
        if chances is None:
            return paging.next if missing > 0 or self._was_worth_it(read, noted) else None
        unread = {page: chance for page, chance in chances.items() if page not in noted[READ]}
        if missing <= 0:
            return _likeliest(unread, paging, anchor.page, WORTH_A_LOOK)
        below = None if anchor.page + 1 in noted[READ] else paging.next  # it may be a thread we never saw
        return _likeliest(unread, paging, anchor.page, 0.0) or below

    def _was_worth_it(self, read: RowsRead, noted: dict[str, Any]) -> bool:
        """Answers come to young threads: if none of a page's older half got any, the next is older still."""
        if noted.get(DEEPER):
            self._lore.judge_deeper(news=any(change is not Change.SAME for change in read.changes.values()))
        noted[DEEPER] = True
        plain = read.plain
        older = any(read.changes[key] is not Change.SAME for key in plain[len(plain) // 2 :])
        return older and self._lore.looks_deeper()


def _likeliest(chances: dict[int, float], paging: Paging, number: int, worth: float) -> str | None:
    """The page that most likely has news, if that is likely enough; where none can be named, the next one."""
    page, chance = max(chances.items(), key=lambda item: item[1], default=(number, 0.0))
    if chance <= worth:
        return None
    named = paging.next if page == number + 1 else paging.url_of(page)
    return named or (paging.next if chances.get(number + 1, 0.0) > worth else None)
