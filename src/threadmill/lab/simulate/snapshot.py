"""A forum at one time: which threads each board lists, and which posts each thread shows."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from threadmill.lab.simulate.content.seeded_random import random_fraction
from threadmill.lab.simulate.content.shown_dates import DAY
from threadmill.lab.simulate.content.world import START, ForumContent, SimulatedThread

_LATEST = 8  # the most threads that a sidebar or board row shows
ALL = -1  # the listing of the threads of all boards


@dataclass(frozen=True, slots=True)
class ListedThread:
    """A thread in a listing. A stub only says that the thread moved to another board."""

    thread: int
    last: int  # rank of its last post
    stub: bool = False


@dataclass(frozen=True, slots=True)
class PostGroup:
    """A post and the posts under it, as (rank, depth, rank of the parent). The pager counts it as one."""

    rank: int
    under: tuple[tuple[int, int, int], ...] = ()

    @property
    def ranks(self) -> tuple[int, ...]:
        """All posts of the group, in the order shown."""
        return (self.rank, *(rank for rank, _, _ in self.under))


@dataclass(frozen=True, slots=True)
class PageSlice:
    """The range of one page in a listing or a thread."""

    offset: int
    total: int
    per: int

    @property
    def page(self) -> int:
        """The page number, from 1."""
        return self.offset // self.per + 1

    @property
    def pages(self) -> int:
        """The number of pages."""
        return max(1, -(-self.total // self.per))

    @property
    def has_next(self) -> bool:
        """Whether there is a next page."""
        return self.offset + self.per < self.total

    def offset_of(self, page: int) -> int:
        """Return the offset of a page."""
        return (page - 1) * self.per

    def window(self, around: int = 2, edge: int = 1) -> list[int]:
        """Return the page numbers of a pager; 0 stands for a gap."""
        last = self.pages
        shown = [
            n for n in range(1, last + 1) if n <= edge or n > last - edge or abs(n - self.page) <= around
        ]
        bar: list[int] = []
        for number in shown:
            if bar and number - bar[-1] > 1:
                bar.append(0)
            bar.append(number)
        return bar


class ForumSnapshot:
    """All listings of a forum at one time."""

    def __init__(self, world: ForumContent, now: int) -> None:
        self.world = world
        self.now = now
        self.limit = bisect_right(world.times, now)
        self.boards = [i for i, board in enumerate(world.boards) if board.born <= now and not board.closed]
        self._units: dict[int, tuple[PostGroup | None, list[PostGroup]]] = {}
        self.stickies: dict[int, list[ListedThread]] = {i: [] for i in (ALL, *self.boards)}
        self.listings: dict[int, list[ListedThread]] = {i: [] for i in (ALL, *self.boards)}
        self._list_threads()
        self._latest = {board: self._find_latest(board) for board in (ALL, *self.boards)}
        self._counts = {board: self._count_board(board) for board in self.boards}

    # -- posts

    def is_visible(self, thread: SimulatedThread) -> bool:
        """Whether a thread has its own page at this time."""
        if thread.ranks[0] >= self.limit or (thread.gone and thread.gone <= self.now):
            return False
        return not (thread.merged and thread.merged[0] <= self.now)

    def home_of(self, index: int) -> int:
        """Return the thread that now shows the posts of a thread: itself, or the one it was merged into."""
        merged = self.world.threads[index].merged
        return merged[1] if merged and merged[0] <= self.now else index

    def shows(self, rank: int) -> bool:
        """Whether a post is visible at this time."""
        gone = self.world.deleted.get(rank)
        if rank >= self.limit or (gone and gone <= self.now):
            return False
        return self.is_visible(self.world.threads[self.home_of(self.world.owners[rank])])

    def ranks(self, index: int) -> list[int]:
        """Return the visible posts of a thread, oldest first."""
        world, deleted = self.world, self.world.deleted
        thread = world.threads[index]
        if not thread.absorbed:
            mine = thread.ranks[: bisect_left(thread.ranks, self.limit)]
            return [r for r in mine if not (r in deleted and deleted[r] <= self.now)]
        return [
            r
            for r in world.all_ranks(thread, self.now)
            if r < self.limit and not (r in deleted and deleted[r] <= self.now)
        ]

    def count(self, index: int) -> int:
        """Count the visible posts of a thread."""
        return len(self.ranks(index))

    def units(self, index: int) -> tuple[PostGroup | None, list[PostGroup]]:
        """Return the separate first post, if any, and the groups that the pager counts, as shown."""
        found = self._units.get(index)
        if found is None:
            if len(self._units) > 4096:
                self._units.clear()
            found = self._units[index] = self._arrange(index)
        return found

    def thread_slice(self, index: int, offset: int) -> PageSlice:
        """Return the range of a page of a thread."""
        return PageSlice(offset, len(self.units(index)[1]), self.world.traits.posts_per_page)

    def thread_page(self, index: int, offset: int) -> list[PostGroup]:
        """Return the groups of posts on a page of a thread."""
        lead, units = self.units(index)
        part = units[offset : offset + self.world.traits.posts_per_page]
        if lead and (offset == 0 or self.world.traits.lead == "every"):
            return [lead, *part]
        return part

    def offset_of_post(self, index: int, rank: int) -> int:
        """Return the offset of the page that shows a post."""
        per = self.world.traits.posts_per_page
        for place, unit_ in enumerate(self.units(index)[1]):
            if rank in unit_.ranks:
                return place // per * per
        return 0

    def _arrange(self, index: int) -> tuple[PostGroup | None, list[PostGroup]]:
        traits, ranks = self.world.traits, self.ranks(index)
        if traits.shape == "flat":
            lead = PostGroup(ranks[0]) if traits.lead != "none" else None
            units = [PostGroup(rank) for rank in ranks[1 if lead else 0 :]]
        else:
            lead, units = self._nest(ranks)
        if traits.post_order == "desc":
            units.reverse()
        if traits.shape == "questions":
            self._pin_accepted(units)
        return lead, units

    def _nest(self, ranks: list[int]) -> tuple[PostGroup | None, list[PostGroup]]:
        """Nest replies under replies. Replies to a deleted post move up to its parent."""
        children: dict[int, list[int]] = {rank: [] for rank in ranks}
        first = ranks[0]
        for rank in ranks[1:]:
            children[self.parent_of(rank, children, first)].append(rank)
        tops = children[first]
        comments: list[int] = []
        if self.world.traits.shape == "questions":
            comments = [r for r in tops if self.is_comment(r)]
            tops = [r for r in tops if not self.is_comment(r)]
        lead = PostGroup(first, tuple((r, 1, first) for r in comments))
        return lead, [PostGroup(rank, tuple(_nested_posts(rank, children, 1))) for rank in tops]

    def parent_of(self, rank: int, visible: dict[int, list[int]], first: int) -> int:
        """Return the visible post that a post answers."""
        parent = self._meant_parent(rank)
        if parent == rank:  # opened a thread that was merged into this one
            return first
        while parent not in visible and parent != first:
            parent = self._meant_parent(parent) if parent in self.world.deleted else first
        return parent

    def is_comment(self, rank: int) -> bool:
        """Whether a post on a question site is a comment, neither question nor answer."""
        if (
            self.world.traits.shape != "questions"
            or self.world.threads[self.world.owners[rank]].ranks[0] == rank
        ):
            return False
        return random_fraction(self.world.traits.name, "comment", rank) < 0.45

    def _meant_parent(self, rank: int) -> int:
        name, thread = self.world.traits.name, self.world.threads[self.world.owners[rank]]
        place = bisect_left(thread.ranks, rank)
        if place <= 1:
            return thread.ranks[0]
        if self.world.traits.shape == "questions":
            if not self.is_comment(rank):
                return thread.ranks[0]
            back = [r for r in thread.ranks[:place] if not self.is_comment(r)][-3:]
            return back[int(len(back) * random_fraction(name, "under", rank))]
        if random_fraction(name, "top", rank) < 0.4:
            return thread.ranks[0]
        back = list(thread.ranks[max(1, place - 6) : place])
        return back[int(len(back) * random_fraction(name, "under", rank))]

    def _pin_accepted(self, units: list[PostGroup]) -> None:
        for place, candidate in enumerate(units):
            if self.is_accepted(candidate.rank):
                units.insert(0, units.pop(place))
                return

    def is_accepted(self, rank: int) -> bool:
        """Whether an answer is marked as the best. A page shows only the first such answer on top."""
        chosen = random_fraction(self.world.traits.name, "accepted", rank) < 0.25
        return chosen and self.world.times[rank] + 2 * DAY <= self.now

    # -- threads

    def listing_slice(self, board: int, offset: int) -> PageSlice:
        """Return the range of a page of a board."""
        total = len(self.listings[board])
        if self.world.traits.sticky_pages == "first":
            total += len(self.stickies[board])
        return PageSlice(offset, total, self.world.traits.threads_per_page)

    def listing_page(self, board: int, offset: int) -> list[ListedThread]:
        """Return the rows of a page of a board, stickies first."""
        per = self.world.traits.threads_per_page
        stickies, rest = self.stickies[board], self.listings[board]
        if self.world.traits.sticky_pages == "every":
            return stickies + rest[offset : offset + per]
        if offset >= len(stickies):  # avoids a copy of a listing with 100,000 rows
            start = offset - len(stickies)
            return rest[start : start + per]
        return stickies[offset : offset + per] + rest[: max(0, offset + per - len(stickies))]

    def board_counts(self, board: int) -> tuple[int, int]:
        """Return the numbers of threads and posts of a board. For a closed board they are made up."""
        return self._counts.get(board, (self.age_in_days // 9, self.age_in_days // 2))

    def latest(self, board: int, count: int) -> list[ListedThread]:
        """Return the most recently active threads of a board, or of all boards."""
        return self._latest.get(board, [])[:count]

    def _list_threads(self) -> None:
        for index, thread in enumerate(self.world.threads):
            if thread.ranks[0] >= self.limit:
                break  # threads are sorted by creation
            if not self.is_visible(thread):
                continue
            listed = ListedThread(index, self._last_rank(index))
            board = thread.board_at(self.now)
            if board not in self.listings:
                continue
            (self.stickies if thread.sticky else self.listings)[board].append(listed)
            if not thread.sticky or self.world.traits.all_threads:
                self.listings[ALL].append(listed)
            if thread.leaves_stub_at(self.now) and thread.board in self.listings:
                self.listings[thread.board].append(ListedThread(index, self._rank_at_move(thread), stub=True))
        created = self.world.traits.index_order == "creation"
        threads = self.world.threads
        for rows in (*self.listings.values(), *self.stickies.values()):
            rows.sort(key=lambda row: threads[row.thread].ranks[0] if created else row.last, reverse=True)

    def _find_latest(self, board: int) -> list[ListedThread]:
        boards = self.boards if board == ALL else [board]
        listed = (row for b in boards for row in self.stickies[b] + self.listings[b] if not row.stub)
        return heapq.nlargest(_LATEST, listed, key=lambda row: row.last)

    def _count_board(self, board: int) -> tuple[int, int]:
        real = [row.thread for row in self.stickies[board] + self.listings[board] if not row.stub]
        threads, gone = self.world.threads, self.world.deleted
        posts = sum(
            bisect_left(threads[index].ranks, self.limit) for index in real if not threads[index].absorbed
        )
        posts += sum(self.count(index) for index in real if threads[index].absorbed)
        members = set(real)
        posts -= sum(
            at <= self.now and rank < self.limit and self.world.owners[rank] in members
            for rank, at in gone.items()
            if not threads[self.world.owners[rank]].absorbed
        )
        return len(real), posts

    def _last_rank(self, index: int) -> int:
        thread = self.world.threads[index]
        if thread.absorbed:
            return self.ranks(index)[-1]
        place, deleted = bisect_left(thread.ranks, self.limit) - 1, self.world.deleted
        while place and deleted.get(thread.ranks[place], self.now + 1) <= self.now:
            place -= 1
        return thread.ranks[place]

    def _rank_at_move(self, thread: SimulatedThread) -> int:
        assert thread.moved
        at_move = bisect_right(self.world.times, thread.moved[0])
        return thread.ranks[max(0, bisect_left(thread.ranks, at_move) - 1)]

    def views(self, index: int, tick: int) -> int:
        """Return the view counter of a thread. It grows with each request."""
        age = max(1, (self.now - self.world.times[self.world.threads[index].ranks[0]]) // DAY)
        return int(age * (0.3 + 4 * random_fraction(self.world.traits.name, "views", index))) + tick % 97 + 3

    @property
    def age_in_days(self) -> int:
        """The age of the forum."""
        return (self.now - START) // DAY


def _nested_posts(rank: int, children: dict[int, list[int]], depth: int) -> list[tuple[int, int, int]]:
    """Return the posts nested under a post, in reading order. No recursion: threads may be deep."""
    found: list[tuple[int, int, int]] = []
    stack = [(child, depth, rank) for child in reversed(children[rank])]
    while stack:
        child, level, parent = stack.pop()
        found.append((child, level, parent))
        stack += [(grandchild, level + 1, child) for grandchild in reversed(children[child])]
    return found
