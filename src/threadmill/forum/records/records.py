"""From values that repeat to the records that hold them: a run of siblings around each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from threadmill.forum.records.outline import Outline

_MAX_RUN = 60  # siblings of one record; a post in a flat layout of headings and paragraphs has fewer


@dataclass(frozen=True, slots=True)
class Record:
    """Consecutive siblings (indices of an outline) that show one thing; nested records are cut out."""

    anchor: int
    roots: tuple[int, ...]

    @property
    def start(self) -> int:
        """Its first element."""
        return self.roots[0]

    def spans(self, outline: Outline) -> Iterator[tuple[int, int]]:
        """Its element ranges."""
        for root in self.roots:
            yield root, outline.end[root]

    def holds(self, outline: Outline, index: int) -> bool:
        """Whether an element stands in it."""
        return any(root <= index < outline.end[root] for root in self.roots)


def split(outline: Outline, anchors: Sequence[int]) -> list[Record]:
    """One record per anchor: climb while nothing else comes along, then take the siblings that belong."""
    tops = _climb(outline, anchors)
    if len(set(tops)) < len(tops):
        return []
    return _widen(outline, list(anchors), tops)


def _climb(outline: Outline, anchors: Sequence[int]) -> list[int]:
    """The highest element above each anchor that holds no other anchor."""
    meets = [outline.common(one, other) for one, other in pairwise(anchors)]
    tops = []
    for position, anchor in enumerate(anchors):
        around = meets[max(position - 1, 0) : position + 1]
        lowest = max(around, key=lambda index: outline.depth[index]) if around else 0
        tops.append(outline.child_towards(lowest, anchor))
    return tops


def _widen(outline: Outline, anchors: list[int], tops: list[int]) -> list[Record]:
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
        records.append(Record(anchor, (*head, top, *tail)))
    return records


def _holders(outline: Outline, tops: Sequence[int]) -> set[int]:
    """The elements that are a record's top or hold one."""
    holding: set[int] = set()
    for top in tops:
        index = top
        while index >= 0 and index not in holding:
            holding.add(index)
            index = outline.parent[index]
    return holding


def _run(outline: Outline, top: int, taken: set[int]) -> tuple[list[int], list[int], bool]:
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


def _lead_length(outline: Outline, runs: list[tuple[list[int], list[int], bool]], tops: list[int]) -> int:
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


def _usual(outline: Outline, befores: list[list[int]], length: int) -> str | None:
    """What stands at a place before nearly all tops."""
    found = Counter(
        outline.symbols[before[len(before) - length - 1]] for before in befores if len(before) > length
    )
    symbol, count = found.most_common(1)[0] if found else ("", 0)
    return symbol if count and count >= 0.8 * len(befores) else None


def _closes_last(outline: Outline, after: list[int], before: list[int], length: int) -> bool:
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
    outline: Outline, runs: list[tuple[list[int], list[int], bool]], tops: list[int], lead: int
) -> Counter[str]:
    """The symbols that follow tops inside bounded runs: what an unbounded run may keep."""
    known: Counter[str] = Counter()
    for (_, after, bounded), _ in zip(runs, tops, strict=True):
        if bounded:
            known.update({outline.symbols[index] for index in after[: len(after) - lead]})
    return known


def _cut(outline: Outline, tail: list[int], known: Counter[str]) -> list[int]:
    kept = []
    seen: Counter[str] = Counter()
    for index in tail:
        symbol = outline.symbols[index]
        seen[symbol] += 1
        if symbol not in known or seen[symbol] > 3:
            break
        kept.append(index)
    return kept
