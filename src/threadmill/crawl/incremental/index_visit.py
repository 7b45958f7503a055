"""A page of a board read: its threads and sub-boards noted, and what of them is worth opening."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.incremental.lore import EXCESS, FALLEN, STILL, SURE, Lore
from threadmill.crawl.incremental.skeleton import Skeleton, find_skeleton
from threadmill.crawl.incremental.thread_visit import MOST_MISSES
from threadmill.forum.change import Change, Said, compare, is_past, said_before, said_by
from threadmill.forum.pages import IndexPage, index_of
from threadmill.forum.reading import Reading
from threadmill.forum.thread_key import naming_parameters
from threadmill.forum.walk import Known, Walk, start
from threadmill.store.forums import BoardState, add_board, change_board, find_board, is_visited
from threadmill.store.posts import count_posts, newest_post_id
from threadmill.store.threads import ThreadState, add_thread, change_thread, find_threads, holds_threads
from threadmill.types import BoardRow, ThreadRow
from threadmill.urls import resolve

_NUMBER = re.compile(r"\d+")
_BOARD_LIST = 2  # boards on a start page that make it a list of boards
MISSES = "misses"  # runs in which a board's page came without rows
CHECKED = "checked"  # when a board's row was last compared
SEEN = "seen"  # what time it was at the site when a row said what is stored
GROWN = "grown"  # posts its row has gained since it was last read
FOUND = "found"  # posts that the rows of its threads have gained in this reading
DEEPER = "deeper"  # was a page read below one whose last thread had not changed
ARRIVED = "arrived"  # posts of threads that have come from other boards, or that a stub is left of
PASSING = {GROWN, FOUND, ARRIVED, STILL, SURE, DEEPER}  # of no use once the board has been read
BY = "by"  # the board whose page shows that row
HOLLOW = "hollow"  # how often a board was passed over that had nothing of its own
LOOKS = "looks"  # and how often it was looked at in vain
_OF_EMPTY = (MISSES, HOLLOW, LOOKS)  # what is forgotten of a board once it shows threads
_FEW_DELETED = 2  # posts; where more are gone somebody has split the thread, or tidied up
_MOST_SKIPS = 5  # runs; then an empty board is looked at again


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
        self._seen = ""  # what time it was at the site
        self._found = 0  # posts the rows of the page have gained
        self._arrived = 0  # posts of threads that were seen on another board before
        self._new: set[str] = set()  # threads that the page is the first to name
        self._boards = boards  # the known boards this run is about; None: all

    def take(self, board: BoardState, reading: Reading, at: datetime) -> IndexNews:
        """Note everything the page says; choose the next page of the board."""
        page = index_of(reading)
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
        changes, new_threads = self._take_rows(board, skeleton)
        changed_boards = sum(self._take_board(board, row) for row in skeleton.boards.values())
        news = sum(change is not Change.SAME for change in changes.values()) + changed_boards
        noted = self._note_board(board, skeleton, news)
        onward = page.paging.next if self._goes_on(skeleton, changes, noted) else None
        change_board(
            self._connection,
            board.id,
            due=onward,
            page=board.page + 1,
            visited=None if onward else at,
            said=noted if onward else {name: value for name, value in noted.items() if name not in PASSING},
        )
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

    def _note_board(self, board: BoardState, skeleton: Skeleton, news: int) -> dict[str, Any]:
        """What is noted besides a board's row: posts its threads account for, and what stillness meant."""
        noted = {**board.said, FOUND: board.said.get(FOUND, 0) + self._found}
        noted[ARRIVED] = noted.get(ARRIVED, 0) + self._arrived
        if board.page == 0 and STILL in noted:
            self._lore.judge_still_board(news=news)
        if board.page == 0 and self._is_hollow(board, skeleton):
            noted |= {HOLLOW: 0, LOOKS: int(noted.get(LOOKS, 0)) + 1}
        elif skeleton.threads:
            noted = {name: value for name, value in noted.items() if name not in _OF_EMPTY}
        return noted

    def _goes_on(self, skeleton: Skeleton, changes: dict[str, Change], noted: dict[str, Any]) -> bool:
        """Below an unchanged row nothing has changed either, unless threads are sorted by creation.

        Then an old thread that got an answer may stand anywhere: the search goes on until the threads found
        account for all posts that the board's own row has gained.
        """
        if not skeleton.threads:
            return False
        plain = [key for key, row in skeleton.threads.items() if not row.sticky and not row.moved]
        last = (plain or list(skeleton.threads))[-1]
        if not self._lore.by_creation or last in self._new:
            return changes[last] is not Change.SAME
        news = any(change is not Change.SAME for change in changes.values())
        if noted.get(DEEPER):
            self._lore.judge_deeper(news=news)
        noted[DEEPER] = True
        if GROWN in noted and noted[GROWN] - noted[FOUND] in {0, noted[ARRIVED]}:
            return False
        # Answers come to young threads: if none of a page's older half got any, the next page is older still.
        older = any(changes[key] is not Change.SAME for key in plain[len(plain) // 2 :])
        more = changes[last] is not Change.SAME or noted[FOUND] < noted.get(GROWN, 0)
        return more or (older and self._lore.looks_deeper())

    def _take_rows(self, board: BoardState, skeleton: Skeleton) -> tuple[dict[str, Change], int]:
        rows = {**skeleton.threads, **skeleton.links}
        known = find_threads(self._connection, self._forum, rows)
        changes: dict[str, Change] = {}
        self._found = self._arrived = 0
        self._new = rows.keys() - known.keys()
        for key, row in rows.items():
            state = known.get(key)
            if state is None:
                self._add_thread(board, key, row)
                changes[key] = Change.CHANGED
                self._found += (self._count(said_by(row)) or 1) if key in skeleton.threads else 0
            elif key in skeleton.threads:
                self._note_gain(board, state, said_by(row))
                changes[key] = self._renew_thread(board, state, row)
        return changes, len(self._new)

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
        change = self._settled("thread", compare(said, before), said, state.said)
        if _fell_little(said, before) and self._lore.counts_exactly():
            change = Change.SAME
        if change is Change.SAME and _is_rounded(told):
            change = Change.UNSURE
        self._judge_dates("thread", said, before)
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
        return state.board != board.id and said.count is None and before.count is not None

    def _start(self, state: ThreadState, url: str, said: Said, fallen: int) -> Walk:
        """Where to look for what is new; as many posts as the counter has fallen by stand there no more."""
        held = max(state.posts - fallen, min(state.posts, 1))
        sizes = self._lore.posts_a_page, self._lore.posts_on_page_one
        known = Known(url, held, state.last_page, sizes[0], self._lore.ascending, sizes[1])
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
            change_board(self._connection, board_id, said=self._noted(said, above))
            return True
        if self._boards is not None and state.id not in self._boards:
            return False  # its turn comes later, and its row is compared then with what it said before
        if self._says_less(above, state, said):
            return False
        change = self._compare_board(state, said)
        kept = {name: state.said[name] for name in _OF_EMPTY if name in state.said}
        noted = self._noted(said, above) | kept | self._growth(state, said, change)
        change_board(self._connection, state.id, said=noted, title=row.title or state.title)
        fresh = state.visited is not None and state.visited >= self._run_started
        if change is not Change.SAME and state.due is None and not fresh:
            change_board(self._connection, state.id, due=state.url, page=0)
        return change is not Change.SAME

    def _noted(self, said: Said, above: BoardState) -> dict[str, Any]:
        checked = {CHECKED: self._run_started.isoformat(), SEEN: self._seen, BY: above.id}
        return said.as_dict() | checked

    def _growth(self, state: BoardState, said: Said, change: Change) -> dict[str, Any]:
        """By how much a board's row has grown, and whether a number of it stood still all the same."""
        before = said_before(dict(state.said))
        growth: dict[str, Any] = {SURE: change is Change.CHANGED}
        if said.count is not None and before.count is not None:
            growth[GROWN] = state.said.get(GROWN, 0) + said.count - before.count
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
        told = state.said.get(CHECKED, "") >= self._run_started.isoformat()
        return told or not is_visited(self._connection, int(teller), self._run_started)

    def _may_have_filled(self, state: BoardState, said: Said, before: Said) -> bool:
        """A board that was empty may not stay so: when its row says otherwise, and now and then without.

        One that is for members only says so every time, so that each look in vain doubles the pause.
        """
        skipped, looks = int(state.said[HOLLOW]) + 1, int(state.said.get(LOOKS, 1))
        moved = (said.count, said.active) != (before.count, before.active)
        if skipped >= 2**looks - 1 if moved else skipped > _MOST_SKIPS * looks:
            return True
        change_board(self._connection, state.id, said={**state.said, HOLLOW: skipped})
        return False

    def _compare_board(self, state: BoardState, said: Said) -> Change:
        before = said_before(dict(state.said))
        change = self._settled("board", compare(said, before), said, state.said)
        self._judge_dates("board", said, before)
        if change is Change.UNSURE and said.other is not None and said.other == before.other:
            # A number without a name: of posts, if there are as many; or one that never stood still in vain.
            known = count_posts(self._connection, state.id) == said.other
            return Change.SAME if known or self._lore.trusts_still_boards() else change
        return change

    def _settled(self, kind: str, change: Change, said: Said, stored: Mapping[str, Any]) -> Change:
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
            return Change.SAME if known and not self._lore.dates_stay(kind) else change
        # A thread is opened all the same: posts merged into it may be ones we never had (recorded Discuz!).
        return Change.SAME if kind == "board" and self._lore.trusts_dates(kind) else change

    def _judge_dates(self, kind: str, said: Said, before: Said) -> None:
        if said.active is None or before.active is None or said.count is None or before.count is None:
            return
        if said.count > before.count:
            self._lore.judge_dates(kind, follows=said.active > before.active)

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


def _went_back(said: Said, before: Said) -> bool:
    """An earlier date and nothing else new: "2 weeks ago" was said of it before, or a post was deleted."""
    if said.active is None or before.active is None or said.active >= before.active:
        return False
    numbers = ((said.count, before.count), (said.other, before.other))
    return all(now is None or then is None or now <= then for now, then in numbers)


def _fullness(said: Said) -> int:
    """How much a row tells."""
    return sum(told is not None for told in (said.count, said.other, said.active))
