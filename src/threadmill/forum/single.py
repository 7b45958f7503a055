"""A thread of one post without a wrapper: the smallest block with a date, a person and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from threadmill.forum.cells import DateCell
from threadmill.forum.names import may_name_person, names_person
from threadmill.forum.odd import sentences
from threadmill.forum.outline import Outline
from threadmill.forum.records import Record
from threadmill.forum.table import Table

_MOST_WORDS = 0.5


def find_single(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    dated = {cell.element for cell in dates}
    said = [0] * (len(outline.segments) + 1)
    for number in sentences(outline, 0, dated) if len(outline) else ():
        said[number + 1] = 1
    spoken = list(accumulate(said))
    best = None
    # Where no word tells of people, names may still be known by where they lead.
    for is_person in (names_person, may_name_person):
        people = _running(is_person(outline, index) for index in range(len(outline)))
        blocks = [
            (block, cell.element)
            for cell in dates
            if (block := _block(outline, cell.element, people, spoken)) is not None
        ]
        best = best or _best(outline, blocks)
    return Table(outline, [Record(best[1], (best[0],))], dates) if best else None


def _best(outline: Outline, blocks: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The block with the most text, rather one without the page's heading.

    The heading names author and date too, and climbs to what holds the post.
    """

    def words(block: tuple[int, int]) -> int:
        return outline.free_length(block[0])

    headings = [index for index, tag in enumerate(outline.tags) if tag == "h1"]
    best = max(blocks, key=words, default=None)
    plain = [b for b in blocks if not any(outline.is_under(heading, b[0]) for heading in headings)]
    inner = max(plain, key=words, default=None)
    return inner if inner and best and words(inner) >= _MOST_WORDS * words(best) else best


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
