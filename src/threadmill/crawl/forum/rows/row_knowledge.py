"""Learns how far the rows of a forum can be trusted: which number counts posts, if dates are up to date.

Each visit of a page is a vote on such a question. A row is believed once enough visits have confirmed it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from typing import Any

from threadmill.crawl.forum.rows.row_state import (
    SEEN_AT,
    Change,
    RowState,
    has_gone_back,
    is_before,
    stored_state,
    tolerance_of,
)
from threadmill.forum.index.rows_by_url import IN_TITLE, LINES
from threadmill.types import Precision

MIN_SHARE_OF_NEWS = 0.2  # an older page is read if at least this share brought news; four in vain end that
_MAX_VOTES = 200  # enough to be sure, few enough to follow a forum that changes
_MIN_STILL_THREADS = 4  # threads opened in vain before a counter that stands still is believed
_MIN_STILL_BOARDS = 2  # there are fewer boards than threads, and each visit in vain costs a page
_MOST_POST_LINKS = 1000  # a box shows some five or ten, and each is asked for once
_MIN_MENTIONS = 4  # threads in a box; three may have news by chance
_MIN_DATES = 5  # rows; a forum that shows when threads began never has so many
_MIN_LAST_DATES = 2  # rows; a forum that shows when threads began has none
_MIN_FIRST_DATES = 3  # threads of several days whose row shows when they began; no forum does so by chance
_MINUTE, _DAY = 16, 10  # characters of a date in ISO 8601
_WITHOUT_ZONE = re.compile(r"[\d-]+(?:T[\d:.]+)?")  # a date in ISO 8601; an hour alone may have a zone too
_MIDDLE = "0000-07-15"  # what a date lacks that names a year or a month alone
_WEEK = 7  # days
_NUMBER = re.compile(r"\d+")
_FEW_WRONG = 3  # right answers for each wrong one

_MIN_ANSWERS = 5  # that have a page of their own; fewer may be threads about an answer
_MIN_READ_AGAIN = 10  # pages with one post that had no other one when they were read again
_FEW_MORE = 0.02  # of the pages: a message may quote the head of another one
_NO_COUNTER = "none"  # the number does not count posts: it counts views, for instance
_PLUS = " + "  # between two columns that are added
_NAMED_COLUMNS = ("count", "other")  # recognised as replies and views by the words of the page
_UNNAMED_PENALTY = 0.05  # of all threads: an unnamed column must be better than a named one by so much
_MIN_COUNTED = 5  # threads; fewer may agree by chance
_EXACT = 0.9  # of the threads: a few posts vanish later, and counters of old engines drift
_COUNTER_VOTES = 4000  # each thread votes on about twenty numbers and sums
_LARGEST_COUNT = 1_000_000_000  # a larger number is an id


@dataclass(slots=True)
class Votes:
    """Votes of pages on one question. Recent votes weigh more than old ones."""

    votes: Counter[str] = field(default_factory=Counter)

    def add(self, answer: object, most: int = _MAX_VOTES) -> None:
        """Add one vote. With more than `most` votes, all are halved."""
        self.votes[str(answer)] += 1
        if self.votes.total() > most:
            self.votes = Counter({name: count // 2 for name, count in self.votes.items() if count > 1})

    @property
    def winner(self) -> str | None:
        """The answer with the most votes."""
        return self.votes.most_common(1)[0][0] if self.votes else None


@dataclass(slots=True)
class RowKnowledge:
    """What is known about the rows of one forum."""

    counter: Votes = field(default_factory=Votes)  # which number of a row counts posts, plus 0 or 1
    stillness: Votes = field(default_factory=Votes)  # had threads news whose counter stood still
    still_boards: Votes = field(default_factory=Votes)  # had boards news although a number stood still
    moved_alone: Votes = field(default_factory=Votes)  # had boards news if only their second number moved
    dates: Votes = field(default_factory=Votes)  # does the date of a row move when its counter grows
    shown_dates: Votes = field(default_factory=Votes)  # is the date of a row that of the first or last post
    last_links: Votes = field(default_factory=Votes)  # does the link of a row name the last post
    deeper: Votes = field(default_factory=Votes)  # did pages of older threads bring news
    mentions: Votes = field(default_factory=Votes)  # had threads news that a box started to list
    growth: Votes = field(default_factory=Votes)  # were as many posts found as the row of a board counts
    searches: Votes = field(default_factory=Votes)  # were posts found that a row counts but no page showed
    boxes: Votes = field(default_factory=Votes)  # by what boxes of threads are sorted, by their places
    messages: Votes = field(default_factory=Votes)  # has a "thread" one post, and is it an answer itself
    followed: Votes = field(default_factory=Votes)  # had pages the post that a link of a list names
    box_threads: dict[str, str] = field(default_factory=dict)  # threads in boxes: key, and when last listed
    post_links: dict[str, str] = field(default_factory=dict)  # links to posts that were followed, and when

    def record_counters(self, state: RowState, posts: int) -> None:
        """Vote on each number of a row: does it equal the posts of the thread, or the posts less one?"""
        for name, number in possible_counts(state).items():
            missing = posts - number
            answer = missing if missing in {0, 1} else _NO_COUNTER
            self.counter.add(f"{name} {answer}", _COUNTER_VOTES)

    @property
    def post_counter(self) -> tuple[str, int] | None:
        """The number of a row that counts posts, and what to add to it (0 or 1). None if no number does.

        In short threads any small number seems to count posts, so the share of wrong counts decides. A column
        that the words of the page do not name as replies must be clearly better than one that they do. So
        must two columns that add up to the posts (answers and comments). The more threads such a column was
        right about without a miss, the less it must be better: a reader without words may name votes replies
        on the pages where these are fewer.
        """
        best: tuple[float, str, int] | None = None
        for name in {answer.rpartition(" ")[0]: None for answer in self.counter.votes}:
            named = name in _NAMED_COLUMNS
            share, hits, offset = self._share_of_hits(name)
            if hits < (1 if named else _MIN_COUNTED):
                continue
            unsure = _UNNAMED_PENALTY if named or share < 1 else min(_UNNAMED_PENALTY, 1 / hits)
            penalty = unsure * (1 if named else 2 if _PLUS not in name else 3)
            worth = share - penalty - 0.001 * (name != "count")
            # Views hardly ever fit. Answers without their comments fit often.
            if share > 1 / 3 and (best is None or worth > best[0]):
                best = worth, name, offset
        return best[1:] if best else None

    def counts_exactly(self) -> bool:
        """Is the counter nearly always right, so that a difference means unseen posts?"""
        counter = self.post_counter
        if counter is None:
            return False
        share, hits, _ = self._share_of_hits(counter[0])
        return hits >= _MIN_COUNTED and share >= _EXACT

    def _share_of_hits(self, name: str) -> tuple[float, int, int]:
        """How often a number was right (share and count) with its better offset, 0 or 1."""
        votes = self.counter.votes
        offset = max((0, 1), key=lambda missing: votes[f"{name} {missing}"])
        hits = votes[f"{name} {offset}"]
        misses = votes[f"{name} {1 - offset}"] + votes[f"{name} {_NO_COUNTER}"]
        return (hits / (hits + misses) if hits else 0.0), hits, offset

    def total_posts(self, state: RowState) -> int | None:
        """Number of posts of a thread by the counter of its row. None if no number counts posts."""
        counter = self.post_counter
        if counter is None:
            return None
        count = _count_in(state, counter[0])
        return count + counter[1] if count is not None else None

    def with_trusted_count(self, state: RowState) -> RowState:
        """The state with the number that counts posts as its count, or without a count if none does."""
        if not self.counter.votes:
            return state
        counter = self.post_counter
        if counter is None:
            votes = self.stillness.votes
            trusted = votes["still, none"] >= _MIN_STILL_THREADS and not votes["still, news"]
            return state if trusted else replace(state, count=None)
        if counter[0] == "count":
            return state
        return replace(state, count=_count_in(state, counter[0]))

    def record_stillness(self, *, still: bool, news: int) -> None:
        """Vote after a thread was opened in doubt: did its counter stand still, and had it news?"""
        self.stillness.add(f"{'still' if still else 'moved'}, {_news(news)}")

    def record_message(self, *, posts: int, is_reply: bool, again: bool = False) -> None:
        """Vote after a thread was read: had it one post, also when it was read again? Is it an answer?"""
        self.messages.add("more" if posts > 1 else "again" if again else "answer" if is_reply else "one")

    def shows_single_messages(self) -> bool:
        """Has every message a page of its own, answers too? Then a page that was read does not change.

        Titles of answers tell. So do pages that were read again in vain, where rows count no replies.
        """
        votes = self.messages.votes
        again = votes["again"] >= _MIN_READ_AGAIN and self.post_counter is None
        return (votes["answer"] >= _MIN_ANSWERS or again) and votes["more"] <= _FEW_MORE * votes.total()

    def record_still_board(self, *, news: int) -> None:
        """Vote after a board was read although a number of its row stood still: had it news?"""
        self.still_boards.add(_news(news))

    def trusts_still_boards(self) -> bool:
        """Did a board never have news when a number of its row stood still?"""
        votes = self.still_boards.votes
        return votes["none"] >= _MIN_STILL_BOARDS and not votes["news"]

    def record_moved_alone(self, *, news: int) -> None:
        """Vote after a board was read because only the second number of its row had moved: had it news?"""
        self.moved_alone.add(_news(news))

    def follows_any_number(self) -> bool:
        """Is any number that moved news? Until boards were read for it in vain: it may count visitors."""
        return _share_of_news(self.moved_alone) >= MIN_SHARE_OF_NEWS

    def record_dates(self, kind: str, state: RowState, before: RowState) -> None:
        """Vote if the counter of a row ("thread" or "board") grew: did its date move too?"""
        if state.active is None or before.active is None or state.count is None or before.count is None:
            return
        if state.count > before.count:
            self.dates.add(f"{kind} {'follows' if state.active > before.active else 'stays'}")

    def record_shown_date(self, state: RowState, first: str, last: str) -> None:
        """Vote after a thread was read: is the date of its row that of its first or of its last post?"""
        if state.active is None or first[:_MINUTE] == last[:_MINUTE]:
            return
        is_first, is_last = _names_date(state, first), _names_date(state, last)
        if is_first != is_last:
            self.shown_dates.add("last" if is_last else "first")
        elif not is_first and not _may_be_weeks(state, last):
            self.shown_dates.add("another")

    def shows_last_dates(self) -> bool:
        """Is the date of a row nearly always that of the last post, to the minute or the day?"""
        votes = self.shown_dates.votes
        return votes["last"] >= _MIN_DATES and votes["last"] >= _EXACT * votes.total()

    def _never_shows_first_dates(self) -> bool:
        """Did rows show dates of last posts, and never one of a first post?"""
        votes = self.shown_dates.votes
        return votes["last"] >= _MIN_LAST_DATES and votes["last"] > votes["another"] and not votes["first"]

    def shows_first_dates(self) -> bool:
        """Is the date of a row that of the first post? Then it never moves."""
        votes = self.shown_dates.votes
        return votes["first"] >= _MIN_FIRST_DATES and votes["first"] > _FEW_WRONG * votes["last"]

    def record_last_link(self, state: RowState, newest: str | None) -> None:
        """Vote after a thread was read: does the link of its row name the newest post?"""
        if state.active_url is not None and newest is not None:
            self.last_links.add("last" if newest in _NUMBER.findall(state.active_url) else "another")

    def links_last_posts(self) -> bool:
        """Do the links of rows nearly always name the last post?"""
        votes = self.last_links.votes
        return votes["last"] >= _MIN_DATES and votes["last"] >= _EXACT * votes.total()

    def trusts_dates(self, kind: str) -> bool:
        """Do rows show the date of the last post, as far as was seen?"""
        votes = self.dates.votes
        follows = votes[f"{kind} follows"]
        return follows >= _MIN_DATES and votes[f"{kind} stays"] * 10 <= follows

    def dates_stand_still(self, kind: str) -> bool:
        """Did counters grow more often without their dates than with them?"""
        votes = self.dates.votes
        return votes[f"{kind} stays"] > votes[f"{kind} follows"]

    def settle_by_date(self, kind: str, change: Change, state: RowState, stored: Mapping[str, Any]) -> Change:
        """Correct a comparison by the date: a row whose last activity is before our last look has no news.

        This decides what a coarse date left open. If dates are trusted, it also decides for a board whose
        counter grew without its date: threads were merged or moved there.
        """
        seen = stored.get(SEEN_AT)
        if change is Change.SAME or not seen or not is_before(state, datetime.fromisoformat(seen)):
            return change
        before = stored_state(stored)
        if kind == "thread" and _only_a_rounded_date_moved(state, before):
            # Only the date has moved: an age that is rounded otherwise ("2 months", "3 months").
            return change if self.dates_stand_still(kind) else Change.SAME
        if change is Change.UNSURE or has_gone_back(state, before):
            # Without a number beside it the date may be that of the first post.
            moves = state.count is not None or state.other is not None or self._never_shows_first_dates()
            known = stored.get("active") is not None and moves
            return Change.SAME if known and not self.dates_stand_still(kind) else change
        # A thread is opened nevertheless: posts merged into it may be new to us (recorded Discuz!).
        return Change.SAME if kind == "board" and self.trusts_dates(kind) else change

    def record_older_page(self, *, news: bool) -> None:
        """Vote after a page of older threads was read, where threads are sorted by creation: had any news?"""
        self.deeper.add(_news(news))

    def is_older_page_worthwhile(self) -> bool:
        """Do older threads get answers often enough to read a page of them?"""
        return _share_of_news(self.deeper) >= MIN_SHARE_OF_NEWS

    def record_search(self, *, news: int) -> None:
        """Vote after an earlier page of a thread was read because its row counts more posts: was it there?"""
        self.searches.add(_news(news))

    def is_search_worthwhile(self) -> bool:
        """Should a thread be searched for posts that its row counts and that its last pages did not show?"""
        return self.counts_exactly() and _share_of_news(self.searches) >= MIN_SHARE_OF_NEWS

    def find_risen_threads(self, keys: Sequence[str], now: datetime, last_look: datetime | None) -> set[str]:
        """Threads that rose in a box ("latest posts") since the last run.

        If the box lists the latest posts, a thread that it did not list then was answered since. So was each
        thread above it.
        """
        if last_look is None:  # nothing to compare with: the last run did not end
            self.box_threads |= dict.fromkeys(keys, now.isoformat())
            return set()
        since = last_look.isoformat()
        risen = [place for place, key in enumerate(keys) if self.box_threads.get(key, "") < since]
        self.box_threads = {key: at for key, at in self.box_threads.items() if at >= since}
        self.box_threads |= dict.fromkeys(keys, now.isoformat())
        return set(keys[: risen[-1] + 1]) if risen else set()

    def record_mention(self, *, news: bool) -> None:
        """Vote on a thread that rose in a box: does its row say that it has news?"""
        self.mentions.add(_news(news))

    def trusts_mentions(self) -> bool:
        """Do boxes list threads because they were answered?"""
        votes = self.mentions.votes
        return votes["news"] >= _MIN_MENTIONS and votes["news"] > _FEW_WRONG * votes["none"]

    def follow_once(self, link: str, seen: str) -> bool:
        """Is a link to a post followed for the first time? The latest links are remembered."""
        if link in self.post_links:
            return False
        self.post_links[link] = seen
        for oldest in list(self.post_links)[:-_MOST_POST_LINKS]:
            del self.post_links[oldest]
        return True

    def record_named_post(self, *, news: bool) -> None:
        """Vote after a link to a post was followed: did its page show that post?"""
        self.followed.add(_news(news))

    def follows_named_posts(self) -> bool:
        """Do pages show the posts that links of lists name?"""
        return _share_of_news(self.followed) >= MIN_SHARE_OF_NEWS

    def record_box(self, place: str, order: str) -> None:
        """Vote on a box of threads: is it sorted by "activity", in "another" order, or may it be "either"?"""
        if order != "either":
            self.boxes.add(f"{place} {order}")

    def trusts_box(self, place: str) -> bool:
        """Does a box list the threads with the latest posts, as far as was seen?"""
        votes = self.boxes.votes
        return votes[f"{place} activity"] > 0 and not votes[f"{place} another"]

    def record_growth(self, *, exact: bool) -> None:
        """Vote after a board was read: were as many new posts found as its row counts?"""
        self.growth.add("exact" if exact else "off")

    def trusts_growth(self) -> bool:
        """Do rows of boards count posts, so that no post is unseen when all counted ones are found?"""
        votes = self.growth.votes
        return votes["exact"] > _FEW_WRONG * votes["off"]


def _only_a_rounded_date_moved(state: RowState, before: RowState) -> bool:
    """Has a row the same counter and another date, which is not exact to the minute?"""
    if state.count is None or state.count != before.count or before.active is None:
        return False
    return state.precision not in {Precision.MINUTE, Precision.SECOND}


def _names_date(state: RowState, date: str) -> bool:
    """Does a row show the date of a post? An age in months or years fits any date near it."""
    shown = state.active or ""
    if state.precision in {Precision.MONTH, Precision.YEAR}:
        return _days_apart(shown, date) <= tolerance_of(state.precision).days
    written = _WITHOUT_ZONE.match(date)
    length = min(len(shown), written.end() if written else 0, _MINUTE)
    return length >= _DAY and shown[:length] == date[:length]


def _may_be_weeks(state: RowState, date: str) -> bool:
    """May the day of a row be an age in weeks ("2 weeks ago") of this date?"""
    return state.precision == Precision.DAY and _days_apart(state.active or "", date) <= _WEEK


def _days_apart(one: str, other: str) -> float:
    """Days between two dates in ISO 8601. A month or a year counts as its middle."""
    if not one or not other:
        return math.inf
    first, second = (datetime.fromisoformat((date + _MIDDLE[len(date) :])[:_DAY]) for date in (one, other))
    return abs((first - second).days)


def possible_counts(state: RowState) -> dict[str, int]:
    """All numbers of a row that may count posts: its two named numbers, its columns, and pairs of columns."""
    named = {"count": state.count, "other": state.other}
    counts = {name: number for name, number in named.items() if number is not None}
    columns = sorted((name, number) for name, number in state.numbers.items() if number < _LARGEST_COUNT)
    counts |= columns
    counts |= {f"{one}{_PLUS}{other}": a + b for (one, a), (other, b) in combinations(columns, 2)}
    return counts


def _count_in(state: RowState, name: str) -> int | None:
    """The number of a row by its name. Where no row of a page leaves out posts, that column is not there.

    Neither is that of a number in titles, where no thread of a page has replies.
    """
    counts = possible_counts(state)
    if name not in counts and name.startswith(IN_TITLE) and state.numbers:
        return 0
    if name not in counts and LINES in name.split(_PLUS):
        return counts.get(LINES)
    return counts.get(name)


def _news(news: int) -> str:
    return "news" if news else "none"


def _share_of_news(asked: Votes) -> float:
    """The share of votes for news. One vote for each answer is added, so that the first pages are read."""
    return (asked.votes["news"] + 1) / (asked.votes.total() + 2)
