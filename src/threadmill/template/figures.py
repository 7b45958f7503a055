"""What the places of a site hold, summed up over its pages: characters by kind, pages, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.outline import Kind, Outline
from threadmill.template.paths import ROOT

Numbers = NDArray[np.float64]

# Columns of the figures of a text, an element or a place.
TOTAL, REPEATED, LINKED, NEW, HEADING, VARIED, SUPPORT, STEADY, STEADY_LINK, LINK = range(10)


@dataclass(slots=True)
class Figures:
    """The figures of every place, by its number."""

    sums: Numbers  # characters by place and column
    pages: Numbers
    count: Numbers
    count_squared: Numbers
    varied_share: Numbers  # summed over pages


def gather(
    outlines: Sequence[Outline],
    located: Sequence[list[tuple[int, int]]],
    wordings: tuple[frozenset[int], frozenset[int]],
    size: int,
) -> Figures:
    """Sum up what each place holds, page by page."""
    figures = Figures(np.zeros((size, 10)), *(np.zeros(size) for _ in range(4)))
    for outline, pairs in zip(outlines, located, strict=True):
        if not pairs or not outline.owners:
            continue
        inside = _subtree_sums(outline, *wordings)
        elements, places = (np.array(column) for column in zip(*pairs, strict=True))
        np.add.at(figures.sums, places, inside[elements])
        count = np.bincount(places, minlength=size).astype(float)
        figures.count += count
        figures.count_squared += count * count
        figures.pages += count > 0
        varied = np.bincount(places, inside[elements, VARIED], minlength=size)
        figures.varied_share += varied / max(1.0, inside[ROOT, VARIED])
    return figures


def _subtree_sums(outline: Outline, repeated: frozenset[int], steady: frozenset[int]) -> Numbers:
    lengths = np.array(outline.lengths, float)
    kinds = np.array(outline.kinds)
    known = np.fromiter((name in repeated for name in outline.names), bool, len(outline.names))
    texts = np.zeros((len(lengths), 10))
    texts[:, TOTAL] = lengths
    texts[:, REPEATED] = lengths * known
    texts[:, LINKED] = lengths * (~known & (kinds == Kind.LINK))
    texts[:, NEW] = lengths * (~known & (kinds == Kind.PLAIN))
    texts[:, HEADING] = lengths * np.array(outline.in_heading)
    texts[:, VARIED] = texts[:, LINKED] + texts[:, NEW]
    linked = np.array(outline.linked)
    texts[:, SUPPORT] = lengths * (known | linked)
    always = np.fromiter((name in steady for name in outline.names), bool, len(outline.names))
    texts[:, STEADY] = lengths * always
    linking = linked | (kinds == Kind.SIGNS)
    texts[:, LINK] = lengths * linking
    texts[:, STEADY_LINK] = lengths * (always & linking)
    own = np.zeros((len(outline.tags) + 1, 10))
    np.add.at(own, np.array(outline.owners) + 1, texts)
    running = np.cumsum(own, axis=0)  # row i: everything held by the elements before element i
    return np.asarray(running[np.array(outline.ends)] - running[:-1])
