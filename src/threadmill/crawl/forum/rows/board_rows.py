"""Compares the rows of boards with what they said before, and makes boards due that may have new posts."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, select

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    COMPARED_AT,
    COMPARED_IN,
    COMPLETE_AT,
    EMPTY_LOOKS,
    GROWN,
    GUESSED,
    IN_ORDER,
    KEPT_WITH_NEW_ROW,
    LISTED,
    LISTED_BY,
    MOST_SKIPS,
    MOVED_ALONE,
    REST,
    SEEN_AT,
    SHOWN_BY,
    SKIPS,
    STOOD_STILL,
    SURELY_CHANGED,
    Change,
    RowState,
    compare,
    state_of_row,
    stored_state,
)
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import (
    BoardState,
    add_board,
    change_board,
    find_board,
    is_visited,
    make_due,
)
from threadmill.store.forum.posts import count_posts, post
from threadmill.store.forum.threads import count_threads, thread
from threadmill.types import BoardRow

_log = logging.getLogger("threadmill.crawl")
_MIN_EXPECTED_POSTS = 3.0  # with three expected posts there is at least one in 95 % of all cases (1 - e^-3)
_ALL = 0.98  # of the threads; a few may have come while the lists were read
_RATE_SPAN = timedelta(days=90)  # over which the posts of a board are counted


@dataclass(frozen=True, slots=True)
class BoardRows:
    """Compares rows of boards with the store, in the transaction of the caller."""

    connection: Connection
    forum: int
    knowledge: ForumKnowledge
    run: int
    started: datetime  # when the run began
    boards: frozenset[int] | None = None  # the known boards that this run reads; None: all

    def compare_row(
        self,
        above: BoardState,
        row: BoardRow,
        seen: str,
        beside: Collection[str] = (),
        not_below: Collection[str] = (),
    ) -> bool:
        """Compare a row on the page of `above`. If it shows a change, make its board due; True if so.

        `beside`: the URLs of all boards that the page links. `not_below`: those of boards that are not below
        `above`, if they have mere links.
        """
        if row.url in {above.url, self.knowledge.layout.model.entry}:
            return False
        now = state_of_row(row)
        state = find_board(self.connection, self.forum, row.url)
        if state is None:
            is_below = now != RowState() or row.url not in not_below
            parent = above.id if is_below else above.parent
            board_id = add_board(self.connection, self.forum, row.url, row.title, parent)
            said = self._notes(now, above, seen)
            if self.knowledge.layout.is_guess(row.url):
                said[GUESSED] = True
            change_board(self.connection, board_id, said=said)
            if _counts_nothing(now) and not self.knowledge.just_learnt:
                change_board(self.connection, board_id, due=None)
                return False  # it is read when its row has changed
            return True
        if self.boards is not None and state.id not in self.boards:
            return False  # a later run reads it and compares its row with the stored one
        if self._says_less(above, state, now):
            _log.debug("row of %s: not compared; %s, was %s", row.url, now, stored_state(state.said))
            return self._make_unread_due(above, state, now)
        state, now = self._with_post_counter(state, now)
        change = self._compare(state, now, beside)
        kept = {name: state.said[name] for name in KEPT_WITH_NEW_ROW if name in state.said}
        noted = self._notes(now, above, seen) | kept | self._growth(state, now, change)
        if change is Change.SAME and now.count is not None and self.knowledge.rows.trusts_growth():
            noted[COMPLETE_AT] = seen
        _log.debug("row of %s: %s; %s, was %s", row.url, change, now, stored_state(state.said))
        parent = above.id if self._is_below(above, state, now) else state.parent
        change_board(self.connection, state.id, said=noted, title=row.title or state.title, parent=parent)
        if change is not Change.SAME:
            self._make_due(state, noted)
        return change is not Change.SAME

    def _with_post_counter(self, state: BoardState, now: RowState) -> tuple[BoardState, RowState]:
        """The row, where its only number is known to count posts: it did so exactly when it was last seen."""
        before = stored_state(state.said)
        if now.count is not None or now.other is None:
            return state, now
        if before.count is None and before.other and self._counts_posts(state, before.other):
            before = replace(before, count=before.other, other=None)
            state = replace(state, said={**state.said, **before.as_dict()})
        is_counter = before.count is not None and before.other is None
        return state, replace(now, count=now.other, other=None) if is_counter else now

    def _counts_posts(self, state: BoardState, number: int) -> bool:
        """Are as many posts of a board stored, and is the number not that of its threads?

        Where each message has a page of its own, the stored threads are the messages.
        """
        of_board = select(func.count()).select_from(thread).where(thread.c.board == state.id)
        threads = int(self.connection.execute(of_board).scalar_one())
        posts = count_posts(self.connection, state.id)
        return number == posts and (posts > threads or self.knowledge.rows.shows_single_messages())

    def _make_unread_due(self, above: BoardState, state: BoardState, now: RowState) -> bool:
        """Make a board due whose row could not be read on the page that usually shows it; True if so."""
        is_usual = state.said.get(SHOWN_BY) == above.id and SKIPS not in state.said
        if not is_usual or now != RowState() or _compared_in(state) >= self.run:
            return False
        self._make_due(state, dict(state.said))
        return True

    def _make_due(self, state: BoardState, noted: dict[str, Any]) -> None:
        """Make a board due whose row has changed, unless this run has read it already.

        A list that an earlier run left off in the middle is read from its first page again, and then from
        where that run stopped.
        """
        if state.due is not None and state.page and _compared_in(state) < self.run:
            noted = {**noted, REST: state.due}
            change_board(self.connection, state.id, due=state.url, page=0, said=noted)
        elif state.due is None and (state.visited_run or 0) < self.run:
            change_board(self.connection, state.id, due=state.url, page=0)

    def look_below(self, above: BoardState, rows: Iterable[BoardRow]) -> None:
        """Make boards due whose rows say nothing, if the row of `above` tells of more than its pages show.

        Rows of boards often count the boards below them too, and name those by mere links.
        """
        for row in rows if not self.knowledge.just_learnt else ():
            state = find_board(self.connection, self.forum, row.url)
            if state is None or state.due or row.url in {above.url, self.knowledge.layout.model.entry}:
                continue
            silent = state_of_row(row) == RowState() and (
                SKIPS in state.said or stored_state(state.said) == RowState()
            )
            if silent and (state.visited_run or 0) < self.run:
                _log.debug("board %s is read: the row of %s tells of more posts", row.url, above.url)
                make_due(self.connection, state.id)

    def note_no_news(self, seen: str) -> None:
        """Note that a list of this run shows all news of all boards: none of them needs to be read."""
        notes = {COMPARED_AT: self.started.isoformat(), COMPARED_IN: self.run, SEEN_AT: seen}
        for state in all_boards(self.connection, self.forum):
            change_board(self.connection, state.id, said={**state.said, **notes})

    def growth_of(self, rows: Iterable[BoardRow]) -> int:
        """By how much the counters of some boards have grown since their rows were last seen.

        Which of the two numbers counts posts is not always known: the one that has grown more decides.
        """
        posts = others = 0
        for row in rows:
            state = find_board(self.connection, self.forum, row.url)
            now, before = state_of_row(row), RowState()
            if state is not None:
                state, now = self._with_post_counter(state, now)
                before = stored_state(state.said)
            posts += _growth(now.count, before.count)
            others += _growth(now.other, before.other)
        return max(posts, others)

    def _notes(self, now: RowState, above: BoardState, seen: str) -> dict[str, Any]:
        notes = {
            COMPARED_AT: self.started.isoformat(),
            COMPARED_IN: self.run,
            SEEN_AT: seen,
            SHOWN_BY: above.id,
        }
        return now.as_dict() | notes

    def _growth(self, state: BoardState, now: RowState, change: Change) -> dict[str, Any]:
        """Notes on by how much a row has grown, and whether one of its numbers stood still."""
        before = stored_state(state.said)
        growth: dict[str, Any] = {SURELY_CHANGED: change is Change.CHANGED}
        if change is Change.CHANGED and compare(now, before) is Change.SAME:
            growth |= {MOVED_ALONE: True, SURELY_CHANGED: False}
        if now.count is not None and before.count is not None:
            growth[GROWN] = state.said.get(GROWN, 0) + now.count - before.count
            if not self.knowledge.rows.growth.votes and not self.knowledge.just_learnt:
                # After the first crawl all posts of the board are stored.
                held = count_posts(self.connection, state.id)
                self.knowledge.rows.record_growth(exact=held == before.count)
        if change is Change.UNSURE and now.other is not None and now.other == before.other:
            growth[STOOD_STILL] = True
        return growth

    def _says_less(self, above: BoardState, state: BoardState, now: RowState) -> bool:
        """Is this a mere link, or a row on another page than the one that usually shows the board?

        Two pages show different columns of a board, which must not be compared. If the usual page was read in
        this run and does not show the board any more, the row counts nevertheless.
        """
        before = stored_state(state.said)
        if SKIPS in state.said and not self._may_have_threads_now(state, now, before):
            return True
        if now == RowState() and before != RowState():
            return True
        usual = state.said.get(SHOWN_BY)
        if usual is None or usual == above.id or _count_columns(now) > _count_columns(before):
            return False
        return _compared_in(state) >= self.run or not is_visited(self.connection, int(usual), self.run)

    def _may_have_threads_now(self, state: BoardState, now: RowState, before: RowState) -> bool:
        """May an empty board have got threads? Yes if its row has changed, and now and then without that.

        The row of a board for members only changes all the time. So each look in vain doubles the pause. One
        that counted nothing was right about the empty board, and is believed when it counts something. So is
        one that shows a last post where it showed none.
        """
        if _counts_nothing(before) and (now.count or now.other):
            return True
        if before.active is None and before != RowState() and now.active is not None:
            return True
        skips, looks = int(state.said[SKIPS]) + 1, int(state.said.get(EMPTY_LOOKS, 1))
        moved = (now.count, now.active) != (before.count, before.active)
        if skips >= 2**looks - 1 if moved else skips > MOST_SKIPS * looks:
            return True
        change_board(self.connection, state.id, said={**state.said, SKIPS: skips})
        return False

    def _compare(self, state: BoardState, now: RowState, beside: Collection[str]) -> Change:
        before = stored_state(state.said)
        rows = self.knowledge.rows
        is_listed = self.knowledge.layout.start_lists_all or state.said.get(LISTED_BY) in beside
        if now == RowState() and is_listed and state.visited_run:
            return Change.SAME  # a mere link; the list of all threads tells
        change = compare(now, before)
        if change is Change.SAME and _other_has_grown(now, before) and rows.follows_any_number():
            change = Change.CHANGED
        change = rows.settle_by_date("board", change, now, state.said)
        rows.record_dates("board", now, before)
        if change is Change.UNSURE and now.other is not None and now.other == before.other:
            # The number may count posts, if as many are stored. Or it never stood still when there was news.
            known = count_posts(self.connection, state.id) == now.other and not self._has_lists_below(state)
            return Change.SAME if known or rows.trusts_still_boards() else change
        return change

    def _is_below(self, above: BoardState, state: BoardState, now: RowState) -> bool:
        """Was a board merely linked by a page over `above`, and is `above` the first page with a row of it?

        The row of a board often links the boards below it. Their own rows stand on the page of that board.
        """
        if stored_state(state.said) != RowState() or now == RowState():
            return False
        parents = {board.id: board.parent for board in all_boards(self.connection, self.forum)}
        over: set[int] = set()
        number = above.parent
        while number is not None and number not in over:
            over.add(number)
            number = parents.get(number)
        return state.parent in over and state.id not in over

    def _has_lists_below(self, state: BoardState) -> bool:
        """Do the threads of a board stand in lists below it? Then the posts it holds itself say nothing."""
        return any(board.parent == state.id for board in all_boards(self.connection, self.forum))


def make_overlooked_due(connection: Connection, forum: int, entry: str, run: int, now: datetime) -> int:
    """Make boards due that no row of this run showed and that probably have new posts. Return their number.

    Their row is on the page of a board that had nothing new itself. Or the start page has lost their row, or
    a row was misread there.
    """
    top = find_board(connection, forum, entry)
    boards = all_boards(connection, forum)
    pages_read = {board.said.get(SHOWN_BY) for board in boards if _compared_in(board) >= run}
    count = 0
    read = {board.url for board in boards if board.due or (board.visited_run or 0) >= run}
    for board in boards:
        if board.said.get(LISTED_BY) in read:
            continue
        shown_by, seen = board.said.get(SHOWN_BY), board.said.get(SEEN_AT)
        if shown_by is None or seen is None or top is None or SKIPS in board.said:
            continue
        if shown_by == top.id and shown_by not in pages_read:  # the start page was not modified
            continue
        if _compared_in(board) >= run or (board.visited_run or 0) >= run:
            continue
        looked = datetime.fromisoformat(seen)
        expected = _posts_per_day(connection, board.id, looked) * ((now - looked) / timedelta(days=1))
        if expected >= _MIN_EXPECTED_POSTS:
            make_due(connection, board.id)
            count += 1
    return count


def note_list_of_all(connection: Connection, forum: int) -> None:
    """Note the boards whose threads stand in a list of all threads too, as the first crawl saw them.

    The first threads of each list are known, and how many it has. Threads of a quiet board may be none of the
    first ones of a long list. Such a board is not noted.
    """
    boards = [board for board in all_boards(connection, forum) if board.said.get(IN_ORDER)]
    whole = max(boards, key=lambda board: int(board.said.get(LISTED, 0)), default=None)
    if whole is None or int(whole.said.get(LISTED, 0)) < _ALL * count_threads(connection, forum):
        return
    first = set(whole.said[IN_ORDER])
    for board in boards:
        shared = sum(key in first for key in board.said[IN_ORDER])
        is_short = int(whole.said[LISTED]) <= len(first)
        if board.id != whole.id and shared and (shared == len(board.said[IN_ORDER]) or not is_short):
            change_board(connection, board.id, said={**board.said, LISTED_BY: whole.url})


def _posts_per_day(connection: Connection, board: int, until: datetime) -> float:
    """Posts per day of a board in the months before its row was last seen."""
    since = (until - _RATE_SPAN).date().isoformat()
    wanted = select(func.count()).join_from(post, thread, thread.c.id == post.c.thread)
    posts = connection.execute(wanted.where(thread.c.board == board, post.c.date >= since)).scalar_one()
    return int(posts) / _RATE_SPAN.days


def _growth(now: int | None, before: int | None) -> int:
    return max(0, now - before) if now is not None and before is not None else 0


def _other_has_grown(now: RowState, before: RowState) -> bool:
    """Has the second number of a row grown? Which of the two counts posts is not always known."""
    return now.other is not None and before.other is not None and now.other > before.other


def _compared_in(board: BoardState) -> int:
    """The run that last compared the row of a board. Older versions stored a time."""
    run = board.said.get(COMPARED_IN)
    return run if isinstance(run, int) else 0


def _counts_nothing(row: RowState) -> bool:
    """Are all numbers of a row 0, without a last post? Then its board is still empty."""
    numbers = {row.count, row.other} - {None}
    return numbers == {0} and row.active is None


def _count_columns(row: RowState) -> int:
    """How many columns of a row were read."""
    return sum(shown is not None for shown in (row.count, row.other, row.active))
