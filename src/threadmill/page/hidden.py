"""What a reader of a page does not see: by attribute, inline style, style elements and given style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from turbohtml import Document, Element, Node

# React sends late parts of a page as <div hidden id="S:1"> and moves them into place by script.
_BY_ATTRIBUTE = '[hidden]:not([hidden="until-found" i], [id^="S:"]), dialog:not([open])'
# What a reader unfolds with a click on the page: tabs and folding answers, and what unfolds them.
_UNFOLDED = "[role=tabpanel], [role=region][aria-labelledby]"
_UNFOLDING = "[aria-controls][aria-expanded]"
_SUSPECTS = "[style*=none i], [style*=hidden i], [hidden], dialog"
_WHOLE_PAGE = frozenset({"html", "body", "main"})
_INVISIBLE = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE
)
_VALUE = re.compile(r":\s*(none|hidden|collapse)")
_PROPERTY_CHARS = 40  # "visibility" and more white space than anybody writes
_OPENINGS = ("", ";", "{", " ", "\n", "\r", "\t")  # what may stand before a property's name
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
    found = document.select(f"style, {_SUSPECTS}")  # every search goes over the whole tree
    selectors = _hiding_selectors([*(style.text for style in found if style.tag == "style"), *sheets])
    for element in _selected(document, selectors):
        hidden[element] = "hidden by a style sheet"
    for element in found:
        if _INVISIBLE.search(element.attr("style") or ""):
            hidden[element] = "hidden by its style attribute"
        elif element.matches(_BY_ATTRIBUTE):
            hidden[element] = "hidden by its attribute"
    if hidden:
        for shown in list(_shown_in_time(document, hidden)):
            hidden.pop(shown, None)
    return hidden


def hiding_rules(sheet: str) -> str:
    """The rules of a style sheet that hide, as a sheet of their own: many pages may link one large sheet."""
    return "\n".join(f"{selector}{{display:none}}" for selector in _hiding_selectors([sheet]))


def _selected(document: Document, selectors: list[str]) -> list[Element]:
    """What any of the selectors finds; all at once where all can be read, else one by one."""
    if not selectors:
        return []
    try:
        return document.select(", ".join(selectors))
    except ValueError:  # a selector of a newer or private dialect
        return [e for selector in selectors for e in _selected(document, [selector])] if selectors[1:] else []


def _shown_in_time(document: Document, hidden: Mapping[Node, str]) -> Iterator[Node]:
    """Elements that are hidden at rest and shown later: the page as a whole, tabs, folding answers."""
    controlled: set[str | None] = set()
    for element in document.select(f"{_UNFOLDED}, {_UNFOLDING}"):
        if element.matches(_UNFOLDING):
            controlled.add(element.attr("aria-controls"))
        if element.matches(_UNFOLDED):
            yield element
            if element.parent is not None:
                yield element.parent
    for node in hidden:
        if isinstance(node, Element) and (
            node.tag in _WHOLE_PAGE or (controlled and node.attr("id") in controlled)
        ):
            yield node


def _hiding_selectors(sheets: Iterable[str]) -> list[str]:
    selectors: list[str] = []
    for sheet in sheets:
        if len(sheet) <= _MAX_SHEET and ("none" in sheet or "hidden" in sheet):
            selectors.extend(_top_level_rules(sheet))
    return list(dict.fromkeys(selectors))[:_MAX_SELECTORS]


def _top_level_rules(sheet: str) -> list[str]:
    """Selectors of rules that hide, outside of @media and its kin, which speak of other screens."""
    sheet = _without_comments(sheet)
    found: list[str] = []
    at = depth = 0
    for hiding in _hiding_places(sheet):
        brace = sheet.rfind("{", 0, hiding)
        if brace < at:  # the rule was seen already
            continue
        depth += sheet.count("{", at, brace) - sheet.count("}", at, brace)
        start = max(sheet.rfind(mark, 0, brace) for mark in "{};") + 1
        at = brace
        head = sheet[start:brace].strip()
        if depth <= 0 and head and not _DYNAMIC.search(head):
            found.append(head)
    return found


def _without_comments(sheet: str) -> str:
    """What a browser reads of a style sheet."""
    parts: list[str] = []
    at = 0
    while (start := sheet.find("/*", at)) >= 0 and (end := sheet.find("*/", start + 2)) >= 0:
        parts.append(sheet[at:start])
        at = end + 2
    return "".join(parts) + sheet[at:]


def _hiding_places(sheet: str) -> list[int]:
    """Where a value stands that hides, in order; a pattern of property and value takes four times as long."""
    lower = sheet.lower()
    if len(lower) != len(sheet):  # a letter whose small form is two: nothing a style sheet needs
        lower = sheet
    hiding = (found.start() for found in _VALUE.finditer(lower) if _hides(lower, found.start(), found[1]))
    return list(islice(hiding, _MAX_SELECTORS))


def _hides(sheet: str, colon: int, value: str) -> bool:
    name = sheet[max(0, colon - _PROPERTY_CHARS) : colon].rstrip()
    wanted = "display" if value == "none" else "visibility"
    return name.endswith(wanted) and name[-len(wanted) - 1 : -len(wanted)] in _OPENINGS
