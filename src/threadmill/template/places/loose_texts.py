"""Framing texts without an element of their own: "or", "to post a reply" between links beside the content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import turbohtml

from threadmill.template.places.paths import ROOT
from threadmill.template.places.place_statistics import PlaceSettings, Wordings
from threadmill.template.places.text_outline import INLINE_TAGS, TextKind, TextOutline

LooseTexts = dict[int, frozenset[int]]  # for a place: the wordings of its framing texts


def find_loose_texts(
    outlines: Sequence[TextOutline],
    located: Sequence[list[tuple[int, int]]],
    wordings: Wordings,
    places: Mapping[int, float],
    settings: PlaceSettings,
) -> LooseTexts:
    """Find texts directly in a place that holds the content, which most pages say in lines without new text.

    `places` gives for each such place the number of its pages. A line under the page's title and before its
    text is a byline, so it is content.
    """
    pages: Counter[tuple[int, int]] = Counter()
    times: Counter[tuple[int, int]] = Counter()
    for outline, pairs in zip(outlines, located, strict=True):
        of_element = {element: place for element, place in pairs if place in places}
        of_element[0] = ROOT
        said = Counter(
            text
            for line in _framing_lines(outline, wordings)
            for text in {
                (of_element[outline.owners[text]], outline.names[text])
                for text in line
                if outline.owners[text] in of_element
            }
        )
        pages.update(said.keys())
        times.update(said)
    found: dict[int, set[int]] = {}
    for (place, name), count in pages.items():
        often = count >= max(settings.min_pages, settings.min_presence * places.get(place, 0.0))
        if often and place in places and times[place, name] <= settings.max_per_page * count:
            found.setdefault(place, set()).add(name)
    return {place: frozenset(names) for place, names in found.items()}


def _framing_lines(outline: TextOutline, wordings: Wordings) -> Iterator[list[int]]:
    """Yield the texts of each line that holds no new text and is no byline."""
    lines, new = _lines_of(outline), _new_texts(outline, wordings)
    first = next((text for text, flag in enumerate(new) if flag), len(new))
    last = max((text for text, flag in enumerate(new) if flag), default=-1)
    for texts in lines.values():
        is_outside = texts[-1] < first or texts[0] > last
        if is_outside and not any(new[text] or outline.exact[text] in wordings.data for text in texts):
            yield texts


def _lines_of(outline: TextOutline) -> dict[tuple[int, int], list[int]]:
    lines: dict[tuple[int, int], list[int]] = {}
    for text, line in enumerate(outline.lines):
        lines.setdefault(line, []).append(text)
    return lines


def _new_texts(outline: TextOutline, wordings: Wordings) -> list[bool]:
    return [
        kind == TextKind.PLAIN and name not in wordings.repeated
        for kind, name in zip(outline.kinds, outline.names, strict=True)
    ]


# Share of the pages that have a trail with this first link.
_LEAST_TRAILS = 0.1


def find_trail_heads(
    outlines: Sequence[TextOutline], wordings: Wordings, settings: PlaceSettings
) -> frozenset[int]:
    """Find the first links of trails: lines of links above the content that end with the page's own title."""
    pages: Counter[int] = Counter()
    for outline in outlines:
        lines = _lines_of(outline)
        first = next(
            (text for text, new in enumerate(_new_texts(outline, wordings)) if new), len(outline.names)
        )
        pages.update({_trail_head(outline, texts) for texts in lines.values() if texts[-1] < first})
    least = max(settings.min_pages, _LEAST_TRAILS * len(outlines))
    return frozenset(head for head, count in pages.items() if head in wordings.repeated and count >= least)


def _trail_head(outline: TextOutline, texts: list[int]) -> int:
    """Return the wording of the first link of a trail, 0 for another line."""
    said = [text for text in texts if outline.kinds[text] != TextKind.SIGNS]
    if len(said) < 2 or not outline.linked[said[0]] or any(outline.in_heading[text] for text in texts):
        return 0
    last = said.pop()
    is_trail = outline.kinds[last] == TextKind.ECHO and not outline.linked[last]
    return outline.names[said[0]] if is_trail and all(outline.linked[text] for text in said) else 0


def line_of(node: turbohtml.Node) -> list[turbohtml.Node]:
    """Return the nodes in one line with a node, in order: up to the next block element or line break."""
    found = [node]
    before, behind = node.previous_sibling, node.next_sibling
    while before is not None and _is_inline(before):
        found.insert(0, before)
        before = before.previous_sibling
    while behind is not None and _is_inline(behind):
        found.append(behind)
        behind = behind.next_sibling
    return found


def _is_inline(node: turbohtml.Node) -> bool:
    return isinstance(node, turbohtml.Text) or (
        isinstance(node, turbohtml.Element) and node.tag in INLINE_TAGS
    )


def texts_in(nodes: Iterable[turbohtml.Node]) -> list[turbohtml.Text]:
    """Return the texts of nodes, in their order."""
    found: list[turbohtml.Text] = []
    for node in nodes:
        inside = node.descendants if isinstance(node, turbohtml.Element) else [node]
        found += [text for text in inside if isinstance(text, turbohtml.Text)]
    return found
