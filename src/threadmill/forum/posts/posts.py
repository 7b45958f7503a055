"""Records become posts: the columns of a table, read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urljoin

from threadmill.forum.posts.authors import Author
from threadmill.forum.posts.quotes import find_lead, find_quotes, read_quote
from threadmill.forum.posts.signatures import find_asides
from threadmill.forum.records.date_cells import DateCell
from threadmill.forum.records.date_columns import read_cells
from threadmill.forum.records.element_text import text_of
from threadmill.forum.records.outline import Outline
from threadmill.forum.records.table import Table
from threadmill.types import Link, Post

_MAX_BYLINE = 150  # characters
LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in each record (by number) a post's parts stand."""

    bodies: dict[int, int] = field(default_factory=dict)
    authors: dict[int, Author] = field(default_factory=dict)
    dates: dict[int, DateCell] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)  # permalinks
    ids: dict[int, str] = field(default_factory=dict)


def read_posts(table: Table, columns: Columns, now: datetime, order: str = "") -> list[Post]:
    """One post per record, in the order of the page."""
    outline = table.outline
    names = {number: author.name for number, author in columns.authors.items()}
    signatures, notes = find_asides(outline, columns.bodies, names, table.members)
    moments = dict(zip(columns.dates, read_cells(list(columns.dates.values()), now, order), strict=True))
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
        leads = {quote: find_lead(outline, quote, known) for quote in quotes}
        asides = frozenset(part[number] for part in (signatures, notes) if number in part)
        asides |= bylines | {lead for lead in leads.values() if lead is not None}
        url, post_id = _address(table, columns, number)
        up = parents[number]
        posts.append(
            Post(
                text=text_of(outline, body, frozenset(quotes) | asides) if body is not None else "",
                html=outline.elements[body].html if body is not None else "",
                author=author.name if author else None,
                author_url=urljoin(outline.base, author.href) if author and author.href else None,
                date=moments.get(number),
                url=url,
                post_id=post_id,
                position=number + 1,
                parent=posts[up].post_id if up is not None else None,
                quotes=tuple(read_quote(outline, quote, known, lead) for quote, lead in leads.items()),
                signature=text_of(outline, signatures[number]) if number in signatures else "",
                edit_note=text_of(outline, notes[number]) if number in notes else "",
                links=_links(outline, body) if body is not None else (),
            )
        )
    return posts


def _bylines(outline: Outline, columns: Columns, number: int) -> frozenset[int]:
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


def _address(table: Table, columns: Columns, number: int) -> tuple[str | None, str | None]:
    href = table.outline.hrefs[columns.links[number]] if number in columns.links else None
    match = LAST_NUMBER.search(href) if href else None
    own = columns.ids.get(number) or (match[1] if match else None)
    return (urljoin(table.outline.base, href) if href else None), own


def _parents(table: Table) -> list[int | None]:
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


def _holds_any(table: Table) -> bool:
    """Whether other records stand inside the first one."""
    outline = table.outline
    return any(table.records[0].holds(outline, outline.parent[record.start]) for record in table.records[1:])


def _encloses(table: Table, outer: int, inner: int) -> bool:
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


def _links(outline: Outline, body: int) -> tuple[Link, ...]:
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


def _join(outline: Outline, href: str) -> str:
    try:
        return urljoin(outline.base, href)
    except ValueError:  # "http://[" is no address: kept as it stands
        return href
