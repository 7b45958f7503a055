"""The layout of an imitated engine: its URLs stand in engines.toml, its pages are macros of one template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bench.imitations.parts import PageParts
from bench.imitations.spec import Spec
from bench.imitations.urls import ImitatedUrls
from threadmill.lab.simulate.content.world import ForumContent, SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.layout import ForumLayout, last_number
from threadmill.lab.simulate.snapshot import ALL
from threadmill.lab.simulate.view import ForumView

_FOLDER = Path(__file__).parent


class ImitatedLayout(ForumLayout):
    """A layout made of one table of engines.toml and one template."""

    world: ForumContent

    def __init__(self, name: str, spec: Spec) -> None:
        self.name = name
        self.spec = spec
        self.home = spec["home"]
        self.link_style = spec.get("link_style", "path")
        self.charset = spec.get("charset", "utf-8")
        self.session_name = spec.get("session_name", "sid")
        self.urls = ImitatedUrls(spec, self.session_name)
        self._anchor: str = spec.get("anchor", "p{id}")
        environment = Environment(
            loader=FileSystemLoader(
                [_FOLDER, *(_FOLDER / name for name in ("third", "fourth", "fifth", "sixth"))]
            ),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._pages = environment.get_template(f"{name}.html")

    def show(self, world: ForumContent) -> None:
        """Show the content of a forum."""
        self.world = self.urls.world = world

    # -- URLs

    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        """Return what a URL asks for; the query is read as plain text in `route_url`."""
        return self.route_url(path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else ""))

    def route_url(self, url: str) -> PageRequest:
        return self.urls.read(url)

    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        position = self.urls.position("board", offset, forum.traits.threads_per_page)
        return self.urls.write("board", self.urls.board_parts(board), position)

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        position = self.urls.position("all", offset, forum.traits.threads_per_page)
        return self.urls.write("all", {}, position) if offset else self.home

    def key(self, view: ForumView, place: PageLocation) -> str:
        kind = "all" if place.index == ALL else "board"
        paging = self.urls.paging(kind)
        if place.kind != "index" or not place.offset or paging not in {"after", "from_end"}:
            return super().key(view, place)
        parts = {} if kind == "all" else self.urls.board_parts(self.world.boards[place.index])
        if paging == "from_end":
            part = view.index_slice(place)
            return self.urls.write(kind, parts, str(part.pages - part.page + 1))
        listed = view.snapshot.stickies[place.index] + view.snapshot.listings[place.index]
        number = self.world.threads[listed[place.offset - 1].thread].number
        return self.urls.write(kind, parts, self.urls.thread_ids.write(number))

    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        if self.urls.single:
            units = [unit.rank for unit in view.snapshot.units(index)[1]]
            shown = units[min(offset, len(units) - 1)]
            return self.urls.write("thread", self._post_parts(index, self.world.ids[shown]))
        position = self.urls.position("thread", offset, view.traits.posts_per_page)
        return self.urls.write("thread", self.urls.thread_parts(index), position)

    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        anchor = self.anchor(post_id)
        if self.urls.single:
            return self.urls.write("thread", self._post_parts(index, post_id))
        if not self.urls.has("post"):
            return self.thread_url(view, index, offset) + (f"#{anchor}" if anchor else "")
        return self.urls.write("post", self._post_parts(index, post_id)) + (f"#{anchor}" if anchor else "")

    def _post_parts(self, index: int, post_id: int) -> dict[str, str]:
        rank = self.world.rank_of(post_id)
        stamp = 0 if rank is None else self.world.times[rank]
        own = {"id": self.urls.post_ids.write(post_id), "stamp": str(stamp)}
        return {**self.urls.thread_parts(index), **own}

    def newest_url(self, view: ForumView, index: int) -> str:
        del view
        if self.urls.has_link("last"):
            return self.urls.link("last", self.world.threads[index].number)
        return self.urls.write("thread", self.urls.thread_parts(index), last=True)

    def message_url(self, index: int, post_id: int) -> str:
        """Return the URL of the page of one message."""
        return self.urls.write("message", self._post_parts(index, post_id))

    def anchor(self, post_id: int) -> str:
        rank = self.world.rank_of(post_id)
        ranks = self.world.threads[self.world.owners[rank]].ranks if rank is not None else []
        place = ranks.index(rank) + 1 if rank is not None else 0
        return self._anchor.format(id=post_id, code=self.urls.post_ids.write(post_id), n=place)

    def post_number(self, written: str) -> int:
        decimal = self.urls.post_ids.pattern == r"\d{1,15}"
        return last_number(written) if decimal else self.urls.post_ids.read(written)

    def profile_url(self, author: ForumAuthor) -> str:
        return self.urls.profile(author)

    # -- pages

    def _draw(self, macro: str, parts: PageParts, **values: Any) -> str:
        module = self._pages.make_module({"page": parts, "t": parts.words})
        return str(getattr(module, macro)(**values))

    def draw_home(self, view: ForumView) -> str:
        parts = PageParts(self, view)
        return self._draw("home", parts, boards=parts.boards())

    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        part, parts = view.index_slice(place), PageParts(self, view, place)
        title = view.traits.title if place.index == ALL else view.world.boards[place.index].title
        pager = parts.pager(part, self._page_urls(view, place))
        rows = [parts.row(row) for row in view.rows(place)]
        return self._draw("board", parts, title=title, rows=rows, pager=pager)

    def _page_urls(self, view: ForumView, place: PageLocation) -> Callable[[int], str]:
        return lambda offset: self.key(view, PageLocation(place.kind, place.index, offset))

    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        part, parts = view.thread_slice(place), PageParts(self, view, place)
        board = view.world.boards[view.world.threads[place.index].board_at(view.now)]
        return self._draw(
            "thread",
            parts,
            title=view.raw_title(place.index),
            number=view.world.threads[place.index].number,
            board=parts.link_to_board(board),
            posts=[parts.post(post, place) for post in view.posts(place)],
            pager=parts.pager(part, self._page_urls(view, place)),
            url=parts.href(self.thread_url(view, place.index)),
        )

    def draw_extra(self, view: ForumView, target: PageRequest) -> str | None:
        if target.kind != "message":
            return self._draw_further(view, target)
        rank = self.world.rank_of(target.number)
        if rank is None or not view.snapshot.shows(rank):
            return self.draw_other(view, view.traits.title, f"<p>{view.word('missing')}</p>")
        index = view.snapshot.home_of(self.world.owners[rank])
        place = PageLocation("thread", index, view.snapshot.offset_of_post(index, rank))
        parts = PageParts(self, view, place)
        posts = [parts.post(post, place) for post in view.posts(place)]
        return self._draw(
            "message",
            parts,
            title=view.raw_title(place.index),
            post=next(post for post in posts if post["id"] == target.number),
            posts=posts,
            whole=parts.href(self.thread_url(view, place.index)),
        )

    def _draw_further(self, view: ForumView, target: PageRequest) -> str | None:
        """Draw a further page of a board, if the engine has one of this name."""
        if target.what not in self.spec.get("pages", {}):
            return None
        known = (i for i in view.snapshot.boards if view.world.boards[i].number == target.number)
        parts = PageParts(self, view, PageLocation("index", next(known, ALL)))
        return self._draw(f"extra_{target.what}", parts)

    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        parts = PageParts(self, view)
        return self._draw("other", parts, heading=Markup(heading), content=Markup(content))  # noqa: S704 -- ours
