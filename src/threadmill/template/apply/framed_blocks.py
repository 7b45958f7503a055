"""Tells whoever judges the paragraphs of a page which of them are framing of its site."""

from __future__ import annotations

from collections.abc import Callable

import turbohtml

from threadmill.page.blocks.cutting import READER, Cut, cut
from threadmill.template.apply.framing import find_framing
from threadmill.template.places.outline import has_letters, name_of, normalise
from threadmill.template.template import Template


def framing_elements(template: Template, document: turbohtml.Document) -> list[turbohtml.Element]:
    """The outermost elements of a parsed page that are framing as a whole."""
    return [match.element for match in find_framing(document, template.framing)]


def framing_flags(template: Template, document: turbohtml.Document, cutting: Cut) -> list[bool]:
    """For every block of a page, whether it stands inside framing."""
    framing = set(framing_elements(template, document))
    inside: list[bool] = []
    for element, parent in zip(cutting.elements, cutting.parents, strict=True):
        inside.append((parent >= 0 and inside[parent]) or _within(element, framing, cutting, parent))
    return [block.frame >= 0 and inside[block.frame] for block in cutting.blocks]


def _within(element: turbohtml.Element, framing: set[turbohtml.Element], cutting: Cut, parent: int) -> bool:
    """Is an element framing, or an inline one between it and the block around it?"""
    above = cutting.elements[parent] if parent >= 0 else None
    node: turbohtml.Node | None = element
    while isinstance(node, turbohtml.Element) and node is not above:
        if node in framing:
            return True
        node = node.parent
    return False


def framing_blocks(
    template: Template, document: turbohtml.Document, cutting: Cut | None = None
) -> Callable[[str, str], bool | None]:
    """A test of a block by its text and tag path, as threadmill.page asks for it.

    A text that stands in the framing and in the content as well, at the same path, is kept. Of a text that
    other pages have too, in no framing place, nothing is said: a button in a post, or a heading "Notes".
    """
    cutting = cutting or cut(document, READER)
    known: set[tuple[str, str]] = set()
    content: set[tuple[str, str]] = set()
    for block, flag in zip(cutting.blocks, framing_flags(template, document, cutting), strict=True):
        (known if flag else content).add((block.text, block.path))
    known -= content
    repeated = template.framing.repeated

    def is_framing(text: str, path: str) -> bool | None:
        if (text, path) in known:
            return True
        comparable = normalise(text)
        return None if name_of(comparable) in repeated or not has_letters(comparable) else False

    return is_framing
