"""A thread of one post without a wrapper: the smallest block with a date, a person and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from threadmill.forum.cells import DateCell
from threadmill.forum.names import PERSON, author_at
from threadmill.forum.odd import sentences
from threadmill.forum.outline import Outline
from threadmill.forum.records import Record
from threadmill.forum.table import Table


def find_single(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    dated = {cell.element for cell in dates}
    best: tuple[int, int, int] | None = None
    for cell in dates:
        block = _block(outline, cell.element, dated)
        if block is not None:
            weight = outline.free_length(block)
            if best is None or weight > best[0]:
                best = weight, block, cell.element
    if best is None:
        return None
    return Table(outline, [Record(best[2], (best[1],))], dates)


def _block(outline: Outline, index: int, dated: set[int]) -> int | None:
    """The lowest element around a date that has a link to a person and a sentence; not the whole page."""
    while index > 1:
        if outline.tags[index] in {"body", "html"}:
            return None
        if _names_person(outline, index) and any(True for _ in sentences(outline, index, dated)):
            return index
        index = outline.parent[index]
    return None


def _names_person(outline: Outline, block: int) -> bool:
    for index in range(block, outline.end[block]):
        href = outline.hrefs[index]
        if href and PERSON.search(f"{href} {outline.symbols[index]}") and author_at(outline, index):
            return True
    return False
