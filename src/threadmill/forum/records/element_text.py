"""The text of an element as a reader sees it: lines where the layout breaks, chosen parts left out."""

from __future__ import annotations

import re

from turbohtml import Element, Text

from threadmill.forum.records.outline import SILENT, Outline

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def text_of(outline: Outline, index: int, without: frozenset[int] = frozenset()) -> str:
    """The text of a subtree, without the subtrees named."""
    parts: list[str] = []
    stack: list[Element | Text | str] = [outline.elements[index]]
    here = index
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif type(node) is Text:
            parts.append(node.data.replace("\n", " "))
        elif node.tag not in SILENT:
            if here in without:
                here = outline.end[here]
                parts.append("\n")
                continue
            here += 1
            block = node.tag in _BLOCKS
            if block:
                parts.append("\n")
                stack.append("\n")
            stack.extend(
                child for child in reversed(node.children) if type(child) is Element or type(child) is Text
            )
    return _LINES.sub("\n", _SPACES.sub(" ", "".join(parts))).strip()
