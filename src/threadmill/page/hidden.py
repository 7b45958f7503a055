"""What a reader of a page does not see: by attribute, inline style, style elements and given style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from turbohtml import Document, Node

_BY_ATTRIBUTE = '[hidden]:not([hidden="until-found" i]), dialog:not([open]), input[type=hidden]'
_STYLED = "[style*=none i], [style*=hidden i]"
_INVISIBLE = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BRACE = re.compile(r"[{}]")
# Selectors that depend on what a reader does (hover, focus, checked boxes) say nothing of a page at rest.
_DYNAMIC = re.compile(
    r":(?:hover|focus|active|checked|target|visited|disabled|empty|before|after|not|is|where|has)|::|@"
)
# A style sheet of this size with as many rules is read; beyond it the time is better spent elsewhere.
_MAX_SHEET = 500_000
_MAX_SELECTORS = 400


def hidden_elements(document: Document, sheets: Iterable[str] = ()) -> dict[Node, str]:
    """Every element that hides itself and what is in it, with the reason."""
    hidden: dict[Node, str] = {}
    for selector in _hiding_selectors([*(style.text for style in document.select("style")), *sheets]):
        try:
            found = document.select(selector)
        except ValueError:  # a selector of a newer or private dialect
            continue
        hidden.update(dict.fromkeys(found, "hidden by a style sheet"))
    for element in document.select(_STYLED):
        if _INVISIBLE.search(element.attr("style") or ""):
            hidden[element] = "hidden by its style attribute"
    hidden.update(dict.fromkeys(document.select(_BY_ATTRIBUTE), "hidden by its attribute"))
    for tag in ("html", "body"):  # a page that shows itself by script only is still meant to be read
        if (shown := document.find(tag)) is not None:
            hidden.pop(shown, None)
    return hidden


def _hiding_selectors(sheets: Iterable[str]) -> list[str]:
    selectors: list[str] = []
    for sheet in sheets:
        if len(sheet) <= _MAX_SHEET and _INVISIBLE.search(sheet):
            selectors.extend(_top_level_rules(_COMMENT.sub("", sheet)))
    return selectors[:_MAX_SELECTORS]


def _top_level_rules(sheet: str) -> list[str]:
    """Selectors of rules that hide, outside of @media and its kin, which speak of other screens."""
    found = []
    depth = start = 0
    head = ""
    for brace in _BRACE.finditer(sheet):
        if brace.group() == "{":
            if depth == 0:
                head = sheet[start : brace.start()].rpartition(";")[2].strip()
                start = brace.end()
            depth += 1
        elif brace.group() == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                if head and not _DYNAMIC.search(head) and _INVISIBLE.search(sheet[start - 1 : brace.start()]):
                    found.append(head)
                start = brace.end()
    return found
