"""Finds the matches of a query in an index of positions, block by block, in the order of the corpus.

Candidates are the positions where the rarest part of the query can stand. From all candidates of a
block the automaton runs at once, one position further at a time. A match is the shortest from its first
position, and of matches with the same end the longest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from threadmill.corpus.query.cql import (
    AllOf,
    AnyOf,
    Automaton,
    CqlQuery,
    Edge,
    InOrder,
    Node,
    NoneOf,
    OneOf,
    Repeated,
    Step,
    Test,
    ValueCondition,
    Within,
    lengths,
    make_automaton,
    parse_cql,
)
from threadmill.corpus.query.position_index import (
    Flags,
    Lexicon,
    Places,
    PositionAttribute,
    PositionIndex,
    blocks_of,
)

_FIRST_BLOCK = 1 << 13  # positions that are looked at first, so that a first page comes at once
_BLOCK = 1 << 20
# Lists of positions up to this share of the corpus are joined and sorted; for more, the stream is read.
_MOST_JOINED = 0.02
_WIDEST_ANCHOR = 20  # positions by which the distance of the rarest part from the begin may vary


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches in the order of the corpus: first positions, and the positions after the last."""

    begins: Places
    ends: Places

    def __len__(self) -> int:
        return len(self.begins)

    def chosen(self, places: Places) -> Matches:
        """Some of the matches."""
        return Matches(self.begins[places], self.ends[places])


def find_matches(index: PositionIndex, query: CqlQuery | str) -> Iterator[Matches]:
    """The matches of a query in blocks."""
    parsed = parse_cql(query) if isinstance(query, str) else query
    finder = _Finder(index, parsed)
    seen = np.zeros(0, np.int64)  # ends of earlier blocks that a later match may share
    for begins in finder.candidates():
        found = finder.match(begins)
        if len(found):
            _, firsts = np.unique(found.ends, return_index=True)
            firsts = np.sort(firsts)
            found = found.chosen(firsts[~np.isin(found.ends[firsts], seen)])
        if len(found):
            seen = np.concatenate((seen, found.ends))
            seen = seen[seen > found.begins[-1]]
            yield found


def all_matches(index: PositionIndex, query: CqlQuery | str) -> Matches:
    """All matches of a query."""
    found = list(find_matches(index, query))
    if not found:
        return Matches(np.zeros(0, np.int64), np.zeros(0, np.int64))
    return Matches(
        np.concatenate([part.begins for part in found]), np.concatenate([part.ends for part in found])
    )


def count_matches(index: PositionIndex, query: CqlQuery | str) -> int:
    """The exact number of matches. For a single condition it stands in the index."""
    parsed = parse_cql(query) if isinstance(query, str) else query
    if (
        isinstance(parsed.pattern, Step)
        and isinstance(parsed.pattern.test, ValueCondition)
        and not parsed.within
    ):
        return _Finder(index, parsed).frequency(parsed.pattern.test)
    return sum(map(len, find_matches(index, parsed)))


@dataclass(frozen=True, slots=True)
class _Part:
    """A test that every match passes, and its least and greatest distance from the begin."""

    test: Test
    nearest: int
    farthest: int


class _Finder:
    """One query on one index. Which values match a condition is found once."""

    def __init__(self, index: PositionIndex, query: CqlQuery) -> None:
        self._index = index
        self._pattern = query.pattern
        self._automaton: Automaton = make_automaton(query.pattern)
        self._values: dict[ValueCondition, Flags] = {}
        self._within = [(index.structure(part.structure), self._wanted(part)) for part in query.within]
        self._most = lengths(query.pattern)[1]
        for _, edge, _ in self._automaton.jumps:
            if edge is not None:
                index.structure(edge.structure)

    def _wanted(self, part: Within) -> Flags | None:
        """Which ranges of the structure meet the conditions. None if there are none."""
        if not part.conditions:
            return None
        ranges = self._index.structure(part.structure)
        found = np.ones(len(ranges), np.bool_)
        for condition in part.conditions:
            lexicon, stream = ranges.values(condition.attribute)
            found &= _matching(lexicon, condition)[stream]
        return found

    # Where a test holds.

    def _attribute(self, condition: ValueCondition) -> PositionAttribute:
        return self._index.attribute(condition.attribute)

    def _matching_values(self, condition: ValueCondition) -> Flags:
        found = self._values.get(condition)
        if found is None:
            found = self._values[condition] = _matching(self._attribute(condition).lexicon, condition)
        return found

    def frequency(self, test: Test) -> int:
        """At how many positions a test holds at most; exact for a condition."""
        if isinstance(test, ValueCondition):
            return int(self._attribute(test).counts[self._matching_values(test)].sum())
        if isinstance(test, AllOf):
            return min([self.frequency(part) for part in test.parts], default=self._index.size)
        if isinstance(test, AnyOf):
            return min(self._index.size, sum(self.frequency(part) for part in test.parts))
        return self._index.size

    def holds(self, test: Test, places: Places) -> Flags:
        """At which of the positions a test holds."""
        if isinstance(test, ValueCondition):
            wanted: Flags = self._matching_values(test)[self._attribute(test).stream[places]]
            return wanted
        if isinstance(test, NoneOf):
            return ~self.holds(test.part, places)
        if isinstance(test, AnyOf):
            found = np.zeros(len(places), np.bool_)
            for part in test.parts:
                found |= self.holds(part, places)
            return found
        left = np.arange(len(places))  # each part is asked only where those before it hold
        for part in test.parts:
            left = left[self.holds(part, places[left])]
        found = np.zeros(len(places), np.bool_)
        found[left] = True
        return found

    def places(self, test: Test) -> Iterator[Places]:
        """The positions where a test holds, in blocks."""
        listed, open_test = self._listed(test)
        blocks = blocks_of(listed) if listed is not None else self._everything()
        for block in blocks:
            found = block if open_test == AllOf() else block[self.holds(open_test, block)]
            if len(found):
                yield found

    def _everything(self) -> Iterator[Places]:
        at, size = 0, _FIRST_BLOCK
        while at < self._index.size:
            end = min(at + size, self._index.size)
            yield np.arange(at, end)
            at, size = end, min(4 * size, _BLOCK)

    def _listed(self, test: Test) -> tuple[npt.NDArray[np.int32] | None, Test]:
        """A sorted list with all positions where a test holds, and what is still to be tested at them.

        None if the list would be too long.
        """
        limit = max(_FIRST_BLOCK, int(_MOST_JOINED * self._index.size))
        if isinstance(test, ValueCondition):
            numbers = np.flatnonzero(self._matching_values(test)).tolist()
            attribute = self._attribute(test)
            if len(numbers) == 1:
                return attribute.places(numbers[0]), AllOf()
            if not numbers:
                return np.zeros(0, np.int32), AllOf()
            if self.frequency(test) <= limit:
                return np.sort(np.concatenate([attribute.places(number) for number in numbers])), AllOf()
        elif isinstance(test, AllOf) and test.parts:
            rarest, *others = sorted(test.parts, key=self.frequency)
            listed, still = self._listed(rarest)
            if listed is not None:
                return listed, AllOf(tuple(others) if still == AllOf() else (still, *others))
        elif isinstance(test, AnyOf) and self.frequency(test) <= limit:
            lists = [found for part in test.parts if (found := self._listed(part)[0]) is not None]
            if len(lists) == len(test.parts):
                return np.unique(np.concatenate(lists)), test
        return None, test

    # Where a match may begin.

    def candidates(self) -> Iterator[Places]:
        """Positions where a match may begin, ascending, in blocks."""
        anchor = self._anchor()
        test, nearest, farthest = anchor.test, anchor.nearest, anchor.farthest
        fixed = [part for part in self._parts() if part.nearest == part.farthest]
        others = [part for part in fixed if part not in (anchor, _Part(AllOf(), part.nearest, part.nearest))]
        others.sort(key=lambda part: self.frequency(part.test))
        last = -1
        for places in self.places(test):
            if nearest == farthest:
                begins = places - nearest
            else:
                begins = np.unique((places[:, None] - np.arange(nearest, farthest + 1)).ravel())
                begins = begins[begins > last]  # the last block may have given them already
                if len(begins):
                    last = int(begins[-1])
            begins = begins[begins >= 0]
            for part in others:  # most begins fail here, before the slower automaton sees them
                begins = begins[begins < self._index.size - part.nearest]
                begins = begins[self.holds(part.test, begins + part.nearest)]
            if len(begins):
                yield begins

    def _anchor(self) -> _Part:
        """The rarest part that every match has."""

        def cost(part: _Part) -> tuple[int, int]:
            spread = part.farthest - part.nearest
            return self.frequency(part.test) * (spread + 1), spread

        return min(self._parts(), key=cost, default=_Part(AllOf(), 0, 0))

    def _parts(self) -> list[_Part]:
        """The parts that every match has and that have a test of their first position."""
        parts = self._pattern.parts if isinstance(self._pattern, InOrder) else (self._pattern,)
        found = []
        nearest = farthest = 0
        for part in parts:
            if farthest - nearest > _WIDEST_ANCHOR:
                break
            test = _first_test(part)
            if test is not None:
                found.append(_Part(test, nearest, farthest))
            least, most = lengths(part)
            nearest, farthest = nearest + least, farthest + most
        return found

    # What begins there.

    def match(self, begins: Places) -> Matches:
        """The matches that begin at some of these positions."""
        limits = np.full(len(begins), self._index.size, np.int64)
        for ranges, wanted in self._within:
            around = ranges.of(begins)
            inside = around >= 0
            if wanted is not None:
                inside &= wanted[np.maximum(around, 0)]
            limits = np.minimum(limits, np.where(inside, ranges.ends[np.maximum(around, 0)], -1))
        ends = np.full(len(begins), -1, np.int64)
        open_ones = np.flatnonzero(begins < limits)
        active = np.zeros((self._automaton.states, len(open_ones)), np.bool_)
        active[0] = True
        for length in range(self._most + 1):
            places = begins[open_ones] + length
            self._jump(active, places)
            done = active[self._automaton.final] if length else np.zeros(len(open_ones), np.bool_)
            ends[open_ones[done]] = places[done]
            alive = ~done & active.any(axis=0) & (places < limits[open_ones])
            if not alive.all():
                open_ones, active, places = open_ones[alive], active[:, alive], places[alive]
            if not len(open_ones):
                break
            following = np.zeros_like(active)
            for begin, test, end in self._automaton.steps:
                chosen = np.flatnonzero(active[begin])
                if len(chosen):
                    following[end, chosen[self.holds(test, places[chosen])]] = True
            active = following
        found = np.flatnonzero(ends >= 0)
        return Matches(begins[found], ends[found])

    def _jump(self, active: Flags, places: Places) -> None:
        """Follow the arrows that take no position, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for begin, edge, end in self._automaton.jumps:
                fresh = active[begin] & ~active[end]
                if edge is not None and fresh.any():
                    fresh &= self._at_edge(edge, places)
                if fresh.any():
                    active[end] |= fresh
                    changed = True

    def _at_edge(self, edge: Edge, places: Places) -> Flags:
        ranges = self._index.structure(edge.structure)
        edges = ranges.ends if edge.is_end else ranges.begins
        if not len(edges):
            return np.zeros(len(places), np.bool_)
        found = np.minimum(np.searchsorted(edges, places), len(edges) - 1)
        at_edge: Flags = edges[found] == places
        return at_edge


def _first_test(node: Node) -> Test | None:
    """The test that the first position of a part always passes. None if there is no single one."""
    if isinstance(node, Step):
        return node.test
    if isinstance(node, InOrder):
        return _first_test(node.parts[0])
    if isinstance(node, OneOf):
        tests = [_first_test(part) for part in node.parts]
        known = tuple(test for test in tests if test is not None)
        return AnyOf(known) if len(known) == len(tests) else None
    if isinstance(node, Repeated) and node.least:
        return _first_test(node.part)
    return None


def _matching(lexicon: Lexicon, condition: ValueCondition) -> Flags:
    pattern = re.escape(condition.pattern) if condition.plain else condition.pattern
    if condition.plain and not condition.ignore_case and not condition.ignore_accents:
        found = np.zeros(len(lexicon), np.bool_)
        number = lexicon.number(condition.pattern)
        if number is not None:
            found[number] = True
    else:
        found = lexicon.matching(
            pattern, ignore_case=condition.ignore_case, ignore_accents=condition.ignore_accents
        )
    return ~found if condition.negated else found
