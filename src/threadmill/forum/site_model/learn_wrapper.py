"""Learns the wrapper of a site: what the posts look like that were found on some of its pages."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from threadmill.forum.posts.post_columns import PostColumns, numbered_ids
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable, is_empty_anchor
from threadmill.forum.site_model.wrapper import (
    COLUMNS,
    NEAR,
    ElementKey,
    RecordShape,
    Wrapper,
    apply_wrapper,
    element_keys,
    has_own_words,
)

# A shape of record is kept if it was seen on two pages, or in a twentieth of all records.
_MIN_SHARE = 0.05
_LARGE_SHARE = 0.3  # of all records: such a shape is kept on its own
_NEARLY_ALWAYS = 0.8  # of the pages with a shape have the main one too
_MIN_WHOLE = 0.7  # of the records of a shape have author and date
_MIN_LEADS = 0.3  # of the pages have a first post that stands apart; later pages may have none
_MIN_LINKED = 0.1  # of the records have a permalink, where posts of some kind have one
_MIN_DATED = 0.2  # of the records have a date, where posts have dates
_RARE = 0.02  # of the records: a place seen less often is an error of one page
_MAX_PLACES = 6  # elements that are tried for one column
_DEPTHS = (NEAR, 4, 5, 6)  # names in the chain that tells the top of a record from other boxes, tried in turn
_MAX_SHAPES = 12  # more than a site has: nested posts may be split in several ways, and each way counts
_EXTRA_COST = 0.1  # of a body that the wrapper finds in addition
_GOOD = 0.98  # of the records are found again: no longer chain is needed
_MIN_FOUND = 0.5  # of the bodies are found again
_AROUND = 0.8  # worth of an element around a body: it has buttons or a signature too

Page = tuple[RecordTable, PostColumns]
Name = TypeVar("Name", ElementKey, str, int)


@dataclass(slots=True)
class _WrapperVotes:
    """Where the records of all pages have their parts, counted by the chain of their top."""

    tops: Counter[str] = field(default_factory=Counter)
    pages: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    anchors: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    heights: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    leads: dict[str, Counter[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(Counter))
    tails: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    bodies: dict[str, Counter[ElementKey]] = field(default_factory=lambda: defaultdict(Counter))
    whole: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)  # records at the head of their page
    marked: Counter[str] = field(default_factory=Counter)  # records with a date or an id
    columns: dict[str, Counter[ElementKey]] = field(default_factory=lambda: defaultdict(Counter))
    ids: Counter[str] = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)
    covered_of: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, table: RecordTable, columns: PostColumns, number: int, page: int, depth: int) -> None:
        """Count one record."""
        outline, record = table.outline, table.records[number]
        top = _top_of(outline, record)
        kind = outline.chain(top, depth)
        self.tops[kind] += 1
        self.pages[kind].add(page)
        self.anchors[kind][outline.chain(record.anchor, NEAR)] += 1
        self.heights[kind][outline.depth[record.anchor] - outline.depth[top]] += 1
        place = record.roots.index(top)
        lead = [i for i in record.roots[:place] if number or _holds_part(table, columns, number, i)]
        self.leads[kind][_symbols(outline, lead)] += 1
        self.tails[kind].update({outline.symbols[i] for i in record.roots[place + 1 :]})
        places = dict(element_keys(outline, table.members[number]))
        body = columns.bodies[number]
        if body in places and has_own_words(table, number, body):
            self.bodies[kind][places[body]] += 1
        had = self._add_columns(table, columns, number, places)
        self.covered.update(had)
        self.covered_of[kind].update(had)
        self.whole[kind] += "authors" in had and "dates" in had
        self.firsts[kind] += number == 0
        self.marked[kind] += "dates" in had or "ids" in had

    def kept_shapes(self) -> list[str]:
        """The shapes that are no errors of single pages: the main one, those like it, and leads."""
        total, found = self.tops.total(), self.tops.most_common(_MAX_SHAPES)
        main = found[0][0]
        usual = [
            kind
            for kind, count in found
            if kind == main
            or _is_kept(count / total, self.pages[kind], self.pages[main], self.whole[kind] / count)
        ]
        around = set[int]().union(*(self.pages[kind] for kind in usual))
        return [kind for kind, _ in found if kind in usual or self._is_lead(kind, around)]

    def _is_lead(self, kind: str, around: set[int]) -> bool:
        """Is a shape that of first posts, which stand apart from the replies? It heads pages, once each.

        Threads without a reply show nothing else.
        """
        count, pages = self.tops[kind], self.pages[kind]
        heads = self.firsts[kind] == count == len(pages)
        enough = len(pages & around) >= 2 and len(pages) >= _MIN_LEADS * len(around)
        return heads and enough and self.marked[kind] >= _MIN_WHOLE * count

    def _add_columns(
        self, table: RecordTable, columns: PostColumns, number: int, places: Mapping[int, ElementKey]
    ) -> list[str]:
        elements = {
            "authors": columns.authors[number].element if number in columns.authors else None,
            "dates": columns.dates[number].element if number in columns.dates else None,
            "links": columns.links.get(number),
        }
        had = [name for name, element in elements.items() if element is not None]
        for name in had:
            element = elements[name]
            if element is not None and element in places:
                self.columns[name][places[element]] += 1
        if number in columns.ids:
            if shape := _id_shape(table, number, columns.ids[number]):
                self.ids[shape] += 1
            had.append("ids")
        return had


def learn_wrapper(pages: Iterable[Page], order: str = "") -> Wrapper | None:
    """The wrapper with the shortest chains that find the records of the pages again. None without records.

    Nor is there one if it finds other bodies, or other ones of most first posts: such pages are read better
    without a wrapper. A body with the buttons below it is no other one.
    """
    known = _unwrap_lone_records(list(pages))
    best: tuple[float, Wrapper] | None = None
    for depth in _DEPTHS:
        wrapper = _learn(known, depth, order)
        if wrapper is None:
            return None
        found, wrapper = _drop_needless_shapes(wrapper, known)
        if best is None or found > best[0] + 1e-9:
            best = found, wrapper
        if found >= _GOOD:
            break
    if best is None or best[0] < _MIN_FOUND or _loses_first_posts(best[1], known):
        return None
    return best[1]


@dataclass(frozen=True, slots=True)
class _UsualRecords:
    """How the records of all pages are made, counted."""

    tops: Counter[str]  # chains of their main elements
    rows: Counter[tuple[str, ...]]  # symbols of those that are several siblings: rows of a table
    anchors: dict[tuple[str, ...], Counter[tuple[int, str]]]  # which sibling holds the anchor, and its chain
    boxes: dict[str, set[str]]  # chain of a box that held several records → chains of those records

    @classmethod
    def of(cls, pages: Sequence[Page]) -> _UsualRecords:
        """Count the records of some pages."""
        found = cls(Counter(), Counter(), defaultdict(Counter), defaultdict(set))
        for table, _ in pages:
            found._add(table)
        return found

    def _add(self, table: RecordTable) -> None:
        outline = table.outline
        inside: Counter[tuple[int, str]] = Counter()
        for record in table.records:
            top = up = _top_of(outline, record)
            chain = outline.chain(top, NEAR)
            self.tops[chain] += 1
            if len(record.roots) > 1:
                rows = _symbols(outline, record.roots)
                self.rows[rows] += 1
                self.anchors[rows][record.roots.index(top), outline.chain(record.anchor, NEAR)] += 1
            for _ in range(NEAR):
                up = max(0, outline.parent[up])
                inside[up, chain] += 1
        for (box, chain), count in inside.items():
            if count > 1:
                self.boxes[outline.chain(box, NEAR)].add(chain)


def _unwrap_lone_records(pages: Sequence[Page]) -> list[Page]:
    """The pages, where a record that fills a box around it begins at the element that others begin at.

    A question in a box of its own and a single comment take the whole box: nothing else in it stopped them.
    """
    usual = _UsualRecords.of(pages)
    unwrapped = [(_change_records(table, columns, usual, _unwrap), columns) for table, columns in pages]
    usual = _UsualRecords.of(unwrapped)
    return [(_change_records(table, columns, usual, _move_anchor), columns) for table, columns in unwrapped]


def _change_records(
    table: RecordTable,
    columns: PostColumns,
    usual: _UsualRecords,
    change: Callable[[PageOutline, PageRecord, Sequence[int], _UsualRecords], PageRecord],
) -> RecordTable:
    records = [
        change(table.outline, record, [record.anchor, *columns.parts_of(number)], usual)
        for number, record in enumerate(table.records)
    ]
    return RecordTable(table.outline, records, table.dates) if records != table.records else table


def _unwrap(
    outline: PageOutline, record: PageRecord, parts: Sequence[int], usual: _UsualRecords
) -> PageRecord:
    top = inner = _top_of(outline, record)
    best, most = record.roots, float(usual.tops[outline.chain(top, NEAR)])
    several = usual.boxes.get(outline.chain(top, NEAR), set())
    while all(outline.is_under(part, inner) for part in parts):
        chain = outline.chain(inner, NEAR)
        count = math.inf if inner != top and chain in several else usual.tops[chain]
        if count > most:
            best, most = (inner,), count
        rows = _symbols(outline, outline.children[inner])
        if len(rows) > 1 and usual.rows[rows] > most:
            best, most = tuple(outline.children[inner]), usual.rows[rows]
        if inner == record.anchor:
            break
        inner = outline.child_towards(inner, record.anchor)
    if best == record.roots:
        return record
    place = outline.child_position[best[0]]
    before = outline.children[outline.parent[best[0]]][place - 1 : place] if place else []
    named = [index for index in before if is_empty_anchor(outline, index)]  # <a name="p5"></a> tells the id
    return replace(record, roots=(*named, *best))


def _move_anchor(
    outline: PageOutline, record: PageRecord, _: Sequence[int], usual: _UsualRecords
) -> PageRecord:
    """The record with the anchor that most records of the same rows have.

    Each page is split alone, so the anchor may be the date in the first row here and a box in the last there.
    """
    anchors = usual.anchors.get(_symbols(outline, record.roots))
    if not anchors:
        return record
    place, chain = anchors.most_common(1)[0][0]
    root = record.roots[place]
    alike = [i for i in range(root, outline.end[root]) if outline.chain(i, NEAR) == chain]
    return replace(record, anchor=alike[0]) if alike else record


def _symbols(outline: PageOutline, elements: Iterable[int]) -> tuple[str, ...]:
    return tuple(outline.symbols[element] for element in elements)


def _learn(pages: Sequence[Page], depth: int, order: str) -> Wrapper | None:
    votes = _WrapperVotes()
    for page, (table, columns) in enumerate(pages):
        for number in range(len(table.records)):
            if number in columns.bodies:
                votes.add(table, columns, number, page, depth)
    total = votes.tops.total()
    if not total:
        return None
    shapes = tuple(
        RecordShape(
            kind,
            _frequent(votes.anchors[kind], _MAX_PLACES),
            votes.leads[kind].most_common(1)[0][0],
            tuple(sorted(votes.tails[kind])),
            _frequent(votes.bodies[kind]),
            {name: votes.covered_of[kind][name] / votes.tops[kind] for name in COLUMNS},
            () if _is_named(kind) else _frequent(votes.heights[kind]),
        )
        for kind in votes.kept_shapes()
    )
    columns_of = {name: _frequent(votes.columns[name], _MAX_PLACES) for name in ("authors", "dates", "links")}
    ids = _frequent(votes.ids, _MAX_PLACES)
    cover = {name: votes.covered[name] / total for name in COLUMNS}
    if cover["links"] < _MIN_LINKED:  # a button of one short page
        columns_of["links"] = ()
    if cover["dates"] < _MIN_DATED:  # days that posts speak of
        columns_of["dates"] = ()
    return Wrapper(shapes, **columns_of, ids=ids, depth=depth, pages=len(pages), cover=cover, order=order)


def _is_named(chain: str) -> bool:
    """Whether the last element of a chain has a class or an id."""
    return not {".", "@"}.isdisjoint(chain.rpartition("/")[2])


def _is_kept(share: float, pages: set[int], main: set[int], whole: float) -> bool:
    """Whether a shape other than the main one is kept.

    It must have authors and dates. It is kept if it makes up a large part of all records, or if it nearly
    always stands on pages with the main shape and is no rarity. Single pages may have been read wrongly.
    """
    if whole < _MIN_WHOLE:
        return False
    beside = len(pages & main)
    return share >= _LARGE_SHARE or (
        beside >= _NEARLY_ALWAYS * len(pages) and (share >= _MIN_SHARE or beside >= 2)
    )


def _top_of(outline: PageOutline, record: PageRecord) -> int:
    return next((root for root in record.roots if root <= record.anchor < outline.end[root]), record.roots[0])


def _holds_part(table: RecordTable, columns: PostColumns, number: int, sibling: int) -> bool:
    """Whether a sibling has the id, the author, the date or the body of a record.

    A bar of buttons above the first post has none. Other pages have a pager between it and the post.
    """
    named = [column[number].element for column in (columns.authors, columns.dates) if number in column]
    parts = [*named, *(body for body in [columns.bodies.get(number)] if body is not None)]
    end = table.outline.end[sibling]
    return any(True for _ in numbered_ids(table, sibling)) or any(sibling <= i < end for i in parts)


def _id_shape(table: RecordTable, number: int, wanted: str) -> str:
    names = (name for index in table.members[number] for name in numbered_ids(table, index))
    return next((shape for shape, value in names if value == wanted), "")


def _frequent(counts: Counter[Name], limit: int = 4) -> tuple[Name, ...]:
    total = counts.total()
    return tuple(key for key, count in counts.most_common(limit) if count >= _RARE * total)


def _drop_needless_shapes(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[float, Wrapper]:
    """The wrapper without shapes that find nothing more: nested posts may have been split in several ways."""
    best = _share_found_again(wrapper, pages)
    for shape in reversed(wrapper.shapes):
        if len(wrapper.shapes) > 1:
            fewer = replace(wrapper, shapes=tuple(other for other in wrapper.shapes if other is not shape))
            found = _share_found_again(fewer, pages)
            if found >= best:
                best, wrapper = found, fewer
    return best, wrapper


def _share_found_again(wrapper: Wrapper, pages: Sequence[Page]) -> float:
    """The share of the known bodies that the wrapper finds, each once.

    An element around a body counts nearly as much. A body that the wrapper finds in addition may be a post
    that was missed before, and costs little.
    """
    points = wanted = 0.0
    for table, columns in pages:
        ours = Counter(apply_wrapper(wrapper, table.outline)[1].bodies.values())
        theirs = set(columns.bodies.values())
        others = ours.keys() - theirs
        around = sum(_holds_one(table.outline, own, theirs - ours.keys()) for own in others)
        points += len(ours) - len(others) + _AROUND * around
        points -= ours.total() - len(ours) + _EXTRA_COST * (len(others) - around)
        wanted += len(theirs)
    return points / wanted if wanted else 0.0


def _holds_one(outline: PageOutline, index: int, bodies: Collection[int]) -> bool:
    """Whether an element holds exactly one of some bodies."""
    return sum(index < body < outline.end[index] for body in bodies) == 1


def _loses_first_posts(wrapper: Wrapper, pages: Sequence[Page]) -> bool:
    """Whether the wrapper finds other bodies of most first posts: each thread would lack its own.

    A first post of another layout is a small part of all records, but the one that each thread has.
    """
    lost = 0
    for table, columns in pages:
        first = columns.bodies.get(0)
        ours = apply_wrapper(wrapper, table.outline)[1].bodies.values()
        lost += first is not None and not any(
            own <= first and table.outline.end[first] <= table.outline.end[own] for own in ours
        )
    return 2 * lost > len(pages)
