"""Tells whether records stand in a box at the side of the page, which shows threads of the whole site."""

from __future__ import annotations

import re
from collections.abc import Sequence

from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord

# Class names and IDs of such boxes on many sites. The last word of a name says what the element is.
_SIDE_NAME = re.compile(r"(?:^|[-_ ])(?:side(?:bar|box|col|column)?|aside|widgets?|rail)$", re.IGNORECASE)
# "no-sidebar" and "has-sidebar" name the page beside the box.
_ABOUT_SIDE = re.compile(r"^(?:no|not|has|have|with|without|hide)[-_]", re.IGNORECASE)
_MAX_SHARE = 0.75  # of the text of the page: an element with more is the page itself
_PAGE_TAGS = frozenset(("h1", "main", "body", "html"))


def in_side_box(outline: PageOutline, records: Sequence[PageRecord]) -> bool:
    """Whether more than half of the records stand in boxes at the side."""
    known: dict[int, bool] = {}
    inside = sum(_is_inside(outline, outline.parent[record.start], known) for record in records)
    return 2 * inside > len(records)


def _is_inside(outline: PageOutline, index: int, known: dict[int, bool]) -> bool:
    if index < 0:
        return False
    if index not in known:
        known[index] = _is_side_box(outline, index) or _is_inside(outline, outline.parent[index], known)
    return known[index]


def _is_side_box(outline: PageOutline, index: int) -> bool:
    if outline.tags[index] != "aside" and outline.attribute(index, "role") != "complementary":
        names = [*(outline.attribute(index, "class") or "").split(), outline.attribute(index, "id") or ""]
        if not any(_SIDE_NAME.search(name) and not _ABOUT_SIDE.match(name) for name in names):
            return False
    if outline.text_length(index) > _MAX_SHARE * outline.text_before[-1]:
        return False
    return not any(outline.tags[inner] in _PAGE_TAGS for inner in range(index, outline.end[index]))
