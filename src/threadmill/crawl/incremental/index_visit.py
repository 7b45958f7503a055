"""A page of a board read: its threads and sub-boards noted, and what of them is worth opening."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from threadmill.crawl.incremental.lore import STILL, Lore
from threadmill.crawl.incremental.skeleton import Skeleton, find_skeleton
from threadmill.crawl.incremental.thread_visit import MOST_MISSES
from threadmill.forum.change import Change, Said, compare, said_before, said_by
from threadmill.forum.pages import IndexPage, index_of
from threadmill.forum.reading import Reading
from threadmill.forum.thread_key import naming_parameters
from threadmill.forum.walk import Known, Walk, start
from threadmill.store.forums import BoardState, add_board, change_board, find_board
from threadmill.store.posts import count_posts, newest_post_id
from threadmill.store.threads import ThreadState, add_thread, change_thread, find_threads, holds_threads
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve

_NUMBER = re.compile(r"\d+")
_BOARD_LIST = 2  # boards on a start page that make it a list of boards
MISSES = "misses"  # runs in which a board's page came without rows
CHECKED = "checked"  # when a board's row was last compared
HOLLOW = "hollow"  # what is stored of a board that has nothing of its own


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
        self._run_started = run_started
        self._boards = boards  # the known boards this run is about; None: all

    def take(self, board: BoardState, reading: Reading, at: datetime) -> IndexNews:
        """Note everything the page says; choose the next page of the board."""
        page = index_of(reading)
        self._learn_names(page)
        skeleton = find_skeleton(reading, page, self._lore)
        if board.url == self._lore.model.entry and len(skeleton.boards) >= _BOARD_LIST:
            # The list of boards names the threads of last posts; their boards tell more of them.
            skeleton = replace(skeleton, threads={}, links={})
        if not _leads_on(skeleton, board) and self._is_missing(board):
            return IndexNews(0, 0, 0, board.due)
        changes, new_threads = self._take_rows(board, skeleton)
        changed_boards = sum(self._take_board(board, row) for row in skeleton.boards.values())
        onward = page.paging.next if self._goes_on(skeleton, changes) else None
        change_board(
            self._connection, board.id, due=onward, page=board.page + 1, visited=None if onward else at
        )
        if board.page == 0 and self._is_hollow(board, skeleton):
            change_board(self._connection, board.id, said={**board.said, HOLLOW: True})
        news = sum(change is not Change.SAME for change in changes.values()) + changed_boards
        return IndexNews(len(changes) + len(skeleton.boards), news, new_threads, onward)

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

    def _goes_on(self, skeleton: Skeleton, changes: dict[str, Change]) -> bool:
        """Below an unchanged row nothing has changed either, unless threads are sorted by creation."""
        if not skeleton.threads:
            return False
        if self._lore.by_creation:
            return any(change is not Change.SAME for change in changes.values())
        plain = [key for key, row in skeleton.threads.items() if not row.sticky and not row.moved]
        last = (plain or list(skeleton.threads))[-1]
        return changes[last] is not Change.SAME

    def _take_rows(self, board: BoardState, skeleton: Skeleton) -> tuple[dict[str, Change], int]:
        rows = {**skeleton.threads, **skeleton.links}
        known = find_threads(self._connection, self._forum, rows)
        changes: dict[str, Change] = {}
        new = 0
        for key, row in rows.items():
            state = known.get(key)
            if state is None:
                self._add_thread(board, key, row)
                changes[key] = Change.CHANGED
                new += 1
            elif key in skeleton.threads:
                changes[key] = self._renew_thread(board, state, row)
        return changes, new

    def _add_thread(self, board: BoardState, key: str, row: ThreadRow) -> None:
        add_thread(
            self._connection,
            forum=self._forum,
            board=board.id,
            key=key,
            url=row.url,
            title=row.title,
            said=said_by(row).as_dict(),
            due=row.url,
            walk=Walk(row.url).as_dict(),
        )

    def _renew_thread(self, board: BoardState, state: ThreadState, row: ThreadRow) -> Change:
        said, before = said_by(row), said_before(dict(state.said))
        if self._is_mention(board, state, said, before):
            return Change.SAME
        believed = self._lore.believed
        change = compare(believed(said), believed(before))
        if change is not Change.SAME and self._is_held(state, said, before):
            change = Change.SAME
        values: dict[str, object] = {"said": said.as_dict(), "title": row.title, "url": row.url}
        if not row.moved:
            values["board"] = board.id
        if change is not Change.SAME and state.due is None:
            walk = self._start(state, row.url, said)
            still = (
                said.count == before.count if said.count is not None and before.count is not None else None
            )
            values |= {"due": walk.url, "walk": walk.as_dict(), "said": {**said.as_dict(), STILL: still}}
        change_thread(self._connection, state.id, **values)
        return change

    def _is_held(self, state: ThreadState, said: Said, before: Said) -> bool:
        """Is all that the row speaks of known already, although it does not say so in the same words?"""
        if compare(replace(said, count=None), replace(before, count=None)) is Change.CHANGED:
            return False
        shifted = (said.other is None) != (before.other is None)  # another reading of the columns
        if shifted and said.count is not None and said.count in {before.count, before.other}:
            return True
        return compare(said, before) is Change.UNSURE and self._names_last_post(state, said, before)

    def _names_last_post(self, state: ThreadState, said: Said, before: Said) -> bool:
        """Does the row's link lead to the very post it led to before, by a number we know that post by?"""
        if said.active_url is None or said.active_url != before.active_url:
            return False
        number = newest_post_id(self._connection, state.id)
        return number is not None and number in _NUMBER.findall(said.active_url)

    def _is_mention(self, board: BoardState, state: ThreadState, said: Said, before: Said) -> bool:
        """A thread named outside its own list, in a box of the latest posts: its row tells more."""
        return state.board != board.id and said.count is None and before.count is not None

    def _start(self, state: ThreadState, url: str, said: Said) -> Walk:
        known = Known(url, state.posts, state.last_page, self._lore.posts_a_page, self._lore.ascending)
        total = self._lore.total(said)
        return start(known, total, lambda page: self._lore.model.threads.url_of(url, page), said.active_url)

    def _take_board(self, above: BoardState, row: BoardRow) -> bool:
        """A sub-board's row: read the board unless its row says that nothing happened there."""
        if row.url in {above.url, self._lore.model.entry}:
            return False
        said = said_by(row)
        state = find_board(self._connection, self._forum, row.url)
        if state is None:
            board_id = add_board(self._connection, self._forum, row.url, row.title, above.id)
            change_board(self._connection, board_id, said=said.as_dict())
            return True
        if self._boards is not None and state.id not in self._boards:
            return False  # its turn comes later, and its row is compared then with what it said before
        if HOLLOW in state.said or (said == Said() and said_before(dict(state.said)) != Said()):
            return False  # a mere link: a row elsewhere tells more
        before = said_before(dict(state.said))
        change = compare(said, before)
        if change is Change.UNSURE and said.other is not None and said.other == before.other:
            # A number without a name: of posts, if there are as many.
            change = Change.SAME if count_posts(self._connection, state.id) == said.other else change
        checked = {**said.as_dict(), CHECKED: self._run_started.isoformat()}
        change_board(self._connection, state.id, said=checked, title=row.title or state.title)
        fresh = state.visited is not None and state.visited >= self._run_started
        if change is not Change.SAME and state.due is None and not fresh:
            change_board(self._connection, state.id, due=state.url, page=0)
        return change is not Change.SAME

    def _is_hollow(self, board: BoardState, skeleton: Skeleton) -> bool:
        """A page without threads whose boards are all listed above it: a category, and no news."""
        if skeleton.threads or skeleton.links or board.url == self._lore.model.entry:
            return False
        below = [find_board(self._connection, self._forum, url) for url in skeleton.boards]
        return all(state is not None and state.parent != board.id for state in below)


def _leads_on(skeleton: Skeleton, board: BoardState) -> bool:
    return bool(skeleton.threads or skeleton.links or skeleton.boards.keys() - {board.url})
