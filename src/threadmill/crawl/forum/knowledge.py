"""What a crawl knows of a forum: the model learnt from samples, and what reading it has taught since."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from threadmill.crawl.forum.post_counter import counts_of, find_counter, is_exact, judge_counters
from threadmill.crawl.forum.row_state import Said
from threadmill.crawl.forum.thread_key import thread_key
from threadmill.crawl.forum.time_zone import as_timezone, is_steady
from threadmill.crawl.forum.votes import Ballot
from threadmill.errors import OldModelError
from threadmill.forum.index.index_order import IndexOrder
from threadmill.forum.link_urls import strip_session
from threadmill.forum.posts.read_posts import PostOrder
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.url_patterns import matches_any
from threadmill.types import Moment, ThreadRow

FIT, MISFIT = "fit", "misfit"
NO_ZONE = "none"

_ENOUGH_STILL = 4  # threads opened in vain before a counter that stands still is believed
_ENOUGH_STILL_BOARDS = 2  # there are fewer boards than threads, and each visit in vain is a page
_PAGE_SIZE_VOTES = 12  # a forum that shows more posts a page from now on is followed within as many pages
_FEWEST_SHAPES = 2  # pages; the start page may be the only one that lists boards
_STEADY = 0.4  # of full pages show as many posts as most do
_ENOUGH_ROWS = 4  # dates in order; three may be so by chance
_ENOUGH_FOLLOW = 5  # rows; a forum that shows when threads began has none
WORTH_A_LOOK = 0.2  # of such pages held news; with none at all, four are read to learn that
_NEARLY_ALL = 0.8  # of the pages state it: what one post says of its zone is no statement
_MOSTLY = 3  # fitting pages for each that does not fit
_ENOUGH_EMPTY = 2  # one board may be empty


@dataclass(slots=True)
class Lore:
    """The growing knowledge of one forum; plain data on its way to the store and back."""

    model: ForumModel
    counter: Ballot = field(default_factory=Ballot)  # which number of a row counts posts, less 0 or 1
    stillness: Ballot = field(default_factory=Ballot)  # what a counter that stands still was worth
    fits: Ballot = field(default_factory=Ballot)  # did the wrapper fit the pages of threads
    zones: Ballot = field(default_factory=Ballot)  # what pages state of their zone
    naming: Ballot = field(default_factory=Ballot)  # the parameters that name a thread
    page_size: Ballot = field(default_factory=Ballot)  # of later pages, a post repeated from page one apart
    first_size: Ballot = field(default_factory=Ballot)  # of page one
    full_boards: Ballot = field(default_factory=Ballot)  # patterns whose pages showed rows
    order: Ballot = field(default_factory=Ballot)  # by which date the rows of boards fall
    still_boards: Ballot = field(default_factory=Ballot)  # what a board's still number was worth
    dates: Ballot = field(default_factory=Ballot)  # do the dates of rows follow their counters
    deeper: Ballot = field(default_factory=Ballot)  # did pages of older threads hold news
    mentions: Ballot = field(default_factory=Ballot)  # had threads news that a box began to name
    growth: Ballot = field(default_factory=Ballot)  # did new posts account for what boards' rows gained
    empty_boards: Ballot = field(default_factory=Ballot)  # and patterns whose pages showed none
    validators: Ballot = field(default_factory=Ballot)  # have ETag and Last-Modified told of news
    searches: Ballot = field(default_factory=Ballot)  # were posts found that rows counted and no page showed
    shapes: Ballot = field(default_factory=Ballot)  # how the rows of boards and threads are built
    hints: Ballot = field(default_factory=Ballot)  # has the feed or sitemap told of news
    runs: Ballot = field(default_factory=Ballot)  # runs that found nothing, and others
    feed: str | None = None  # what most pages name
    looked: datetime | None = None  # what time it was at the site when the last whole run began
    named: dict[str, str] = field(default_factory=dict)  # threads in boxes, by key, and when they last were
    rested: int = 0  # runs in a row that ended because a hint was believed

    fresh: bool = False  # was it learnt in this very run; not stored
    relaunched: bool = False  # has the forum changed its software since the first crawl
    lead: float = 0.0  # seconds the site's clock was last ahead of ours

    @property
    def ascending(self) -> bool:
        """Do posts stand oldest first?"""
        return self.model.post_order is not PostOrder.DESCENDING

    @property
    def by_creation(self) -> bool:
        """Are threads sorted by when they began? Pages that show both dates know better than samples."""
        seen = self.order.winner
        return (IndexOrder(seen) if seen else self.model.index_order) is IndexOrder.CREATION

    def judge_order(self, rows: Sequence[ThreadRow]) -> None:
        """A page that shows when threads began and when they were last answered: which of the two falls?"""
        dated = [row for row in rows if row.created and row.active and not row.sticky and not row.moved]
        if len(dated) < _ENOUGH_ROWS:
            return
        begun, active = _rises([row.created for row in dated]), _rises([row.active for row in dated])
        if min(begun, active) * _MOSTLY < max(begun, active):
            self.order.add(IndexOrder.CREATION if begun < active else IndexOrder.ACTIVITY)

    @property
    def posts_a_page(self) -> int | None:
        """How many posts a full page shows."""
        seen = self.page_size if self.page_size.votes else self.first_size
        return _steady(seen) if seen.votes else self.model.threads.per_page

    @property
    def posts_on_page_one(self) -> int | None:
        """How many posts a first page shows that is not the last: one more, where the first stands apart."""
        return _steady(self.first_size) if self.first_size.votes else self.posts_a_page

    def judge_page_size(self, posts: int, *, first: bool) -> None:
        """A page that is not the last shows so many posts, one repeated from page one apart.

        The opening post makes a difference of one between the first page and others. A larger one means that
        the forum has another size from now on.
        """
        likely = {posts, posts - 1} if first else {posts, posts + 1}
        sizes, others = (self.first_size, self.page_size) if first else (self.page_size, self.first_size)
        sizes.add(posts, _PAGE_SIZE_VOTES)
        if others.winner and int(others.winner) not in likely:
            others.add(posts, _PAGE_SIZE_VOTES)

    def row_shape(self, kind: str) -> str | None:
        """How a row of a thread or board is built, once pages with several of them have shown it."""
        for answer, count in self.shapes.votes.most_common():
            known, _, shape = answer.partition(" ")
            if known == kind:
                return shape if count >= _FEWEST_SHAPES else None
        return None

    def judge_search(self, *, news: int) -> None:
        """An earlier page of a thread was read because its row counts more: was there anything?"""
        self.searches.add("news" if news else "none")

    def searches_threads(self) -> bool:
        """Are posts that a row counts, and that were not where they should be, worth a search?"""
        votes = self.searches.votes
        return self.counts_exactly() and (votes["news"] + 1) / (votes.total() + 2) >= WORTH_A_LOOK

    def judge_counters(self, said: Said, posts: int) -> None:
        """A thread was read to its end: which of its row's numbers counts posts, and does it the first?"""
        judge_counters(self.counter, said, posts)

    @property
    def posts_counter(self) -> tuple[str, int] | None:
        """The number of a row that has counted posts, and what to add to it; None where none does."""
        return find_counter(self.counter)

    def judge_stillness(self, *, still: bool, news: int) -> None:
        """A thread was opened though it was not clear that it had changed: was its counter a sign?"""
        self.stillness.add(f"{'still' if still else 'moved'}, {'news' if news else 'none'}")

    def judge_still_board(self, *, news: int) -> None:
        """A board was read though a number of its row stood still: was there anything new?"""
        self.still_boards.add("news" if news else "none")

    def trusts_still_boards(self) -> bool:
        """Has a number of a board's row that stood still always meant that nothing was new?"""
        votes = self.still_boards.votes
        return votes["none"] >= _ENOUGH_STILL_BOARDS and not votes["news"]

    def judge_dates(self, kind: str, *, follows: bool) -> None:
        """A row's counter grew: did the date it shows follow?"""
        self.dates.add(f"{kind} {'follows' if follows else 'stays'}")

    def trusts_dates(self, kind: str) -> bool:
        """Is the date that rows of threads or boards show that of the last post, as far as we have seen?"""
        votes = self.dates.votes
        follows = votes[f"{kind} follows"]
        return follows >= _ENOUGH_FOLLOW and votes[f"{kind} stays"] * 10 <= follows

    def dates_stay(self, kind: str) -> bool:
        """Have counters grown without the dates beside them, more often than with them?"""
        votes = self.dates.votes
        return votes[f"{kind} stays"] > votes[f"{kind} follows"]

    def judge_deeper(self, *, news: bool) -> None:
        """Where threads are sorted by creation, a page of older ones was read: had any of them changed?"""
        self.deeper.add("news" if news else "none")

    def looks_deeper(self) -> bool:
        """Are older threads answered often enough that a page of them is worth a look?"""
        votes = self.deeper.votes
        return (votes["news"] + 1) / (votes.total() + 2) >= WORTH_A_LOOK

    def name_apart(self, keys: Sequence[str], now: datetime) -> set[str]:
        """Threads that a box names now; gives those that rose in it since the last run.

        One that it did not name then was answered since, if it names the latest; and so was each above it.
        """
        since = self.looked.isoformat() if self.looked else ""
        risen = [place for place, key in enumerate(keys) if self.named.get(key, "") < since]
        self.named = {key: at for key, at in self.named.items() if at >= since}
        self.named |= dict.fromkeys(keys, now.isoformat())
        return set(keys[: risen[-1] + 1]) if risen else set()

    def judge_mention(self, *, news: bool) -> None:
        """A thread rose in a box: does its row say that it has news?"""
        self.mentions.add("news" if news else "none")

    def trusts_mentions(self) -> bool:
        """Do boxes name threads because they were answered?"""
        votes = self.mentions.votes
        return votes["news"] >= _ENOUGH_ROWS and votes["news"] > _MOSTLY * votes["none"]

    def judge_growth(self, *, exact: bool) -> None:
        """A board was read: were as many new posts found as its row counts?"""
        self.growth.add("exact" if exact else "off")

    def trusts_growth(self) -> bool:
        """Does the counter of boards' rows count posts, so that nothing is unseen when all of it is found?"""
        votes = self.growth.votes
        return votes["exact"] > _MOSTLY * votes["off"]

    def total(self, said: Said) -> int | None:
        """How many posts a thread has by its row's counter."""
        counter = self.posts_counter
        if counter is None:
            return None
        count = counts_of(said).get(counter[0])
        return count + counter[1] if count is not None else None

    def counts_exactly(self) -> bool:
        """Has the counter of rows hardly ever been off, so that a difference means unseen posts?"""
        return is_exact(self.counter)

    def believed(self, said: Said) -> Said:
        """What a row says, with the number that counts posts, or without one if none has proved to."""
        if not self.counter.votes:
            return said
        counter = self.posts_counter
        if counter is None:
            votes = self.stillness.votes
            trusted = votes["still, none"] >= _ENOUGH_STILL and not votes["still, news"]
            return said if trusted else replace(said, count=None)
        return said if counter[0] == "count" else replace(said, count=counts_of(said).get(counter[0]))

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
        fitting = [
            pattern for pattern in self.model.boards.patterns if matches_any((pattern,), strip_session(url))
        ]
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
        return {
            "model": self.model.to_json(),
            "relaunched": self.relaunched,
            "lead": self.lead,
            "feed": self.feed,
            "looked": self.looked.isoformat() if self.looked else None,
            "rested": self.rested,
            "named": self.named,
            **ballots,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lore:
        """What to_json() wrote; OldModelError where another version wrote it in another form."""
        try:
            model = ForumModel.from_json(data["model"])
            looked = data.get("looked")
            lore = cls(
                model,
                feed=data.get("feed"),
                looked=datetime.fromisoformat(looked) if looked else None,
                rested=data.get("rested", 0),
                named=data.get("named", {}),
                relaunched=data["relaunched"],
                lead=data.get("lead", 0.0),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise OldModelError(f"expected a model of this version, found one without {error}") from error
        for name in _BALLOTS:
            setattr(lore, name, Ballot(Counter(data.get(name, {}))))
        return lore


def _steady(sizes: Ballot) -> int | None:
    """What most pages show; where replies hang under others, pages have as many posts as it happens."""
    seen = sizes.winner
    return int(seen) if seen and sizes.votes[seen] >= _STEADY * sizes.votes.total() else None


def _rises(moments: Sequence[Moment | None]) -> int:
    """How many dates of a column are later than the one above."""
    shown = [moment.isoformat() for moment in moments if moment]
    return sum(below > above for above, below in pairwise(shown))


_BALLOTS = (
    "counter", "stillness", "fits", "zones", "naming", "page_size", "first_size", "full_boards",
    "empty_boards", "still_boards", "deeper", "growth", "mentions", "dates", "order", "validators",
    "searches", "shapes", "hints", "runs",
)  # fmt: skip
