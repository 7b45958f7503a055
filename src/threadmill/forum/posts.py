"""The posts of a thread page: records become posts, column by column."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from urllib.parse import urljoin

from threadmill.forum import dates_seam
from threadmill.forum.body import Masses, find_bodies
from threadmill.forum.cells import DateCell
from threadmill.forum.names import Author, AuthorColumn, fill_authors, find_authors
from threadmill.forum.outline import Outline
from threadmill.forum.quotes import find_asides, find_quotes, read_quote
from threadmill.forum.table import Table
from threadmill.forum.words import text_of
from threadmill.types import Link, Moment, Post

_LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


def read_posts(table: Table, now: datetime | None) -> list[Post]:
    """One post per record, in the order of the page."""
    outline = table.outline
    authors = find_authors(table)
    skip = {cell.element for cell in table.dates} | {author.element for author in authors.authors.values()}
    masses = Masses(table, skip)
    bodies = {number: body for number, body in enumerate(find_bodies(table, masses)) if body is not None}
    authors = fill_authors(table, authors, bodies)
    names = {number: author.name for number, author in authors.authors.items()}
    signatures, notes = find_asides(outline, bodies, names)
    dates = choose_dates(table, bodies, now)
    addresses = find_addresses(table, bodies)
    posts = []
    for number in range(len(table.records)):
        body = bodies.get(number)
        author = authors.authors.get(number)
        url, post_id = addresses.get(number, (None, None))
        quotes = find_quotes(outline, body) if body is not None else []
        asides = frozenset(part[number] for part in (signatures, notes) if number in part)
        posts.append(
            Post(
                text=text_of(outline, body, frozenset(quotes) | asides) if body is not None else "",
                html=outline.elements[body].html if body is not None else "",
                author=author.name if author else None,
                author_url=urljoin(outline.tree.url, author.href) if author and author.href else None,
                date=dates.get(number),
                url=url,
                post_id=post_id,
                position=number + 1,
                parent=None,
                quotes=tuple(read_quote(outline, quote, names.values()) for quote in quotes),
                signature=text_of(outline, signatures[number]) if number in signatures else "",
                edit_note=text_of(outline, notes[number]) if number in notes else "",
                links=_links(outline, body) if body is not None else (),
            )
        )
    return posts


def _links(outline: Outline, body: int) -> tuple[Link, ...]:
    found = []
    for index in range(body, outline.end[body]):
        href = outline.hrefs[index]
        if href and not href.startswith(("#", "javascript:")):
            found.append(Link(urljoin(outline.tree.url, href), outline.text(index, 200), 0, 0))
        elif outline.tags[index] == "img":
            source = outline.attribute(index, "data-src") or outline.attribute(index, "src")
            if source and not source.startswith("data:"):
                found.append(
                    Link(
                        urljoin(outline.tree.url, source),
                        outline.attribute(index, "alt") or "",
                        0,
                        0,
                        "image",
                    )
                )
    return tuple(found)


def choose_dates(table: Table, bodies: dict[int, int], now: datetime | None) -> dict[int, Moment]:
    """The dates of the column that covers the records and stands in order."""
    outline = table.outline
    best: tuple[float, dict[int, Moment]] = (0.0, {})
    for cells in table.date_columns.values():
        outside = {
            number: cell
            for number, cell in cells.items()
            if number not in bodies or not outline.is_under(cell.element, bodies[number])
        }
        moments = {n: m for n, cell in outside.items() if (m := read_cell(cell, now)) is not None}
        score = len(moments) / len(table.records) * (0.5 + 0.5 * monotony(list(moments.values())))
        if score > best[0] + 1e-9:
            best = score, moments
    return _fill(table, bodies, best[1], now)


def _fill(
    table: Table, bodies: dict[int, int], found: dict[int, Moment], now: datetime | None
) -> dict[int, Moment]:
    """A record the column missed takes its own first date outside its body."""
    for cell in table.dates:
        number = table.owner[cell.element]
        if number < 0 or number in found:
            continue
        if number in bodies and table.outline.is_under(cell.element, bodies[number]):
            continue
        moment = read_cell(cell, now)
        if moment is not None:
            found[number] = moment
    return found


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
    """The share of neighbours that agree with the more frequent direction; 1 for fewer than two."""
    up = down = 0
    for one, other in pairwise(moments):
        first, second = _ordinal(one), _ordinal(other)
        up += second > first
        down += second < first
    return max(up, down) / (up + down) if up + down else 0.6


def _ordinal(moment: Moment) -> tuple[int, float]:
    at = moment.time
    return moment.date.toordinal(), (at.hour * 3600 + at.minute * 60 + at.second) if at else -1.0


def find_addresses(table: Table, bodies: dict[int, int]) -> dict[int, tuple[str | None, str | None]]:
    """Permalink and id of each record: the column of links whose last number differs in each."""
    outline = table.outline
    best: dict[int, int] = {}
    rank = 0.0
    for cells in table.columns.values():
        if len(cells) < 0.6 * len(table.records):
            continue
        numbers = {}
        for number, index in cells.items():
            href = outline.hrefs[index]
            match = _LAST_NUMBER.search(href) if href else None
            if match and not (number in bodies and outline.is_under(index, bodies[number])):
                numbers[number] = match[1]
        if len(set(numbers.values())) < max(1, 0.9 * len(numbers)) or not numbers:
            continue
        score = len(numbers) / len(table.records) + _rising(list(numbers.values()))
        score += 0.5 * (Counter("#" in (outline.hrefs[cells[n]] or "") for n in numbers)[True] / len(numbers))
        if score > rank:
            rank, best = score, {n: cells[n] for n in numbers}
    ids = _record_ids(table)
    found: dict[int, tuple[str | None, str | None]] = {}
    for number in range(len(table.records)):
        href = outline.hrefs[best[number]] if number in best else None
        match = _LAST_NUMBER.search(href) if href else None
        own = ids.get(number) or (match[1] if match else None)
        url = urljoin(outline.tree.url, href) if href else None
        found[number] = (url, own)
    return found


def _rising(numbers: list[str]) -> float:
    values = [int(number) for number in numbers if len(number) < 19]
    up = sum(a < b for a, b in pairwise(values))
    return up / (len(values) - 1) if len(values) > 1 else 0.5


def _record_ids(table: Table) -> dict[int, str]:
    """The site's own number of each record, from id attributes that are numbered alike."""
    outline = table.outline
    shapes: dict[str, dict[int, str]] = {}
    for number, members in enumerate(table.members):
        for index in members[:400]:
            name = outline.attribute(index, "id") or (
                outline.attribute(index, "name") if outline.tags[index] == "a" else None
            )
            match = _LAST_NUMBER.search(name) if name else None
            if name and match and len(match[1]) < 19:
                shapes.setdefault(re.sub(r"\d+", "#", name), {}).setdefault(number, match[1])
    best: dict[int, str] = {}
    for values in shapes.values():
        if len(set(values.values())) == len(values) and len(values) > len(best):
            best = values
    return best if len(best) >= 0.6 * len(table.records) else {}


__all__ = ["Author", "AuthorColumn", "read_posts"]
