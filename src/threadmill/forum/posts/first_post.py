"""Adds the first post of a page where its layout differs from that of the replies."""

from __future__ import annotations

from threadmill.forum.link_urls import same_site
from threadmill.forum.posts.authors import AuthorColumn, author_at, common_prefix, find_authors
from threadmill.forum.posts.bodies import (
    SENTENCE_END,
    TextWeights,
    find_bodies,
    find_sentences,
)
from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

_PAGE_PARTS = frozenset(("main", "article", "section", "li"))
_MIN_URL = 15  # characters of a URL that is more than a scheme and a short host
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
    before = [date for date in table.dates if date.element < first and table.owner[date.element] < 0]
    for date in before[-_MAX_DATES:]:
        if _is_in_page_header(outline, date.element):
            continue
        block = _find_block(table, authors, date, first, body_symbols)
        if not block:
            continue
        has_body = any(_has_symbol(outline, root, body_symbols) for root in block)
        if has_body or not any(_describes_thread(outline, root, date, known) for root in block):
            return RecordTable(outline, [PageRecord(date.element, block), *table.records], table.dates)
    return table


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


def _describes_thread(outline: PageOutline, block: int, date: PageDate, known: tuple[str, str]) -> bool:
    """Whether a block only tells who began the thread and when, or is made of links."""
    if _normalise(date.text) == known[0] and known[1] in outline.text(block):
        return True
    if _shows_pasted_url(outline, block):
        return False
    linked = outline.text_length(block) - outline.unlinked_length(block)
    return linked > 0.5 * outline.text_length(block)


def _date_and_author(table: RecordTable, authors: AuthorColumn, number: int) -> tuple[str, str]:
    """The first date of a record and the name of its author, as the page shows them."""
    dates = [date for date in table.dates if table.owner[date.element] == number]
    author = authors.authors.get(number)
    return (_normalise(dates[0].text) if dates else "", author.name if author else "")


def _normalise(text: str) -> str:
    return " ".join(text.split()).lower()


def _find_body_symbols(table: RecordTable, authors: AuthorColumn) -> set[str]:
    """The symbols of the bodies of the known records, if they have a class."""
    skip = {date.element for date in table.dates} | {author.element for author in authors.authors.values()}
    outline = table.outline
    bodies = find_bodies(table, TextWeights(table, skip))
    symbols = {outline.symbols[body] for body in bodies if body is not None}
    return {symbol for symbol in symbols if "." in symbol}


def _has_symbol(outline: PageOutline, block: int, symbols: set[str]) -> bool:
    """Whether a block has an element with text and one of these symbols."""
    return any(
        outline.symbols[index] in symbols and outline.text_length(index) > 0
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
            return (index,)
        up = outline.parent[index]
        if outline.end[up] > first:
            siblings = outline.children[up][outline.child_position[index] :]
            roots = tuple(sibling for sibling in siblings if outline.end[sibling] <= first)
            worded = any(_has_symbol(outline, r, body_symbols) or _has_full_sentence(table, r) for r in roots)
            return roots if worded and _is_post(table, authors, roots, body_symbols) else ()
        index = up
    return ()


def _is_post(
    table: RecordTable, authors: AuthorColumn, roots: tuple[int, ...], body_symbols: set[str]
) -> bool:
    """Whether a block names somebody and has somebody's words."""
    return any(_names_somebody(table, authors, root) for root in roots) and any(
        _has_symbol(table.outline, root, body_symbols) or _has_own_words(table, root) for root in roots
    )


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
