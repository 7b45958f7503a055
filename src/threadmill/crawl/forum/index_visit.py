"""Reads an index page: stores its threads and boards, and what it tells about its board."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.board_rows import BoardRows, note_list_of_all
from threadmill.crawl.forum.rows.latest_box import (
    find_named_posts,
    follow_named_posts,
    is_full_of_news,
    note_latest_posts,
    read_latest_box,
)
from threadmill.crawl.forum.rows.linked_rows import LinkedRows, find_linked_rows
from threadmill.crawl.forum.rows.next_index_page import NextIndexPage
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    DROPPED_AFTER_VISIT,
    EMPTY_LOOKS,
    EMPTY_VISITS,
    FOUND,
    GROWN,
    GUESSED,
    IN_ORDER,
    LIST_END,
    LISTED,
    MOST_SKIPS,
    MOVED_ALONE,
    MOVED_IN,
    NOTES_ON_EMPTY_BOARDS,
    REST,
    SKIPS,
    STOOD_STILL,
    SURELY_CHANGED,
    Change,
    RowState,
    state_of_row,
    stored_state,
)
from threadmill.crawl.forum.rows.thread_reactivation import OldThreads
from threadmill.crawl.forum.rows.thread_rows import ComparedRows, ThreadRows
from threadmill.crawl.forum.thread_visit import MAX_EMPTY_VISITS
from threadmill.forum.index.counters_and_boards import is_reply_title, subject_of
from threadmill.forum.link_urls import is_unnamed, url_fields
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.paging.cursors import ends_with_page
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import IndexPage, PageAnalysis, extract_index
from threadmill.forum.records.date_columns import sort_key
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import BoardState, change_board, find_board
from threadmill.store.forum.posts import post_dates
from threadmill.store.forum.threads import count_threads, find_threads, holds_threads

_log = logging.getLogger("threadmill.crawl")
_NEARLY_ALL = 0.95  # of the threads: a few were moved or found elsewhere
_MOST_IN_ORDER = 200  # threads of a list whose order is remembered; so many show by what it is sorted
_NO_COUNTERS = frozenset((None,))
_NOTICES = frozenset(("login", "message"))  # why the page of a board for members shows no list
_MIN_NEWS = 3  # rows with news, and none without; two are no wonder in a young board
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
        page = _read_index(analysis, layout)
        # Another page may have shown this board while its own page was fetched.
        current = find_board(self._connection, self._forum, board.url)
        board = replace(board, said=current.said) if current else board
        linked = self._find_links(board, analysis, page, old)
        is_start = board.url == layout.model.entry
        if not _leads_on(linked, board) and self._stays_due(board):
            return IndexNews(0, 0, 0, board.due)
        seen = min(analysis.now, at).isoformat()  # a clock that is ahead for one run must not hide news
        if not self._knowledge.just_learnt:
            self._look_back(board, old)
        rows = ThreadRows(self._connection, self._forum, self._knowledge, board, seen, old)
        read = rows.compare_all(linked)
        dates = rows.dates_by_url(read)
        if not self._knowledge.rows.shows_single_messages():  # a list in the order of conversations
            layout.record_index_order(list(linked.threads.values()), dates)
        if not self._knowledge.just_learnt:
            old.in_boxes |= rows.find_answered_in_boxes(linked, read, analysis.now)
            self._note_quiet_time(board, read, dates, old)
        if layout.sorted_by_creation:
            self._note_box(board, linked, analysis, old)
            self._note_named_posts(board, linked, analysis, old, seen)
        linked = self._without_pages(linked, page.paging)
        changed_boards = self._compare_boards(board, linked, read, seen)
        news = sum(change is not Change.SAME for change in read.changes.values()) + changed_boards
        noted = self._note_board(board, linked, read, news)
        chooser = NextIndexPage(self._connection, self._knowledge, old)
        onward = chooser.choose(board.id, page.paging, read, noted, analysis.now)
        self._note_end(board, noted, page.paging, len(read.rows), analysis)
        _log.debug("list %s: %d rows, %d news, next %s", analysis.tree.url, len(read.rows), news, onward)
        if onward is None:
            onward = noted.pop(REST, None)
        if onward is None:
            if not is_start and (_is_unexplained(noted, news) or _has_only_news(read, noted)):
                self._board_rows.look_below(board, linked.boards.values())
            self._record_growth(noted)
            noted = {name: value for name, value in noted.items() if name not in DROPPED_AFTER_VISIT}
        change_board(
            self._connection,
            board.id,
            title=board.title or ("" if is_start else page.title),  # a chosen board that no page lists
            due=onward,
            page=board.page + 1,
            visited=None if onward else at,
            visited_run=None if onward else self._run,
            said=noted,
        )
        return IndexNews(len(read.changes) + len(linked.boards), news, read.new, onward)

    def _find_links(
        self, board: BoardState, analysis: PageAnalysis, page: IndexPage, old: OldThreads
    ) -> LinkedRows:
        """What a page of a board links to, without what belongs to other boards."""
        layout = self._knowledge.layout
        linked = find_linked_rows(analysis, page, layout)
        if board.said.get(GUESSED) and classify_page(analysis).kind != "index":
            linked = LinkedRows({}, {}, {})
        is_paged = board.page > 0 or page.paging.next is not None
        closed = board.said.get(CLOSED) in _NOTICES and not is_paged  # a notice has no pages
        if closed and classify_page(analysis).reason in _NOTICES:
            linked = LinkedRows({}, {}, {})  # beside the notice may be a box of the latest threads
        if board.url == layout.model.entry:
            is_list_of_boards = board.page == 0 and _is_list_of_boards(
                linked, page.paging
            )  # later pages list threads
            if is_list_of_boards and not layout.model.start_lists_latest:
                # A list of boards links to threads of last posts. The boards themselves say more about these.
                linked = replace(linked, threads={}, links={})
            linked = _without_counters_of_boards(linked)
        return self._without_box(board, linked, old) if board.page == 0 else linked

    def _note_quiet_time(
        self, board: BoardState, read: ComparedRows, dates: Mapping[str, tuple[str, str]], old: OldThreads
    ) -> None:
        """A start page with the latest threads of all boards tells since when no other thread got a post."""
        model = self._knowledge.layout.model
        if board.url == model.entry and model.start_lists_latest and board.page == 0:
            old.quiet_since = _oldest_by_activity(read, dates)

    def _note_box(
        self, board: BoardState, linked: LinkedRows, analysis: PageAnalysis, old: OldThreads
    ) -> None:
        """A box beside a list tells which old threads were answered, and since when others were not."""
        box = read_latest_box(self._connection, self._forum, self._knowledge, analysis, linked.threads)
        if box is not None and not self._knowledge.just_learnt:
            self._note_quiet_box(board, {box.place: box.quiet_since}, old)
            old.in_boxes |= box.answered

    def _note_named_posts(
        self, board: BoardState, linked: LinkedRows, analysis: PageAnalysis, old: OldThreads, seen: str
    ) -> None:
        """Links to posts tell which old threads were answered. A row with a counter says more than a link."""
        if self._knowledge.just_learnt:
            return
        told = {key for key, row in linked.threads.items() if row.replies is not None}
        named = find_named_posts(self._connection, self._forum, self._knowledge, analysis)
        self._note_quiet_box(board, note_latest_posts(self._knowledge, named), old)
        untold = [[one for one in posts if one.thread.key not in told] for posts in named.values()]
        if self._knowledge.rows.follows_named_posts() and any(map(is_full_of_news, untold)):
            old.unreached.add(board.id)
        follow_named_posts(self._connection, self._knowledge, chain.from_iterable(untold), seen)

    def _note_quiet_box(self, board: BoardState, quiet: Mapping[str, int], old: OldThreads) -> None:
        """Boxes tell since when other threads were quiet, as long as none of their pages disproves it."""
        known = old.quiet_by_board.get(board.id, {})
        days = dict(known) | {place: min(day, known.get(place, day)) for place, day in quiet.items()}
        trusted = {place: day for place, day in days.items() if self._knowledge.rows.trusts_box(place)}
        old.quiet_by_board[board.id] = trusted

    def _compare_boards(self, board: BoardState, linked: LinkedRows, read: ComparedRows, seen: str) -> int:
        """Compare the rows of boards. Return how many boards are due because of them."""
        is_start = board.url == self._knowledge.layout.model.entry
        if is_start and self._shows_all_news(read, linked):
            self._board_rows.note_no_news(seen)
            return 0
        rows, not_below = linked.boards.values(), frozenset() if is_start else linked.beside_start
        return sum(self._board_rows.compare_row(board, row, seen, linked.boards, not_below) for row in rows)

    def _without_box(self, board: BoardState, linked: LinkedRows, old: OldThreads) -> LinkedRows:
        """What a page links to, without threads that the pages of all other boards show too.

        Where no row has counters, these stand in a box of the latest threads. The board itself is empty or
        closed, or its list has a single row. That is none of the rows of the box, or is linked once more.
        """
        shown = frozenset(linked.threads)
        others = [keys for number, keys in old.shown_by.items() if number != board.id and keys]
        if board.url != self._knowledge.layout.model.entry:  # the start page may have no such box
            old.shown_by[board.id] = shown | frozenset(linked.links) | frozenset(linked.box_threads)
        if self._knowledge.rows.post_counter is None or len(others) < _MIN_BOARD_LIST or not shown:
            return linked
        in_box = frozenset.intersection(*others)
        if any(row.replies is not None for row in linked.threads.values()) or not shown <= in_box:
            return linked
        own = {key: row for key, row in linked.links.items() if key not in in_box}
        own |= {key: linked.threads[key] for key in linked.threads if key in linked.linked_again}
        return replace(linked, threads=own, links={})

    def _without_pages(self, linked: LinkedRows, paging: Paging) -> LinkedRows:
        """What a page links to, without new "boards" that are later pages of its list.

        Lists of one page do not show how their later pages are written. A broad pattern of boards fits them.
        """
        if self._knowledge.just_learnt:
            return linked
        later = {
            url
            for url in linked.boards
            if _is_page_of(paging, url) and find_board(self._connection, self._forum, url) is None
        }
        boards = {url: row for url, row in linked.boards.items() if url not in later}
        return replace(linked, boards=boards)

    def _look_back(self, board: BoardState, old: OldThreads) -> None:
        """Learn from the first crawl: the order of lists, and whether the start page lists all threads."""
        layout = self._knowledge.layout
        if not layout.order.votes:
            for one in all_boards(self._connection, self._forum):
                layout.record_order_of(self._dates_in_list_order(one.said.get(IN_ORDER, ())))
        if LISTED in board.said and board.url == layout.model.entry:
            listed = int(board.said[LISTED])
            layout.start_lists_all = listed >= _NEARLY_ALL * count_threads(self._connection, self._forum) > 0
        if board.url == layout.model.entry:
            note_list_of_all(self._connection, self._forum)
            old.lists_of_all |= {board.id} if layout.start_lists_all else set()

    def _dates_in_list_order(self, keys: Sequence[str]) -> list[tuple[str, str]]:
        """The dates of the first and the last post of threads that a list showed in the first crawl."""
        known = find_threads(self._connection, self._forum, keys)
        single = self._knowledge.rows.shows_single_messages()
        heads: dict[str, str] = {}  # by subject, the first message of the latest conversation
        found: dict[str, tuple[str, str]] = {}  # by the key of a thread, or of the head of a conversation
        for key in keys:
            dates = post_dates(self._connection, known[key].id) if key in known else None
            if dates is None:
                continue
            title = known[key].title
            is_answer = single and is_reply_title(title)
            head = heads.get(subject_of(title), key) if is_answer else key
            heads[subject_of(title)] = head
            first, last = found.get(head, dates)
            found[head] = (min(first, dates[0]), max(last, dates[1]))
        return list(found.values())

    def _shows_all_news(self, read: ComparedRows, linked: LinkedRows) -> bool:
        """Does a start page with the latest threads of all boards reach down to one without news?

        Then the boards need not be read, unless their rows count more news than the start page shows.
        """
        layout = self._knowledge.layout
        latest = layout.model.start_lists_latest or layout.start_lists_all
        if not latest or self._knowledge.just_learnt or not read.rows or not read.ends_unchanged:
            return False
        if read.last in read.silent:
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
        if self._knowledge.just_learnt:
            noted[LISTED] = noted.get(LISTED, 0) + len(read.rows)
            noted[IN_ORDER] = [*noted.get(IN_ORDER, ()), *read.in_order][:_MOST_IN_ORDER]
        else:
            noted.pop(LISTED, None)
            noted.pop(IN_ORDER, None)
        if board.page == 0 and MOVED_ALONE in noted:
            self._knowledge.rows.record_moved_alone(news=news)
        if board.page == 0 and STOOD_STILL in noted:
            self._knowledge.rows.record_still_board(news=news)
        if board.page == 0 and self._has_no_threads(board, linked):
            # A row that counts posts beside a page without threads is that of a board for members.
            looks = int(noted.get(EMPTY_LOOKS, 0)) + (2 if stored_state(noted).count else 1)
            # Nothing will tell that it got its first thread, if its row says nothing: the next run looks.
            untold = stored_state(noted) == RowState() and not linked.boards.keys() - {board.url}
            noted |= {SKIPS: MOST_SKIPS if untold else 0, EMPTY_LOOKS: looks}
        elif linked.threads:
            noted = {name: value for name, value in noted.items() if name not in NOTES_ON_EMPTY_BOARDS}
        if linked.threads or linked.boards:
            noted.pop(CLOSED, None)
        return noted

    def _note_end(
        self, board: BoardState, noted: dict[str, Any], paging: Paging, rows: int, analysis: PageAnalysis
    ) -> None:
        """Note how a list ended: its pager or its links tell it, or by how many rows its last page has."""
        layout = self._knowledge.layout
        if paging.next is None:
            noted[LIST_END] = "pager" if paging.count and 1 < paging.count == paging.number else rows
            read = [one for one in (paging.previous, paging.url_of(1)) if one]
            if paging.count and paging.number and paging.number < paging.count:
                noted[LIST_END] = "cut"  # its pager tells of more pages, and none of them was found
            elif noted[LIST_END] != "pager" and ends_with_page(
                analysis.outline, board.url, board.page + 1, read, layout.is_known_link
            ):
                noted[LIST_END] = "links"
        layout.longest_list = max(layout.longest_list, rows)

    def _record_growth(self, noted: dict[str, Any]) -> None:
        """After a board was read: were as many new posts found as its row counts?"""
        if noted.get(GROWN):
            self._knowledge.rows.record_growth(exact=noted[GROWN] - noted[FOUND] in {0, noted[MOVED_IN]})

    def _has_no_threads(self, board: BoardState, linked: LinkedRows) -> bool:
        """Is this a category whose boards are all listed on a page above, or no board at all?"""
        if linked.threads or linked.links or board.url == self._knowledge.layout.model.entry:
            return False
        below = [find_board(self._connection, self._forum, url) for url in linked.boards]
        return all(
            state is not None and (state.parent != board.id or self._leads_nowhere(state)) for state in below
        )

    def _leads_nowhere(self, board: BoardState) -> bool:
        """Has a board no threads, nor a board below it? In the first crawl it may not have been read yet."""
        if self._knowledge.just_learnt:
            return False
        near = [
            board.id,
            *(one.id for one in all_boards(self._connection, self._forum) if one.parent == board.id),
        ]
        return not any(holds_threads(self._connection, number) for number in near)


def _oldest_by_activity(read: ComparedRows, stored: Mapping[str, tuple[str, str]]) -> float | None:
    """The day of the last row of a list by activity. None if its rows are not in this order.

    `stored` has the dates of the first and the last posts of threads. A list by creation may be in the order
    of activity by chance: where the dates of the first posts fall as well, nothing is told.
    """
    rows = [read.rows[key] for key in read.in_order]
    created = [stored[row.url][0] for row in rows if row.url in stored]
    active = [sort_key(row.active) for row in rows if row.active]
    if not active or len(active) < len(rows) or active != sorted(active, reverse=True):
        return None
    return None if created == sorted(created, reverse=True) else float(active[-1][0])


def _without_counters_of_boards(linked: LinkedRows) -> LinkedRows:
    """What a page links to, with threads without the counters of the board in whose row they are named."""
    counters = {frozenset((board.threads, board.posts)) for board in linked.boards.values()} - {_NO_COUNTERS}
    threads = {
        key: replace(row, replies=None, views=None, numbers={})
        if frozenset((row.replies, row.views)) in counters
        else row
        for key, row in linked.threads.items()
    }
    return replace(linked, threads=threads)


def _is_list_of_boards(linked: LinkedRows, paging: Paging) -> bool:
    """Is a start page a list of boards? It says more about boards than about threads.

    A page that lists threads may have a menu with mere links to the boards. And a list of threads that goes
    on with another page is no box of the latest ones: beside it the stories of each year may be counted.
    """
    if len(linked.boards) < _MIN_BOARD_LIST:
        return False
    boards = sum(state_of_row(row) != RowState() for row in linked.boards.values())
    threads = [row for row in linked.threads.values() if state_of_row(row) != RowState()]
    if paging.next and sum(row.replies is not None for row in threads) > boards:
        return False
    return boards >= _MIN_BOARD_LIST or not threads


def _is_unexplained(noted: dict[str, Any], news: int) -> bool:
    """Does the row of a board tell of more posts than its threads, or of news that they do not have?"""
    if GROWN in noted:
        return bool(noted[GROWN] > noted[FOUND] - noted.get(MOVED_IN, 0))
    return bool(noted.get(SURELY_CHANGED)) and not news


def _has_only_news(read: ComparedRows, noted: dict[str, Any]) -> bool:
    """Has each row of a short list news? Then it may be the top of a longer list that the page links."""
    changes = list(read.changes.values())
    return len(changes) >= _MIN_NEWS and Change.SAME not in changes and noted.get(LIST_END) != "pager"


def _is_page_of(paging: Paging, url: str) -> bool:
    """Is a URL that of another page of a list?"""
    is_numbered = paging.slot is not None and paging.slot.number_in(url) is not None
    return is_numbered or url in {paging.next, paging.previous, paging.last}


def _leads_on(linked: LinkedRows, board: BoardState) -> bool:
    return bool(linked.threads or linked.links or linked.boards.keys() - {board.url})


def _read_index(analysis: PageAnalysis, layout: LayoutKnowledge) -> IndexPage:
    """Read an index page. Its next page is no thread: one that was fetched as a list would be lost."""
    page = extract_index(analysis)
    onward = page.paging.next
    is_thread = onward is not None and (
        layout.model.kind_of_url(onward).startswith("thread")
        or any(row.active_url == onward for row in page.rows)  # a link to a last post
        or _has_path_of_threads(layout, onward, analysis.tree.url)
    )
    return replace(page, paging=Paging()) if is_thread else page


def _has_path_of_threads(layout: LayoutKnowledge, url: str, page: str) -> bool:
    """Has a URL the path of threads, which the list itself has not: "msg.php?post=281" beside "list.php?f=4"?

    Then it leads to a post. The parameters of threads alone do not tell: a post may have others. A folder
    has the path of any script in it: "/" is "index.php".
    """
    paths = [
        [(name, value) for name, value in pattern.fields if is_unnamed(name)]
        for pattern in layout.model.threads.patterns
    ]
    theirs, own = url_fields(url), url_fields(page)

    def fits(fields: Mapping[str, str], path: Sequence[tuple[str, str]]) -> bool:
        return [name for name in fields if is_unnamed(name)] == [name for name, _ in path] and all(
            re.fullmatch(value, fields[name]) or (fields[name] == "" and name == path[-1][0])
            for name, value in path
        )

    return any(fits(theirs, path) and not fits(own, path) for path in paths)
