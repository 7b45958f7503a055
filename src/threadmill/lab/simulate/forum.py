"""A simulated forum: its traits, content and layout, and which page a URL means at a time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.traits import ForumTraits
from threadmill.lab.simulate.content.world import ForumContent
from threadmill.lab.simulate.snapshot import ALL, ForumSnapshot, PageSlice

if TYPE_CHECKING:
    from threadmill.lab.simulate.layout import ForumLayout

_KEPT_SNAPSHOTS = 4  # a crawl uses one date; the truth compares two or three


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a URL asks for. The start of the page is given by page number, offset, cursor …"""

    kind: str  # home, board, thread, post, message, last, next (thread), feed, sitemap, other, missing
    number: int = 0  # of the board, thread or post
    page: int = 1
    offset: int | None = None
    cursor: int | None = None  # number of the first thread or post of the page
    after: int | None = None  # number of the last thread of the page before
    from_end: int | None = None  # the page, counted from the one with the oldest threads
    redirect: bool = False  # the engine answers with a redirect to the page
    what: str = ""  # with "other": login, search, profile …


@dataclass(frozen=True, slots=True)
class PageLocation:
    """A page that exists: the start page, a page of a board, or a page of a thread."""

    kind: str  # home, index, thread
    index: int = ALL  # of the board or thread
    offset: int = 0


class SimulatedForum:
    """One simulated forum."""

    def __init__(self, traits: ForumTraits, layout: ForumLayout, scale: str | int = "default") -> None:
        self.traits = traits
        self.layout = layout
        self.world = ForumContent(traits, scale)
        self._snapshots: OrderedDict[int, ForumSnapshot] = OrderedDict()

    def at(self, now: int) -> ForumSnapshot:
        """Return the forum at a time. The last few snapshots are kept."""
        found = self._snapshots.pop(now, None) or ForumSnapshot(self.world, now)
        self._snapshots[now] = found
        while len(self._snapshots) > _KEPT_SNAPSHOTS:
            self._snapshots.popitem(last=False)
        return found

    def locate(self, target: PageRequest, now: int) -> PageLocation | None:
        """Find the page that a URL asks for; None if there is none."""
        snapshot = self.at(now)
        if target.kind == "home":
            return (
                PageLocation("index", ALL, self._board_start(snapshot, ALL, target))
                if self.traits.all_threads
                else PageLocation("home")
            )
        if target.kind == "board":
            return self._locate_board(target, snapshot)
        if target.kind in {"thread", "last"}:
            return self._locate_thread(target, snapshot)
        if target.kind == "post":
            return self._locate_post(target.number, snapshot)
        if target.kind == "next":
            return self._locate_next(target.number, snapshot)
        return None

    def thread_number(self, target: PageRequest) -> int | None:
        """Return the number of the thread of a URL, even if the thread is not visible."""
        if target.kind in {"thread", "last"}:
            return target.number
        rank = self.world.rank_of(target.number) if target.kind in {"post", "message"} else None
        return None if rank is None else self.world.threads[self.world.owners[rank]].number

    def _locate_board(self, target: PageRequest, snapshot: ForumSnapshot) -> PageLocation | None:
        shown = snapshot.boards if self.traits.board_pages else []
        numbers = {self.world.boards[i].number: i for i in shown}
        if self.traits.all_threads:
            numbers[0] = ALL
        index = numbers.get(target.number)
        if index is None:
            return None
        start = self._board_start(snapshot, index, target)
        within = self._limit_offset(snapshot.listing_slice(index, start))
        return None if within is None else PageLocation("index", index, within)

    def _board_start(self, snapshot: ForumSnapshot, board: int, target: PageRequest) -> int:
        per = self.traits.threads_per_page
        wanted = target.after if target.cursor is None else target.cursor
        if target.from_end is not None:
            return max(0, snapshot.listing_slice(board, 0).pages - target.from_end) * per
        if wanted is not None:
            listed = snapshot.stickies[board] + snapshot.listings[board]
            numbers = [self.world.threads[row.thread].number for row in listed]
            return numbers.index(wanted) + (target.cursor is None) if wanted in numbers else 0
        return target.offset if target.offset is not None else (target.page - 1) * per

    def _locate_thread(self, target: PageRequest, snapshot: ForumSnapshot) -> PageLocation | None:
        found = self.world.thread_by_number(target.number)
        if found is None:
            return None
        index = snapshot.home_of(found)
        if not snapshot.is_visible(self.world.threads[index]):
            return None
        if target.kind == "last":
            return PageLocation("thread", index, snapshot.offset_of_post(index, snapshot.ranks(index)[-1]))
        start = self._thread_start(target, snapshot, index)
        within = self._limit_offset(snapshot.thread_slice(index, start))
        return None if within is None else PageLocation("thread", index, within)

    def _thread_start(self, target: PageRequest, snapshot: ForumSnapshot, index: int) -> int:
        per = self.traits.posts_per_page
        if target.cursor is not None:
            rank = self.world.rank_of(target.cursor)
            ranks = [unit.rank for unit in snapshot.units(index)[1]]
            return ranks.index(rank) if rank in ranks else 0
        return target.offset if target.offset is not None else (target.page - 1) * per

    def _locate_post(self, number: int, snapshot: ForumSnapshot) -> PageLocation | None:
        rank = self.world.rank_of(number)
        if rank is None or not snapshot.shows(rank):
            return None
        index = snapshot.home_of(self.world.owners[rank])
        return PageLocation("thread", index, snapshot.offset_of_post(index, rank))

    def _locate_next(self, number: int, snapshot: ForumSnapshot) -> PageLocation | None:
        """Find the visible thread after a thread, by creation; the first one after the last."""
        visible = [i for i, thread in enumerate(self.world.threads) if snapshot.is_visible(thread)]
        later = [i for i in visible if self.world.threads[i].number > number]
        return PageLocation("thread", (later or visible)[0]) if visible else None

    def _limit_offset(self, part: PageSlice) -> int | None:
        """Return the offset. Beyond the end, return the last page or None, as the engine does."""
        if part.offset < max(part.total, 1):
            return max(0, part.offset)
        return None if self.traits.overrun == "missing" else part.offset_of(part.pages)


def as_unix_time(when: str | date | datetime | int) -> int:
    """Convert a date (noon, UTC) or a date with time to Unix time. An integer is returned as it is."""
    if isinstance(when, int):
        return when
    if isinstance(when, str):
        when = _read_date(when)
    if not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day, 12, tzinfo=UTC)
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())


def _read_date(text: str) -> date | datetime:
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"expected a date such as 2016-01-01, got {text!r}") from error
