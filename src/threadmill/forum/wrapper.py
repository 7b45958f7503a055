"""What the posts of one site look like, learnt once from its pages and applied by path to every later one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from threadmill.forum.cells import DateCell, date_at
from threadmill.forum.columns import numbered_name
from threadmill.forum.names import author_at
from threadmill.forum.outline import Outline
from threadmill.forum.posts import Columns
from threadmill.forum.records import Record
from threadmill.forum.table import Table

# A shape of record is kept when it was seen this often: on two pages, or in a twentieth of all records.
_MIN_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of record: its top element, what stands before and after it, and the kind of its body."""

    top: str
    lead: tuple[str, ...]
    tail: tuple[str, ...]
    bodies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Shapes of records and the kinds of their columns, the most frequent first; plain data."""

    shapes: tuple[Shape, ...]
    authors: tuple[str, ...]
    dates: tuple[str, ...]
    links: tuple[str, ...]
    ids: tuple[str, ...]
    pages: int = 0
    cover: dict[str, float] = field(default_factory=dict)  # column → share of learnt records that had it

    def to_json(self) -> dict[str, Any]:
        """Plain lists and strings."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Wrapper:
        """The wrapper that to_json() wrote."""
        shapes = tuple(
            Shape(s["top"], tuple(s["lead"]), tuple(s["tail"]), tuple(s["bodies"])) for s in data["shapes"]
        )
        columns = {name: tuple(data[name]) for name in ("authors", "dates", "links", "ids")}
        return cls(shapes, **columns, pages=data["pages"], cover=dict(data["cover"]))


def learn_wrapper(pages: Iterable[tuple[Table, Columns]]) -> Wrapper | None:
    """The wrapper of pages that were read directly."""
    tops: Counter[str] = Counter()
    on_pages: dict[str, set[int]] = defaultdict(set)
    leads: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    tails: dict[str, Counter[str]] = defaultdict(Counter)
    bodies: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    covered: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    total = read = 0
    for page, (table, columns) in enumerate(pages):
        read += 1
        outline = table.outline
        for number, record in enumerate(table.records):
            if number not in columns.bodies:
                continue
            total += 1
            top = _top_of(outline, record)
            kind = outline.kind(top)
            tops[kind] += 1
            on_pages[kind].add(page)
            place = record.roots.index(top)
            leads[kind][tuple(outline.symbols[i] for i in record.roots[:place])] += 1
            tails[kind].update({outline.symbols[i] for i in record.roots[place + 1 :]})
            bodies[kind][outline.kind(columns.bodies[number])] += 1
            had = _count_columns(table, columns, number, kinds)
            covered.update(had)
            whole[kind] += "authors" in had and "dates" in had
    if not total:
        return None
    main = tops.most_common(1)[0][0]
    shapes = tuple(
        Shape(kind, leads[kind].most_common(1)[0][0], tuple(sorted(tails[kind])), _frequent(bodies[kind]))
        for kind, count in tops.most_common(6)
        if kind == main or _belongs(count / total, on_pages[kind], on_pages[main], whole[kind] / count)
    )
    cover = {name: covered[name] / total for name in ("authors", "dates", "links", "ids")}
    columns_of = {name: _frequent(kinds[name], 6) for name in ("authors", "dates", "links", "ids")}
    return Wrapper(shapes, **columns_of, pages=read, cover=cover)


def _belongs(share: float, pages: set[int], main: set[int], whole: float) -> bool:
    """Another shape is kept beside the main one, or as a large part of all; never when half empty."""
    if whole < 0.7:
        return False
    beside = len(pages & main)
    return share >= 0.3 or (beside == len(pages) and (share >= _MIN_SHARE or beside >= 2))


def _top_of(outline: Outline, record: Record) -> int:
    return next((root for root in record.roots if root <= record.anchor < outline.end[root]), record.roots[0])


def _count_columns(table: Table, columns: Columns, number: int, kinds: dict[str, Counter[str]]) -> list[str]:
    outline = table.outline
    had = []
    if number in columns.authors:
        kinds["authors"][outline.kind(columns.authors[number].element)] += 1
        had.append("authors")
    if number in columns.dates:
        kinds["dates"][outline.kind(columns.dates[number].element)] += 1
        had.append("dates")
    if number in columns.links:
        kinds["links"][outline.kind(columns.links[number])] += 1
        had.append("links")
    if number in columns.ids:
        shape = next(
            (
                n[0]
                for i in table.members[number]
                if (n := numbered_name(table, i)) and n[1] == columns.ids[number]
            ),
            "",
        )
        kinds["ids"][shape] += 1
        had.append("ids")
    return had


def _frequent(counts: Counter[str], limit: int = 4) -> tuple[str, ...]:
    total = sum(counts.values())
    return tuple(kind for kind, count in counts.most_common(limit) if count >= 0.02 * total)


def apply_wrapper(wrapper: Wrapper, outline: Outline) -> tuple[Table, Columns, float]:
    """The records a wrapper finds on a page, their columns, and how well it fits: 1 wholly, 0 not at all."""
    records = _find_records(wrapper, outline)
    table = Table(outline, records, ())
    if not records:
        return table, Columns(), 0.0
    columns = Columns()
    for number, members in enumerate(table.members):
        _fill_record(wrapper, table, number, members, columns)
    return table, columns, _fit(wrapper, len(records), columns)


def _find_records(wrapper: Wrapper, outline: Outline) -> list[Record]:
    shapes = {shape.top: shape for shape in wrapper.shapes}
    last_symbols = {shape.top.rpartition("/")[2] for shape in wrapper.shapes}
    found = []
    for index, symbol in enumerate(outline.symbols):
        if symbol in last_symbols and (shape := shapes.get(outline.kind(index))):
            record = _record_at(outline, index, shape, shapes)
            if record and _has_body(outline, record, shape):
                found.append(record)
    return found


def _record_at(outline: Outline, top: int, shape: Shape, shapes: dict[str, Shape]) -> Record | None:
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    place = outline.place[top]
    head = siblings[place - len(shape.lead) : place] if shape.lead else []
    if tuple(outline.symbols[i] for i in head) != shape.lead:
        return None
    tail = []
    for sibling in siblings[place + 1 :] if shape.tail else []:
        if outline.symbols[sibling] not in shape.tail or outline.kind(sibling) in shapes:
            break
        tail.append(sibling)
    if shape.lead and tail:  # what leads the next record is not this one's tail
        tail = tail[: len(tail) - len(shape.lead)] if len(tail) >= len(shape.lead) else tail
    return Record(top, (*head, top, *tail))


def _has_body(outline: Outline, record: Record, shape: Shape) -> bool:
    symbols = {kind.rpartition("/")[2] for kind in shape.bodies}
    return any(
        outline.symbols[index] in symbols and outline.kind(index) in shape.bodies
        for start, end in record.spans(outline)
        for index in range(start, end)
    )


def _fill_record(wrapper: Wrapper, table: Table, number: int, members: list[int], columns: Columns) -> None:
    outline = table.outline
    by_kind: dict[str, list[int]] = defaultdict(list)
    for index in members:
        by_kind[outline.kind(index)].append(index)
    body = min(
        (by_kind[kind][0] for shape in wrapper.shapes for kind in shape.bodies if kind in by_kind),
        default=None,
    )
    if body is not None:
        columns.bodies[number] = body
    end = outline.end[body] if body is not None else -1

    def outside(kinds: tuple[str, ...]) -> Iterator[int]:
        for kind in kinds:
            yield from (i for i in by_kind.get(kind, ()) if body is None or not body <= i < end)

    author = next((a for i in outside(wrapper.authors) if (a := author_at(outline, i))), None)
    if author:
        columns.authors[number] = author
    cell = next((c for i in outside(wrapper.dates) if (c := date_at(outline, i))), None)
    if cell is None and wrapper.cover.get("dates", 0.0) > 0.5:
        cell = _any_date(outline, (i for i in members if not (body is not None and body <= i < end)))
    if cell:
        columns.dates[number] = cell
    link = next((i for i in outside(wrapper.links) if outline.hrefs[i]), None)
    if link is not None:
        columns.links[number] = link
    named = (
        next((n for i in members if (n := numbered_name(table, i)) and n[0] in wrapper.ids), None)
        if wrapper.ids
        else None
    )
    if named:
        columns.ids[number] = named[1]


def _any_date(outline: Outline, members: Iterable[int]) -> DateCell | None:
    """A date in a record where none stands in the usual places."""
    return next(
        (c for i in members if outline.text_length(i) <= 60 and (c := date_at(outline, i, days=False))), None
    )


def _fit(wrapper: Wrapper, size: int, columns: Columns) -> float:
    """How well the columns cover the records, against how well they did where they were learnt."""
    shares = []
    for name, cells in (("authors", columns.authors), ("dates", columns.dates)):
        expected = wrapper.cover.get(name, 0.0)
        if expected > 0.5:
            shares.append(min(1.0, len(cells) / size / expected))
    return min(shares) if shares else 1.0
