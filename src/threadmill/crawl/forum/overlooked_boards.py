"""Boards that no page of a run told of: their row stands on a board that was not worth a visit itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from threadmill.crawl.forum.notes import BY, CHECKED, HOLLOW, SEEN
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import find_board, make_due
from threadmill.store.forum.posts import post
from threadmill.store.forum.threads import thread

_WORTH = 3.0  # posts to expect: at least one with a probability of 95 % (decision 0057)
_MEMORY = timedelta(days=90)


def make_overlooked_due(
    connection: Connection, forum: int, entry: str, started: datetime, now: datetime
) -> int:
    """Make boards due that were told of in no row of this run and have probably got posts; says how many.

    A start page that tells of some boards and of others no more has lost a row, or one of them was misread.
    """
    top = find_board(connection, forum, entry)
    boards = all_boards(connection, forum)
    told = {board.said.get(BY) for board in boards if board.said.get(CHECKED, "") >= started.isoformat()}
    count = 0
    for board in boards:
        teller, seen = board.said.get(BY), board.said.get(SEEN)
        if teller is None or seen is None or top is None or HOLLOW in board.said:
            continue
        if teller == top.id and teller not in told:  # nothing was read there: it was not modified
            continue
        if board.said.get(CHECKED, "") >= started.isoformat() or (board.visited and board.visited >= started):
            continue
        looked = datetime.fromisoformat(seen)
        if _rate(connection, board.id, looked) * ((now - looked) / timedelta(days=1)) >= _WORTH:
            make_due(connection, board.id)
            count += 1
    return count


def _rate(connection: Connection, board: int, until: datetime) -> float:
    """Posts a day of a board in the months before it was last told of."""
    since = (until - _MEMORY).date().isoformat()
    wanted = select(func.count()).join_from(post, thread, thread.c.id == post.c.thread)
    posts = connection.execute(wanted.where(thread.c.board == board, post.c.date >= since)).scalar_one()
    return int(posts) / _MEMORY.days
