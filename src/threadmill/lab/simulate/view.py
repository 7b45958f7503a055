"""What a layout needs to draw a page: rows, posts and links of a forum as one visitor sees them now."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from threadmill.lab.simulate.chance import stream, unit
from threadmill.lab.simulate.shown_dates import DAY, DateStyle, Stamp, stamp, write
from threadmill.lab.simulate.snapshot import ALL, Listed, Slice, Snapshot, Unit
from threadmill.lab.simulate.writing import (
    Author,
    Quotation,
    find_author,
    make_author,
    write_post,
    write_title,
)

if TYPE_CHECKING:
    from threadmill.lab.simulate.forum import Forum, Place
    from threadmill.lab.simulate.world import Board


@dataclass(frozen=True, slots=True)
class Row:
    """A thread as a row of an index."""

    index: int
    number: int
    title: str
    author: Author
    created: Stamp
    active: Stamp
    last_author: Author
    last_id: int
    last_offset: int
    replies: int
    views: int
    pages: int
    board: Board
    sticky: bool = False
    locked: bool = False
    stub: bool = False


@dataclass(frozen=True, slots=True)
class PostView:
    """A post as a page shows it."""

    rank: int
    id: int
    position: int
    author: Author
    when: Stamp
    paragraphs: tuple[str, ...]
    quotation: Quotation | None
    edited: Stamp | None
    depth: int
    parent_id: int
    comment: bool
    accepted: bool
    votes: int
    first: bool


class View:
    """One visitor's sight of a forum at a moment; `tick` moves the counters, `session` stands in links."""

    def __init__(self, forum: Forum, now: int, tick: int = 0, session: str = "", host: str = "") -> None:
        self.forum = forum
        self.traits = forum.traits
        self.world = forum.world
        self.language = forum.world.language
        self.layout = forum.layout
        self.snapshot: Snapshot = forum.at(now)
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

    def stamp(self, moment: int, style: DateStyle | None = None) -> Stamp:
        """A moment as posts show it, or by another style."""
        return stamp(moment, self.now, style or self.traits.post_date, self.traits.zone, self.language)

    def row_stamp(self, moment: int) -> Stamp:
        """A moment as index rows show it."""
        return self.stamp(moment, self.traits.index_date)

    def write_date(self, moment: int, pattern: str) -> str:
        """A moment by a pattern."""
        return escape(write(pattern, self.traits.zone.local(moment), self.language))

    # -- indexes

    def rows(self, place: Place) -> list[Row]:
        """The rows of an index page."""
        return [self.row(listed) for listed in self.snapshot.listing_page(place.index, place.offset)]

    def index_slice(self, place: Place) -> Slice:
        """Where an index page stands among its board's pages."""
        return self.snapshot.listing_slice(place.index, place.offset)

    def row(self, listed: Listed) -> Row:
        """One thread as a row."""
        world, index = self.world, listed.thread
        thread = world.threads[index]
        count = self.snapshot.count(index)
        part = self.snapshot.thread_slice(index, 0)
        first = thread.ranks[0]
        return Row(
            index=index,
            number=thread.number,
            title=write_title(world, index),
            author=find_author(world, first),
            created=self.row_stamp(world.times[first]),
            active=self.row_stamp(world.times[listed.last]),
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

    def board_last(self, board: int) -> Row | None:
        """The thread of a board that was written in last."""
        latest = self.snapshot.latest(board, 1)
        return self.row(latest[0]) if latest else None

    def recent(self, count: int = 5) -> list[Row]:
        """The threads written in last, for a sidebar."""
        return [self.row(listed) for listed in self.snapshot.latest(ALL, count)]

    # -- threads

    def posts(self, place: Place) -> list[PostView]:
        """The posts of a thread page, in the order shown."""
        found: list[PostView] = []
        positions = {rank: n for n, rank in enumerate(self.snapshot.ranks(place.index), 1)}
        first = next(iter(positions))
        for unit_ in self.snapshot.thread_page(place.index, place.offset):
            found.append(self._post(unit_.rank, 0, first, positions))
            found += [self._post(rank, depth, parent, positions) for rank, depth, parent in unit_.under]
        return found

    def units(self, place: Place) -> list[tuple[PostView, list[PostView]]]:
        """The posts of a thread page, each with those nested under it."""
        flat = iter(self.posts(place))
        pages: list[Unit] = self.snapshot.thread_page(place.index, place.offset)
        return [(next(flat), [next(flat) for _ in unit_.under]) for unit_ in pages]

    def thread_slice(self, place: Place) -> Slice:
        """Where a thread page stands among its thread's pages."""
        return self.snapshot.thread_slice(place.index, place.offset)

    def raw_title(self, index: int) -> str:
        """A thread's title."""
        return write_title(self.world, index)

    def title(self, index: int) -> str:
        """A thread's title, escaped."""
        return escape(write_title(self.world, index))

    def _post(self, rank: int, depth: int, parent: int, positions: dict[int, int]) -> PostView:
        world = self.world
        writing = write_post(world, rank, self.now)
        edited = world.edited_at(rank)
        return PostView(
            rank=rank,
            id=world.ids[rank],
            position=positions[rank],
            author=find_author(world, rank),
            when=self.stamp(world.times[rank]),
            paragraphs=writing.paragraphs,
            quotation=writing.quotation if self.traits.shape == "flat" else None,
            edited=self.stamp(edited) if edited and edited <= self.now else None,
            depth=depth,
            parent_id=world.ids[parent] if positions[rank] > 1 else 0,
            comment=self.snapshot.is_comment(rank) and positions[rank] > 1,
            accepted=self.snapshot.is_accepted(rank),
            votes=int(12 * unit(self.traits.name, "votes", rank) ** 3),
            first=positions[rank] == 1,
        )

    # -- noise

    def online(self) -> list[Author]:
        """Members who happen to be there: others with every request."""
        source = stream(self.traits.name, "online", self.now, self.tick)
        people = max(12, self.world.size // 25)
        return [
            make_author(self.world, int(source.random() * people))
            for _ in range(2 + int(5 * source.random()))
        ]

    def joined(self, author: Author, pattern: str) -> str:
        """When somebody joined."""
        return self.write_date(author.joined, pattern)

    def birthday_people(self) -> list[tuple[Author, int]]:
        """Members whose birthday it is, with their age."""
        day = self.now // DAY
        source = stream(self.traits.name, "birthday", day)
        return [(make_author(self.world, int(source.random() * 12)), 20 + int(source.random() * 50))]


@lru_cache(maxsize=20_000)
def slug(title: str) -> str:
    """A title as a piece of a URL: letters and digits of any script joined by hyphens."""
    plain = unicodedata.normalize(
        "NFKD", title.lower().replace("ı", "i").replace("ł", "l").replace("đ", "dj")
    )
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return quote(re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-"))
