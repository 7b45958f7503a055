"""Ways to write a date or a time, tried as one regular expression over class letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Source(NamedTuple):
    """One way to write a date or a time as it stands in the grammar."""

    name: str
    pattern: str
    needs: str = ""  # a character class of which every match has a letter; empty when it needs none


class Shape(NamedTuple):
    """A way to write, ready to be tried; the numbers of its groups among all shapes and by itself."""

    name: str
    alone: re.Pattern[str]
    inside: dict[str, int]
    by_itself: dict[str, int]


class Hit(NamedTuple):
    """A shape's match, and which group of the match has which name."""

    name: str
    found: re.Match[str]
    groups: dict[str, int]


class Alternatives:
    """Several shapes tried as one regular expression; a match tells which of them it was."""

    def __init__(self, sources: list[Source], starters: str) -> None:
        self._shapes: list[Shape] = []
        self._number_of: dict[int, int] = {}
        parts: list[str] = []
        outer = 1
        for number, (name, source, _) in enumerate(sources):
            alone = re.compile(source)
            inside = {group: index + outer for group, index in alone.groupindex.items()}
            self._shapes.append(Shape(name, alone, inside, dict(alone.groupindex)))
            renamed = re.sub(r"\(\?P(<|=)(\w+)", lambda m, n=number: f"(?P{m[1]}{m[2]}_{n}", source)  # type: ignore[misc]
            parts.append(f"({renamed})")
            self._number_of[outer] = number
            outer += 1 + alone.groups
        # Most tokens can begin nothing: a look at the first letter spares them all alternatives.
        self._any = re.compile(f"(?=[{starters}])(?:{'|'.join(parts)})")

    def search(self, letters: str, start: int) -> tuple[Hit, int] | None:
        """The next match, and the number of its shape."""
        match = self._any.search(letters, start)
        if not match:
            return None
        number = self._number_of[match.lastindex or 0]
        shape = self._shapes[number]
        return Hit(shape.name, match, shape.inside), number

    def match_after(self, letters: str, start: int, number: int) -> Iterator[Hit]:
        """All readings at one place by the shapes after one."""
        for shape in self._shapes[number + 1 :]:
            match = shape.alone.match(letters, start)
            if match:
                yield Hit(shape.name, match, shape.by_itself)


class Shapes:
    """All shapes of a grammar; a text is tried only with those whose needs it has.

    A text without the name of a month is spared a third of the shapes, one without words for units another
    third: that is a half of the time a search takes. Each choice is compiled when the first text asks for it.
    """

    def __init__(self, sources: list[Source], starters: str) -> None:
        self._sources = sources
        self._starters = starters
        self._needs = {need: re.compile(need) for need in dict.fromkeys(s.needs for s in sources) if need}
        self._chosen: dict[tuple[bool, ...], Alternatives] = {}

    def fitting(self, letters: str) -> Alternatives:
        """The shapes that a text of these letters can hold."""
        has = tuple([need.search(letters) is not None for need in self._needs.values()])
        chosen = self._chosen.get(has)
        if chosen is None:
            missing = {need for need, there in zip(self._needs, has, strict=True) if not there}
            kept = [source for source in self._sources if source.needs not in missing]
            chosen = self._chosen[has] = Alternatives(kept, self._starters)
        return chosen
