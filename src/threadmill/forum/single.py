"""A thread of one post without a wrapper: the smallest block with a date, a person and sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from threadmill.forum.cells import DateCell
from threadmill.forum.names import may_name_person, names_person
from threadmill.forum.odd import sentences
from threadmill.forum.outline import Outline
from threadmill.forum.records import Record
from threadmill.forum.table import Table

_MOST_WORDS = 0.5
_MUCH_MORE = 1.6  # times the text of the smallest block: an author's panel adds less, a page's head adds more


def find_single(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    dated = {cell.element for cell in dates}
    said = [0] * (len(outline.segments) + 1)
    for number in sentences(outline, 0, dated) if len(outline) else ():
        said[number + 1] = len(outline.segments[number])
    spoken = list(accumulate(said))
    best = None
    # Where no word tells of people, names may still be known by where they lead.
    for is_person in (names_person, may_name_person):
        people = _running(is_person(outline, index) for index in range(len(outline)))
        early = is_person is may_name_person  # buttons lead to numbers as well, below the words
        blocks = [
            (block, cell.element)
            for cell in dates
            if (block := _block(outline, cell.element, people, spoken, early=early)) is not None
        ]
        best = best or _best(outline, blocks, spoken)
    return Table(outline, [Record(best[1], (best[0],))], dates) if best else None


def _best(outline: Outline, blocks: Sequence[tuple[int, int]], spoken: list[int]) -> tuple[int, int] | None:
    """The block with the most sentences and with what belongs to them, rather one without the page's heading.

    The heading names author and date too, and climbs to what holds the post; so does a clock above.
    """

    def words(block: tuple[int, int]) -> int:
        return spoken[outline.text_to[block[0]]] - spoken[outline.text_from[block[0]]]

    headings = [index for index, tag in enumerate(outline.tags) if tag == "h1"]
    plain = [b for b in blocks if not any(outline.is_under(heading, b[0]) for heading in headings)]
    most = max(map(words, blocks), default=0)
    if most and max(map(words, plain), default=0) >= _MOST_WORDS * most:
        blocks = plain
        most = max(map(words, blocks))
    best = [block for block in blocks if words(block) == most]
    least = min((outline.free_length(block[0]) for block in best), default=0)
    near = [block for block in best if outline.free_length(block[0]) <= _MUCH_MORE * least]
    return max(near, key=lambda block: outline.free_length(block[0]), default=None)


def _running(marks: Iterable[bool]) -> list[int]:
    return [0, *accumulate(marks)]


def _block(outline: Outline, index: int, people: list[int], spoken: list[int], *, early: bool) -> int | None:
    """The lowest element around a date that has a link to a person and a sentence; not the whole page."""
    while index > 1 and outline.tags[index] not in {"body", "html"}:
        first, last = outline.text_from[index], outline.text_to[index]
        if spoken[last] > spoken[first]:
            end = outline.end[index]
            if early:
                sentence = bisect_right(spoken, spoken[first]) - 1
                end = outline.segment_owner[sentence]
            if people[end] > people[index]:
                return index
        index = outline.parent[index]
    return None
