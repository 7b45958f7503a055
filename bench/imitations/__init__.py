"""Forums that look like well-known engines: one Jinja template each, written from what their pages look like.

Nothing of an engine's own templates is copied. `engines.toml` has their URLs, page sizes and dates.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from threadmill.lab.simulate.content.language import load_language
from threadmill.lab.simulate.content.shown_dates import DateStyle, ForumZone
from threadmill.lab.simulate.content.traits import ForumTraits
from threadmill.lab.simulate.content.world import ForumContent, SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, write_title
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import HOME, MISSING, ForumLayout, as_int, with_links
from threadmill.lab.simulate.random_forum.url_template import UrlTemplate, plain
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView, IndexRow, ShownPost, slug

_FOLDER = Path(__file__).parent
_SIZE = 300  # posts by 2017
Spec = Mapping[str, Any]
Shown = dict[str, Any]


@cache
def read_engines() -> dict[str, Spec]:
    """Return all engines by name."""
    return tomllib.loads((_FOLDER / "engines.toml").read_text(encoding="utf-8"))


def open_imitation(name: str, size: int = _SIZE) -> SimulatedForum:
    """Open a forum that looks like an engine."""
    spec = read_engines()[name]
    layout = ImitatedLayout(name, spec)
    forum = SimulatedForum(_traits(name, spec), layout, size)
    layout.world = forum.world
    return forum


def _traits(name: str, spec: Spec) -> ForumTraits:
    language = load_language(spec["language"])
    given = dict(spec.get("traits", {}))
    for key in ("post_date", "index_date"):
        given[key] = DateStyle(**spec.get(key, spec["post_date"]))
    given["zone"] = ForumZone(**spec.get("zone", {"minutes": 60, "summer": True}))
    given.setdefault("sub_boards", False)
    given.setdefault("board_count", 3)
    given.setdefault("longest", 40)
    given.setdefault("thread_length", 1.7)
    given.setdefault("merges", 0)
    title = f"{language.places[len(name) % len(language.places)]} {language.words['forum']}"
    return ForumTraits(f"imitated-{name}", title, name, spec["language"], f"looks like {name}", **given)


class ImitatedLayout(ForumLayout):
    """A layout whose URLs stand in engines.toml and whose pages are macros of one template."""

    world: ForumContent

    def __init__(self, name: str, spec: Spec) -> None:
        self.name = name
        self.spec = spec
        self.home = spec["home"]
        self.link_style = spec.get("link_style", "path")
        self.charset = spec.get("charset", "utf-8")
        self._paging = spec.get("paging", "page")
        self._anchor = spec.get("anchor", "p{id}")
        self._words: Mapping[str, str] = spec.get("other", {})
        self._templates = {
            kind: self._template(kind) for kind in ("all", "board", "thread", "message", "post")
        }
        self._profile = self._template("profile", r"[^/?&;,#]+")
        environment = Environment(
            loader=FileSystemLoader(_FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._pages = environment.get_template(f"{name}.html")

    def _template(self, kind: str, ids: str = r"\d{1,15}") -> UrlTemplate | None:
        text = self.spec["urls"].get(kind)
        if text is None:
            return None
        where = self.spec["urls"].get(f"{kind}_page", "")
        first, last = self.spec["urls"].get(f"{kind}_first", ""), self.spec["urls"].get(f"{kind}_last", "")
        named = "=" in text and not self.spec.get("plain")
        made = UrlTemplate(text, where, parameters=named, first=first, last=last)
        made.set_ids(ids)
        return made

    # -- reading URLs

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        """Return what a URL asks for; the query is read as plain text in `route_url`."""
        return self.route_url(path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else ""))

    def route_url(self, url: str) -> PageRequest:
        text = plain(url, self.session_name)
        if text in {self.home, self.home.rpartition("/")[0] + "/"}:
            return HOME
        for kind, template in self._templates.items():
            parts = template.read(text) if template else None
            if parts is not None:
                return self._request(kind, parts)
        for what, start in self._words.items():
            if text.startswith(plain(start, "")):
                return PageRequest("other", as_int(text.rpartition("=")[2]), what=what)
        if self._profile and self._profile.read(text):
            return PageRequest("other", 7, what="profile")
        return MISSING

    def _request(self, kind: str, parts: Mapping[str, str]) -> PageRequest:
        number = as_int(parts.get("id"))
        if kind in {"post", "message"}:
            return PageRequest(kind, number, redirect=bool(self.spec.get("redirects")))
        if kind == "thread" and "last" in parts:
            return PageRequest("last", number)
        position, asked = parts.get("n", ""), "board" if kind == "all" else kind
        if not position:
            return PageRequest(asked, number)
        if self._paging == "offset" or self.spec.get(f"{kind}_paging") == "offset":
            return PageRequest(asked, number, offset=as_int(position))
        return PageRequest(asked, number, page=max(1, as_int(position) + (self._paging == "page0")))

    # -- writing URLs

    def _write(self, kind: str, parts: Mapping[str, str], offset: int, per: int) -> str:
        template = self._templates[kind]
        assert template is not None
        return template.write(parts, self._position(kind, offset, per) if offset else "")

    def _position(self, kind: str, offset: int, per: int) -> str:
        if self._paging == "offset" or self.spec.get(f"{kind}_paging") == "offset":
            return str(offset)
        return str(offset // per + (0 if self._paging == "page0" else 1))

    def _thread_parts(self, index: int) -> dict[str, str]:
        thread = self.world.threads[index]
        return {
            "id": str(thread.number),
            "thread": str(thread.number),
            "slug": slug(write_title(self.world, index)) or "x",
            "board": str(self.world.boards[thread.board].number),
        }

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        parts = {"id": str(board.number), "slug": slug(board.title) or "x"}
        return self._write("board", parts, offset, forum.traits.threads_per_page)

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        return self._write("all", {}, offset, forum.traits.threads_per_page) if offset else self.home

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        return self._write("thread", self._thread_parts(index), offset, view.traits.posts_per_page)

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        template = self._templates["post"]
        if template is None:
            return f"{self.thread_url(view, index, offset)}#{self.anchor(post_id)}"
        url = template.write({**self._thread_parts(index), "id": str(post_id)})
        return f"{url}#{self.anchor(post_id)}"

    def newest_url(self, view: ForumView, index: int) -> str:
        del view
        template = self._templates["thread"]
        assert template is not None
        return template.write(self._thread_parts(index), last=True)

    def message_url(self, post_id: int) -> str:
        """Return the URL of the page of one message."""
        template = self._templates["message"]
        assert template is not None
        return template.write({"id": str(post_id)})

    def anchor(self, post_id: int) -> str:
        return str(self._anchor.format(id=post_id))

    def profile_url(self, author: ForumAuthor) -> str:
        assert self._profile is not None
        by_name = self.spec.get("profiles") == "name"
        return self._profile.write(
            {"id": author.name if by_name else str(author.number), "slug": slug(author.name) or "x"}
        )

    # -- pages

    def _draw(self, macro: str, view: ForumView, **values: Any) -> str:
        page = PageParts(self, view)
        return str(getattr(self._pages.make_module({"page": page, "t": _Words(view)}), macro)(**values))

    def draw_home(self, view: ForumView) -> str:
        boards = [shown for i in view.boards() if (shown := PageParts(self, view).board(i))]
        return self._draw("home", view, boards=boards)

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        part, parts = view.index_slice(place), PageParts(self, view)
        title = view.traits.title if place.index == ALL else view.world.boards[place.index].title

        def url(offset: int) -> str:
            return self.key(view, PageLocation("index", place.index, offset))

        rows = [parts.row(row) for row in view.rows(place)]
        return self._draw("board", view, title=title, rows=rows, pager=parts.pager(part, url))

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part, parts = view.thread_slice(place), PageParts(self, view)

        def url(offset: int) -> str:
            return self.thread_url(view, place.index, offset)

        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        return self._draw(
            "thread",
            view,
            title=view.raw_title(place.index),
            number=view.world.threads[place.index].number,
            board=parts.link_to_board(board),
            posts=[parts.post(post, place) for post in view.posts(place)],
            pager=parts.pager(part, url),
            url=parts.href(self.thread_url(view, place.index)),
        )

    def draw_extra(self, view: ForumView, target: PageRequest) -> str | None:
        rank = self.world.rank_of(target.number) if target.kind == "message" else None
        if target.kind != "message":
            return None
        if rank is None or not view.snapshot.shows(rank):
            return self.draw_other(view, view.traits.title, f"<p>{view.word('missing')}</p>")
        place = PageLocation("thread", view.snapshot.home_of(self.world.owners[rank]))
        parts = PageParts(self, view)
        posts = [parts.post(post, place) for post in view.posts(place)]
        shown = next(post for post in posts if post["id"] == target.number)
        return self._draw(
            "message",
            view,
            title=view.raw_title(place.index),
            post=shown,
            posts=posts,
            whole=parts.href(self.thread_url(view, place.index)),
        )

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        return self._draw("other", view, heading=Markup(heading), content=Markup(content))  # noqa: S704 -- ours


class _Words:
    """The words of the forum's language as attributes: t.replies."""

    def __init__(self, view: ForumView) -> None:
        self._words = view.language.words

    def __getattr__(self, name: str) -> str:
        return self._words[name]


class PageParts:
    """What the macros of a template are given: boards, rows, posts and pagers as plain dictionaries."""

    def __init__(self, layout: ImitatedLayout, view: ForumView) -> None:
        self._layout = layout
        self._view = view
        self.title = view.traits.title
        self.language = view.language.code
        self.home = self.href(layout.home)

    def href(self, url: str) -> Markup:
        """Return a URL as the engine writes it."""
        return Markup(self._view.href(url))  # noqa: S704 -- escaped there

    def other(self, word: str, number: int | str = "") -> Markup:
        """Return the URL of a page for members: login, reply …"""
        return self.href(f"{self._layout.spec['other'][word]}{number}")

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

    def link_to_board(self, board: SimulatedBoard) -> Shown:
        """Return title and URL of a board."""
        url = (
            self.href(self._layout.board_url(self._view.forum, board))
            if self._view.traits.board_pages
            else self.home
        )
        return {"title": board.title, "text": board.description, "number": board.number, "url": url}

    def board(self, index: int) -> Shown:
        """Return a board with its counters and its last post."""
        view, board = self._view, self._view.world.boards[index]
        if board.closed:
            return {}
        threads, posts = view.board_counts(index)
        last = view.board_last(index)
        return {
            **self.link_to_board(board),
            "threads": threads,
            "posts": posts,
            "last": self.row(last) if last else None,
        }

    def row(self, row: IndexRow) -> Shown:
        """Return a row of an index page."""
        view, layout = self._view, self._layout
        pages = [
            self.href(layout.thread_url(view, row.index, n * view.traits.posts_per_page))
            for n in range(row.pages)
        ]
        return {
            "title": row.title,
            "number": row.number,
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
            "board": self.link_to_board(row.board),
            "posts": lambda: self._posts_of(row.index),
        }

    def _posts_of(self, index: int) -> list[Shown]:
        place = PageLocation("thread", index)
        return [self.post(post, place) for post in self._view.posts(place)]

    def post(self, post: ShownPost, place: PageLocation) -> Shown:
        """Return a post of a thread page."""
        view, layout = self._view, self._layout
        return {
            "id": post.id,
            "position": post.position,
            "author": self.author(post.author),
            "date": post.when,
            "time": view.world.times[post.rank],
            "lines": [Markup(with_links(line)) for line in post.paragraphs],  # noqa: S704 -- escaped there
            "quote": post.quotation,
            "edited": post.edited,
            "depth": post.depth,
            "parent": post.parent_id,
            "first": post.first,
            "votes": post.votes,
            "comment": post.comment,
            "url": self.href(layout.post_url(view, place.index, post.id, place.offset)),
            "own_url": self.href(layout.message_url(post.id)) if layout.spec["urls"].get("message") else "",
            "anchor": layout.anchor(post.id),
        }

    def pager(self, part: PageSlice, url: Any) -> Shown:
        """Return the pages of a list or thread."""
        return {
            "page": part.page,
            "pages": part.pages,
            "total": part.total,
            "links": [(n, self.href(url(part.offset_of(n))) if n else "") for n in part.window()],
            "previous": self.href(url(part.offset - part.per)) if part.offset else "",
            "next": self.href(url(part.offset + part.per)) if part.has_next else "",
        }

    def recent(self) -> list[Shown]:
        """Return the most recently active threads."""
        return [self.row(row) for row in self._view.recent()]
