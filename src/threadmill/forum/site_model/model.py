"""Holds what was learnt about one forum, as plain data: URL patterns, page sizes, orders, and its wrapper."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import same_site, strip_session
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PostOrder
from threadmill.forum.site_model.url_patterns import UrlPattern, matches_any, url_key
from threadmill.forum.site_model.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class UrlFamily:
    """The URLs of all boards or of all threads of a forum, and of their pages."""

    patterns: tuple[UrlPattern, ...] = ()
    style: PageUrlStyle | None = None
    per_page: int | None = None  # rows or posts on a full page

    def split(self, url: str) -> tuple[str, int] | None:
        """The URL of page one and the page number. None if the URL does not belong to the family."""
        url = strip_session(url)
        if self.style is not None:
            base, page = self.style.split(url)
            # A parameter may name page one too, although page one has a shorter URL.
            if (page > 1 or self.style.parameter) and matches_any(self.patterns, base):
                return base, page
        return (url, 1) if matches_any(self.patterns, url) else None

    def key(self, url: str) -> str:
        """What names the thread or board of a URL, whichever of its pages the URL leads to."""
        found = self.split(url)
        return url_key(self.patterns, found[0] if found else url)

    def own_paging(self, url: str, paging: Paging) -> Paging:
        """The paging of a page without links that lead to another thread: they say "next" too."""
        if self.split(url) is None:
            return paging
        key = self.key(url)
        around = [target for target in (paging.next, paging.previous) if target and self.split(target)]
        return Paging() if any(self.key(target) != key for target in around) else paging

    def url_of(self, base: str, page: int) -> str | None:
        """The URL of page k. None if it cannot be computed."""
        if page <= 1:
            return base
        return self.style.url_of(base, page) if self.style else None


@dataclass(frozen=True, slots=True)
class ForumModel:
    """What is known about one forum."""

    entry: str  # the URL of the start page
    boards: UrlFamily = field(default_factory=UrlFamily)
    threads: UrlFamily = field(default_factory=UrlFamily)
    wrapper: Wrapper | None = None
    index_order: IndexOrder | None = None
    post_order: PostOrder | None = None
    two_dates: bool = False  # rows show creation and last activity
    samples: int = 0  # pages it was learnt from
    start_lists_latest: bool = False  # the start page lists the latest threads of all boards, by activity

    def kind_of_url(self, url: str) -> str:
        """The kind of page that a URL leads to: entry, index, index page, thread, thread page or other."""
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
        """The URL of page one and the page number."""
        return self.threads.split(url) or self.boards.split(url) or (strip_session(url), 1)

    def to_json(self) -> dict[str, Any]:
        """The model as plain data for the store."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ForumModel:
        """The model that `to_json` wrote."""
        wrapper = data["wrapper"]
        return cls(
            entry=data["entry"],
            boards=_family_from_json(data["boards"]),
            threads=_family_from_json(data["threads"]),
            wrapper=Wrapper.from_json(wrapper) if wrapper else None,
            index_order=IndexOrder(data["index_order"]) if data["index_order"] else None,
            post_order=PostOrder(data["post_order"]) if data["post_order"] else None,
            two_dates=data["two_dates"],
            samples=data["samples"],
            start_lists_latest=data["start_lists_latest"],
        )


def _family_from_json(data: dict[str, Any]) -> UrlFamily:
    patterns = tuple(
        UrlPattern(
            tuple((name, value) for name, value in pattern["fields"]),
            tuple(pattern["free"]),
            tuple(pattern["naming"]),
        )
        for pattern in data["patterns"]
    )
    style = PageUrlStyle(**data["style"]) if data["style"] else None
    return UrlFamily(patterns, style, data["per_page"])
