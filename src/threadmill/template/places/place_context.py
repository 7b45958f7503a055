"""Where places stand: on the trunk that leads to the content, beside it, in it, or in a label."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.places.outline import HEADINGS
from threadmill.template.places.paths import ROOT, Paths
from threadmill.template.places.place_settings import PlaceSettings
from threadmill.template.places.statistics import NEW, TOTAL, Figures, Numbers

Flags = NDArray[np.bool_]

# Cells, paragraphs and inline elements are parts of something: beside the trunk they are not judged alone.
_LABELS = HEADINGS | {"thead", "th", "caption", "dt", "figcaption", "legend"}
_NAME_END = re.compile(r"[.#\[]")
_CONTAINERS = frozenset(["div", "nav", "ul", "ol", "form", "aside", "header", "footer", "section", "menu"])
_DECLARED = frozenset(["nav", "footer"])


@dataclass(slots=True)
class Standing:
    """Where places stand: by number, what the tests ask of their surroundings."""

    on_trunk: Flags
    at_root: Flags  # directly in the content: on the part of the trunk that nothing leads on from
    near_trunk: Flags  # on something that hangs on the trunk
    among_new: Flags  # in something that holds much new text
    container: Flags
    declared: Flags  # framing by what its tag means
    named: Flags  # by an id or class of the site's
    paragraph: Flags
    label: Flags  # headings and what stands in them, heads of tables, terms
    titled: Flags  # holds the title that is the page's own, on at least half of its pages
    record: Flags  # of the kind of what stands many times beside it: a locked thread in a list of threads
    around: Numbers  # how many pages could have the place


def standing_of(figures: Figures, paths: Paths, pages: int, settings: PlaceSettings) -> Standing:
    """A part of the trunk belongs to a kind of pages; what hangs on it is asked for on those pages only."""
    size = len(figures.pages)
    per_page = figures.count / np.maximum(1.0, figures.pages)
    trunk = (figures.varied_per_page() >= settings.trunk_share * per_page) & (figures.telling > 0)
    trunk[ROOT] = True
    led = np.zeros(size)  # pages on which the trunk goes on from here
    titled = 2 * figures.titled >= np.maximum(1, figures.pages)
    flags = np.zeros((9, size), bool)
    fresh = figures.sums[:, NEW] > settings.max_inner_new_share * figures.sums[:, TOTAL]
    around = np.full(size, float(pages))
    found = Standing(
        flags[0],
        flags[1],
        flags[2],
        flags[3],
        flags[4],
        flags[5],
        flags[6],
        flags[7],
        flags[8],
        titled,
        _records(figures, paths, settings),
        around,
    )
    for (parent, step), child in paths.children.items():
        tag = _NAME_END.split(step, maxsplit=1)[0]
        led[parent] += trunk[child] * figures.pages[child]
        found.on_trunk[child] = trunk[parent]
        found.near_trunk[child] = found.on_trunk[parent]
        found.among_new[child] = fresh[parent]
        found.container[child] = tag in _CONTAINERS
        found.declared[child] = tag in _DECLARED
        found.named[child] = "[" not in step
        found.paragraph[child] = tag == "p"
        found.label[child] = found.label[parent] or tag in _LABELS
        if trunk[parent] and parent != ROOT:
            found.around[child] = figures.pages[parent]
    headers = np.zeros(size, bool)
    for (parent, step), child in paths.children.items():
        found.at_root[child] = trunk[parent] and 2 * led[parent] < around[parent]
        # what stands beside the title in a header over the content is judged alone: the path that leads here;
        # but a table is one thing, and a button in its first row is part of it
        over = headers[parent] or (trunk[parent] and not found.at_root[child])
        headers[child] = titled[child] and over and not step.startswith("table")
        if headers[parent] and not trunk[parent]:
            found.on_trunk[child] = found.at_root[child] = True
            around[child] = figures.pages[parent]
    return found


def _records(figures: Figures, paths: Paths, settings: PlaceSettings) -> Flags:
    """Places that share tag and a class with a place beside them that a page holds many times."""
    many = figures.count > settings.max_per_page * figures.pages
    kinds: set[tuple[int, str]] = set()
    for (parent, step), child in paths.children.items():
        if many[child]:
            kinds.update((parent, kind) for kind in _kinds(step))
    found = np.zeros(len(many), bool)
    for (parent, step), child in paths.children.items():
        found[child] = not many[child] and any((parent, kind) in kinds for kind in _kinds(step))
    return found


def _kinds(step: str) -> list[str]:
    """The tag with each of its classes."""
    tag, *classes = step.split(".")
    return [f"{_NAME_END.split(tag, maxsplit=1)[0]}.{name}" for name in classes]
