"""Reads pages with one post each side by side: what differs from page to page is the post and its head.

A page alone may not show who wrote its only post. Many pages show it: names return, dates differ, and the
framing of the site is the same everywhere. So several pages become one outline first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from threadmill.forum.posts.post_columns import PostColumns, find_post_columns
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_SHARED = 0.8  # of the pages: somebody may have written every second post
_MAX_COMPARED = 2_000  # characters of an element that is compared as a whole; larger ones by their parts


@dataclass(frozen=True, slots=True)
class JoinedPages:
    """One outline of several pages: their `<html>` elements are one, everything below stays apart."""

    outline: PageOutline
    tops: tuple[int, ...]  # the `<body>` of each page
    framing: tuple[int, ...]  # the largest elements with the same text at the same place of most pages


def join_pages(pages: Sequence[PageOutline]) -> JoinedPages:
    """The outline of all pages. There must be one page at least, and none may be empty."""
    joined = pages[0].as_root()
    tops = []
    for page in pages:
        start = len(joined)
        _append(joined, page)
        bodies = (index for index in range(start, len(joined)) if joined.tags[index] == "body")
        tops.append(next(bodies, start))
    joined.end[0], joined.text_to[0] = len(joined), len(joined.segments)
    # A heading repeats the title of its own page.
    joined.title = "\n".join(page.title for page in pages)
    return JoinedPages(joined, tuple(tops), _find_framing(joined, tops))


def _append(joined: PageOutline, page: PageOutline) -> None:
    """Add the elements of a page below its root, with indices moved on."""
    shift, texts = len(joined) - 1, len(joined.segments)
    joined.elements += page.elements[1:]
    joined.tags += page.tags[1:]
    joined.symbols += page.symbols[1:]
    joined.parent += [up + shift if up > 0 else 0 for up in page.parent[1:]]
    joined.depth += page.depth[1:]
    joined.end += [end + shift for end in page.end[1:]]
    joined.hrefs += [_absolute(page.base, href) if href else href for href in page.hrefs[1:]]
    joined.segments += page.segments
    joined.segment_owner += [owner + shift if owner > 0 else 0 for owner in page.segment_owner]
    joined.text_from += [number + texts for number in page.text_from[1:]]
    joined.text_to += [number + texts for number in page.text_to[1:]]


def _absolute(base: str, href: str) -> str:
    try:
        return href if href.startswith("#") else urljoin(base, href)
    except ValueError:  # "http://[" is no URL
        return href


def _find_framing(joined: PageOutline, tops: Sequence[int]) -> tuple[int, ...]:
    """The largest elements whose text stands at the same place of most pages."""
    pages_with: dict[tuple[int, str], set[int]] = defaultdict(set)
    texts: list[tuple[int, str] | None] = [None] * len(joined)
    for page, top in enumerate(tops):
        for index in range(top + 1, joined.end[top]):
            if 0 < joined.text_length(index) <= _MAX_COMPARED:
                key = joined.paths[index], joined.text(index)
                texts[index] = key
                pages_with[key].add(page)
    found: list[int] = []
    for top in tops:
        index = top + 1
        while index < joined.end[top]:
            key_here = texts[index]
            shared = key_here is not None and len(pages_with[key_here]) >= max(2, _SHARED * len(tops))
            if shared:
                found.append(index)
            index = joined.end[index] if shared else index + 1
    return tuple(found)


_MIN_PAGES = 4  # with fewer, what differs may be chance
_MAX_PAGES = 20
_HEADINGS = frozenset(("h1", "h2", "h3"))
_NEARLY_ALL = 0.8  # of the pages have an author, a date and words of their own


def read_side_by_side(
    pages: Sequence[PageAnalysis], is_known: Callable[[str], bool]
) -> tuple[RecordTable, PostColumns] | None:
    """One record for each page: the lowest element with the name, the date and the words of its post.

    `is_known` tells URLs of boards and threads: a link to one names nobody. None where most pages lack one of
    the three.
    """
    pages = [page for page in pages if len(page.outline) > 1][:_MAX_PAGES]
    if len(pages) < _MIN_PAGES:
        return None
    joined = join_pages([page.outline for page in pages])
    whole = _table_of_pages(joined, is_known)
    found = find_post_columns(whole, pages[0].now)
    complete = sorted(found.bodies.keys() & found.authors.keys() & found.dates.keys())
    if len({_own_words(whole, found, number) for number in complete} - {""}) < _NEARLY_ALL * len(pages):
        return None
    tops = [_lowest_with_all(joined.outline, found, number) for number in complete]
    table = RecordTable(joined.outline, [PageRecord(top, (top,)) for top in tops], whole.dates)
    return table, _renumber(found, complete)


def _table_of_pages(joined: JoinedPages, is_known: Callable[[str], bool]) -> RecordTable:
    """A table with one record for each page, without framing, breadcrumbs and links to lists and threads."""
    outline = joined.outline
    known = {href: is_known(href) for href in set(outline.hrefs) if href}
    above = {index for top in joined.tops for index in _before_heading(outline, top)}
    links = [i for i, href in enumerate(outline.hrefs) if href and (known[href] or i in above)]
    left_out = [PageRecord(index, (index,)) for index in (*joined.framing, *links)]
    records = [PageRecord(top, (top,)) for top in joined.tops]
    return RecordTable(outline, records, find_page_dates(outline), without=left_out)


def _before_heading(outline: PageOutline, top: int) -> range:
    """The elements of a page above its heading. Links there lead to the boards around the thread."""
    titles = outline.title.split("\n")
    inside = range(top, outline.end[top])
    headings = (index for index in inside if outline.tags[index] in _HEADINGS and outline.text_length(index))
    found = next((index for index in headings if any(outline.text(index) in title for title in titles)), top)
    return range(top, found)


def _renumber(columns: PostColumns, numbers: Sequence[int]) -> PostColumns:
    """The columns of some records. Links are left out: on a page alone, they lead to other pages."""
    return PostColumns(
        {place: columns.bodies[number] for place, number in enumerate(numbers)},
        {place: columns.authors[number] for place, number in enumerate(numbers)},
        {place: columns.dates[number] for place, number in enumerate(numbers)},
        {},
        {place: columns.ids[number] for place, number in enumerate(numbers) if number in columns.ids},
    )


def _own_words(table: RecordTable, columns: PostColumns, number: int) -> str:
    """The words of a body that are neither framing nor the name, the date or the heading of the page."""
    outline, body = table.outline, columns.bodies[number]
    head = {columns.authors[number].element, columns.dates[number].element}
    return " ".join(
        outline.segments[segment]
        for segment in table.segments[number]
        if outline.is_under(owner := outline.segment_owner[segment], body)
        and owner not in head
        and outline.tags[owner] not in _HEADINGS
    )


def _lowest_with_all(outline: PageOutline, columns: PostColumns, number: int) -> int:
    """The lowest element of a page that holds the author, the date and the words of its post."""
    top = outline.common_ancestor(columns.bodies[number], columns.authors[number].element)
    return outline.common_ancestor(top, columns.dates[number].element)
