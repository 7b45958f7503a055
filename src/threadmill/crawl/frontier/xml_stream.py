"""Reads untrusted XML piece by piece: bounded depth and text, no entity definitions, no tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.parsers import expat

MAX_TEXT = 8192  # characters; servers accept no longer URLs
MAX_DEPTH = 64  # sitemaps and feeds nest to about six

# Called at the end of each element with the names of its ancestors and itself, its attributes and its text.
ElementHandler = Callable[[list[str], dict[str, str], str], None]


class _StopError(Exception):
    """Raised in a callback to leave expat."""


def read_xml(pieces: Iterable[bytes], handle: ElementHandler) -> str:
    """Call `handle` at the end of every element. Return what is wrong with the document, "" if nothing is."""
    reader = _XMLReader(handle)
    try:
        for piece in pieces:
            reader.parser.Parse(piece, False)
        reader.parser.Parse(b"", True)
    except _StopError as stop:
        return str(stop)
    except (expat.ExpatError, LookupError, ValueError):
        return "bad-xml"
    return ""


class _XMLReader:
    """The state of the parser between two pieces."""

    def __init__(self, handle: ElementHandler) -> None:
        self._handle = handle
        self._names: list[str] = []
        self._attributes: list[dict[str, str]] = []
        self._text: list[str] = []
        self._size = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.UseForeignDTD(True)  # &nbsp; in a feed is then skipped and not an error
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.EntityDeclHandler = self._entity

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._names) >= MAX_DEPTH:
            raise _StopError("xml-too-deep")
        self._names.append(name.rpartition(":")[2].lower())
        self._attributes.append(attributes)
        self._clear()

    def _end(self, name: str) -> None:  # noqa: ARG002 -- expat's signature
        self._handle(self._names, self._attributes.pop(), "".join(self._text).strip())
        self._names.pop()
        self._clear()

    def _data(self, data: str) -> None:
        if self._size <= MAX_TEXT:
            self._text.append(data)
            self._size += len(data)

    def _clear(self) -> None:
        if self._text:
            self._text.clear()
        self._size = 0

    def _entity(self, *_: object) -> None:
        raise _StopError("xml-entities")
