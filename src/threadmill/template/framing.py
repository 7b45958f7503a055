"""The framing places of a cluster as a small tree of steps, and which elements of a page stand in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import turbohtml

from threadmill.template.outline import (
    HEADINGS,
    LINKING,
    UNREAD,
    Kind,
    body_of,
    echoes_of,
    kind_of,
    name_of,
    normalise,
    tokens_of,
)
from threadmill.template.paths import ROOT, Paths, from_end, from_start, step_of
from threadmill.template.places import Judged, Place

# A place that is framing on the site's other pages is left alone on a page where it holds this much text that
# was never seen before: somebody wrote into the menu.
_NEW_CHARACTERS = 200
_NEW_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Framing:
    """What is known of one cluster's framing places; all that is needed to find them on a new page."""

    tokens: frozenset[str]
    steps: dict[tuple[int, str], int]  # only those that lead to a framing place
    places: dict[int, Place]
    wordings: frozenset[int]
    anchors: dict[str, int] = field(default_factory=dict)  # id → a place that is framing wherever it stands

    def path(self, number: int) -> str:
        """A place as its steps from the body, for people."""
        above = {child: (parent, step) for (parent, step), child in self.steps.items()}
        steps = []
        while number != ROOT:
            number, step = above[number]
            steps.append(step)
        return " > ".join(reversed(steps))

    def outermost(self) -> list[int]:
        """The places that stand in no other, in the order of their steps."""
        above = {child: parent for (parent, _), child in self.steps.items()}

        def is_inside(number: int) -> bool:
            while (number := above[number]) != ROOT:
                if number in self.places:
                    return True
            return False

        return [number for number in sorted(self.places) if not is_inside(number)]


@dataclass(frozen=True, slots=True)
class Match:
    """An element of a page that is framing as a whole."""

    element: turbohtml.Element
    place: int
    characters: int
    known: int  # of these characters, how many stand in wordings known from the site


def framing_from(judged: Judged) -> Framing:
    """Keep of a judgement what finds the places again."""
    above = {child: parent for (parent, _), child in judged.paths.children.items()}
    kept: set[int] = set()
    for place in judged.places:
        number = place.number
        while number != ROOT and number not in kept:
            kept.add(number)
            number = above[number]
    steps = {key: child for key, child in judged.paths.children.items() if child in kept}
    return _renumbered(judged, steps, _anchors(judged))


_ID = re.compile(r"#([A-Za-z][\w-]*)")


def _anchors(judged: Judged) -> dict[str, int]:
    """Ids that stand at framing places only; a page of a new kind has its header there as well."""
    framing = {place.number for place in judged.places}
    found: dict[str, int] = {}
    other: set[str] = set()
    for (_, step), child in judged.paths.children.items():
        name = _ID.search(step)
        if name and "0" not in name.group(1):
            if child in framing:
                found.setdefault(name.group(1), child)
            elif child in judged.refuted:
                other.add(name.group(1))
    return {name: place for name, place in found.items() if name not in other}


def _renumbered(judged: Judged, steps: dict[tuple[int, str], int], anchors: dict[str, int]) -> Framing:
    """The same with small numbers, in the order of the steps."""
    ours = {place.number: place for place in judged.places}
    paths = Paths()
    numbers = {ROOT: ROOT}
    for (parent, step), child in sorted(steps.items(), key=lambda item: item[1]):
        if parent in numbers:
            numbers[child] = paths.child(numbers[parent], step)
    named = {
        numbers[old]: Place(numbers[old], p.pages, p.characters, p.repeated, p.linked)
        for old, p in ours.items()
        if old in numbers
    }
    anchored = {name: numbers[old] for name, old in anchors.items()}
    return Framing(judged.tokens, paths.children, named, judged.wordings, anchored)


def find_framing(document: turbohtml.Document, framing: Framing) -> list[Match]:
    """The outermost elements of a page that are framing as a whole, in document order."""
    body = body_of(document)
    if body is None or not framing.places:
        return []
    echoes = echoes_of(document)
    parents = {parent for parent, _ in framing.steps}
    found: list[Match] = []
    waiting: list[tuple[turbohtml.Element, frozenset[int]]] = [(body, frozenset([ROOT]))]
    while waiting:
        element, numbers = waiting.pop()
        inner = []
        for child, places in _children(element, numbers, framing):
            match = _match(child, places, framing, echoes)
            if match is not None:
                found.append(match)
            elif not places.isdisjoint(parents):
                inner.append((child, places))
        waiting.extend(reversed(inner))
    return found + _anchored(document, framing, echoes, found)


def _anchored(
    document: turbohtml.Document, framing: Framing, echoes: frozenset[str], found: list[Match]
) -> list[Match]:
    """Places on other paths than ever before, by their ids, where at least half of the text is known."""
    seen = {match.place for match in found}
    extra = []
    for name, place in framing.anchors.items():
        element = None if place in seen else document.select_one(f"#{name}")
        match = element and _match(element, frozenset([place]), framing, echoes)
        if match and match.characters and 2 * match.known >= match.characters:
            extra.append(match)
    return extra


def _children(
    element: turbohtml.Element, numbers: frozenset[int], framing: Framing
) -> Iterator[tuple[turbohtml.Element, frozenset[int]]]:
    """The children that stand in a known place, with the one or two numbers of it."""
    steps = []
    seen: Counter[str] = Counter()
    for child in element.children:
        if isinstance(child, turbohtml.Element) and child.tag not in UNREAD:
            step = step_of(child.tag, tokens_of(child), framing.tokens)
            nameless = step == child.tag
            steps.append((child, step, seen[step] if nameless else -1))
            seen[step] += nameless
    for child, step, before in steps:
        names = [step]
        if before >= 0:
            names = [from_start(step, before), from_end(step, seen[step] - before - 1) or ""]
        places = frozenset(
            framing.steps[number, name]
            for number in numbers
            for name in names
            if (number, name) in framing.steps
        )
        if places:
            yield child, places


def _match(
    element: turbohtml.Element, places: frozenset[int], framing: Framing, echoes: frozenset[str]
) -> Match | None:
    place = next((number for number in sorted(places) if number in framing.places), None)
    if place is None:
        return None
    total = known = new = 0
    for text, linked, heading in _texts(element):
        length = len(text)
        total += length
        if name_of(text) in framing.wordings:
            known += length
        elif kind_of(text, echoes, linked=linked, heading=heading) is Kind.PLAIN:
            new += length
    if new > _NEW_CHARACTERS and new > _NEW_SHARE * total:
        return None
    return Match(element, place, total, known)


def _texts(element: turbohtml.Element) -> Iterator[tuple[str, bool, bool]]:
    """The texts below an element, and whether each is linked or in a heading."""
    waiting = [(element, element.tag in LINKING, element.tag in HEADINGS)]
    while waiting:
        parent, linked, heading = waiting.pop()
        for child in parent.children:
            if isinstance(child, turbohtml.Text):
                text = normalise(child.data)
                if text:
                    yield text, linked, heading
            elif isinstance(child, turbohtml.Element) and child.tag not in UNREAD:
                tag = child.tag
                waiting.append((child, linked or tag in LINKING, heading or tag in HEADINGS))
