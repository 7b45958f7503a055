"""Records side by side: the same thing in each record makes a column."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from threadmill.forum.records.date_cells import DateCell
from threadmill.forum.records.outline import Outline
from threadmill.forum.records.records import Record

_INLINE = frozenset(
    ("a", "b", "strong", "span", "em", "i", "bdi", "cite", "dt", "td", "h2", "h3", "h4", "h5")
)
Key = tuple[str, int]  # what the element is, and its how-manieth in the record


_PHRASE = frozenset(("span", "time", "abbr", "em", "b", "strong", "a", "small", "i", "font", "u", "bdi"))


def _without_doubles(columns: dict[Key, dict[int, DateCell]]) -> dict[Key, dict[int, DateCell]]:
    """Columns by blocks only where they join what columns by kind keep apart."""
    covers = [set(cells) for (kind, _), cells in columns.items() if not kind.startswith("block ")]
    largest = max((len(cover) for cover in covers), default=0)
    return {
        key: cells
        for key, cells in columns.items()
        if not key[0].startswith("block ") or (len(cells) > largest and set(cells) not in covers)
    }


class Table:
    """Records of one page, with the columns that hold them together."""

    def __init__(self, outline: Outline, records: Sequence[Record], dates: Sequence[DateCell]) -> None:
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
    def columns(self) -> dict[Key, dict[int, int]]:
        """Column → record → element."""
        found: dict[Key, dict[int, int]] = defaultdict(dict)
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
        if not self.names_roots:
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
    def names_roots(self) -> bool:
        """Whether all records begin with the same elements by tag, so that their names may differ."""
        tags = self.outline.tags
        return len({tuple(tags[root] for root in record.roots[:2]) for record in self.records}) == 1

    def _loose_kind(self, index: int) -> str:
        parent, tags = self.outline.parent, self.outline.tags
        up = parent[index]
        above = parent[up] if up >= 0 else -1
        outer = self._name(above) if self.names_roots else self.outline.symbols[above] if above >= 0 else ""
        return f"{outer}//{tags[up] if up >= 0 else ''}/{tags[index]}"

    @cached_property
    def roots(self) -> set[int]:
        """The top elements of all records."""
        return {root for record in self.records for root in record.roots}

    @cached_property
    def loose_columns(self) -> dict[Key, dict[int, int]]:
        """The same for links and the like, where names of kinds differ from user to user."""
        found: dict[Key, dict[int, int]] = defaultdict(dict)
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
    def named_columns(self) -> dict[Key, dict[int, int]]:
        """Columns of small elements by their own name, wherever they stand: a guest's name is in no link."""
        found: dict[Key, dict[int, int]] = defaultdict(dict)
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
    def boilerplate(self) -> set[str]:
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
    def date_columns(self) -> dict[Key, dict[int, DateCell]]:
        """Column → record → date cell."""
        found: dict[Key, dict[int, DateCell]] = defaultdict(dict)
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
