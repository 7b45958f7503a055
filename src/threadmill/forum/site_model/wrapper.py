"""What the posts of one site look like, as plain data, and how that finds them on a page by path."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from threadmill.forum.posts.authors import PostAuthor, author_at
from threadmill.forum.posts.post_columns import PostColumns, find_record_id
from threadmill.forum.records.date_columns import PageDate, find_date_in
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable

NEAR = 3  # names that say what a column's element is: its own and the two around it
ElementKey = tuple[str, int]  # a chain of names, and its how-manieth in the record
COLUMNS = ("authors", "dates", "links", "ids")
# A record with less than this share of what nearly all records have is something else: an advertisement.
_KIN = 0.5
_NEARLY_ALL = 0.85
MAX_TAIL = 60  # siblings of one record, as where records are found directly


@dataclass(frozen=True, slots=True)
class RecordShape:
    """One kind of record: its top element, what stands before and after it, and the kinds of its body."""

    top: str
    anchors: tuple[str, ...]  # kinds of the element in the top by which a record is known
    lead: tuple[str, ...]
    tail: tuple[str, ...]
    bodies: tuple[ElementKey, ...]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Shapes of records and the kinds of their columns, the most frequent first; plain data."""

    shapes: tuple[RecordShape, ...]
    authors: tuple[ElementKey, ...]
    dates: tuple[ElementKey, ...]
    links: tuple[ElementKey, ...]
    ids: tuple[str, ...]
    depth: int = NEAR  # names in a shape's top
    pages: int = 0
    cover: dict[str, float] = field(default_factory=dict)  # column → share of learnt records that had it
    order: str = ""  # of day, month and year in numbers, settled by all pages: "dmy"

    def to_json(self) -> dict[str, Any]:
        """Plain lists and strings."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Wrapper:
        """The wrapper that to_json() wrote."""
        shapes = tuple(
            RecordShape(s["top"], tuple(s["anchors"]), tuple(s["lead"]), tuple(s["tail"]), _keys(s["bodies"]))
            for s in data["shapes"]
        )
        return cls(
            shapes,
            authors=_keys(data["authors"]),
            dates=_keys(data["dates"]),
            links=_keys(data["links"]),
            ids=tuple(data["ids"]),
            depth=data["depth"],
            pages=data["pages"],
            cover=dict(data["cover"]),
            order=data["order"],
        )


def _keys(data: Iterable[Any]) -> tuple[ElementKey, ...]:
    return tuple((str(kind), int(place)) for kind, place in data)


def element_keys(outline: PageOutline, members: Iterable[int]) -> Iterator[tuple[int, ElementKey]]:
    """What each element of a record is."""
    seen: Counter[str] = Counter()
    for index in members:
        kind = outline.chain(index, NEAR)
        seen[kind] += 1
        yield index, (kind, seen[kind])


def apply_wrapper(wrapper: Wrapper, outline: PageOutline) -> tuple[RecordTable, PostColumns, float]:
    """The records a wrapper finds on a page, their columns, and how well it fits: 1 wholly, 0 not at all."""
    table = RecordTable(outline, find_records(wrapper, outline), ())
    columns = _fill(wrapper, table)
    kept = [n for n in range(len(table.records)) if n in columns.bodies and _is_kin(wrapper, columns, n)]
    if len(kept) < len(table.records):
        table = RecordTable(outline, [table.records[number] for number in kept], ())
        columns = _fill(wrapper, table)
    return table, columns, _fit(wrapper, len(table.records), columns)


def find_records(wrapper: Wrapper, outline: PageOutline) -> list[PageRecord]:
    """What looks like a record by its top element and its neighbours."""
    tops = _find_tops(wrapper, outline)
    records = (_record_at(outline, top, tops[top], tops) for top in sorted(tops))
    return [record for record in records if record]


def _find_tops(wrapper: Wrapper, outline: PageOutline) -> dict[int, RecordShape]:
    """From what every record has once up to the nearest element that is called like a record."""
    shapes = {shape.top: shape for shape in wrapper.shapes}
    top_names = {shape.top.rpartition("/")[2] for shape in wrapper.shapes}
    anchors = {kind for shape in wrapper.shapes for kind in shape.anchors}
    last_names = {kind.rpartition("/")[2] for kind in anchors}
    found: dict[int, RecordShape] = {}
    for index, name in enumerate(outline.names):
        if name not in last_names or (kind := outline.chain(index, NEAR)) not in anchors:
            continue
        up = index
        while up >= 0:
            if outline.names[up] in top_names:
                shape = shapes.get(outline.chain(up, wrapper.depth))
                if shape and kind in shape.anchors:
                    found[up] = shape
                    break
            up = outline.parent[up]
    return found


def _record_at(outline: PageOutline, top: int, shape: RecordShape, tops: Container[int]) -> PageRecord | None:
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    place = outline.child_position[top]
    head = siblings[max(0, place - len(shape.lead)) : place] if shape.lead else []
    if tuple(outline.symbols[i] for i in head) != shape.lead:
        return None
    tail: list[int] = []
    bounded = False
    for sibling in siblings[place + 1 :] if shape.tail else []:
        bounded = sibling in tops
        if bounded or outline.symbols[sibling] not in shape.tail:
            break
        tail.append(sibling)
    if shape.lead and bounded:  # what leads the next record is not this one's tail
        tail = tail[: max(0, len(tail) - len(shape.lead))]
    return PageRecord(top, (*head, top, *tail[:MAX_TAIL]))


def _fill(wrapper: Wrapper, table: RecordTable) -> PostColumns:
    columns = PostColumns()
    for number, members in enumerate(table.members):
        _fill_record(wrapper, table, number, members, columns)
    return columns


def _fill_record(
    wrapper: Wrapper, table: RecordTable, number: int, members: list[int], columns: PostColumns
) -> None:
    outline = table.outline
    by_key = {key: index for index, key in element_keys(outline, members)}
    by_kind: dict[str, list[int]] = defaultdict(list)
    for (kind, _), index in by_key.items():
        by_kind[kind].append(index)
    body = _find_body(wrapper, table, number, by_key, by_kind)
    if body is not None:
        columns.bodies[number] = body

    def options(keys: tuple[ElementKey, ...]) -> Iterator[int]:
        """Elements in the usual places: outside the body first, and before others of their kind."""
        exact = [by_key[key] for key in keys if key in by_key]
        alike = [index for kind, _ in keys for index in by_kind.get(kind, ())]
        outer = [i for i in (*exact, *alike) if body is None or not outline.is_under(i, body)]
        yield from outer
        yield from (index for index in exact if index not in outer)

    author = next((a for i in options(wrapper.authors) if (a := author_at(outline, i))), None)
    if author is None:
        author = _guest(wrapper, outline, members, body)
    if author:
        columns.authors[number] = author
    cell = next((c for i in options(wrapper.dates) if (c := find_date_in(outline, i))), None)
    if cell is None and wrapper.cover.get("dates", 0.0) > 0.5:
        cell = _any_date(outline, (i for i in members if body is None or not outline.is_under(i, body)))
    if cell:
        columns.dates[number] = cell
    link = next((i for i in options(wrapper.links) if outline.hrefs[i]), None)
    if link is not None:
        columns.links[number] = link
    named = find_record_id(table, number, wrapper.ids) if wrapper.ids else None
    if named:
        columns.ids[number] = named


def _find_body(
    wrapper: Wrapper,
    table: RecordTable,
    number: int,
    by_key: dict[ElementKey, int],
    by_kind: dict[str, list[int]],
) -> int | None:
    """The body in its usual place, of the record's own shape first."""
    top = table.outline.chain(table.records[number].anchor, wrapper.depth)
    shapes = sorted(wrapper.shapes, key=lambda shape: shape.top != top)
    keys = [key for shape in shapes for key in shape.bodies]
    exact = [by_key[key] for key in keys if key in by_key]
    if exact:
        return next((body for body in exact if has_own_words(table, number, body)), exact[0])
    return next((by_kind[kind][-1] for kind, _ in keys if kind in by_kind), None)


def has_own_words(table: RecordTable, number: int, index: int) -> bool:
    """Whether at least half of an element's text is the record's, not that of comments in it."""
    outline = table.outline
    own = whole = 0
    for segment in range(outline.text_from[index], outline.text_to[index]):
        length = len(outline.segments[segment])
        whole += length
        own += length * (table.owner[outline.segment_owner[segment]] == number)
    return own > 0 and 2 * own >= whole


def _guest(wrapper: Wrapper, outline: PageOutline, members: list[int], body: int | None) -> PostAuthor | None:
    """A guest's name stands bare where others' names are links to profiles, or have links around them."""
    chains = [kind.split("/") for kind, _ in wrapper.authors]
    holders = {(chain[-3], chain[-2]) for chain in chains}
    holders |= {(chain[-3], chain[-1]) for chain in chains if chain[-2].partition(".")[0] == "a"}
    # Or the same name is that of another element there: a.user of members, span.user of guests.
    alike = {(chain[-2], chain[-1].partition(".")[2]) for chain in chains if "." in chain[-1]}
    for index in members:
        here = (outline.names[outline.parent[index]] if index else "", outline.names[index])
        called = (here[0], here[1].partition(".")[2])
        if (here in holders or called in alike) and (body is None or not outline.is_under(index, body)):
            author = author_at(outline, index)
            if author:
                return author
    return None


def _any_date(outline: PageOutline, members: Iterable[int]) -> PageDate | None:
    """A date in a record where none stands in the usual places."""
    return next(
        (c for i in members if outline.text_length(i) <= 60 and (c := find_date_in(outline, i, days=False))),
        None,
    )


def _expected(wrapper: Wrapper, least: float) -> list[str]:
    return [name for name in COLUMNS if wrapper.cover.get(name, 0.0) > least]


def _is_kin(wrapper: Wrapper, columns: PostColumns, number: int) -> bool:
    """Whether a record has what nearly all records of the site have."""
    expected = _expected(wrapper, _NEARLY_ALL)
    had = sum(number in getattr(columns, name) for name in expected)
    return had >= _KIN * len(expected)


def _fit(wrapper: Wrapper, size: int, columns: PostColumns) -> float:
    """How well the columns cover the records, against how well they did where they were learnt."""
    if not size:
        return 0.0
    shares = [
        min(1.0, len(getattr(columns, name)) / size / wrapper.cover[name]) for name in _expected(wrapper, 0.5)
    ]
    return sum(shares) / len(shares) if shares else 1.0
