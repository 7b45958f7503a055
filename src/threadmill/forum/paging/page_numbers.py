"""How page numbers and the numbers in addresses go together: found from the links of one pager."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from threadmill.forum.link_urls import NumberSlot, number_slots
from threadmill.forum.paging.cursors import is_step
from threadmill.forum.paging.link_direction import is_next
from threadmill.forum.paging.sibling_urls import OFFSET_NAME, PAGE_NAME, is_called_page
from threadmill.forum.records.page_outline import PageOutline

_MOST_A_PAGE = (
    500  # rows or posts; engines let their owners set 10 to 200, a larger first step is a post's number
)


@dataclass(frozen=True, slots=True)
class PagerEntry:
    """A link that may be one of a pager: the number in its address, and the number it shows."""

    element: int
    number: int
    label: int | None
    url: str  # as linked, session id and all


@dataclass(frozen=True, slots=True)
class PageNumbering:
    """How the number in the address grows with the page."""

    step: int
    start: int

    def page(self, number: int) -> int | None:
        """The page an address with this number leads to."""
        page, rest = divmod(number - self.start, self.step)
        return page + 1 if rest == 0 and page >= 0 else None


def numbering_from_labels(
    entries: Iterable[PagerEntry], here: tuple[int, int] | None = None
) -> PageNumbering | None:
    """Page number → number in the address, from links whose text is a number, and from this page's own."""
    points = sorted({(entry.label, entry.number) for entry in entries if entry.label is not None})
    if len(points) < 2 and here is not None:
        points = sorted({*points, here})
    if len(points) >= 2:
        (k1, n1), (k2, n2) = points[0], points[-1]
        if k1 == k2 or (n2 - n1) % (k2 - k1):
            return None
        step = (n2 - n1) // (k2 - k1)
        line = PageNumbering(step, n1 - step * (k1 - 1)) if step > 0 else None
        fits = line and sum(line.page(n) == k for k, n in points) >= 0.8 * len(points)
        return line if line and fits and line.start in {0, 1} else None
    if points:
        label, number = points[0]
        if number == label:
            return PageNumbering(1, 1)
        if number == label - 1:
            return PageNumbering(1, 0)
        if label > 1 and number % (label - 1) == 0 and number // (label - 1) > 1:
            return PageNumbering(number // (label - 1), 0)
    return None


def numbering_from_next_link(
    outline: PageOutline, url: str, slot: NumberSlot, entries: list[PagerEntry]
) -> PageNumbering | None:
    """The same where no link shows a number: from this address and the link that says "next"."""
    if any(entry.label is not None for entry in entries):
        return None
    ahead = min((entry.number for entry in entries if is_next(outline, entry.element)), default=None)
    if ahead is None:
        return None
    here = slot.number_in(url)
    if here is not None:
        # The only number of an address names the thing itself, unless it is called a page.
        if len(list(number_slots(url))) < 2 and not is_called_page(slot.before):
            return None
        step = ahead - here
        return PageNumbering(step, here % step if step > 1 else 1) if step > 0 else None
    if not slot.is_first(url) or not 1 <= ahead <= _MOST_A_PAGE:
        return None
    return PageNumbering(1, ahead - 1) if ahead <= 2 else PageNumbering(ahead, 0)


def numbering_from_url_name(
    outline: PageOutline, url: str, slot: NumberSlot, entries: list[PagerEntry], *, leads_back: bool
) -> PageNumbering | None:
    """The same where links show nothing at all (icons): this very address but for a number called a page.

    The last of two pages may lead nowhere but back, to the address without the number.
    """
    here = slot.number_in(url)
    if here is None and not slot.is_first(url):
        return None
    numbers = {entry.number for entry in entries} - {here}
    if any(entry.label is not None for entry in entries):
        return None
    if not numbers:
        return _line_to_first(slot, here) if here and leads_back else None
    if PAGE_NAME.search(slot.before):
        if here is None and numbers == {1}:
            return None  # a link of page 1 to itself
        counts_from_zero = 0 in numbers or here == 0 or (here is None and 1 in numbers and 2 not in numbers)
        return PageNumbering(1, 0 if counts_from_zero else 1)
    # "Older" and "newer" lead by a value that need not count anything: find_cursor reads those.
    if OFFSET_NAME.search(slot.before) and not any(is_step(outline, entry.element) for entry in entries):
        step = gcd(*numbers, here or 0)
        return PageNumbering(step, 0) if 1 < step <= _MOST_A_PAGE else None
    return None


def _line_to_first(slot: NumberSlot, here: int) -> PageNumbering | None:
    """From this page's number alone, where the first page has none."""
    if PAGE_NAME.search(slot.before):
        return PageNumbering(1, 0 if here == 1 else 1)
    return PageNumbering(here, 0) if OFFSET_NAME.search(slot.before) and 1 < here <= _MOST_A_PAGE else None
