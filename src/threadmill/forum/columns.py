"""Which columns of a table are the posts' bodies, authors, dates and addresses, from the page alone."""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import datetime
from itertools import pairwise

from threadmill.forum.body import Masses, find_bodies
from threadmill.forum.cells import DateCell
from threadmill.forum.moments import monotony, read_cells
from threadmill.forum.names import fill_authors, find_authors
from threadmill.forum.outline import Outline
from threadmill.forum.posts import LAST_NUMBER, Columns
from threadmill.forum.table import Table


def find_columns(table: Table, now: datetime) -> Columns:
    """The columns of a table that looks like posts."""
    authors = find_authors(table)
    skip = {cell.element for cell in table.dates} | {author.element for author in authors.authors.values()}
    masses = Masses(table, skip)
    bodies = {number: body for number, body in enumerate(find_bodies(table, masses)) if body is not None}
    authors = fill_authors(table, authors, bodies)
    return Columns(
        bodies,
        authors.authors,
        _find_dates(table, bodies, now),
        _find_permalinks(table, bodies, {n: author.element for n, author in authors.authors.items()}),
        record_ids(table),
    )


def _find_dates(table: Table, bodies: dict[int, int], now: datetime) -> dict[int, DateCell]:
    """The cells of the column that covers the records and stands in order."""
    best: tuple[float, dict[int, DateCell]] = (0.0, {})
    for cells in table.date_columns.values():
        outside = {n: cell for n, cell in cells.items() if not _in_body(table, bodies, n, cell.element)}
        # Where a byline stands among the words, its column is nearly whole; dates in a text never are.
        inside = len(outside) < 0.5 * len(cells) and len(cells) >= 0.9 * len(table.records) > 1
        outside = cells if inside else outside
        moments = [m for m in read_cells(list(outside.values()), now) if m is not None]
        score = len(moments) / len(table.records) * (0.5 + 0.5 * monotony(moments)) * (0.6 if inside else 1.0)
        if score > best[0] + 1e-9:
            best = score, outside
    found = dict(best[1])
    for cell in table.dates:  # a record the column missed takes its own first date outside its body
        number = table.owner[cell.element]
        if number >= 0 and number not in found and not _in_body(table, bodies, number, cell.element):
            found[number] = cell
    return found


def _in_body(table: Table, bodies: dict[int, int], number: int, index: int) -> bool:
    return number in bodies and table.outline.is_under(index, bodies[number])


def _find_permalinks(table: Table, bodies: dict[int, int], people: dict[int, int]) -> dict[int, int]:
    """The column of links whose last number differs in each record, best when it rises."""
    outline = table.outline
    best: dict[int, int] = {}
    rank = 0.0
    for cells in table.columns.values():
        if len(cells) < 0.6 * len(table.records):
            continue
        numbers = {}
        if any(
            number in people and _touch(outline, index, people[number]) for number, index in cells.items()
        ):
            continue
        for number, index in cells.items():
            href = outline.hrefs[index]
            match = LAST_NUMBER.search(href) if href and not href.startswith("javascript:") else None
            if match and not _in_body(table, bodies, number, index):
                numbers[number] = match[1]
        if not numbers or len(set(numbers.values())) < 0.9 * len(numbers):
            continue
        fragments = sum("#" in (outline.hrefs[cells[n]] or "") for n in numbers) / len(numbers)
        score = len(numbers) / len(table.records) + _rising(list(numbers.values())) + 0.5 * fragments
        if score > rank:
            rank, best = score, {n: cells[n] for n in numbers}
    return best


def _touch(outline: Outline, one: int, other: int) -> bool:
    return outline.is_under(one, other) or outline.is_under(other, one)


def _rising(numbers: list[str]) -> float:
    values = [int(number) for number in numbers if len(number) < 19]
    up = sum(one < other for one, other in pairwise(values))
    return up / (len(values) - 1) if len(values) > 1 else 0.5


def record_ids(table: Table) -> dict[int, str]:
    """The site's own number of each record, from id attributes that are numbered alike."""
    shapes: dict[str, dict[int, str]] = {}
    for number, members in enumerate(table.members):
        for index in (*_holders(table, number), *members[:400]):
            named = numbered_name(table, index)
            if named:
                shapes.setdefault(named[0], {}).setdefault(number, named[1])
    best: dict[int, str] = {}
    for values in shapes.values():
        if len(set(values.values())) == len(values) and len(values) > len(best):
            best = values
    return best if len(best) >= 0.6 * len(table.records) else {}


def own_number(table: Table, number: int, shapes: Container[str]) -> str | None:
    """The number of a record by id attributes of known shapes."""
    for index in (*_holders(table, number), *table.members[number][:400]):
        named = numbered_name(table, index)
        if named and named[0] in shapes:
            return named[1]
    return None


def _holders(table: Table, number: int) -> list[int]:
    """The elements around a record in which it is the first: on nested layouts they carry its id."""
    outline = table.outline
    start = table.records[number].start
    before = table.records[number - 1].start if number else -1
    found: list[int] = []
    up = outline.parent[start]
    while up > before and up > 1 and len(found) < 2 and outline.children[up][0] <= start:
        if table.owner[up] not in {-1, number}:
            break
        found.append(up)
        up = outline.parent[up]
    return found


def numbered_name(table: Table, index: int) -> tuple[str, str] | None:
    """An element's id or anchor name with its number apart: ("post-#", "123")."""
    outline = table.outline
    name = outline.attribute(index, "id") or (
        outline.attribute(index, "name") if outline.tags[index] == "a" else None
    )
    match = LAST_NUMBER.search(name) if name else None
    if not name or not match or len(match[1]) >= 19:
        return None
    return re.sub(r"\d+", "#", name), match[1]
