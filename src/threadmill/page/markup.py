"""A page's own HTML without what is not content, or with it marked so that a browser shows it in colour."""

from __future__ import annotations

from collections.abc import Sequence

from turbohtml import Element, Node

from threadmill.page.cut import Cut
from threadmill.types import Paragraph, ParagraphClass

_STYLE = "background:#fdd;outline:1px dotted #c66"


def without_framing(cutting: Cut, paragraphs: Sequence[Paragraph]) -> str:
    """The page without its bad blocks; changes the tree it is given."""
    for element in _all_bad(cutting, paragraphs):
        element.decompose()
    for node in _loose(cutting, paragraphs):
        node.extract()
    return _document(cutting)


def with_marks(cutting: Cut, paragraphs: Sequence[Paragraph]) -> str:
    """The page with its bad blocks in colour, each with the reason; changes the tree it is given."""
    reasons = {cutting.starts[i]: paragraphs[cutting.starts[i]].reason for i in range(len(cutting.starts))}
    for element, start in _all_bad_with_start(cutting, paragraphs):
        _mark(element, reasons[start])
    for node in _loose(cutting, paragraphs):
        node.wrap(Element("span", {"style": _STYLE, "data-threadmill": "bad"}))
    return _document(cutting)


def _mark(element: Element, reason: str) -> None:
    style = element.attr("style")
    element.attrs["style"] = f"{style};{_STYLE}" if style else _STYLE
    element.attrs["data-threadmill"] = reason or "bad"


def _document(cutting: Cut) -> str:
    return cutting.document.html if cutting.document is not None else ""


def _all_bad(cutting: Cut, paragraphs: Sequence[Paragraph]) -> list[Element]:
    return [element for element, _ in _all_bad_with_start(cutting, paragraphs)]


def _all_bad_with_start(cutting: Cut, paragraphs: Sequence[Paragraph]) -> list[tuple[Element, int]]:
    """The outermost elements all of whose blocks are bad."""
    good = [0]
    for paragraph in paragraphs:
        good.append(good[-1] + (paragraph.verdict is ParagraphClass.GOOD))
    bad = [good[cutting.ends[i]] == good[cutting.starts[i]] for i in range(len(cutting.parents))]
    return [
        (cutting.elements[i], cutting.starts[i])
        for i, parent in enumerate(cutting.parents)
        if bad[i] and not (parent >= 0 and bad[parent]) and cutting.elements[i].tag not in {"html", "body"}
    ]


def _loose(cutting: Cut, paragraphs: Sequence[Paragraph]) -> list[Node]:
    """Text nodes of bad blocks that stand in an element beside good ones."""
    good = [0]
    for paragraph in paragraphs:
        good.append(good[-1] + (paragraph.verdict is ParagraphClass.GOOD))
    nodes: list[Node] = []
    for block, paragraph in zip(cutting.blocks, paragraphs, strict=True):
        frame = block.frame
        held = frame < 0 or good[cutting.ends[frame]] > good[cutting.starts[frame]]
        if paragraph.verdict is not ParagraphClass.GOOD and held:
            nodes.extend(block.nodes)
    return nodes
