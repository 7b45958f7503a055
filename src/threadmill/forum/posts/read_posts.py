"""Records become posts: the columns of a table, read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from urllib.parse import urljoin

from threadmill.forum.posts.post_columns import LAST_NUMBER, PostColumns
from threadmill.forum.posts.quotes_and_signatures import (
    find_quote_intro,
    find_quotes,
    find_signatures_and_notes,
    read_quote,
)
from threadmill.forum.records.date_columns import read_page_dates, sort_key
from threadmill.forum.records.page_outline import PageOutline, element_text
from threadmill.forum.records.record_table import RecordTable
from threadmill.types import Link, Post

_MAX_BYLINE = 150  # characters


def read_posts(table: RecordTable, columns: PostColumns, now: datetime, order: str = "") -> list[Post]:
    """One post per record, in the order of the page."""
    outline = table.outline
    names = {number: author.name for number, author in columns.authors.items()}
    signatures, notes = find_signatures_and_notes(outline, columns.bodies, names, table.members)
    moments = dict(zip(columns.dates, read_page_dates(list(columns.dates.values()), now, order), strict=True))
    known = set(names.values())
    parents = _parents(table)
    posts: list[Post] = []
    for number in range(len(table.records)):
        body, author = columns.bodies.get(number), columns.authors.get(number)
        bylines = _bylines(outline, columns, number)
        quotes = [
            quote
            for quote in (find_quotes(outline, body, known) if body is not None else [])
            if not any(outline.is_under(quote, line) or outline.is_under(line, quote) for line in bylines)
        ]
        leads = {quote: find_quote_intro(outline, quote, known) for quote in quotes}
        asides = frozenset(part[number] for part in (signatures, notes) if number in part)
        asides |= bylines | {lead for lead in leads.values() if lead is not None}
        url, post_id = _address(table, columns, number)
        up = parents[number]
        posts.append(
            Post(
                text=element_text(outline, body, frozenset(quotes) | asides) if body is not None else "",
                html=outline.elements[body].html if body is not None else "",
                author=author.name if author else None,
                author_url=urljoin(outline.base, author.href) if author and author.href else None,
                date=moments.get(number),
                url=url,
                post_id=post_id,
                position=number + 1,
                parent=posts[up].post_id if up is not None else None,
                quotes=tuple(read_quote(outline, quote, known, lead) for quote, lead in leads.items()),
                signature=element_text(outline, signatures[number]) if number in signatures else "",
                edit_note=element_text(outline, notes[number]) if number in notes else "",
                links=_links(outline, body) if body is not None else (),
            )
        )
    return posts


def _bylines(outline: PageOutline, columns: PostColumns, number: int) -> frozenset[int]:
    """The parts of a body that only say who wrote it and when."""
    body = columns.bodies.get(number)
    if body is None:
        return frozenset()
    parts = [columns.authors[number].element] if number in columns.authors else []
    parts += [columns.dates[number].element] if number in columns.dates else []
    found = set()
    for part in parts:
        if part != body and outline.is_under(part, body):
            top = outline.child_towards(body, part)
            found.add(top if outline.text_length(top) <= _MAX_BYLINE else part)
    return frozenset(found)


def _address(table: RecordTable, columns: PostColumns, number: int) -> tuple[str | None, str | None]:
    href = table.outline.hrefs[columns.links[number]] if number in columns.links else None
    match = LAST_NUMBER.search(href) if href else None
    own = columns.ids.get(number) or (match[1] if match else None)
    return (urljoin(table.outline.base, href) if href else None), own


def _parents(table: RecordTable) -> list[int | None]:
    """The record each record stands in, on nested layouts."""
    found: list[int | None] = []
    holding: list[int] = []
    for number in range(len(table.records)):
        while holding and not _encloses(table, holding[-1], number):
            holding.pop()
        found.append(holding[-1] if holding else None)
        holding.append(number)
    if all(up is not None for up in found[1:]) and not _holds_any(table):
        return [up or None for up in found]  # replies that stand apart from the first post answer the thread
    return found


def _holds_any(table: RecordTable) -> bool:
    """Whether other records stand inside the first one."""
    outline = table.outline
    return any(table.records[0].holds(outline, outline.parent[record.start]) for record in table.records[1:])


def _encloses(table: RecordTable, outer: int, inner: int) -> bool:
    """Whether a record stands inside another, or deeper in what is the other's alone."""
    outline = table.outline
    one, other = table.records[outer], table.records[inner]
    if one.holds(outline, outline.parent[other.start]):
        return True
    return (
        outline.depth[other.anchor] > outline.depth[one.anchor]
        and outline.kind(other.anchor) == outline.kind(one.anchor)
        and outline.is_under(other.start, outline.parent[one.start])
    )


def _links(outline: PageOutline, body: int) -> tuple[Link, ...]:
    found = []
    for index in range(body, outline.end[body]):
        href = outline.hrefs[index]
        if href and not href.startswith(("#", "javascript:")):
            found.append(Link(_join(outline, href), outline.text(index, 200), 0, 0))
        elif outline.tags[index] == "img":
            source = outline.attribute(index, "data-src") or outline.attribute(index, "src")
            if source and not source.startswith("data:"):
                found.append(
                    Link(_join(outline, source), outline.attribute(index, "alt") or "", 0, 0, "image")
                )
    return tuple(found)


def _join(outline: PageOutline, href: str) -> str:
    try:
        return urljoin(outline.base, href)
    except ValueError:  # "http://[" is no address: kept as it stands
        return href


class PostOrder(StrEnum):
    """How posts of a thread follow each other."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


def find_post_order(posts: Sequence[Post]) -> PostOrder | None:
    """Which neighbours prevail; replies under replies count only beside their own kind."""
    flat = [post.date for post in posts if post.date and post.parent is None]
    moments = flat if len(flat) >= 3 else [post.date for post in posts if post.date]
    up = sum(sort_key(one) < sort_key(other) for one, other in pairwise(moments))
    down = sum(sort_key(one) > sort_key(other) for one, other in pairwise(moments))
    if up == down:
        return _by_number(posts)
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING


def _by_number(posts: Sequence[Post]) -> PostOrder | None:
    """Days without times may tie; the site's own numbers do not."""
    numbers = [
        int(post.post_id)
        for post in posts
        if post.post_id and post.post_id.isdecimal() and post.parent is None
    ]
    up = sum(one < other for one, other in pairwise(numbers))
    down = sum(one > other for one, other in pairwise(numbers))
    if up == down:
        return None
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING
