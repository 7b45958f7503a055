"""Finds the hidden elements of a page: by attribute, inline style, style elements and given style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from turbohtml import Document, Element, Node

from threadmill.native.loader import load_extension

# Native code reads these: they stand before it is loaded.
# Value and property by which elements are hidden. The value is searched for, then the property before it: a
# regular expression takes several times as long.
HIDING = (("none", "display"), ("hidden", "visibility"), ("collapse", "visibility"))
BEFORE_VALUE = 64  # characters that a property's name and the white space after it take at most

_COMPILED = load_extension("hidden")

_LATE = "S:"  # React sends late parts of a page as <div hidden id="S:1"> and moves them into place by script
# What a reader can unfold with a click, such as tabs and answers, and the elements that unfold it.
_UNFOLDED = "[role=tabpanel], [role=region][aria-labelledby]"
_UNFOLDING = "[aria-controls][aria-expanded]"
# Elements with a type of schema.org are found on the way: a search over all elements takes 57 µs whatever it
# looks for, and 3 µs more for this. Elements of one tag, <dialog>, the tree knows without a search.
_ASKED = (
    "[style*=none i], [style*=hidden i], [style*=collapse i], [hidden], "
    f"{_UNFOLDED}, {_UNFOLDING}, [itemtype]"
)
_WHOLE_PAGE = frozenset({"html", "body", "main"})
# A set of letters comes first, because a search leaps to it; then it is asked what stands before that letter.
_INVISIBLE = re.compile(
    r"[dDvV](?<![^;{\s][dDvV])"
    r"(?i:(?<=d)isplay\s*:\s*none|(?<=v)isibility\s*:\s*(?:hidden|collapse))"
)
_OPENINGS = ("", ";", "{", " ", "\n", "\r", "\t")  # what may precede the name of a property
# Selectors that depend on what a reader does (hover, focus, checked boxes) say nothing about a page at rest.
_DYNAMIC = re.compile(
    r":(?:hover|focus|active|checked|target|visited|disabled|empty|before|after|not|is|where|has)|::|@"
)
# Larger style sheets and more rules are not read: they would cost too much time.
_MAX_SHEET = 500_000
_MAX_SELECTORS = 400


def hidden_elements(
    document: Document, sheets: Iterable[str] = (), typed: list[Element] | None = None
) -> dict[Node, str]:
    """Every element that is hidden with all its content, and the reason.

    Elements with a type of schema.org are put into `typed` in the order of the page.
    """
    found, by_sheet = _search(
        document, _hiding_selectors([*(style.text for style in document.select("style")), *sheets])
    )
    hidden: dict[Node, str] = {}
    shown: list[Node | None] = []  # after a click: tabs and answers
    controlled: set[str | None] = set()
    _note_types(found, typed)
    for element in chain(found, document.select("dialog")):
        style = element.attr("style")
        if style and _INVISIBLE.search(style):
            hidden[element] = "hidden by its style attribute"
        elif _is_hidden_by_attribute(element):
            hidden[element] = "hidden by its attribute"
        elif by_sheet and element.matches(by_sheet):
            hidden[element] = "hidden by a style sheet"
        role = element.attr("role")
        if role == "tabpanel" or (role == "region" and element.attr("aria-labelledby") is not None):
            shown += element, element.parent
        controls = element.attr("aria-controls")
        if controls is not None and element.attr("aria-expanded") is not None:
            controlled.add(controls)
    for node in hidden:
        if isinstance(node, Element) and (
            node.tag in _WHOLE_PAGE or (controlled and node.attr("id") in controlled)
        ):
            shown.append(node)
    for late in shown:
        hidden.pop(late, None)  # type: ignore[arg-type]
    return hidden


def _note_types(elements: Iterable[Element], typed: list[Element] | None) -> None:
    if typed is not None:
        typed.extend([element for element in elements if element.attr("itemtype") is not None])


def _is_hidden_by_attribute(element: Element) -> bool:
    said = element.attr("hidden")
    if (
        said is not None
        and said.lower() != "until-found"
        and not (element.attr("id") or "").startswith(_LATE)
    ):
        return True
    return element.tag == "dialog" and element.attr("open") is None


def hiding_rules(sheet: str) -> str:
    """Only those rules of a style sheet that hide elements. Many pages may link the same large sheet."""
    return "\n".join(f"{selector}{{display:none}}" for selector in _hiding_selectors([sheet]))


def _search(document: Document, selectors: list[str]) -> tuple[list[Element], str]:
    """All elements that may be hidden or unfold others, and the selectors of the sheets joined to one."""
    joined = ", ".join(selectors)
    try:
        return document.select(f"{joined}, {_ASKED}" if joined else _ASKED), joined
    except ValueError:  # a selector is unknown to the parser
        return _search(document, [selector for selector in selectors if _is_readable(document, selector)])


def _is_readable(document: Document, selector: str) -> bool:
    try:
        document.matches(selector)
    except ValueError:
        return False
    return True


def _hiding_selectors(sheets: Iterable[str]) -> list[str]:
    selectors: list[str] = []
    for sheet in sheets:
        if len(sheet) <= _MAX_SHEET and ("none" in sheet or "hidden" in sheet):
            selectors.extend(_top_level_rules(sheet))
    return list(dict.fromkeys(selectors))[:_MAX_SELECTORS]


def _top_level_rules(sheet: str) -> list[str]:
    """Selectors of rules that hide, outside of @media and the like, which are about other screens."""
    sheet = _without_comments(sheet)
    found: list[str] = []
    at = depth = 0
    for hiding in _hiding_places(sheet):
        brace = sheet.rfind("{", 0, hiding)
        if brace < at:  # the rule was found before
            continue
        depth += sheet.count("{", at, brace) - sheet.count("}", at, brace)
        start = max(sheet.rfind(mark, 0, brace) for mark in "{};") + 1
        at = brace
        head = sheet[start:brace].strip()
        if depth <= 0 and head and not _DYNAMIC.search(head):
            found.append(head)
    return found


def _without_comments(sheet: str) -> str:
    """The style sheet without its comments."""
    parts: list[str] = []
    at = 0
    while (start := sheet.find("/*", at)) >= 0 and (end := sheet.find("*/", start + 2)) >= 0:
        parts.append(sheet[at:start])
        at = end + 2
    return "".join(parts) + sheet[at:]


def _hiding_places(sheet: str) -> list[int]:
    """The places of properties that hide, in order."""
    found = _COMPILED.hiding_places(sheet) if _COMPILED is not None else _all_hiding_places(sheet)
    return [at for at in found if sheet[at - 1 : at] in _OPENINGS][:_MAX_SELECTORS]


def _all_hiding_places(sheet: str) -> list[int]:
    lower = sheet.replace("\u0130", "\0").lower()  # the one letter whose lower case has two characters
    return sorted(at for value, name in HIDING for at in _properties(lower, name, value))


def _properties(sheet: str, name: str, value: str) -> Iterator[int]:
    """Where properties of this name begin that have this value."""
    at = sheet.find(value)
    while at >= 0:
        first = max(at - BEFORE_VALUE, 0)
        before = sheet[first:at].rstrip()
        if before.endswith(":") and (before := before[:-1].rstrip()).endswith(name):
            yield first + len(before) - len(name)
        at = sheet.find(value, at + len(value))
