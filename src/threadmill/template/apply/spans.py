"""Where the elements and texts of a parsed page stand in its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import turbohtml

from threadmill.template.apply.marking import VOID, Span
from threadmill.template.apply.source import Source


def element_spans(source: Source, elements: Iterable[turbohtml.Element]) -> Iterator[Span]:
    """Where elements begin and end in the bytes; those whose markup does not tell are left out."""
    limits = [limit for element in elements if (limit := _limits(element)) is not None]
    return _in_bytes(source, limits)


def text_spans(source: Source, texts: Iterable[turbohtml.Node]) -> Iterator[Span]:
    """Where texts begin and end in the bytes: between the tags on either side of them."""
    return _in_bytes(source, [limit for text in texts if (limit := _between(text)) is not None])


def _in_bytes(source: Source, limits: Sequence[Span]) -> Iterator[Span]:
    flat = source.byte_offsets(place for limit in limits for place in limit)
    return zip(flat[::2], flat[1::2], strict=True)


def _between(text: turbohtml.Node) -> Span | None:
    """From the end of the element before a text to the beginning of the next; None when they do not tell."""
    before, after, parent = text.previous_sibling, text.next_sibling, text.parent
    if not isinstance(parent, turbohtml.Element):
        return None
    outer = parent.source_location
    start = end = None
    if before is None:
        start = outer.start_tag.end_offset if outer else None
    elif isinstance(before, turbohtml.Element) and (limits := _limits(before)) is not None:
        start = limits[1]
    if after is None:
        end = outer.end_tag.start_offset if outer and outer.end_tag else _end_of_unclosed(parent)
    elif isinstance(after, turbohtml.Element) and (place := after.source_location) is not None:
        end = place.start_tag.start_offset
    return (start, end) if start is not None and end is not None and start < end else None


def _limits(element: turbohtml.Element) -> Span | None:
    """Where an element begins and ends in the text; None when its markup does not tell."""
    location = element.source_location
    if location is None:
        return None
    start = location.start_tag.start_offset
    if location.end_tag is not None:
        return start, location.end_tag.end_offset
    if element.tag.encode() in VOID:
        return start, location.start_tag.end_offset
    end = _end_of_unclosed(element)
    return None if end is None or end <= start else (start, end)


def _end_of_unclosed(element: turbohtml.Element) -> int | None:
    """An element without an end tag ends where the next one begins, or where its parent is closed."""
    node: turbohtml.Node | None = element
    while isinstance(node, turbohtml.Element):
        following = node.next_sibling
        while following is not None and not isinstance(following, turbohtml.Element):
            if isinstance(following, turbohtml.Text) and following.data.strip():
                return None  # text that the repair of broken markup has put there
            following = following.next_sibling
        if following is not None:
            place = following.source_location
            return place.start_tag.start_offset if place else None
        parent = node.parent
        if isinstance(parent, turbohtml.Element):
            location = parent.source_location
            if location is not None and location.end_tag is not None:
                return location.end_tag.start_offset
        node = parent if isinstance(parent, turbohtml.Element) else None
    return None
