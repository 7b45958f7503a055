"""A thread of one post without a wrapper: the smallest block with a date, a person and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from threadmill.forum.cells import DateCell
from threadmill.forum.names import PERSON, author_at
from threadmill.forum.odd import sentences
from threadmill.forum.outline import Outline
from threadmill.forum.records import Record
from threadmill.forum.table import Table


def find_single(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    dated = {cell.element for cell in dates}
    people = _running(_names_person(outline, index) for index in range(len(outline)))
    said = [0] * (len(outline.segments) + 1)
    for number in sentences(outline, 0, dated) if len(outline) else ():
        said[number + 1] = 1
    spoken = list(accumulate(said))
    best: tuple[int, int, int] | None = None
    for cell in dates:
        block = _block(outline, cell.element, people, spoken)
        if block is not None:
            weight = outline.free_length(block)
            if best is None or weight > best[0]:
                best = weight, block, cell.element
    if best is None:
        return None
    return Table(outline, [Record(best[2], (best[1],))], dates)


def _running(marks: Iterable[bool]) -> list[int]:
    return [0, *accumulate(marks)]


def _block(outline: Outline, index: int, people: list[int], spoken: list[int]) -> int | None:
    """The lowest element around a date that has a link to a person and a sentence; not the whole page."""
    while index > 1 and outline.tags[index] not in {"body", "html"}:
        has_person = people[outline.end[index]] > people[index]
        if has_person and spoken[outline.text_to[index]] > spoken[outline.text_from[index]]:
            return index
        index = outline.parent[index]
    return None


def _names_person(outline: Outline, index: int) -> bool:
    href = outline.hrefs[index]
    return bool(href and PERSON.search(f"{href} {outline.symbols[index]}") and author_at(outline, index))
