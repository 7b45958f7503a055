"""Bytes to tree, once: whoever needs a page's structure is handed the tree made here."""

from __future__ import annotations

from dataclasses import dataclass

import turbohtml

from threadmill.page.parse.encoding import choose_encoding
from threadmill.page.parse.xhtml import as_html


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
