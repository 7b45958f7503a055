"""Learns the wrapper of a site from pages that were read without one, and tests it on the same pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from threadmill.forum.posts.post_columns import PostColumns, split_numbered_id
from threadmill.forum.records.page_outline import PageOutline
from threadmill.forum.records.record_table import PageRecord, RecordTable
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
_MIN_WHOLE = 0.7  # of the records of a shape have author and date
_RARE = 0.02  # of the records: a place seen less often is an error of one page
_MAX_PLACES = 6  # elements that are tried for one column
_DEPTHS = (NEAR, 4, 5, 6)  # names in the chain that tells the top of a record from other boxes, tried in turn
_MAX_SHAPES = 12  # more than a site has: nested posts may be split in several ways, and each way counts
_EXTRA_COST = 0.1  # of a body that the wrapper finds in addition
_GOOD = 0.98  # of the records are found again: no longer chain is needed

Page = tuple[RecordTable, PostColumns]
Name = TypeVar("Name", ElementKey, str)


@dataclass(slots=True)
class _WrapperVotes:
    """Where the records of all pages have their parts, counted by the chain of their top."""

    tops: Counter[str] = field(default_factory=Counter)
    pages: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    anchors: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    leads: dict[str, Counter[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(Counter))
    tails: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    bodies: dict[str, Counter[ElementKey]] = field(default_factory=lambda: defaultdict(Counter))
    whole: Counter[str] = field(default_factory=Counter)
    columns: dict[str, Counter[ElementKey]] = field(default_factory=lambda: defaultdict(Counter))
    ids: Counter[str] = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)

    def add(self, table: RecordTable, columns: PostColumns, number: int, page: int, depth: int) -> None:
        """Count one record."""
        outline, record = table.outline, table.records[number]
        top = _top_of(outline, record)
        kind = outline.chain(top, depth)
        self.tops[kind] += 1
        self.pages[kind].add(page)
        self.anchors[kind][outline.chain(record.anchor, NEAR)] += 1
        place = record.roots.index(top)
        self.leads[kind][tuple(outline.symbols[i] for i in record.roots[:place])] += 1
        self.tails[kind].update({outline.symbols[i] for i in record.roots[place + 1 :]})
        places = dict(element_keys(outline, table.members[number]))
        body = columns.bodies[number]
        if body in places and has_own_words(table, number, body):
            self.bodies[kind][places[body]] += 1
        had = self._add_columns(table, columns, number, places)
        self.covered.update(had)
        self.whole[kind] += "authors" in had and "dates" in had

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
            self.ids[_id_shape(table, number, columns.ids[number])] += 1
            had.append("ids")
        return had


def learn_wrapper(pages: Iterable[Page], order: str = "") -> Wrapper | None:
    """The wrapper with the shortest chains that find the records of the pages again. None without records."""
    known = list(pages)
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
    return best[1] if best else None


def _learn(pages: Sequence[Page], depth: int, order: str) -> Wrapper | None:
    votes = _WrapperVotes()
    for page, (table, columns) in enumerate(pages):
        for number in range(len(table.records)):
            if number in columns.bodies:
                votes.add(table, columns, number, page, depth)
    total = votes.tops.total()
    if not total:
        return None
    main = votes.tops.most_common(1)[0][0]
    shapes = tuple(
        RecordShape(
            kind,
            _frequent(votes.anchors[kind], _MAX_PLACES),
            votes.leads[kind].most_common(1)[0][0],
            tuple(sorted(votes.tails[kind])),
            _frequent(votes.bodies[kind]),
        )
        for kind, count in votes.tops.most_common(_MAX_SHAPES)
        if kind == main
        or _is_kept(count / total, votes.pages[kind], votes.pages[main], votes.whole[kind] / count)
    )
    columns_of = {name: _frequent(votes.columns[name], _MAX_PLACES) for name in ("authors", "dates", "links")}
    ids = _frequent(votes.ids, _MAX_PLACES)
    cover = {name: votes.covered[name] / total for name in COLUMNS}
    return Wrapper(shapes, **columns_of, ids=ids, depth=depth, pages=len(pages), cover=cover, order=order)


def _is_kept(share: float, pages: set[int], main: set[int], whole: float) -> bool:
    """Whether a shape other than the main one is kept.

    It must have authors and dates. It is kept if it makes up a large part of all records, or if it always
    stands on pages with the main shape and is no rarity.
    """
    if whole < _MIN_WHOLE:
        return False
    beside = len(pages & main)
    return share >= _LARGE_SHARE or (beside == len(pages) and (share >= _MIN_SHARE or beside >= 2))


def _top_of(outline: PageOutline, record: PageRecord) -> int:
    return next((root for root in record.roots if root <= record.anchor < outline.end[root]), record.roots[0])


def _id_shape(table: RecordTable, number: int, wanted: str) -> str:
    names = (split_numbered_id(table, index) for index in table.members[number])
    return next((name[0] for name in names if name and name[1] == wanted), "")


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

    A body that it finds in addition may be a post that was missed before, and costs little.
    """
    points = wanted = 0.0
    for table, columns in pages:
        ours = Counter(apply_wrapper(wrapper, table.outline)[1].bodies.values())
        theirs = set(columns.bodies.values())
        twice = ours.total() - len(ours)
        points += len(ours.keys() & theirs) - twice - _EXTRA_COST * len(ours.keys() - theirs)
        wanted += len(theirs)
    return points / wanted if wanted else 0.0
