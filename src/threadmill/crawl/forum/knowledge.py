"""What a crawl knows about a forum: how its pages are built, how far its rows and its server can be trusted.

`ForumKnowledge` joins three parts: `LayoutKnowledge`, `RowKnowledge` and `SiteSignals`. It is stored with the
forum and grows with every page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta, timezone
from enum import IntEnum
from itertools import pairwise
from typing import Any

from threadmill.crawl.forum.rows.row_knowledge import RowKnowledge, Votes
from threadmill.errors import OldModelError
from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import kind_named_by_url, same_site, strip_session
from threadmill.forum.posts.bodies import TEXT_BEGINNING
from threadmill.forum.read_page import PostOrder
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.site_model.model import ForumModel
from threadmill.forum.site_model.url_patterns import matches_any
from threadmill.types import ThreadRow

FIT, MISFIT = "fit", "misfit"
LATER = "later"  # a date after the last look, in place of one in ISO 8601; sorted after all of these
NO_ZONE = "none"

_PAGE_SIZE_VOTES = 12  # a new page size is followed within so many pages
_MIN_SHAPE_VOTES = 2  # pages; the start page may be the only one that lists boards
_SAME_SIZE_SHARE = 0.4  # of the full pages must show the most frequent number of posts
_FIXED_SHARE = 0.9  # of them, where the number of pages counts posts; a page may hide a deleted post
_MIN_DATED_ROWS = 4  # dates in order; three may be so by chance
_ZONE_SHARE = 0.8  # of the pages must state the zone: a zone named in one post does not count
_FEW_WRONG = 3  # right answers for each wrong one
_MIN_EMPTY_PAGES = 2  # one board may be empty
# Threads with text outside their posts: how many are looked at (a layout without first posts shows in a few),
# and how many must have such text (fewer may have a poll or a note; the share was set by hand).
_MOST_UNREAD_THREADS, _MIN_UNREAD_THREADS, _MIN_UNREAD_SHARE = 40, 3, 0.1
_MOST_LINES = 20_000  # of posts, in memory
_MIN_LINE, _MAX_LINE = 20, 160  # characters of a line that tells a post; "Thank you!" stands in many
_KNOWN_LINES = 0.5  # of the lines of a page: the rest may be heads of posts; other posts share fewer lines

_STATED_ZONE = re.compile(
    r"\b(?:GMT|UTC)\s?(?P<sign>[+\-\u2212])\s?(?P<hours>1[0-4]|0?\d)(?::?(?P<minutes>[0-5]\d))?\b"
)
_MAX_ZONE_LINE = 120  # characters of a line about times; a longer one is part of a post
# Between these offsets no clocks change in summer (tz database, populated places since 2017). Any other
# stated offset holds for one season only, and the times of the other half of the year are an hour off.
_OFFSETS_WITHOUT_SUMMER_TIME = (timedelta(hours=4), timedelta(hours=9))


class SearchLevel(IntEnum):
    """How the threads and boards of a forum are found, from the strongest way to the weakest."""

    MODEL = 1  # by the learnt URL patterns
    ROWS = 2  # by the rows of index pages, whatever their URLs
    PAGES = 3  # by reading page after page


@dataclass(slots=True)
class LayoutKnowledge:
    """How the pages and URLs of a forum are built: the learnt model, and what pages have shown since."""

    model: ForumModel
    fits: Votes = field(default_factory=Votes)  # did the wrapper fit thread pages
    zones: Votes = field(default_factory=Votes)  # which time zone pages state
    page_size: Votes = field(default_factory=Votes)  # posts on later pages, without a repeated opening post
    first_size: Votes = field(default_factory=Votes)  # posts on the first page
    full_boards: Votes = field(default_factory=Votes)  # URL patterns whose pages showed rows
    empty_boards: Votes = field(default_factory=Votes)  # URL patterns whose pages showed none
    order: Votes = field(default_factory=Votes)  # by which date threads are sorted
    shapes: Votes = field(default_factory=Votes)  # how rows of boards and threads are built
    longest_list: int = 0  # threads on the longest index page
    overhang: int = 0  # posts by which last pages may be longer than others: few posts get no page
    level: int = 1  # how threads and boards are found: a SearchLevel
    refused: frozenset[str] = frozenset()  # URLs that a person said are no boards; not stored here
    told_zone: str = ""  # the time zone that a person said; not stored here
    start_lists_all: bool = False  # did the list of the start page show the threads of all boards

    @property
    def oldest_first(self) -> bool:
        """Are the posts of a thread sorted oldest first?"""
        return self.model.post_order is not PostOrder.DESCENDING

    @property
    def index_order(self) -> IndexOrder | None:
        """By what threads are sorted, if it is known. Lists of known threads outweigh the learnt model."""
        seen = self.order.winner
        return IndexOrder(seen) if seen else self.model.index_order

    @property
    def sorted_by_creation(self) -> bool:
        """May threads be sorted by creation, so that news may be on any page?"""
        return self.index_order is not IndexOrder.ACTIVITY

    def record_index_order(
        self, rows: Sequence[ThreadRow], stored: Mapping[str, tuple[str, str]] | None = None
    ) -> None:
        """Vote if both dates of threads are known: does a page sort by creation or by last activity?

        `stored` has the dates of the first and the last post of threads, by the URLs of rows. A date after
        the last look is not known to the day: it is LATER. A date that the row itself shows is known.
        """
        plain = [row for row in rows if not row.sticky and not row.moved]
        dated = [
            (row.created.isoformat(), row.active.isoformat()) for row in plain if row.created and row.active
        ]
        if len(dated) < _MIN_DATED_ROWS and stored:
            known = [(row, *stored[row.url]) for row in plain if row.url in stored]
            active = [row.active.isoformat() for row, _, _ in known if row.active]
            if len(active) < len(known):
                active = [last for _, _, last in known]
            dated = [(first, last) for (_, first, _), last in zip(known, active, strict=True)]
        self.record_order_of(dated)

    def record_order_of(self, dated: Sequence[tuple[str, str]]) -> None:
        """Vote by the first and the last dates of threads in the order of a list, if they are enough.

        Sticky threads without a mark stand above the latest thread, so what is above it says nothing. Where
        both dates rise, the row is out of either order.
        """
        if len(dated) < _MIN_DATED_ROWS:
            return
        top = min(column.index(max(column)) for column in map(list, zip(*dated, strict=True)))
        created = active = 0
        for above, below in pairwise(dated[top:]):
            rises = below[0] > above[0], below[1] > above[1]
            created += rises == (True, False)
            active += rises == (False, True)
        if min(created, active) * _FEW_WRONG < max(created, active):
            for _ in range(abs(active - created)):  # one vote for each row: a box has few
                self.order.add(IndexOrder.CREATION if created < active else IndexOrder.ACTIVITY)

    @property
    def posts_per_page(self) -> int | None:
        """Posts on a full page. None if pages have no fixed size."""
        seen = self.page_size if self.page_size.votes else self.first_size
        return _usual_size(seen) if seen.votes else self.model.threads.per_page

    @property
    def posts_on_first_page(self) -> int | None:
        """Posts on a full first page. Some engines show the opening post in addition to the usual number."""
        return _usual_size(self.first_size) if self.first_size.votes else self.posts_per_page

    @property
    def has_fixed_pages(self) -> bool:
        """Do nearly all full pages show the same number of posts, so that the number of pages tells theirs?

        Where replies are nested, a page has more posts if its threads have many replies.
        """
        seen = self.page_size if self.page_size.votes else self.first_size
        return seen.winner is not None and seen.votes[seen.winner] >= _FIXED_SHARE * seen.votes.total()

    def record_page_size(self, posts: int, *, first: bool) -> None:
        """Vote after a page that is not the last one. A repeated opening post is not counted.

        Because of the opening post, the sizes of first and later pages may differ by one. A larger difference
        means that the forum has changed its page size.
        """
        expected = {posts, posts - 1} if first else {posts, posts + 1}
        sizes, others = (self.first_size, self.page_size) if first else (self.page_size, self.first_size)
        sizes.add(posts, _PAGE_SIZE_VOTES)
        if others.winner and int(others.winner) not in expected:
            others.add(posts, _PAGE_SIZE_VOTES)

    def record_last_page(self, posts: int, *, first: bool) -> None:
        """Learn by how many posts a last page may exceed a full one. A shorter last page disproves it."""
        size = self.posts_per_page
        if not first and posts <= self.overhang:
            self.overhang = posts - 1
        elif size and size < posts - first < 2 * size:  # a first page may show the opening post in addition
            self.overhang = max(self.overhang, posts - first - size)

    def row_shape(self, kind: str) -> str | None:
        """How rows of a kind ("thread" or "index") are built. None until several pages have shown it."""
        for answer, count in self.shapes.votes.most_common():
            known, _, shape = answer.partition(" ")
            if known == kind:
                return shape if count >= _MIN_SHAPE_VOTES else None
        return None

    @property
    def zone(self) -> str | None:
        """The offset that a person said, or that nearly every page states, if it holds all year round."""
        if self.told_zone:
            return self.told_zone
        winner = self.zones.winner
        if (
            winner is None
            or winner == NO_ZONE
            or self.zones.votes[winner] < _ZONE_SHARE * self.zones.votes.total()
        ):
            return None
        return winner if has_no_summer_time(winner) else None

    def in_site_zone(self, moment: datetime) -> datetime:
        """A moment in the zone of the site, in which it says "today" and "yesterday"."""
        return moment.astimezone(as_timezone(self.zone)) if self.zone else moment

    def usually_fits(self) -> bool:
        """Has the wrapper fitted nearly all pages, so that a misfit means another layout?"""
        votes = self.fits.votes
        return votes[FIT] >= _FEW_WRONG * (votes[MISFIT] + 1)

    def thread_key(self, url: str) -> str:
        """The key that names a thread."""
        return self.model.threads.key(url)

    def board_url(self, url: str) -> str:
        """The URL of the first page of a board."""
        found = self.model.boards.split(url)
        return found[0] if found else url

    def link_kind(self, url: str) -> str:
        """Where a URL leads: thread, index or other; unknown if the model has no URL patterns."""
        if strip_session(url) in self.refused:
            return "other"
        kind = self.model.kind_of_url(url).partition(" ")[0]
        if kind == "other" and self.level >= SearchLevel.ROWS and same_site(url, self.model.entry):
            return "unknown" if kind_named_by_url(url) != "other" else "other"
        family = self.model.boards if kind == "other" else None
        if family is not None and not (family.patterns or self.model.threads.patterns):
            return "unknown"
        return "index" if kind == "entry" else kind

    def is_known_link(self, url: str) -> bool:
        """Does a URL lead to the start page, a board, or any page of a thread, by its pattern?"""
        return self.model.kind_of_url(url) in {"entry", "index", "thread", "thread page"}

    def is_guess(self, url: str) -> bool:
        """Did only a row lead to a URL, which no pattern of the model fits?"""
        return self.level >= SearchLevel.ROWS and self.model.kind_of_url(url) == "other"

    def record_board_page(self, url: str, items: int) -> bool:
        """Vote after a page taken for a board. Drop a URL pattern that never leads to rows; True if so."""
        fitting = [
            pattern for pattern in self.model.boards.patterns if matches_any((pattern,), strip_session(url))
        ]
        for pattern in fitting:
            (self.full_boards if items else self.empty_boards).add(pattern)
        false = {
            pattern
            for pattern in fitting
            if not self.full_boards.votes[str(pattern)]
            and self.empty_boards.votes[str(pattern)] >= _MIN_EMPTY_PAGES
        }
        if false:
            boards = self.model.boards
            kept = tuple(pattern for pattern in boards.patterns if pattern not in false)
            self.model = replace(self.model, boards=replace(boards, patterns=kept))
        return bool(false)


@dataclass(slots=True)
class UnreadTexts:
    """Texts outside posts, as far as only one thread shows them: they tell of posts that were not read.

    Counters of a forum may agree with the posts that were found although each thread lacks one: a counter of
    replies is right where every first post was missed. The words of these posts still stand on the pages.
    """

    threads: list[str] = field(default_factory=list)  # that were looked at
    texts: dict[str, str] = field(default_factory=dict)  # beginning → the thread that shows it
    common: dict[str, None] = field(default_factory=dict)  # shown by several threads, or said in a post
    _said: set[str] = field(default_factory=set)  # beginnings of lines of posts; not stored
    _lines: set[str] = field(default_factory=set)  # the same lines, whole

    def record(self, thread: str, texts: Iterable[str], posts: Iterable[str]) -> None:
        """Note the texts of a thread page outside its posts, and the texts of its posts."""
        self.remember(posts)
        if thread not in self.threads and len(self.threads) < _MOST_UNREAD_THREADS:
            self.threads.append(thread)
        for text in (one[:TEXT_BEGINNING] for one in texts):
            if self.texts.get(text, thread) != thread:  # framing: another thread shows it too
                del self.texts[text]
                self.common[text] = None
            elif text not in self.common and thread in self.threads:
                self.texts[text] = thread

    def remember(self, posts: Iterable[str]) -> None:
        """Note the texts of posts, as far as there is room for them."""
        if len(self._said) < _MOST_LINES:
            lines = {line.strip()[:_MAX_LINE] for text in posts for line in text.splitlines()}
            self._lines |= lines
            self._said.update(line[:TEXT_BEGINNING] for line in lines)

    def knows(self, posts: Iterable[str]) -> bool:
        """Were a good part of the lines of posts read in other posts, perhaps on a page of another layout?"""
        lines = {line.strip()[:_MAX_LINE] for text in posts for line in text.splitlines()}
        lines = {line for line in lines if len(line) >= _MIN_LINE}
        return bool(lines) and len(lines & self._lines) >= _KNOWN_LINES * len(lines)

    def find_threads(self) -> set[str]:
        """The threads with text of their own outside posts. Empty if they are so few that it says nothing."""
        found = {thread for text, thread in self.texts.items() if text not in self._said}
        enough = len(found) >= max(_MIN_UNREAD_THREADS, _MIN_UNREAD_SHARE * len(self.threads))
        return found if enough else set()

    def clear(self) -> None:
        """Forget all, because pages are read in another way from now on."""
        self.threads.clear()
        self.texts.clear()

    def to_json(self) -> dict[str, Any]:
        """The texts as plain data for the store."""
        told = {text: thread for text, thread in self.texts.items() if text not in self._said}
        return {"threads": self.threads, "texts": told, "common": list(self.common)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> UnreadTexts:
        """The texts that `to_json` wrote."""
        return cls(list(data["threads"]), dict(data["texts"]), dict.fromkeys(data["common"]))


@dataclass(slots=True)
class SiteSignals:
    """What the server itself says about news (validators, feed), how true that was, and the past runs."""

    validators: Votes = field(default_factory=Votes)  # did ETag and Last-Modified change with the page
    hints: Votes = field(default_factory=Votes)  # did the feed or sitemap announce news
    runs: Votes = field(default_factory=Votes)  # runs that found nothing, and others
    feed: str | None = None  # URL of the feed that most pages name
    post_feeds: list[str] = field(default_factory=list)  # feeds that name posts, or may do so
    last_look: datetime | None = None  # the time at the site when the last complete run began
    skipped_runs: int = 0  # runs in a row that were skipped because the feed announced nothing
    clock_lead: float = 0.0  # seconds by which the clock of the site was last ahead of ours
    missing_after_search: int | None = None  # posts that no other way of searching found either
    stated_posts: int | None = None  # posts of the whole forum by the statistics box of its start page
    unfollowed: int = 0  # links that lead to posts by pages of like URLs, but were not followed
    unread: UnreadTexts = field(default_factory=UnreadTexts)  # texts of thread pages that no post has


@dataclass(slots=True)
class ForumKnowledge:
    """All that is known about one forum."""

    layout: LayoutKnowledge
    rows: RowKnowledge = field(default_factory=RowKnowledge)
    site: SiteSignals = field(default_factory=SiteSignals)
    just_learnt: bool = False  # is this the crawl for which it was learnt; several runs, if it is cut off
    relaunched: bool = False  # has the forum changed its software since the first crawl

    def to_json(self) -> dict[str, Any]:
        """The knowledge as plain data for the store."""
        site = self.site
        return {
            "model": self.layout.model.to_json(),
            "longest": self.layout.longest_list,
            "overhang": self.layout.overhang,
            "level": int(self.layout.level),
            "all": self.layout.start_lists_all,
            "relaunched": self.relaunched,
            "first": self.just_learnt,
            "lead": site.clock_lead,
            "feed": site.feed,
            "feeds": site.post_feeds,
            "looked": site.last_look.isoformat() if site.last_look else None,
            "rested": site.skipped_runs,
            "stated": site.stated_posts,
            "sought": site.missing_after_search,
            "unread": site.unread.to_json(),
            "unfollowed": site.unfollowed,
            "named": self.rows.box_threads,
            "links": self.rows.post_links,
            **{name: dict(getattr(part, name).votes) for part, name in self._all_votes()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ForumKnowledge:
        """Read what `to_json` wrote. Raise OldModelError if another version wrote it in another form."""
        try:
            model = ForumModel.from_json(data["model"])
            looked = data.get("looked")
            site = SiteSignals(
                feed=data.get("feed"),
                post_feeds=list(data.get("feeds", ())),
                last_look=datetime.fromisoformat(looked) if looked else None,
                skipped_runs=data.get("rested", 0),
                clock_lead=data.get("lead", 0.0),
                stated_posts=data.get("stated"),
                missing_after_search=data.get("sought"),
                unread=UnreadTexts.from_json(data["unread"]) if "unread" in data else UnreadTexts(),
                unfollowed=data.get("unfollowed", 0),
            )
            rows = RowKnowledge(box_threads=data.get("named", {}), post_links=data.get("links", {}))
            layout = LayoutKnowledge(model, longest_list=data.get("longest", 0), level=data.get("level", 1))
            layout.start_lists_all = data.get("all", False)
            layout.overhang = data.get("overhang", 0)
            knowledge = cls(layout, rows, site, data.get("first", False), data["relaunched"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise OldModelError(f"expected a model of this version, found one without {error}") from error
        for part, name in knowledge._all_votes():
            setattr(part, name, Votes(Counter(data.get(name, {}))))
        return knowledge

    def _all_votes(self) -> list[tuple[object, str]]:
        """Each part with the names of its votes, which are also their names in the store."""
        return [
            (part, one.name)
            for part in (self.layout, self.rows, self.site)
            for one in fields(part)
            if isinstance(getattr(part, one.name), Votes)
        ]


def find_stated_zone(outline: PageOutline) -> str | None:
    """The offset that a page states ("GMT+8", "All times are UTC+05:30") as "+08:00". None for several."""
    found = {
        _format_offset(match)
        for segment in outline.segments
        if len(segment) <= _MAX_ZONE_LINE and (match := _STATED_ZONE.search(segment))
    }
    return found.pop() if len(found) == 1 else None


def has_no_summer_time(zone: str) -> bool:
    """Is this offset the same all year round?"""
    earliest, latest = _OFFSETS_WITHOUT_SUMMER_TIME
    return earliest <= as_timezone(zone).utcoffset(None) <= latest


def as_timezone(zone: str) -> timezone:
    """An offset like "-03:30" as a timezone."""
    hours, minutes = zone[1:].split(":")
    span = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-span if zone[0] == "-" else span)


def _format_offset(match: re.Match[str]) -> str:
    sign = "+" if match["sign"] == "+" else "-"
    return f"{sign}{int(match['hours']):02d}:{match['minutes'] or '00'}"


def _usual_size(sizes: Votes) -> int | None:
    """The size of most pages. None where replies are nested: there each page has another number of posts."""
    seen = sizes.winner
    return int(seen) if seen and sizes.votes[seen] >= _SAME_SIZE_SHARE * sizes.votes.total() else None
