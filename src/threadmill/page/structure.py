"""The content of a cleaned page as a small tree: headings, paragraphs, lists, tables, code, quotes, emphasis.

content_tree() is the way in. It walks the page once and keeps what leads to a text that is content. All other
elements are seen through. The formats of threadmill.page.structured_formats are written from this tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from turbohtml import Element, Text

from threadmill.page.blocks.cutting import LAZY_SOURCES
from threadmill.page.clean import LazyPage, cut_page
from threadmill.page.parse.link_targets import LinkResolver, link_base
from threadmill.types import ParagraphClass

_INLINE = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "cite": "em", "dfn": "em", "var": "em",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code", "del": "del", "s": "del", "strike": "del",
    "sup": "sup", "sub": "sub", "a": "a",
}  # fmt: skip
_NAMED = "h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre table tr th td dl dt dd caption figcaption"
_BLOCKS = frozenset(_NAMED.split())
# Elements that only begin a new line.
_NEW_LINE = """
    div section article main header footer figure address details summary form center aside nav fieldset
    legend button body noscript option dialog search
"""
_LINES = frozenset(_NEW_LINE.split())
_CODE_CLASSES = ("language-", "lang-", "highlight-source-")
_DEEPEST = 200  # elements within one another; below, the text is kept without its structure


@dataclass(slots=True)
class ContentNode:
    """An element of the content, named as in HTML. `root` and `line` have no element of their own."""

    tag: str
    children: list[ContentNode | str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)  # href, src, alt, start, code language, checked

    def text(self) -> str:
        """All text below this node."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


@dataclass(frozen=True, slots=True)
class StructureOptions:
    """What is kept of a page's structure."""

    tables: bool = True
    images: bool = True
    links: bool = True


def content_tree(page: LazyPage, options: StructureOptions) -> ContentNode:
    """The content of a page as clean() gave it."""
    tree = page.source_tree
    blocks = cut_page(tree, page.clean_settings, keeps_nodes=True).blocks
    good = [verdict is ParagraphClass.GOOD for verdict in page.verdicts]
    kept = {node for block, keep in zip(blocks, good, strict=True) if keep for node in block.nodes}
    pictures = {
        anchor.target
        for block, keep in zip(blocks, good, strict=True)
        if keep
        for anchor in block.anchors
        if anchor.kind == "image"
    }
    walk = _Walk(
        kept, pictures if options.images else set(), options, LinkResolver(link_base(tree.document, tree.url))
    )
    root = ContentNode("root")
    body = tree.document.find("body")
    if body is not None:
        root.children = list(walk.inside(body, 0, is_code=False))
    return root


@dataclass(frozen=True, slots=True)
class _Walk:
    kept: set[Any]  # text nodes of the content
    pictures: set[str]  # sources of its images
    options: StructureOptions
    resolver: LinkResolver

    def inside(self, element: Any, depth: int, *, is_code: bool) -> Iterator[ContentNode | str]:
        """What is kept of the children of an element."""
        for child in element.children:
            if isinstance(child, Text):
                if child in self.kept:
                    yield child.data if is_code else _collapsed(child.data)
                elif child.data.isspace():
                    yield child.data if is_code else " "
            elif isinstance(child, Element) and depth < _DEEPEST:
                yield from self._element(child, depth + 1, is_code=is_code)

    def _element(self, element: Element, depth: int, *, is_code: bool) -> Iterator[ContentNode | str]:
        tag = element.tag
        if tag == "br":
            yield ContentNode("br")
        elif tag == "hr":
            yield ContentNode("hr")
        elif tag == "img":
            yield from self._image(element)
        elif tag == "table" and not self.options.tables:
            return
        else:
            inner = list(self.inside(element, depth, is_code=is_code or tag == "pre"))
            if any(map(_says_something, inner)):
                yield from self._named(element, tag, inner)
            elif tag in _BLOCKS or tag in _LINES:
                yield ContentNode("line")
            elif tag in {"td", "th"}:
                yield ContentNode(tag)

    def _named(
        self, element: Element, tag: str, inner: list[ContentNode | str]
    ) -> Iterator[ContentNode | str]:
        if tag == "a":
            target = element.attr("href") or ""
            if self.options.links and target and not target.startswith(("javascript:", "#")):
                yield ContentNode("a", inner, {"href": self.resolver.absolute(target)})
            else:
                yield from inner
        elif tag in _INLINE:
            yield ContentNode(_INLINE[tag], inner)
        elif tag in _BLOCKS:
            yield ContentNode(tag, inner, _values(element, tag))
        elif tag in _LINES:
            yield ContentNode("line", inner)
        else:
            yield from inner

    def _image(self, element: Element) -> Iterator[ContentNode]:
        source = element.attr("src") or ""
        if not source or source.startswith("data:"):
            source = next(filter(None, map(element.attr, LAZY_SOURCES)), "").partition(" ")[0]
        if source and source in self.pictures:
            alt = " ".join((element.attr("alt") or "").split())
            yield ContentNode("img", [], {"src": self.resolver.absolute(source), "alt": alt})


def _values(element: Element, tag: str) -> dict[str, str]:
    if tag == "ol":
        start = (element.attr("start") or "1").strip()
        return {"start": start if start.isdecimal() and len(start) < 10 else "1"}
    if tag == "pre":
        code = element.find("code")
        names = (
            f"{element.attr('class') or ''} {(code.attr('class') or '') if code is not None else ''}".split()
        )
        return {
            "language": next(
                (
                    name.removeprefix(mark)
                    for name in names
                    for mark in _CODE_CLASSES
                    if name.startswith(mark)
                ),
                "",
            )
        }
    if tag == "li":
        box = element.find("input")
        if box is not None and box.attr("type") == "checkbox":
            return {"checked": "no" if box.attr("checked") is None else "yes"}
    if tag in {"td", "th"}:
        style = f"{element.attr('align') or ''} {element.attr('style') or ''}".lower()
        return {"align": next((side for side in ("center", "right", "left") if side in style), "")}
    return {}


def _says_something(child: ContentNode | str) -> bool:
    if isinstance(child, str):
        return not child.isspace() and child != ""
    return child.tag == "img" or any(map(_says_something, child.children))


def _collapsed(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        return " "
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"
