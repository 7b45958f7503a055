"""Records become posts: the columns of a table, read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from urllib.parse import urljoin

from threadmill.forum import dates_seam
from threadmill.forum.cells import DateCell
from threadmill.forum.names import Author
from threadmill.forum.outline import Outline
from threadmill.forum.quotes import find_asides, find_quotes, read_quote
from threadmill.forum.table import Table
from threadmill.forum.words import text_of
from threadmill.types import Link, Moment, Post

LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in each record (by number) a post's parts stand."""

    bodies: dict[int, int] = field(default_factory=dict)
    authors: dict[int, Author] = field(default_factory=dict)
    dates: dict[int, DateCell] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)  # permalinks
    ids: dict[int, str] = field(default_factory=dict)


def read_posts(table: Table, columns: Columns, now: datetime | None) -> list[Post]:
    """One post per record, in the order of the page."""
    outline = table.outline
    names = {number: author.name for number, author in columns.authors.items()}
    signatures, notes = find_asides(outline, columns.bodies, names)
    moments = {number: moment for number, cell in columns.dates.items() if (moment := read_cell(cell, now))}
    known = set(names.values())
    parents = _parents(table)
    posts: list[Post] = []
    for number in range(len(table.records)):
        body, author = columns.bodies.get(number), columns.authors.get(number)
        quotes = find_quotes(outline, body) if body is not None else []
        asides = frozenset(part[number] for part in (signatures, notes) if number in part)
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
                quotes=tuple(read_quote(outline, quote, known) for quote in quotes),
                signature=text_of(outline, signatures[number]) if number in signatures else "",
                edit_note=text_of(outline, notes[number]) if number in notes else "",
                links=_links(outline, body) if body is not None else (),
            )
        )
    return posts


def _address(table: Table, columns: Columns, number: int) -> tuple[str | None, str | None]:
    href = table.outline.hrefs[columns.links[number]] if number in columns.links else None
    match = LAST_NUMBER.search(href) if href else None
    own = columns.ids.get(number) or (match[1] if match else None)
    return (urljoin(table.outline.base, href) if href else None), own


def _parents(table: Table) -> list[int | None]:
    """The record each record stands in, on nested layouts."""
    outline = table.outline
    found: list[int | None] = []
    holding: list[int] = []
    for number, record in enumerate(table.records):
        holder = outline.parent[record.start]
        while holding and not _encloses(outline, table, holding[-1], holder):
            holding.pop()
        found.append(holding[-1] if holding else None)
        holding.append(number)
    return found


def _encloses(outline: Outline, table: Table, outer: int, holder: int) -> bool:
    """Whether a record's replies stand in an element: inside it, or in what follows it under the same parent."""
    record = table.records[outer]
    if record.holds(outline, holder):
        return True
    up = outline.parent[record.start]
    place = holder
    while place >= 0 and outline.parent[place] != up:
        place = outline.parent[place]
    return place > record.start and len(outline.children[up]) > 1 and place != up and outline.parent[holder] >= 0 and (
        place == _next_after(outline, record.roots[-1])
    )


def _next_after(outline: Outline, index: int) -> int:
    return outline.end[index]


def _links(outline: Outline, body: int) -> tuple[Link, ...]:
    found = []
    for index in range(body, outline.end[body]):
        href = outline.hrefs[index]
        if href and not href.startswith(("#", "javascript:")):
            found.append(Link(_join(outline, href), outline.text(index, 200), 0, 0))
        elif outline.tags[index] == "img":
            source = outline.attribute(index, "data-src") or outline.attribute(index, "src")
            if source and not source.startswith("data:"):
                found.append(Link(_join(outline, source), outline.attribute(index, "alt") or "", 0, 0, "image"))
    return tuple(found)


def _join(outline: Outline, href: str) -> str:
    try:
        return urljoin(outline.base, href)
    except ValueError:  # "http://[" is no address: kept as it stands
        return href


def read_cell(cell: DateCell, now: datetime | None) -> Moment | None:
    """The moment a cell says, from its exact attribute where there is one."""
    for text in (cell.exact, cell.text):
        if text:
            if re.fullmatch(r"1\d{9}(\d{3})?", text):
                at = datetime.fromtimestamp(int(text[:10]), UTC)
                return Moment(at.date(), at.time(), "UTC")
            moment = dates_seam.read(text, now)
            if moment is not None:
                return moment
    return None


def monotony(moments: list[Moment]) -> float:
    """The share of neighbours that agree with the more frequent direction."""
    up = down = 0
    for one, other in pairwise(moments):
        first, second = ordinal(one), ordinal(other)
        up += second > first
        down += second < first
    return max(up, down) / (up + down) if up + down else 0.6


def ordinal(moment: Moment) -> tuple[int, float]:
    """A moment as something that sorts; a day without a time sorts first."""
    at = moment.time
    return moment.date.toordinal(), (at.hour * 3600 + at.minute * 60 + at.second) if at else -1.0
