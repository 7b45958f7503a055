"""Reads pages with one post each side by side: what differs from page to page is the post and its head.

A page alone may not show who wrote its only post. Many pages show it: names return, dates differ, and the
framing of the site is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from threadmill.forum.posts.post_columns import PostColumns, find_post_columns
from threadmill.forum.read_page import PageAnalysis
from threadmill.forum.records.date_columns import find_page_dates
from threadmill.forum.records.joined_pages import JoinedPages, join_pages
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

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
