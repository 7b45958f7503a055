"""How a site makes the address of page k from the address of page one, and the other way round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from threadmill.forum.link_urls import NumberSlot, strip_session
from threadmill.forum.paging.pager import Paging
from threadmill.forum.site_model.url_patterns import split_url


@dataclass(frozen=True, slots=True)
class PageUrlStyle:
    """A parameter, or a piece put before the address's end; the number grows by `step` from `start`."""

    parameter: str = ""  # "page"; empty when the number stands in the path
    insert: str = ""  # "/page-{}", "-{}", ".{}"
    replaces: str = ""  # what page one has in its place: "0" of "board=1.0", "-1" of "thread-5-1-1.html"
    tail: str = ""  # what stands after: ".html", "-1.html"
    step: int = 1
    start: int = 1
    slash: bool = True  # page one's address ends in a slash

    def url_of(self, base: str, page: int) -> str:
        """The address of page k of a thread or board."""
        if page <= 1:
            return base
        number = self.start + self.step * (page - 1)
        if self.parameter:
            mark = "&" if "?" in base else "?"
            return f"{base}{mark}{self.parameter}={number}"
        stem = base.removesuffix(self.tail) if self.tail else base
        if self.replaces:
            stem = stem.removesuffix(self.replaces)
        elif self.insert.startswith("/"):
            stem = stem.rstrip("/")
        return f"{stem}{self.insert.format(number)}{self.tail}"

    def split(self, url: str) -> tuple[str, int]:
        """Base address and page number of an address."""
        address = strip_session(url)
        if self.parameter:
            return self._split_parameter(address)
        mark = re.escape(self.insert).replace(r"\{\}", r"(\d{1,7})")
        match = re.search(f"{mark}{re.escape(self.tail)}$", address)
        if not match:
            return address, 1
        page = self._page(int(match[1]))
        if page is None:
            return address, 1
        slash = (
            "/" if self.slash and self.insert.startswith("/") and not self.tail and not self.replaces else ""
        )
        return f"{address[: match.start()]}{self.replaces}{slash}{self.tail}", page

    def _split_parameter(self, address: str) -> tuple[str, int]:
        match = re.search(rf"([?&]){re.escape(self.parameter)}=(\d{{1,7}})(?=&|$)", address)
        page = self._page(int(match[2])) if match else None
        if match is None or page is None:
            return address, 1
        rest = address[: match.start()] + match[1] + address[match.end() :].lstrip("&")
        return rest.rstrip("?&"), page

    def _page(self, number: int) -> int | None:
        page, rest = divmod(number - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None


def find_url_style(base: str, paging: Paging) -> PageUrlStyle | None:
    """The style by which a page one and its paging hang together."""
    slot = paging.slot
    if slot is None:
        return None
    first = strip_session(base)
    if slot.number_in(first) is not None:
        return _replacing(slot, paging)
    name = re.search(r"[?&]([\w\[\]]+)=$", slot.before)
    if name and split_url(first)[0] == split_url(slot.fill(0))[0]:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    if not slot.is_first(first):
        return None
    return _inserting(first, slot, paging)


def _replacing(slot: NumberSlot, paging: Paging) -> PageUrlStyle | None:
    """Page one has the number too: "board=1.0", "thread-593127-1-1.html", "?page=1"."""
    name = re.search(r"[?&]([\w\[\]]+)=$", slot.before)
    if name:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    mark = re.search(r"[^\w]?[a-z]*$", slot.before, re.IGNORECASE)
    lead = mark[0] if mark else ""
    return PageUrlStyle("", lead + "{}", f"{lead}{paging.start}", slot.after, paging.step, paging.start)


def _inserting(first: str, slot: NumberSlot, paging: Paging) -> PageUrlStyle | None:
    stem = first
    tail = slot.after
    if tail and stem.endswith(tail):
        stem = stem[: -len(tail)]
    elif tail:
        return PageUrlStyle(
            "", _mark(stem, slot) + "{}" + tail, "", "", paging.step, paging.start, first.endswith("/")
        )
    return PageUrlStyle(
        "", _mark(stem, slot) + "{}", "", tail, paging.step, paging.start, first.endswith("/")
    )


def _mark(stem: str, slot: NumberSlot) -> str:
    """What is put between the base and the number."""
    bare = stem.rstrip("/")
    return slot.before[len(bare) :] if slot.before.startswith(bare) else slot.before[len(stem) :]


def most_common_style(styles: Iterable[PageUrlStyle | None]) -> PageUrlStyle | None:
    """The style most pages agree on; steps that differ from page to page are those of cursors."""
    counts = Counter(style for style in styles if style is not None)
    if not counts:
        return None
    style, count = counts.most_common(1)[0]
    return style if count > 1 or len(counts) == 1 else None
