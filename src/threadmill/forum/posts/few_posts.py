"""Pages of few posts: whether a cut into two or three records is one into posts, and how far each reaches."""

from __future__ import annotations

import re
from functools import reduce
from itertools import pairwise

from threadmill.forum.link_urls import absolute, same_site
from threadmill.forum.posts.authors import AuthorColumn, find_authors
from threadmill.forum.posts.first_post import sentences
from threadmill.forum.records.outline import Outline
from threadmill.forum.records.records import Record
from threadmill.forum.records.table import Table

_FEW = 3  # records; with more of them what they share tells enough
# On saved pages two posts of one template share 0.47 to 1 of their kinds of elements, an odd first post and a
# reply 0.24, what is no pair of posts 0.03 to 0.25.
_DIGIT = re.compile(r"\d")
_MUCH = 0.4
_LITTLE = 0.15
_MIN_WORDS = 25  # characters that are no link and no date; rows of titles with counters have fewer


def are_posts(table: Table, single: Table | None) -> bool:
    """Whether records are posts, on a page whose best block alone may be a post too."""
    size = len(table.records)
    if size <= _FEW:
        whole = len(whole_records(table)) == size
        return _likeness(table) >= (_LITTLE if whole else _MUCH) and not _is_any_silent(table)
    if single is None:
        return True
    worded = sum(own_length(table, number) >= _MIN_WORDS for number in range(size))
    block = table.outline.free_length(single.records[0].start)
    return worded >= 0.5 * size or block < sum(own_length(table, number) for number in range(size))


def _is_any_silent(table: Table) -> bool:
    """Whether a record says neither when nor anything: pagers above and below a post are alike."""
    dated = {table.owner[cell.element] for cell in table.dates}
    return any(number not in dated and not words for number, words in enumerate(own_words(table)))


def are_alike(table: Table) -> bool:
    """Whether a few records are built alike; more of them would not have been found if they were not."""
    return len(table.records) > _FEW or _likeness(table) >= _LITTLE


def _likeness(table: Table) -> float:
    """The share of kinds of elements that neighbours have in common: a post and a list beside it have few."""
    symbols = table.outline.symbols
    made = [{symbols[index] for index in members} for members in table.members]
    return min((len(one & other) / len(one | other) for one, other in pairwise(made)), default=1.0)


def _is_whole(table: Table, authors: AuthorColumn, number: int) -> bool:
    """Whether a record says who, when and something."""
    dated = any(table.owner[cell.element] == number for cell in table.dates)
    return number in authors.authors and dated and own_length(table, number) > 0


def own_words(table: Table) -> list[int]:
    """How many characters each record says that are no links, dates or labels."""
    return [own_length(table, number) for number in range(len(table.records))]


def whole_records(table: Table) -> list[int]:
    """The records that say who, when and something."""
    authors = find_authors(table)
    return [number for number in range(len(table.records)) if _is_whole(table, authors, number)]


def own_length(table: Table, number: int) -> int:
    outline = table.outline
    return sum(
        len(outline.segments[segment])
        for segment in table.segments[number]
        if not outline.in_link[owner := outline.segment_owner[segment]]
        and owner not in table.dated
        and outline.segments[segment] not in table.boilerplate
        and any(character.isalpha() for character in outline.segments[segment])
    )


def without_inserts(table: Table) -> Table:
    """The table without what was put between posts: no link into the site and no number of its own.

    Larger tables know by their columns who does not belong.
    """
    rooted = [_is_rooted(table, number) for number in range(len(table.records))]
    if len(rooted) > _FEW + 1 or all(rooted) or not rooted[0]:
        return table
    kept = [record for record, own in zip(table.records, rooted, strict=True) if own]
    return Table(table.outline, kept, table.dates)


def _is_rooted(table: Table, number: int) -> bool:
    """Whether a record has a place in its site: something links from it, or names it by a number."""
    outline = table.outline
    for index in table.members[number]:
        href = outline.hrefs[index]
        if (
            href
            and not href.startswith("javascript:")
            and same_site(absolute(outline.base, href) or "", outline.base)
        ):
            return True
        if _DIGIT.search(outline.attribute(index, "id") or ""):
            return True
    return False


def narrow(table: Table) -> Table:
    """Few records, each cut down to the smallest element with its author, its dates and its sentences.

    Two anchors climb until they meet: into headings, forms and wrappers that are neither's.
    """
    if len(table.records) > _FEW:
        return table
    authors = find_authors(table)
    records = [_narrow(table, authors, number) for number in range(len(table.records))]
    return Table(table.outline, records, table.dates) if records != table.records else table


def _narrow(table: Table, authors: AuthorColumn, number: int) -> Record:
    record, outline = table.records[number], table.outline
    author = authors.authors.get(number)
    dates = [cell.element for cell in table.dates if table.owner[cell.element] == number]
    said = [outline.segment_owner[s] for s in sentences(outline, record.start, set(dates))]
    said = [owner for owner in said if table.owner[owner] == number]
    if len(record.roots) > 1 or author is None or not dates or not said:
        return record
    block = reduce(outline.common, [*said, *dates, author.element])
    return Record(record.anchor, (_clothed(outline, block, record.start),))


def _clothed(outline: Outline, block: int, top: int) -> int:
    """The element with those around it that have no other child: they carry its name and id."""
    while block > top and len(outline.children[outline.parent[block]]) == 1:
        block = outline.parent[block]
    return block
