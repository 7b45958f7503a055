"""Compares the posts that are kept with those that the forum claims, board by board and thread by thread.

Forums say how much they have: in the rows of boards and threads, in pagers, in statistics boxes. A counter is
believed once it was right somewhere. Where nothing is claimed, the account is "unknown" and never "complete".
It is "incomplete" where threads show text of their own that no post has, unless these are few and the counter
of their board is right to the post, and where links were not followed although links like them lead to posts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from sqlalchemy import Connection

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    COMPARED_IN,
    EMPTY_THREAD,
    GUESSED,
    LIST_END,
    SHOWN_BY,
    SKIPS,
    UNSEEN_NEWS,
    RowState,
    stored_state,
)
from threadmill.forum.paging.thread_walk import first_position_on_page
from threadmill.store.forum.accounts import ThreadHolding, thread_holdings
from threadmill.store.forum.activity import all_boards
from threadmill.store.forum.forums import BoardState
from threadmill.types import UNREAD_TEXT, AccountLine, CrawlAccount

COMPLETE, INCOMPLETE, UNKNOWN = "complete", "incomplete", "unknown"
# Edited, hidden and moved posts make counters differ a little: on the recorded and simulated forums by up to
# 1 % after a year.
ENOUGH = 0.98
_ALL = 0.995  # where the rows of threads count exactly, and name the threads that lack posts
_MIN_RIGHT = 5  # posts of a board; a smaller number may agree by chance
_MOST_THREADS = 1000  # threads with missing posts that an account names
_MOST_NAMED = 5  # boards that a note names
_FAR_TOO_FEW = 0.5  # of the claimed posts: even a counter that was never right is a warning
# Why a board is closed to guests. A page with much text and no rows may be one that was not understood.
_SHUT = re.compile(r"status \d+|robots|forbidden|login|message|empty shell")
_SHUT_WORDS = {"login": "asks to log in", "message": "shows a message", "robots": "closed by robots.txt"}
_UNREAD = "its page shows text of its own that no post has"
_LIKELY = 0.05  # chance of unseen news (set by hand); below it, a list counts as read
_PLAUSIBLE = 0.9  # of the threads: a number that is at least the posts kept, and not many times as large


def take_account(connection: Connection, forum: int, knowledge: ForumKnowledge) -> CrawlAccount:
    """The account of a forum as it is stored now."""
    threads = list(thread_holdings(connection, forum))
    return settle(all_boards(connection, forum), threads, knowledge)


def settle(
    boards: Sequence[BoardState], threads: Sequence[ThreadHolding], knowledge: ForumKnowledge
) -> CrawlAccount:
    """The account of stored boards and threads."""
    lost = _find_lost_boards(boards)
    shown = [one for one in threads if one.board not in lost]
    claims = _ThreadClaims(knowledge, threads)
    holdings = _hold_boards([one for one in boards if one.id not in lost], shown, claims)
    account = _Account(holdings, _BoardCounters(holdings), claims, knowledge)
    for board in lost.values():
        kept = sum(one.kept for one in threads if one.board == board.id)
        account.note(f"the forum no longer shows {board.title or board.url}: {kept:,} posts of it are kept")
    return account.close(shown)


def _find_lost_boards(boards: Sequence[BoardState]) -> dict[int, BoardState]:
    """Boards whose row is gone from the page that used to show it, although it shows other boards.

    A board that was read since then is there: only its row could not be read.
    """
    latest: dict[object, int] = {}  # by board, the last run that compared a row of its page
    for one in boards:
        above, run = one.said.get(SHOWN_BY), one.said.get(COMPARED_IN)
        if isinstance(run, int):
            latest[above] = max(run, latest.get(above, 0))
    return {
        one.id: one
        for one in boards
        if isinstance(run := one.said.get(COMPARED_IN), int)
        and SKIPS not in one.said
        and max(run, one.visited_run or 0) < latest[one.said.get(SHOWN_BY)]
    }


class _ThreadClaims:
    """How many posts each thread claims to have, by its row or its pager."""

    def __init__(self, knowledge: ForumKnowledge, threads: Iterable[ThreadHolding]) -> None:
        self._rows, self._layout = knowledge.rows, knowledge.layout
        self.believed = self._rows.post_counter is not None
        self.exact = self._rows.counts_exactly()
        # Rows that are one below the posts kept count replies: then no opening post was missed.
        self.exact_replies = self.exact and (self._rows.post_counter or ("", 0))[1] == 1
        self._replies = not self.believed and self._are_replies(threads)

    def _are_replies(self, threads: Iterable[ThreadHolding]) -> bool:
        """May the first number of the rows count replies, although it was never right?"""
        pairs = [(one.kept, int(one.said.get("count") or 0) + 1) for one in threads if one.kept]
        fitting = sum(kept <= claimed <= 3 * kept + 3 for kept, claimed in pairs)
        return fitting >= _PLAUSIBLE * len(pairs)

    def of(self, one: ThreadHolding) -> int | None:
        """The posts that a thread claims. None if nothing says."""
        if one.gone and not one.said.get(EMPTY_THREAD):
            return one.kept
        state = stored_state(one.said)
        total = self._rows.total_posts(state)
        if total is None and self._replies and state.count is not None:
            total = state.count + 1
        if total is None and one.pages > 1 and self._layout.posts_per_page and self._layout.has_fixed_pages:
            size, first = self._layout.posts_per_page, self._layout.posts_on_first_page
            total = first_position_on_page(one.pages, size, first)
        return total


@dataclass(slots=True)
class _BoardHolding:
    """What is kept of one board, without the boards below it."""

    board: BoardState
    row: RowState
    kept: int = 0
    threads: int = 0
    claimed_by_threads: int = 0
    unknown_threads: int = 0  # threads that claim nothing
    below: list[_BoardHolding] = field(default_factory=list)

    def all_below(self) -> Iterator[_BoardHolding]:
        """The board and all boards below it."""
        seen, stack = set(), [self]
        while stack:
            one = stack.pop()
            if one.board.id not in seen:
                seen.add(one.board.id)
                yield one
                stack += one.below


def _hold_boards(
    boards: Sequence[BoardState], threads: Iterable[ThreadHolding], claims: _ThreadClaims
) -> list[_BoardHolding]:
    # A row of a page that only looked like a list of boards claims nothing.
    rows = {one.id: RowState() if one.said.get(GUESSED) else stored_state(one.said) for one in boards}
    holdings = {board.id: _BoardHolding(board, rows[board.id]) for board in boards}
    for holding in holdings.values():
        if holding.board.parent in holdings:
            holdings[holding.board.parent].below.append(holding)
    for one in threads:
        if one.board in holdings:
            holding, claimed = holdings[one.board], claims.of(one)
            holding.kept += one.kept
            holding.threads += not one.gone
            holding.unknown_threads += claimed is None
            holding.claimed_by_threads += max(one.kept, claimed or 0)
    return list(holdings.values())


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the numbers of board rows."""

    column: str = "count"
    replies_only: bool = False  # opening posts are not counted
    with_boards_below: bool = False

    def value(self, one: _BoardHolding) -> int | None:
        """The posts that a row claims, for the board alone or with those below it."""
        number = one.row.count if self.column == "count" else one.row.other
        return None if number is None else number + self.replies_only * self._count(one, "threads")

    def kept(self, one: _BoardHolding) -> int:
        """The posts that are kept of what the row counts."""
        return self._count(one, "kept")

    def _count(self, one: _BoardHolding, what: str) -> int:
        return sum(getattr(each, what) for each in (one.all_below() if self.with_boards_below else (one,)))

    def is_right(self, one: _BoardHolding) -> bool:
        """Does the row claim what is kept, and is that no chance?"""
        value, kept = self.value(one), self.kept(one)
        return value is not None and kept >= _MIN_RIGHT and abs(value - kept) <= max(kept // 50, kept >= 30)


class _BoardCounters:
    """Which number of a board's row counts posts, and whether it was ever right."""

    def __init__(self, holdings: Sequence[_BoardHolding]) -> None:
        self._holdings = holdings
        readings = [_Reading(*choice) for choice in product(("count", "other"), (False, True), (False, True))]
        scores = {reading: sum(map(reading.is_right, holdings)) for reading in readings}
        self.reading = max(readings, key=lambda reading: scores[reading])
        self.believed = scores[self.reading] > 0
        if not self.believed:
            sums = {name: sum(getattr(one.row, name) or 0 for one in holdings) for name in ("count", "other")}
            column = max(sums, key=lambda name: sums[name])  # a board has more posts than threads
            self.reading = _Reading(column, with_boards_below=_counts_below(holdings, column))

    def own_claim(self, one: _BoardHolding) -> int | None:
        """The posts that the row claims for the board without the boards below it."""
        value = self.reading.value(one)
        if value is None:
            return None
        if not self.reading.with_boards_below:
            return one.kept if self._counts_another(one, value - one.kept) else value
        below = [self.reading.value(each) or self.reading.kept(each) for each in one.below if each is not one]
        return max(0, value - sum(below))

    def _counts_another(self, one: _BoardHolding, surplus: int) -> bool:
        """Does a row count just the posts of another board too, which is below it without our knowledge?"""
        return min(surplus, one.kept) >= _MIN_RIGHT and any(
            other is not one and surplus in {other.kept, self.reading.value(other)}
            for other in self._holdings
        )


def _counts_below(holdings: Sequence[_BoardHolding], column: str) -> bool:
    """Does every row count at least as much as the rows of the boards below it?"""
    parents = [one for one in holdings if one.below and getattr(one.row, column)]
    return bool(parents) and all(
        getattr(one.row, column) >= sum(getattr(each.row, column) or 0 for each in one.below)
        for one in parents
    )


def _count_empty_threads(threads: Sequence[ThreadHolding]) -> int:
    """Threads whose pages came without posts. 0 if they are so few that they may be deleted or empty."""
    empty = sum(not one.kept and (one.empty or bool(one.said.get(EMPTY_THREAD))) for one in threads)
    return empty if empty > (1 - ENOUGH) * len(threads) else 0


class _Account:
    """Joins the claims of boards, threads and the statistics box."""

    def __init__(
        self,
        holdings: Sequence[_BoardHolding],
        counters: _BoardCounters,
        claims: _ThreadClaims,
        knowledge: ForumKnowledge,
    ) -> None:
        self._holdings = holdings
        self._counters = counters
        self._claims = claims
        self._stated = knowledge.site.stated_posts
        self._longest_list = knowledge.layout.longest_list
        self._sources: dict[str, None] = {}
        self._notes: list[str] = []
        self._overruled = 0
        self._open_lists: list[_BoardHolding] = []  # boards without a claim whose lists may go on
        self._doubtful = False  # do posts miss by counters that were never right
        self._texts = knowledge.site.unread
        self._unread: set[str] = set()  # threads with text of their own that no post has
        self._unfollowed = knowledge.site.unfollowed
        self._empty_threads = 0

    def note(self, sentence: str) -> None:
        """Add a note."""
        self._notes.append(sentence)

    def close(self, threads: Sequence[ThreadHolding]) -> CrawlAccount:
        """Make the account."""
        self._unread = self._find_unread(threads)
        self._empty_threads = _count_empty_threads(threads)
        lines = [self._board_line(one) for one in self._holdings]
        known = {one.board.id for one in self._holdings}
        loose = [one for one in threads if one.board not in known]
        kept = sum(one.kept for one in threads)
        claims = [line.claimed for line in lines if line.claimed is not None]
        if "board rows" not in self._sources:  # otherwise the boards claim them too
            claims += [claim for one in loose if (claim := self._claims.of(one)) is not None]
        claimed = max(sum(claims), kept) if any(claims) else None
        short = sorted(self._short_threads(threads), key=lambda line: -line.missing)
        if claimed is not None and not short:
            claimed = max(kept, min(claimed, self._sum_of_rows()))
        claimed = self._with_hidden(lines, claimed)
        claimed = self._with_stated(kept, claimed)
        verdict = INCOMPLETE if self._unread or self._unfollowed else self._judge(kept, claimed, short)
        if self._unread and (claimed is None or claimed < kept + len(self._unread)):
            claimed = kept + len(self._unread)  # one post for each thread that was looked at
            self._sources[UNREAD_TEXT] = None
        if self._unfollowed:
            claimed = max(claimed or 0, kept + self._unfollowed)  # one post for each link
            self._notes.append(
                f"{self._unfollowed:,} links of lists were not followed; links like them lead to posts"
            )
        if verdict == INCOMPLETE and claimed is not None:
            self._name_losses(lines, short, claimed - kept)
        if self._overruled:
            self._notes.append(
                f"boards whose rows claim more posts than there are: {self._overruled}; their lists were "
                "read to the end, and their threads have all posts that the rows of the threads claim"
            )
        return CrawlAccount(
            verdict,
            kept,
            claimed,
            tuple(self._sources),
            tuple(lines),
            tuple(short[:_MOST_THREADS]),
            len(short),
            tuple(self._notes),
        )

    def _find_unread(self, threads: Sequence[ThreadHolding]) -> set[str]:
        """The threads with text of their own that no post has, unless a counter proves that none is missing.

        Where a layout hides its first posts, most threads show such text, and a counter of replies may be
        right. Where a few show it, no counter of a board can be right to the post while these lack one. Nor
        can a counter of replies be just one below the posts of a thread that lacks its first post.
        """
        found = self._texts.find_threads()
        if self._claims.exact_replies:
            found -= {one.url for one in threads if self._claims.of(one) == one.kept}
        if 2 * len(found) > len(self._texts.threads) or not self._counters.believed:
            return found
        reading = self._counters.reading
        proved = {
            one.board.id
            for one in self._holdings
            if one.kept >= _MIN_RIGHT and reading.value(one) == reading.kept(one)
        }
        return found - {one.url for one in threads if one.board in proved}

    def _sum_of_rows(self) -> int:
        """The posts that the rows of all boards claim together, where some threads may be kept with others.

        A box of the latest threads may have shown a thread before its board did.
        """
        claims = ((self._counters.own_claim(one), one.kept) for one in self._holdings)
        return sum(kept if claim is None else claim for claim, kept in claims)

    def _board_line(self, one: _BoardHolding) -> AccountLine:
        by_row = self._counters.own_claim(one)
        by_threads = one.claimed_by_threads if one.threads and one.unknown_threads < one.threads else None
        claimed = by_threads
        is_open = bool(one.threads) and not self._has_ended(one)
        if by_row is not None and not self._is_overruled(one, by_row):
            claimed = max(by_row, by_threads or 0)
            self._sources["board rows"] = None
            self._doubtful |= not self._counters.believed and by_row > (by_threads or one.kept)
            is_open &= by_row < ENOUGH * one.kept  # it counts threads or people, which ends no list
        if is_open:
            self._open_lists.append(one)
        if by_threads is not None:
            self._sources["thread rows"] = None
        reason = one.board.said.get(CLOSED, "")
        if claimed is not None:
            claimed = max(claimed, one.kept)
        return AccountLine(one.board.url, one.board.title, one.kept, claimed, reason)

    def _is_overruled(self, one: _BoardHolding, by_row: int) -> bool:
        """Is the row of a board wrong, by its threads and the end of its list?"""
        ended = self._has_ended(one)
        whole = one.claimed_by_threads <= one.kept / ENOUGH and not one.unknown_threads
        wrong = bool(one.kept) and by_row > one.kept / ENOUGH and ended and whole and self._claims.exact
        self._overruled += wrong
        return wrong

    def _has_ended(self, one: _BoardHolding) -> bool:
        """Was the last page of a board read, by its links or because it is shorter than other pages?"""
        end = one.board.said.get(LIST_END)
        return end in {"pager", "links"} or (isinstance(end, int) and end < self._longest_list)

    def _with_hidden(self, lines: Sequence[AccountLine], claimed: int | None) -> int | None:
        """The claimed posts without those of boards that are closed to guests."""
        closed = [line for line in lines if line.claimed and not line.kept and _SHUT.fullmatch(line.reason)]
        hidden = sum(line.missing for line in closed)
        if claimed is None or not hidden or hidden == claimed:
            return claimed
        names = ", ".join(
            f"{line.title or line.url} ({_SHUT_WORDS.get(line.reason, line.reason)})"
            for line in closed[:_MOST_NAMED]
        )
        self._notes.append(f"about {hidden:,} posts are not open to guests: {names}")
        return claimed - hidden

    def _with_stated(self, kept: int, claimed: int | None) -> int | None:
        """The claimed posts. The statistics box counts if nothing else does, or if it is right."""
        stated = self._stated
        if stated is None:
            return claimed
        if stated and abs(stated - kept) <= (1 - ENOUGH) * stated and kept >= _MIN_RIGHT:
            self._sources["statistics box"] = None
            if not self._claims.believed and not self._counters.believed:
                return max(kept, stated)  # the numbers of rows were never right, this one is
        elif claimed is None and stated >= ENOUGH * kept:  # a smaller number counts something else
            self._sources["statistics box"] = None
            self._doubtful = True
            return stated
        return claimed

    def _judge(self, kept: int, claimed: int | None, short: Sequence[AccountLine]) -> str:
        if claimed is None:
            self._has_unseen_news()
            return UNKNOWN
        right = self._claims.believed or self._counters.believed or "statistics box" in self._sources
        in_threads = sum(line.missing for line in short)
        lacks_few = self._claims.exact and min(in_threads, claimed - kept) > (1 - _ALL) * claimed
        if kept >= ENOUGH * claimed and not lacks_few:
            unproved = self._lists_may_go_on(kept) or self._has_unseen_news() or self._has_empty_threads()
            return COMPLETE if right and not unproved else UNKNOWN
        if self._doubtful and kept > _FAR_TOO_FEW * claimed and in_threads <= (1 - ENOUGH) * claimed:
            return UNKNOWN
        return INCOMPLETE

    def _lists_may_go_on(self, kept: int) -> bool:
        """Do only the listed threads claim anything, while nothing tells that their lists have ended?"""
        open_posts = sum(one.kept for one in self._open_lists)
        if "statistics box" in self._sources or open_posts <= (1 - ENOUGH) * kept:
            return False
        names = ", ".join(one.board.title or one.board.url for one in self._open_lists[:_MOST_NAMED])
        self._notes.append(f"nothing tells whether these lists of threads have ended: {names}")
        return True

    def _has_unseen_news(self) -> bool:
        """May old threads have news, in lists by creation that were not read whole?"""
        if self._counters.believed or "statistics box" in self._sources:
            return False
        likely = [one for one in self._holdings if one.board.said.get(UNSEEN_NEWS, 0.0) > _LIKELY]
        if likely:
            names = ", ".join(one.board.title or one.board.url for one in likely[:_MOST_NAMED])
            self._notes.append(f"old threads of these lists were not looked at, and may have news: {names}")
        return bool(likely)

    def _has_empty_threads(self) -> bool:
        """Do pages that were listed as threads show no posts, while nothing counts the posts of boards?"""
        if not self._empty_threads or self._counters.believed or "statistics box" in self._sources:
            return False
        self._notes.append(f"{self._empty_threads:,} pages that lists show as threads show no posts")
        return True

    def _short_threads(self, threads: Iterable[ThreadHolding]) -> Iterator[AccountLine]:
        for one in threads:
            claimed = self._claims.of(one)
            unread = one.url in self._unread and one.kept > 0
            if unread:
                claimed = max(claimed or 0, one.kept + 1)
            if claimed is not None and claimed > one.kept:
                reason = "" if one.kept else "its page shows no posts"
                if unread:
                    reason = _UNREAD
                if one.due and not one.empty:
                    reason = "its page was not read"
                yield AccountLine(one.url, one.title, one.kept, claimed, reason)

    def _name_losses(self, lines: Sequence[AccountLine], short: Sequence[AccountLine], missing: int) -> None:
        """Notes on where posts are missing: in which boards, and on which kind of page."""
        worst = sorted((line for line in lines if line.missing), key=lambda line: -line.missing)
        if worst:
            named = "; ".join(
                f"{line.title or line.url} (kept {line.kept:,} of {line.claimed:,})"
                for line in worst[:_MOST_NAMED]
            )
            more = f"; and {len(worst) - _MOST_NAMED} more boards" if len(worst) > _MOST_NAMED else ""
            self._notes.append(f"posts are missing in: {named}{more}")
        by_reason: dict[str, int] = defaultdict(int)
        for line in short:
            by_reason[line.reason or "its pages show fewer posts than its row claims"] += line.missing
        for reason, count in sorted(by_reason.items(), key=lambda item: -item[1]):
            self._notes.append(f"{count:,} posts in listed threads: {reason}")
        unlisted = missing - sum(by_reason.values())
        if unlisted > 0:
            self._notes.append(f"about {unlisted:,} posts in threads that no list page showed")
