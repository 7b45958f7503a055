"""The URLs of an imitated engine: read from and written by the templates of its table in engines.toml.

    urls.board, urls.thread, urls.all   {pos} is where the page stands; urls.board_page says what it is then
    urls.post, urls.message             the permalink of a post; the page that shows one post only
    links.NAME       further links with {id} of a thread: `next` leads to the next thread, `last` to the last
                     post, `feed` to RSS, the others to no page of the forum
    alias.KIND       other URLs of the first page of home, board or thread: other sort orders, categories;
                     alias.other: pages that are no part of the forum
    pages.NAME       further pages of a board, drawn by the macro extra_NAME
    other.NAME       beginnings of links to pages that are no part of the forum
    ids.board, ids.thread, ids.post   how they are numbered: one of the styles of numbers.py
    paging                 what {n} is: page; page0, counted from 0; offset; offset1, counted from 1; range,
                           such as 21-40; after, the last thread of the page before; from_end, the page
                           counted from the oldest
    single = true          each post has a page of its own, and there are no other pages of threads: the {id}
                           of urls.thread is that of a post

Fields are {id}, {slug}, {board}, {thread}, {n}; {key} and {board_key}, slugs that identify; {Y}, {yy}, {mm}
and {dd} of the day when a thread began; {stamp}, the Unix time of a post, or when a thread began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial

from bench.imitations.numbers import STYLES, NumberStyle
from bench.imitations.spec import Spec
from threadmill.lab.simulate.content.world import ForumContent, SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor, write_title
from threadmill.lab.simulate.forum import PageRequest
from threadmill.lab.simulate.layout import HOME, MISSING, as_int
from threadmill.lab.simulate.random_forum.url_template import UrlTemplate, plain
from threadmill.lab.simulate.view import slug

_KINDS = ("all", "board", "post", "thread", "message")  # the one with most parameters is read first

_Rule = tuple[UrlTemplate, Callable[[Mapping[str, str]], PageRequest]]


class ImitatedUrls:
    """Reads and writes the URLs of one engine."""

    world: ForumContent

    def __init__(self, spec: Spec, session_name: str) -> None:
        self._spec = spec
        self._session_name = session_name
        self._home: str = spec["home"]
        self._paging: str = spec.get("paging", "page")
        self._words: Mapping[str, str] = spec.get("other", {})
        ids: Mapping[str, str] = spec.get("ids", {})
        self.single = bool(spec.get("single"))
        self.board_ids = STYLES[ids.get("board", "decimal")]
        self.thread_ids = STYLES[ids.get("thread", "decimal")]
        self.post_ids = STYLES[ids.get("post", "decimal")]
        links: Mapping[str, str] = spec.get("links", {})
        pages: Mapping[str, str] = spec.get("pages", {})
        self._links = {name: self._make(text, "", self.thread_ids) for name, text in links.items()}
        self._pages = {name: self._make(text, "", self.board_ids) for name, text in pages.items()}
        urls: Mapping[str, str] = spec["urls"]
        kinds = sorted(_KINDS, key=lambda kind: -urls.get(kind, "").count("="))
        self._templates = {kind: self._template(kind) for kind in kinds}
        self._rules = list(self._make_rules())
        self._profile = self._template("profile", r"[^/?&;,#]+")

    def _make_rules(self) -> Iterator[_Rule]:
        """Yield all templates in the order in which they are tried, each with what its parts mean."""
        for name, template in self._links.items():
            yield template, partial(self._link_request, name)
        for name, template in self._pages.items():
            yield template, partial(self._further_request, name)
        for kind, texts in self._spec.get("alias", {}).items():
            for text in texts:
                yield self._make(text, "", self._styles(kind)), partial(self._alias_request, kind)
        for kind, found in self._templates.items():
            if found is not None:
                yield found, partial(self._request, kind)

    def _styles(self, kind: str) -> NumberStyle:
        if kind in {"post", "message"} or (kind == "thread" and self.single):
            return self.post_ids
        return self.thread_ids if kind == "thread" else self.board_ids

    def _template(self, kind: str, ids: str = "") -> UrlTemplate | None:
        urls = self._spec["urls"]
        text = urls.get(kind)
        if text is None:
            return None
        style = self._styles(kind)
        first, last = urls.get(f"{kind}_first", ""), urls.get(f"{kind}_last", "")
        return self._make(text, urls.get(f"{kind}_page", ""), style, ids=ids, first=first, last=last)

    def _make(
        self, text: str, where: str, style: NumberStyle, *, ids: str = "", first: str = "", last: str = ""
    ) -> UrlTemplate:
        named = "=" in text and not self._spec.get("plain")
        made = UrlTemplate(text, where, parameters=named, first=first, last=last)
        # A URL of a post may hold the number of its thread too, and of its board.
        made.set_ids(ids or f"(?:{style.pattern}|{self.thread_ids.pattern}|{self.board_ids.pattern})")
        return made

    # -- reading

    def read(self, url: str) -> PageRequest:
        """Return what a URL asks for."""
        text = plain(url, self._session_name)
        if text in {self._home, self._home.rpartition("/")[0] + "/"}:
            return HOME
        for written in _orders(text):
            for template, request in self._rules:
                parts = template.read(written)
                asked = None if parts is None else request(parts)
                if asked and (asked.number >= 0 or asked.kind == "other"):
                    return asked
        for what, start in self._words.items():
            if text.startswith(plain(start, "")):
                return PageRequest("other", as_int(text.rpartition("=")[2]), what=what)
        if self._profile and self._profile.read(text):
            return PageRequest("other", 7, what="profile")
        return MISSING

    def _link_request(self, name: str, parts: Mapping[str, str]) -> PageRequest:
        number = self._number("thread", parts)
        known = name in {"next", "last", "feed"}
        return PageRequest(name, number) if known else PageRequest("other", number, what=name)

    def _further_request(self, name: str, parts: Mapping[str, str]) -> PageRequest:
        return PageRequest("other", self._number("board", parts), what=name)

    def _alias_request(self, kind: str, parts: Mapping[str, str]) -> PageRequest:
        return HOME if kind == "home" else PageRequest(kind, self._number(kind, parts))

    def _number(self, kind: str, parts: Mapping[str, str]) -> int:
        if "key" in parts and kind in {"board", "thread"}:
            names = self._board_names if kind == "board" else self._thread_names
            return names.get(parts["key"], -1)
        return self._styles(kind).read(parts["id"]) if "id" in parts else 0

    def _request(self, kind: str, parts: Mapping[str, str]) -> PageRequest:
        number = self._number(kind, parts)
        if kind in {"post", "message"}:
            return PageRequest(kind, number, redirect=bool(self._spec.get("redirects")))
        if kind == "thread" and self.single:
            return PageRequest("post", number)
        if kind == "thread" and "last" in parts:
            return PageRequest("last", number)
        asked = PageRequest("board" if kind == "all" else kind, number)
        position = parts.get("n", "")
        return self._starting(asked, kind, position) if position else asked

    def _starting(self, asked: PageRequest, kind: str, position: str) -> PageRequest:
        """Return a request with what a URL says about where its page begins."""
        paging, number = self.paging(kind), as_int(position)
        if paging in {"offset", "offset1", "range"}:
            return replace(asked, offset=number - (paging != "offset"))
        if paging == "from_end":
            return replace(asked, from_end=max(1, number))
        if paging == "after":
            return replace(asked, after=self.thread_ids.read(position))
        return replace(asked, page=max(1, number + (paging == "page0")))

    # -- writing

    def paging(self, kind: str) -> str:
        """Say how the pages of a kind are named: page, page0, offset …"""
        return str(self._spec.get(f"{kind}_paging", self._paging))

    def write(self, kind: str, parts: Mapping[str, str], position: str = "", *, last: bool = False) -> str:
        """Return the URL of a page."""
        template = self._templates[kind]
        assert template is not None
        return template.write(parts, position, last=last)

    def has(self, kind: str) -> bool:
        """Whether the engine has URLs of a kind."""
        return self._templates[kind] is not None

    def position(self, kind: str, offset: int, per: int) -> str:
        """Return what names the page that begins with an offset; empty for the first page."""
        if not offset:
            return ""
        if self.paging(kind) in {"offset", "offset1"}:
            return str(offset + (self.paging(kind) == "offset1"))
        if self.paging(kind) == "range":
            return f"{offset + 1}-{offset + per}"
        return str(offset // per + (0 if self.paging(kind) == "page0" else 1))

    def link(self, name: str, number: int) -> str:
        """Return a further link of a thread."""
        index = self.world.thread_by_number(number)
        parts = {} if index is None else self.thread_parts(index)
        return self._links[name].write({**parts, "id": self.thread_ids.write(number)})

    def has_link(self, name: str) -> bool:
        """Whether the engine has a further link of this name."""
        return name in self._links

    def page(self, name: str, board: SimulatedBoard) -> str:
        """Return the URL of a further page of a board."""
        return self._pages[name].write(self.board_parts(board))

    def profile(self, author: ForumAuthor) -> str:
        """Return the URL of a member's profile."""
        assert self._profile is not None
        by_name = self._spec.get("profiles") == "name"
        number = author.name if by_name else str(author.number)
        return self._profile.write({"id": number, "slug": slug(author.name) or "x"})

    def board_parts(self, board: SimulatedBoard) -> dict[str, str]:
        """Return the fields of a board's URL."""
        title = slug(board.title) or "x"
        return {"id": self.board_ids.write(board.number), "slug": title, "key": title}

    def thread_parts(self, index: int) -> dict[str, str]:
        """Return the fields of a thread's URL."""
        thread = self.world.threads[index]
        board = self.world.boards[thread.board]
        day = self.world.traits.zone.local(self.world.times[thread.ranks[0]])
        number = self.thread_ids.write(thread.number)
        return {
            "id": number,
            "thread": number,
            "slug": slug(write_title(self.world, index)) or "x",
            "board": self.board_ids.write(board.number),
            "board_key": slug(board.title) or "x",
            "key": self._thread_keys[index],
            "stamp": str(self.world.times[thread.ranks[0]]),
            "Y": str(day.year),
            "yy": f"{day.year % 100:02d}",
            "mm": f"{day.month:02d}",
            "dd": f"{day.day:02d}",
        }

    @cached_property
    def _thread_keys(self) -> list[str]:
        """The slug of each thread; the second of the same title ends with -2."""
        counts: dict[str, int] = {}
        keys = []
        for index in range(len(self.world.threads)):
            title = slug(write_title(self.world, index)) or "x"
            counts[title] = counts.get(title, 0) + 1
            keys.append(title if counts[title] == 1 else f"{title}-{counts[title]}")
        return keys

    @cached_property
    def _thread_names(self) -> dict[str, int]:
        numbers = (thread.number for thread in self.world.threads)
        return {plain(key, ""): number for key, number in zip(self._thread_keys, numbers, strict=True)}

    @cached_property
    def _board_names(self) -> dict[str, int]:
        return {plain(slug(board.title) or "x", ""): board.number for board in self.world.boards}


def _orders(url: str) -> list[str]:
    """Return a URL with its parameters as they stand, and the other way round: keys of URLs are sorted."""
    path, mark, query = url.partition("?")
    pieces = query.split("&")
    return [url] if len(pieces) != 2 else [url, path + mark + "&".join(reversed(pieces))]
