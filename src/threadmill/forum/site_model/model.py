"""What was learnt about one forum, as plain data: addresses, page sizes, orders and its posts' wrapper."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from threadmill.forum.index.index_order import IndexOrder
from threadmill.forum.link_urls import same_site, strip_session
from threadmill.forum.paging.cursors import without_parameter
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.posts.read_posts import PostOrder
from threadmill.forum.site_model.url_patterns import UrlPattern, matches_any
from threadmill.forum.site_model.wrapper import Wrapper

LATER = 2  # the number of a page of which is only known that it is not the first


@dataclass(frozen=True, slots=True)
class UrlFamily:
    """The addresses of boards or of threads."""

    patterns: tuple[UrlPattern, ...] = ()
    style: PageUrlStyle | None = None
    per_page: int | None = None  # rows or posts on a full page
    cursor: str = ""  # the parameter of later pages where their addresses cannot be computed

    def split(self, url: str) -> tuple[str, int] | None:
        """Base address and page number, when the address is of this family."""
        address = strip_session(url)
        if self.style is not None:
            base, page = self.style.split(address)
            # A parameter may name page one too, although page one has a shorter name.
            if (page > 1 or self.style.parameter) and matches_any(self.patterns, base):
                return base, page
        if self.cursor:
            base = without_parameter(address, self.cursor)
            if base != address and matches_any(self.patterns, base):
                return base, LATER
        return (address, 1) if matches_any(self.patterns, address) else None

    def url_of(self, base: str, page: int) -> str | None:
        """The address of page k, where it can be computed."""
        if page <= 1:
            return base
        return self.style.url_of(base, page) if self.style else None


@dataclass(frozen=True, slots=True)
class ForumModel:
    """One forum's structure."""

    entry: str
    boards: UrlFamily = field(default_factory=UrlFamily)
    threads: UrlFamily = field(default_factory=UrlFamily)
    wrapper: Wrapper | None = None
    index_order: IndexOrder | None = None
    post_order: PostOrder | None = None
    two_dates: bool = False  # rows show creation and last activity
    samples: int = 0

    def kind_of_url(self, url: str) -> str:
        """entry, index, index page, thread, thread page or other, by the address alone."""
        if not same_site(url, self.entry):
            return "other"
        if strip_session(url).rstrip("/") == strip_session(self.entry).rstrip("/"):
            return "entry"
        for family, name in ((self.threads, "thread"), (self.boards, "index")):
            found = family.split(url)
            if found:
                return name if found[1] == 1 else f"{name} page"
        return "other"

    def base_of(self, url: str) -> tuple[str, int]:
        """The address of page one and the page's number."""
        return self.threads.split(url) or self.boards.split(url) or (strip_session(url), 1)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the store."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ForumModel:
        """The model that to_json() wrote."""
        wrapper = data["wrapper"]
        return cls(
            entry=data["entry"],
            boards=_family(data["boards"]),
            threads=_family(data["threads"]),
            wrapper=Wrapper.from_json(wrapper) if wrapper else None,
            index_order=IndexOrder(data["index_order"]) if data["index_order"] else None,
            post_order=PostOrder(data["post_order"]) if data["post_order"] else None,
            two_dates=data["two_dates"],
            samples=data["samples"],
        )


def _family(data: dict[str, Any]) -> UrlFamily:
    patterns = tuple(
        UrlPattern(p["path"], tuple((name, value) for name, value in p["needed"]), tuple(p["free"]))
        for p in data["patterns"]
    )
    style = PageUrlStyle(**data["style"]) if data["style"] else None
    return UrlFamily(patterns, style, data["per_page"], data["cursor"])
