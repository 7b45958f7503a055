"""Turns a page written by an XML serialiser back into HTML, so that its empty elements close."""

from __future__ import annotations

import re

from threadmill.native.loader import load_extension

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
