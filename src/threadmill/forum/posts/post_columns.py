"""Which columns of a table are the posts' bodies, authors, dates and addresses, from the page alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from threadmill.forum.posts.authors import PostAuthor, fill_authors, find_authors
from threadmill.forum.posts.bodies import TextWeights, find_bodies
from threadmill.forum.posts.quotes_and_signatures import EDIT_WORDS
from threadmill.forum.records.date_columns import PageDate, read_page_dates, sort_key, sorted_share
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import ColumnKey, RecordTable
from threadmill.types import Moment, Precision

_DateColumn = tuple[dict[int, PageDate], dict[int, Moment]]
_PUBLISHED = frozenset(("datePublished", "dateCreated"))
_BEFORE_NUMBER = re.compile(r"\D*")
_OF_COMMENTS = 0.8  # of the worth of dates that stand once in a record; later ones are worth 1.1
_BY_LENGTH = 0.0005  # a character: of "/post/5/" and "/post/5/quote/" the shorter leads to the post
_VAGUE = frozenset((Precision.YEAR, Precision.MONTH))


LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")


@dataclass(frozen=True, slots=True)
class PostColumns:
    """Where in each record (by number) a post's parts stand."""

    bodies: dict[int, int] = field(default_factory=dict)
    authors: dict[int, PostAuthor] = field(default_factory=dict)
    dates: dict[int, PageDate] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)  # permalinks
    ids: dict[int, str] = field(default_factory=dict)


def find_post_columns(table: RecordTable, now: datetime) -> PostColumns:
    """The columns of a table that looks like posts."""
    authors = find_authors(table)
    skip = {cell.element for cell in table.dates} | {author.element for author in authors.authors.values()}
    masses = TextWeights(table, skip)
    bodies = {number: body for number, body in enumerate(find_bodies(table, masses)) if body is not None}
    authors = fill_authors(table, authors, bodies)
    links = _find_permalinks(table, bodies, {n: a.element for n, a in authors.authors.items()})
    ids = find_record_ids(table)
    if len(table.records) > 1 and len(links) >= 0.6 * len(table.records) and _are_places(list(ids.values())):
        ids = {}  # the number in the permalink names the post, these only its place on the page
    return PostColumns(bodies, authors.authors, _find_dates(table, bodies, now), links, ids)


def _are_places(numbers: list[str]) -> bool:
    """Whether numbers only count: 0, 1, 2, …"""
    return [int(number) for number in numbers] in (
        list(range(len(numbers))),
        list(range(1, len(numbers) + 1)),
    )


def _find_dates(table: RecordTable, bodies: dict[int, int], now: datetime) -> dict[int, PageDate]:
    """The cells of the column that covers the records and stands in order."""
    best: tuple[float, dict[int, PageDate], dict[int, Moment]] = (0.0, {}, {})
    inner = {key for key, cells in table.date_columns.items() if _is_repeated(table, key, cells)}
    for key, cells in table.date_columns.items():
        outside = {n: cell for n, cell in cells.items() if not _in_body(table, bodies, n, cell.element)}
        # Where a byline stands among the words, its column is nearly whole; dates in a text never are.
        inside = len(outside) < 0.5 * len(cells) and len(cells) >= 0.8 * len(table.records)
        chosen = {n: c for n, c in (cells if inside else outside).items() if not _tells_edit(table, c)}
        column = _read_column(chosen, now)
        score = _date_score(table, column) * (0.6 if inside else 1.0) * _said_published(table, chosen)
        score *= _OF_COMMENTS if key in inner else 1.0
        if score * _lateness(bodies, (chosen, column), best[1:]) > best[0] + 1e-9:
            best = score, chosen, column
    found = dict(best[1])
    for cell in table.dates:  # a record the column missed takes its own first date outside its body
        number = table.owner[cell.element]
        if number >= 0 and number not in found and not _in_body(table, bodies, number, cell.element):
            found[number] = cell
    for cell in table.dates:  # and one with neither takes the first that heads its words
        number = table.owner[cell.element]
        if number >= 0 and number not in found and _heads(table, bodies, number, cell):
            found[number] = cell
    return found


def _is_repeated(table: RecordTable, key: ColumnKey, cells: dict[int, PageDate]) -> bool:
    """Whether half of the records that have a date of this kind have a second one: those of comments."""
    kind, place = key
    others = table.date_columns.get((kind, 3 - place), {}) if place <= 2 else cells
    return len(others.keys() & cells.keys()) * 2 >= len(cells)


def _heads(table: RecordTable, bodies: dict[int, int], number: int, cell: PageDate) -> bool:
    """Whether a date stands in the first quarter of a body, where a byline would."""
    outline, body = table.outline, bodies.get(number)
    if body is None or _tells_edit(table, cell):
        return False
    before = outline.text_before
    ahead = before[outline.text_from[cell.element]] - before[outline.text_from[body]]
    return ahead < max(60, 0.25 * outline.text_length(body))


def _tells_edit(table: RecordTable, cell: PageDate) -> bool:
    """Whether a date is that of a change, by its words or by what its markup calls it."""
    named = table.outline.attribute(cell.element, "itemprop") or ""
    # What stands after the date may tell of a second one: "20 April 11:17 (last edited 12:01)".
    return "modif" in named.lower() or bool(EDIT_WORDS.search(_BEFORE_NUMBER.match(cell.text)[0]))  # type: ignore[index]


def _said_published(table: RecordTable, cells: dict[int, PageDate]) -> float:
    """schema.org's word for the date of a post is believed where it stands at most of the column."""
    said = sum(
        (table.outline.attribute(cell.element, "itemprop") or "") in _PUBLISHED for cell in cells.values()
    )
    return 1.3 if said > 0.5 * len(cells) else 1.0


def _lateness(bodies: dict[int, int], one: _DateColumn, other: _DateColumn) -> float:
    """Nobody writes before joining: of two columns the one that is never earlier has the posts' dates.

    But for one below the words where the other stands above them: that tells of a change.
    """
    for first, second, factor in ((one, other, 1.1), (other, one, 1 / 1.1)):
        if _never_earlier(first[1], second[1]):
            timed = all(moment.time is not None for moment in second[1].values())  # join dates are days
            edited = timed and _below(bodies, first[0]) and not _below(bodies, second[0])
            return 1 / factor if edited else factor
    return 1.0


def _below(bodies: dict[int, int], cells: dict[int, PageDate]) -> bool:
    return sum(n in bodies and cell.element > bodies[n] for n, cell in cells.items()) > 0.5 * len(cells)


def _read_column(cells: dict[int, PageDate], now: datetime) -> dict[int, Moment]:
    """The moments of a column."""
    moments = zip(cells, read_page_dates(list(cells.values()), now), strict=True)
    return {number: moment for number, moment in moments if moment is not None}


def _date_score(table: RecordTable, column: dict[int, Moment]) -> float:
    """How much a column of dates covers the records, stands in order and tells the time of day."""
    moments = list(column.values())
    if not moments:
        return 0.0
    timed = sum(moment.time is not None for moment in moments) / len(moments)
    vague = sum(moment.precision in _VAGUE for moment in moments) / len(moments)
    order = 0.5 + 0.5 * sorted_share(moments)
    return len(moments) / len(table.records) * order * (1.0 + 0.1 * timed - 0.3 * vague)


def _never_earlier(one: dict[int, Moment], other: dict[int, Moment]) -> bool:
    """Whether a column is later than another in every record both have, and they have most."""
    both = one.keys() & other.keys()
    if len(both) < 0.7 * max(len(one), len(other)) or not both:
        return False
    return all(sort_key(one[number]) > sort_key(other[number]) for number in both)


def _in_body(table: RecordTable, bodies: dict[int, int], number: int, index: int) -> bool:
    return number in bodies and table.outline.is_under(index, bodies[number])


def _find_permalinks(table: RecordTable, bodies: dict[int, int], people: dict[int, int]) -> dict[int, int]:
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
        score -= _BY_LENGTH * sum(len(outline.hrefs[cells[n]] or "") for n in numbers) / len(numbers)
        if score > rank:
            rank, best = score, {n: cells[n] for n in numbers}
    return best


def _touch(outline: PageOutline, one: int, other: int) -> bool:
    return outline.is_under(one, other) or outline.is_under(other, one)


def _rising(numbers: list[str]) -> float:
    values = [int(number) for number in numbers if len(number) < 19]
    up = sum(one < other for one, other in pairwise(values))
    return up / (len(values) - 1) if len(values) > 1 else 0.5


def find_record_ids(table: RecordTable) -> dict[int, str]:
    """The site's own number of each record, from id attributes that are numbered alike."""
    if len(table.records) == 1:
        return _only_id(table)
    shapes: dict[str, dict[int, str]] = {}
    for number, members in enumerate(table.members):
        for index in (*_holders(table, number), *members[:400]):
            named = split_numbered_id(table, index)
            if named:
                shapes.setdefault(named[0], {}).setdefault(number, named[1])
    best: dict[int, str] = {}
    for values in shapes.values():
        if len(set(values.values())) == len(values) and len(values) > len(best):
            best = values
    return best if len(best) >= 0.6 * len(table.records) else {}


def _only_id(table: RecordTable) -> dict[int, str]:
    """The number that most ids in the only record have; 0 is a place and names nothing."""
    named = (split_numbered_id(table, index) for index in table.members[0][:400])
    numbers = Counter(name[1] for name in named if name and name[1] != "0")
    return {0: numbers.most_common(1)[0][0]} if numbers else {}


def find_record_id(table: RecordTable, number: int, shapes: Container[str]) -> str | None:
    """The number of a record by id attributes of known shapes."""
    for index in (*_holders(table, number), *table.members[number][:400]):
        named = split_numbered_id(table, index)
        if named and named[0] in shapes:
            return named[1]
    return None


def _holders(table: RecordTable, number: int) -> list[int]:
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


def split_numbered_id(table: RecordTable, index: int) -> tuple[str, str] | None:
    """An element's id or anchor name with its number apart: ("post-#", "123")."""
    outline = table.outline
    name = outline.attribute(index, "id") or (
        outline.attribute(index, "name") if outline.tags[index] == "a" else None
    )
    match = LAST_NUMBER.search(name) if name else None
    if not name or not match or len(match[1]) >= 19:
        return None
    return re.sub(r"\d+", "#", name), match[1]
