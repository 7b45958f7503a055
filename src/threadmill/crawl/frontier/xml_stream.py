"""XML from strangers, read piece by piece: bounded depth and text, no entities of its own, no tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.parsers import expat

MAX_TEXT = 8192  # a URL longer than this is none that a server takes
MAX_DEPTH = 64  # sitemaps and feeds nest to about six

# Called at the end of an element: the names of its ancestors and itself, its attributes, its text.
Visitor = Callable[[list[str], dict[str, str], str], None]


class _StopError(Exception):
    """Raised inside expat to get out of it."""


def read_xml(pieces: Iterable[bytes], visit: Visitor) -> str:
    """Visit every element as it ends; what is wrong with the document, empty when nothing is."""
    walk = _Walk(visit)
    try:
        for piece in pieces:
            walk.parser.Parse(piece, False)
        walk.parser.Parse(b"", True)
    except _StopError as stop:
        return str(stop)
    except (expat.ExpatError, LookupError, ValueError):
        return "bad-xml"
    return ""


class _Walk:
    """The state between two pieces."""

    def __init__(self, visit: Visitor) -> None:
        self._visit = visit
        self._names: list[str] = []
        self._attributes: list[dict[str, str]] = []
        self._text: list[str] = []
        self._size = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.UseForeignDTD(True)  # so that &nbsp; in a feed is skipped, not an error
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
        self._visit(self._names, self._attributes.pop(), "".join(self._text).strip())
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
