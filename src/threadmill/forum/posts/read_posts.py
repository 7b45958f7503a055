"""Reads posts from records whose columns are known, and tells in which order the posts stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from urllib.parse import urljoin

from threadmill.forum.link_urls import same_site
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
_MAX_BUTTON = 24  # characters of a link that is a button
_BUTTON_BOXES = frozenset(("div", "ul", "ol", "table", "footer", "nav", "menu", "section"))


class PostOrder(StrEnum):
    """The order of the posts of a thread."""

    ASCENDING = "ascending"
    DESCENDING = "descending"


def read_posts(table: RecordTable, columns: PostColumns, now: datetime, order: str = "") -> list[Post]:
    """One post for each record, in the order of the page.

    `order` is the order of day, month and year in dates, where other pages of the site have shown it.
    """
    outline = table.outline
    names = {number: author.name for number, author in columns.authors.items()}
    signatures, notes = find_signatures_and_notes(outline, columns.bodies, names, table.members)
    moments = dict(zip(columns.dates, read_page_dates(list(columns.dates.values()), now, order), strict=True))
    known = set(names.values())
    parents = _find_parents(table)
    posts: list[Post] = []
    for number in range(len(table.records)):
        author = columns.authors.get(number)
        apart = frozenset(part[number] for part in (signatures, notes) if number in part)
        apart |= _find_inner_records(table, columns, number)
        url, post_id = _find_url_and_id(table, columns, number)
        parent = parents[number]
        posts.append(
            replace(
                _read_body(outline, columns, number, known, apart),
                author=author.name if author else None,
                author_url=urljoin(outline.base, author.href) if author and author.href else None,
                date=moments.get(number),
                url=url,
                post_id=post_id,
                position=number + 1,
                parent=posts[parent].post_id if parent is not None else None,
                signature=element_text(outline, signatures[number]) if number in signatures else "",
                edit_note=element_text(outline, notes[number]) if number in notes else "",
            )
        )
    return posts


def _read_body(
    outline: PageOutline, columns: PostColumns, number: int, authors: set[str], apart: frozenset[int]
) -> Post:
    """A post with what its body shows. The elements in `apart` are not part of its text."""
    body = columns.bodies.get(number)
    if body is None:
        return Post("", "")
    bylines = _find_bylines(outline, columns, number)
    quotes = [
        quote
        for quote in find_quotes(outline, body, authors)
        if not any(outline.is_under(quote, line) or outline.is_under(line, quote) for line in bylines)
    ]
    intros = {quote: find_quote_intro(outline, quote, authors) for quote in quotes}
    left_out = apart | bylines | {intro for intro in intros.values() if intro is not None}
    left_out |= _find_buttons(outline, body)
    return Post(
        text=element_text(outline, body, frozenset(quotes) | left_out),
        html=outline.elements[body].html,
        quotes=tuple(read_quote(outline, quote, authors, intro) for quote, intro in intros.items()),
        links=_find_links(outline, body),
    )


def _find_buttons(outline: PageOutline, body: int) -> frozenset[int]:
    """The boxes at the end of a body that only hold short links into the site: "Reply", "Quote"."""
    found: list[int] = []
    for child in reversed(outline.children[body]):
        if not outline.text_length(child):
            continue
        if outline.tags[child] not in _BUTTON_BOXES or not _holds_buttons(outline, child):
            break
        found.append(child)
    own = outline.text_length(body) - sum(map(outline.text_length, found))
    return frozenset(found) if own > 0 else frozenset()


def _holds_buttons(outline: PageOutline, box: int) -> bool:
    if any(c.isalnum() for c in _unlinked_text(outline, box)):
        return False
    links = [index for index in range(box, outline.end[box]) if outline.hrefs[index] is not None]
    return all(
        outline.text_length(index) <= _MAX_BUTTON and "://" not in (outline.text(index, _MAX_BUTTON))
        for index in links
    ) and all(same_site(outline.hrefs[index] or "", outline.base) for index in links)


def _unlinked_text(outline: PageOutline, box: int) -> str:
    numbers = range(outline.text_from[box], outline.text_to[box])
    return "".join(
        outline.segments[number] for number in numbers if not outline.in_link[outline.segment_owner[number]]
    )


def _find_inner_records(table: RecordTable, columns: PostColumns, number: int) -> frozenset[int]:
    """The elements of other records that stand inside the body of a post: comments and replies."""
    body = columns.bodies.get(number)
    if body is None:
        return frozenset()
    inside = range(body + 1, table.outline.end[body])
    return frozenset(root for root in table.roots if root in inside and table.owner[root] != number)


def _find_bylines(outline: PageOutline, columns: PostColumns, number: int) -> frozenset[int]:
    """The elements inside a body that only show the author or the date."""
    body = columns.bodies[number]
    parts = [columns.authors[number].element] if number in columns.authors else []
    parts += [columns.dates[number].element] if number in columns.dates else []
    found = set()
    for part in parts:
        if part != body and outline.is_under(part, body):
            top = outline.child_towards(body, part)
            found.add(top if outline.text_length(top) <= _MAX_BYLINE else part)
    return frozenset(found)


def _find_url_and_id(table: RecordTable, columns: PostColumns, number: int) -> tuple[str | None, str | None]:
    href = table.outline.hrefs[columns.links[number]] if number in columns.links else None
    match = LAST_NUMBER.search(href) if href else None
    post_id = columns.ids.get(number) or (match[1] if match else None)
    return (urljoin(table.outline.base, href) if href else None), post_id


def _find_parents(table: RecordTable) -> list[int | None]:
    """For each record the record it answers, on pages where replies are nested; else None."""
    found: list[int | None] = []
    enclosing: list[int] = []
    for number in range(len(table.records)):
        while enclosing and not _encloses(table, enclosing[-1], number):
            enclosing.pop()
        found.append(enclosing[-1] if enclosing else None)
        enclosing.append(number)
    if all(parent is not None for parent in found[1:]) and not _first_holds_any(table):
        return [parent or None for parent in found]  # replies beside the first post answer the whole thread
    return found


def _first_holds_any(table: RecordTable) -> bool:
    """Whether another record stands inside the first one."""
    outline = table.outline
    return any(table.records[0].holds(outline, outline.parent[record.start]) for record in table.records[1:])


def _encloses(table: RecordTable, outer: int, inner: int) -> bool:
    """Whether a record stands inside another one, or deeper than it inside its parent element."""
    outline = table.outline
    one, other = table.records[outer], table.records[inner]
    if one.holds(outline, outline.parent[other.start]):
        return True
    return (
        outline.depth[other.anchor] > outline.depth[one.anchor]
        and outline.kind(other.anchor) == outline.kind(one.anchor)
        and outline.is_under(other.start, outline.parent[one.start])
    )


def _find_links(outline: PageOutline, body: int) -> tuple[Link, ...]:
    """The links and images of a body."""
    found = []
    for index in range(body, outline.end[body]):
        href = outline.hrefs[index]
        if href and not href.startswith(("#", "javascript:")):
            found.append(Link(_absolute(outline, href), outline.text(index, 200), 0, 0))
        elif outline.tags[index] == "img":
            source = outline.attribute(index, "data-src") or outline.attribute(index, "src")
            if source and not source.startswith("data:"):
                alt = outline.attribute(index, "alt") or ""
                found.append(Link(_absolute(outline, source), alt, 0, 0, "image"))
    return tuple(found)


def _absolute(outline: PageOutline, href: str) -> str:
    try:
        return urljoin(outline.base, href)
    except ValueError:  # "http://[" is no URL and stays as it is
        return href


def find_post_order(posts: Sequence[Post]) -> PostOrder | None:
    """The order of posts by their dates, else by their ids; None when neither tells.

    Replies to replies are left out where at least three posts are none: they follow an order of their own.
    """
    top_level = [post.date for post in posts if post.date and post.parent is None]
    moments = top_level if len(top_level) >= 3 else [post.date for post in posts if post.date]
    order = _direction([sort_key(moment) for moment in moments])
    if order is not None:
        return order
    # Days without a time may be equal. The ids of the site are not.
    return _direction(
        [
            int(post.post_id)
            for post in posts
            if post.post_id and post.post_id.isdecimal() and post.parent is None
        ]
    )


def _direction(values: Sequence[int] | Sequence[tuple[int, float]]) -> PostOrder | None:
    """The more frequent direction between neighbours; None when both are as frequent."""
    up = sum(one < other for one, other in pairwise(values))  # type: ignore[operator]
    down = sum(one > other for one, other in pairwise(values))  # type: ignore[operator]
    if up == down:
        return None
    return PostOrder.ASCENDING if up > down else PostOrder.DESCENDING
