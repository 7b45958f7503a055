"""Pages of few posts: whether a cut into two or three records is one into posts, and how far each reaches."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import accumulate, pairwise

from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.posts.authors import (
    AuthorColumn,
    author_at,
    find_authors,
    is_name_in_byline,
    may_name_person,
    names_person,
)
from threadmill.forum.posts.first_post import find_remarks, find_sentences
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_FEW = 3  # records; with more of them what they share tells enough
# On saved pages two posts of one template share 0.47 to 1 of their kinds of elements, an odd first post and a
# reply 0.24, what is no pair of posts 0.03 to 0.25.
_DIGIT = re.compile(r"\d")
_MUCH = 0.4
_LITTLE = 0.15
_MIN_WORDS = 25  # characters that are no link and no date; rows of titles with counters have fewer


def are_posts(table: RecordTable, single: RecordTable | None) -> bool:
    """Whether records are posts, on a page whose best block alone may be a post too."""
    size = len(table.records)
    if size <= _FEW:
        whole = len(complete_records(table)) == size
        return _likeness(table) >= (_LITTLE if whole else _MUCH) and not _is_any_silent(table)
    if single is None:
        return True
    worded = sum(own_text_length(table, number) >= _MIN_WORDS for number in range(size))
    block = table.outline.unlinked_length(single.records[0].start)
    return worded >= 0.5 * size or block < sum(own_text_length(table, number) for number in range(size))


def _is_any_silent(table: RecordTable) -> bool:
    """Whether a record says neither when nor anything: pagers above and below a post are alike."""
    dated = {table.owner[cell.element] for cell in table.dates}
    return any(number not in dated and not words for number, words in enumerate(own_text_lengths(table)))


def are_alike(table: RecordTable) -> bool:
    """Whether a few records are built alike; more of them would not have been found if they were not."""
    return len(table.records) > _FEW or _likeness(table) >= _LITTLE


def _likeness(table: RecordTable) -> float:
    """The share of kinds of elements that neighbours have in common: a post and a list beside it have few."""
    symbols = table.outline.symbols
    made = [{symbols[index] for index in members} for members in table.members]
    return min((len(one & other) / len(one | other) for one, other in pairwise(made)), default=1.0)


def _is_whole(table: RecordTable, authors: AuthorColumn, number: int) -> bool:
    """Whether a record says who, when and something."""
    dated = any(table.owner[cell.element] == number for cell in table.dates)
    return number in authors.authors and dated and own_text_length(table, number) > 0


def own_text_lengths(table: RecordTable) -> list[int]:
    """How many characters each record says that are no links, dates or labels."""
    return [own_text_length(table, number) for number in range(len(table.records))]


def complete_records(table: RecordTable) -> list[int]:
    """The records that say who, when and something."""
    authors = find_authors(table)
    return [number for number in range(len(table.records)) if _is_whole(table, authors, number)]


def own_text_length(table: RecordTable, number: int) -> int:
    outline = table.outline
    return sum(
        len(outline.segments[segment])
        for segment in table.segments[number]
        if not outline.in_link[owner := outline.segment_owner[segment]]
        and owner not in table.dated
        and outline.segments[segment] not in table.repeated_texts
        and any(character.isalpha() for character in outline.segments[segment])
    )


def drop_inserts(table: RecordTable) -> RecordTable:
    """The table without what was put between posts: no link into the site and no number of its own.

    Larger tables know by their columns who does not belong.
    """
    rooted = [_is_rooted(table, number) for number in range(len(table.records))]
    if len(rooted) > _FEW + 1 or all(rooted) or not rooted[0]:
        return table
    kept = [record for record, own in zip(table.records, rooted, strict=True) if own]
    return RecordTable(table.outline, kept, table.dates)


def _is_rooted(table: RecordTable, number: int) -> bool:
    """Whether a record has a place in its site: something links from it, or names it by a number."""
    outline = table.outline
    for index in table.members[number]:
        href = outline.hrefs[index]
        if (
            href
            and not href.startswith("javascript:")
            and same_site(absolute_url(outline.base, href) or "", outline.base)
        ):
            return True
        if _DIGIT.search(outline.attribute(index, "id") or ""):
            return True
    return False


def shrink_records(table: RecordTable) -> RecordTable:
    """Few records, each cut down to the smallest element with its author, its dates and its sentences.

    Two anchors climb until they meet: into headings, forms and wrappers that are neither's.
    """
    if len(table.records) > _FEW:
        return table
    authors = find_authors(table)
    records = [_narrow(table, authors, number) for number in range(len(table.records))]
    return RecordTable(table.outline, records, table.dates) if records != table.records else table


def _narrow(table: RecordTable, authors: AuthorColumn, number: int) -> PageRecord:
    record, outline = table.records[number], table.outline
    author = authors.authors.get(number)
    dates = [cell.element for cell in table.dates if table.owner[cell.element] == number]
    said = [outline.segment_owner[s] for s in find_sentences(outline, record.start, set(dates))]
    said = [owner for owner in said if table.owner[owner] == number]
    if len(record.roots) > 1 or author is None or not dates or not said:
        return record
    block = reduce(outline.common_ancestor, [*said, *dates, author.element])
    return PageRecord(record.anchor, (_clothed(outline, block, record.start),))


def _clothed(outline: PageOutline, block: int, top: int) -> int:
    """The element with those around it that have no other child: they carry its name and id."""
    while block > top and len(outline.children[outline.parent[block]]) == 1:
        block = outline.parent[block]
    return block


_MOST_WORDS = 0.5
_NEAR = 4  # siblings between a name and its date: an address and line breaks
_MUCH_MORE = 1.6  # times the text of the smallest block: an author's panel adds less, a page's head adds more


def find_single_post(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """A table of one record, the one with the most text; None when nothing looks like a post."""
    found = _find(outline, dates, find_sentences, lambda _: True)
    return _table(outline, dates, found) if found else _find_flat(outline, dates)


def _find_flat(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """The same where nothing is wrapped: a name near a date and the sentences below, in the bare page."""
    dated = {cell.element for cell in dates}
    said = [outline.segment_owner[number] for number in find_sentences(outline, 0, dated)] if dates else []
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
            return RecordTable(outline, [PageRecord(cell.element, roots)], dates)
    return None


def _signs(outline: PageOutline, index: int, dated: set[int]) -> bool:
    """Whether an element is a name set apart, or holds one that the markup calls a name."""
    if outline.tags[index] in {"b", "strong"}:
        return index not in dated and author_at(outline, index) is not None
    return any(names_person(outline, inner) for inner in range(index, outline.end[index]))


def find_short_post(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """The same for a post that says next to nothing, and therefore looks like many a thing that is none."""
    return _table(
        outline, dates, _find(outline, dates, find_remarks, lambda block: _is_apart(outline, block))
    )


def _table(
    outline: PageOutline, dates: Sequence[PageDate], found: tuple[int, int] | None
) -> RecordTable | None:
    return RecordTable(outline, [PageRecord(found[1], (found[0],))], dates) if found else None


def _find(
    outline: PageOutline,
    dates: Sequence[PageDate],
    said: Callable[[PageOutline, int, set[int]], Iterable[int]],
    may_be: Callable[[int], bool],
) -> tuple[int, int] | None:
    """A block with a date, a person and words of the kind wanted, and its date."""
    dated = {cell.element for cell in dates}
    spoken = _weigh(outline, said(outline, 0, dated)) if dated else [0]
    # Where no word tells of people, names are known by the date beside them or by where they lead.
    tests = (names_person, lambda outline, index: is_name_in_byline(outline, index, dated), may_name_person)
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


def _weigh(outline: PageOutline, said: Iterable[int]) -> list[int]:
    """How many characters of such segments stand before each segment."""
    lengths = [0] * (len(outline.segments) + 1)
    for number in said:
        lengths[number + 1] = len(outline.segments[number])
    return list(accumulate(lengths))


def _is_apart(outline: PageOutline, block: int) -> bool:
    """Whether a block is a part of the page and not the page: most links and the heading stand outside.

    A remark is easily found ("You are not logged in."), and what holds it and a date may be anything.
    """
    inside = sum(href is not None for href in outline.hrefs[block : outline.end[block]])
    everywhere = sum(href is not None for href in outline.hrefs)
    return 2 * inside <= everywhere and "h1" not in outline.tags[block : outline.end[block]]


def _best(
    outline: PageOutline, blocks: Sequence[tuple[int, int]], spoken: list[int]
) -> tuple[int, int] | None:
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
    least = min((outline.unlinked_length(block[0]) for block in best), default=0)
    near = [block for block in best if outline.unlinked_length(block[0]) <= _MUCH_MORE * least]
    return max(near, key=lambda block: outline.unlinked_length(block[0]), default=None)


def _running(marks: Iterable[bool]) -> list[int]:
    return [0, *accumulate(marks)]


def _block(
    outline: PageOutline, index: int, people: list[int], spoken: list[int], *, early: bool
) -> int | None:
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
