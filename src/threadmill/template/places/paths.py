"""Numbers for places: a place is a path of tags, ids and classes from the body down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from threadmill.template.places.text_outline import TextOutline

ROOT = 0


@dataclass(slots=True)
class PlacePaths:
    """The number of each place, by the number of its parent and its step; place 0 is the body."""

    children: dict[tuple[int, str], int] = field(default_factory=dict)

    def child(self, place: int, step: str) -> int:
        """Return the number of a place; a place that was not seen yet gets a new one."""
        return self.children.setdefault((place, step), len(self.children) + 1)


def step_of(tag: str, tokens: Iterable[str], known: frozenset[str]) -> str:
    """Return the step to an element with known ids or classes; the bare tag when none is known.

    An id means one thing on a site. Classes beside it tell the kind of a page: `#content.ticket`.
    """
    found = [token for token in tokens if token in known]
    if found and found[0].startswith("#") and "0" not in found[0]:
        return tag + found[0]
    return tag + "".join(found)


def from_start(tag: str, before: int) -> str:
    """Return the step to a nameless element: how many of its tag stand before it under its parent."""
    return f"{tag}[{before + 1}]" if before < 4 else f"{tag}[…]"


def from_end(tag: str, after: int) -> str | None:
    """Return the same step counted from the end, for elements that follow content of any length."""
    return f"{tag}[-{after + 1}]" if after < 2 else None


def locate_elements(
    outline: TextOutline, known: frozenset[str], paths: PlacePaths
) -> Iterator[tuple[int, int]]:
    """Yield (element, place) for every element; a nameless one appears again, counted from the end."""
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
