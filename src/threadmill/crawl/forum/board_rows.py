"""The rows of boards on index pages: whether what a row says is reason to read its board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.notes import (
    BY,
    CHECKED,
    GROWN,
    HOLLOW,
    KEPT,
    LOOKS,
    SEEN,
    SETTLED,
    STILL,
    SURE,
)
from threadmill.crawl.forum.row_dates import judge_dates, settle
from threadmill.crawl.forum.row_state import Change, Said, compare, said_before, said_by
from threadmill.store.forum.forums import BoardState, add_board, change_board, find_board, is_visited
from threadmill.store.forum.posts import count_posts
from threadmill.types import BoardRow

_MOST_SKIPS = 5  # runs; then an empty board is looked at again


@dataclass(frozen=True, slots=True)
class BoardRows:
    """Compares rows of boards with what they said before, in the caller's transaction."""

    connection: Connection
    forum: int
    lore: Lore
    run_started: datetime
    boards: frozenset[int] | None = None  # the known boards this run is about; None: all

    def take(self, above: BoardState, row: BoardRow, seen: str) -> bool:
        """A row seen on a page: read its board unless the row says that nothing happened there; says if."""
        if row.url in {above.url, self.lore.model.entry}:
            return False
        said = said_by(row)
        state = find_board(self.connection, self.forum, row.url)
        if state is None:
            board_id = add_board(self.connection, self.forum, row.url, row.title, above.id)
            change_board(self.connection, board_id, said=self._noted(said, above, seen))
            return True
        if self.boards is not None and state.id not in self.boards:
            return False  # its turn comes later, and its row is compared then with what it said before
        if self._says_less(above, state, said):
            return False
        change = self._compare(state, said)
        kept = {name: state.said[name] for name in KEPT if name in state.said}
        noted = self._noted(said, above, seen) | kept | self._growth(state, said, change)
        if change is Change.SAME and said.count is not None and self.lore.trusts_growth():
            noted[SETTLED] = seen
        change_board(self.connection, state.id, said=noted, title=row.title or state.title)
        fresh = state.visited is not None and state.visited >= self.run_started
        if change is not Change.SAME and state.due is None and not fresh:
            change_board(self.connection, state.id, due=state.url, page=0)
        return change is not Change.SAME

    def _noted(self, said: Said, above: BoardState, seen: str) -> dict[str, Any]:
        checked = {CHECKED: self.run_started.isoformat(), SEEN: seen, BY: above.id}
        return said.as_dict() | checked

    def _growth(self, state: BoardState, said: Said, change: Change) -> dict[str, Any]:
        """By how much a board's row has grown, and whether a number of it stood still all the same."""
        before = said_before(dict(state.said))
        growth: dict[str, Any] = {SURE: change is Change.CHANGED}
        if said.count is not None and before.count is not None:
            growth[GROWN] = state.said.get(GROWN, 0) + said.count - before.count
            if not self.lore.growth.votes and not self.lore.fresh:
                # What is held after the first crawl is all there was.
                self.lore.judge_growth(exact=count_posts(self.connection, state.id) == before.count)
        if change is Change.UNSURE and said.other is not None and said.other == before.other:
            growth[STILL] = True
        return growth

    def _says_less(self, above: BoardState, state: BoardState, said: Said) -> bool:
        """A mere link, or a row on another page than the one that tells of the board.

        Two pages show different columns of a board, which must not be compared with each other. A page that
        was read in this run and tells of the board no longer has lost its say.
        """
        before = said_before(dict(state.said))
        if HOLLOW in state.said and not self._may_have_filled(state, said, before):
            return True
        if said == Said() and before != Said():
            return True
        teller = state.said.get(BY)
        if teller is None or teller == above.id or _fullness(said) > _fullness(before):
            return False
        told = state.said.get(CHECKED, "") >= self.run_started.isoformat()
        return told or not is_visited(self.connection, int(teller), self.run_started)

    def _may_have_filled(self, state: BoardState, said: Said, before: Said) -> bool:
        """A board that was empty may not stay so: when its row says otherwise, and now and then without.

        One that is for members only says so every time, so that each look in vain doubles the pause.
        """
        skipped, looks = int(state.said[HOLLOW]) + 1, int(state.said.get(LOOKS, 1))
        moved = (said.count, said.active) != (before.count, before.active)
        if skipped >= 2**looks - 1 if moved else skipped > _MOST_SKIPS * looks:
            return True
        change_board(self.connection, state.id, said={**state.said, HOLLOW: skipped})
        return False

    def _compare(self, state: BoardState, said: Said) -> Change:
        before = said_before(dict(state.said))
        change = settle(self.lore, "board", compare(said, before), said, state.said)
        judge_dates(self.lore, "board", said, before)
        if change is Change.UNSURE and said.other is not None and said.other == before.other:
            # A number without a name: of posts, if there are as many; or one that never stood still in vain.
            known = count_posts(self.connection, state.id) == said.other
            return Change.SAME if known or self.lore.trusts_still_boards() else change
        return change


def _fullness(said: Said) -> int:
    """How much a row tells."""
    return sum(told is not None for told in (said.count, said.other, said.active))
