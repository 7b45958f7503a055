"""Estimates which old threads have got new posts, from how often silent threads did so in the past.

Where threads are sorted by creation, an old thread that is answered stays where it is, and no page above
shows that. But the past of every thread is known: how often a thread that had been silent for so long got
another post before the next look.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median_high

from sqlalchemy import Connection, select

from threadmill.crawl.forum.rows.row_state import SEEN_AT
from threadmill.forum.index.counters_and_boards import is_reply_title, subject_of
from threadmill.store.forum.activity import (
    as_days,
    days_by_thread,
    days_of,
    lives_of_threads,
    titles_of_threads,
)
from threadmill.store.forum.posts import newest_post_date
from threadmill.store.forum.threads import thread

_BINS = 7  # of silence, each twice as long as the one before
_BINS_PER_SPAN = 4  # the shortest bin is a quarter of the time between two looks
_PAST_LOOKS = 24  # a forum of last year says little about this year
_UNSEEN = 0.5  # answers that may have been missed: what never happened may happen (Jeffreys' prior)
_PRIOR_WEIGHT = 2  # the mean of the forum counts as so many threads in each bin

_MOST_THREADS = 2000  # of a forum are enough to learn its habits
_MOST_GONE = 4  # threads in a row; a wider gap means that an old thread is on top
_CHANCE_IN_BOX = 0.9  # of the threads that trusted boxes started to list had news
_ZONES = 1.0  # day: the dates of rows may be of another zone
_MONTH = timedelta(days=30)  # between two looks, if the last one is not known

ThreadLife = tuple[float, int, float]  # the day a thread began, its id, the day of its last post


@dataclass(frozen=True, slots=True)
class ReactivationRates:
    """The share of threads that got a post between two looks, by how long they had been silent."""

    span: float  # days between two looks
    shares: tuple[float, ...]  # one for each bin of silence

    def probability(self, silence: float, days: float) -> float:
        """Probability that a thread silent for `silence` days gets a post within `days` days."""
        missed = 1.0
        while days > 0:
            missed *= (1 - self.shares[_bin(silence, self.span)]) ** min(1.0, days / self.span)
            silence += self.span
            days -= self.span
        return 1 - missed


def learn_rates(threads: Iterable[Sequence[float]], until: float, span: float) -> ReactivationRates | None:
    """Learn from the days of each thread's posts, in order, up to the last look. None if no time has passed.

    The less is known of the past, the likelier is an answer: a forum without a past is read whole.
    """
    if span <= 0:
        return None
    answered, silent = [0] * _BINS, [0] * _BINS
    for days in threads:
        for look in range(1, _PAST_LOOKS + 1):
            start = until - look * span
            before = bisect_right(days, start)
            if not before:
                break
            place = _bin(start - days[before - 1], span)
            silent[place] += 1
            answered[place] += bisect_right(days, start + span) > before
    mean = (sum(answered) + _UNSEEN) / (sum(silent) + 2 * _UNSEEN)
    shares = (
        (hits + _PRIOR_WEIGHT * mean) / (seen + _PRIOR_WEIGHT)
        for hits, seen in zip(answered, silent, strict=True)
    )
    return ReactivationRates(span, tuple(shares))


def _bin(silence: float, span: float) -> int:
    return min(_BINS - 1, int(math.log2(1 + _BINS_PER_SPAN * max(0.0, silence) / span)))


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where an index page stands among the known threads of its board."""

    thread: int  # id of its last thread
    page: int  # number of the page, from 1
    rows: int
    shown: tuple[int, ...] = ()  # ids of its threads in page order, without sticky ones


class OldThreads:
    """The threads whose rows a run has not seen. The past is read from the store once in a run."""

    def __init__(self, forum: int, last_look: datetime | None, *, single_messages: bool = False) -> None:
        self._forum = forum
        self._last_look = last_look
        self._single_messages = single_messages  # has every message a page, and so a "thread", of its own
        self._heads: dict[int, int] = {}  # by the id of a message, that of the first one of its conversation
        self._began = datetime.max.replace(tzinfo=UTC)  # when the run first asked
        self._rates: ReactivationRates | None = None
        self._lives: dict[int, list[ThreadLife]] = {}
        self._gone: dict[int, set[int]] = {}  # by board, places of threads that are not where they should be
        self.shown_by: dict[int, frozenset[str]] = {}  # keys of the threads on the first page of each board
        self.quiet_since: float | None = None  # day from which on a list shows every thread that got a post
        # The same for the list of one board, by its number and the place of the box that tells it.
        self.quiet_by_board: dict[int, dict[str, int]] = {}
        self.lists_of_all: set[int] = set()  # numbers of boards whose lists show the threads of all boards
        self.unreached: set[int] = set()  # numbers of boards where a box of the latest posts shows news only
        self.in_boxes: set[int] = set()  # ids of threads that a box lists because they were answered
        self.feed_quiet_since: float | None = None  # day since when a feed names every thread that got a post
        self.feed_is_full = False  # does the feed of the latest posts show news only

    def misses_posts_of(self, board: int) -> bool:
        """May threads of a board have got posts that no box and no feed had room for?"""
        return self.feed_is_full or board in self.unreached

    def chances_by_page(
        self, connection: Connection, board: int, place: IndexPlace, now: datetime, since: datetime | None
    ) -> dict[int, float] | None:
        """Probability that a page has a thread with news, by page number. None if the past is too short."""
        threads = self.chances_by_thread(connection, board, place, now, since)
        return None if threads is None else join_by_page(threads.values())

    def chances_by_thread(
        self, connection: Connection, board: int, place: IndexPlace, now: datetime, since: datetime | None
    ) -> dict[int, tuple[int, float]] | None:
        """The page of each thread and the probability that it has news, by its id. None without a past.

        Threads whose rows were seen in this run have no unknown news. `since` is the moment at which nothing
        of the board was unknown.
        """
        rates = self._learn(connection, now)
        lives = self._lives_in_list(connection, board, place)
        if self._single_messages:
            lives, place = self._join_messages(connection, lives), self._place_of_conversations(place)
        places = {life[1]: index for index, life in enumerate(lives)}
        shown = [places[number] for number in place.shown if number in places]
        last = _find_lowest(shown) if shown else places.get(place.thread)
        if rates is None or last is None:
            return None
        gone = self._gone.setdefault(board, set())
        gone.update(_find_gone(shown))
        around = range(max(0, last - _MOST_THREADS), min(len(lives), last + _MOST_THREADS))
        seen = _last_looks(connection, [lives[index][1] for index in around])
        until = self._until(now, self.quiet_since, *self.quiet_by_board.get(board, {}).values())
        found: dict[int, tuple[int, float]] = {}
        for index in around:
            _, number, ended = lives[index]
            if number in seen and index not in gone:
                looked = as_days(max(seen[number], since) if since else seen[number])
                page = max(1, place.page + -(-(last - index) // place.rows))
                chance = rates.probability(looked - ended, until - looked)
                if number in self.in_boxes and seen[number] < self._began:
                    chance = max(chance, _CHANCE_IN_BOX)
                found[number] = page, chance
        return found

    def _lives_in_list(self, connection: Connection, board: int, place: IndexPlace) -> list[ThreadLife]:
        """The threads of a list, oldest first: those of its board, or of all boards if it lists them.

        A list of all threads may show its own ones only: each thread belongs to the list that showed it last.
        """
        lives = self._lives.get(board)
        if lives is None:
            shows_all = board in self.lists_of_all
            lives = lives_of_threads(
                connection, None if shows_all else board, self._forum if shows_all else None
            )
            self._lives[board] = lives
        own = {life[1] for life in lives}
        if 2 * sum(number in own for number in place.shown) < len(place.shown):
            lives = self._lives[board] = lives_of_threads(connection, None, self._forum)
        return lives

    def _join_messages(self, connection: Connection, lives: Sequence[ThreadLife]) -> list[ThreadLife]:
        """The conversations of messages: each as long as from its first message to the last answer."""
        titles = titles_of_threads(connection, self._forum)
        heads: dict[str, int] = {}  # by subject, the first message of its latest conversation
        joined: dict[int, ThreadLife] = {}
        for begun, number, ended in lives:
            title = titles.get(number, "")
            subject = subject_of(title)
            if subject not in heads or not is_reply_title(title):
                heads[subject] = number
            head = self._heads[number] = heads[subject]
            since, _, until = joined.get(head, (begun, head, ended))
            joined[head] = (since, head, max(until, ended))
        return sorted(joined.values())

    def _place_of_conversations(self, place: IndexPlace) -> IndexPlace:
        """The place of a page among conversations."""
        shown = tuple(dict.fromkeys(self._heads.get(number, number) for number in place.shown))
        return IndexPlace(self._heads.get(place.thread, place.thread), place.page, len(shown) or 1, shown)

    def chance_of(self, connection: Connection, number: int, looked: datetime, now: datetime) -> float | None:
        """Probability that a thread has got a post since a look at it. None if the past is too short."""
        rates = self._learn(connection, now)
        newest = newest_post_date(connection, number)
        ended = days_of(newest) if newest else None
        if rates is None or ended is None:
            return None
        return rates.probability(as_days(looked) - ended, self._until(now) - as_days(looked))

    def _until(self, now: datetime, *quiet: float | None) -> float:
        """The day up to which an unknown post may have come: later ones would be known."""
        days = [day + _ZONES for day in (self.feed_quiet_since, *quiet) if day is not None]
        return min([as_days(now), *days])

    def _learn(self, connection: Connection, now: datetime) -> ReactivationRates | None:
        if self._began > now:
            self._began = now
            last_look = self._last_look or now - _MONTH
            past = (
                self._days_by_conversation(connection)
                if self._single_messages
                else days_by_thread(connection, self._forum, _MOST_THREADS)
            )
            span = (now - last_look) / timedelta(days=1)
            self._rates = learn_rates(past, as_days(last_look), span)
        return self._rates

    def _days_by_conversation(self, connection: Connection) -> Iterator[list[float]]:
        """The sorted days of the messages of each conversation."""
        lives = lives_of_threads(connection, None, self._forum)
        self._join_messages(connection, lives)
        days: dict[int, list[float]] = {}
        for begun, number, _ in lives:
            days.setdefault(self._heads[number], []).append(begun)
        yield from days.values()


def join_by_page(chances: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Probability that one thread of a page has news, by page number, from the page and chance of each."""
    missed: dict[int, float] = {}
    for page, chance in chances:
        missed[page] = missed.get(page, 1.0) * (1 - chance)
    return {page: 1 - share for page, share in missed.items()}


def _find_lowest(places: Sequence[int]) -> int:
    """The place of the last row of a page, which is one of the older half of its rows.

    The last row may be that of a thread without dates, or of one that another board or a box lists too.
    """
    return next(place for place in reversed(places) if place <= median_high(places))


def _find_gone(places: Sequence[int]) -> set[int]:
    """Places between neighbouring rows: the threads there are deleted, or on another board."""
    gaps = (range(lower + 1, upper) for upper, lower in pairwise(places) if 0 < upper - lower <= _MOST_GONE)
    return {place for gap in gaps for place in gap}


def _last_looks(connection: Connection, threads: Sequence[int]) -> dict[int, datetime]:
    """When the rows of threads were last seen. Threads that are due anyway are left out."""
    wanted = select(thread.c.id, thread.c.said).where(thread.c.id.in_(threads), thread.c.due.is_(None))
    return {
        row.id: datetime.fromisoformat(row.said[SEEN_AT])
        for row in connection.execute(wanted)
        if row.said.get(SEEN_AT)
    }
