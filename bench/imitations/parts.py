"""What the macros of a template are given: boards, rows, posts and pagers as plain dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from markupsafe import Markup

from bench.imitations.spec import Shown
from threadmill.lab.simulate.content.seeded_random import random_fraction
from threadmill.lab.simulate.content.shown_dates import ShownDate
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, Quotation, find_author
from threadmill.lab.simulate.forum import PageLocation
from threadmill.lab.simulate.layout import with_links
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug

if TYPE_CHECKING:
    from bench.imitations.layout import ImitatedLayout


class Words:
    """The words of the forum's language as attributes: t.replies."""

    def __init__(self, view: ForumView) -> None:
        self._words = view.language.words

    def __getattr__(self, name: str) -> str:
        return self._words[name]


class PageParts:
    """The parts of one page."""

    def __init__(self, layout: ImitatedLayout, view: ForumView, place: PageLocation | None = None) -> None:
        self._layout = layout
        self._view = view
        self._place = place
        self.title = view.traits.title
        self.language = view.language.code
        self.home = self.href(layout.home)
        self.words = Words(view)
        self.now = view.show_date(view.now)
        self.moment = view.now
        self.tick = view.tick

    # -- links

    def href(self, url: str) -> Markup:
        """Return a URL as the engine writes it."""
        return Markup(self._view.href(url))  # noqa: S704 -- escaped there

    def other(self, word: str, number: int | str = "") -> Markup:
        """Return the URL of a page for members: login, reply …"""
        return self.href(f"{self._layout.spec['other'][word]}{number}")

    def link(self, name: str, number: int = 0) -> Markup:
        """Return one of the further links of a thread: print, next …"""
        return self.href(self._layout.urls.link(name, number))

    def further(self, name: str, number: int) -> Markup:
        """Return the URL of a further page of a board."""
        board = next(board for board in self._view.world.boards if board.number == number)
        return self.href(self._layout.urls.page(name, board))

    # -- people

    def author(self, author: ForumAuthor) -> Shown:
        """Return an author; a guest has no URL."""
        view = self._view
        return {
            "name": author.name,
            "number": author.number,
            "url": self.href(self._layout.profile_url(author)) if author.number else "",
            "posts": author.posts,
            "joined": view.joined(author, self._layout.spec.get("joined", "{d} {mon} {Y}"))
            if author.number
            else "",
            "place": author.place,
            "signature": author.signature,
        }

    def online(self) -> list[Shown]:
        """Return the members online. They change with each request."""
        return [self.author(author) for author in self._view.online()]

    # -- boards

    def link_to_board(self, board: SimulatedBoard) -> Shown:
        """Return title and URL of a board."""
        url = (
            self.href(self._layout.board_url(self._view.forum, board))
            if self._view.traits.board_pages
            else self.home
        )
        return {
            "title": board.title,
            "text": board.description,
            "number": board.number,
            "slug": slug(board.title) or "x",
            "url": url,
            "closed": board.closed,
        }

    def boards(self, parent: int = -1) -> list[Shown]:
        """Return the boards under a board, or the top boards."""
        return [self.board(index) for index in self._view.boards(parent)]

    def board(self, index: int) -> Shown:
        """Return a board with its counters and its last post. Of a board for members guests see no post."""
        view, board = self._view, self._view.world.boards[index]
        threads, posts = view.board_counts(index)
        last = None if board.closed else view.board_last(index)
        return {
            **self.link_to_board(board),
            "threads": threads,
            "posts": posts,
            "replies": posts - threads,
            "last": self.row(last) if last else None,
            "subs": lambda: self.boards(index),
        }

    @property
    def here(self) -> Shown:
        """The board of this page; of a listing of all boards, the forum itself."""
        place = self._place
        if place is None or place.index == ALL:
            return {
                "title": self.title,
                "text": "",
                "number": 0,
                "slug": "",
                "url": self.home,
                "closed": False,
            }
        index = place.index
        if place.kind == "thread":
            index = self._view.world.threads[index].board_at(self._view.now)
        return self.link_to_board(self._view.world.boards[index])

    @property
    def subs(self) -> list[Shown]:
        """The sub-boards of this page's board."""
        place = self._place
        return [] if place is None or place.index == ALL else self.boards(place.index)

    def totals(self) -> Shown:
        """Return the counters of the whole forum."""
        snapshot = self._view.snapshot
        counts = [snapshot.board_counts(index) for index in snapshot.boards]
        return {
            "threads": sum(threads for threads, _ in counts),
            "posts": sum(posts for _, posts in counts),
            "members": max(12, self._view.world.size // 25),
        }

    # -- threads and posts

    def row(self, row: IndexRow) -> Shown:
        """Return a row of an index page."""
        view, layout = self._view, self._layout
        pages = [
            self.href(layout.thread_url(view, row.index, n * view.traits.posts_per_page))
            for n in range(row.pages)
        ]
        rank = view.world.rank_of(row.last_id)
        moment = view.world.times[rank] if rank is not None else 0
        first = view.world.times[view.world.threads[row.index].ranks[0]]
        own_url = layout.message_url(row.index, row.last_id) if layout.urls.has("message") else ""
        return {
            "last_own_url": self.href(own_url),
            "said": view.show_date(moment),  # the last post's date as posts show it
            "time": moment,
            "asked": view.show_date(first),
            "begun": first,
            "title": row.title,
            "number": row.number,
            "code": layout.urls.thread_ids.write(row.number),
            "url": pages[0],
            "pages": pages,
            "author": self.author(row.author),
            "created": row.created,
            "active": row.active,
            "last_author": self.author(row.last_author),
            "last_url": self.href(layout.last_url(view, row.index, row.last_id, row.last_offset)),
            "last_id": row.last_id,
            "replies": row.replies,
            "views": row.views,
            "sticky": row.sticky,
            "locked": row.locked,
            "stub": row.stub,
            "board": self.link_to_board(row.board),
            "posts": lambda: self._posts_of(row.index),
        }

    def _posts_of(self, index: int) -> list[Shown]:
        """Return all posts of a thread, whatever its pages show."""
        part = self._view.thread_slice(PageLocation("thread", index))
        places = [PageLocation("thread", index, offset) for offset in range(0, max(1, part.total), part.per)]
        shown = {post.id: (post, place) for place in places for post in self._view.posts(place)}
        return [self.post(post, place) for post, place in shown.values()]

    def whole_thread(self) -> list[Shown]:
        """Return all posts of this page's thread, as pages of one message list them."""
        assert self._place is not None
        return self._posts_of(self._place.index)

    def post(self, post: ShownPost, place: PageLocation) -> Shown:
        """Return a post of a thread page."""
        view, layout = self._view, self._layout
        return {
            "id": post.id,
            "code": layout.urls.post_ids.write(post.id),
            "position": post.position,
            "author": self.author(post.author),
            "date": post.when,
            "time": view.world.times[post.rank],
            "lines": [Markup(with_links(line)) for line in post.paragraphs],  # noqa: S704 -- escaped there
            "quote": self._quote(post.quotation),
            "edited": post.edited,
            "edited_time": view.world.edited_at(post.rank),
            "depth": post.depth,
            "parent": post.parent_id,
            "parent_anchor": layout.anchor(post.parent_id),
            "parent_author": self._author_of(post.parent_id),
            "first": post.first,
            "votes": post.votes,
            "comment": post.comment,
            "accepted": post.accepted,
            "attachment": self._attachment(post.id),
            "url": self.href(layout.post_url(view, place.index, post.id, place.offset)),
            "own_url": self.href(layout.message_url(place.index, post.id))
            if layout.urls.has("message")
            else "",
            "anchor": layout.anchor(post.id),
        }

    def _author_of(self, post_id: int) -> str:
        rank = self._view.world.rank_of(post_id)
        return "" if rank is None else find_author(self._view.world, rank).name

    def _quote(self, quote: Quotation | None) -> Shown | None:
        if quote is None:
            return None
        return {
            "author": quote.author,
            "text": quote.text,
            "post_id": quote.post_id,
            "date": self._view.show_date(quote.moment),
            "moment": quote.moment,
            "inner": self._quote(quote.inner),
        }

    @staticmethod
    def _attachment(post_id: int) -> Shown | None:
        """Return the file that some posts carry."""
        if post_id % 19:
            return None
        return {
            "name": f"IMG_{post_id * 7 % 9000}.jpg",
            "size": 20 + post_id * 13 % 900,
            "number": post_id // 19,
        }

    def poll(self, number: int) -> list[tuple[str, int]]:
        """Return the choices of a thread's poll and their votes; most threads have none."""
        view = self._view
        if random_fraction(view.traits.name, "poll", number) > 0.08:
            return []
        return [(answer, (number * 7 + len(answer)) % 23) for answer in view.language.short_answers[:3]]

    def recent(self, count: int = 5) -> list[Shown]:
        """Return the most recently active threads."""
        return [self.row(row) for row in self._view.recent(count)]

    def latest(self, count: int = 5) -> list[Shown]:
        """Return the most recently active threads of this page's board."""
        index = ALL if self._place is None else self._place.index
        return [self.row(self._view.row(listed)) for listed in self._view.snapshot.latest(index, count)]

    def listing(self) -> tuple[list[Shown], Shown]:
        """Return the rows and the pager of the first page of this page's board, as some thread pages show."""
        view, place = self._view, self._place
        assert place is not None
        board = view.world.threads[place.index].board_at(view.now)
        index = PageLocation("index", board)
        rows = [self.row(row) for row in view.rows(index)]

        def url(offset: int) -> str:
            return self._layout.key(view, PageLocation("index", board, offset))

        return rows, self.pager(view.index_slice(index), url)

    def neighbours(self) -> tuple[Shown | None, Shown | None]:
        """Return the threads before and after this page's thread in the list of its board."""
        view, place = self._view, self._place
        assert place is not None
        board = view.world.threads[place.index].board_at(view.now)
        listed = [row for row in view.snapshot.listings[board] if not row.stub]
        at = next((n for n, row in enumerate(listed) if row.thread == place.index), -1)
        near = [listed[n] if 0 <= n < len(listed) and at >= 0 else None for n in (at - 1, at + 1)]
        before, after = (self.row(view.row(row)) if row else None for row in near)
        return before, after

    def when(self, moment: int, pattern: str) -> str:
        """Return a time by a pattern."""
        return self._view.write_date(moment, pattern)

    def exact(self, moment: int) -> ShownDate:
        """Return a time as posts show it."""
        return self._view.show_date(moment)

    # -- pagers

    def pager(self, part: PageSlice, url: Callable[[int], str]) -> Shown:
        """Return the pages of a list or thread."""
        return {
            "page": part.page,
            "pages": part.pages,
            "total": part.total,
            "from": part.offset + 1,
            "to": min(part.total, part.offset + part.per),
            "links": [(n, self.href(url(part.offset_of(n))) if n else "") for n in part.window()],
            "first": self.href(url(0)),
            "last": self.href(url(part.offset_of(part.pages))),
            "previous": self.href(url(part.offset - part.per)) if part.offset else "",
            "next": self.href(url(part.offset + part.per)) if part.has_next else "",
        }
