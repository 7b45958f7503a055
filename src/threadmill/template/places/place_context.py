"""Where places stand: on the main column that leads to the content, beside it, in it, or in a label."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from threadmill.template.places.paths import ROOT, PlacePaths
from threadmill.template.places.place_settings import PlaceSettings
from threadmill.template.places.place_statistics import NEW, TOTAL, Numbers, PlaceStatistics
from threadmill.template.places.text_outline import HEADING_TAGS

Flags = NDArray[np.bool_]

# Labels of something else: headings, heads of tables, terms.
_LABEL_TAGS = HEADING_TAGS | {"thead", "th", "caption", "dt", "figcaption", "legend"}
_NAME_END = re.compile(r"[.#\[]")
_CONTAINER_TAGS = frozenset(
    ["div", "nav", "ul", "ol", "form", "aside", "header", "footer", "section", "menu"]
)
_FRAMING_TAGS = frozenset(["nav", "footer"])


@dataclass(slots=True)
class PlaceContext:
    """Where each place stands: one array for each question that the tests of places ask."""

    on_main_column: Flags
    at_root: Flags  # directly in the content: at the end of the main column
    near_main_column: Flags  # below a place that stands on the main column
    among_new: Flags  # below a place with much new text
    container: Flags
    declared: Flags  # its tag says that it is framing
    named: Flags  # it has an id or a class of the site
    paragraph: Flags
    label: Flags  # headings and what they contain, heads of tables, terms
    titled: Flags  # holds the page's own title on at least half of its pages
    record: Flags  # like places that stand many times beside it: a locked thread in a list of threads
    around: Numbers  # how many pages could have the place: those with the place around it


def find_place_context(
    statistics: PlaceStatistics, paths: PlacePaths, pages: int, settings: PlaceSettings
) -> PlaceContext:
    """Find where each place stands.

    Some part of the main column belongs to one kind of pages only. A place beside that part is expected on
    the pages of this kind only.
    """
    size = len(statistics.pages)
    per_page = statistics.count / np.maximum(1.0, statistics.pages)
    main_column = (statistics.varied_per_page() >= settings.main_column_share * per_page) & (
        statistics.pages_with_new_text > 0
    )
    main_column[ROOT] = True
    led = np.zeros(size)  # pages on which the main column continues below this place
    titled = 2 * statistics.titled >= np.maximum(1, statistics.pages)
    flags = np.zeros((9, size), bool)
    fresh = statistics.sums[:, NEW] > settings.max_inner_new_share * statistics.sums[:, TOTAL]
    around = np.full(size, float(pages))
    found = PlaceContext(
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
        _find_records(statistics, paths, settings),
        around,
    )
    for (parent, step), child in paths.children.items():
        tag = _NAME_END.split(step, maxsplit=1)[0]
        led[parent] += main_column[child] * statistics.pages[child]
        found.on_main_column[child] = main_column[parent]
        found.near_main_column[child] = found.on_main_column[parent]
        found.among_new[child] = fresh[parent]
        found.container[child] = tag in _CONTAINER_TAGS
        found.declared[child] = tag in _FRAMING_TAGS
        found.named[child] = "[" not in step
        found.paragraph[child] = tag == "p"
        found.label[child] = found.label[parent] or tag in _LABEL_TAGS
        if main_column[parent] and parent != ROOT:
            found.around[child] = statistics.pages[parent]
    headers = np.zeros(size, bool)
    for (parent, step), child in paths.children.items():
        found.at_root[child] = main_column[parent] and 2 * led[parent] < around[parent]
        # What stands beside the title, in a header above the content, is judged on its own: a breadcrumb, for
        # example. A table is one thing, though, and a button in its first row is part of it.
        over = headers[parent] or (main_column[parent] and not found.at_root[child])
        headers[child] = titled[child] and over and not step.startswith("table")
        if headers[parent] and not main_column[parent]:
            found.on_main_column[child] = found.at_root[child] = True
            around[child] = statistics.pages[parent]
    return found


def _find_records(statistics: PlaceStatistics, paths: PlacePaths, settings: PlaceSettings) -> Flags:
    """Find places that share a tag and a class with a neighbour that stands many times on a page."""
    many = statistics.count > settings.max_per_page * statistics.pages
    kinds: set[tuple[int, str]] = set()
    for (parent, step), child in paths.children.items():
        if many[child]:
            kinds.update((parent, kind) for kind in _kinds(step))
    found = np.zeros(len(many), bool)
    for (parent, step), child in paths.children.items():
        found[child] = not many[child] and any((parent, kind) in kinds for kind in _kinds(step))
    return found


def _kinds(step: str) -> list[str]:
    """Return the tag with each of its classes."""
    tag, *classes = step.split(".")
    return [f"{_NAME_END.split(tag, maxsplit=1)[0]}.{name}" for name in classes]
