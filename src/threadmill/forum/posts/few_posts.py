"""Finds posts that no repetition shows: one to three posts of a page, and a first post of another layout."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise

from threadmill.forum.link_urls import same_site
from threadmill.forum.posts.author_names import (
    MAX_BYLINE,
    author_at,
    common_prefix,
    follows_by,
    is_name_in_byline,
    may_name_person,
    names_person,
)
from threadmill.forum.posts.authors import AuthorColumn, find_authors
from threadmill.forum.posts.bodies import (
    SENTENCE_END,
    TextWeights,
    find_bodies,
    find_remarks,
    find_sentences,
)
from threadmill.forum.posts.post_columns import numbered_ids
from threadmill.forum.posts.quotes_and_signatures import is_in_quote
from threadmill.forum.records.date_columns import PageDate, ends_as_sentence
from threadmill.forum.records.page_outline import PageOutline, once_per_page
from threadmill.forum.records.record_table import (
    PageRecord,
    RecordTable,
    is_in_side_box,
    once_per_table,
)

FEW = 3  # records; with more of them, what they share tells enough
# Similarity of neighbours, measured on saved pages: two posts of one template have 0.47 to 1, a first post of
# another layout and a reply 0.24, pairs that are no posts 0.03 to 0.25.
_SIMILAR = 0.4
_NEARLY_ALL = 0.8  # of the records; a guest or a deleted user may be shown in another way
_LITTLE_SIMILAR = 0.15
_WORDLESS = 0.5  # what a record with an author and a date counts: a post may be a picture
_EMPTY = 0.2  # the same for one that only has a date


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
        return (full - (1 - _EMPTY) * _count_boxes(table, dated)) / size
    complete = len(complete_records(table)) == size
    needed = _LITTLE_SIMILAR if complete else _SIMILAR
    return full / size * min(1.0, _similarity(table) / needed) ** 4


def _count_boxes(table: RecordTable, dated: set[int]) -> int:
    """How many records with a few words have neither a date nor a sentence, where others have a date.

    A single post and the boxes at the side of the page make such records.
    """
    outline, dates = table.outline, {date.element for date in table.dates}
    undated = [n for n, length in enumerate(own_text_lengths(table)) if length and n not in dated]
    if len(undated) == len(table.records):
        return 0
    return sum(
        not any(True for root in table.records[n].roots for _ in find_sentences(outline, root, dates))
        for n in undated
    )


def words_outside(table: RecordTable, single: RecordTable) -> int:
    """Characters of words in a single post that the records of a table lack."""
    return sum(words_lacking(table, root) for root in single.records[0].roots)


def words_lacking(table: RecordTable, element: int) -> int:
    """Characters of words in an element that the records of a table lack."""
    outline = table.outline
    dated = {date.element for date in table.dates}
    total = 0
    for number in find_sentences(outline, element, dated):
        text = outline.segments[number]
        if table.segment_records[number] < 0 and text not in table.repeated_texts:
            total += len(text)
    return total


def are_similar(table: RecordTable) -> bool:
    """Whether few records are built alike. More than a few are always: they were found by what they share."""
    return len(table.records) > FEW or _similarity(table) >= _LITTLE_SIMILAR


def _similarity(table: RecordTable) -> float:
    """The share of symbols that two neighbours have in common, of the neighbours that have least."""
    symbols = table.outline.symbols
    of_records = [{symbols[index] for index in members} for members in table.members]
    if len(of_records) > 2 and _has_id_of_post(table, table.records[0].roots, table.members[1:]):
        of_records = of_records[1:]  # a first post of another layout
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


_MAX_SIBLINGS = 4  # between a name and its date: an e-mail address and line breaks
# How the only post is chosen. On saved pages, half of the text of a post with its panel is words.
_DENSITY_WEIGHT = 0.5
_WITH_HEADING = 0.7
_MUCH_BETTER = 1.25  # times the rate
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
    best: _Block | None = None
    for is_person in tests if words_before[-1] else ():
        people_before = _count_people_before(outline, is_person)
        early = is_person is may_name_person  # buttons below the words have URLs with numbers too
        blocks = [
            (block, date.element)
            for date in dates
            if not is_in_quote(outline, date.element)
            and (block := _block_around(outline, date.element, people_before, words_before, early=early))
            is not None
        ]
        found = _choose_block(outline, [block for block in blocks if may_be(block[0])], words_before)
        if found and (best is None or _is_tighter(outline, found, best, words_before)):
            best = found
    return best


def _count_people_before(outline: PageOutline, is_person: Callable[[PageOutline, int], bool]) -> list[int]:
    """How many elements before each one show a person by this test."""
    counts = [0] * (len(outline) + 1)
    for index in _find_names(outline):
        counts[index + 1] = int(is_person(outline, index))
    return list(accumulate(counts))


@once_per_page
def _find_names(outline: PageOutline) -> list[int]:
    """The elements of a page whose text can be a name."""
    return [index for index in range(len(outline)) if author_at(outline, index)]


def _is_tighter(outline: PageOutline, one: _Block, other: _Block, words_before: list[int]) -> bool:
    """Whether a block inside another is much better. A link in the menu may be all that tells of people."""
    inside = one[0] != other[0] and outline.is_under(one[0], other[0])
    return inside and _rate_block(outline, one, words_before) > _MUCH_BETTER * _rate_block(
        outline, other, words_before
    )


def _rate_block(outline: PageOutline, block: _Block, words_before: list[int]) -> float:
    """How much a block looks like a post: many words and little else, and a date that is not at the end."""
    element, date = block
    first, last = outline.text_from[element], outline.text_to[element]
    words = words_before[last] - words_before[first]
    factor = _WITH_HEADING if "h1" in outline.tags[element : outline.end[element]] else 1.0
    if words_before[last] == words_before[outline.text_from[date]]:
        factor *= _DATE_AT_END
    return float(factor * words * (words / (outline.text_length(element) or 1)) ** _DENSITY_WEIGHT)


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
        return _rate_block(outline, block, words_before)

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


_PAGE_PARTS = frozenset(("main", "article", "section", "li"))
_MIN_URL = 15  # characters of a URL that is more than a scheme and a short host
_MIN_HEADING = 5  # characters of the heading of a page
_FRAMING = frozenset(("nav", "footer", "form", "aside"))
_NUMBERED = 12  # elements at the begin of a record that may have its id
_MAX_DATES = 20  # dates before the first record that are tried


def add_first_post(table: RecordTable) -> RecordTable:
    """The table with one more record at its begin, where the page shows a post there.

    Each date before the first record is tried. The post is the block around it with a name and somebody's
    words, unless the block only tells who began the thread and when.
    """
    authors = find_authors(table)
    if not authors.authors:
        return table
    outline = table.outline
    body_symbols = _find_body_symbols(table, authors)
    first = min(record.start for record in table.records)
    known = _date_and_author(table, authors, 0)
    for date in _find_dates_before(table, first):
        block = _find_block(table, authors, date, first, body_symbols)
        if not block:
            continue
        has_body = any(_has_body(table, root, body_symbols) for root in block)
        if has_body or not _describes_thread(table, block, date, known):
            return RecordTable(outline, [PageRecord(date.element, block), *table.records], table.dates)
    other = _find_undated_first(table, first) or _find_article(table, first, known[0])
    return table if other is None else RecordTable(outline, [other, *table.records], table.dates)


def _find_dates_before(table: RecordTable, first: int) -> list[PageDate]:
    """The dates that may belong to a first post: first those with the markup of dates of the records."""
    outline, in_box = table.outline, dict[int, bool]()
    before = [
        date
        for date in [date for date in table.dates if date.element < first and table.owner[date.element] < 0][
            -_MAX_DATES:
        ]
        if not _is_in_page_header(outline, date.element)
        and (_is_in_article(outline, date.element) or not is_in_side_box(outline, date.element, in_box))
    ]
    known = [date.element for date in table.dates if table.owner[date.element] >= 0]
    kinds, symbols = {outline.kind(index) for index in known}, {outline.symbols[index] for index in known}
    alike = {
        date.element: (outline.kind(date.element) in kinds)
        + ("." in (symbol := outline.symbols[date.element]) and symbol in symbols)
        for date in before
    }
    return sorted(before, key=lambda date: -alike[date.element])


def _is_in_article(outline: PageOutline, index: int) -> bool:
    """Whether an element stands in an article. An <aside> in it is its byline, and no box of the page."""
    while index >= 0 and outline.tags[index] != "article":
        index = outline.parent[index]
    return index >= 0


def _find_undated_first(table: RecordTable, first: int) -> PageRecord | None:
    """An article with the id of a post and somebody's words before the first record. It may show no date."""
    outline = table.outline
    for index in range(first):
        if (
            outline.tags[index] == "article"
            and outline.end[index] <= first
            and table.owner[index] < 0
            and _has_id_of_post(table, (index,))
            and _has_full_sentence(table, index)
        ):
            return PageRecord(index, (index,))
    return None


def _find_article(table: RecordTable, first: int, known: PageDate | None) -> PageRecord | None:
    """Sentences between the heading of the page and the first record, with the date of a head above them.

    An article and the comments on it are two kinds of things: its byline may be no line of its words, and
    may name its author in words of a language that no list has. A head that only repeats the date of the
    first record is that of the thread, and what stands below it is a notice.
    """
    outline = table.outline
    heading = _find_heading(table, first)
    words = [
        owner
        for number in find_sentences(outline, 0, set(table.dated))
        if heading < (owner := outline.segment_owner[number]) < first
        and SENTENCE_END.search(outline.segments[number])
        and table.owner[owner] < 0
        and not _is_framing(outline, owner)
    ]
    dates = [date for date in table.dates if words and heading < date.element < words[0]]
    dates = [
        date for date in dates if table.owner[date.element] < 0 and not _is_framing(outline, date.element)
    ]
    if heading < 0 or not dates or _is_same_date(dates[-1], known):
        return None
    date = dates[-1]
    tops = list(dict.fromkeys(_highest_before(outline, word, first) for word in words))
    if _highest_before(outline, date.element, first) != tops[0]:
        tops.insert(0, _line_around(outline, date.element, words[0]))
    return PageRecord(date.element, tuple(tops))


def _find_heading(table: RecordTable, first: int) -> int:
    """The last element before the first record that shows a part of the title of the page; else -1."""
    outline = table.outline
    owners = outline.segment_owner
    return max(
        (
            owners[number]
            for number, text in enumerate(outline.segments)
            if owners[number] < first
            and len(text) >= _MIN_HEADING
            and text in outline.title
            and not outline.in_link[owners[number]]
            and outline.tags[owners[number]] != "title"
        ),
        default=-1,
    )


def _is_framing(outline: PageOutline, index: int) -> bool:
    """Whether an element stands in a menu, a form, a quote or a box at the side."""
    up = (index, *outline.ancestors(index))
    return (
        not _FRAMING.isdisjoint(outline.tags[one] for one in up)
        or is_in_quote(outline, index)
        or is_in_side_box(outline, index, {})
    )


def _highest_before(outline: PageOutline, index: int, first: int) -> int:
    """The highest element around another one that ends before the first record."""
    while outline.parent[index] >= 0 and outline.end[outline.parent[index]] <= first:
        index = outline.parent[index]
    return index


def _line_around(outline: PageOutline, index: int, words: int) -> int:
    """The highest element around a date that is no longer than a byline and does not hold the words."""
    up = outline.parent[index]
    while up >= 0 and outline.end[up] <= words and outline.text_length(up) <= MAX_BYLINE:
        index, up = up, outline.parent[up]
    return index


def _is_in_page_header(outline: PageOutline, index: int) -> bool:
    """Whether an element stands in a menu or in the header of the page, not in that of a post."""
    in_header = False
    while index >= 0:
        tag = outline.tags[index]
        if tag == "nav":
            return True
        # The header of a post stands inside a part of the page. That of the page does not.
        in_header = (in_header or tag == "header") and tag not in _PAGE_PARTS
        index = outline.parent[index]
    return in_header


def _describes_thread(
    table: RecordTable, roots: tuple[int, ...], date: PageDate, known: tuple[PageDate | None, str]
) -> bool:
    """Whether a block only tells who began the thread and when, or is made of links.

    Parts of a post may be links, if the element around them has the id of a post.
    """
    outline = table.outline
    if _is_same_date(date, known[0]) and any(known[1] in outline.text(root) for root in roots):
        return True
    around = outline.parent[roots[0]]
    if len(roots) > 1 and _has_id_of_post(table, (around, outline.parent[around])):
        return False
    return any(_is_made_of_links(table, root) for root in roots)


def _date_and_author(table: RecordTable, authors: AuthorColumn, number: int) -> tuple[PageDate | None, str]:
    """The first date of a record and the name of its author, as the page shows them."""
    dates = [date for date in table.dates if table.owner[date.element] == number]
    author = authors.authors.get(number)
    return (dates[0] if dates else None, author.name if author else "")


def _is_same_date(one: PageDate, other: PageDate | None) -> bool:
    """Whether two dates are the same: by their exact values if they have some, as ages are often equal."""
    if other is None:
        return False
    if one.exact and other.exact:
        return one.exact == other.exact
    return _normalise(one.text) == _normalise(other.text)


def _normalise(text: str) -> str:
    return " ".join(text.split()).lower()


def _find_body_symbols(table: RecordTable, authors: AuthorColumn) -> set[str]:
    """The symbols of the bodies of the known records, if they have a class."""
    skip = {date.element for date in table.dates} | {author.element for author in authors.authors.values()}
    outline = table.outline
    bodies = find_bodies(table, TextWeights(table, skip))
    symbols = {outline.symbols[body] for body in bodies if body is not None}
    return {symbol for symbol in symbols if "." in symbol}


def _has_body(table: RecordTable, block: int, symbols: set[str]) -> bool:
    """Whether a block has an element with text and one of these symbols that is no byline with a date."""
    outline = table.outline
    bylines = [date.element for date in table.dates if not ends_as_sentence(date.text)]
    return any(
        outline.symbols[index] in symbols
        and outline.text_length(index) > 0
        and not any(outline.is_under(date, index) for date in bylines)
        for index in range(block, outline.end[block])
    )


def _find_block(
    table: RecordTable, authors: AuthorColumn, date: PageDate, first: int, body_symbols: set[str]
) -> tuple[int, ...]:
    """The lowest element around a date that has a name and somebody's words, and holds no record.

    Replies may stand inside the first post. Then the block is made of siblings, from the one with the date to
    the last before the replies.
    """
    outline = table.outline
    index = date.element
    while outline.parent[index] >= 0 and outline.end[index] <= first:
        if _is_post(table, authors, (index,), body_symbols):
            return (_grow_to_id(table, index, first),)
        up = outline.parent[index]
        if outline.end[up] > first:
            siblings = outline.children[up][outline.child_position[index] :]
            roots = _without_buttons(table, [one for one in siblings if outline.end[one] <= first])
            worded = any(
                _has_body(table, root, body_symbols)
                or _has_full_sentence(table, root)
                or _shows_pasted_url(outline, root)
                for root in roots
            )
            return roots if worded and _is_post(table, authors, roots, body_symbols) else ()
        index = up
    return ()


def _without_buttons(table: RecordTable, roots: Sequence[int]) -> tuple[int, ...]:
    """The parts of a block without those at its end that are made of links: "reply", "next topic"."""
    kept = list(roots)
    while len(kept) > 1 and _is_made_of_links(table, kept[-1]):
        kept.pop()
    return tuple(kept)


def _is_made_of_links(table: RecordTable, root: int) -> bool:
    outline = table.outline
    return not _shows_pasted_url(outline, root) and 2 * outline.unlinked_length(root) < outline.text_length(
        root
    )


def _grow_to_id(table: RecordTable, block: int, first: int) -> int:
    """The element around a block that has the id of a post, if it holds no record. Else the block.

    Names of readers who thank may stand below the words, and the panel about the author outside the block.
    """
    outline, known = table.outline, _shapes_of_ids(table.members, table)
    index = block
    while (index := outline.parent[index]) >= 0 and outline.end[index] <= first:
        if any(shape in known for shape, _ in numbered_ids(table, index)):
            return index
    return block


def _is_post(
    table: RecordTable, authors: AuthorColumn, roots: tuple[int, ...], body_symbols: set[str]
) -> bool:
    """Whether a block tells of a post and has somebody's words; a few are enough with the id of a post."""
    outline = table.outline
    if not any(_names_somebody(table, authors, root) or _is_marked(table, root) for root in roots):
        return False
    if any(_has_body(table, root, body_symbols) or _has_own_words(table, root) for root in roots):
        return True
    dated = {date.element for date in table.dates}
    return _has_id_of_post(table, roots) and any(
        True for root in roots for _ in find_remarks(outline, root, dated)
    )


def _is_marked(table: RecordTable, block: int) -> bool:
    """Whether a block without a known kind of name has another mark of a post.

    It has the id of a post, it is an article, or somebody is named after "by".
    """
    outline = table.outline
    if outline.tags[block] == "article" or _has_id_of_post(table, (block,)):
        return True
    return any(follows_by(outline, index) for index in range(block, outline.end[block]))


def _has_id_of_post(
    table: RecordTable, roots: tuple[int, ...], records: Sequence[Sequence[int]] | None = None
) -> bool:
    """Whether an element at the begin of a block has an id like those of the known records: "post-#"."""
    known = _shapes_of_ids(records or table.members, table)
    return any(
        shape in known
        for root in roots
        for index in range(root, min(table.outline.end[root], root + _NUMBERED))
        for shape, _ in numbered_ids(table, index)
    )


def _shapes_of_ids(records: Sequence[Sequence[int]], table: RecordTable) -> set[str]:
    """The shapes of the ids with which records begin: "post-#"."""
    begins = (index for members in records for index in members[:_NUMBERED])
    return {shape for index in begins for shape, _ in numbered_ids(table, index)}


def _names_somebody(table: RecordTable, column: AuthorColumn, block: int) -> bool:
    """Whether a block has a link to a profile, or a name with the same markup as the known authors."""
    outline = table.outline
    authors = column.authors.values()
    hrefs = {author.href for author in authors if author.href}
    prefix = common_prefix(sorted(hrefs))
    symbols = {s for author in authors if "." in (s := outline.symbols[author.element])}
    # A name may stand directly in its link here, and in an element inside the link there.
    parent_symbols = {s for a in authors if "." in (s := outline.symbols[outline.parent[a.element]])}
    kinds = {outline.kind(author.element) for author in authors}
    for index in range(block, outline.end[block]):
        href = outline.hrefs[index]
        if href and (href in hrefs or (prefix and href.startswith(prefix))):
            return True
        if outline.symbols[index] in symbols or outline.kind(index) in kinds:
            return True
        if outline.symbols[index] in parent_symbols and author_at(outline, index):
            return True
    if _has_usual_byline(table, column, block):
        return True
    # Without links and classes, the first text of a post is a name in the usual element.
    tags, first = {outline.tags[author.element] for author in authors}, outline.text_from[block]
    if first == outline.text_to[block]:
        return False
    begin = outline.segment_owner[first]
    return outline.tags[begin] in tags and author_at(outline, begin) is not None and not hrefs


def _has_usual_byline(table: RecordTable, column: AuthorColumn, block: int) -> bool:
    """Whether a name stands beside a date of the block as in nearly all records: two elements before it."""
    outline = table.outline
    first: dict[int, int] = {}
    for date in table.dates:
        first.setdefault(table.owner[date.element], date.element)
    ways = Counter(
        (outline.tags[name.element], outline.child_position[name.element] - outline.child_position[near])
        for number, name in column.authors.items()
        if (near := first.get(number)) is not None and outline.parent[name.element] == outline.parent[near]
    )
    (tag, step), count = ways.most_common(1)[0] if ways else (("", 0), 0)
    if count < _NEARLY_ALL * len(table.records):
        return False
    for shown in table.dates:
        place = outline.child_position[shown.element] + step
        if block < shown.element < outline.end[block] and place >= 0:
            beside = outline.children[outline.parent[shown.element]][place : place + 1]
            if beside and outline.tags[beside[0]] == tag and author_at(outline, beside[0]) is not None:
                return True
    return False


def _has_own_words(table: RecordTable, block: int) -> bool:
    """Whether a block has a sentence without a date in it, or a pasted URL.

    A sentence with a date is about the thread: "last updated 6 years ago by …".
    """
    dated = {date.element for date in table.dates}
    owners = (table.outline.segment_owner[number] for number in find_sentences(table.outline, block, dated))
    return any(
        not any(table.outline.is_under(index, owner) for index in dated) for owner in owners
    ) or _shows_pasted_url(table.outline, block)


def _has_full_sentence(table: RecordTable, block: int) -> bool:
    """Whether a block has a sentence with a full stop; "Showing posts 1 to 5 (of 5 in all)" has none."""
    dated = {date.element for date in table.dates}
    texts = table.outline.segments
    return any(SENTENCE_END.search(texts[number]) for number in find_sentences(table.outline, block, dated))


def _shows_pasted_url(outline: PageOutline, block: int) -> bool:
    """Whether a link to another site shows its own URL, as a pasted one does. Some posts are only that."""
    return any(
        href
        and not same_site(href, outline.base)
        and len(shown := outline.text(index, 30)) >= _MIN_URL
        and "://" in shown
        and href.startswith(shown[:_MIN_URL])
        for index in range(block, outline.end[block])
        if (href := outline.hrefs[index])
    )
