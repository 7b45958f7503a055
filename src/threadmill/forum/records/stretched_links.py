"""Finds links without text that lie over a box, as cards have them, and the title that each stands for."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadmill.forum.records.page_outline import PageOutline

_LEAST_BOXES = 3
_MOST = 0.9  # of such links lead to places of their own
_USUAL = 0.6  # of the boxes have the words of a title at one place
_LEAST_LETTERS = 6  # of a usual title
_LETTER = re.compile(r"[^\W\d_]")


def find_stretched_links(outline: PageOutline) -> Iterator[tuple[int, int]]:
    """The links without text that lie over boxes, each with the element in its box that has the title.

    Nothing else in such a box is a link. What names its own purpose (a label) is a button.
    """
    boxes: dict[int, list[int]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if href and href[0] != "#" and _is_bare(outline, index):
            boxes[outline.paths[index]].append(index)
    for links in boxes.values():
        if len(links) >= _LEAST_BOXES and _lead_apart(outline, links):
            yield from _find_titles(outline, links)


def _is_bare(outline: PageOutline, index: int) -> bool:
    """Whether a link has no content and no label, and is the only link in its box."""
    box = outline.parent[index]
    if outline.end[index] > index + 1 or outline.text_length(index) or box < 0:
        return False
    if outline.attribute(index, "title") or outline.attribute(index, "aria-label"):
        return False
    others = (outline.hrefs[other] for other in range(box, outline.end[box]) if other != index)
    return outline.text_length(box) > 0 and not any(others)


def _lead_apart(outline: PageOutline, links: Sequence[int]) -> bool:
    return len({outline.hrefs[index] for index in links}) >= _MOST * len(links)


def _find_titles(outline: PageOutline, links: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each link with the words of its box at the place where the boxes have the longest words."""
    places: dict[int, dict[int, int]] = defaultdict(dict)  # path → link → element
    for link in links:
        for element in _elements_with_text(outline, outline.parent[link]):
            places[outline.paths[element]].setdefault(link, element)
    usual = [found for found in places.values() if len(found) >= _USUAL * len(links)]
    titles = max(usual, key=lambda found: _usual_letters(outline, found.values()), default={})
    if titles and _usual_letters(outline, titles.values()) >= _LEAST_LETTERS and _vary(outline, titles):
        yield from titles.items()


def _elements_with_text(outline: PageOutline, box: int) -> Iterable[int]:
    owners = outline.segment_owner[outline.text_from[box] : outline.text_to[box]]
    return dict.fromkeys(owner for owner in owners if owner != box)


def _usual_letters(outline: PageOutline, elements: Iterable[int]) -> float:
    return median(len(_LETTER.findall(outline.text(element, 200))) for element in elements)


def _vary(outline: PageOutline, titles: dict[int, int]) -> bool:
    counts = Counter(outline.text(element, 200) for element in titles.values())
    return 2 * len(counts) >= len(titles)
