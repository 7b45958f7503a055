"""From values that repeat to the records that hold them: a run of siblings around each value."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from threadmill.forum.records.date_columns import PageDate
from threadmill.forum.records.page_outline import PageOutline

_MAX_RUN = 60  # siblings of one record; a post in a flat layout of headings and paragraphs has fewer


@dataclass(frozen=True, slots=True)
class PageRecord:
    """Consecutive siblings (indices of an outline) that show one thing; nested records are cut out."""

    anchor: int
    roots: tuple[int, ...]

    @property
    def start(self) -> int:
        """Its first element."""
        return self.roots[0]

    def spans(self, outline: PageOutline) -> Iterator[tuple[int, int]]:
        """Its element ranges."""
        for root in self.roots:
            yield root, outline.end[root]

    def holds(self, outline: PageOutline, index: int) -> bool:
        """Whether an element stands in it."""
        return any(root <= index < outline.end[root] for root in self.roots)


def split_records(outline: PageOutline, anchors: Sequence[int]) -> list[PageRecord]:
    """One record per anchor: climb while nothing else comes along, then take the siblings that belong."""
    tops = _climb(outline, anchors)
    if len(set(tops)) < len(tops):
        return []
    return _widen(outline, list(anchors), tops)


def _climb(outline: PageOutline, anchors: Sequence[int]) -> list[int]:
    """The highest element above each anchor that holds no other anchor."""
    meets = [outline.common_ancestor(one, other) for one, other in pairwise(anchors)]
    tops = []
    for position, anchor in enumerate(anchors):
        around = meets[max(position - 1, 0) : position + 1]
        lowest = max(around, key=lambda index: outline.depth[index]) if around else 0
        tops.append(outline.child_towards(lowest, anchor))
    return tops


def _widen(outline: PageOutline, anchors: list[int], tops: list[int]) -> list[PageRecord]:
    """Siblings without an anchor go to the record before them, or after when the first record says so."""
    taken = _holders(outline, tops)
    runs = [_run(outline, top, taken) for top in tops]
    lead = _lead_length(outline, runs, tops)
    tails = _known_tails(outline, runs, tops, lead)
    records = []
    for anchor, top, (before, after, bounded) in zip(anchors, tops, runs, strict=True):
        head = before[len(before) - lead :] if lead and len(before) >= lead else []
        tail = after[: len(after) - lead] if bounded and lead else after
        if not bounded:
            tail = _cut(outline, tail, tails)
        records.append(PageRecord(anchor, (*head, top, *tail)))
    return records


def _holders(outline: PageOutline, tops: Sequence[int]) -> set[int]:
    """The elements that are a record's top or hold one."""
    holding: set[int] = set()
    for top in tops:
        index = top
        while index >= 0 and index not in holding:
            holding.add(index)
            index = outline.parent[index]
    return holding


def _run(outline: PageOutline, top: int, taken: set[int]) -> tuple[list[int], list[int], bool]:
    """The free siblings before and after a top, and whether another record bounds them on the right."""
    siblings = outline.children[outline.parent[top]] if outline.parent[top] >= 0 else [top]
    place = outline.place[top]
    first = place
    while first > 0 and place - first < _MAX_RUN and siblings[first - 1] not in taken:
        first -= 1
    last = place + 1
    while last < len(siblings) and last - place <= _MAX_RUN and siblings[last] not in taken:
        last += 1
    bounded = last < len(siblings) and siblings[last] in taken
    return siblings[first:place], siblings[place + 1 : last], bounded


def _lead_length(outline: PageOutline, runs: list[tuple[list[int], list[int], bool]], tops: list[int]) -> int:
    """How many siblings before its top belong to a record: those that look alike before all of them."""
    befores = [
        before
        for (before, _, _), top in zip(runs, tops, strict=True)
        if outline.parent[top] == outline.parent[tops[0]]
    ]
    if len(befores) < 2:
        return 0
    first, others = befores[0], befores[1:]
    length = 0
    while length < len(first):
        wanted = _usual(outline, others, length)
        own = first[len(first) - length - 1]
        # An odd first record may call its lead otherwise, when there are enough others to know.
        alike = outline.symbols[own] == wanted or (
            len(others) > 1 and wanted is not None and wanted.startswith(f"{outline.tags[own]}.")
        )
        if not alike:
            break
        length += 1
    return 0 if length and _closes_last(outline, runs[-1][1], befores[-1], length) else length


def _usual(outline: PageOutline, befores: list[list[int]], length: int) -> str | None:
    """What stands at a place before nearly all tops."""
    found = Counter(
        outline.symbols[before[len(before) - length - 1]] for before in befores if len(before) > length
    )
    symbol, count = found.most_common(1)[0] if found else ("", 0)
    return symbol if count and count >= 0.8 * len(befores) else None


def _closes_last(outline: PageOutline, after: list[int], before: list[int], length: int) -> bool:
    """Whether what leads each record also follows the last one: then it ends records and leads none."""
    lead = before[len(before) - length :]
    if len(after) < length:
        return False
    return all(
        outline.symbols[one] == outline.symbols[other]
        and "." in outline.symbols[one]
        and (outline.text_length(one) > 0) == (outline.text_length(other) > 0)
        for one, other in zip(lead, after, strict=False)
    )


def _known_tails(
    outline: PageOutline, runs: list[tuple[list[int], list[int], bool]], tops: list[int], lead: int
) -> Counter[str]:
    """The symbols that follow tops inside bounded runs: what an unbounded run may keep."""
    known: Counter[str] = Counter()
    for (_, after, bounded), _ in zip(runs, tops, strict=True):
        if bounded:
            known.update({outline.symbols[index] for index in after[: len(after) - lead]})
    return known


def _cut(outline: PageOutline, tail: list[int], known: Counter[str]) -> list[int]:
    kept = []
    seen: Counter[str] = Counter()
    for index in tail:
        symbol = outline.symbols[index]
        seen[symbol] += 1
        if symbol not in known or seen[symbol] > 3:
            break
        kept.append(index)
    return kept


_INLINE = frozenset(
    ("a", "b", "strong", "span", "em", "i", "bdi", "cite", "dt", "td", "h2", "h3", "h4", "h5")
)
ColumnKey = tuple[str, int]  # what the element is, and its how-manieth in the record


_PHRASE = frozenset(("span", "time", "abbr", "em", "b", "strong", "a", "small", "i", "font", "u", "bdi"))


def _without_doubles(columns: dict[ColumnKey, dict[int, PageDate]]) -> dict[ColumnKey, dict[int, PageDate]]:
    """Columns by blocks only where they join what columns by kind keep apart."""
    covers = [set(cells) for (kind, _), cells in columns.items() if not kind.startswith("block ")]
    largest = max((len(cover) for cover in covers), default=0)
    return {
        key: cells
        for key, cells in columns.items()
        if not key[0].startswith("block ") or (len(cells) > largest and set(cells) not in covers)
    }


class RecordTable:
    """Records of one page, with the columns that hold them together."""

    def __init__(
        self, outline: PageOutline, records: Sequence[PageRecord], dates: Sequence[PageDate]
    ) -> None:
        self.outline = outline
        self.records = list(records)
        self.dates = dates

    @cached_property
    def owner(self) -> list[int]:
        """The record of each element, -1 for none; of nested records the inner one."""
        owners = [-1] * len(self.outline)
        for number, record in enumerate(self.records):
            for start, end in record.spans(self.outline):
                owners[start:end] = [number] * (end - start)
        return owners

    @cached_property
    def members(self) -> list[list[int]]:
        """The elements of each record."""
        found: list[list[int]] = [[] for _ in self.records]
        for index, number in enumerate(self.owner):
            if number >= 0:
                found[number].append(index)
        return found

    @cached_property
    def columns(self) -> dict[ColumnKey, dict[int, int]]:
        """Column → record → element."""
        found: dict[ColumnKey, dict[int, int]] = defaultdict(dict)
        for number, members in enumerate(self.members):
            seen: Counter[str] = Counter()
            for index in members:
                kind = self.kind(index)
                seen[kind] += 1
                if seen[kind] <= 3:
                    found[kind, seen[kind]][number] = index
        return found

    def kind(self, index: int) -> str:
        """What an element is; where records look alike, their own names (sticky, odd) say nothing."""
        if not self.same_root_tags:
            return self.outline.kind(index)
        parent = self.outline.parent
        up = parent[index]
        above = parent[up] if up >= 0 else -1
        return f"{self._name(above)}/{self._name(up)}/{self._name(index)}"

    def _name(self, index: int) -> str:
        if index < 0:
            return ""
        return self.outline.tags[index] if index in self.roots else self.outline.symbols[index]

    @cached_property
    def same_root_tags(self) -> bool:
        """Whether all records begin with the same elements by tag, so that their names may differ."""
        tags = self.outline.tags
        return len({tuple(tags[root] for root in record.roots[:2]) for record in self.records}) == 1

    def _loose_kind(self, index: int) -> str:
        parent, tags = self.outline.parent, self.outline.tags
        up = parent[index]
        above = parent[up] if up >= 0 else -1
        outer = (
            self._name(above) if self.same_root_tags else self.outline.symbols[above] if above >= 0 else ""
        )
        return f"{outer}//{tags[up] if up >= 0 else ''}/{tags[index]}"

    @cached_property
    def roots(self) -> set[int]:
        """The top elements of all records."""
        return {root for record in self.records for root in record.roots}

    @cached_property
    def loose_columns(self) -> dict[ColumnKey, dict[int, int]]:
        """The same for links and the like, where names of kinds differ from user to user."""
        found: dict[ColumnKey, dict[int, int]] = defaultdict(dict)
        for number, members in enumerate(self.members):
            seen: Counter[str] = Counter()
            for index in members:
                if self.outline.tags[index] in _INLINE:
                    kind = self._loose_kind(index)
                    seen[kind] += 1
                    if seen[kind] <= 3:
                        found[kind, seen[kind]][number] = index
        return found

    @cached_property
    def named_columns(self) -> dict[ColumnKey, dict[int, int]]:
        """Columns of small elements by their own name, wherever they stand: a guest's name is in no link."""
        found: dict[ColumnKey, dict[int, int]] = defaultdict(dict)
        outline = self.outline
        for number, members in enumerate(self.members):
            for index in members:
                symbol = outline.symbols[index]
                if "." not in symbol:
                    continue
                first = outline.text_from[index]
                if outline.text_to[index] - first == 1:  # the element that says it, a link or not
                    found[f"@{symbol}", 1].setdefault(number, outline.segment_owner[first])
        return found

    @cached_property
    def segments(self) -> list[list[int]]:
        """The text segments of each record."""
        found: list[list[int]] = [[] for _ in self.records]
        owner = self.owner
        for number, element in enumerate(self.outline.segment_owner):
            if owner[element] >= 0:
                found[owner[element]].append(number)
        return found

    @cached_property
    def repeated_texts(self) -> set[str]:
        """Texts that stand in half of the records or more: labels and buttons."""
        spread: Counter[str] = Counter()
        texts = self.outline.segments
        for segments in self.segments:
            spread.update({texts[number] for number in segments if len(texts[number]) < 60})
        enough = max(2, 0.5 * len(self.records))
        return {text for text, count in spread.items() if count >= enough}

    @cached_property
    def dated(self) -> set[int]:
        """The elements that say a date and little else."""
        found = set()
        for cell in self.dates:
            index = cell.element
            size = self.outline.text_length(index)
            for _ in range(3):
                found.add(index)
                index = self.outline.parent[index]
                if index < 0 or self.outline.text_length(index) > size + 3:
                    break
        return found

    @cached_property
    def date_columns(self) -> dict[ColumnKey, dict[int, PageDate]]:
        """Column → record → date cell."""
        found: dict[ColumnKey, dict[int, PageDate]] = defaultdict(dict)
        seen: Counter[tuple[int, str]] = Counter()
        for cell in self.dates:
            number = self.owner[cell.element]
            if number < 0:
                continue
            # "Yesterday" may stand in a span where an older date stands bare: the block is the same.
            for kind in (
                self.kind(cell.element),
                f"block {self.kind(self._block(cell.element))}",
            ):
                seen[number, kind] += 1
                found[kind, seen[number, kind]][number] = cell
        return _without_doubles(found)

    def _block(self, index: int) -> int:
        while self.outline.tags[index] in _PHRASE and index not in self.roots:
            index = self.outline.parent[index]
        return index
