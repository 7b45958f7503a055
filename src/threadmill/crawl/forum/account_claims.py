"""What the rows of boards and threads claim to have, and which of their numbers are believed.

A number is believed once it was right somewhere. It may count replies or posts, those of a board alone or of
the boards below it too: the reading that is right most often is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from typing import Any

from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.crawl.forum.rows.row_state import (
    CLOSED,
    EMPTY_THREAD,
    GUESSED,
    SEEN_AT,
    RowState,
    stored_state,
)
from threadmill.forum.paging.thread_walk import first_position_on_page
from threadmill.forum.site_model.url_shapes import group_by_shape
from threadmill.store.forum.accounts import ThreadHolding
from threadmill.store.forum.forums import BoardState

# Edited, hidden and moved posts make counters differ a little: on the recorded and simulated forums by up to
# 1 % after a year.
ENOUGH = 0.98
MIN_RIGHT = 5  # posts of a board; a smaller number may agree by chance
_FAR_MORE = 2  # times the posts of a board: the row of the board may be older than that of its thread
_MIN_FAMILY, _FEW_CLAIMS = 4, 0.25  # pages that are no boards, and how many of them have numbers beside links
_ONE_EACH = 0.5  # of the threads lack a post; one with a single post may be read whole
_MIN_ZEROS = 2  # threads with posts whose rows count none; the row of one may be misread
_PLAUSIBLE = 0.9  # of the threads: a number that is at least the posts kept, and not many times as large


class ThreadClaims:
    """How many posts each thread claims to have, by its row or its pager."""

    def __init__(
        self,
        knowledge: ForumKnowledge,
        threads: Sequence[ThreadHolding],
        exact_boards: frozenset[int] = frozenset(),
        most: Mapping[int, int] | None = None,
    ) -> None:
        self._exact_boards = exact_boards  # whose own rows are right to the post; others may be wrong then
        self._most = most or {}  # posts that a thread of a board can have, by the row of the board
        self._rows, self._layout = knowledge.rows, knowledge.layout
        self.believed = self._rows.post_counter is not None
        self.exact = self._rows.counts_exactly()
        self._missed = int(self._misses_one_each(threads))
        # Rows that are one below the posts kept count replies: then no opening post was missed.
        self.exact_replies = self.exact and (self._rows.post_counter or ("", 0))[1] == 1
        # The row of a single message may count the answers to it, which have pages of their own.
        untold = not self.believed and not self._rows.shows_single_messages()
        self._replies = untold and self._are_replies(threads)
        self._trusts_pagers = self._are_pagers_right(threads)

    def _misses_one_each(self, threads: Iterable[ThreadHolding]) -> bool:
        """Does the counter of posts count replies, so that it is right only because each thread lacks a post?

        A counter of posts is never 0 beside a thread that has one.
        """
        zeros = sum(self._rows.total_posts(stored_state(one.said)) == 0 < one.kept for one in threads)
        return zeros >= _MIN_ZEROS

    def _are_replies(self, threads: Iterable[ThreadHolding]) -> bool:
        """May the first number of the rows count replies, although it was never right?"""
        pairs = [(one.kept, int(one.said.get("count") or 0) + 1) for one in threads if one.kept]
        fitting = sum(kept <= claimed <= 3 * kept + 3 for kept, claimed in pairs)
        return fitting >= _PLAUSIBLE * len(pairs)

    def _are_pagers_right(self, threads: Iterable[ThreadHolding]) -> bool:
        """Do pagers count the pages of threads, as far as these were read? Some have numbers of posts."""
        size = self._layout.posts_per_page or 0
        pairs = [
            (one.kept, self._least_on(one.pages)) for one in threads if one.pages > 1 and one.kept > size
        ]
        return 2 * sum(kept >= ENOUGH * least for kept, least in pairs) >= len(pairs)

    def _least_on(self, pages: int) -> int:
        """The posts that a thread of so many pages has at least."""
        return first_position_on_page(
            pages, self._layout.posts_per_page or 0, self._layout.posts_on_first_page
        )

    def of(self, one: ThreadHolding) -> int | None:
        """The posts that a thread claims. None if nothing says."""
        if one.gone and not one.said.get(EMPTY_THREAD):
            return one.kept
        if one.board in self._exact_boards:
            return one.kept
        state = stored_state(one.said)
        total = self._rows.total_posts(state)
        if total is not None:
            total += self._missed
        if total is None and self._replies and state.count is not None:
            total = state.count + 1
        has_pages = one.pages > 1 and self._layout.posts_per_page and self._layout.has_fixed_pages
        if total is None and has_pages and self._trusts_pagers:
            total = self._least_on(one.pages)
        is_false = total is not None and one.board is not None and total > self._most.get(one.board, total)
        return one.kept if is_false else total


@dataclass(slots=True)
class BoardHolding:
    """What is kept of one board, without the boards below it."""

    board: BoardState
    row: RowState
    kept: int = 0
    threads: int = 0
    claimed_by_threads: int = 0
    unknown_threads: int = 0  # threads that claim nothing
    stale_threads: int = 0  # threads whose rows were not seen since the row of the board
    below: list[BoardHolding] = field(default_factory=list)

    def all_below(self) -> Iterator[BoardHolding]:
        """The board and all boards below it."""
        seen, stack = set(), [self]
        while stack:
            one = stack.pop()
            if one.board.id not in seen:
                seen.add(one.board.id)
                yield one
                stack += one.below


def hold_boards(
    boards: Sequence[BoardState], threads: Iterable[ThreadHolding], claims: ThreadClaims
) -> list[BoardHolding]:
    """What is kept of each board. A row of a page that is no board claims nothing."""
    threads = list(threads)
    none = {one.id for one in boards if one.said.get(GUESSED)} | _find_no_boards(boards, threads)
    rows = {one.id: RowState() if one.id in none else stored_state(one.said) for one in boards}
    holdings = {board.id: BoardHolding(board, rows[board.id]) for board in boards}
    for holding in holdings.values():
        if holding.board.parent in holdings:
            holdings[holding.board.parent].below.append(holding)
    for one in threads:
        if one.board in holdings:
            holding, claimed = holdings[one.board], claims.of(one)
            holding.kept += one.kept
            holding.threads += not one.gone
            holding.unknown_threads += claimed is None
            holding.stale_threads += not one.gone and _is_older(one.said, holding.board.said)
            holding.claimed_by_threads += max(one.kept, claimed or 0)
    return list(holdings.values())


def _find_no_boards(boards: Sequence[BoardState], threads: Iterable[ThreadHolding]) -> set[int]:
    """Boards whose pages were read in vain, while pages with URLs like theirs have no numbers beside them.

    They are profiles or the like. A row in which one is named as the last author has the numbers of a board.
    """
    used = {one.board for one in threads} | {one.parent for one in boards}
    by_url = {one.url: one for one in boards}
    found: set[int] = set()
    for group in group_by_shape(by_url):
        family = [by_url[url] for url in group]
        claims = sum(stored_state(one.said).count is not None for one in family)
        vain = all(
            one.visited_run is not None and one.id not in used and CLOSED not in one.said for one in family
        )
        if vain and len(family) >= _MIN_FAMILY and claims <= _FEW_CLAIMS * len(family):
            found |= {one.id for one in family}
    return found


def _is_older(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Was a row last seen before another one was?"""
    seen, since = one.get(SEEN_AT), other.get(SEEN_AT)
    return seen is not None and since is not None and _instant(seen) < _instant(since)


def _instant(text: str) -> datetime:
    """A stored time. It has no zone where an older version stored it."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the numbers of board rows."""

    column: str = "count"
    replies_only: bool = False  # opening posts are not counted
    with_boards_below: bool = False

    def value(self, one: BoardHolding) -> int | None:
        """The posts that a row claims, for the board alone or with those below it."""
        number = one.row.count if self.column == "count" else one.row.other
        return None if number is None else number + self.replies_only * self._count(one, "threads")

    def kept(self, one: BoardHolding) -> int:
        """The posts that are kept of what the row counts."""
        return self._count(one, "kept")

    def _count(self, one: BoardHolding, what: str) -> int:
        return sum(getattr(each, what) for each in (one.all_below() if self.with_boards_below else (one,)))

    def is_right(self, one: BoardHolding) -> bool:
        """Does the row claim what is kept, and is that no chance? Opening posts that are added prove none."""
        value, kept = self.value(one), self.kept(one)
        counted = kept - self.replies_only * self._count(one, "threads")
        allowed = max(counted // 50, counted >= 30)
        return value is not None and counted >= MIN_RIGHT and abs(value - kept) <= allowed


def _own_claim(one: BoardHolding, reading: _Reading) -> int | None:
    value = reading.value(one)
    if value is None or not reading.with_boards_below:
        return value
    below = [reading.value(each) or reading.kept(each) for each in one.below if each is not one]
    return max(0, value - sum(below))


class BoardCounters:
    """Which number of a board's row counts posts, and whether it was ever right."""

    def __init__(self, holdings: Sequence[BoardHolding], loose_threads: int = 0) -> None:
        self._holdings = holdings
        readings = [_Reading(*choice) for choice in product(("count", "other"), (False, True), (False, True))]
        scores = {reading: sum(map(reading.is_right, holdings)) for reading in readings}
        # Threads may be kept with another board. Of readings that are right as often, the sum decides.
        self.reading = max(readings, key=lambda reading: (scores[reading], -self._distance(reading)))
        self.believed = scores[self.reading] > 0
        if not self.believed:
            sums = {name: sum(getattr(one.row, name) or 0 for one in holdings) for name in ("count", "other")}
            column = max(sums, key=lambda name: sums[name])  # a board has more posts than threads
            self.reading = _Reading(column, with_boards_below=_counts_below(holdings, column))
        self.lacking = self._find_lacking()
        # Threads that were found outside all boards may be those that no list showed.
        few = (1 - ENOUGH) * sum(one.threads for one in holdings)
        self.counts_one_more_each = self._counts_one_more_each()
        self.lacks_many = sum(self.lacking.values()) - loose_threads > few

    def _counts_one_more_each(self) -> bool:
        """Does each row count about one post more for each thread, at least for half of the threads?"""
        pairs = [
            (claim - one.kept, one.threads)
            for one in self._holdings
            if one.threads and (claim := self.own_claim(one)) is not None
        ]
        threads = sum(count for _, count in pairs)
        return threads >= MIN_RIGHT and all(_ONE_EACH * count <= surplus <= count for surplus, count in pairs)

    def _find_lacking(self) -> dict[int, int]:
        """By board, the threads that its row counts and that are not kept with it.

        Where a row counts just the posts that are kept, it counts stubs of threads that were moved.
        """
        column = next(filter(self._may_count_threads, ("other", "count")), None)
        if column is None:
            return {}
        return {
            one.board.id: _lacking_threads(one, getattr(one.row, column))
            for one in self._holdings
            if one.threads and not self._counts_what_is_kept(one)
        }

    def _counts_what_is_kept(self, one: BoardHolding) -> bool:
        """Does the row of a board count its posts, and are they all kept?"""
        claim = self.own_claim(one) if self.believed else None
        return claim is not None and claim <= one.kept / ENOUGH

    def _may_count_threads(self, column: str) -> bool:
        """May a number of the rows count threads? It is between the threads and the posts of a board."""
        if self.believed and column == self.reading.column:
            return False
        beside = "count" if column == "other" else "other"
        rows = [
            (one.threads, getattr(one.row, column), getattr(one.row, beside) or one.kept)
            for one in self._holdings
            if one.threads and getattr(one.row, column)
        ]
        fitting = sum(threads <= number <= posts for threads, number, posts in rows)
        return bool(rows) and fitting >= _PLAUSIBLE * len(rows)

    def find_exact(self) -> frozenset[int]:
        """The boards whose rows are right to the post."""
        reading = self.reading
        return frozenset(
            one.board.id
            for one in self._holdings
            if self.believed and one.kept >= MIN_RIGHT and reading.value(one) == reading.kept(one)
        )

    def find_most(self) -> dict[int, int]:
        """By board, twice the posts that its row counts: a row of a thread that claims more is misread."""
        if not self.believed:
            return {}
        counts = {one.board.id: self.reading.value(one) or 0 for one in self._holdings}
        return {board: _FAR_MORE * count for board, count in counts.items() if count >= MIN_RIGHT}

    def _distance(self, reading: _Reading) -> int:
        """By how much the posts that all rows claim together differ from the posts that are kept."""
        claims = ((_own_claim(one, reading), one.kept) for one in self._holdings)
        return abs(sum(claim - kept for claim, kept in claims if claim is not None))

    def own_claim(self, one: BoardHolding) -> int | None:
        """The posts that the row claims for the board without the boards below it."""
        value = _own_claim(one, self.reading)
        if value is None or self.reading.with_boards_below:
            return value
        return one.kept if self._counts_another(one, value - one.kept) else value

    def _counts_another(self, one: BoardHolding, surplus: int) -> bool:
        """Does a row count just the posts of another board too, which is below it without our knowledge?"""
        return min(surplus, one.kept) >= MIN_RIGHT and any(
            other.board.id != one.board.id and surplus in {other.kept, self.reading.value(other)}
            for other in self._holdings
        )


def _lacking_threads(one: BoardHolding, number: int | None) -> int:
    """The threads that a row counts beyond those of its board, or beyond those of the boards below it too."""
    held = (one.threads, sum(each.threads for each in one.all_below()))
    return min((number - threads for threads in held if number and number >= threads), default=0)


def _counts_below(holdings: Sequence[BoardHolding], column: str) -> bool:
    """Does every row count at least as much as the rows of the boards below it?"""
    parents = [one for one in holdings if one.below and getattr(one.row, column)]
    return bool(parents) and all(
        getattr(one.row, column) >= sum(getattr(each.row, column) or 0 for each in one.below)
        for one in parents
    )
