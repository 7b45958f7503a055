"""Makes the targets of links absolute. Most need no URL parser."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from turbohtml import Document

_UNPLAIN = re.compile(r"[:;\s]|/\.|[?#]$")  # a target that is more than a name in the same folder
_UP = re.compile(r"(?:\.\.?/)+")  # from the folder to one above it
# A base of which folder and document are seen without a parser: nothing in it is left out or moved.
_PLAIN_BASE = re.compile(r"(https?://[\w.:-]+/(?:[\w~%+,=&-][\w.~%+,=&-]*/)*)(?:[\w~%+,=&-][\w.~%+,=&-]*)?")
_ABSOLUTE = ("https://", "http://", "mailto:", "javascript:", "tel:")


class LinkResolver:
    """Resolves the targets of one page against its base URL."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.scheme, self.origin = _origin(base)
        self._joined: dict[str, str] = {}  # pages repeat targets such as "#", and a URL parser takes 10 µs

    @cached_property
    def document(self) -> str:
        """The URL that "#name" is appended to."""
        if _PLAIN_BASE.fullmatch(self.base):
            return self.base
        return _joined(self.base, "#a")[:-2]

    @cached_property
    def folder(self) -> str:
        """The URL that the name of a page in the same folder is appended to."""
        if plain := _PLAIN_BASE.fullmatch(self.base):
            return plain[1]
        return _joined(self.base, "a")[:-1]

    def absolute(self, target: str) -> str:
        """The absolute URL of a target as an attribute has it. A target that is no URL stays as it is."""
        target = target.strip()
        if not self.base or target.startswith(_ABSOLUTE):
            return target
        if target.startswith("//"):
            return f"{self.scheme}:{target}"
        if target.startswith("/") and "/." not in target:
            return self.origin + target
        if target.startswith("#") and target != "#":
            return self.document + target
        if target[:1].isalnum() and target.isascii() and not _UNPLAIN.search(target):
            return self.folder + target
        if up := _UP.match(target):
            rest = target[up.end() :]
            if rest[:1].isalnum() and rest.isascii() and "//" not in rest and not _UNPLAIN.search(rest):
                return self._known(f"{up[0]}a")[:-1] + rest
        return self._known(target)

    def _known(self, target: str) -> str:
        if target not in self._joined:
            self._joined[target] = _joined(self.base, target)
        return self._joined[target]


def link_base(document: Document, url: str) -> str:
    """The base URL of a page's links. Document.base_url() alone would search the whole page."""
    return (document.base_url(url) if document.select_one("base[href]") is not None else "") or url


def _joined(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:  # "http://[" and the like: the web is full of them
        return target


def _origin(base: str) -> tuple[str, str]:
    try:
        parts = urlsplit(base)
    except ValueError:
        return "", ""
    return parts.scheme, f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
