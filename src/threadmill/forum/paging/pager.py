"""How a page's siblings are called: next, previous, first, last, page k, from the number that differs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from threadmill.forum.link_urls import NumberSlot, absolute_url, number_slots, same_site, strip_session
from threadmill.forum.paging.cursors import find_cursor, query_parameters
from threadmill.forum.paging.link_direction import is_back, is_next, says_next
from threadmill.forum.paging.page_numbers import (
    PageNumbering,
    PagerEntry,
    numbering_from_labels,
    numbering_from_next_link,
    numbering_from_url_name,
)
from threadmill.forum.paging.sibling_urls import comparable_url, is_called_page, is_same_thread_or_board
from threadmill.forum.records.page_outline import PageOutline

_COUNTED = re.compile(r"[-_.,]\d")
_COUNT = re.compile(r"^\W*(\d{1,6})\W*$")
_LONE_PAGER = 40  # characters of "Pages: 1 2" and the like
_MAX_LINKS = 4000
_MAX_SHOWN = 12  # words of a pager's link


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page stands among its siblings."""

    number: int | None = None  # of this page, from 1
    count: int | None = None  # pages that the page knows of
    next: str | None = None
    previous: str | None = None
    first: str | None = None
    last: str | None = None
    slot: NumberSlot | None = None
    step: int = 1  # what the number grows by from page to page
    start: int = 1  # the number of page 1

    def url_of(self, page: int) -> str | None:
        """The address of page k, where it can be computed."""
        if page == 1 and self.first:
            return self.first
        return self.slot.fill(self.start + self.step * (page - 1)) if self.slot else None


_Addresses = list[tuple[str, float]]  # what this page is called, with how much that is believed


def find_paging(outline: PageOutline, avoid: Sequence[tuple[int, int]] = ()) -> Paging:
    """The paging of a page; links inside the ranges to avoid (records) do not count."""
    url = strip_session(outline.tree.url)
    related = _related(outline)
    open_links = _open_links(outline, avoid)
    groups = _groups(outline, url, open_links)
    backs = _back_links(outline, open_links, related)
    for slot, _ in number_slots(comparable_url(url)):  # the last page of two may link to nothing but page one
        if any(slot.is_first(comparable_url(back.url)) for back in backs):
            groups.setdefault(slot, [])
    best: tuple[float, Paging] | None = None
    for slot, entries in groups.items():
        judged = _judge(outline, url, slot, entries, backs, related)
        if judged and (best is None or judged[0] > best[0]):
            best = judged
    if best:
        return best[1]
    forward, back = related.get("next"), related.get("prev") or related.get("previous")
    if forward is not None and not is_same_thread_or_board(url, forward):
        forward = None  # the next thread or article, not the next page of this one
    if forward is None:
        forward = _lone_next(outline, url, open_links)
    if forward is None:
        forward, behind = find_cursor(outline, url, open_links)
        back = back or behind
    return Paging(next=forward, previous=back, first=related.get("first"), last=related.get("last"))


def _related(outline: PageOutline) -> dict[str, str]:
    """What <link rel> and <a rel> say of next and previous."""
    found: dict[str, str] = {}
    for tag in ("link", "a"):
        for element in outline.tree.document.iter_elements(tag):
            rel = element.attr("rel")
            href = element.attr("href")
            if not rel or not href:
                continue
            for word in rel.lower().split():
                if word in {"next", "prev", "previous", "first", "last", "canonical"}:
                    url = absolute_url(outline.base, href)
                    if url:
                        found.setdefault(word, url)
    return found


def _open_links(outline: PageOutline, avoid: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """The links outside the ranges to avoid; of very many the first and last ones, where pagers stand."""
    inside = bytearray(len(outline))
    for start, end in avoid:
        inside[start:end] = b"\x01" * (end - start)
    links = [(index, href) for index, href in enumerate(outline.hrefs) if href and not inside[index]]
    return links if len(links) <= _MAX_LINKS else links[: _MAX_LINKS // 2] + links[-_MAX_LINKS // 2 :]


def _groups(
    outline: PageOutline, url: str, links: list[tuple[int, str]]
) -> dict[NumberSlot, list[PagerEntry]]:
    groups: dict[NumberSlot, list[PagerEntry]] = defaultdict(list)
    for index, href in links:
        words = outline.text(index, 60)
        if len(words.split()) > _MAX_SHOWN or (len(words) > 24 and not says_next(words)):
            continue
        target = absolute_url(outline.base, href)
        if target is None or not same_site(target, url):
            continue
        shown = _COUNT.match(words)
        for slot, number in number_slots(comparable_url(target)):
            groups[slot].append(PagerEntry(index, number, int(shown[1]) if shown else None, target))
    return groups


def _back_links(
    outline: PageOutline, links: list[tuple[int, str]], related: dict[str, str]
) -> list[PagerEntry]:
    """Links that may lead to page one without its number: called 1, first or previous."""
    found = []
    for index, href in links:
        shown = _COUNT.match(outline.text(index, 60))
        label = int(shown[1]) if shown else None
        if label == 1 or (label is None and is_back(outline, index)):
            target = absolute_url(outline.base, href)
            if target:
                found.append(PagerEntry(index, 0, label, target))
    return found + [
        PagerEntry(-1, 0, None, related[w]) for w in ("prev", "previous", "first") if w in related
    ]


def _judge(  # noqa: PLR0917 -- the parts of one decision
    outline: PageOutline,
    url: str,
    slot: NumberSlot,
    entries: list[PagerEntry],
    backs: list[PagerEntry],
    related: dict[str, str],
) -> tuple[float, Paging] | None:
    """How much a family of links looks like this page's pager."""
    firsts = [back for back in backs if slot.is_first(comparable_url(back.url))]
    own = slot.number_in(comparable_url(url))
    if not firsts and all(entry.number == own for entry in entries):
        return None  # a counter that is a link to this very page
    # A pager may link this page, too; then no other number beside its links is this page's.
    shown = next((entry.label for entry in entries if entry.number == own and entry.label is not None), None)
    if shown is None:
        shown = _unlinked_number(outline, [*entries, *(back for back in firsts if back.element >= 0)])
    point = (shown, own) if own is not None and shown is not None else None
    named = numbering_from_url_name(outline, comparable_url(url), slot, entries, leads_back=bool(firsts))
    line = (
        numbering_from_labels(entries, point)
        or numbering_from_next_link(outline, comparable_url(url), slot, entries)
        or named
    )
    if line is None:
        return None
    labelled = {entry.label for entry in (*entries, *firsts) if entry.label is not None}
    canonical = comparable_url(related.get("canonical", ""))
    here, sure = _current(outline, [(comparable_url(url), 2.0), (canonical, 1.5)], slot, line, entries)
    if here is None:
        return None
    pages = {page: entry.url for entry in entries if (page := line.page(entry.number)) is not None}
    agrees = [
        slot.number_in(comparable_url(related[word])) is not None
        for word in ("next", "prev")
        if word in related
    ]
    score = (
        sure
        + min(len(labelled), 6) * 0.2
        + (0.5 if agrees and all(agrees) else 0.0)
        - len(slot.after) * 0.001
    )
    if not labelled and not agrees and not named and not _says_next(outline, entries):
        return None
    count = max((*pages, here))
    bare = next((back.url for back in sorted(firsts, key=lambda back: back.label != 1)), None)
    first = pages.get(1) or bare or (url if here == 1 else None)
    return score, Paging(
        number=here,
        count=count,
        next=pages.get(here + 1) or (slot.fill(line.start + line.step * here) if count > here else None),
        previous=(pages.get(here - 1) or (first if here == 2 else None)) if here > 1 else None,
        first=first,
        last=pages.get(count) or url,
        slot=slot,
        step=line.step,
        start=line.start,
    )


def _current(
    outline: PageOutline,
    addresses: _Addresses,
    slot: NumberSlot,
    line: PageNumbering,
    entries: list[PagerEntry],
) -> tuple[int | None, float]:
    """This page's number, and how sure that this pager is its own."""
    for address, weight in addresses:
        number = slot.number_in(address) if address else None
        if number is not None and (page := line.page(number)) is not None:
            return page, weight
    said = {
        page - 1 for e in entries if is_next(outline, e.element) and (page := line.page(e.number)) is not None
    }
    for address, weight in addresses:
        if address and slot.is_first(address):
            return (min(said) if said and min(said) > 1 else 1), weight - 0.1
    shown = _unlinked_number(outline, entries)
    return (shown, 1.0) if shown is not None else (None, 0.0)


def _unlinked_number(outline: PageOutline, entries: list[PagerEntry]) -> int | None:
    """The number that stands among the links of a pager without being one."""
    labelled = [entry for entry in entries if entry.label is not None]
    labels = {entry.label for entry in labelled}
    if not labelled:
        return None
    holder = labelled[0].element
    for entry in labelled[1:]:
        common = outline.common_ancestor(holder, entry.element)
        if outline.text_length(common) > 200:
            break
        holder = common
    for _ in range(3):  # a lone link: the number of this page stands beside it
        if len(labels) > 1 or outline.parent[holder] < 0:
            break
        if outline.text_length(outline.parent[holder]) > _LONE_PAGER:
            break
        holder = outline.parent[holder]
    for number in range(outline.text_from[holder], outline.text_to[holder]):
        shown = _COUNT.match(outline.segments[number])
        if shown and not outline.in_link[outline.segment_owner[number]]:
            page = int(shown[1])
            if page not in labels and (page - 1 in labels or page + 1 in labels):
                return page
    return None


def _says_next(outline: PageOutline, entries: list[PagerEntry]) -> bool:
    return any(is_next(outline, entry.element) for entry in entries)


def _lone_next(outline: PageOutline, url: str, links: list[tuple[int, str]]) -> str | None:
    """A link that says "next" and leads to this very address but for one value nobody can compute."""
    path, _, query = url.partition("?")
    mine = query_parameters(query)
    for index, href in links:
        if not says_next(outline.text(index, 60)):
            continue
        target = absolute_url(outline.base, href)
        if target is None or target == url:
            continue
        other_path, _, other_query = target.partition("?")
        theirs = query_parameters(other_query)
        if _goes_on(path, other_path):
            return target
        differing = {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
        if other_path == path and len(differing) == 1:
            name = differing.pop()
            value = theirs.get(name, "")
            if name in mine and len(mine) == 1 and not is_called_page(f"{name}="):
                continue  # the only parameter names the thing itself: this is the next thing
            if any(character.isdigit() for character in value):
                return target
    return None


def _goes_on(path: str, other: str) -> bool:
    """Whether another path has this one's last word and a number: "a/HIT.html", "b/HIT_101.html"."""
    word = path.rpartition("/")[2].partition(".")[0]
    piece = other.rpartition("/")[2]
    return len(word) > 2 and piece.startswith(word) and bool(_COUNTED.match(piece[len(word) :]))
