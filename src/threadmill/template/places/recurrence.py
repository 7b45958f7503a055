"""How much of what a place holds comes back in that very place on other pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from threadmill.template.places.outline import Outline

Located = Sequence[list[tuple[int, int]]]


def recurrence(outlines: Sequence[Outline], located: Located, places: Collection[int]) -> dict[int, float]:
    """The share of a place's characters in wordings that it holds on at least two pages.

    A site that shows its table of contents on every page repeats all titles. A chapter's list of its sections
    says them again, but each of them on one page only; a bar says "Next" on all.
    """
    pages: Counter[tuple[int, int]] = Counter()
    characters: Counter[tuple[int, int]] = Counter()
    for outline, pairs in zip(outlines, located, strict=True):
        held = Counter[tuple[int, int]]()
        for place, name, length in _texts_in(outline, pairs, places):
            held[place, name] += length
        pages.update(held.keys())
        characters.update(held)
    total: Counter[int] = Counter()
    again: Counter[int] = Counter()
    for (place, name), length in characters.items():
        total[place] += length
        again[place] += length * (pages[place, name] > 1)
    return {place: again[place] / total[place] for place in total}


def _texts_in(
    outline: Outline, pairs: list[tuple[int, int]], places: Collection[int]
) -> Iterator[tuple[int, int, int]]:
    owners = np.array(outline.owners)
    for element, place in pairs:
        if place in places:
            for text in np.flatnonzero((owners >= element) & (owners < outline.ends[element])).tolist():
                yield place, outline.names[text], outline.lengths[text]
