"""The text of a page with the way back from its elements and texts to byte offsets."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import turbohtml
from numpy.typing import NDArray

from threadmill.page.parse.tree import choose_encoding
from threadmill.template.apply.marking import VOID_TAGS, ByteSpan

_BYTE_CODEC = "latin-1"  # one character per byte: decodes everything and encodes it back unchanged


@dataclass(frozen=True, slots=True)
class PageSource:
    """The bytes of a page, and a text that encodes to exactly these bytes."""

    html: bytes
    text: str
    codec: str

    def parse(self) -> turbohtml.Document:
        """Parse the text; the elements know their offsets in it."""
        return turbohtml.parse(self.text, source_locations=True)

    def byte_offsets(self, places: Iterable[int]) -> list[int]:
        """Turn offsets of the tree into byte offsets.

        The tree counts characters, and counts a carriage return with its line feed as one.
        """
        if "\r" not in self.text and (self.codec == _BYTE_CODEC or self.html.isascii()):
            return list(places)
        begins = np.append(self._character_begins(), len(self.html))
        if "\r\n" in self.text:
            characters = np.frombuffer(self.text.encode("utf-32-le"), np.uint32)
            second = np.flatnonzero((characters[:-1] == 13) & (characters[1:] == 10)) + 1
            begins = np.delete(begins, second)
        last = len(begins) - 1
        return [int(begins[min(place, last)]) for place in places]

    def _character_begins(self) -> NDArray[np.int64]:
        if self.codec == _BYTE_CODEC:
            return np.arange(len(self.text), dtype=np.int64)
        if self.codec == "utf-8":
            return np.flatnonzero((np.frombuffer(self.html, np.uint8) & 0xC0) != 0x80)
        widths = {character: len(character.encode(self.codec)) for character in set(self.text)}
        lengths = np.fromiter(map(widths.__getitem__, self.text), np.int64, len(self.text))
        return np.cumsum(lengths) - lengths


def decode_exactly(html: bytes, content_type: str = "") -> PageSource:
    """Decode a page in its encoding if that is exact, else byte by byte."""
    label, text = choose_encoding(html, content_type)
    if text is not None or label is None:
        label = "utf-8"
    codec = _find_exact_codec(html, label)
    return PageSource(html, html.decode(codec), codec)


def _find_exact_codec(html: bytes, label: str) -> str:
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        label = "utf-16-le" if html.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    try:
        codec = codecs.lookup(label).name
        text = html.decode(codec)
        # In a codec with shift states or a byte order mark, the widths of characters cannot be added up.
        exact = sum(map(len, (text[:64].encode(codec), text[64:].encode(codec)))) == len(html)
        return codec if exact and text.encode(codec) == html else _BYTE_CODEC
    except (LookupError, UnicodeError, ValueError):
        return _BYTE_CODEC


def element_spans(source: PageSource, elements: Iterable[turbohtml.Element]) -> Iterator[ByteSpan]:
    """Yield the byte spans of elements; elements whose markup does not tell are left out."""
    limits = [limit for element in elements if (limit := _limits(element)) is not None]
    return _in_bytes(source, limits)


def text_spans(source: PageSource, texts: Iterable[turbohtml.Node]) -> Iterator[ByteSpan]:
    """Yield the byte spans of texts: from the tag before to the tag after."""
    return _in_bytes(source, [limit for text in texts if (limit := _between(text)) is not None])


def _in_bytes(source: PageSource, limits: Sequence[ByteSpan]) -> Iterator[ByteSpan]:
    flat = source.byte_offsets(place for limit in limits for place in limit)
    return zip(flat[::2], flat[1::2], strict=True)


def _between(text: turbohtml.Node) -> ByteSpan | None:
    """Return the span between the element before a text and the one after it; None when they do not tell."""
    before, after, parent = (
        _neighbour(text, "previous_sibling"),
        _neighbour(text, "next_sibling"),
        text.parent,
    )
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


def _neighbour(text: turbohtml.Node, side: str) -> turbohtml.Node | None:
    """Return the node on one side of a text, beyond comments: these know no offsets, and go with the text."""
    node: turbohtml.Node | None = getattr(text, side)
    while isinstance(node, turbohtml.Comment) or (isinstance(node, turbohtml.Text) and not node.data.strip()):
        node = getattr(node, side)
    return node


def _limits(element: turbohtml.Element) -> ByteSpan | None:
    """Return where an element begins and ends in the text; None when its markup does not tell."""
    location = element.source_location
    if location is None:
        return None
    start = location.start_tag.start_offset
    if location.end_tag is not None:
        return start, location.end_tag.end_offset
    if element.tag.encode() in VOID_TAGS:
        return start, location.start_tag.end_offset
    end = _end_of_unclosed(element)
    return None if end is None or end <= start else (start, end)


def _end_of_unclosed(element: turbohtml.Element) -> int | None:
    """Return where an element without end tag ends: at the next element, or at the end tag of its parent."""
    node: turbohtml.Node | None = element
    while isinstance(node, turbohtml.Element):
        following = node.next_sibling
        while following is not None and not isinstance(following, turbohtml.Element):
            if isinstance(following, turbohtml.Text) and following.data.strip():
                return None  # the parser moved this text here when it repaired broken markup
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
