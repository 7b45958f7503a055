"""Bytes to tree, once: whoever needs a page's structure is handed the tree made here."""

from __future__ import annotations

import re
from dataclasses import dataclass

import turbohtml

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page, the URL its links are relative to, and the encoding it was read in."""

    document: turbohtml.Document
    url: str
    encoding: str


def parse(html: str | bytes, url: str = "", content_type: str = "", *, positions: bool = False) -> Tree:
    """The tree of a page; the order of belief is BOM, HTTP header, <meta>, then the bytes themselves."""
    if isinstance(html, str):
        return Tree(turbohtml.parse(html, positions=positions), url, "utf-8")
    declared = _CHARSET.search(content_type)
    label = declared.group(1) if declared else None
    try:
        document = turbohtml.parse(html, encoding=label, detect_encoding=True, positions=positions)
    except LookupError:  # a label no browser knows says nothing
        document = turbohtml.parse(html, detect_encoding=True, positions=positions)
    return Tree(document, url, document.encoding or "utf-8")
