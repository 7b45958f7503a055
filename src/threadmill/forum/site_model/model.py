"""Holds what was learnt about one forum, as plain data: URL patterns, page sizes, orders, and its wrapper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from threadmill.forum.index.rows import IndexOrder
from threadmill.forum.link_urls import NumberSlot, same_site, strip_session, url_fields
from threadmill.forum.paging.page_urls import PageUrlStyle
from threadmill.forum.paging.pager import Paging
from threadmill.forum.read_page import PostOrder
from threadmill.forum.site_model.url_patterns import UrlPattern, matches_any, url_key
from threadmill.forum.site_model.wrapper import Wrapper

_MAX_DIGITS = 40  # of a cursor; Python reads no number of more than 4,300 digits


@dataclass(frozen=True, slots=True)
class UrlFamily:
    """The URLs of all boards or of all threads of a forum, and of their pages."""

    patterns: tuple[UrlPattern, ...] = ()
    style: PageUrlStyle | None = None
    per_page: int | None = None  # rows or posts on a full page
    plain: bool = False  # lists link later pages by the URL of page one and the number alone

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

    def own_paging(
        self, url: str, paging: Paging, links: Iterable[str] = (), *, oldest_first: bool = True
    ) -> Paging:
        """The paging of a page without links that lead to another thread: they say "next" too.

        Where the pager was not understood, links to later pages of the same thread tell that there is one.
        """
        if self.split(url) is None:
            return paging
        key = self.key(url)
        around = [target for target in (paging.next, paging.previous) if target and self.split(target)]
        if any(self.key(target) != key for target in around):
            paging = Paging()
        is_cursor = self.style is not None and not self.style.step
        if not paging.next and (oldest_first or not is_cursor):
            return replace(paging, next=self._linked_next(url, links))
        return self._in_plain_style(url, paging) if self.plain else paging

    def _in_plain_style(self, url: str, paging: Paging) -> Paging:
        """The paging with the URLs that lists link: pagers may add parameters that no other link has."""
        after, before = self._plain_url(url, paging.next), self._plain_url(url, paging.previous)
        found = after or before
        slot = NumberSlot(found.rstrip("0123456789"), "") if found and paging.slot else paging.slot
        return replace(paging, next=after or paging.next, previous=before or paging.previous, slot=slot)

    def _plain_url(self, url: str, target: str | None) -> str | None:
        """The URL that a pager links without the parameters that page one lacks. None if there are none."""
        found, style = self.split(url), self.style
        if not target or found is None or style is None or self.split(target):
            return None
        number = url_fields(target).get(style.parameter, "")
        if not number.isdecimal() or not url_fields(found[0]).items() <= url_fields(target).items():
            return None
        page = style.page_of(number)
        return style.url_of(found[0], page) if page and page > 1 else None

    def _linked_next(self, url: str, links: Iterable[str]) -> str | None:
        """The page after this one, if a later page of the same thread or board is linked."""
        found, style = self.split(url), self.style
        if found is None or style is None:
            return None
        base, number = found
        own = [link for link in links if (page := self.split(link)) and page[0] == base]
        if not style.step:  # a cursor that is a number grows from page to page, if the oldest come first
            cursors = {value: link for link in own if (value := self._cursor_in(link)) >= 0}
            here = self._cursor_in(url)
            return cursors.get(min((cursor for cursor in cursors if cursor > here), default=-1))
        later = {self.base_and_page(link)[1]: link for link in own}
        if max(later, default=0) <= number:
            return None
        return later.get(number + 1) or style.url_of(base, number + 1)

    def _cursor_in(self, url: str) -> int:
        """The cursor of a URL if it is a number; else -1."""
        value = url_fields(url).get(self.style.parameter, "") if self.style else ""
        return int(value) if value.isdecimal() and len(value) <= _MAX_DIGITS else -1

    def base_and_page(self, url: str) -> tuple[str, int]:
        """The same as `split`, for a URL of the family or any other."""
        return self.split(url) or (strip_session(url), 1)

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
    return UrlFamily(patterns, style, data["per_page"], data["plain"])
