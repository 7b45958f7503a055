"""Finds the pager of a page: the next, previous, first and last page, and the number in their URLs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import gcd

from threadmill.forum.link_urls import (
    NumberSlot,
    absolute_url,
    comparable_url,
    is_back,
    is_next,
    is_step,
    names_offset,
    names_page,
    names_page_or_offset,
    names_thread,
    number_slots,
    same_site,
    says_next,
    strip_session,
)
from threadmill.forum.paging.cursors import (
    PAGE_WORD,
    find_cursor,
    find_next_beside_count,
    find_next_by_words,
    find_next_of_list,
    may_be_cursor,
    may_be_pages_of_one_thread,
)
from threadmill.forum.records.page_outline import PageOutline

_SHOWN_NUMBER = re.compile(r"^\W*(\d{1,6})\W*$")
_SHOWN_RANGE = re.compile(r"^\W*(\d{1,6})\s?(?:[-–—~]|\.\.\.?|…)\s?(\d{1,6})\W*$")  # "11-20"
_MAX_LINKS = 4000
_MAX_LINK_WORDS = 12  # of a link of a pager
_MAX_LINK_TEXT = 24  # characters of such a link, unless it says "next"
_LAST_SPANS = 4  # roots of the last record
_MAX_PAGERS = 2  # of one page, above and below
_MAX_PAGER = 200  # characters of a pager
_SHORT_PAGER = 40  # characters of "Pages: 1 2" and the like
_RELATIONS = frozenset(("next", "prev", "previous", "first", "last", "canonical"))
_DIGITS = re.compile(r"\d+")
_BEHIND_NUMBER = re.compile(r"\d[-_.,/]$")
# Rows or posts. Forum engines let their owners choose 10 to 200. A larger first step is the ID of a post.
_MAX_PAGE_SIZE = 500
_MAX_SECOND = 2  # the number of page two, where pages are counted from one
_MAX_UNLINKED = 3  # numbers in a pager that are no links: of this page, of all pages and of all items
_FIRST_YEAR, _LAST_YEAR = 1970, 2069  # of archives
_LEAST_SIZE = 5  # items: fewer on a page are offered nowhere


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page stands among the pages of its thread or board."""

    number: int | None = None  # of this page, from 1
    count: int | None = None  # pages that this page knows of
    next: str | None = None
    previous: str | None = None
    first: str | None = None
    last: str | None = None
    slot: NumberSlot | None = None  # the place of the number in the URLs
    step: int = 1  # by which the number grows from page to page
    start: int = 1  # the number of page 1

    def url_of(self, page: int) -> str | None:
        """The URL of page k. None if it cannot be computed."""
        if page == 1 and self.first:
            return self.first
        return self.slot.fill(self.start + self.step * (page - 1)) if self.slot else None


@dataclass(frozen=True, slots=True)
class PagerEntry:
    """A link that may belong to a pager."""

    element: int
    number: int  # in its URL
    label: int | None  # the number that the link shows
    url: str  # as linked, with its session ID
    items: tuple[int, int] | None = None  # the first and the last item of the page, if shown: "11-20"


@dataclass(frozen=True, slots=True)
class PageNumbering:
    """How the number in the URL grows from page to page."""

    step: int
    start: int  # the number of page one

    def page(self, number: int) -> int | None:
        """The page whose URL has this number. None if no page has it."""
        page, rest = divmod(number - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None


@dataclass(frozen=True, slots=True)
class _PagerEvidence:
    """What a page says about its pager."""

    outline: PageOutline
    url: str
    relations: dict[str, str]  # rel="next" and its like → URL
    back_links: list[PagerEntry]  # to page one or to the previous page
    is_list: bool  # the page is a list of threads


def find_paging(
    outline: PageOutline, avoid: Sequence[tuple[int, int]] = (), *, is_list: bool = False
) -> Paging:
    """The paging of a page. Links inside the element ranges `avoid` (its records) do not count.

    A list (`is_list`) has no link to a next thread, so a link that says "next" is believed.
    """
    url = strip_session(outline.tree.url)
    relations = _find_relations(outline)
    links = _without_idle_steps(outline, _links_outside(outline, avoid))
    back_links = _find_back_links(outline, links, relations)
    evidence = _PagerEvidence(outline, url, relations, back_links, is_list)
    groups = _group_by_slot(outline, url, links)
    # The second of two pages may link to nothing but page one.
    for slot, _ in number_slots(comparable_url(url)):
        if any(slot.is_first(comparable_url(back.url)) for back in back_links):
            groups.setdefault(slot, [])
    best: tuple[float, Paging] | None = None
    for slot, entries in groups.items():
        judged = _judge_group(evidence, slot, entries)
        if judged and (best is None or judged[0] > best[0]):
            best = judged
    if best:
        return _with_related_next(evidence, best[1])
    paging = _paging_without_numbers(evidence, links)
    if is_list and paging.next is None:
        paging = replace(paging, next=find_next_of_list(outline, url, links))
    if paging.next is None and (counted := find_next_beside_count(outline, url, links, avoid)):
        number, count, onward = counted
        paging = replace(paging, number=number, count=count, next=onward)
    return paging


def _with_related_next(evidence: _PagerEvidence, paging: Paging) -> Paging:
    """The paging by numbers. Where none leads on, the page may still name its next page by a relation."""
    forward = evidence.relations.get("next")
    if paging.next or not forward:
        return paging
    counted = paging.slot.number_in(comparable_url(forward)) if paging.slot else None
    if counted is None and not may_be_pages_of_one_thread(evidence.url, forward):
        return paging
    if counted is not None and counted < paging.start + paging.step * (paging.number or 0):
        # The numbers fall from page to page: they are those of posts.
        return Paging(next=forward, previous=paging.previous, first=paging.first)
    return replace(paging, next=forward, count=None, last=None)


def _paging_without_numbers(evidence: _PagerEvidence, links: list[tuple[int, str]]) -> Paging:
    """The next and the previous page where no number tells them: by rel attributes, words and cursors."""
    outline, url, relations = evidence.outline, evidence.url, evidence.relations
    forward, back = relations.get("next"), relations.get("prev") or relations.get("previous")
    if forward is not None and not evidence.is_list and not may_be_pages_of_one_thread(url, forward):
        forward = None  # the next thread or article
    if forward is None:
        forward = find_next_by_words(outline, url, links)
    if forward is None:
        forward, behind = find_cursor(outline, url, links, is_list=evidence.is_list)
        back = back or behind
    return Paging(next=forward, previous=back, first=relations.get("first"), last=relations.get("last"))


def _find_relations(outline: PageOutline) -> dict[str, str]:
    """The URLs of <link rel> and <a rel>, by the first use of each relation."""
    found: dict[str, str] = {}
    for tag in ("link", "a"):
        for element in outline.tree.document.iter_elements(tag):
            rel = element.attr("rel")
            href = element.attr("href")
            if not rel or not href:
                continue
            for word in rel.lower().split():
                if word in _RELATIONS:
                    url = absolute_url(outline.base, href)
                    if url:
                        found.setdefault(word, url)
    return found


def _links_outside(outline: PageOutline, avoid: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """The links outside the ranges `avoid`. Of very many, only the first and last: there pagers stand."""
    inside = bytearray(len(outline))
    for start, end in avoid:
        inside[start:end] = b"\x01" * (end - start)
    for index in _find_swallowed(outline, avoid, inside):
        inside[index] = 0
    links = [(index, href) for index, href in enumerate(outline.hrefs) if href and not inside[index]]
    return links if len(links) <= _MAX_LINKS else links[: _MAX_LINKS // 2] + links[-_MAX_LINKS // 2 :]


def _without_idle_steps(outline: PageOutline, links: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The links without arrows that lead to no other page, as the pager of a thread of one page has them.

    They are marked as disabled, or one arrow calls their URL the first page and another one the last.
    """
    forth: set[str] = set()
    back: set[str] = set()
    idle: set[int] = set()
    for index, href in links:
        if _SHOWN_NUMBER.match(outline.text(index, _MAX_LINK_TEXT)):
            continue
        ahead, behind = is_next(outline, index), is_back(outline, index)
        if ahead != behind:
            (forth if ahead else back).add(href)
            if _is_disabled(outline, index):
                idle.add(index)
    both = forth & back
    return [link for link in links if link[0] not in idle and link[1] not in both]


def _is_disabled(outline: PageOutline, index: int) -> bool:
    """Whether a link or the element right around it is marked as one that cannot be used."""
    return any(
        outline.attribute(element, "aria-disabled") == "true"
        or "disabled" in (outline.attribute(element, "class") or "").split()
        for element in (index, outline.parent[index])
    )


def _find_swallowed(
    outline: PageOutline, avoid: Sequence[tuple[int, int]], inside: Sequence[int]
) -> list[int]:
    """The links in the last records that say "next" or "more" and that no other record has.

    Nothing behind the last record shows where it ends, so it may have taken the pager. A pager between a
    question and its answers is known by its numbers.
    """
    rows = _find_pagers_beside_posts(outline, avoid)
    if rows:
        return rows
    last = sorted(avoid)[-_LAST_SPANS:]
    found = [
        index
        for start, end in last
        for index in range(start, end)
        if outline.hrefs[index] and (is_next(outline, index) or is_step(outline, index))
    ]
    labels = Counter(outline.text(index, _MAX_LINK_TEXT) for index in found)
    first = last[0][0] if last else 0
    if found:
        labels.update(
            outline.text(index, _MAX_LINK_TEXT)
            for index in range(first)
            if inside[index] and outline.hrefs[index]
        )
    return [index for index in found if labels[outline.text(index, _MAX_LINK_TEXT)] == 1]


def _find_pagers_beside_posts(outline: PageOutline, avoid: Sequence[tuple[int, int]]) -> list[int]:
    """The links of pagers that records have taken: rows of links, one or two on the page, with page numbers.

    Their URLs are that of this page with another number that is called a page.
    """
    url = strip_session(outline.tree.url)
    symbols = Counter(outline.symbols[start] for start, _ in avoid)
    found = []
    for start, end in avoid:
        alike = symbols[outline.symbols[start]]
        if alike > _MAX_PAGERS or alike == len(avoid) or outline.text_length(start) > _MAX_PAGER:
            continue
        links = [index for index in range(start, end) if outline.hrefs[index]]
        numbered = any(
            _SHOWN_NUMBER.match(outline.text(index, _MAX_LINK_TEXT)) and _leads_to_page(outline, index, url)
            for index in links
        )
        if numbered and all(_leads_to_page(outline, index, url) for index in links):
            found += links
    return found


def _leads_to_page(outline: PageOutline, index: int, url: str) -> bool:
    """Whether the URL of a link calls a number a page, and is otherwise that of the page it stands on."""
    target = absolute_url(outline.base, outline.hrefs[index] or "")
    if target is None or not may_be_pages_of_one_thread(url, target):
        return False
    slots = [slot for slot, _ in number_slots(comparable_url(target)) if names_page(slot.before)]
    return bool(slots) or comparable_url(target) == comparable_url(url)


def _group_by_slot(
    outline: PageOutline, url: str, links: list[tuple[int, str]]
) -> dict[NumberSlot, list[PagerEntry]]:
    """Links whose URLs differ in one number only, by the place of this number."""
    groups: dict[NumberSlot, list[PagerEntry]] = defaultdict(list)
    for index, href in links:
        words = outline.text(index, 60)
        if len(words.split()) > _MAX_LINK_WORDS or (len(words) > _MAX_LINK_TEXT and not says_next(words)):
            continue
        target = absolute_url(outline.base, href)
        if target is None or not same_site(target, url):
            continue
        shown, items = _SHOWN_NUMBER.match(words), _SHOWN_RANGE.match(words)
        label = int(shown[1]) if shown else None
        span = (int(items[1]), int(items[2])) if items and 0 < int(items[1]) <= int(items[2]) else None
        for slot, number in number_slots(comparable_url(target)):
            groups[slot].append(PagerEntry(index, number, label, target, span))
    return groups


def _label_ranges(entries: list[PagerEntry]) -> tuple[PageNumbering | None, list[PagerEntry]]:
    """The numbering of links that show the items of their pages, and the links labelled by page."""
    numbering = _numbering_from_ranges(entries)
    if numbering is None:
        return None, entries
    return numbering, [
        entry if entry.items is None else replace(entry, label=numbering.page(entry.number))
        for entry in entries
    ]


def _numbering_from_ranges(entries: Iterable[PagerEntry]) -> PageNumbering | None:
    """The numbering where links show the items of their pages: "1-10", "11-20".

    The number in a URL is that of the first item, counted from 0 or 1, or that of the page.
    """
    spans = {entry.items for entry in entries if entry.items is not None}
    points = {(entry.items[0] - 1, entry.number) for entry in entries if entry.items is not None}
    # The first page is full. Without a link to it, this is the first page, and the next one begins behind it.
    step = next(
        (last for first, last in spans if first == 1), min((before for before, _ in points), default=0)
    )
    if not 1 < step <= _MAX_PAGE_SIZE:
        return None
    for numbering in (PageNumbering(size, start) for size in (step, 1) for start in (0, 1)):
        if all(numbering.page(number) == before // step + 1 for before, number in points):
            return numbering
    return None


def _find_back_links(
    outline: PageOutline, links: list[tuple[int, str]], relations: dict[str, str]
) -> list[PagerEntry]:
    """Links that may lead to page one without a number in their URL: they say 1, first or previous."""
    found = []
    for index, href in links:
        shown = _SHOWN_NUMBER.match(outline.text(index, 60))
        label = int(shown[1]) if shown else None
        if label == 1 or (label is None and is_back(outline, index)):
            target = absolute_url(outline.base, href)
            if target:
                found.append(PagerEntry(index, 0, label, target))
    return found + [
        PagerEntry(-1, 0, None, relations[word])
        for word in ("prev", "previous", "first")
        if word in relations
    ]


def _judge_group(
    evidence: _PagerEvidence, slot: NumberSlot, entries: list[PagerEntry]
) -> tuple[float, Paging] | None:
    """How much a group of links looks like the pager of this page, and the paging it shows."""
    outline, url = evidence.outline, evidence.url
    by_ranges, entries = _label_ranges(entries)
    firsts = [back for back in evidence.back_links if slot.is_first(comparable_url(back.url))]
    own = slot.number_in(comparable_url(url))
    if not firsts and all(entry.number == own for entry in entries):
        return None  # a counter that is a link to this very page
    falls = own is not None and any(e.number < own and is_next(outline, e.element) for e in entries)
    # In a list, "next" may lead to newer threads. Its offsets grow towards the older ones all the same.
    grows = evidence.is_list and names_offset(slot.before) and not _steps_back(outline, own, entries, firsts)
    if falls and not grows:
        return None  # the numbers fall from page to page: they are those of posts
    # Some pagers link this page too. Then no other number beside the links is the number of this page.
    shown = next((entry.label for entry in entries if entry.number == own and entry.label is not None), None)
    if shown is None:
        shown = _unlinked_number(outline, [*entries, *(back for back in firsts if back.element >= 0)])
    if _are_page_sizes(outline, entries, shown) or _are_years(outline, entries):
        return None
    point = (shown, own) if own is not None and shown is not None else None
    named = numbering_from_url_name(outline, comparable_url(url), slot, entries, leads_back=bool(firsts))
    numbering = (
        by_ranges
        or numbering_from_labels(entries, point)
        or numbering_from_next_link(outline, comparable_url(url), slot, entries)
        or named
    )
    if numbering is None:
        return None
    here, confidence = _find_own_number(evidence, slot, numbering, entries)
    if here is None:
        return None
    labels = {entry.label for entry in (*entries, *firsts) if entry.label is not None}
    relations = evidence.relations
    agrees = [
        slot.number_in(comparable_url(relations[word])) is not None
        for word in ("next", "prev")
        if word in relations
    ]
    says_so = labels or agrees or named or any(is_next(outline, entry.element) for entry in entries)
    if not says_so and not steps_behind_id(outline, slot, entries):
        return None
    score = confidence + min(len(labels), 6) * 0.2 + (0.5 if agrees and all(agrees) else 0.0)
    score -= len(slot.after) * 0.001
    if _are_page_numbers(url, entries):
        score += 0.05
    paging = _build_paging(url, here, slot, numbering, entries, firsts)
    # Offsets count from 0 or 1. Another first number is that of a post, which tells no page.
    is_offset = bool(labels) or numbering.step == 1 or numbering.start <= 1
    return score, paging if is_offset else replace(paging, number=None, count=None)


def _steps_back(
    outline: PageOutline, own: int | None, entries: list[PagerEntry], firsts: list[PagerEntry]
) -> bool:
    """Does "previous" lead to page one, and no such link to a greater number than this page has?"""
    back = [entry for entry in firsts if entry.element >= 0 and entry.label is None]
    return bool(back) and not any(
        own is not None and entry.number > own and is_back(outline, entry.element) for entry in entries
    )


def _are_page_sizes(outline: PageOutline, entries: list[PagerEntry], shown: int | None) -> bool:
    """Do links offer other numbers of items for this page: "per page: 15, 50, 100"?

    A pager begins with page 1, names pages that follow each other, or says which one is next.
    """
    labels = {entry.label for entry in entries if entry.label is not None} | {shown} - {None}
    numbers = sorted(label for label in labels if label is not None)
    return (
        len(numbers) > 1
        and numbers[0] >= _LEAST_SIZE
        and all(other - one > 1 for one, other in pairwise(numbers))
        and all(entry.label == entry.number for entry in entries)
        and not any(is_next(outline, entry.element) for entry in entries)
    )


def _are_years(outline: PageOutline, entries: list[PagerEntry]) -> bool:
    """Do links lead to the archives of years: "2015", "2014"? A pager also has a small number or an arrow."""
    labels = {entry.label for entry in entries if entry.label is not None}
    return (
        bool(labels)
        and all(_FIRST_YEAR <= label <= _LAST_YEAR for label in labels)
        and not any(is_next(outline, entry.element) for entry in entries)
    )


def _are_page_numbers(url: str, entries: list[PagerEntry]) -> bool:
    """Is the number in each URL the one that its link shows, and none that the URL of this page has too?

    "index-2-1.html" behind "2" has two places for the number of the page.
    """
    labelled = [entry for entry in entries if entry.label is not None]
    known = set(_DIGITS.findall(url.partition("://")[2].partition("/")[2]))
    return bool(labelled) and all(e.label == e.number and str(e.number) not in known for e in labelled)


def _build_paging(  # noqa: PLR0917 -- the parts of one pager
    url: str,
    here: int,
    slot: NumberSlot,
    numbering: PageNumbering,
    entries: list[PagerEntry],
    firsts: list[PagerEntry],
) -> Paging:
    pages = {page: entry.url for entry in entries if (page := numbering.page(entry.number)) is not None}
    count = max((*pages, here))
    bare = next((back.url for back in sorted(firsts, key=lambda back: back.label != 1)), None)
    first = pages.get(1) or bare or (url if here == 1 else None)
    computed = slot.fill(numbering.start + numbering.step * here) if count > here else None
    return Paging(
        number=here,
        count=count,
        next=pages.get(here + 1) or computed,
        previous=(pages.get(here - 1) or (first if here == 2 else None)) if here > 1 else None,
        first=first,
        last=pages.get(count) or url,
        slot=slot,
        step=numbering.step,
        start=numbering.start,
    )


def _find_own_number(
    evidence: _PagerEvidence, slot: NumberSlot, numbering: PageNumbering, entries: list[PagerEntry]
) -> tuple[int | None, float]:
    """The number of this page, and the confidence that this pager is its own."""
    outline = evidence.outline
    canonical = comparable_url(evidence.relations.get("canonical", ""))
    own_urls = ((comparable_url(evidence.url), 2.0), (canonical, 1.5))
    for url, confidence in own_urls:
        number = slot.number_in(url) if url else None
        if number is not None and (page := numbering.page(number)) is not None:
            return page, confidence
    before_next = {
        page - 1
        for entry in entries
        if is_next(outline, entry.element) and (page := numbering.page(entry.number)) is not None
    }
    for url, confidence in own_urls:
        if url and slot.is_first(url):
            return (min(before_next) if before_next and min(before_next) > 1 else 1), confidence - 0.1
    shown = _unlinked_number(outline, entries)
    if shown is not None:
        return shown, 1.0
    return (1, 0.5) if evidence.is_list and _lacks_first_page(evidence.url, entries) else (None, 0.0)


def _lacks_first_page(url: str, entries: list[PagerEntry]) -> bool:
    """Whether a pager begins with page 2, so that this list is page 1. Pages of a thread have its title."""
    labels = {entry.label for entry in entries if entry.label is not None}
    if len(labels) < 2 or min(labels) != 2:
        return False
    return all(may_be_cursor(url, entry.url) for entry in entries)


def _unlinked_number(outline: PageOutline, entries: list[PagerEntry]) -> int | None:
    """The number among the links of a pager that is no link itself, or leads to "#": that of this page.

    Where many numbers are no links, these are the days of a calendar.
    """
    labelled = [entry for entry in entries if entry.label is not None]
    labels = {entry.label for entry in labelled}
    if not labelled:
        return None
    pager = labelled[0].element
    for entry in labelled[1:]:
        common = outline.common_ancestor(pager, entry.element)
        if outline.text_length(common) > _MAX_PAGER:
            break
        pager = common
    for _ in range(3):  # the number of this page stands beside a single link
        if len(labels) > 1 or outline.parent[pager] < 0:
            break
        if outline.text_length(outline.parent[pager]) > _SHORT_PAGER:
            break
        pager = outline.parent[pager]
    unlinked = []
    for number in range(outline.text_from[pager], outline.text_to[pager]):
        shown = _SHOWN_NUMBER.match(outline.segments[number])
        if shown and not _leads_elsewhere(outline, outline.segment_owner[number]):
            unlinked.append(int(shown[1]))
    if len({*unlinked} - labels) > _MAX_UNLINKED:
        return None
    beside = (page for page in unlinked if page not in labels and not {page - 1, page + 1}.isdisjoint(labels))
    return next(beside, None)


def _leads_elsewhere(outline: PageOutline, index: int) -> bool:
    """Does an element stand in a link that leads to another place than "#"?"""
    if not outline.in_link[index]:
        return False
    while index >= 0 and outline.hrefs[index] is None:
        index = outline.parent[index]
    return index < 0 or outline.hrefs[index] not in {"", "#"}


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
            is_next(outline, entry.element) and PAGE_WORD.search(outline.text(entry.element, 60))
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
    if names_offset(slot.before) and not any(is_step(outline, entry.element) for entry in entries):
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
    return PageNumbering(here, 0) if names_offset(slot.before) and 1 < here <= _MAX_PAGE_SIZE else None
