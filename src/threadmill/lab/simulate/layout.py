"""The interface of a layout: the URLs of a forum engine, and how it draws pages."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Mapping
from html import escape
from importlib import import_module
from typing import cast
from urllib.parse import unquote, unquote_plus, urlsplit

from threadmill.errors import UsageError
from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView

# The layouts there are; each is a module of threadmill.lab.simulate.layouts.
LAYOUTS = (
    "phpbb", "vbulletin", "discuz", "smf", "xenforo", "mybb", "ipb", "vanilla", "bbpress", "discourse",
    "questions", "plaza", "kiosk", "tree", "cgi",
)  # fmt: skip
MISSING = PageRequest("missing")
HOME = PageRequest("home")


class ForumLayout(ABC):
    """The look of one forum engine. URLs are paths with a query, without host. Pages are HTML."""

    name: str
    session_name = "sid"
    cookie = "sid"
    home = "/"
    feed = ""  # URL of the feed, if there is one
    charset = "utf-8"
    link_style = "path"  # path (/a.php), dot (./a.php), bare (a.php), full (http://host/a.php)

    # -- URLs

    def route_url(self, url: str) -> PageRequest:
        """Return what a URL asks for, whatever session id it carries."""
        return self.route(*read_url(url, {self.session_name, self.cookie}))

    @abstractmethod
    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        """Return what a URL asks for."""

    @abstractmethod
    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        """Return the URL of a page of a board."""

    @abstractmethod
    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        """Return the URL of a page of a thread."""

    @abstractmethod
    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        """Return the permalink of a post. `offset` is the start of its page."""

    def last_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        """Return the link of an index row to the last post, of the kind that the forum uses."""
        kind = view.traits.last_link
        if kind == "page":
            return f"{self.thread_url(view, index, offset)}#{self.anchor(post_id)}"
        if kind == "redirect":
            return self.newest_url(view, index)
        return self.post_url(view, index, post_id, offset)

    def newest_url(self, view: ForumView, index: int) -> str:
        """Return the URL that redirects to the last post of a thread."""
        return self.thread_url(view, index)

    def anchor(self, post_id: int) -> str:
        """Return the HTML anchor of a post."""
        return f"p{post_id}"

    def post_number(self, written: str) -> int:
        """Return the number of a post by its public id, or -1."""
        return last_number(written)

    @abstractmethod
    def profile_url(self, author: ForumAuthor) -> str:
        """Return the URL of a member's profile."""

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        """Return other URLs of a page, except permalinks."""
        del view, place
        return []

    def key(self, view: ForumView, place: PageLocation) -> str:
        """Return the canonical URL of a page: the one that the pager of the forum uses."""
        if place.kind == "thread":
            return self.thread_url(view, place.index, place.offset)
        if place.kind == "home" or (place.index == ALL and place.offset == 0):
            return self.home
        if place.index == ALL:
            return self.all_url(view.forum, place.offset)
        return self.board_url(view.forum, view.world.boards[place.index], place.offset)

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        """Return the URL of a page of the listing of all threads."""
        del forum, offset
        return self.home

    # -- pages

    @abstractmethod
    def draw_home(self, view: ForumView) -> str:
        """Draw the start page: the list of boards."""

    @abstractmethod
    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        """Draw a page of a board."""

    @abstractmethod
    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        """Draw a page of a thread."""

    def draw_extra(self, view: ForumView, target: PageRequest) -> str | None:
        """Draw a further page of this engine, or return None: most have none."""
        del view, target
        return None

    @abstractmethod
    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        """Draw any other page with the framing of the forum. The content is HTML."""


def read_url(url: str, dropped: Container[str] = ()) -> tuple[str, dict[str, str]]:
    """Return path and query parameters of a URL without some of them. Both & and ; separate parameters."""
    parts = urlsplit(url)
    query: dict[str, str] = {}
    for piece in re.split("[&;]", parts.query):
        name, _, value = piece.partition("=")
        if name and name not in dropped:
            query[unquote_plus(name)] = unquote_plus(value)
    return unquote(parts.path) or "/", query


def last_number(text: str) -> int:
    """Return the last number in a text, or -1."""
    found = re.search(r"(\d+)\D*$", text)
    return int(found[1]) if found else -1


def match_numbers(pattern: str, text: str) -> tuple[int, ...] | None:
    """Return the numbers in the groups of a full match, or None. An unused group gives 0."""
    found = re.fullmatch(pattern, text)
    return tuple(int(group or 0) for group in found.groups()) if found else None


def as_int(text: str | None, default: int = 0) -> int:
    """Read a number of a query, even if it is badly written."""
    found = re.match(r"\d{1,15}", text or "")
    return int(found[0]) if found else default


def as_page(text: str | None) -> int:
    """Read a page number of a query. Anything else means the first page."""
    return max(1, as_int(text, 1))


def join_with_breaks(paragraphs: Iterable[str], line: str = "<br />\n", link: str = "") -> str:
    """Write paragraphs as old engines do: escaped, URLs linked, separated by two line breaks."""
    return (line + line).join(with_links(paragraph, link) for paragraph in paragraphs)


def wrap_in_paragraphs(paragraphs: Iterable[str], link: str = "") -> str:
    """Write paragraphs as <p> elements, URLs linked."""
    return "\n".join(f"<p>{with_links(paragraph, link)}</p>" for paragraph in paragraphs)


def with_links(text: str, attributes: str = "") -> str:
    """Escape a text and link its URLs."""
    return re.sub(r"https?://[\w./-]*\w", lambda m: f'<a href="{m[0]}"{attributes}>{m[0]}</a>', escape(text))


def alternating(items: Iterable[object], *names: str) -> list[str]:
    """Return CSS classes for rows, in turn."""
    return [names[i % len(names)] for i, _ in enumerate(items)]


def query_only(url: str) -> str:
    """Return only the query of a URL, for links such as ?page=2."""
    _, mark, query = url.partition("?")
    return mark + query if mark else url


def neighbours(part: PageSlice) -> tuple[int | None, int | None]:
    """Return the offsets of the previous and the next page."""
    before = max(0, part.offset - part.per) if part.offset > 0 else None
    return before, part.offset + part.per if part.has_next else None


def load_layout(name: str) -> ForumLayout:
    """Load a layout by its name."""
    if name not in LAYOUTS:
        raise UsageError(
            f"there is no layout {name!r}; expected one of {', '.join(LAYOUTS)}; a new one is a module of "
            "lab/simulate/layouts and a name in LAYOUTS of lab/simulate/layout.py"
        )
    return cast("ForumLayout", import_module(f"threadmill.lab.simulate.layouts.{name}").LAYOUT)
