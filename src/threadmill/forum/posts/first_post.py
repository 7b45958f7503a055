"""Posts that do not look like the others (a first post with its own layout) join by what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from threadmill.forum.link_urls import same_site
from threadmill.forum.posts.authors import AuthorColumn, author_at, common_prefix, find_authors
from threadmill.forum.posts.bodies import TextWeights, find_bodies
from threadmill.forum.records.date_columns import PageDate, count_letters
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_HEADINGS = frozenset(("h1", "h2", "h3", "title"))
_PARTS = frozenset(("main", "article", "section", "li"))
_LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff]")
_REMARK = re.compile(r"[^\W\d_][^\w\s:]*[.!?。！？…][\"'»”)]?$")
_ADDRESS = re.compile(r"^\S*(?:https?://|www\.)\S+$|\{\{")
# A line of this many characters is a sentence; "Discussion in … started by …" comes in shorter pieces.
_SENTENCE = 45
_MIN_ADDRESS = 15  # characters of an address that is more than a scheme and a short host
_MAX_TRIES = 20  # dates looked at before the first record


def add_first_post(table: RecordTable) -> RecordTable:
    """The table with one more record before its first, when the page shows one there."""
    authors = find_authors(table)
    if not authors.authors:
        return table
    outline = table.outline
    body_symbols = _body_symbols(table, authors)
    first = min(record.start for record in table.records)
    known = _shown(table, authors, 0)
    before = [cell for cell in table.dates if cell.element < first and table.owner[cell.element] < 0]
    for cell in before[-_MAX_TRIES:]:
        if _heads_page(outline, cell.element):
            continue
        block = _block(table, authors, cell, first, body_symbols)
        if not block:
            continue
        odd = any(_has(outline, root, body_symbols) for root in block)
        if odd or not any(_tells_of_the_first(outline, root, cell, known) for root in block):
            return RecordTable(outline, [PageRecord(cell.element, block), *table.records], table.dates)
    return table


def _heads_page(outline: PageOutline, index: int) -> bool:
    """Whether an element stands in a menu or in the head of the page, not in that of a post."""
    heads = False
    while index >= 0:
        tag = outline.tags[index]
        if tag == "nav":
            return True
        # A post has a head as well; that of the page stands in nothing that is a part of the page.
        heads = (heads or tag == "header") and tag not in _PARTS
        index = outline.parent[index]
    return heads


def _tells_of_the_first(outline: PageOutline, block: int, cell: PageDate, known: tuple[str, str]) -> bool:
    """Whether a block only repeats who began the thread and when."""
    if _norm(cell.text) == known[0] and known[1] in outline.text(block):
        return True
    if _gives_address(outline, block):
        return False
    linked = outline.text_length(block) - outline.unlinked_length(block)
    return linked > 0.5 * outline.text_length(block)


def _shown(table: RecordTable, authors: AuthorColumn, number: int) -> tuple[str, str]:
    dates = [cell for cell in table.dates if table.owner[cell.element] == number]
    author = authors.authors.get(number)
    return (_norm(dates[0].text) if dates else "", author.name if author else "")


def _norm(text: str) -> str:
    return " ".join(text.split()).lower()


def _body_symbols(table: RecordTable, authors: AuthorColumn) -> set[str]:
    """What bodies are called on this page, when the name is theirs alone."""
    skip = {cell.element for cell in table.dates} | {author.element for author in authors.authors.values()}
    outline = table.outline
    found = {
        outline.symbols[body] for body in find_bodies(table, TextWeights(table, skip)) if body is not None
    }
    return {symbol for symbol in found if "." in symbol}


def _has(outline: PageOutline, block: int, symbols: set[str]) -> bool:
    return any(
        outline.symbols[index] in symbols and outline.text_length(index) > 0
        for index in range(block, outline.end[block])
    )


def _block(
    table: RecordTable, authors: AuthorColumn, cell: PageDate, first: int, body_symbols: set[str]
) -> tuple[int, ...]:
    """The lowest element around a date that also has a name and somebody's words, and holds no record.

    Where replies stand inside the first post, it is the siblings from the date's down to the replies'.
    """
    outline = table.outline
    index = cell.element
    while outline.parent[index] >= 0 and outline.end[index] <= first:
        if _is_post(table, authors, (index,), body_symbols):
            return (index,)
        up = outline.parent[index]
        if outline.end[up] > first:
            siblings = outline.children[up][outline.place[index] :]
            run = tuple(sibling for sibling in siblings if outline.end[sibling] <= first)
            worded = any(_has(outline, root, body_symbols) or _has_prose(table, root) for root in run)
            return run if worded and _is_post(table, authors, run, body_symbols) else ()
        index = up
    return ()


def _is_post(
    table: RecordTable, authors: AuthorColumn, roots: tuple[int, ...], body_symbols: set[str]
) -> bool:
    return any(_names_somebody(table, authors, root) for root in roots) and any(
        _has(table.outline, root, body_symbols) or _has_sentence(table, root) for root in roots
    )


def _names_somebody(table: RecordTable, column: AuthorColumn, block: int) -> bool:
    """Whether the block has a link to a profile, or a name that stands like the others' names."""
    outline = table.outline
    hrefs = {author.href for author in column.authors.values() if author.href}
    prefix = common_prefix(sorted(hrefs))
    symbols = {s for author in column.authors.values() if "." in (s := outline.symbols[author.element])}
    # Here the name may stand in its link, there in an element inside of it.
    holders = {s for a in column.authors.values() if "." in (s := outline.symbols[outline.parent[a.element]])}
    kinds = {outline.kind(author.element) for author in column.authors.values()}
    for index in range(block, outline.end[block]):
        href = outline.hrefs[index]
        if href and (href in hrefs or (prefix and href.startswith(prefix))):
            return True
        if outline.symbols[index] in symbols or outline.kind(index) in kinds:
            return True
        if outline.symbols[index] in holders and author_at(outline, index):
            return True
    return False


def _has_sentence(table: RecordTable, block: int) -> bool:
    dated = {cell.element for cell in table.dates}
    owners = (table.outline.segment_owner[number] for number in find_sentences(table.outline, block, dated))
    # A sentence with a date in it tells of the thread: "last updated 6 years ago by …".
    return any(
        not any(table.outline.is_under(index, owner) for index in dated) for owner in owners
    ) or _gives_address(table.outline, block)


def _has_prose(table: RecordTable, block: int) -> bool:
    """Whether a block has a sentence that ends like one: "Showing posts 1 to 5 (of 5 in all)" does not."""
    dated = {cell.element for cell in table.dates}
    texts = table.outline.segments
    return any(_REMARK.search(texts[number]) for number in find_sentences(table.outline, block, dated))


def _gives_address(outline: PageOutline, block: int) -> bool:
    """Whether a link to elsewhere shows its address, as readers paste them: that is all some posts say."""
    return any(
        href
        and not same_site(href, outline.base)
        and len(shown := outline.text(index, 30)) >= _MIN_ADDRESS
        and "://" in shown
        and href.startswith(shown[:_MIN_ADDRESS])
        for index in range(block, outline.end[block])
        if (href := outline.hrefs[index])
    )


def find_sentences(outline: PageOutline, block: int, dated: set[int]) -> Iterator[int]:
    """The text segments of a block that somebody must have written."""
    for number in range(outline.text_from[block], outline.text_to[block]):
        text, owner = outline.segments[number], outline.segment_owner[number]
        if not _is_long(text) or owner in dated or outline.in_link[owner] or outline.tags[owner] in _HEADINGS:
            continue
        if _LETTERS.search(text) and not _ADDRESS.search(text) and text not in outline.title:
            yield number


def find_remarks(outline: PageOutline, block: int, dated: set[int]) -> Iterator[int]:
    """The segments of any length that end like a sentence: "Thanks!" is all that some posts say."""
    for number in range(outline.text_from[block], outline.text_to[block]):
        text, owner = outline.segments[number], outline.segment_owner[number]
        if owner in dated or outline.in_link[owner] or outline.tags[owner] in _HEADINGS:
            continue
        if _REMARK.search(text) and text not in outline.title and not _ADDRESS.search(text):
            yield number


def _is_long(text: str) -> bool:
    """Whether a line is as long as a sentence; a Chinese or Japanese character stands for three."""
    if len(text) >= _SENTENCE:
        return True
    return 3 * len(text) >= _SENTENCE and count_letters(text) >= _SENTENCE
