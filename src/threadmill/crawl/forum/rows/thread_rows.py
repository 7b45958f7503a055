"""Compares the rows of threads with what they said before, and makes changed threads due."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import LATER, ForumKnowledge
from threadmill.crawl.forum.rows.linked_rows import LinkedRows
from threadmill.crawl.forum.rows.row_state import (
    EXCESS,
    FALLEN,
    GROWN,
    SEEN_AT,
    STOOD_STILL,
    SURELY_CHANGED,
    TOLD_BY_BOX,
    Change,
    RowState,
    compare,
    compare_with_post,
    state_of_row,
    stored_state,
    with_count_of_same_column,
)
from threadmill.crawl.forum.rows.thread_reactivation import OldThreads
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.paging.thread_walk import KnownThread, ThreadWalk, find_first_unseen_page
from threadmill.store.forum.forums import BoardState
from threadmill.store.forum.posts import holds_post, newest_post_date, newest_post_id, post_dates
from threadmill.store.forum.threads import ThreadState, add_thread, change_thread, find_threads
from threadmill.types import ThreadRow

_log = logging.getLogger("threadmill.crawl")
_NUMBER = re.compile(r"\d+")
WORTH_OF_SILENT_THREAD = 0.1  # chance of news; such a thread brings several pages if it has some
_FEW_ROWS = 2  # of a list; the columns of a longer one are recognised
_MOST_DATED = 0.8  # of the rows of a page
_FEW_DELETED = 2  # posts; if more are gone, the thread was split or cleaned up


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """What the rows of the threads of a page said."""

    rows: dict[str, ThreadRow]  # by key, in the order of the page
    changes: dict[str, Change]
    known: dict[str, int]  # ids of threads that were known before
    new: int  # new threads, also those that have a link but no row
    gained: int = 0  # posts that the rows have gained
    moved_in: int = 0  # posts of threads that were on another board before
    told_before: frozenset[str] = frozenset()  # threads whose news another page told in this run
    silent: frozenset[str] = (
        frozenset()
    )  # threads whose rows say less than their own lists do, without a date

    @property
    def last(self) -> str:
        """The key of the last thread that is in the order of the page."""
        return (self.in_order or list(self.rows))[-1]

    @property
    def ends_unchanged(self) -> bool:
        """Has the last thread no news, neither by this page nor by another one of this run?"""
        return self.changes[self.last] is Change.SAME and self.last not in self.told_before

    @property
    def in_order(self) -> list[str]:
        """The threads that are in the order of the page: neither sticky nor moved.

        Where nearly all rows have dates, one without a date stands in a box.
        """
        plain = [key for key, row in self.rows.items() if not row.sticky and not row.moved]
        dated = [key for key in plain if self.rows[key].active or self.rows[key].created]
        return dated if len(dated) >= _MOST_DATED * len(plain) else plain


class ThreadRows:
    """Compares the rows of one page with the store, in the transaction of the caller."""

    def __init__(  # noqa: PLR0917 -- all that rows are compared with
        self,
        connection: Connection,
        forum: int,
        knowledge: ForumKnowledge,
        board: BoardState,
        seen: str,
        old: OldThreads | None = None,
    ) -> None:
        self._connection = connection
        self._forum = forum
        self._layout = knowledge.layout
        self._rows = knowledge.rows
        self._knowledge = knowledge
        self._board = board
        self._seen = seen  # the time at the site
        self._old = old
        self._above_news: frozenset[str] = frozenset()  # keys of threads above a new one
        self._gained = self._moved_in = 0
        self._silent: set[str] = set()
        self._counted = False  # do the rows of the page have counters
        self._columns_unread = False  # were the columns of the page not recognised, although it has news

    def compare_all(self, linked: LinkedRows) -> ComparedRows:
        """Add new threads, and compare the rows of known ones."""
        rows = {**linked.threads, **linked.links}
        known = find_threads(self._connection, self._forum, rows)
        changes: dict[str, Change] = {}
        self._counted = any(row.replies is not None for row in linked.threads.values())
        self._columns_unread = self._lacks_columns(linked)
        self._above_news = self._find_above_news(linked, known)
        lost = self._find_lost_columns(linked, known)
        for key, row in rows.items():
            state = known.get(key)
            if state is None:
                self._add_thread(key, row)
                changes[key] = Change.CHANGED
                self._gained += (self._count(state_of_row(row)) or 1) if key in linked.threads else 0
            elif key in linked.threads:
                self._count_gain(state, state_of_row(row))
                is_own = state.posts and state.due is None and state.board == self._board.id
                opens = key in lost and self._is_worth_opening(state)
                compare_row = (
                    self._open_thread if is_own and (self._columns_unread or opens) else self._compare_row
                )
                changes[key] = compare_row(state, row)
        told = frozenset(key for key, state in known.items() if state.due is not None)
        ids = {key: state.id for key, state in known.items()}
        new = len(rows.keys() - known.keys())
        silent = frozenset(self._silent)
        return ComparedRows(linked.threads, changes, ids, new, self._gained, self._moved_in, told, silent)

    def _lacks_columns(self, linked: LinkedRows) -> bool:
        """Has a short list no counters, although other lists have some and its board has news?

        Columns are recognised by comparing rows. A list with one row may be read as a mere link.
        """
        said, rows = self._board.said, linked.threads.values()
        if len(rows) > _FEW_ROWS or not (said.get(SURELY_CHANGED) or said.get(GROWN)):
            return False
        shown = [state_of_row(row) for row in rows]
        counted = any(self._rows.total_posts(row) is not None for row in shown)
        return (self._rows.counts_exactly() and not counted) or all(row == RowState() for row in shown)

    def _find_lost_columns(self, linked: LinkedRows, known: Mapping[str, ThreadState]) -> set[str]:
        """The threads of this list whose rows told of news before and tell nothing now, if most are such.

        Then the page was read in another way than before. One such row is that of a box. A single message
        that was read does not change, whatever its row says.
        """
        if self._rows.shows_single_messages():
            return set()
        before = {
            key: stored_state(known[key].said)
            for key in linked.threads
            if key in known and known[key].board == self._board.id
        }
        told = {key: row for key, row in before.items() if row.count is not None or row.active is not None}
        lost = {key for key, row in told.items() if _tells_no_news(state_of_row(linked.threads[key]), row)}
        return lost if len(told) > _FEW_ROWS and 2 * len(lost) > len(told) else set()

    def _open_thread(self, state: ThreadState, row: ThreadRow) -> Change:
        """Make a thread due whose row does not tell what other rows tell."""
        walk = self._start_walk(state, row.url, state_of_row(row), 0)
        change_thread(self._connection, state.id, due=walk.url, walk=walk.as_dict())
        _log.debug("row of %s: unsure; it does not tell what rows told before", row.url)
        return Change.UNSURE

    def _find_above_news(self, linked: LinkedRows, known: Mapping[str, ThreadState]) -> frozenset[str]:
        """The threads above a new one in a list by activity: they were answered after that one began."""
        if self._layout.index_order is IndexOrder.CREATION:
            return frozenset()
        plain = [key for key, row in linked.threads.items() if not row.sticky and not row.moved]
        new = [place for place, key in enumerate(plain) if key not in known]
        return frozenset(plain[: new[-1]] if new else ())

    def _is_worth_opening(self, state: ThreadState) -> bool:
        """Should a thread be opened whose row never tells of news? By its past, if that is known."""
        looked = state.said.get(SEEN_AT)
        if self._old is None or not looked or state.key in self._above_news:
            return True
        now, then = datetime.fromisoformat(self._seen), datetime.fromisoformat(looked)
        chance = self._old.chance_of(self._connection, state.id, then, now)
        return chance is None or chance >= WORTH_OF_SILENT_THREAD

    def dates_by_url(self, read: ComparedRows) -> dict[str, tuple[str, str]]:
        """The dates of the first and the last post of threads, by the URLs of their rows.

        Threads that are new or have changed since the last look have dates after it. Threads that may have
        changed have none.
        """
        found: dict[str, tuple[str, str]] = {}
        for key, change in read.changes.items():
            if key not in read.rows or change is Change.UNSURE or key in read.told_before:
                continue
            dates = post_dates(self._connection, read.known[key]) if key in read.known else (LATER, LATER)
            if dates is not None:
                found[read.rows[key].url] = (dates[0], LATER) if change is Change.CHANGED else dates
        return {} if self._knowledge.just_learnt else found

    def find_answered_in_boxes(self, linked: LinkedRows, read: ComparedRows, now: datetime) -> set[int]:
        """Ids of threads that a box lists because they were answered. Empty unless boxes are trusted."""
        risen = self._rows.find_risen_threads(linked.box_threads, now, self._knowledge.site.last_look)
        for key in risen & read.changes.keys():
            self._rows.record_mention(news=read.changes[key] is not Change.SAME)
        if not self._rows.trusts_mentions():
            return set()
        return {state.id for state in find_threads(self._connection, self._forum, risen).values()}

    def _count(self, row: RowState) -> int | None:
        """Posts of a thread by its row. Until a counter is known, its replies and the opening post."""
        total = self._rows.total_posts(row)
        return total if total is not None or row.count is None else row.count + 1

    def _count_gain(self, state: ThreadState, row: RowState) -> None:
        """Count the posts that a known thread has gained since its row was last seen.

        A thread that was seen on another board has been moved here with all its posts, or left a stub here.
        """
        stored = with_count_of_same_column(stored_state(state.said), row)
        now, before = self._count(row), self._count(stored)
        if before is None and not state.posts:
            before = 0  # only a link in a box was seen before
            now = 1 if now is None and state.board != self._board.id else now
        if now is not None and before is not None:
            self._gained += now - before
        if state.board != self._board.id:
            self._moved_in += before or 0

    def _add_thread(self, key: str, row: ThreadRow) -> None:
        add_thread(
            self._connection,
            forum=self._forum,
            board=self._board.id,
            key=key,
            url=row.url,
            title=row.title,
            said={**state_of_row(row).as_dict(), SEEN_AT: self._seen},
            due=row.url,
            walk=ThreadWalk(row.url).as_dict(),
        )

    def _compare_row(self, state: ThreadState, row: ThreadRow) -> Change:
        """Compare a row with the stored one, store it, and make the thread due if it may have changed."""
        shown = state_of_row(row)
        shown_before = with_count_of_same_column(stored_state(state.said), shown)
        if _is_stub(row, shown, shown_before):
            return Change.SAME
        if self._says_less(state, shown, shown_before):
            return self._compare_box_date(state, row, shown)
        if shown.count is None and state.posts and self._rows.shows_single_messages():
            # Its date is that of the message itself, perhaps an age that grows.
            change_thread(self._connection, state.id, said={**state.said, SEEN_AT: self._seen})
            return Change.SAME
        if state.gone and _says_the_same(shown, shown_before):
            return Change.SAME  # another URL of a known thread, or a thread that is deleted
        now, before = self._rows.with_trusted_count(shown), self._rows.with_trusted_count(shown_before)
        change = self._judge_change(state, shown, shown_before, now, before)
        noted = {**shown.as_dict(), SEEN_AT: self._seen}
        if change is Change.UNSURE and self._is_silent(now) and not self._is_worth_opening(state):
            change = Change.SAME
            noted[SEEN_AT] = state.said[SEEN_AT]  # nothing was seen of the thread since then
        noted |= {name: state.said[name] for name in (EXCESS, FALLEN) if name in state.said}
        if now.count is not None and before.count is not None and now.count < before.count:
            noted[FALLEN] = noted.get(FALLEN, 0) + before.count - now.count
        values: dict[str, object] = {"said": noted, "title": row.title, "url": row.url}
        if not row.moved:
            values["board"] = self._board.id
        if not state.posts and state.due is not None and state.due != row.url and not state.pages:
            # Only a link to some page of the thread was known. Its own row leads to the first page.
            values |= {"due": row.url, "walk": ThreadWalk(row.url).as_dict()}
        elif change is not Change.SAME and state.due is None:
            walk = self._start_walk(state, row.url, shown, int(noted.get(FALLEN, 0)))
            still = now.count == before.count if now.count is not None and before.count is not None else None
            noted |= {STOOD_STILL: still, SURELY_CHANGED: change is Change.CHANGED}
            values |= {"due": walk.url, "walk": walk.as_dict(), "said": noted}
        _log.debug("row of %s: %s; %s, was %s, %s posts", row.url, change, shown, shown_before, state.posts)
        change_thread(self._connection, state.id, **values)
        return change

    def _judge_change(
        self, state: ThreadState, shown: RowState, shown_before: RowState, now: RowState, before: RowState
    ) -> Change:
        """Has the thread changed? `now` and `before` hold trusted counts, the others all that was shown."""
        by_posts = self._compare_with_posts(state, now, before, shown)
        if by_posts is not Change.UNSURE:
            self._rows.record_dates("thread", now, before)
            return by_posts
        if self._rows.shows_first_dates():
            now, before = replace(now, active=None), replace(before, active=None)
        change = self._rows.settle_by_date("thread", compare(now, before), now, state.said)
        if _fell_little(now, before) and self._rows.counts_exactly():
            change = Change.SAME
        if _fell_with_same_last_post(now, before):
            change = Change.SAME
        if change is Change.SAME and _is_rounded(shown):
            change = Change.UNSURE
        self._rows.record_dates("thread", now, before)
        if change is Change.UNSURE and self._counts_what_we_have(state, shown):
            change = Change.SAME
        grew = now.count is not None and before.count is not None and now.count > before.count
        if change is not Change.SAME and not grew and self._is_known_already(state, shown, shown_before):
            change = Change.SAME
        return change

    def _is_silent(self, row: RowState) -> bool:
        """Has a row nothing that moves with a post: neither a counter nor the date of the last post?"""
        return row.count is None and (row.active is None or self._rows.shows_first_dates())

    def _compare_with_posts(
        self, state: ThreadState, now: RowState, before: RowState, shown: RowState
    ) -> Change:
        """Does the row speak of other posts than those stored? UNSURE unless one of its signs is trusted.

        What is stored says more than what the row said before: that may have been the row of a box.
        """
        if not state.posts or state.due is not None:
            return Change.UNSURE
        count, link = self._compare_count(state, now, before, shown), self._compare_link(state, shown)
        if link is Change.SAME and count is not Change.CHANGED:
            return Change.SAME  # a later date is that of an edit, or of another time zone
        signs = (count, self._compare_date(state, shown), link)
        return next((sign for sign in (Change.CHANGED, Change.SAME) if sign in signs), Change.UNSURE)

    def _compare_count(self, state: ThreadState, now: RowState, before: RowState, shown: RowState) -> Change:
        """Does an exact counter count more posts than are stored, or has any counter grown?"""
        total = self._rows.total_posts(shown)
        is_exact = total is not None and not _is_rounded(shown) and self._rows.counts_exactly()
        if is_exact and total == state.posts and TOLD_BY_BOX in state.said:
            return Change.SAME
        if now.count is not None and before.count is not None and now.count > before.count:
            return Change.CHANGED
        # Where it is known which number counts posts, views may equal them by chance.
        stored = with_count_of_same_column(stored_state(state.said), shown)
        if not is_exact and _number_of_posts_grew(shown, stored, state.posts):
            return Change.CHANGED
        if total is None or not is_exact:
            return Change.UNSURE
        expected = state.posts + int(state.said.get(EXCESS, 0))
        if total == expected:
            return Change.SAME
        return Change.CHANGED if total > expected else Change.UNSURE

    def _compare_date(self, state: ThreadState, shown: RowState) -> Change:
        """Is the date of the row later than that of the last stored post?"""
        if shown.active is None or not self._rows.shows_last_dates():
            return Change.UNSURE
        newest = newest_post_date(self._connection, state.id)
        return compare_with_post(shown, newest) if newest else Change.UNSURE

    def _compare_link(self, state: ThreadState, shown: RowState) -> Change:
        """Does the row link to another post than the last stored one?"""
        if shown.active_url is None or not self._rows.links_last_posts():
            return Change.UNSURE
        newest = newest_post_id(self._connection, state.id)
        if newest is None:
            return Change.UNSURE
        # A thread may have the number of its first post. Its own URL names no last post.
        own = set() if "#" in shown.active_url else {*_NUMBER.findall(state.url)}
        fragment = shown.active_url.partition("#")[2]
        named = {*_NUMBER.findall(fragment or shown.active_url)} - own
        # An older post is the last one again after later ones were deleted.
        if newest in named or (fragment and holds_post(self._connection, state.id, named)):
            return Change.SAME
        is_old = shown.active_url == stored_state(state.said).active_url
        return Change.UNSURE if is_old else Change.CHANGED

    def _counts_what_we_have(self, state: ThreadState, row: RowState) -> bool:
        """Does the counter of the row equal the posts that are stored?

        A row that stands alone may be read without its columns. Then any of its numbers may be the counter.
        """
        counter = self._rows.post_counter
        total = self._rows.total_posts(row)
        if counter is None or total is not None:
            return total is not None and total == state.posts
        return state.posts > 0 and state.posts - counter[1] in {row.count, row.other}

    def _is_known_already(self, state: ThreadState, row: RowState, before: RowState) -> bool:
        """Is everything that the row shows known, although it shows it in another way?"""
        if compare(replace(row, count=None), replace(before, count=None)) is Change.CHANGED:
            return False
        read_otherwise = (row.other is None) != (before.other is None)  # the columns were read differently
        if read_otherwise and row.count is not None and row.count in {before.count, before.other}:
            return True
        return self._links_to_newest_post(state, row, before)

    def _links_to_newest_post(self, state: ThreadState, row: RowState, before: RowState) -> bool:
        """Does the row still link to the same last post, and is that the newest stored post?"""
        if row.active_url is None or row.active_url != before.active_url:
            return False
        number = newest_post_id(self._connection, state.id)
        return number is not None and number in _NUMBER.findall(row.active_url)

    def _says_less(self, state: ThreadState, row: RowState, before: RowState) -> bool:
        """Is the thread named outside its own list, in a box of latest posts? Its own row says more."""
        if row == RowState() and (
            before != RowState() or (state.posts and self._rows.post_counter is not None)
        ):
            return True  # the rows of this forum say more
        elsewhere = state.board != self._board.id or self._counted
        return elsewhere and row.count is None and before.count is not None

    def _compare_box_date(self, state: ThreadState, row: ThreadRow, shown: RowState) -> Change:
        """Compare a row outside the list of its thread. A date later than all known posts is news."""
        if shown.active is None:
            self._silent.add(state.key)
            return Change.SAME
        newest = newest_post_date(self._connection, state.id)
        if newest is None or compare_with_post(shown, newest) is not Change.CHANGED or row.moved:
            return Change.SAME
        if state.due is None:
            walk = self._start_walk(state, state.url, RowState(active_url=shown.active_url), 0)
            said = {**state.said, TOLD_BY_BOX: True, SURELY_CHANGED: True}
            change_thread(self._connection, state.id, due=walk.url, walk=walk.as_dict(), said=said)
        _log.debug("row of %s: changed; %s is after %s, its last post", row.url, shown.active, newest)
        return Change.CHANGED

    def _start_walk(self, state: ThreadState, url: str, row: RowState, fallen: int) -> ThreadWalk:
        """Choose the page of the first unseen post. Posts by which the counter has fallen are deleted."""
        held = max(state.posts - fallen, min(state.posts, 1))
        layout = self._layout
        known = KnownThread(
            url,
            held,
            state.last_page,
            layout.posts_per_page,
            layout.oldest_first,
            layout.posts_on_first_page,
            layout.overhang,
        )
        total = self._rows.total_posts(row)
        return find_first_unseen_page(
            known, total, lambda page: layout.model.threads.url_of(url, page), row.active_url
        )


def _number_of_posts_grew(row: RowState, before: RowState, posts: int) -> bool:
    """Has a number grown that was the number of stored posts or replies, whatever it is taken for?"""
    pairs = ((before.count, row.count), (before.other, row.other))
    return any(
        then is not None and now is not None and now > then and then in {posts, posts - 1}
        for then, now in pairs
    )


def _says_the_same(row: RowState, before: RowState) -> bool:
    """Has nothing moved but views?"""
    return replace(row, other=None) == replace(before, other=None)


def _is_stub(row: ThreadRow, state: RowState, before: RowState) -> bool:
    """Is this what is left of a thread on the board it was moved from? A stub shows when the thread began."""
    if before == RowState():
        return False
    earlier = state.active is not None and before.active is not None and state.active < before.active
    return row.moved or (earlier and state.active_url is None and before.active_url is not None)


def _fell_little(now: RowState, before: RowState) -> bool:
    """Has the counter fallen by one or two posts while the date did not move on?

    Then posts were deleted and none was added. Otherwise even more must have been deleted at the same time.
    """
    if now.count is None or before.count is None or not 0 < before.count - now.count <= _FEW_DELETED:
        return False
    return now.active is None or before.active is None or now.active <= before.active


def _fell_with_same_last_post(now: RowState, before: RowState) -> bool:
    """Has the counter fallen while the row links to the same post as before? Then nothing was added.

    Posts were deleted, or another column was read this time.
    """
    fell = now.count is not None and before.count is not None and now.count < before.count
    return fell and now.active_url == before.active_url and "#" in (now.active_url or "")


def _is_rounded(row: RowState) -> bool:
    """Is the counter rounded ("1.2K") without a date beside it? It stands still for a hundred posts."""
    return row.active is None and row.count is not None and row.count >= 1000 and row.count % 100 == 0


def _tells_no_news(row: RowState, before: RowState) -> bool:
    """Has a row no counter, and no date, or an earlier one than before: that of a first post?

    An age that is told in months instead of days may be an earlier date, too.
    """
    if row.count is not None:
        return False
    return row.active is None or (row.precision == before.precision and row.active < (before.active or ""))
