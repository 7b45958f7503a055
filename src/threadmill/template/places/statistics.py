"""What the places of a site hold, summed up over its pages: characters by kind, pages, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.places.outline import HEADINGS, Kind, Outline
from threadmill.template.places.paths import ROOT

Numbers = NDArray[np.float64]

# Columns of the figures of a text, an element or a place.
TOTAL, REPEATED, LINKED, NEW, HEADING, VARIED, SUPPORT, STEADY, STEADY_LINK, LINK, SIGNS, TITLE = range(12)
COLUMNS = TITLE + 1


@dataclass(frozen=True, slots=True)
class Wordings:
    """Texts by number that several pages have."""

    repeated: frozenset[int]
    steady: frozenset[int]  # at least half of all pages
    titles: frozenset[int]  # of several pages: such a title is no page's own


@dataclass(slots=True)
class Figures:
    """The figures of every place, by its number."""

    sums: Numbers  # characters by place and column
    pages: Numbers
    count: Numbers
    count_squared: Numbers
    varied_share: Numbers  # summed over pages
    telling: Numbers  # its pages on which anything is new: only these show where the content stands
    titled: Numbers  # pages on which it holds the page's own title
    enclosed: Numbers  # how often new text stands beside it on either side
    headed: Numbers  # how often it comes right behind a heading

    def varied_per_page(self) -> Numbers:
        """What of the new text of a page the place holds, in the mean."""
        return self.varied_share / np.maximum(1.0, self.telling)


def gather(
    outlines: Sequence[Outline],
    located: Sequence[list[tuple[int, int]]],
    wordings: Wordings,
    size: int,
) -> Figures:
    """Sum up what each place holds, page by page."""
    figures = Figures(np.zeros((size, COLUMNS)), *(np.zeros(size) for _ in range(8)))
    for outline, pairs in zip(outlines, located, strict=True):
        if not pairs or not outline.owners:
            continue
        running = _running_sums(outline, wordings)
        inside = running[np.array(outline.ends)] - running[:-1]
        elements, places = (np.array(column) for column in zip(*pairs, strict=True))
        np.add.at(figures.sums, places, inside[elements])
        count = np.bincount(places, minlength=size).astype(float)
        figures.count += count
        figures.count_squared += count * count
        figures.pages += count > 0
        varied = np.bincount(places, inside[elements, VARIED], minlength=size)
        if inside[ROOT, VARIED] > 0:
            figures.varied_share += varied / inside[ROOT, VARIED]
            figures.telling += count > 0
        figures.titled += np.bincount(places, inside[elements, TITLE], minlength=size) > 0
        figures.enclosed += np.bincount(places, _enclosed(outline, inside, running)[elements], minlength=size)
        figures.headed += np.bincount(places, _headed(outline)[elements], minlength=size)
    return figures


def _headed(outline: Outline) -> Numbers:
    """1 for an element that follows a heading in the element that holds both: it belongs to that heading."""
    found = np.zeros(len(outline.tags) + 1)
    for heading, tag in enumerate(outline.tags):
        behind = outline.ends[heading]
        if tag in HEADINGS and behind < len(outline.tags):
            found[behind] = outline.parents[behind] == outline.parents[heading]
    return found


def _enclosed(outline: Outline, inside: Numbers, running: Numbers) -> Numbers:
    """1 for an element with new text before it and behind it in the element that holds it."""
    parents = np.maximum(outline.parents, 0)
    before = running[:-1, NEW] - running[parents, NEW]
    behind = inside[parents, NEW] - before - inside[:, NEW]
    return np.asarray((before > 0) & (behind > 0), float)


def _in_menu(outline: Outline) -> NDArray[np.bool_]:
    """Which texts stand in a menu by its tag: what differs there does not tell where the content is."""
    inside = np.zeros(len(outline.tags), bool)
    for element, tag in enumerate(outline.tags):
        if tag == "nav":
            inside[element : outline.ends[element]] = True
    return np.asarray(inside[outline.owners])


def _running_sums(outline: Outline, wordings: Wordings) -> Numbers:
    """Row i: everything held by the elements before element i."""
    lengths = np.array(outline.lengths, float)
    kinds = np.array(outline.kinds)
    known = np.fromiter((name in wordings.repeated for name in outline.names), bool, len(outline.names))
    texts = np.zeros((len(lengths), COLUMNS))
    texts[:, TOTAL] = lengths
    texts[:, REPEATED] = lengths * known
    texts[:, LINKED] = lengths * (~known & (kinds == Kind.LINK))
    texts[:, NEW] = lengths * (~known & (kinds == Kind.PLAIN))
    texts[:, HEADING] = lengths * np.array(outline.in_heading)
    texts[:, VARIED] = (texts[:, LINKED] + texts[:, NEW]) * ~_in_menu(outline)
    linked = np.array(outline.linked)
    texts[:, SUPPORT] = lengths * (known | linked)
    always = np.fromiter((name in wordings.steady for name in outline.names), bool, len(outline.names))
    texts[:, STEADY] = lengths * always
    texts[:, SIGNS] = lengths * (kinds == Kind.SIGNS)
    linking = linked | (kinds == Kind.SIGNS)
    texts[:, LINK] = lengths * linking
    texts[:, STEADY_LINK] = lengths * (always & linking)
    own = np.zeros((len(outline.tags) + 1, COLUMNS))
    np.add.at(own, np.array(outline.owners) + 1, texts)
    own[[element + 1 for element in outline.own_titles(wordings.titles)], TITLE] = 1
    return np.asarray(np.cumsum(own, axis=0))
