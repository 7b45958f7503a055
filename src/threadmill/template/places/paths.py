"""Places by number: paths of tags, ids and classes from the body down, and the way there from a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from threadmill.template.places.outline import Outline

ROOT = 0


@dataclass(slots=True)
class Paths:
    """Numbers for places: the child of a place by its step; place 0 is the body."""

    children: dict[tuple[int, str], int] = field(default_factory=dict)

    def child(self, place: int, step: str) -> int:
        """The number of a place, a new one when it was not seen yet."""
        return self.children.setdefault((place, step), len(self.children) + 1)


def step_of(tag: str, tokens: Iterable[str], known: frozenset[str]) -> str:
    """The step to an element that ids or classes name; only the tag when none of them is known."""
    return tag + "".join(token for token in tokens if token in known)


def from_start(tag: str, before: int) -> str:
    """The step to an element without a name, by how many of its kind stand before it under its parent."""
    return f"{tag}[{before + 1}]" if before < 4 else f"{tag}[…]"


def from_end(tag: str, after: int) -> str | None:
    """The same counted from the end, for what follows a content of any length."""
    return f"{tag}[-{after + 1}]" if after < 2 else None


def locate(outline: Outline, known: frozenset[str], paths: Paths) -> Iterator[tuple[int, int]]:
    """(element, place) for every element, and once more from the end for those without a name."""
    places = [ROOT] * len(outline.tags)
    seen: Counter[tuple[int, str]] = Counter()
    nameless: list[tuple[int, int, str, int]] = []
    for i, (tag, tokens, parent) in enumerate(
        zip(outline.tags, outline.tokens, outline.parents, strict=True)
    ):
        if parent < 0:
            continue
        step = step_of(tag, tokens, known)
        if step == tag:
            before = seen[parent, tag]
            seen[parent, tag] = before + 1
            nameless.append((i, parent, tag, before))
            step = from_start(tag, before)
        places[i] = paths.child(places[parent], step)
        yield i, places[i]
    for i, parent, tag, before in nameless:
        step_back = from_end(tag, seen[parent, tag] - before - 1)
        if step_back is not None:
            yield i, paths.child(places[parent], step_back)
