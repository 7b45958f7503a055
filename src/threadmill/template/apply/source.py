"""A page as text, with the way back from places in the text to places in its bytes."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import turbohtml
from numpy.typing import NDArray

from threadmill.page.parse.encoding import choose_encoding

_BYTES = "latin-1"  # one character a byte: reads everything and writes it back as it was


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a page, and the text that encodes to exactly these bytes."""

    html: bytes
    text: str
    codec: str

    def parse(self) -> turbohtml.Document:
        """The tree, whose elements know their place in the text."""
        return turbohtml.parse(self.text, source_locations=True)

    def byte_offsets(self, places: Iterable[int]) -> list[int]:
        """Places as the tree tells them, as places in the bytes.

        The tree counts characters, and a carriage return with its line feed as one of them.
        """
        if "\r" not in self.text and (self.codec == _BYTES or self.html.isascii()):
            return list(places)
        begins = np.append(self._character_begins(), len(self.html))
        if "\r\n" in self.text:
            characters = np.frombuffer(self.text.encode("utf-32-le"), np.uint32)
            second = np.flatnonzero((characters[:-1] == 13) & (characters[1:] == 10)) + 1
            begins = np.delete(begins, second)
        last = len(begins) - 1
        return [int(begins[min(place, last)]) for place in places]

    def _character_begins(self) -> NDArray[np.int64]:
        if self.codec == _BYTES:
            return np.arange(len(self.text), dtype=np.int64)
        if self.codec == "utf-8":
            return np.flatnonzero((np.frombuffer(self.html, np.uint8) & 0xC0) != 0x80)
        widths = {character: len(character.encode(self.codec)) for character in set(self.text)}
        lengths = np.fromiter(map(widths.__getitem__, self.text), np.int64, len(self.text))
        return np.cumsum(lengths) - lengths


def read_source(html: bytes, content_type: str = "") -> Source:
    """Read a page in its encoding where that is exact, byte by byte where it is not."""
    label, text = choose_encoding(html, content_type)
    if text is not None or label is None:
        label = "utf-8"
    codec = _exact_codec(html, label)
    return Source(html, html.decode(codec), codec)


def _exact_codec(html: bytes, label: str) -> str:
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        label = "utf-16-le" if html.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    try:
        codec = codecs.lookup(label).name
        text = html.decode(codec)
        # A codec with shifts or a mark of its own gives characters no width that could be summed up.
        exact = sum(map(len, (text[:64].encode(codec), text[64:].encode(codec)))) == len(html)
        return codec if exact and text.encode(codec) == html else _BYTES
    except (LookupError, UnicodeError, ValueError):
        return _BYTES
