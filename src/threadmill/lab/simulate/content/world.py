"""The content of a simulated forum as numbers: boards, threads, posts and times. Texts are made later."""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from random import Random

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.language import LanguageStock, load_language
from threadmill.lab.simulate.content.seeded_random import (
    draw_normal,
    draw_one,
    random_fraction,
    random_stream,
)
from threadmill.lab.simulate.content.shown_dates import DAY
from threadmill.lab.simulate.content.traits import ForumTraits

START = int(datetime(2015, 1, 5, tzinfo=UTC).timestamp())
HORIZON = int(datetime(2017, 1, 16, tzinfo=UTC).timestamp())  # no posts after this
LONGEST = 420  # most posts in a thread; at most a fifteenth of a small forum
LARGEST = 2_000_000  # most posts in a forum; thread indexes must fit into 24 bits
SCALES = {"small": 600, "default": 2400}
_STUB_DAYS = 30


@dataclass(slots=True)
class SimulatedBoard:
    """A board. `parent` is the index of its parent board, or -1."""

    number: int
    title: str
    description: str
    parent: int
    born: int
    share: float  # of all threads
    trend: float  # above 1: fewer threads with time; below 1: more
    closed: bool = False  # for members only


@dataclass(slots=True)
class SimulatedThread:
    """A thread. Its posts are given as ranks: positions among all posts of the forum, sorted by time."""

    number: int
    board: int
    ranks: array[int]
    sticky: bool = False
    locked: bool = False
    moved: tuple[int, int] | None = None  # when, to which board
    merged: tuple[int, int] | None = None  # when, into which thread
    absorbed: list[int] = field(default_factory=list)  # threads merged into this one
    gone: int = 0  # when it was deleted; 0: never

    def board_at(self, now: int) -> int:
        """Return its board at a time."""
        return self.moved[1] if self.moved and self.moved[0] <= now else self.board

    def leaves_stub_at(self, now: int) -> bool:
        """Whether its old board still shows a link to it."""
        return bool(self.moved) and 0 <= now - self.moved[0] < _STUB_DAYS * DAY  # type: ignore[index]


class ForumContent:
    """Everything that ever happens in one forum."""

    def __init__(self, traits: ForumTraits, scale: str | int = "default") -> None:
        self.traits = traits
        self.language: LanguageStock = load_language(traits.language)
        self.size = _read_scale(scale)
        self.boards = _make_boards(traits, self.language, self.size)
        self.times: array[int] = array("q")
        self.owners: array[int] = array("l")
        self.ids: array[int] = array("q")
        self.deleted: dict[int, int] = {}  # rank → when
        source = random_stream(traits.name, "structure")
        self.threads = self._make_threads(source)
        self._number_posts(source)
        self._delete_posts(source)
        self._make_events()
        self._thread_numbers = array("q", (thread.number for thread in self.threads))

    def thread_by_number(self, number: int) -> int | None:
        """Return the index of a thread by its public number, or None."""
        index = bisect_left(self._thread_numbers, number)
        return index if index < len(self.threads) and self._thread_numbers[index] == number else None

    def rank_of(self, post_id: int) -> int | None:
        """Return the rank of a post by its public number, or None."""
        rank = bisect_left(self.ids, post_id)
        return rank if rank < len(self.ids) and self.ids[rank] == post_id else None

    def edited_at(self, rank: int) -> int:
        """Return when a post was edited; 0 if never."""
        if random_fraction(self.traits.name, "edit", rank) >= self.traits.edited:
            return 0
        delay = math.exp(
            4 + 9.5 * random_fraction(self.traits.name, "edit delay", rank)
        )  # from a minute to weeks
        return self.times[rank] + int(delay)

    def all_ranks(self, thread: SimulatedThread, now: int) -> Iterator[int]:
        """Return the ranks of a thread and of the threads merged into it, sorted by time."""
        merged = [self.threads[i] for i in thread.absorbed]
        parts = [thread.ranks, *(t.ranks for t in merged if t.merged and t.merged[0] <= now)]
        return iter(thread.ranks) if len(parts) == 1 else heapq.merge(*parts)

    def _make_threads(self, source: Random) -> list[SimulatedThread]:
        born: list[tuple[int, int, array[int]]] = []
        written = 0
        while written < self.size:
            board = _choose_board(self.boards, source)
            drawn = int(_draw_length(source) * self.traits.thread_length)
            length = max(1, min(drawn, self.traits.longest or self.size // 15))
            place = self.boards[board]
            when = place.born + int((HORIZON - place.born) * source.random() ** place.trend)
            times = array("q", _draw_times(when, length, source))
            born.append((times[0], board, times))
            written += len(times)
        born.sort(key=lambda thread: thread[0])
        threads: list[SimulatedThread] = []
        packed: list[int] = []  # time and thread in one integer: a million sort in a second
        number = 10
        for index, (_, board, times) in enumerate(born):
            number += 1 + (int(source.random() * 3) if source.random() < 0.15 else 0)
            threads.append(SimulatedThread(number, board, array("l"), locked=source.random() < 0.03))
            packed += [(moment << 24) | index for moment in times]
        packed.sort()
        for rank, both in enumerate(packed):
            index = both & 0xFFFFFF
            self.times.append(both >> 24)
            self.owners.append(index)
            threads[index].ranks.append(rank)
        return threads

    def _number_posts(self, source: Random) -> None:
        number = 100
        for _ in self.times:
            number += 1 if source.random() < 0.94 else 2 + int(source.random() * 5)
            self.ids.append(number)

    def _delete_posts(self, source: Random) -> None:
        first = {thread.ranks[0] for thread in self.threads}
        for rank, moment in enumerate(self.times):
            if source.random() < self.traits.deleted and rank not in first:
                self.deleted[rank] = moment + int(DAY * (0.05 + 70 * source.random() ** 2))

    def _make_events(self) -> None:
        """Make the oldest threads of each board sticky. Move, merge and delete a few threads."""
        source = random_stream(self.traits.name, "events")
        by_board: dict[int, list[SimulatedThread]] = {}
        for thread in self.threads:
            by_board.setdefault(thread.board, []).append(thread)
        for threads in by_board.values():
            for thread in threads[: self.traits.stickies]:
                thread.sticky = True
        plain = [t for t in self.threads if not t.sticky and len(t.ranks) > 1]
        for _ in range(self.traits.moves if plain else 0):
            thread = draw_one(plain, source)
            others = [
                i
                for i, board in enumerate(self.boards)
                if i != thread.board and board.born == START and not board.closed
            ]
            if others and not thread.moved:
                thread.moved = (
                    _some_time_after(self.times[thread.ranks[0]], source),
                    draw_one(others, source),
                )
        for threads in [draw_one(list(by_board.values()), source) for _ in range(self.traits.merges)]:
            self._merge(threads, source)
        for thread in plain:
            if (
                not (thread.moved or thread.merged or thread.absorbed)
                and source.random() < self.traits.deleted
            ):
                thread.gone = _some_time_after(self.times[thread.ranks[0]], source)

    def _merge(self, threads: list[SimulatedThread], source: Random) -> None:
        free = [t for t in threads if not (t.sticky or t.moved or t.merged or t.absorbed)]
        pairs = [(a, b) for a, b in pairwise(free) if self.times[b.ranks[0]] < HORIZON - 60 * DAY]
        if pairs:
            into, thread = draw_one(pairs, source)
            index = bisect_left(self.threads, into.number, key=lambda t: t.number)
            thread.merged = (_some_time_after(self.times[thread.ranks[0]], source), index)
            into.absorbed.append(bisect_left(self.threads, thread.number, key=lambda t: t.number))


def _read_scale(scale: str | int) -> int:
    if isinstance(scale, str):
        if scale in SCALES:
            return SCALES[scale]
        if not scale.isdigit():
            raise UsageError(f"expected a scale of {', '.join(SCALES)} or a number of posts, got {scale!r}")
    size = int(scale)
    if not 1 <= size <= LARGEST:
        raise UsageError(f"expected a scale from 1 to {LARGEST} posts, got {size}")
    return size


def _make_boards(traits: ForumTraits, language: LanguageStock, size: int) -> list[SimulatedBoard]:
    """Make five boards, or seven in a big forum. One is a sub-board, one of many is created in 2016."""
    source = random_stream(traits.name, "boards")
    count = traits.board_count or (5 if size < 20_000 else len(language.boards))
    boards: list[SimulatedBoard] = []
    for index, (title, description) in enumerate(language.boards[:count]):
        parent = {3: 1, 5: 0}.get(index, -1) if traits.sub_boards else -1
        late = index == count - 1 > 2
        born = START + int(DAY * (470 + 80 * source.random())) if late else START
        share = (1.0 / (1 + index) ** 0.6) * (0.6 + 0.8 * source.random()) * (0.6 if late else 1)
        boards.append(
            SimulatedBoard(
                2 + index * 2, title, description, parent, born, share, 0.6 + 0.8 * source.random()
            )
        )
    if traits.closed_board:
        title = language.words["rank"]
        boards.append(
            SimulatedBoard(90, title, language.words["permission"], -1, START, 0.0, 1.0, closed=True)
        )
    return boards


def _choose_board(boards: list[SimulatedBoard], source: Random) -> int:
    point = source.random() * sum(board.share for board in boards)
    for index, board in enumerate(boards):
        point -= board.share
        if point < 0:
            return index
    return 0


def _draw_length(source: Random) -> int:
    """Draw a thread length. Half of the threads have at most four posts, one in a hundred more than 100."""
    return min(LONGEST, int(3.4 * (1 - source.random()) ** (-1 / 1.25)) - 2)


def _draw_times(when: int, length: int, source: Random) -> list[int]:
    """Draw the times of posts. Replies come within hours at first, later within days, rarely after months."""
    pace = 9.2 + 1.1 * draw_normal(source)  # the logarithm of a typical gap in seconds: about three hours
    times, moment = [], when
    for position in range(length):
        if moment >= HORIZON:
            break
        times.append(moment)
        gap = math.exp(pace + 1.4 * draw_normal(source) + min(position, 40) * 0.03)
        if source.random() < 0.02:
            gap += DAY * (30 + 250 * source.random())
        moment += 45 + int(min(gap, 400 * DAY))
    return times or [HORIZON - 1]


def _some_time_after(moment: int, source: Random) -> int:
    return moment + int(DAY * (1 + 120 * source.random()))
