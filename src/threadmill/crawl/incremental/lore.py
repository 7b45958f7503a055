"""What a crawl knows of a forum: the model learnt from samples, and what reading it has taught since."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from threadmill.forum.addresses import clean
from threadmill.forum.change import Said
from threadmill.forum.index_order import IndexOrder
from threadmill.forum.model import ForumModel
from threadmill.forum.order import PostOrder
from threadmill.forum.patterns import matches_any
from threadmill.forum.thread_key import thread_key
from threadmill.forum.zone import as_timezone, is_steady

STILL = "still"  # stored with what a row said: did its counter stand still when the thread was opened
FIT, MISFIT = "fit", "misfit"
NO_ZONE = "none"
NO_COUNTER = "none"  # what the rows count is not posts: views, perhaps

_ENOUGH_STILL = 4  # threads opened in vain before a counter that stands still is believed
_NEARLY_ALL = 0.8  # of the pages state it: what one post says of its zone is no statement
_MOSTLY = 3  # fitting pages for each that does not fit
_ENOUGH_EMPTY = 2  # one board may be empty
_MAX_VOTES = 200  # enough to be sure, few enough to follow a forum that changes its ways


@dataclass(slots=True)
class Ballot:
    """Votes for one of several answers; the last few hundred count."""

    votes: Counter[str] = field(default_factory=Counter)

    def add(self, answer: object) -> None:
        """One page's opinion."""
        self.votes[str(answer)] += 1
        if self.votes.total() > _MAX_VOTES:
            self.votes = Counter({name: count // 2 for name, count in self.votes.items() if count > 1})

    @property
    def winner(self) -> str | None:
        """What most pages say."""
        return self.votes.most_common(1)[0][0] if self.votes else None


@dataclass(slots=True)
class Lore:
    """The growing knowledge of one forum; plain data on its way to the store and back."""

    model: ForumModel
    counter: Ballot = field(default_factory=Ballot)  # which number of a row counts posts, less 0 or 1
    stillness: Ballot = field(default_factory=Ballot)  # what a counter that stands still was worth
    fits: Ballot = field(default_factory=Ballot)  # did the wrapper fit the pages of threads
    zones: Ballot = field(default_factory=Ballot)  # what pages state of their zone
    naming: Ballot = field(default_factory=Ballot)  # the parameters that name a thread
    page_size: Ballot = field(default_factory=Ballot)
    full_boards: Ballot = field(default_factory=Ballot)  # patterns whose pages showed rows
    empty_boards: Ballot = field(default_factory=Ballot)  # and patterns whose pages showed none

    fresh: bool = False  # was it learnt in this very run; not stored
    relaunched: bool = False  # has the forum changed its software since the first crawl

    @property
    def ascending(self) -> bool:
        """Do posts stand oldest first?"""
        return self.model.post_order is not PostOrder.DESCENDING

    @property
    def by_creation(self) -> bool:
        """Are threads sorted by when they began?"""
        return self.model.index_order is IndexOrder.CREATION

    @property
    def posts_a_page(self) -> int | None:
        """How many posts a full page shows."""
        seen = self.page_size.winner
        return int(seen) if seen else self.model.threads.per_page

    def judge_counters(self, said: Said, posts: int) -> None:
        """A thread was read to its end: which of its row's numbers counts posts, and does it the first?"""
        if said.count is None and said.other is None:
            return
        found = [
            f"{name} {posts - number}"
            for name, number in (("count", said.count), ("other", said.other))
            if number is not None and posts - number in {0, 1}
        ]
        for answer in found or [NO_COUNTER]:
            self.counter.add(answer)

    def judge_stillness(self, *, still: bool, news: int) -> None:
        """A thread was opened though it was not clear that it had changed: was its counter a sign?"""
        self.stillness.add(f"{'still' if still else 'moved'}, {'news' if news else 'none'}")

    def total(self, said: Said) -> int | None:
        """How many posts a thread has by its row's counter."""
        name, _, offset = (self.counter.winner or NO_COUNTER).partition(" ")
        count = said.other if name == "other" else said.count
        return count + int(offset) if count is not None and name != NO_COUNTER else None

    def believed(self, said: Said) -> Said:
        """What a row says, with the number that counts posts, or without one if none has proved to."""
        winner = self.counter.winner or ""
        if winner == NO_COUNTER:
            votes = self.stillness.votes
            trusted = votes["still, none"] >= _ENOUGH_STILL and not votes["still, news"]
            return said if trusted else replace(said, count=None)
        return replace(said, count=said.other) if winner.startswith("other") else said

    @property
    def zone(self) -> str | None:
        """The offset nearly every page states, if it holds all the year round."""
        winner = self.zones.winner
        if (
            winner is None
            or winner == NO_ZONE
            or self.zones.votes[winner] < _NEARLY_ALL * self.zones.votes.total()
        ):
            return None
        return winner if is_steady(winner) else None

    def site_time(self, moment: datetime) -> datetime:
        """A moment by the site's own clock, against which it tells "today" and "yesterday"."""
        return moment.astimezone(as_timezone(self.zone)) if self.zone else moment

    def usually_fits(self) -> bool:
        """Has the wrapper fitted nearly all pages so far, so that misfits are news?"""
        votes = self.fits.votes
        return votes[FIT] >= _MOSTLY * (votes[MISFIT] + 1)

    def key_of(self, url: str) -> str:
        """What names a thread."""
        return thread_key(url, json.loads(self.naming.winner) if self.naming.winner else None)

    def board_base(self, url: str) -> str:
        """The address of a board's first page."""
        found = self.model.boards.split(url)
        return found[0] if found else url

    def leads_to(self, url: str) -> str:
        """thread, index or other, by the address; unknown where the samples taught no addresses."""
        kind = self.model.kind_of_url(url).partition(" ")[0]
        family = self.model.boards if kind == "other" else None
        if family is not None and not (family.patterns or self.model.threads.patterns):
            return "unknown"
        return "index" if kind == "entry" else kind

    def judge_board(self, url: str, items: int) -> bool:
        """Was a page taken for a board one? Addresses that never lead to rows are unlearnt; says if so."""
        fitting = [pattern for pattern in self.model.boards.patterns if matches_any((pattern,), clean(url))]
        for pattern in fitting:
            (self.full_boards if items else self.empty_boards).add(pattern)
        false = {
            pattern
            for pattern in fitting
            if not self.full_boards.votes[str(pattern)]
            and self.empty_boards.votes[str(pattern)] >= _ENOUGH_EMPTY
        }
        if false:
            boards = self.model.boards
            kept = tuple(pattern for pattern in boards.patterns if pattern not in false)
            self.model = replace(self.model, boards=replace(boards, patterns=kept))
        return bool(false)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        ballots = {name: dict(getattr(self, name).votes) for name in _BALLOTS}
        return {"model": self.model.to_json(), "relaunched": self.relaunched, **ballots}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lore:
        """What to_json() wrote."""
        lore = cls(ForumModel.from_json(data["model"]), relaunched=data["relaunched"])
        for name in _BALLOTS:
            setattr(lore, name, Ballot(Counter(data[name])))
        return lore


_BALLOTS = ("counter", "stillness", "fits", "zones", "naming", "page_size", "full_boards", "empty_boards")
