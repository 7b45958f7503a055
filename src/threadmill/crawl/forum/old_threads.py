"""The next page of a board whose threads are sorted by creation: how likely an old one there was answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from sqlalchemy import Connection, select

from threadmill.crawl.forum.notes import SEEN
from threadmill.crawl.forum.thread_reactivation import Revival, learn_revival
from threadmill.store.forum.activity import as_days, days_by_thread, lives_of_threads
from threadmill.store.forum.threads import thread

_MOST_THREADS = 2000  # of a forum are enough to know its ways
_MOST_GONE = 4  # threads in a row; a wider gap is an old thread on top
_NAMED = 0.9  # of the threads that boxes began to name had news, where that is believed at all
_MONTH = timedelta(days=30)  # between two looks, where the last one is not known

Life = tuple[float, int, float]  # when a thread began, its id, when it was last written in


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a page stands among the threads that are known: its last one, and how many rows it has."""

    thread: int
    page: int  # its number, from 1
    rows: int
    shown: tuple[int, ...] = ()  # its threads in the order of the page, without those that stand on top


class OldThreads:
    """What a run knows of threads whose rows it has not seen; asked once a run, whatever it reads."""

    def __init__(self, forum: int, looked: datetime | None) -> None:
        self._forum = forum
        self._looked = looked
        self._began = datetime.max.replace(tzinfo=UTC)  # when the run first asked
        self._revival: Revival | None = None
        self._lives: dict[int, list[Life]] = {}
        self._gone: dict[int, set[int]] = {}  # places of threads that are not where they should be, by board
        self.named: set[int] = set()  # threads that a box names for having been answered, by id

    def chances(
        self, connection: Connection, board: int, anchor: Anchor, now: datetime, since: datetime | None
    ) -> dict[int, float] | None:
        """That a thread on a page has news, by the page's number; None where the past does not tell.

        Threads whose rows were seen in this run have none that the run would not know of. Since is when
        nothing of the board was unknown.
        """
        revival = self._learn(connection, now)
        lives = self._lives.get(board)
        if lives is None:
            lives = self._lives[board] = lives_of_threads(connection, board)
        places = {life[1]: place for place, life in enumerate(lives)}
        place = places.get(anchor.thread)
        if revival is None or place is None:
            return None
        gone = self._gone.setdefault(board, set())
        gone.update(_left_out([places[number] for number in anchor.shown if number in places]))
        around = range(max(0, place - _MOST_THREADS), min(len(lives), place + _MOST_THREADS))
        seen = _last_looks(connection, [lives[index][1] for index in around])
        missed: dict[int, float] = {}
        for index in around:
            _, number, ended = lives[index]
            if number in seen and index not in gone:
                looked = as_days(max(seen[number], since) if since else seen[number])
                page = anchor.page + -(-(place - index) // anchor.rows)
                chance = revival.chance(looked - ended, as_days(now) - looked)
                if number in self.named and seen[number] < self._began:
                    chance = max(chance, _NAMED)
                missed[page] = missed.get(page, 1.0) * (1 - chance)
        return {page: 1 - share for page, share in missed.items()}

    def _learn(self, connection: Connection, now: datetime) -> Revival | None:
        if self._began > now:
            self._began = now
            looked = self._looked or now - _MONTH
            past = days_by_thread(connection, self._forum, _MOST_THREADS)
            span = (now - looked) / timedelta(days=1)
            self._revival = learn_revival(past, as_days(looked), span)
        return self._revival


def _left_out(places: Sequence[int]) -> set[int]:
    """The places between two rows that follow each other: what stood there is gone, or on another board."""
    gaps = (range(lower + 1, upper) for upper, lower in pairwise(places) if 0 < upper - lower <= _MOST_GONE)
    return {place for gap in gaps for place in gap}


def _last_looks(connection: Connection, threads: Sequence[int]) -> dict[int, datetime]:
    """When the rows of threads were last seen; without those that are due anyway."""
    wanted = select(thread.c.id, thread.c.said).where(thread.c.id.in_(threads), thread.c.due.is_(None))
    return {
        row.id: datetime.fromisoformat(row.said[SEEN])
        for row in connection.execute(wanted)
        if row.said.get(SEEN)
    }
