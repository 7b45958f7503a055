"""Finds the only row of a list: a start page with one board, a board with one thread.

Nothing repeats on such a page, so no records show where a row begins. A title that stands with counters or a
date does.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from threadmill.forum.index.counters import read_counter
from threadmill.forum.index.row_lists import RowList, move_aside
from threadmill.forum.link_urls import absolute_url, names_service_page, same_site
from threadmill.forum.posts.authors import PERSON_WORDS
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_MAX_DEPTH = 7  # elements from a title up to its row
_MAX_ELEMENTS = 80  # of a row; with pagers, icons and a last post up to 60 were seen
_MAX_LETTERS = 400  # of a row with a description or an excerpt
_MAX_COUNTER = 30  # characters of a counter with its label
_MIN_TITLE = 2  # characters
_MAX_COUNTERS = 2  # that count as evidence
_YEAR = re.compile(r"\D*(?:19|20)\d\d\D*")
_WORD = re.compile(r"[^\W\d_]")
_FRAME_TAGS = frozenset(("nav", "footer", "aside", "form", "blockquote"))
_OUTER_TAGS = frozenset(("h1", "main", "body", "form"))
_LEAST_SCORE = 0.36  # a little more than that of a menu


def find_single_row(outline: PageOutline, dates: Sequence[PageDate]) -> RowList | None:
    """The row with the most counters and dates, the first of equal ones. None if no link has any."""
    marks = _Marks(outline, dates)
    best: tuple[int, int, int] | None = None
    for title in _find_titles(outline, marks):
        root, evidence = _grow_row(outline, title, marks)
        if evidence and (best is None or evidence > best[0]):
            best = evidence, root, title
    if best is None:
        return None
    evidence, root, title = best
    table = RecordTable(outline, [PageRecord(title, (root,))], dates)
    if table.in_side_box:
        return None
    score = max(_LEAST_SCORE, math.log(2) * (0.25 + evidence / 2))
    return RowList(table, {0: title}, score)


def add_single_row(
    outline: PageOutline, dates: Sequence[PageDate], lists: Sequence[RowList]
) -> list[RowList]:
    """The lists of a page and its single row, best first. What stands apart from the heading is at the side.

    A row counts only beside lists that are menus, or that stand farther from the heading of the page than it
    does: boxes of the latest posts.
    """
    single = find_single_row(outline, dates)
    real = [found for found in lists if not found.is_menu and not found.aside]
    heading = next((index for index, tag in enumerate(outline.tags) if tag == "h1"), -1)
    depths = {id(found): _depth_with(outline, heading, found) for found in real}
    if single is not None:
        own = _depth_with(outline, heading, single)
        if all(depth < own for depth in depths.values()):
            depths[id(single)] = own
        else:
            single = None
    nearest = max(depths.values(), default=0)
    found = [move_aside(one) if depths.get(id(one), nearest) < nearest else one for one in lists]
    found += [single] if single else []
    return sorted(found, key=lambda one: -one.score)


def _depth_with(outline: PageOutline, heading: int, found: RowList) -> int:
    """How deep the lowest element stands that holds the heading of the page and the list."""
    if heading < 0:
        return 0
    return outline.depth[outline.common_ancestor(heading, found.table.records[0].start)]


class _Marks:
    """Where the dates and the counters of a page stand."""

    def __init__(self, outline: PageOutline, dates: Sequence[PageDate]) -> None:
        self.dates = sorted(cell.element for cell in dates)
        dated = set(self.dates)
        self.counters = sorted(
            outline.segment_owner[number]
            for number, text in enumerate(outline.segments)
            if len(text) <= _MAX_COUNTER
            and read_counter(text) is not None
            and not _YEAR.fullmatch(text)
            and not outline.in_link[outline.segment_owner[number]]
            and outline.segment_owner[number] not in dated
        )

    def in_span(self, start: int, end: int) -> int:
        """How much stands in a range of elements: up to two counters and a date."""
        counters = bisect_left(self.counters, end) - bisect_left(self.counters, start)
        dates = bisect_left(self.dates, end) - bisect_left(self.dates, start)
        return min(_MAX_COUNTERS, counters) + min(1, dates)


def _find_titles(outline: PageOutline, marks: _Marks) -> Iterator[int]:
    """The links that may be titles: with words, to another page of the site that is nobody's profile."""
    framed = _framed_elements(outline)
    here = absolute_url(outline.base, outline.tree.url)
    for index, href in enumerate(outline.hrefs):
        if not href or framed[index] or outline.text_length(index) < _MIN_TITLE or index in marks.dates:
            continue
        target = absolute_url(outline.base, href)
        if target is None or target == here or not same_site(target, outline.base):
            continue
        if PERSON_WORDS.search(href) or names_service_page(target):
            continue
        if _WORD.search(outline.text(index, 60)):
            yield index


def _framed_elements(outline: PageOutline) -> list[bool]:
    found: list[bool] = []
    for index, parent in enumerate(outline.parent):
        found.append(outline.tags[index] in _FRAME_TAGS or (parent >= 0 and found[parent]))
    return found


def _grow_row(outline: PageOutline, title: int, marks: _Marks) -> tuple[int, int]:
    """The lowest element around a title that holds all counters and dates of its row, and their number."""
    root, evidence = title, 0
    index = title
    for _ in range(_MAX_DEPTH):
        index = outline.parent[index]
        if index < 0 or not _may_be_row(outline, index, title):
            break
        more = marks.in_span(index, outline.end[index])
        if more > evidence:
            root, evidence = index, more
    return root, evidence


def _may_be_row(outline: PageOutline, index: int, title: int) -> bool:
    """Whether an element may be a row: no large part of the page, and its title is its first link."""
    if outline.end[index] - index > _MAX_ELEMENTS or outline.tags[index] in _OUTER_TAGS:
        return False
    if outline.text_length(index) * outline.script_density > _MAX_LETTERS:
        return False
    inner = range(index, outline.end[index])
    if any(outline.tags[i] in _OUTER_TAGS for i in inner):
        return False
    first = next(i for i in inner if outline.hrefs[i] and outline.text_length(i) >= _MIN_TITLE)
    return first == title or outline.text_length(first) * 2 < outline.text_length(title)
