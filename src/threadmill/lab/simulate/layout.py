"""What every layout offers: its addresses, and how it draws the pages behind them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from html import escape

from threadmill.lab.simulate.content.world import SimulatedBoard
from threadmill.lab.simulate.content.writing import ForumAuthor
from threadmill.lab.simulate.forum import PageLocation, PageRequest, SimulatedForum
from threadmill.lab.simulate.snapshot import ALL, PageSlice
from threadmill.lab.simulate.view import ForumView

MISSING = PageRequest("missing")
HOME = PageRequest("home")


class ForumLayout(ABC):
    """One engine's manner. Addresses are paths with query, without host; drawing gives a whole HTML page."""

    name: str
    session_name = "sid"
    cookie = "sid"
    home = "/"
    feed = ""  # address of the feed, if the forum has one
    charset = "utf-8"
    link_style = "path"  # path (/a.php), dot (./a.php), bare (a.php), full (http://host/a.php)

    # -- addresses

    @abstractmethod
    def route(self, path: str, query: Mapping[str, str]) -> PageRequest:
        """What a URL asks for."""

    @abstractmethod
    def board_url(self, forum: SimulatedForum, board: SimulatedBoard, offset: int = 0) -> str:
        """A page of a board."""

    @abstractmethod
    def thread_url(self, view: ForumView, index: int, offset: int = 0) -> str:
        """A page of a thread."""

    @abstractmethod
    def post_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        """A post's permalink, given the page that shows it."""

    def last_url(self, view: ForumView, index: int, post_id: int, offset: int = 0) -> str:
        """The link of an index row to the last post, of the kind the forum uses."""
        kind = view.traits.last_link
        if kind == "page":
            return f"{self.thread_url(view, index, offset)}#{self.anchor(post_id)}"
        if kind == "redirect":
            return self.newest_url(view, index)
        return self.post_url(view, index, post_id, offset)

    def newest_url(self, view: ForumView, index: int) -> str:
        """The address that redirects to a thread's last post."""
        return self.thread_url(view, index)

    def anchor(self, post_id: int) -> str:
        """The name of a post's place on its page."""
        return f"p{post_id}"

    @abstractmethod
    def profile_url(self, author: ForumAuthor) -> str:
        """A member's profile."""

    def aliases(self, view: ForumView, place: PageLocation) -> list[str]:
        """Other addresses of a page, permalinks aside."""
        del view, place
        return []

    def key(self, view: ForumView, place: PageLocation) -> str:
        """The address a page is known by: the one the forum's own paging links use."""
        if place.kind == "thread":
            return self.thread_url(view, place.index, place.offset)
        if place.kind == "home" or (place.index == ALL and place.offset == 0):
            return self.home
        if place.index == ALL:
            return self.all_url(view.forum, place.offset)
        return self.board_url(view.forum, view.world.boards[place.index], place.offset)

    def all_url(self, forum: SimulatedForum, offset: int) -> str:
        """A page of the listing of all threads."""
        del forum, offset
        return self.home

    # -- pages

    @abstractmethod
    def draw_home(self, view: ForumView) -> str:
        """The start page: the list of boards."""

    @abstractmethod
    def draw_board(self, view: ForumView, place: PageLocation) -> str:
        """A page of a board."""

    @abstractmethod
    def draw_thread(self, view: ForumView, place: PageLocation) -> str:
        """A page of a thread."""

    @abstractmethod
    def draw_other(self, view: ForumView, heading: str, content: str) -> str:
        """Any other page in the forum's frame; the content is HTML."""


def match_numbers(pattern: str, text: str) -> tuple[int, ...] | None:
    """The numbers of a full match; a group that took no part counts 0."""
    found = re.fullmatch(pattern, text)
    return tuple(int(group or 0) for group in found.groups()) if found else None


def as_int(text: str | None, default: int = 0) -> int:
    """A number in a query, however badly written."""
    found = re.match(r"\d{1,15}", text or "")
    return int(found[0]) if found else default


def as_page(text: str | None) -> int:
    """A page number in a query; nonsense means the first."""
    return max(1, as_int(text, 1))


def join_with_breaks(paragraphs: Iterable[str], line: str = "<br />\n", link: str = "") -> str:
    """Paragraphs as the old engines write them: escaped, addresses linked, two line breaks between."""
    return (line + line).join(with_links(paragraph, link) for paragraph in paragraphs)


def wrap_in_paragraphs(paragraphs: Iterable[str], link: str = "") -> str:
    """Paragraphs as blocks, addresses linked."""
    return "\n".join(f"<p>{with_links(paragraph, link)}</p>" for paragraph in paragraphs)


def with_links(text: str, attributes: str = "") -> str:
    """Escaped text whose addresses are links."""
    return re.sub(r"https?://[\w./-]*\w", lambda m: f'<a href="{m[0]}"{attributes}>{m[0]}</a>', escape(text))


def alternating(items: Iterable[object], *names: str) -> list[str]:
    """Row classes in turn."""
    return [names[i % len(names)] for i, _ in enumerate(items)]


def query_only(url: str) -> str:
    """A link that keeps the path: ?page=2."""
    _, mark, query = url.partition("?")
    return mark + query if mark else url


def neighbours(part: PageSlice) -> tuple[int | None, int | None]:
    """Offsets of the previous and the next page."""
    before = max(0, part.offset - part.per) if part.offset > 0 else None
    return before, part.offset + part.per if part.has_next else None
