"""Finds the posts of pages with one to three posts, where few records show what they have in common."""

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
    follows_by,
    is_name_in_byline,
    may_name_person,
    names_person,
)
from threadmill.forum.posts.bodies import find_remarks, find_sentences
from threadmill.forum.posts.quotes_and_signatures import is_in_quote
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, once_per_table

FEW = 3  # records; with more of them, what they share tells enough
# Similarity of neighbours, measured on saved pages: two posts of one template have 0.47 to 1, a first post of
# another layout and a reply 0.24, pairs that are no posts 0.03 to 0.25.
_SIMILAR = 0.4
_LITTLE_SIMILAR = 0.15
_MOST = 0.8  # of many records must belong to the site, so that others are inserts
_WORDLESS = 0.5  # what a record with an author and a date counts: a post may be a picture
_EMPTY = 0.2  # the same for one that only has a date
_DIGIT = re.compile(r"\d")


def are_posts(table: RecordTable) -> float:
    """How far the likeness and the words of records say that they are posts, from 0 to 1."""
    size = len(table.records)
    authors, lengths = find_authors(table).authors, own_text_lengths(table)
    dated = {table.owner[date.element] for date in table.dates}
    worded = sum(map(bool, lengths))
    full = float(worded)
    if size <= FEW or 2 * worded > size:  # a post may be a picture, but rows of titles are no posts
        full += sum(
            0 if lengths[n] or n not in dated else _WORDLESS if n in authors else _EMPTY for n in range(size)
        )
    if size > FEW:
        return full / size
    complete = len(complete_records(table)) == size
    needed = _LITTLE_SIMILAR if complete else _SIMILAR
    return full / size * min(1.0, _similarity(table) / needed) ** 4


def words_outside(table: RecordTable, single: RecordTable) -> int:
    """Characters of words in a single post that the records of a table lack."""
    outline = table.outline
    block = single.records[0]
    dated = {date.element for date in table.dates}
    total = 0
    for root in block.roots:
        for number in find_sentences(outline, root, dated):
            text = outline.segments[number]
            if table.owner[outline.segment_owner[number]] < 0 and text not in table.repeated_texts:
                total += len(text)
    return total


def are_similar(table: RecordTable) -> bool:
    """Whether few records are built alike. More than a few are always: they were found by what they share."""
    return len(table.records) > FEW or _similarity(table) >= _LITTLE_SIMILAR


def _similarity(table: RecordTable) -> float:
    """The share of symbols that two neighbours have in common, of the neighbours that have least."""
    symbols = table.outline.symbols
    of_records = [{symbols[index] for index in members} for members in table.members]
    return min((len(one & other) / len(one | other) for one, other in pairwise(of_records)), default=1.0)


@once_per_table
def complete_records(table: RecordTable) -> list[int]:
    """The numbers of the records that have an author, a date and words."""
    authors = find_authors(table)
    dated = {table.owner[date.element] for date in table.dates}
    return [
        number
        for number in range(len(table.records))
        if number in authors.authors and number in dated and _own_text_length(table, number) > 0
    ]


@once_per_table
def own_text_lengths(table: RecordTable) -> list[int]:
    """For each record the characters of its texts that are no links, dates, labels or numbers."""
    return [_own_text_length(table, number) for number in range(len(table.records))]


def _own_text_length(table: RecordTable, number: int) -> int:
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
    """The table without what was put between posts, such as advertisements.

    An insert has no link into the site and no id with a number. The first record must have one of them, and
    of many records nearly all.
    """
    belong = [_belongs_to_site(table, number) for number in range(len(table.records))]
    if all(belong) or not belong[0] or (len(belong) > FEW + 1 and sum(belong) < _MOST * len(belong)):
        return table
    kept = [record for record, belongs in zip(table.records, belong, strict=True) if belongs]
    return RecordTable(table.outline, kept, table.dates)


def _belongs_to_site(table: RecordTable, number: int) -> bool:
    """Whether a record has a link into the site or an id with a number."""
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

    Records grow from their anchors until they meet. Two records grow into headings, forms and boxes that
    belong to neither.
    """
    if len(table.records) > FEW:
        return table
    authors = find_authors(table)
    records = [_shrink(table, authors, number) for number in range(len(table.records))]
    return RecordTable(table.outline, records, table.dates) if records != table.records else table


def _shrink(table: RecordTable, authors: AuthorColumn, number: int) -> PageRecord:
    record, outline = table.records[number], table.outline
    author = authors.authors.get(number)
    dates = [date.element for date in table.dates if table.owner[date.element] == number]
    words = [outline.segment_owner[s] for s in find_sentences(outline, record.start, set(dates))]
    words = [owner for owner in words if table.owner[owner] == number]
    if len(record.roots) > 1 or author is None or not dates or not words:
        return record
    block = reduce(outline.common_ancestor, [*words, *dates, author.element])
    # Elements around it with no other child have its class and id.
    while block > record.start and len(outline.children[outline.parent[block]]) == 1:
        block = outline.parent[block]
    return PageRecord(record.anchor, (block,))


_MAX_SIBLINGS = 4  # between a name and its date: an e-mail address and line breaks
# How the only post is chosen. On saved pages, half of the text of a post with its panel is words.
_DENSITY_WEIGHT = 0.5
_WITH_HEADING = 0.7
_DATE_AT_END = 0.4  # most dates stand above the words; a clock stands below
# A block may have so many times the text of the best. A panel about the author adds less, the header of a
# page adds more.
_MAX_MORE_TEXT = 1.6

_Block = tuple[int, int]  # an element and the date it was found by


def find_single_post(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """The post of a page with only one: the smallest block with a date, a person and sentences.

    Of several such blocks the one with the most sentences is taken. None when there is none.
    """
    block = _find_best_block(outline, dates, _find_all_words, lambda _: True)
    return _one_record(outline, dates, block) if block else _find_unwrapped_post(outline, dates)


def find_short_post(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """The same for a post of a few words. Many other things look like one, so it is the last thing to try."""
    block = _find_best_block(outline, dates, find_remarks, lambda block: _is_part_of_page(outline, block))
    return _one_record(outline, dates, block) if block else None


def _one_record(outline: PageOutline, dates: Sequence[PageDate], block: _Block) -> RecordTable:
    element, date = block
    return RecordTable(outline, [PageRecord(date, (element,))], dates)


def _find_all_words(outline: PageOutline, block: int, dated: set[int]) -> Iterable[int]:
    """Sentences and remarks; nothing where there are only remarks."""
    sentences = set(find_sentences(outline, block, dated))
    return sorted(sentences.union(find_remarks(outline, block, dated))) if sentences else ()


def _find_unwrapped_post(outline: PageOutline, dates: Sequence[PageDate]) -> RecordTable | None:
    """A post whose parts stand directly in the body of the page: a name near a date, and sentences below."""
    dated = {date.element for date in dates}
    words = [outline.segment_owner[number] for number in find_sentences(outline, 0, dated)] if dates else []
    body = next((index for index, tag in enumerate(outline.tags) if tag == "body"), -1)
    for date in dates if words and body >= 0 else ():
        top = outline.child_towards(body, date.element)
        siblings, position = outline.children[body], outline.child_position[top]
        worded = [child for owner in words if (child := outline.child_towards(body, owner)) > top]
        named = [
            index
            for index in siblings[max(0, position - _MAX_SIBLINGS) : position + _MAX_SIBLINGS]
            if (not worded or index < worded[0]) and _shows_name(outline, index, dated)
        ]
        if named and worded:
            # Links to other messages may stand between head and words. They are left out.
            head = range(min(named[0], top), top + 1)
            text = range(worded[0], worded[-1] + 1)
            roots = tuple(index for index in siblings if index in head or index in text)
            return RecordTable(outline, [PageRecord(date.element, roots)], dates)
    return None


def _shows_name(outline: PageOutline, index: int, dated: set[int]) -> bool:
    """Whether an element is a name in bold, or holds an element whose markup tells of a person."""
    if outline.tags[index] in {"b", "strong"}:
        return index not in dated and author_at(outline, index) is not None
    return any(
        names_person(outline, inner) or follows_by(outline, inner)
        for inner in range(index, outline.end[index])
    )


def _find_best_block(
    outline: PageOutline,
    dates: Sequence[PageDate],
    find_words: Callable[[PageOutline, int, set[int]], Iterable[int]],
    may_be: Callable[[int], bool],
) -> _Block | None:
    """The best block with a date, a person and words of the kind wanted."""
    dated = {date.element for date in dates}
    words_before = _lengths_before(outline, find_words(outline, 0, dated)) if dated else [0]
    # Where no markup tells of people, names are known by the date beside them or by their URL.
    tests = (
        names_person,
        follows_by,
        lambda outline, index: is_name_in_byline(outline, index, dated),
        may_name_person,
    )
    for is_person in tests if words_before[-1] else ():
        people_before = [0, *accumulate(is_person(outline, index) for index in range(len(outline)))]
        early = is_person is may_name_person  # buttons below the words have URLs with numbers too
        blocks = [
            (block, date.element)
            for date in dates
            if not is_in_quote(outline, date.element)
            and (block := _block_around(outline, date.element, people_before, words_before, early=early))
            is not None
        ]
        best = _choose_block(outline, [block for block in blocks if may_be(block[0])], words_before)
        if best:
            return best
    return None


def _lengths_before(outline: PageOutline, segments: Iterable[int]) -> list[int]:
    """How many characters of the given segments stand before each segment of the page."""
    lengths = [0] * (len(outline.segments) + 1)
    for number in segments:
        lengths[number + 1] = len(outline.segments[number])
    return list(accumulate(lengths))


def _is_part_of_page(outline: PageOutline, block: int) -> bool:
    """Whether most links and the heading of the page stand outside a block.

    A remark is found easily ("You are not logged in."). What holds it and a date may be anything.
    """
    inside = sum(href is not None for href in outline.hrefs[block : outline.end[block]])
    everywhere = sum(href is not None for href in outline.hrefs)
    return 2 * inside <= everywhere and "h1" not in outline.tags[block : outline.end[block]]


def _choose_block(outline: PageOutline, blocks: Sequence[_Block], words_before: list[int]) -> _Block | None:
    """The block with many words and little else, with a panel about the author beside it.

    A heading often shows an author and a date too, and so does a clock below: the blocks around them hold
    the post and much else.
    """
    headings = [index for index, tag in enumerate(outline.tags) if tag == "h1"]

    def words(block: _Block) -> int:
        return words_before[outline.text_to[block[0]]] - words_before[outline.text_from[block[0]]]

    def has_heading(block: _Block) -> bool:
        return any(outline.is_under(heading, block[0]) for heading in headings)

    def rate(block: _Block) -> float:
        element, date = block
        factor = _WITH_HEADING if has_heading(block) else 1.0
        if words_before[outline.text_to[element]] == words_before[outline.text_from[date]]:
            factor *= _DATE_AT_END
        density = words(block) / (outline.text_length(element) or 1)
        return float(factor * words(block) * density**_DENSITY_WEIGHT)

    best = max(blocks, key=rate, default=None)
    if best is None:
        return None
    most = _MAX_MORE_TEXT * outline.unlinked_length(best[0])
    dated = {date for _, date in blocks}
    most_dates = 1 + sum(outline.is_under(date, best[0]) for date in dated)  # the panel may show one
    around = [
        block
        for block in blocks
        if outline.is_under(best[0], block[0])
        and words(block) == words(best)
        and 2 * rate(block) >= rate(best)
        and has_heading(block) == has_heading(best)
        and sum(outline.is_under(date, block[0]) for date in dated) <= most_dates
        and outline.unlinked_length(block[0]) <= most
    ]
    return max(around, key=lambda block: outline.unlinked_length(block[0]))


def _block_around(
    outline: PageOutline, index: int, people_before: list[int], words_before: list[int], *, early: bool
) -> int | None:
    """The lowest element around a date that has a person and words; None if only the whole page has both.

    With `early`, the person must stand before the words.
    """
    while index > 1 and outline.tags[index] not in {"body", "html"}:
        first, last = outline.text_from[index], outline.text_to[index]
        if words_before[last] > words_before[first]:
            end = outline.end[index]
            if early:
                sentence = bisect_right(words_before, words_before[first]) - 1
                end = outline.segment_owner[sentence]
            if people_before[end] > people_before[index]:
                return index
        index = outline.parent[index]
    return None
