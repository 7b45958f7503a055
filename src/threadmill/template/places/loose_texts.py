"""Framing texts without an element of their own: "or", "to post a reply" between links beside the content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

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
    lines: dict[tuple[int, int], list[int]] = {}
    for text, line in enumerate(outline.lines):
        lines.setdefault(line, []).append(text)
    new = [
        kind == TextKind.PLAIN and name not in wordings.repeated
        for kind, name in zip(outline.kinds, outline.names, strict=True)
    ]
    first = next((text for text, flag in enumerate(new) if flag), len(new))
    last = max((text for text, flag in enumerate(new) if flag), default=-1)
    for texts in lines.values():
        is_outside = texts[-1] < first or texts[0] > last
        if is_outside and not any(new[text] or outline.exact[text] in wordings.data for text in texts):
            yield texts


def line_of(text: turbohtml.Text) -> list[turbohtml.Text]:
    """Return the texts that stand in one line with a text: up to the next block element or line break."""
    found = [text]
    for step in ("previous_sibling", "next_sibling"):
        node = getattr(text, step)
        while isinstance(node, turbohtml.Text) or (
            isinstance(node, turbohtml.Element) and node.tag in INLINE_TAGS
        ):
            inside = [node] if isinstance(node, turbohtml.Text) else node.descendants
            found += [other for other in inside if isinstance(other, turbohtml.Text)]
            node = getattr(node, step)
    return found
