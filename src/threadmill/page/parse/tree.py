"""Parses a page, once: bytes become a tree, which is handed on to all that needs the page's structure."""

from __future__ import annotations

import re
from dataclasses import dataclass

import turbohtml

from threadmill.native.loader import load_extension
from threadmill.page.parse.encoding import choose_encoding

# Elements whose self-closed form, <iframe/>, HTML never closes: it swallows the rest of the page.
NEVER_SELF_CLOSED = ("iframe", "script", "style", "title", "textarea", "noembed", "noframes", "xmp")

_COMPILED = load_extension("xhtml")

# No part can run past a "<" and come back, so hostile pages are read in linear time.
_ATTRIBUTES = rb"(?:[^<>\"'/]++|/(?!>)|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+"
# No author of HTML writes these; an XML serialiser does. The look ahead saves time: most tags fail at their
# first letter.
_XML_SIGN = re.compile(
    rb"<(?=[instxINSTX])(" + "|".join(NEVER_SELF_CLOSED).encode() + rb")\b" + _ATTRIBUTES + rb"/>(?!\s*</\1)",
    re.IGNORECASE,
)
_SELF_CLOSED = re.compile(
    rb"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|path|use|circle|rect)\b)"
    rb"([a-zA-Z][a-zA-Z0-9:-]*+)(" + _ATTRIBUTES + rb")/>"
)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page, the URL its links are relative to, and the encoding it was read in."""

    document: turbohtml.Document
    url: str
    encoding: str


def parse(html: str | bytes, url: str = "", content_type: str = "", *, positions: bool = False) -> Tree:
    """The tree of a page. Bytes are read in the encoding that fits them best."""
    if isinstance(html, str):
        return Tree(turbohtml.parse(html, positions=positions), url, "utf-8")
    html = close_empty_elements(html)
    label, text = choose_encoding(html, content_type)
    if text is not None:
        return Tree(turbohtml.parse(text, positions=positions), url, "UTF-8")
    document = turbohtml.parse(html, encoding=label, detect_encoding=True, positions=positions)
    return Tree(document, url, document.encoding or "utf-8")


def close_empty_elements(page: bytes) -> bytes:
    """The page with its self-closed elements closed, if an XML serialiser wrote it; else the page itself."""
    found = _COMPILED.has_self_closed(page) if _COMPILED is not None else _XML_SIGN.search(page)
    if not found:
        return page
    return _SELF_CLOSED.sub(rb"<\1\2></\1>", page)
