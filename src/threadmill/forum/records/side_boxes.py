"""Boxes at the side of a page, that show a few threads of the whole site whatever the page is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord

# What page authors of many makes call such places; the last word of a name says what the thing is.
_SIDE = re.compile(r"(?:^|[-_ ])(?:side(?:bar|box|col|column)?|aside|widgets?|rail)$", re.IGNORECASE)
_ABSENT = re.compile(r"^(?:no|not|has|have|with|without|hide)[-_]", re.IGNORECASE)  # the page beside one
_MOST = 0.75  # of the page's text: what holds more is the page, whatever it is called
_PAGE = frozenset(("h1", "main", "body", "html"))


def in_side_box(outline: PageOutline, records: Sequence[PageRecord]) -> bool:
    """Whether more than half of the records stand in boxes at the side."""
    known: dict[int, bool] = {}
    inside = sum(_is_inside(outline, outline.parent[record.start], known) for record in records)
    return 2 * inside > len(records)


def _is_inside(outline: PageOutline, index: int, known: dict[int, bool]) -> bool:
    if index < 0:
        return False
    if index not in known:
        known[index] = _is_side(outline, index) or _is_inside(outline, outline.parent[index], known)
    return known[index]


def _is_side(outline: PageOutline, index: int) -> bool:
    if outline.tags[index] != "aside" and outline.attribute(index, "role") != "complementary":
        names = [*(outline.attribute(index, "class") or "").split(), outline.attribute(index, "id") or ""]
        if not any(_SIDE.search(name) and not _ABSENT.match(name) for name in names):
            return False
    if outline.text_length(index) > _MOST * outline.text_before[-1]:
        return False
    return not any(outline.tags[inner] in _PAGE for inner in range(index, outline.end[index]))
