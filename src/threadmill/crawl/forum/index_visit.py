"""A page of a board read: its threads and sub-boards noted, and what of them is worth opening."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.board_rows import BoardRows
from threadmill.crawl.forum.knowledge import Lore
from threadmill.crawl.forum.linked_rows import Skeleton, find_skeleton
from threadmill.crawl.forum.next_page import NextPage, RowsRead
from threadmill.crawl.forum.notes import (
    ARRIVED,
    EXCESS,
    FALLEN,
    FOUND,
    GROWN,
    HOLLOW,
    LOOKS,
    MISSES,
    OF_EMPTY,
    PASSING,
    SEEN,
    STILL,
    SURE,
)
from threadmill.crawl.forum.old_threads import OldThreads
from threadmill.crawl.forum.row_dates import judge_dates, settle
from threadmill.crawl.forum.row_state import Change, Said, compare, said_before, said_by
from threadmill.crawl.forum.thread_key import naming_parameters
from threadmill.crawl.forum.thread_visit import MOST_MISSES
from threadmill.crawl.forum.thread_walk import Known, Walk, start
from threadmill.forum.page_analysis import PageAnalysis
from threadmill.forum.read_page import IndexPage, extract_index
from threadmill.store.forum.forums import BoardState, change_board, find_board
from threadmill.store.forum.posts import newest_post_id
from threadmill.store.forum.threads import ThreadState, add_thread, change_thread, find_threads, holds_threads
from threadmill.types import ThreadRow
from threadmill.urls import resolve

_NUMBER = re.compile(r"\d+")
_BOARD_LIST = 2  # boards on a start page that make it a list of boards
_FEW_DELETED = 2  # posts; where more are gone somebody has split the thread, or tidied up


@dataclass(frozen=True, slots=True)
class IndexNews:
    """What an index page brought."""

    items: int
    news: int
    new_threads: int
    next: str | None  # the page of the board to read next


class IndexVisit:
    """Reads index pages of one forum in one run, each in the caller's transaction."""

    def __init__(
        self,
        connection: Connection,
        forum_id: int,
        lore: Lore,
        run_started: datetime,
        boards: frozenset[int] | None = None,
    ) -> None:
        self._connection = connection
        self._forum = forum_id
        self._lore = lore
        self._seen = ""  # what time it was at the site
        self._found = 0  # posts the rows of the page have gained
        self._arrived = 0  # posts of threads that were seen on another board before
        self._counted = False  # do the rows of the page have counters
        self._board_rows = BoardRows(connection, forum_id, lore, run_started, boards)

    def take(self, board: BoardState, reading: PageAnalysis, at: datetime, old: OldThreads) -> IndexNews:
        """Note everything the page says; choose the next page of the board."""
        page = extract_index(reading)
        # While the page was fetched, another one may have told of this board.
        current = find_board(self._connection, self._forum, board.url)
        board = replace(board, said=current.said) if current else board
        self._seen = reading.now.isoformat()
        self._learn_names(page)
        skeleton = find_skeleton(reading, page, self._lore)
        if board.url == self._lore.model.entry and len(skeleton.boards) >= _BOARD_LIST:
            # The list of boards names the threads of last posts; their boards tell more of them.
            skeleton = replace(skeleton, threads={}, links={})
        if not _leads_on(skeleton, board) and self._is_missing(board):
            return IndexNews(0, 0, 0, board.due)
        self._lore.judge_order(list(skeleton.threads.values()))
        read = self._take_rows(board, skeleton)
        if not self._lore.fresh:
            old.named |= self._take_mentions(skeleton, read, reading.now)
        changes = read.changes
        changed_boards = sum(
            self._board_rows.take(board, row, self._seen) for row in skeleton.boards.values()
        )
        news = sum(change is not Change.SAME for change in changes.values()) + changed_boards
        noted = self._note_board(board, skeleton, news)
        chooser = NextPage(self._connection, self._lore, old)
        onward = chooser.choose(board.id, page.paging, read, noted, reading.now)
        if onward is None:
            self._judge_growth(noted)
        change_board(
            self._connection,
            board.id,
            due=onward,
            page=board.page + 1,
            visited=None if onward else at,
            said=noted if onward else {name: value for name, value in noted.items() if name not in PASSING},
        )
        return IndexNews(len(changes) + len(skeleton.boards), news, read.new, onward)

    def _is_missing(self, board: BoardState) -> bool:
        """A page without rows of a board that has some: a notice of maintenance, perhaps. It stays due."""
        misses = int(board.said.get(MISSES, 0)) + 1
        if misses >= MOST_MISSES or not (
            holds_threads(self._connection, board.id) or board.said.get("active")
        ):
            return False
        change_board(self._connection, board.id, said={**board.said, MISSES: misses})
        return True

    def _learn_names(self, page: IndexPage) -> None:
        naming = naming_parameters([resolve(row.url) or row.url for row in page.rows])
        if naming is not None:
            self._lore.naming.add(json.dumps(sorted(naming)))

    def _note_board(self, board: BoardState, skeleton: Skeleton, news: int) -> dict[str, Any]:
        """What is noted besides a board's row: posts its threads account for, and what stillness meant."""
        noted = {**board.said, FOUND: board.said.get(FOUND, 0) + self._found}
        noted[ARRIVED] = noted.get(ARRIVED, 0) + self._arrived
        if board.page == 0 and STILL in noted:
            self._lore.judge_still_board(news=news)
        if board.page == 0 and self._is_hollow(board, skeleton):
            noted |= {HOLLOW: 0, LOOKS: int(noted.get(LOOKS, 0)) + 1}
        elif skeleton.threads:
            noted = {name: value for name, value in noted.items() if name not in OF_EMPTY}
        return noted

    def _judge_growth(self, noted: dict[str, Any]) -> None:
        """A board was read: do its threads account for what its row has gained?"""
        if noted.get(GROWN):
            self._lore.judge_growth(exact=noted[GROWN] - noted[FOUND] in {0, noted[ARRIVED]})

    def _take_rows(self, board: BoardState, skeleton: Skeleton) -> RowsRead:
        rows = {**skeleton.threads, **skeleton.links}
        known = find_threads(self._connection, self._forum, rows)
        changes: dict[str, Change] = {}
        self._found = self._arrived = 0
        self._counted = any(row.replies is not None for row in skeleton.threads.values())
        for key, row in rows.items():
            state = known.get(key)
            if state is None:
                self._add_thread(board, key, row)
                changes[key] = Change.CHANGED
                self._found += (self._count(said_by(row)) or 1) if key in skeleton.threads else 0
            elif key in skeleton.threads:
                self._note_gain(board, state, said_by(row))
                changes[key] = self._renew_thread(board, state, row)
        new = len(rows.keys() - known.keys())
        return RowsRead(skeleton.threads, changes, {key: state.id for key, state in known.items()}, new)

    def _count(self, said: Said) -> int | None:
        """How many posts a row speaks of; by its replies while nothing has shown what it counts."""
        total = self._lore.total(said)
        return total if total is not None or said.count is None else said.count + 1

    def _note_gain(self, board: BoardState, state: ThreadState, said: Said) -> None:
        """What a known thread adds to the posts of its board since it was last seen in a row.

        One that was seen on another board has been moved here with all its posts, or a stub of it is left.
        """
        now, before = self._count(said), self._count(said_before(dict(state.said)))
        if before is None and not state.posts:
            before = 0  # a link told of it, in a box at the side, and nothing more
        if now is not None and before is not None:
            self._found += now - before
        if state.board != board.id:
            self._arrived += before or 0

    def _take_mentions(self, skeleton: Skeleton, read: RowsRead, now: datetime) -> set[int]:
        """Threads that a box names because they were answered, by id; where boxes have proved to."""
        risen = self._lore.name_apart(skeleton.apart, now)
        for key in risen & read.changes.keys():
            self._lore.judge_mention(news=read.changes[key] is not Change.SAME)
        if not self._lore.trusts_mentions():
            return set()
        return {state.id for state in find_threads(self._connection, self._forum, risen).values()}

    def _add_thread(self, board: BoardState, key: str, row: ThreadRow) -> None:
        add_thread(
            self._connection,
            forum=self._forum,
            board=board.id,
            key=key,
            url=row.url,
            title=row.title,
            said={**said_by(row).as_dict(), SEEN: self._seen},
            due=row.url,
            walk=Walk(row.url).as_dict(),
        )

    def _renew_thread(self, board: BoardState, state: ThreadState, row: ThreadRow) -> Change:
        told, told_before = said_by(row), said_before(dict(state.said))
        if self._is_mention(board, state, told, told_before) or _is_stub(row, told, told_before):
            return Change.SAME
        said, before = self._lore.believed(told), self._lore.believed(told_before)
        change = settle(self._lore, "thread", compare(said, before), said, state.said)
        if _fell_little(said, before) and self._lore.counts_exactly():
            change = Change.SAME
        if change is Change.SAME and _is_rounded(told):
            change = Change.UNSURE
        judge_dates(self._lore, "thread", said, before)
        if change is Change.UNSURE and self._counts_what_we_have(state, told):
            change = Change.SAME
        grew = said.count is not None and before.count is not None and said.count > before.count
        if change is not Change.SAME and not grew and self._is_held(state, told, told_before):
            change = Change.SAME
        noted = {**told.as_dict(), SEEN: self._seen}
        noted |= {name: state.said[name] for name in (EXCESS, FALLEN) if name in state.said}
        if said.count is not None and before.count is not None and said.count < before.count:
            noted[FALLEN] = noted.get(FALLEN, 0) + before.count - said.count
        values: dict[str, object] = {"said": noted, "title": row.title, "url": row.url}
        if not row.moved:
            values["board"] = board.id
        if change is not Change.SAME and state.due is None:
            walk = self._start(state, row.url, told, int(noted.get(FALLEN, 0)))
            still = (
                said.count == before.count if said.count is not None and before.count is not None else None
            )
            noted |= {STILL: still, SURE: change is Change.CHANGED}
            values |= {"due": walk.url, "walk": walk.as_dict(), "said": noted}
        change_thread(self._connection, state.id, **values)
        return change

    def _counts_what_we_have(self, state: ThreadState, told: Said) -> bool:
        """Does the counter that has proved to be one speak of the posts we hold?

        A row that stands alone may be read without its columns; then any number of it will do.
        """
        counter = self._lore.posts_counter
        total = self._lore.total(told)
        if counter is None or total is not None:
            return total is not None and total == state.posts
        return state.posts > 0 and state.posts - counter[1] in {told.count, told.other}

    def _is_held(self, state: ThreadState, said: Said, before: Said) -> bool:
        """Is all that the row speaks of known already, although it does not say so in the same words?"""
        if compare(replace(said, count=None), replace(before, count=None)) is Change.CHANGED:
            return False
        shifted = (said.other is None) != (before.other is None)  # another reading of the columns
        if shifted and said.count is not None and said.count in {before.count, before.other}:
            return True
        return self._names_last_post(state, said, before)

    def _names_last_post(self, state: ThreadState, said: Said, before: Said) -> bool:
        """Does the row's link lead to the very post it led to before, by a number we know that post by?"""
        if said.active_url is None or said.active_url != before.active_url:
            return False
        number = newest_post_id(self._connection, state.id)
        return number is not None and number in _NUMBER.findall(said.active_url)

    def _is_mention(self, board: BoardState, state: ThreadState, said: Said, before: Said) -> bool:
        """A thread named outside its own list, in a box of the latest posts: its row tells more."""
        if said == Said() and (before != Said() or (state.posts and self._lore.posts_counter is not None)):
            return True  # rows of this forum tell more
        elsewhere = state.board != board.id or self._counted
        return elsewhere and said.count is None and before.count is not None

    def _start(self, state: ThreadState, url: str, said: Said, fallen: int) -> Walk:
        """Where to look for what is new; as many posts as the counter has fallen by stand there no more."""
        held = max(state.posts - fallen, min(state.posts, 1))
        sizes = self._lore.posts_a_page, self._lore.posts_on_page_one
        known = Known(url, held, state.last_page, sizes[0], self._lore.ascending, sizes[1])
        total = self._lore.total(said)
        return start(known, total, lambda page: self._lore.model.threads.url_of(url, page), said.active_url)

    def _is_hollow(self, board: BoardState, skeleton: Skeleton) -> bool:
        """A page without threads whose boards are all listed above it: a category, and no news."""
        if skeleton.threads or skeleton.links or board.url == self._lore.model.entry:
            return False
        below = [find_board(self._connection, self._forum, url) for url in skeleton.boards]
        return all(state is not None and state.parent != board.id for state in below)


def _leads_on(skeleton: Skeleton, board: BoardState) -> bool:
    return bool(skeleton.threads or skeleton.links or skeleton.boards.keys() - {board.url})


def _is_stub(row: ThreadRow, said: Said, before: Said) -> bool:
    """What is left of a thread on the board it was moved from: it tells of its beginning, not of its end."""
    if before == Said():
        return False
    earlier = said.active is not None and before.active is not None and said.active < before.active
    return row.moved or (earlier and said.active_url is None and before.active_url is not None)


def _fell_little(said: Said, before: Said) -> bool:
    """Has a counter gone down by one or two posts, and no date moved on?

    Then they were deleted and none was added: for that still more must have been deleted at the same time.
    """
    if said.count is None or before.count is None or not 0 < before.count - said.count <= _FEW_DELETED:
        return False
    return said.active is None or before.active is None or said.active <= before.active


def _is_rounded(said: Said) -> bool:
    """A counter like "1.2K" stands still for a hundred posts; without a date beside it, it says nothing."""
    return said.active is None and said.count is not None and said.count >= 1000 and said.count % 100 == 0
