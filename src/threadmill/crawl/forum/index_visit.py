"""Reads an index page: stores its threads and boards, and chooses the next page of the board."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge, LayoutKnowledge
from threadmill.crawl.forum.rows.board_rows import BoardRows, note_list_of_all
from threadmill.crawl.forum.rows.linked_rows import LinkedRows, find_linked_rows
from threadmill.crawl.forum.rows.row_state import (
    AHEAD,
    CLOSED,
    COMPLETE_AT,
    DROPPED_AFTER_VISIT,
    EMPTY_LOOKS,
    EMPTY_VISITS,
    FOUND,
    FULL_PAGE,
    GROWN,
    GUESSED,
    IN_ORDER,
    LANDMARK,
    LAST_PAGE,
    LIST_END,
    LISTED,
    MOST_SKIPS,
    MOVED_ALONE,
    MOVED_IN,
    NOTES_ON_EMPTY_BOARDS,
    PAGES_READ,
    PASSED,
    READ_OLDER,
    REST,
    SHOWN,
    SKIPS,
    STOOD_STILL,
    SURELY_CHANGED,
    UNSEEN_NEWS,
    VISITED,
    Change,
    RowState,
    state_of_row,
    stored_state,
)
from threadmill.crawl.forum.rows.thread_reactivation import IndexPlace, OldThreads
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
from threadmill.store.forum.posts import newest_post_date, post_dates
from threadmill.store.forum.threads import count_threads, find_threads, holds_threads

_log = logging.getLogger("threadmill.crawl")
# Chance of news. On 36 random forums with lists by creation 0.03 instead of 0.1 costs 0.5 % more pages. The
# last pages of a list are few: with 0.01 for them, two of 109 random forums miss something in three crawls,
# with 0.03 sixteen, and a crawl reads 0.6 pages more (lists by creation, no counters of boards).
_WORTH_OF_OLDER_PAGE = 0.03
_FEW_PAGES, _WORTH_OF_FEW = 10, 0.01
_NEARLY_ALL = 0.95  # of the threads: a few were moved or found elsewhere
_MIN_QUIET_END = 3  # rows at the end of a page; one or two may have old dates by chance
_MOST_IN_ORDER = 200  # threads of a list whose order is remembered; so many show by what it is sorted
_NO_COUNTERS = frozenset((None,))
_NOTICES = frozenset(("login", "message"))  # why the page of a board for members shows no list
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
            self._look_back(board)
        rows = ThreadRows(self._connection, self._forum, self._knowledge, board, seen, old)
        read = rows.compare_all(linked)
        dates = rows.dates_by_url(read)
        layout.record_index_order(list(linked.threads.values()), dates)
        if not self._knowledge.just_learnt:
            old.in_boxes |= rows.find_answered_in_boxes(linked, read, analysis.now)
            self._note_quiet_time(board, read, dates, old)
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
            if not is_start and _is_unexplained(noted, news):
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
        if board.said.get(CLOSED) in _NOTICES and classify_page(analysis).reason in _NOTICES:
            linked = LinkedRows({}, {}, {})  # beside the notice may be a box of the latest threads
        if board.url == layout.model.entry:
            if _is_list_of_boards(linked) and not layout.model.start_lists_latest:
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

    def _look_back(self, board: BoardState) -> None:
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
            if noted[LIST_END] != "pager" and ends_with_page(
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


def _is_list_of_boards(linked: LinkedRows) -> bool:
    """Is a start page a list of boards? It says more about boards than about threads.

    A page that lists threads may have a menu with mere links to the boards.
    """
    if len(linked.boards) < _MIN_BOARD_LIST:
        return False
    boards = sum(state_of_row(row) != RowState() for row in linked.boards.values())
    threads = sum(state_of_row(row) != RowState() for row in linked.threads.values())
    return boards >= _MIN_BOARD_LIST or not threads


def _is_unexplained(noted: dict[str, Any], news: int) -> bool:
    """Does the row of a board tell of more posts than its threads, or of news that they do not have?"""
    if GROWN in noted:
        return bool(noted[GROWN] > noted[FOUND] - noted.get(MOVED_IN, 0))
    return bool(noted.get(SURELY_CHANGED)) and not news


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
        if not read.rows or not _shows_others(read, noted):
            return None
        just_learnt = self._knowledge.just_learnt
        oldest_first = not just_learnt and self._is_oldest_first(read)
        if just_learnt or oldest_first or not self._may_be_by_creation():
            goes_on = just_learnt or oldest_first or self._goes_on_by_activity(read, noted)
            return paging.next if goes_on else None
        earlier = noted.get(PAGES_READ, [])
        number = int(noted.pop(AHEAD, None) or paging.number or len(earlier) + 1)
        noted[PAGES_READ] = [*earlier, number]
        noted[FULL_PAGE] = max(noted.get(FULL_PAGE, 0), len(read.rows))
        if paging.next is None:
            noted[LAST_PAGE] = number
        page, url = self._choose_by_creation(board, paging, read, noted, now)
        noted[AHEAD] = page
        return url

    def _may_be_by_creation(self) -> bool:
        """May a list be sorted by creation? Where messages have pages of their own, the model is no proof.

        It was learnt from the dates of messages, and not from those of conversations.
        """
        layout = self._knowledge.layout
        untold = self._knowledge.rows.shows_single_messages() and not layout.order.votes
        return layout.sorted_by_creation or untold

    def _choose_by_creation(
        self, board: int, paging: Paging, read: ComparedRows, noted: dict[str, Any], now: datetime
    ) -> tuple[int, str | None]:
        """The number and the URL of the next page of a list that may be sorted by creation."""
        last, number = read.last, noted[PAGES_READ][-1]
        following = number + 1, paging.next
        noted.pop(UNSEEN_NEWS, None)
        by_activity = self._knowledge.layout.index_order is None  # perhaps
        if last not in read.known or (by_activity and self._goes_on_by_activity(read, noted)):
            return following
        missing = noted.get(GROWN, 0) - noted[FOUND]
        if self._is_complete(noted, missing):
            noted[COMPLETE_AT] = now.isoformat()
            return number, None
        since = datetime.fromisoformat(noted[COMPLETE_AT]) if COMPLETE_AT in noted else None
        shown = tuple(read.known[key] for key in read.in_order if key in read.known)
        place = IndexPlace(read.known[last], number, noted[FULL_PAGE], shown)
        chances = self._old.chances_by_page(self._connection, board, place, now, since)
        if chances is None:
            if missing > 0 or self._was_worthwhile(read, noted):
                return following
            noted[UNSEEN_NEWS] = float(paging.next is not None)
            return number, None
        # Threads that seem to be below the last page are deleted, or on another board.
        bottom = noted.get(LAST_PAGE, max(chances, default=0))
        unread = {
            page: chance
            for page, chance in chances.items()
            if page not in noted[PAGES_READ] and page <= bottom
        }
        if missing <= 0:
            worth = _WORTH_OF_OLDER_PAGE if len(unread) > _FEW_PAGES else _WORTH_OF_FEW
            noted[UNSEEN_NEWS] = round(1 - math.prod(1 - chance for chance in unread.values()), 3)
            return _likeliest_page(unread, paging, number, worth)
        likeliest = _likeliest_page(unread, paging, number, 0.0)
        if likeliest[1] is None:  # the missing posts may be in a thread that was never seen
            return following if following[1] and number + 1 not in noted[PAGES_READ] else _passed_page(noted)
        if likeliest[0] > number + 1 and paging.next:
            noted.setdefault(PASSED, list(following))
        return likeliest

    def _goes_on_by_activity(self, read: ComparedRows, noted: dict[str, Any]) -> bool:
        """May threads below the last row of a list by activity have news?"""
        if read.ends_unchanged:
            return self._misses_posts(read, noted)
        return not self._is_complete(noted, noted.get(GROWN, 0) - noted[FOUND])

    def _misses_posts(self, read: ComparedRows, noted: dict[str, Any]) -> bool:
        """Does the row of the board count more new posts than were found, on a page that had some?

        Then the last row was not in the order of the page: a sticky thread without a mark, or a moved one. If
        its date says that it is, the posts came with an old thread that was moved to this board.
        """
        told = read.told_before or any(change is not Change.SAME for change in read.changes.values())
        if not told or noted.get(GROWN, 0) <= noted[FOUND] or not self._knowledge.rows.trusts_growth():
            return False
        return not (self._knowledge.rows.shows_last_dates() and _ends_in_order(read))

    def _is_oldest_first(self, read: ComparedRows) -> bool:
        """Does a list of single messages show the oldest first, so that new ones stand on its last page?"""
        known = [key for key in read.in_order if key in read.known]
        if len(known) < 2 or not self._knowledge.rows.shows_single_messages():
            return False
        if read.in_order[: len(known)] != known:  # a new message above a known one
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


def _ends_in_order(read: ComparedRows) -> bool:
    """Do several rows without news end the page, with the oldest dates of all and in their order?"""
    rows = [read.rows[key].active for key in read.in_order]
    dates = [sort_key(moment) for moment in rows if moment]
    quiet = read.in_order[-_MIN_QUIET_END:]
    unchanged = all(read.changes[key] is Change.SAME and key not in read.told_before for key in quiet)
    if len(dates) < len(rows) or len(quiet) < _MIN_QUIET_END or not unchanged:
        return False
    end = sorted(dates, reverse=True)[-_MIN_QUIET_END:]
    return dates[-_MIN_QUIET_END:] == end


def _shows_others(read: ComparedRows, noted: dict[str, Any]) -> bool:
    """Does a page list other threads than pages read before in this visit? Then the list goes on.

    Pages behind the end repeat the last page. A wrong next page may lead round in a circle: the page is also
    compared with the one whose number was the last power of two, so that every circle ends (Brent's method).
    In the first crawl it does not matter that threads are known: another list may have shown them.
    """
    earlier, landmark = set(noted.get(SHOWN, ())), set(noted.get(LANDMARK, ()))
    shown = list(read.rows)
    noted[SHOWN] = shown
    noted[VISITED] = int(noted.get(VISITED, 0)) + 1
    if not noted[VISITED] & (noted[VISITED] - 1):
        noted[LANDMARK] = shown
    return not (read.rows.keys() <= earlier or read.rows.keys() <= landmark)


def _passed_page(noted: dict[str, Any]) -> tuple[int, str | None]:
    """The page that was passed over on the way to likelier ones. The last page may have no link to it."""
    number, url = noted.pop(PASSED, (0, None))
    return (0, None) if number in noted[PAGES_READ] else (int(number), url)


def _likeliest_page(
    chances: dict[int, float], paging: Paging, number: int, worth: float
) -> tuple[int, str | None]:
    """The number and the URL of the page that most probably has news, if its chance exceeds `worth`.

    If it has no URL, the next page leads to it: then the mean chance of the pages on the way counts.
    """
    for page, chance in sorted(chances.items(), key=lambda item: -item[1]):
        named = paging.next if page == number + 1 else paging.url_of(page)
        if chance > worth and named:
            return page, named
    ahead = (chances.get(page, 0.0) for page in range(number + 1, max(chances, default=0) + 1))
    best = max((total / steps for steps, total in enumerate(accumulate(ahead), 1)), default=0.0)
    return number + 1, paging.next if best > worth else None
