"""Bytes to tree, once: whoever needs a page's structure is handed the tree made here."""

from __future__ import annotations

import re
from dataclasses import dataclass

import turbohtml

from threadmill.native.loader import load_extension
from threadmill.page.parse.encoding import choose_encoding

_COMPILED = load_extension("xhtml")

# No part can run past a "<" and come back: hostile pages are read in linear time.
_ATTRIBUTES = rb"(?:[^<>\"'/]++|/(?!>)|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+"

# <iframe/>, read as HTML, never closes and swallows the page; no author of HTML writes it.
# The look ahead is for speed: most tags are left at their first letter.
_XML_SIGN = re.compile(
    rb"<(?=[instxINSTX])(iframe|script|style|title|textarea|noembed|noframes|xmp)\b"
    + _ATTRIBUTES
    + rb"/>(?!\s*</\1)",
    re.IGNORECASE,
)
_SELF_CLOSED = re.compile(
    rb"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|path|use|circle|rect)\b)"
    rb"([a-zA-Z][a-zA-Z0-9:-]*+)(" + _ATTRIBUTES + rb")/>"
)


def as_html(page: bytes) -> bytes:
    """The page with its self-closed elements closed, if it is XML in HTML's clothes; else the page itself."""
    found = _COMPILED.has_self_closed(page) if _COMPILED is not None else _XML_SIGN.search(page)
    if not found:
        return page
    return _SELF_CLOSED.sub(rb"<\1\2></\1>", page)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page, the URL its links are relative to, and the encoding it was read in."""

    document: turbohtml.Document
    url: str
    encoding: str


def parse(html: str | bytes, url: str = "", content_type: str = "", *, positions: bool = False) -> Tree:
    """The tree of a page, read in the encoding that its bytes bear out."""
    if isinstance(html, str):
        return Tree(turbohtml.parse(html, positions=positions), url, "utf-8")
    html = as_html(html)
    label, text = choose_encoding(html, content_type)
    if text is not None:
        return Tree(turbohtml.parse(text, positions=positions), url, "UTF-8")
    document = turbohtml.parse(html, encoding=label, detect_encoding=True, positions=positions)
    return Tree(document, url, document.encoding or "utf-8")
