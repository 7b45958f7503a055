"""Tells which page of a list a URL is: by a number, or by a cursor where pages have no numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import gcd

from threadmill.forum.link_urls import (
    FILE_ENDING,
    NumberSlot,
    absolute_url,
    changed_parameter,
    differing_fields,
    is_back,
    is_next,
    is_step,
    is_unnamed,
    names_file,
    names_service_page,
    names_thread,
    number_slots,
    only_names,
    same_site,
    strip_session,
    url_fields,
)
from threadmill.forum.records.page_outline import PageOutline

TITLE = re.compile(r"[^\W\d_]{2,}[-_+ ](?:[^\W_]+[-_+ ])*[^\W\d_]{2,}")  # two words: another thread
# A cursor has a digit, or it is a code with letters of both cases. A plain word such as "nextoldest" is a
# command that leads to another thread.
_CURSOR_VALUE = re.compile(r"\d|^(?=.*[a-z])(?=.*[A-Z])[\w\-=%.]{8,}$")
_HEAD = re.compile(r"[^\W\d_]+[-_.:]")  # "from-" of "from-dGhyZWFk"
# Words of links that lead to younger threads, so back to the beginning of a list.
_NEWER = re.compile(
    r"\b(?:newer|newest|later|neuere|jüngere|nieuwere|récent|reciente|recent[ei]|nuov[io]|nowsze|novější|nyare|nyere|"
    r"uudemmat|yeni|novij|novost)\w*|новые|новее|нови|新しい|较新|更新|최신|새로운",
    re.IGNORECASE,
)
# A cursor behind the URL of page one, with the words before it: "-from-e3779b16", ",from,cG9zdDox".
_WORDS_AND_CURSOR = re.compile(r"((?:[-/,;._][^\W\d_]+)+[-/,;._=])[^/?&#,;]+")
_SEPARATOR = re.compile(r"[-/,;._]")
_WORD_BEFORE = re.compile(r"[-/,;._][^\W\d_]+[-/,;._=]")
# Behind a single letter it must be a code or a number: "-c447494f3".
_LETTER_AND_CODE = re.compile(
    r"([-/,;._][a-z])(?:\d+|(?=[a-f]*\d)[\da-f]{6,}|(?=[^\W_]*[A-Z])(?=[^\W_]*\d)[^\W_]{6,})"
)
_CURSOR_WORD = re.compile(r"(?:after|before|cursor|since|until|next|older)[-/,;._=]$", re.IGNORECASE)
_NUMBER_OR_ARROW = re.compile(r"\W*(\d{0,5})\W*")
_MAX_LINK_TEXT = 12  # characters of a number or an arrow


def find_next_of_list(outline: PageOutline, url: str, links: list[tuple[int, str]]) -> str | None:
    """The link of a list that says "next" or "older", whatever its URL: lists lead to no next thread.

    The start page of a forum may have another URL than the list that it shows: "/" and "/latest?page=2".
    """
    for says_so in (is_next, is_step):
        found = {
            target
            for index, href in links
            if says_so(outline, index)
            and not is_back(outline, index)
            and not _is_newer(outline, index)
            and (target := absolute_url(outline.base, href))
            and target != url
            and same_site(target, url)
            and not names_service_page(target)  # a name may begin like "more": "mehrant"
            and (may_be_cursor(url, target) or _differs_in_cursor(url, target))
        }
        if len(found) == 1:
            return found.pop()
    return None


def _is_newer(outline: PageOutline, index: int) -> bool:
    """Whether a link says "newer"."""
    return bool(_NEWER.search(outline.text(index, 60) or outline.attribute(index, "title") or ""))


def _differs_in_cursor(url: str, target: str) -> bool:
    """Whether the URL of another page of a list differs in one field only, which page one may lack.

    Its value may be anything, even the title of a thread: "?from=chain-slips", "/from-dGhyZWFk".
    """
    names = differing_fields(url, target)
    if len(names) != 1:
        return False
    name = names.pop()
    mine, theirs = url_fields(url).get(name, ""), url_fields(target).get(name, "")
    head = _HEAD.match(theirs)
    if not theirs or not (head or not is_unnamed(name)):
        return False
    return not mine or not is_unnamed(name) or bool(head and mine.startswith(head[0]))


def may_be_cursor(url: str, target: str) -> bool:
    """Whether a URL differs in a value that may be a page or a cursor, and in no title."""
    values = [url_fields(target).get(name, "") for name in differing_fields(url, target)]
    return any(map(_CURSOR_VALUE.search, values)) and not any(map(TITLE.search, values))


def find_appended(first: str, later: str) -> tuple[str, str] | None:
    """What stands before a cursor that is appended to the URL of page one, and what stands behind both.

    "t-12.html" and "t-12-from-e3779b16.html" give "-from-" and ".html". None if no cursor is appended.
    """
    ending = FILE_ENDING.search(first)
    tail = ending[0] if ending and later.endswith(ending[0]) else ""
    stem, longer = first.removesuffix(tail).rstrip("/"), later.removesuffix(tail)
    mark = mark_of_cursor(longer[len(stem) :]) if longer.startswith(stem) else ""
    return (mark, tail) if mark else None


def mark_of_cursor(part: str) -> str:
    """What stands before the cursor in the part of a URL that page one lacks. Empty if it has no cursor."""
    if found := _LETTER_AND_CODE.fullmatch(part):
        return found[1]
    if not _WORDS_AND_CURSOR.fullmatch(part):
        return ""
    words = [match.end() for match in re.finditer(r"(?<=[^\W\d_])[-/,;._=]", part)]
    named = [end for end in words if names_cursor(part[:end])]  # "/index-from-" of "/index-from-e37"
    return part[: (named or words)[0]]


def is_next_by_cursor(url: str, target: str) -> bool:
    """Whether a URL differs from that of this page in an appended cursor alone, which page one lacks.

    The word before the cursor names a page, or the cursor has a letter before it and stands behind an ID:
    "t-12" and "t-13" are two threads.
    """
    stem, mark, _ = _split_appended(target)
    if not mark or not (names_cursor(mark) or re.search(r"\d", stem.rpartition("/")[2])):
        return False
    mine, own, _ = _split_appended(url)
    if find_appended(url, target) is not None:
        return True
    return bool(own) and (mine, own) == (stem, mark)


def names_cursor(mark: str) -> bool:
    """Whether the word before a value tells that it is a page, an offset or a cursor: "page=", "before="."""
    return names_page_or_offset(mark) or bool(_CURSOR_WORD.search(mark))


def _split_appended(url: str) -> tuple[str, str, str]:
    """A URL with a cursor at its end: what stands before it, its mark and its tail. Else the URL alone."""
    ending = FILE_ENDING.search(url)
    tail = ending[0] if ending else ""
    longer = url.removesuffix(tail)
    places = [match.start() for match in _SEPARATOR.finditer(longer)]
    for place in reversed(places):
        word = _WORD_BEFORE.match(longer, place)
        if word and names_cursor(word[0]) and _CURSOR_VALUE.search(value := longer[word.end() :]):
            # A title may have the same words: "noise-from-the-kitchen-12".
            return (longer[:place], word[0], tail) if not TITLE.search(value) else (url, "", tail)
    letter = _LETTER_AND_CODE.fullmatch(longer, places[-1]) if places else None
    return (longer[: places[-1]], letter[1], tail) if letter else (url, "", tail)


def find_cursor(
    outline: PageOutline, url: str, links: Sequence[tuple[int, str]], *, is_list: bool = False
) -> tuple[str | None, str | None]:
    """The next and the previous page, by links that say "older", "newer" or "more".

    Such a link counts only if its URL differs from the URL of this page in one parameter: `?before=991`,
    `?after=t3_x`. On page one every such link leads forward. Later pages also have one that leads back.
    """
    steps: dict[str, list[str]] = defaultdict(list)  # place of the cursor → URLs that differ in it
    back: list[str] = []
    for index, href in links:
        target = absolute_url(outline.base, href) if is_step(outline, index) else None
        if not target or target == url or (not is_list and names_thread(outline, index)):
            continue
        place, leads_back = _cursor_place(url, target)
        if leads_back or (is_list and _is_newer(outline, index)):
            back.append(target)
        elif place:
            steps[place].append(target)
    return _choose_steps(steps, back[0] if back else None, url)


def _cursor_place(url: str, target: str) -> tuple[str, bool]:
    """Where a URL has a cursor that this page lacks or has otherwise, and whether it is page one instead.

    The place is the name of a parameter, or what stands before a number: "http://a/forum-2-c".
    """
    if is_next_by_cursor(url, target):
        stem, mark, _ = _split_appended(target)
        return stem + mark, False
    if find_appended(target, url) is not None and is_next_by_cursor(target, url):
        return "", True
    name = changed_parameter(url, target)
    if name and not is_unnamed(name):
        value = url_fields(target).get(name)
        if value is None:
            return "", True
        return (name if _CURSOR_VALUE.search(value) else ""), False
    for slot, _ in number_slots(url):
        if slot.is_first(target):
            return "", True
    for slot, _ in number_slots(target):
        if slot.is_first(url) or slot.number_in(url) is not None:
            return slot.before, False
    return "", False


def _choose_steps(steps: dict[str, list[str]], back: str | None, url: str) -> tuple[str | None, str | None]:
    for name, found in steps.items():
        targets = list(dict.fromkeys(found))
        has_value = name in url_fields(url) or url.startswith(name)
        names_thread_itself = only_names(url, name) and not names_cursor(f"{name}=")
        if has_value and back is None and (names_thread_itself or _is_first_number(url, name)):
            continue  # the only value names the thread itself: these links lead to other threads
        if len(targets) == 1:
            return targets[0], back
        if len(targets) == 2 and has_value:  # one forward, one back: the link back stands first
            return targets[1], targets[0]
    return None, back


def _is_first_number(url: str, before: str) -> bool:
    """Whether a number of a URL, by what stands before it, is the first one of its path and query.

    A number that is called a page or an offset is none: the thread before it is named by words alone.
    """
    if names_page_or_offset(before):
        return False
    return url.startswith(before) and not any(slot.before != before for slot, _ in number_slots(before + "0"))


def ends_with_page(
    outline: PageOutline, url: str, number: int, read: Collection[str], is_known: Callable[[str], bool]
) -> bool:
    """Whether no link of page `number` of a list may lead to a later page of the list at `url`.

    Such a link shows a number or an arrow, or its URL is that of the list and more. Links that are known to
    lead to threads or boards are none, and those to pages that were read are none.
    """
    seen = {strip_session(one) for one in read} | {strip_session(url)}
    return not any(
        _may_lead_on(url, target, outline.text(index, _MAX_LINK_TEXT), number)
        for index, href in enumerate(outline.hrefs)
        if href
        and (target := absolute_url(outline.base, href)) is not None
        and target not in seen
        and same_site(target, url)
        and not is_known(target)
        and not names_service_page(target)
        and not names_file(target)
    )


def _may_lead_on(url: str, target: str, text: str, number: int) -> bool:
    shown = _NUMBER_OR_ARROW.fullmatch(text.strip()) if text.strip() else None
    if shown:
        return not shown[1] or int(shown[1]) > number
    mine, theirs = url_fields(url), url_fields(target)
    own = {name: value for name, value in mine.items() if value}
    return len(theirs) > len(own) > 0 and all(theirs.get(name) == value for name, value in own.items())


# The same in the `rel` and `class` attributes.
_PAGE_WORD = re.compile(
    r"\bpages?\b|seite|página|pagina|страниц|стор[іи]нк|页|頁|ページ|페이지|쪽|\bsidan?\b|\bside\b|stron[aęy]|sayfa|sivu|"
    r"strán?k|oldal|halaman|صفحة",
    re.IGNORECASE,
)
# What stands before the number in a URL: "page=", "/p/", "start=".
_PAGE_NAME = re.compile(
    r"(?<![a-z])(?:p|pg|page|pageno|seite|pagina|página|sivu|strana|stranica|sayfa|str|halaman)[-=/,_.]{0,2}$",
    re.IGNORECASE,
)
_BEHIND_NUMBER = re.compile(r"\d[-_.,/]$")
_OFFSET_NAME = re.compile(r"(?<![a-z])(?:st|start|offset|from|skip|limit)[-=/,_.]{0,2}$", re.IGNORECASE)
# Rows or posts. Forum engines let their owners choose 10 to 200. A larger first step is the ID of a post.
_MAX_PAGE_SIZE = 500
_MAX_SECOND = 2  # the number of page two, where pages are counted from one


@dataclass(frozen=True, slots=True)
class PagerEntry:
    """A link that may belong to a pager."""

    element: int
    number: int  # in its URL
    label: int | None  # the number that the link shows
    url: str  # as linked, with its session ID


@dataclass(frozen=True, slots=True)
class PageNumbering:
    """How the number in the URL grows from page to page."""

    step: int
    start: int  # the number of page one

    def page(self, number: int) -> int | None:
        """The page whose URL has this number. None if no page has it."""
        page, rest = divmod(number - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None


def names_page(before: str) -> bool:
    """Whether the part of a URL before a number calls this number a page."""
    return bool(_PAGE_NAME.search(before))


def names_offset(before: str) -> bool:
    """Whether the part of a URL before a number calls this number an offset: how many items come before."""
    return bool(_OFFSET_NAME.search(before))


def names_page_or_offset(before: str) -> bool:
    """Whether the part of a URL before a number calls this number a page or an offset."""
    return names_page(before) or names_offset(before)


def numbering_from_labels(
    entries: Iterable[PagerEntry], here: tuple[int, int] | None = None
) -> PageNumbering | None:
    """The numbering that links with a number for their text show.

    `here` is the number that this page shows for itself, and the number in its URL. It is used where fewer
    than two links have labels.
    """
    points = sorted({(entry.label, entry.number) for entry in entries if entry.label is not None})
    if len(points) < 2 and here is not None:
        points = sorted({*points, here})
    if len(points) >= 2:
        (k1, n1), (k2, n2) = points[0], points[-1]
        if k1 == k2 or (n2 - n1) % (k2 - k1):
            return None
        step = (n2 - n1) // (k2 - k1)
        numbering = PageNumbering(step, n1 - step * (k1 - 1)) if step > 0 else None
        fits = numbering and sum(numbering.page(n) == k for k, n in points) >= 0.8 * len(points)
        return numbering if numbering and fits and numbering.start in {0, 1} else None
    if points:
        label, number = points[0]
        if number == label:
            return PageNumbering(1, 1)
        if number == label - 1:
            return PageNumbering(1, 0)
        if label > 1 and number % (label - 1) == 0 and number // (label - 1) > 1:
            return PageNumbering(number // (label - 1), 0)
    return None


def steps_behind_id(outline: PageOutline, slot: NumberSlot, entries: Iterable[PagerEntry]) -> bool:
    """Whether a link says "more" and its number stands right behind another one: "t-13-3.htm"."""
    return bool(_BEHIND_NUMBER.search(slot.before)) and any(
        is_step(outline, entry.element) and not names_thread(outline, entry.element) for entry in entries
    )


def numbering_from_next_link(
    outline: PageOutline, url: str, slot: NumberSlot, entries: list[PagerEntry]
) -> PageNumbering | None:
    """The numbering where no link shows a number: from the URL of this page and the link that says "next"."""
    if any(entry.label is not None for entry in entries):
        return None
    leads_on = [
        entry.number
        for entry in entries
        if is_next(outline, entry.element)
        or (is_step(outline, entry.element) and not is_back(outline, entry.element))
    ]
    ahead = min(leads_on, default=None)
    if ahead is None:
        return None
    here = slot.number_in(url)
    if here is not None:
        # The only number of a URL is the ID of the thread, unless the URL or the link calls it a page.
        called = names_page_or_offset(slot.before) or any(
            is_next(outline, entry.element) and _PAGE_WORD.search(outline.text(entry.element, 60))
            for entry in entries
        )
        if len(list(number_slots(url))) < 2 and not called:
            return None
        step = ahead - here
        return PageNumbering(step, here % step if step > 1 else 1) if step > 0 else None
    if not slot.is_first(url) or not 1 <= ahead <= _MAX_PAGE_SIZE:
        return None
    return PageNumbering(1, ahead - 1) if ahead <= 2 else PageNumbering(ahead, 0)


def numbering_from_url_name(
    outline: PageOutline, url: str, slot: NumberSlot, entries: list[PagerEntry], *, leads_back: bool
) -> PageNumbering | None:
    """The numbering where links show no text at all (icons): by the name of the number in their URLs.

    The last of two pages may have only a link back, to the URL without the number (`leads_back`).
    """
    here = slot.number_in(url)
    if here is None and not slot.is_first(url):
        return None
    numbers = {entry.number for entry in entries} - {here}
    if any(entry.label is not None for entry in entries):
        return None
    if not numbers:
        return _numbering_of_second_page(slot, here) if here and leads_back else None
    if names_page(slot.before):
        return _numbering_of_named_pages(here, numbers)
    # The value behind "older" and "newer" need not be an offset: find_cursor reads those links.
    if _OFFSET_NAME.search(slot.before) and not any(is_step(outline, entry.element) for entry in entries):
        step = gcd(*numbers, here or 0)
        return PageNumbering(step, 0) if 1 < step <= _MAX_PAGE_SIZE else None
    return None


def _numbering_of_named_pages(here: int | None, numbers: set[int]) -> PageNumbering | None:
    """The numbering of numbers that URLs call pages."""
    if here is None and (numbers == {1} or (len(numbers) == 1 and min(numbers) > _MAX_SECOND)):
        return None  # a link of page 1 to itself, or a cursor that is called a page: page 1 leads to page 2
    counts_from_zero = 0 in numbers or here == 0 or (here is None and 1 in numbers and 2 not in numbers)
    return PageNumbering(1, 0 if counts_from_zero else 1)


def _numbering_of_second_page(slot: NumberSlot, here: int) -> PageNumbering | None:
    """The numbering by the number of this page alone. The URL of page one has no number."""
    if names_page(slot.before):
        return PageNumbering(1, 0 if here == 1 else 1)
    return PageNumbering(here, 0) if _OFFSET_NAME.search(slot.before) and 1 < here <= _MAX_PAGE_SIZE else None
