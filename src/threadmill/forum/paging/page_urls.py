"""Makes the URL of page k from the URL of page one, and the other way round, in the style of one site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from threadmill.forum.link_urls import (
    NumberSlot,
    changed_parameter,
    is_unnamed,
    number_slots,
    strip_session,
    url_fields,
)
from threadmill.forum.paging.pager import Paging

LATER = 2  # the page number of a page that is only known not to be the first
_MAX_DIGITS = 18  # of a page number or an offset
_PARAMETER_NAME = re.compile(r"[?&]([\w\[\]]+)=$")


@dataclass(frozen=True, slots=True)
class PageUrlStyle:
    """How a site writes page numbers into URLs: as a parameter, or as a part of the path.

    The number of page k is `start + step * (k - 1)`. With a step of 0 it is a cursor (`?before=991`,
    `?after=t3_x`), which cannot be computed.
    """

    parameter: str = ""  # such as "page"; empty if the number stands in the path
    insert: str = ""  # such as "/page-{}", "-{}", ".{}"
    replaces: str = ""  # what page one has in this place: "0" of "board=1.0", "-1" of "thread-5-1-1.html"
    tail: str = ""  # what follows: ".html", "-1.html"
    step: int = 1
    start: int = 1
    slash: bool = True  # the URL of page one ends in a slash

    def url_of(self, base: str, page: int) -> str | None:
        """The URL of page k of the thread or board whose page one is at `base`. None behind a cursor."""
        if page <= 1:
            return base
        if not self.step:
            return None
        number = self.start + self.step * (page - 1)
        if self.parameter:
            bare = without_parameter(base, self.parameter)
            mark = "&" if "?" in bare else "?"
            return f"{bare}{mark}{self.parameter}={number}"
        stem = base.removesuffix(self.tail) if self.tail else base
        if self.replaces:
            stem = stem.removesuffix(self.replaces)
        elif self.insert.startswith("/"):
            stem = stem.rstrip("/")
        return f"{stem}{self.insert.format(number)}{self.tail}"

    def split(self, url: str) -> tuple[str, int]:
        """The URL of page one, and the number of the page that this URL leads to."""
        url = strip_session(url)
        if self.parameter:
            return self._split_parameter(url)
        mark = re.escape(self.insert).replace(r"\{\}", r"(\d{1,7})")
        match = re.search(f"{mark}{re.escape(self.tail)}$", url)
        if not match:
            return url, 1
        page = self.page_of(match[1])
        if page is None:
            return url, 1
        has_slash = self.slash and self.insert.startswith("/") and not self.tail and not self.replaces
        return f"{url[: match.start()]}{self.replaces}{'/' if has_slash else ''}{self.tail}", page

    def _split_parameter(self, url: str) -> tuple[str, int]:
        value = r"\d{1,7}" if self.step else r"[^&]+"
        match = re.search(rf"([?&]){re.escape(self.parameter)}=({value})(?=&|$)", url)
        page = self.page_of(match[2]) if match else None
        if match is None or page is None:
            return url, 1
        rest = url[: match.start()] + match[1] + url[match.end() :].lstrip("&")
        return rest.rstrip("?&"), page

    def page_of(self, value: str) -> int | None:
        """The number of the page whose URL has this value. None if no page has it."""
        if not self.step:
            return LATER
        if len(value) > _MAX_DIGITS:
            return None
        page, rest = divmod(int(value) - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None

    def as_cursor(self) -> PageUrlStyle:
        """The same place in URLs, with values that cannot be computed."""
        return replace(self, step=0, start=0)


def find_url_style(base: str, paging: Paging) -> PageUrlStyle | None:
    """The style that leads from the URL of page one to the URLs of a pager. None if none does."""
    slot = paging.slot
    if slot is None:
        return _cursor_style(base, paging.next)
    first = strip_session(base)
    if slot.number_in(first) is not None:
        return _replacing_style(slot, paging)
    name = _PARAMETER_NAME.search(slot.before)
    if name and first.partition("?")[0] == slot.before.partition("?")[0]:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    if not slot.is_first(first):
        return None
    return _inserting_style(first, slot, paging)


def _replacing_style(slot: NumberSlot, paging: Paging) -> PageUrlStyle:
    """The style where page one has the number too: "board=1.0", "thread-593127-1-1.html", "?page=1"."""
    name = _PARAMETER_NAME.search(slot.before)
    if name:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    mark = re.search(r"[^\w]?[a-z]*$", slot.before, re.IGNORECASE)
    lead = mark[0] if mark else ""
    return PageUrlStyle("", lead + "{}", f"{lead}{paging.start}", slot.after, paging.step, paging.start)


def _inserting_style(first: str, slot: NumberSlot, paging: Paging) -> PageUrlStyle:
    """The style where page one has no number."""
    slash = first.endswith("/")
    tail = slot.after
    if tail and not first.endswith(tail):
        insert = _text_before_number(first, slot) + "{}" + tail
        return PageUrlStyle("", insert, "", "", paging.step, paging.start, slash)
    insert = _text_before_number(first.removesuffix(tail), slot) + "{}"
    return PageUrlStyle("", insert, "", tail, paging.step, paging.start, slash)


def _text_before_number(stem: str, slot: NumberSlot) -> str:
    """What stands between the URL of page one and the number."""
    bare = stem.rstrip("/")
    return slot.before[len(bare) :] if slot.before.startswith(bare) else slot.before[len(stem) :]


def _cursor_style(url: str, next_url: str | None) -> PageUrlStyle | None:
    """The style of a pager that only leads on: the URL of the next page differs in one value."""
    if next_url is None:
        return None
    name = changed_parameter(url, next_url)
    if name and not is_unnamed(name):
        return PageUrlStyle(name, step=0, start=0) if name in url_fields(next_url) else None
    slot = next((slot for slot, _ in number_slots(next_url) if slot.is_first(url)), None)
    return _inserting_style(strip_session(url), slot, Paging(step=0, start=0)) if slot else None


def without_parameter(url: str, name: str) -> str:
    """The URL without one of its parameters."""
    found = re.search(rf"[?&;,]{re.escape(name)}=[^&;#]*", url) if name else None
    if found is None:
        return url
    rest = url[found.end() :]
    if found[0][0] == "?" and rest:
        rest = f"?{rest[1:]}"
    return url[: found.start()] + rest


def most_common_style(styles: Iterable[PageUrlStyle | None]) -> PageUrlStyle | None:
    """The style that most pages agree on. If only their steps differ, the numbers are cursors."""
    counts = Counter(style for style in styles if style is not None)
    if not counts:
        return None
    style, count = counts.most_common(1)[0]
    if count > 1 or len(counts) == 1:
        return style
    cursors = {style.as_cursor() for style in counts}
    return cursors.pop() if len(cursors) == 1 else None
