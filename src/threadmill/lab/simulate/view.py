"""What a layout needs to draw a page: rows, posts and links of a forum as one visitor sees them now."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from threadmill.lab.simulate.content.seeded_random import random_fraction, random_stream
from threadmill.lab.simulate.content.shown_dates import DAY, DateStyle, ShownDate, format_date, show_date
from threadmill.lab.simulate.content.writing import (
    ForumAuthor,
    Quotation,
    find_author,
    make_author,
    write_post,
    write_title,
)
from threadmill.lab.simulate.snapshot import ALL, ForumSnapshot, ListedThread, PageSlice, PostGroup

if TYPE_CHECKING:
    from threadmill.lab.simulate.content.world import SimulatedBoard
    from threadmill.lab.simulate.forum import PageLocation, SimulatedForum


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A thread as a row of an index."""

    index: int
    number: int
    title: str
    author: ForumAuthor
    created: ShownDate
    active: ShownDate
    last_author: ForumAuthor
    last_id: int
    last_offset: int
    replies: int
    views: int
    pages: int
    board: SimulatedBoard
    sticky: bool = False
    locked: bool = False
    stub: bool = False


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post as a page shows it."""

    rank: int
    id: int
    position: int
    author: ForumAuthor
    when: ShownDate
    paragraphs: tuple[str, ...]
    quotation: Quotation | None
    edited: ShownDate | None
    depth: int
    parent_id: int
    comment: bool
    accepted: bool
    votes: int
    first: bool


class ForumView:
    """One visitor's sight of a forum at a moment; `tick` moves the counters, `session` stands in links."""

    def __init__(
        self, forum: SimulatedForum, now: int, tick: int = 0, session: str = "", host: str = ""
    ) -> None:
        self.forum = forum
        self.traits = forum.traits
        self.world = forum.world
        self.language = forum.world.language
        self.layout = forum.layout
        self.snapshot: ForumSnapshot = forum.at(now)
        self.now = now
        self.tick = tick
        self.session = session
        self.host = host

    def word(self, name: str) -> str:
        """A word of the interface, escaped."""
        return escape(self.language.words[name])

    def href(self, url: str) -> str:
        """A link's address for an attribute, with the session where the visitor keeps no cookie."""
        if self.session:
            path, mark, fragment = url.partition("#")
            joint = "&" if "?" in path else "?"
            url = f"{path}{joint}{self.layout.session_name}={self.session}{mark}{fragment}"
        return escape(self._written(url))

    def _written(self, url: str) -> str:
        """An address as the engine writes it: from the root, from here (./x.php, x.php) or with the host."""
        style = self.layout.link_style
        if style == "full" and self.host:
            return f"http://{self.host}{url}"
        if style == "dot" or (style == "bare" and url == "/"):
            return f".{url}"
        return url.removeprefix("/") if style == "bare" else url

    def feed_link(self) -> str:
        """The head's pointer to the feed, where there is one."""
        if self.traits.feed == "none" or not self.layout.feed:
            return ""
        url = self.href(self.layout.feed)
        return f'<link rel="alternate" type="application/rss+xml" title="RSS" href="{url}" />'

    # -- dates

    def show_date(self, moment: int, style: DateStyle | None = None) -> ShownDate:
        """A moment as posts show it, or by another style."""
        return show_date(moment, self.now, style or self.traits.post_date, self.traits.zone, self.language)

    def show_row_date(self, moment: int) -> ShownDate:
        """A moment as index rows show it."""
        return self.show_date(moment, self.traits.index_date)

    def write_date(self, moment: int, pattern: str) -> str:
        """A moment by a pattern."""
        return escape(format_date(pattern, self.traits.zone.local(moment), self.language))

    # -- indexes

    def rows(self, place: PageLocation) -> list[IndexRow]:
        """The rows of an index page."""
        return [self.row(listed) for listed in self.snapshot.listing_page(place.index, place.offset)]

    def index_slice(self, place: PageLocation) -> PageSlice:
        """Where an index page stands among its board's pages."""
        return self.snapshot.listing_slice(place.index, place.offset)

    def row(self, listed: ListedThread) -> IndexRow:
        """One thread as a row."""
        world, index = self.world, listed.thread
        thread = world.threads[index]
        count = self.snapshot.count(index)
        part = self.snapshot.thread_slice(index, 0)
        first = thread.ranks[0]
        return IndexRow(
            index=index,
            number=thread.number,
            title=write_title(world, index),
            author=find_author(world, first),
            created=self.show_row_date(world.times[first]),
            active=self.show_row_date(world.times[listed.last]),
            last_author=find_author(world, listed.last),
            last_id=world.ids[listed.last],
            last_offset=self.snapshot.offset_of_post(index, listed.last),
            replies=count if self.traits.counts_first else count - 1,
            views=self.snapshot.views(index, self.tick),
            pages=part.pages,
            board=world.boards[thread.board_at(self.now)],
            sticky=thread.sticky,
            locked=thread.locked,
            stub=listed.stub,
        )

    def boards(self, parent: int = -1) -> list[int]:
        """The boards under a board, or at the top, closed ones too."""
        shown = self.snapshot.boards
        closed = [i for i, board in enumerate(self.world.boards) if board.closed]
        return [i for i in [*shown, *closed] if self.world.boards[i].parent == parent]

    def board_counts(self, board: int) -> tuple[int, int]:
        """Threads and posts of a board, as its row tells."""
        return self.snapshot.board_counts(board)

    def board_last(self, board: int) -> IndexRow | None:
        """The thread of a board that was written in last."""
        latest = self.snapshot.latest(board, 1)
        return self.row(latest[0]) if latest else None

    def recent(self, count: int = 5) -> list[IndexRow]:
        """The threads written in last, for a sidebar."""
        return [self.row(listed) for listed in self.snapshot.latest(ALL, count)]

    # -- threads

    def posts(self, place: PageLocation) -> list[ShownPost]:
        """The posts of a thread page, in the order shown."""
        found: list[ShownPost] = []
        positions = {rank: n for n, rank in enumerate(self.snapshot.ranks(place.index), 1)}
        first = next(iter(positions))
        for unit_ in self.snapshot.thread_page(place.index, place.offset):
            found.append(self._post(unit_.rank, 0, first, positions))
            found += [self._post(rank, depth, parent, positions) for rank, depth, parent in unit_.under]
        return found

    def units(self, place: PageLocation) -> list[tuple[ShownPost, list[ShownPost]]]:
        """The posts of a thread page, each with those nested under it."""
        flat = iter(self.posts(place))
        pages: list[PostGroup] = self.snapshot.thread_page(place.index, place.offset)
        return [(next(flat), [next(flat) for _ in unit_.under]) for unit_ in pages]

    def thread_slice(self, place: PageLocation) -> PageSlice:
        """Where a thread page stands among its thread's pages."""
        return self.snapshot.thread_slice(place.index, place.offset)

    def raw_title(self, index: int) -> str:
        """A thread's title."""
        return write_title(self.world, index)

    def title(self, index: int) -> str:
        """A thread's title, escaped."""
        return escape(write_title(self.world, index))

    def _post(self, rank: int, depth: int, parent: int, positions: dict[int, int]) -> ShownPost:
        world = self.world
        writing = write_post(world, rank, self.now)
        edited = world.edited_at(rank)
        return ShownPost(
            rank=rank,
            id=world.ids[rank],
            position=positions[rank],
            author=find_author(world, rank),
            when=self.show_date(world.times[rank]),
            paragraphs=writing.paragraphs,
            quotation=writing.quotation if self.traits.shape == "flat" else None,
            edited=self.show_date(edited) if edited and edited <= self.now else None,
            depth=depth,
            parent_id=world.ids[parent] if positions[rank] > 1 else 0,
            comment=self.snapshot.is_comment(rank) and positions[rank] > 1,
            accepted=self.snapshot.is_accepted(rank),
            votes=int(12 * random_fraction(self.traits.name, "votes", rank) ** 3),
            first=positions[rank] == 1,
        )

    # -- noise

    def online(self) -> list[ForumAuthor]:
        """Members who happen to be there: others with every request."""
        source = random_stream(self.traits.name, "online", self.now, self.tick)
        people = max(12, self.world.size // 25)
        return [
            make_author(self.world, int(source.random() * people))
            for _ in range(2 + int(5 * source.random()))
        ]

    def joined(self, author: ForumAuthor, pattern: str) -> str:
        """When somebody joined."""
        return self.write_date(author.joined, pattern)

    def birthday_people(self) -> list[tuple[ForumAuthor, int]]:
        """Members whose birthday it is, with their age."""
        day = self.now // DAY
        source = random_stream(self.traits.name, "birthday", day)
        return [(make_author(self.world, int(source.random() * 12)), 20 + int(source.random() * 50))]


@lru_cache(maxsize=20_000)
def slug(title: str) -> str:
    """A title as a piece of a URL: letters and digits of any script joined by hyphens."""
    plain = unicodedata.normalize(
        "NFKD", title.lower().replace("ı", "i").replace("ł", "l").replace("đ", "dj")
    )
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return quote(re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-"))
