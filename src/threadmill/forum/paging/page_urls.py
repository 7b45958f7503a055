"""Makes the URL of page k from the URL of page one, and the other way round, in the style of one site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from threadmill.forum.link_urls import (
    NumberSlot,
    changed_parameter,
    is_unnamed,
    number_slots,
    strip_session,
    url_fields,
)
from threadmill.forum.paging.cursors import find_appended
from threadmill.forum.paging.pager import Paging

# Behind a separator, the title of any thread: "/topics/20/2/some-words", "/t20p2-some-words".
ANY_TITLE = "*"
LATER = 2  # the page number of a page that is only known not to be the first
_TITLE = re.compile(r"[-_/](?=.*[^\W\d_]{2})(?!\d*\.[a-z]{2,5}$)")
# Where a title begins at each separator: with the last part of the path, or within it.
_TITLES_AT_END = {
    "/": re.compile(r"(/[^/?#]*[^\W\d_][^/?#]*/?)$"),
    "-": re.compile(r"/[^/?#-]*(-[^/?#]*[^\W\d_][^/?#]*)$"),
    "_": re.compile(r"/[^/?#_]*(_[^/?#]*[^\W\d_][^/?#]*)$"),
}
# Numbers between the page and the title: "-0-1-0-" of "/42-51-1003-2-0-1-0-some-words.htm".
_LEAD = re.compile(r"[-_/](?:\d+[-_.,/])*")
_MAX_DIGITS = 18  # of a page number or an offset
_NAMED_NUMBER = re.compile(
    r"\W?pag(?:e|ina)[-_]$", re.IGNORECASE
)  # "/page-", "-page-": a title ends in "-" too
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
    tail: str = ""  # what follows: ".html", "-1.html", "/*" (ANY_TITLE), "-0-1-0-*"
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
        tail = self._tail_of(base)
        stem = base.removesuffix(tail) if tail else base
        if self.replaces:
            stem = stem.removesuffix(self.replaces)
        elif self.insert.startswith("/"):
            stem = stem.rstrip("/")
        return f"{stem}{self.insert.format(number)}{tail}"

    def _tail_of(self, url: str) -> str:
        """What stands behind the number in a URL."""
        if not self.tail.endswith(ANY_TITLE):
            return self.tail
        title = _title_behind(self.tail.removesuffix(ANY_TITLE)).search(url)
        return title[1] if title else ""

    def split(self, url: str) -> tuple[str, int]:
        """The URL of page one, and the number of the page that this URL leads to."""
        url = strip_session(url)
        if self.parameter:
            return self._split_parameter(url)
        is_code = not self.step and any(map(str.isalpha, self.insert))  # ",from,cG9zdDoxOTE"
        mark = re.escape(self.insert).replace(r"\{\}", r"([^/?&#,;]+)" if is_code else r"(\d{1,7})")
        tail = self._tail_of(url)
        match = re.search(f"{mark}{re.escape(tail)}$", url)
        while match and (later := re.search(f"{mark}{re.escape(tail)}$", url[match.start() + 1 :])):
            # A title may have the same word: "noise-from-the-kitchen-12-from-388".
            match = re.compile(f"{mark}{re.escape(tail)}$").search(url, match.start() + 1 + later.start())
        if not match:
            return url, 1
        page = self.page_of(match[1])
        if page is None:
            return url, 1
        has_slash = self.slash and self.insert.startswith("/") and not tail and not self.replaces
        return f"{url[: match.start()]}{self.replaces}{'/' if has_slash else ''}{tail}", page

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
    if slot.number_in(first) is None:
        slot = _slot_in_link(first, paging) or slot
    if slot.number_in(first) is not None:
        return _replacing_style(slot, paging)
    name = _PARAMETER_NAME.search(slot.before)
    if name and first.partition("?")[0] == slot.before.partition("?")[0]:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    if not slot.is_first(first):
        return None
    return _inserting_style(first, slot, paging)


def _slot_in_link(first: str, paging: Paging) -> NumberSlot | None:
    """The place of the number in URLs as linked. That of a pager is in URLs with sorted parameters."""
    ahead = paging.start + paging.step * (paging.number or 1)
    slots = (slot for slot, number in number_slots(strip_session(paging.next or "")) if number == ahead)
    return next((slot for slot in slots if slot.number_in(first) == paging.start), None)


def _replacing_style(slot: NumberSlot, paging: Paging) -> PageUrlStyle:
    """The style where page one has the number too: "board=1.0", "thread-593127-1-1.html", "?page=1"."""
    name = _PARAMETER_NAME.search(slot.before)
    if name:
        return PageUrlStyle(parameter=name[1], step=paging.step, start=paging.start)
    mark = _NAMED_NUMBER.search(slot.before) or re.search(r"[^\w]?[a-z]*$", slot.before, re.IGNORECASE)
    lead = mark[0] if mark else ""
    return PageUrlStyle("", lead + "{}", f"{lead}{paging.start}", slot.after, paging.step, paging.start)


def _inserting_style(first: str, slot: NumberSlot, paging: Paging) -> PageUrlStyle | None:
    """The style where page one has no number. None if nothing parts the number from what stands before it."""
    slash = first.endswith("/")
    tail = slot.after
    if tail and not first.endswith(tail):
        insert = _text_before_number(first, slot) + "{}" + tail
        return PageUrlStyle("", insert, "", "", paging.step, paging.start, slash)
    before = _text_before_number(first.removesuffix(tail), slot)
    if not before and slot.before[-1:].isalnum():
        return None
    insert = before + "{}"
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
    here, there = url_fields(url).get(name, ""), url_fields(next_url).get(name, "")
    is_longer = bool(here) and there.startswith(here) and not there[len(here) :][:1].isalnum()  # "2", "2/20"
    if name and not is_unnamed(name) and not is_longer:
        return _parameter_cursor(name, next_url) if name in url_fields(next_url) else None
    # A digit inside a code is no number: "from,cG9zdDox".
    numbers = (slot for slot, _ in number_slots(next_url) if not slot.after[:1].isalpha())
    slots = [slot for slot in numbers if slot.is_first(url)]
    slot = slots[-1] if slots else None  # the ID stands before the page: "f=2/2"
    if slot is None:
        return _inserted_cursor(strip_session(url), strip_session(next_url))
    return _inserting_style(strip_session(url), slot, Paging(step=0, start=0)) if slot else None


def _parameter_cursor(name: str, later: str) -> PageUrlStyle:
    """The style of a cursor with a name: "?before=991", or behind a comma: "view.php?19,offset=10"."""
    mark = re.search(rf"[,;]{re.escape(name)}=", later)
    if mark:
        return PageUrlStyle("", f"{mark[0]}{{}}", step=0, start=0, slash=False)
    return PageUrlStyle(name, step=0, start=0)


def _inserted_cursor(first: str, later: str) -> PageUrlStyle | None:
    """The style where a word and a cursor follow the URL of page one: "t,12.html", "t,12,from,cG9z.html".

    The start page of a forum may have a shorter URL than the list that it shows: "/", "/index-from-e3.html".
    """
    found = find_appended(first, later)
    if found is None:
        return None
    return PageUrlStyle("", found[0] + "{}", "", found[1], 0, 0, first.endswith("/"))


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
    counts = Counter(style for style in _with_any_title([style for style in styles if style is not None]))
    if not counts:
        return None
    style, count = counts.most_common(1)[0]
    if count > 1 or len(counts) == 1:
        return style
    cursors = {style.as_cursor() for style in counts}
    return cursors.pop() if len(cursors) == 1 else None


def _with_any_title(styles: Sequence[PageUrlStyle]) -> list[PageUrlStyle]:
    """The styles, of which those that differ in the title behind the number are one."""
    titles = {style.tail for style in styles if _TITLE.match(style.tail)}
    if len(titles) < 2 and not any(tail.startswith("/") for tail in titles):
        return list(styles)
    leads = {tail: _lead_of_title(tail, titles) for tail in titles}
    return [
        replace(style, tail=leads[style.tail] + ANY_TITLE) if style.tail in titles else style
        for style in styles
    ]


def _lead_of_title(tail: str, titles: Iterable[str]) -> str:
    """What stands before a title: a separator, and behind it the numbers that other titles have there too."""
    alike = [other for other in titles if other[0] == tail[0]]
    leads = [lead[0] for other in alike if (lead := _LEAD.match(other))]
    ends = [match.end() for match in re.finditer(r"\W|_", leads[0])] if len(leads) > 1 else [1]
    return max(leads[0][:end] for end in ends if all(lead.startswith(leads[0][:end]) for lead in leads))


@lru_cache(maxsize=256)
def _title_behind(lead: str) -> re.Pattern[str]:
    """The expression for a title at the end of a URL, with what stands before it as one group."""
    if len(lead) == 1:
        return _TITLES_AT_END[lead]
    return re.compile(rf"({re.escape(lead)}[^/?#]*[^\W\d_][^/?#]*/?)$")
