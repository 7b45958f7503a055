"""Chooses the next page of a board after one of its pages was read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from itertools import accumulate
from typing import Any

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    AHEAD,
    COMPLETE_AT,
    FOUND,
    FULL_PAGE,
    GROWN,
    LANDMARK,
    LAST_PAGE,
    MOVED_IN,
    PAGES_READ,
    PASSED,
    READ_OLDER,
    SEEN_AT,
    SHOWN,
    UNSEEN_NEWS,
    VISITED,
    Change,
)
from threadmill.crawl.forum.rows.thread_reactivation import IndexPlace, OldThreads, join_by_page
from threadmill.crawl.forum.rows.thread_rows import WORTH_OF_SILENT_THREAD, ComparedRows
from threadmill.forum.paging.pager import Paging
from threadmill.forum.paging.thread_walk import ThreadWalk
from threadmill.forum.records.date_columns import sort_key
from threadmill.store.forum.posts import newest_post_date
from threadmill.store.forum.threads import change_thread, find_thread

# Chance of news. On 36 random forums with lists by creation 0.03 instead of 0.1 costs 0.5 % more pages. The
# last pages of a list are few: with 0.01 for them, two of 109 random forums miss something in three crawls,
# with 0.03 sixteen, and a crawl reads 0.6 pages more (lists by creation, no counters of boards).
_WORTH_OF_OLDER_PAGE = 0.03
_FEW_PAGES, _WORTH_OF_FEW = 10, 0.01
_MIN_QUIET_END = 3  # rows at the end of a page; one or two may have old dates by chance


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
        since = datetime.fromisoformat(noted[COMPLETE_AT]) if COMPLETE_AT in noted else None
        shown = tuple(read.known[key] for key in read.in_order if key in read.known)
        place = IndexPlace(read.known[last], number, noted[FULL_PAGE], shown)
        if self._is_complete(noted, missing):
            noted[COMPLETE_AT] = now.isoformat()
            return number, None
        by_thread = self._old.chances_by_thread(self._connection, board, place, now, since)
        if by_thread is not None and missing <= 0 and self._shows_first_dates_only(read):
            noted[UNSEEN_NEWS] = self._open_likely(board, by_thread, now)
            return number, None
        if by_thread is not None:
            return self._choose_by_chance(board, paging, noted, join_by_page(by_thread.values()))
        if missing > 0 or self._was_worthwhile(read, noted):
            return following
        noted[UNSEEN_NEWS] = float(paging.next is not None or self._old.misses_posts_of(board))
        return number, None

    def _choose_by_chance(
        self, board: int, paging: Paging, noted: dict[str, Any], chances: dict[int, float]
    ) -> tuple[int, str | None]:
        """The number and the URL of the page that most probably has news, if that is worth a request."""
        number, missing = noted[PAGES_READ][-1], noted.get(GROWN, 0) - noted[FOUND]
        following = number + 1, paging.next
        # Threads that seem to be below the last page are deleted, or on another board.
        bottom = noted.get(LAST_PAGE, max(chances, default=0))
        unread = {
            page: chance
            for page, chance in chances.items()
            if page not in noted[PAGES_READ] and page <= bottom
        }
        if missing <= 0:
            worth = _WORTH_OF_OLDER_PAGE if len(unread) > _FEW_PAGES else _WORTH_OF_FEW
            # Rows that tell nothing leave their threads unseen on pages that were read, too.
            unseen = 1 - math.prod(1 - chance for page, chance in chances.items() if page <= bottom)
            noted[UNSEEN_NEWS] = 1.0 if self._old.misses_posts_of(board) else round(unseen, 3)
            return _likeliest_page(unread, paging, number, worth)
        likeliest = _likeliest_page(unread, paging, number, 0.0)
        if likeliest[1] is None:  # the missing posts may be in a thread that was never seen
            return following if following[1] and number + 1 not in noted[PAGES_READ] else _passed_page(noted)
        if likeliest[0] > number + 1 and paging.next:
            noted.setdefault(PASSED, list(following))
        return likeliest

    def _shows_first_dates_only(self, read: ComparedRows) -> bool:
        """Has no row of a page anything that moves with a post? Then other pages of the list tell nothing."""
        return (
            self._knowledge.rows.shows_first_dates()
            and self._knowledge.rows.post_counter is None
            and not any(row.numbers or row.active_url or not row.active for row in read.rows.values())
        )

    def _open_likely(self, board: int, chances: Mapping[int, tuple[int, float]], now: datetime) -> float:
        """Make the threads due that probably have news. Return the chance that another one has some."""
        oldest_first = self._knowledge.layout.oldest_first
        unseen = 1.0
        for number, (_, chance) in chances.items():
            if chance < WORTH_OF_SILENT_THREAD:
                unseen *= 1 - chance
                continue
            state = find_thread(self._connection, number)
            url = (state.last_page if oldest_first else None) or state.url
            walk = ThreadWalk(url, None, overlap=True, why="an old thread may have news")
            said = {**state.said, SEEN_AT: now.isoformat()}
            change_thread(self._connection, number, due=url, walk=walk.as_dict(), said=said)
        return 1.0 if self._old.misses_posts_of(board) else round(1 - unseen, 3)

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
