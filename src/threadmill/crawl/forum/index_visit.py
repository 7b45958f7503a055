"""Reads an index page: stores its threads and boards, and chooses the next page of the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.board_rows import BoardRows
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.linked_rows import LinkedRows, find_linked_rows
from threadmill.crawl.forum.row_knowledge import MIN_SHARE_OF_NEWS
from threadmill.crawl.forum.row_state import (
    CLOSED,
    COMPLETE_AT,
    DROPPED_AFTER_VISIT,
    EMPTY_LOOKS,
    EMPTY_VISITS,
    FOUND,
    GROWN,
    GUESSED,
    LIST_END,
    MOVED_ALONE,
    MOVED_IN,
    NOTES_ON_EMPTY_BOARDS,
    PAGES_READ,
    READ_OLDER,
    REST,
    SHOWN,
    SKIPS,
    STOOD_STILL,
    Change,
)
from threadmill.crawl.forum.thread_reactivation import IndexPlace, OldThreads
from threadmill.crawl.forum.thread_rows import ComparedRows, ThreadRows
from threadmill.crawl.forum.thread_visit import MAX_EMPTY_VISITS
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PageAnalysis, extract_index
from threadmill.store.forum.forums import BoardState, change_board, find_board
from threadmill.store.forum.posts import newest_post_date
from threadmill.store.forum.threads import holds_threads

_MIN_BOARD_LIST = 2  # boards on a start page that make it a list of boards


@dataclass(frozen=True, slots=True)
class IndexNews:
    """What an index page brought."""

    items: int
    news: int
    new_threads: int
    next: str | None  # URL of the page of the board to read next


class IndexVisit:
    """Reads index pages of one forum in one run, each in the transaction of the caller."""

    def __init__(
        self,
        connection: Connection,
        forum_id: int,
        knowledge: ForumKnowledge,
        run: tuple[int, datetime],
        boards: frozenset[int] | None = None,
    ) -> None:
        self._connection = connection
        self._forum = forum_id
        self._knowledge = knowledge
        self._run, started = run
        self._board_rows = BoardRows(connection, forum_id, knowledge, self._run, started, boards)

    def take(self, board: BoardState, analysis: PageAnalysis, at: datetime, old: OldThreads) -> IndexNews:
        """Store what the page shows, and choose the next page of the board."""
        layout = self._knowledge.layout
        page = extract_index(analysis)
        # Another page may have shown this board while its own page was fetched.
        current = find_board(self._connection, self._forum, board.url)
        board = replace(board, said=current.said) if current else board
        linked = find_linked_rows(analysis, page, layout)
        if board.said.get(GUESSED) and classify_page(analysis).kind != "index":
            linked = LinkedRows({}, {}, {})
        is_start = board.url == layout.model.entry
        if is_start and len(linked.boards) >= _MIN_BOARD_LIST and not layout.model.start_lists_latest:
            # A list of boards links to threads of last posts. The boards themselves say more about these.
            linked = replace(linked, threads={}, links={})
        if not _leads_on(linked, board) and self._stays_due(board):
            return IndexNews(0, 0, 0, board.due)
        layout.record_index_order(list(linked.threads.values()))
        seen = min(analysis.now, at).isoformat()  # a clock that is ahead for one run must not hide news
        rows = ThreadRows(self._connection, self._forum, self._knowledge, board, seen)
        read = rows.compare_all(linked)
        if not self._knowledge.just_learnt:
            old.in_boxes |= rows.find_answered_in_boxes(linked, read, analysis.now)
        changed_boards = 0
        if is_start and self._shows_all_news(read, linked):
            self._board_rows.note_no_news(seen)
        else:
            changed_boards = sum(
                self._board_rows.compare_row(board, row, seen) for row in linked.boards.values()
            )
        news = sum(change is not Change.SAME for change in read.changes.values()) + changed_boards
        noted = self._note_board(board, linked, read, news)
        chooser = NextIndexPage(self._connection, self._knowledge, old)
        onward = chooser.choose(board.id, page.paging, read, noted, analysis.now)
        self._note_end(noted, page.paging, len(read.rows))
        if onward is None:
            onward = noted.pop(REST, None)
        if onward is None:
            self._record_growth(noted)
            noted = {name: value for name, value in noted.items() if name not in DROPPED_AFTER_VISIT}
        change_board(
            self._connection,
            board.id,
            due=onward,
            page=board.page + 1,
            visited=None if onward else at,
            visited_run=None if onward else self._run,
            said=noted,
        )
        return IndexNews(len(read.changes) + len(linked.boards), news, read.new, onward)

    def _shows_all_news(self, read: ComparedRows, linked: LinkedRows) -> bool:
        """Does a start page with the latest threads of all boards reach down to one without news?

        Then the boards need not be read, unless their rows count more news than the start page shows.
        """
        latest = self._knowledge.layout.model.start_lists_latest and not self._knowledge.just_learnt
        if not latest or not read.rows or not read.ends_unchanged:
            return False
        return max(read.new, read.gained) >= self._board_rows.growth_of(linked.boards.values())

    def _stays_due(self, board: BoardState) -> bool:
        """A page without rows of a board that has some may be a maintenance notice: it stays due."""
        misses = int(board.said.get(EMPTY_VISITS, 0)) + 1
        if misses >= MAX_EMPTY_VISITS or not (
            holds_threads(self._connection, board.id) or board.said.get("active")
        ):
            return False
        change_board(self._connection, board.id, said={**board.said, EMPTY_VISITS: misses})
        return True

    def _note_board(
        self, board: BoardState, linked: LinkedRows, read: ComparedRows, news: int
    ) -> dict[str, Any]:
        """The notes on a board after a page: posts found so far, and whether the board is empty."""
        noted = {**board.said, FOUND: board.said.get(FOUND, 0) + read.gained}
        noted[MOVED_IN] = noted.get(MOVED_IN, 0) + read.moved_in
        if board.page == 0 and MOVED_ALONE in noted:
            self._knowledge.rows.record_moved_alone(news=news)
        if board.page == 0 and STOOD_STILL in noted:
            self._knowledge.rows.record_still_board(news=news)
        if board.page == 0 and self._has_no_threads(board, linked):
            noted |= {SKIPS: 0, EMPTY_LOOKS: int(noted.get(EMPTY_LOOKS, 0)) + 1}
        elif linked.threads:
            noted = {name: value for name, value in noted.items() if name not in NOTES_ON_EMPTY_BOARDS}
        if linked.threads or linked.boards:
            noted.pop(CLOSED, None)
        return noted

    def _note_end(self, noted: dict[str, Any], paging: Paging, rows: int) -> None:
        """Note how a list ended: its pager named the last page, or by how many rows its last page has."""
        layout = self._knowledge.layout
        if paging.next is None:
            noted[LIST_END] = "pager" if paging.count and 1 < paging.count == paging.number else rows
        layout.longest_list = max(layout.longest_list, rows)

    def _record_growth(self, noted: dict[str, Any]) -> None:
        """After a board was read: were as many new posts found as its row counts?"""
        if noted.get(GROWN):
            self._knowledge.rows.record_growth(exact=noted[GROWN] - noted[FOUND] in {0, noted[MOVED_IN]})

    def _has_no_threads(self, board: BoardState, linked: LinkedRows) -> bool:
        """Is this a category: a page without threads whose boards are all listed on a page above?"""
        if linked.threads or linked.links or board.url == self._knowledge.layout.model.entry:
            return False
        below = [find_board(self._connection, self._forum, url) for url in linked.boards]
        return all(state is not None and state.parent != board.id for state in below)


def _leads_on(linked: LinkedRows, board: BoardState) -> bool:
    return bool(linked.threads or linked.links or linked.boards.keys() - {board.url})


class NextIndexPage:
    """Chooses the next page of a board after one was read, in the transaction of the caller."""

    def __init__(self, connection: Connection, knowledge: ForumKnowledge, old: OldThreads) -> None:
        self._connection = connection
        self._knowledge = knowledge
        self._old = old

    def choose(
        self, board: int, paging: Paging, read: ComparedRows, noted: dict[str, Any], now: datetime
    ) -> str | None:
        """The URL of the next page. None if the board needs no further page.

        Below an unchanged row nothing has changed either, unless threads are sorted by creation. Then an old
        thread that got an answer may be on any page. The search goes on until as many posts are found as the
        row of the board has gained. If its row has no counter, it goes on while another page probably has a
        thread with news.
        """
        if not read.rows:
            return None
        last = read.last
        just_learnt = self._knowledge.just_learnt
        oldest_first = not just_learnt and self._is_oldest_first(read)
        if just_learnt or oldest_first or not self._knowledge.layout.sorted_by_creation:
            goes_on = _shows_others(read, noted) if just_learnt else oldest_first or not read.ends_unchanged
            return paging.next if goes_on else None
        noted[PAGES_READ] = [
            *noted.get(PAGES_READ, []),
            paging.number or len(noted.get(PAGES_READ, [])) + 1,
        ]
        if last not in read.known:
            return paging.next
        missing = noted.get(GROWN, 0) - noted[FOUND]
        if self._is_complete(noted, missing):
            noted[COMPLETE_AT] = now.isoformat()
            return None
        since = datetime.fromisoformat(noted[COMPLETE_AT]) if COMPLETE_AT in noted else None
        shown = tuple(read.known[key] for key in read.in_order if key in read.known)
        place = IndexPlace(read.known[last], noted[PAGES_READ][-1], len(read.rows), shown)
        chances = self._old.chances_by_page(self._connection, board, place, now, since)
        if chances is None:
            return paging.next if missing > 0 or self._was_worthwhile(read, noted) else None
        unread = {page: chance for page, chance in chances.items() if page not in noted[PAGES_READ]}
        if missing <= 0:
            return _likeliest_page(unread, paging, place.page, MIN_SHARE_OF_NEWS)
        # The missing posts may be in a thread that was never seen.
        below = None if place.page + 1 in noted[PAGES_READ] else paging.next
        return _likeliest_page(unread, paging, place.page, 0.0) or below

    def _is_oldest_first(self, read: ComparedRows) -> bool:
        """Does a list of single messages show the oldest first, so that new ones stand on its last page?"""
        known = [key for key in read.in_order if key in read.known]
        if len(known) < 2 or not self._knowledge.rows.shows_single_messages():
            return False
        first, last = (newest_post_date(self._connection, read.known[key]) for key in (known[0], known[-1]))
        return first is not None and last is not None and first < last

    def _is_complete(self, noted: dict[str, Any], missing: int) -> bool:
        """Are all posts found that the row of the board counts?"""
        return (
            GROWN in noted and missing in {0, noted.get(MOVED_IN, 0)} and self._knowledge.rows.trusts_growth()
        )

    def _was_worthwhile(self, read: ComparedRows, noted: dict[str, Any]) -> bool:
        """Answers go to young threads. If the older half of a page got none, the next page is older still."""
        rows = self._knowledge.rows
        if noted.get(READ_OLDER):
            rows.record_older_page(news=any(change is not Change.SAME for change in read.changes.values()))
        noted[READ_OLDER] = True
        in_order = read.in_order
        older = any(read.changes[key] is not Change.SAME for key in in_order[len(in_order) // 2 :])
        return older and rows.is_older_page_worthwhile()


def _shows_others(read: ComparedRows, noted: dict[str, Any]) -> bool:
    """Does a page list other threads than the page before it? Pages behind the end repeat the last page.

    In the first crawl it does not matter that threads are known: another list may have shown them.
    """
    before = noted.get(SHOWN, [])
    noted[SHOWN] = list(read.rows)
    return not read.rows.keys() <= set(before)


def _likeliest_page(chances: dict[int, float], paging: Paging, number: int, worth: float) -> str | None:
    """The page that most probably has news, if its chance exceeds `worth`. If it has no URL, the next one."""
    page, chance = max(chances.items(), key=lambda item: item[1], default=(number, 0.0))
    if chance <= worth:
        return None
    named = paging.next if page == number + 1 else paging.url_of(page)
    return named or (paging.next if chances.get(number + 1, 0.0) > worth else None)
