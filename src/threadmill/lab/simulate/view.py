"""What a layout needs to draw a page: the rows, posts and links that a visitor sees now."""

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
    """A thread as a row of an index page."""

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
    """A forum as one visitor sees it at a time. `tick` changes view counters; `session` is added to links."""

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
        """Return a word of the user interface, escaped."""
        return escape(self.language.words[name])

    def href(self, url: str) -> str:
        """Return a URL for an href attribute, with the session id of a visitor without cookies."""
        if self.session:
            path, mark, fragment = url.partition("#")
            joint = "&" if "?" in path else "?"
            url = f"{path}{joint}{self.layout.session_name}={self.session}{mark}{fragment}"
        return escape(self._written(url))

    def _written(self, url: str) -> str:
        """Return a URL as the engine writes it: absolute path, relative (./x.php, x.php) or with host."""
        style = self.layout.link_style
        if style == "full" and self.host:
            return f"http://{self.host}{url}"
        if style == "dot" or (style == "bare" and url == "/"):
            return f".{url}"
        return url.removeprefix("/") if style == "bare" else url

    def feed_link(self) -> str:
        """Return the <link> to the feed, if there is one."""
        if self.traits.feed == "none" or not self.layout.feed:
            return ""
        url = self.href(self.layout.feed)
        return f'<link rel="alternate" type="application/rss+xml" title="RSS" href="{url}" />'

    # -- dates

    def show_date(self, moment: int, style: DateStyle | None = None) -> ShownDate:
        """Return a time as posts show it, or in another style."""
        return show_date(moment, self.now, style or self.traits.post_date, self.traits.zone, self.language)

    def show_row_date(self, moment: int) -> ShownDate:
        """Return a time as index rows show it."""
        return self.show_date(moment, self.traits.index_date)

    def write_date(self, moment: int, pattern: str) -> str:
        """Write a time with a pattern."""
        return escape(format_date(pattern, self.traits.zone.local(moment), self.language))

    # -- indexes

    def rows(self, place: PageLocation) -> list[IndexRow]:
        """Return the rows of an index page."""
        return [self.row(listed) for listed in self.snapshot.listing_page(place.index, place.offset)]

    def index_slice(self, place: PageLocation) -> PageSlice:
        """Return the range of an index page in its board."""
        return self.snapshot.listing_slice(place.index, place.offset)

    def row(self, listed: ListedThread) -> IndexRow:
        """Return a thread as a row."""
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
        """Return the sub-boards of a board (or the top boards), closed ones included."""
        shown = self.snapshot.boards
        closed = [i for i, board in enumerate(self.world.boards) if board.closed]
        return [i for i in [*shown, *closed] if self.world.boards[i].parent == parent]

    def board_counts(self, board: int) -> tuple[int, int]:
        """Return the numbers of threads and posts in the row of a board."""
        return self.snapshot.board_counts(board)

    def board_last(self, board: int) -> IndexRow | None:
        """Return the most recently active thread of a board."""
        latest = self.snapshot.latest(board, 1)
        return self.row(latest[0]) if latest else None

    def recent(self, count: int = 5) -> list[IndexRow]:
        """Return the most recently active threads, for a sidebar."""
        return [self.row(listed) for listed in self.snapshot.latest(ALL, count)]

    # -- threads

    def posts(self, place: PageLocation) -> list[ShownPost]:
        """Return the posts of a thread page, in the order shown."""
        found: list[ShownPost] = []
        positions = {rank: n for n, rank in enumerate(self.snapshot.ranks(place.index), 1)}
        first = next(iter(positions))
        for unit_ in self.snapshot.thread_page(place.index, place.offset):
            found.append(self._post(unit_.rank, 0, first, positions))
            found += [self._post(rank, depth, parent, positions) for rank, depth, parent in unit_.under]
        return found

    def units(self, place: PageLocation) -> list[tuple[ShownPost, list[ShownPost]]]:
        """Return the posts of a thread page, each with the posts nested under it."""
        flat = iter(self.posts(place))
        pages: list[PostGroup] = self.snapshot.thread_page(place.index, place.offset)
        return [(next(flat), [next(flat) for _ in unit_.under]) for unit_ in pages]

    def thread_slice(self, place: PageLocation) -> PageSlice:
        """Return the range of a thread page in its thread."""
        return self.snapshot.thread_slice(place.index, place.offset)

    def raw_title(self, index: int) -> str:
        """Return the title of a thread."""
        return write_title(self.world, index)

    def title(self, index: int) -> str:
        """Return the title of a thread, escaped."""
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
        """Return the members online. They change with each request."""
        source = random_stream(self.traits.name, "online", self.now, self.tick)
        people = max(12, self.world.size // 25)
        return [
            make_author(self.world, int(source.random() * people))
            for _ in range(2 + int(5 * source.random()))
        ]

    def joined(self, author: ForumAuthor, pattern: str) -> str:
        """Write the date when a member joined."""
        return self.write_date(author.joined, pattern)

    def birthday_people(self) -> list[tuple[ForumAuthor, int]]:
        """Return members with a birthday today, and their age."""
        day = self.now // DAY
        source = random_stream(self.traits.name, "birthday", day)
        return [(make_author(self.world, int(source.random() * 12)), 20 + int(source.random() * 50))]


@lru_cache(maxsize=20_000)
def slug(title: str) -> str:
    """Return a title for use in a URL: letters and digits of any script, joined by hyphens."""
    plain = unicodedata.normalize(
        "NFKD", title.lower().replace("ı", "i").replace("ł", "l").replace("đ", "dj")
    )
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return quote(re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-"))
