"""Bytes to tree, once: whoever needs a page's structure is handed the tree made here."""

from __future__ import annotations

import re
from dataclasses import dataclass

import turbohtml

# An XML serialiser writes <iframe/> and <i/>; read as HTML these never close and the first swallows the page.
_XML_SIGN = re.compile(
    rb"<(iframe|script|style|title|textarea|noembed|noframes|xmp)\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*/>(?!\s*</\1)",
    re.IGNORECASE,
)
_SELF_CLOSED = re.compile(
    rb"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|path|use|circle|rect)\b)"
    rb"([a-zA-Z][a-zA-Z0-9:-]*)((?:[^<>\"'/]|/(?!>)|\"[^\"]*\"|'[^']*')*)/>"
)
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
        mended = _as_html(html.encode("utf-8", "surrogatepass"))
        return Tree(
            turbohtml.parse(mended.decode("utf-8", "surrogatepass"), positions=positions), url, "utf-8"
        )
    html = _as_html(html)
    declared = _CHARSET.search(content_type)
    label = declared.group(1) if declared else None
    try:
        document = turbohtml.parse(html, encoding=label, detect_encoding=True, positions=positions)
    except LookupError:  # a label no browser knows says nothing
        document = turbohtml.parse(html, detect_encoding=True, positions=positions)
    return Tree(document, url, document.encoding or "utf-8")


def _as_html(page: bytes) -> bytes:
    """A page saved by an XML serialiser with its empty elements closed; any other page as it is."""
    if not _XML_SIGN.search(page):
        return page
    return _SELF_CLOSED.sub(rb"<\1\2></\1>", page)
