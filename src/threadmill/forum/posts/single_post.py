"""A thread of one post without a wrapper: the smallest block with a date, a person and somebody's words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from threadmill.forum.posts.authors import author_at, in_byline, may_name_person, names_person
from threadmill.forum.posts.first_post import remarks, sentences
from threadmill.forum.records.date_cells import DateCell
from threadmill.forum.records.outline import Outline
from threadmill.forum.records.records import Record
from threadmill.forum.records.table import Table

_MOST_WORDS = 0.5
_NEAR = 4  # siblings between a name and its date: an address and line breaks
_MUCH_MORE = 1.6  # times the text of the smallest block: an author's panel adds less, a page's head adds more


def find_single(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    found = _find(outline, dates, sentences, lambda _: True)
    return _table(outline, dates, found) if found else _find_flat(outline, dates)


def _find_flat(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """The same where nothing is wrapped: a name near a date and the sentences below, in the bare page."""
    dated = {cell.element for cell in dates}
    said = [outline.segment_owner[number] for number in sentences(outline, 0, dated)] if dates else []
    body = next((index for index, tag in enumerate(outline.tags) if tag == "body"), -1)
    for cell in dates if said and body >= 0 else ():
        top = outline.child_towards(body, cell.element)
        siblings, place = outline.children[body], outline.place[top]
        spoken = [child for owner in said if (child := outline.child_towards(body, owner)) > top]
        named = [
            index
            for index in siblings[max(0, place - _NEAR) : place + _NEAR]
            if (not spoken or index < spoken[0]) and _signs(outline, index, dated)
        ]
        if named and spoken:
            # Ways to other messages may stand between.
            head = range(min(named[0], top), top + 1)
            words = range(spoken[0], spoken[-1] + 1)
            roots = tuple(index for index in siblings if index in head or index in words)
            return Table(outline, [Record(cell.element, roots)], dates)
    return None


def _signs(outline: Outline, index: int, dated: set[int]) -> bool:
    """Whether an element is a name set apart, or holds one that the markup calls a name."""
    if outline.tags[index] in {"b", "strong"}:
        return index not in dated and author_at(outline, index) is not None
    return any(names_person(outline, inner) for inner in range(index, outline.end[index]))


def find_remark(outline: Outline, dates: Sequence[DateCell]) -> Table | None:
    """The same for a post that says next to nothing, and therefore looks like many a thing that is none."""
    return _table(outline, dates, _find(outline, dates, remarks, lambda block: _is_apart(outline, block)))


def _table(outline: Outline, dates: Sequence[DateCell], found: tuple[int, int] | None) -> Table | None:
    return Table(outline, [Record(found[1], (found[0],))], dates) if found else None


def _find(
    outline: Outline,
    dates: Sequence[DateCell],
    said: Callable[[Outline, int, set[int]], Iterable[int]],
    may_be: Callable[[int], bool],
) -> tuple[int, int] | None:
    """A block with a date, a person and words of the kind wanted, and its date."""
    dated = {cell.element for cell in dates}
    spoken = _weigh(outline, said(outline, 0, dated)) if dated else [0]
    # Where no word tells of people, names are known by the date beside them or by where they lead.
    tests = (names_person, lambda outline, index: in_byline(outline, index, dated), may_name_person)
    for is_person in tests if spoken[-1] else ():
        people = _running(is_person(outline, index) for index in range(len(outline)))
        early = is_person is may_name_person  # buttons lead to numbers as well, below the words
        blocks = [
            (block, cell.element)
            for cell in dates
            if (block := _block(outline, cell.element, people, spoken, early=early)) is not None
        ]
        best = _best(outline, [block for block in blocks if may_be(block[0])], spoken)
        if best:
            return best
    return None


def _weigh(outline: Outline, said: Iterable[int]) -> list[int]:
    """How many characters of such segments stand before each segment."""
    lengths = [0] * (len(outline.segments) + 1)
    for number in said:
        lengths[number + 1] = len(outline.segments[number])
    return list(accumulate(lengths))


def _is_apart(outline: Outline, block: int) -> bool:
    """Whether a block is a part of the page and not the page: most links and the heading stand outside.

    A remark is easily found ("You are not logged in."), and what holds it and a date may be anything.
    """
    inside = sum(href is not None for href in outline.hrefs[block : outline.end[block]])
    everywhere = sum(href is not None for href in outline.hrefs)
    return 2 * inside <= everywhere and "h1" not in outline.tags[block : outline.end[block]]


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
