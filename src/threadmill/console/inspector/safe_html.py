"""Writes an archived page anew from what is known to be harmless, with the chosen layers coloured.

Every byte of an archived page is hostile. Nothing is copied: only listed tags and attributes are written, and
text is escaped. Scripts, forms, frames and addresses are never written. The frame that shows the page is
sandboxed as well (see `ARCHIVED_POLICY`), so a mistake here would still run nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from turbohtml import Document, Element, Node, Text

from threadmill.console.inspector.page_layers import LayerMark, LayerName

_KEPT = """
    a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del
    details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li
    main mark menu nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table
    tbody td tfoot th thead time tr tt u ul var wbr
"""
# Elements that are left out with everything in them.
_DROPPED = """
    applet area audio base basefont bgsound canvas datalist embed frame frameset head iframe input keygen link
    map math meta meter noembed noframes object optgroup option param plaintext progress script select source
    style svg template textarea title track video xmp
"""
_ATTRIBUTES = """
    align bgcolor border cellpadding cellspacing clear color colspan dir face height id lang nowrap reversed
    rowspan size span start type valign width
"""
_KEPT_TAGS = frozenset(_KEPT.split())
_DROPPED_TAGS = frozenset(_DROPPED.split())
_KEPT_ATTRIBUTES = frozenset(_ATTRIBUTES.split())
_VOID = frozenset(("br", "col", "hr", "wbr"))
# Style rules that would load something or run something. The policy of the frame forbids both too.
_LOADING_STYLE = re.compile(
    r"url\s*\(|image-set|@import|@charset|expression|behaviou?r\s*:|-moz-binding|src\s*\(", re.IGNORECASE
)
_STYLE_ESCAPES = re.compile(r"\\[0-9a-f]{1,6}", re.IGNORECASE)  # "\75 rl(" is url(
_MAX_STYLE = 500_000  # characters of all style sheets together
_MAX_DEPTH = 500  # deeper elements are written as if they stood at this depth

Picture = Callable[[str], str | None]  # src → a data: URI, if the picture is archived
Pointer = Callable[[Element], str | None]  # an element with text of its own → where a click on it leads


def write_safe_page(
    document: Document,
    marks: Mapping[Node, Sequence[LayerMark]],
    layers: Collection[LayerName],
    *,
    picture: Picture | None = None,
    style_sheets: Sequence[str] = (),
    pointer: Pointer | None = None,
) -> str:
    """The page as HTML without anything that runs or loads. With `pointer`, every text is a link of ours."""
    writer = _SafeWriter(marks, frozenset(layers), picture, pointer)
    root = document.root
    if root is not None:
        writer.write(root)
    styles = [style.text for style in document.iter_elements("style")]
    own = safe_style_sheet("\n".join([*style_sheets, *styles])[:_MAX_STYLE])
    return (
        '<!doctype html><html><head><meta charset="utf-8"><title>archived page</title>'
        f"<style>{own}</style><style>{_layer_style()}</style></head>"
        f"<body>{''.join(writer.parts)}</body></html>"
    )


def safe_style_sheet(text: str) -> str:
    """The style sheet without rules that load something."""
    plain = _STYLE_ESCAPES.sub(" ", text).replace("<", " ")
    return "".join(
        declaration
        for declaration in re.split(r"(?<=[;{}])", plain)
        if not _LOADING_STYLE.search(declaration)
    )


class _SafeWriter:
    """Walks a tree without recursion, because hostile pages are nested very deeply."""

    def __init__(
        self,
        marks: Mapping[Node, Sequence[LayerMark]],
        layers: frozenset[LayerName],
        picture: Picture | None,
        pointer: Pointer | None,
    ) -> None:
        self._marks = marks
        self._layers = layers
        self._picture = picture
        self._pointer = pointer
        self.parts: list[str] = []

    def write(self, root: Element) -> None:
        stack: list[tuple[Node | str, int]] = [(root, 0)]
        while stack:
            node, depth = stack.pop()
            if isinstance(node, str):
                self.parts.append(node)
            elif isinstance(node, Text):
                self._write_text(node)
            elif isinstance(node, Element):
                closing = self._open(node, depth)
                if closing is not None:
                    if closing:
                        stack.append((closing, depth))
                    stack.extend((child, depth + 1) for child in reversed(node.children))

    def _write_text(self, node: Text) -> None:
        shown = self._shown(node)
        text = escape(node.data, quote=False)
        owner = node.parent
        if self._pointer is not None and node.data.strip() and isinstance(owner, Element):
            target = self._pointer(owner)
            if target is not None:
                text = f'<a class="tm-point" target="_top" href="{escape(target)}">{text}</a>'
        if shown and node.data.strip():
            self.parts.append(f"<span{_mark_attributes('', shown)}>{text}</span>")
        else:
            self.parts.append(text)

    def _open(self, element: Element, depth: int) -> str | None:
        """Write the start tag. Return the end tag, or None if the content is left out."""
        tag = element.tag
        if tag == "img":
            self._write_picture(element)
            return None
        if tag in _DROPPED_TAGS:
            return None
        if depth > _MAX_DEPTH or tag in {"html", "body"}:
            return ""
        if tag == "a" and self._pointer is not None:
            tag = "span"  # links in links are not allowed
        name = tag if tag in _KEPT_TAGS else "div" if tag in {"form", "noscript", "fieldset"} else "span"
        self.parts.append(f"<{name}{self._attributes(element)}>")
        return "" if name in _VOID else f"</{name}>"

    def _attributes(self, element: Element) -> str:
        written = []
        classes = ""
        for key, value in element.attrs.items():
            text = " ".join(value) if isinstance(value, list | tuple) else str(value or "")
            if key == "class":
                classes = text
            elif key == "style":
                written.append(f' style="{escape(safe_style_sheet(text[:_MAX_STYLE]))}"')
            elif key in _KEPT_ATTRIBUTES:
                written.append(f' {key}="{escape(text)}"')
        return _mark_attributes(classes, self._shown(element)) + "".join(written)

    def _shown(self, node: Node) -> list[LayerMark]:
        return [mark for mark in self._marks.get(node, ()) if mark.layer in self._layers]

    def _write_picture(self, element: Element) -> None:
        source = self._picture(element.attr("src") or "") if self._picture else None
        alt = escape(element.attr("alt") or "")
        if source is not None:
            self.parts.append(f'<img alt="{alt}" src="{escape(source)}"{self._attributes(element)}>')
        elif alt:
            self.parts.append(f'<span class="tm-picture">{alt}</span>')


def _mark_attributes(classes: str, shown: Sequence[LayerMark]) -> str:
    names = " ".join(
        [classes, *(f"tm tm-{mark.layer} tm-{mark.layer}-{mark.part}" for mark in shown)]
    ).strip()
    written = f' class="{escape(names)}"' if names else ""
    if shown:
        label = " · ".join(dict.fromkeys(mark.label for mark in shown if mark.label))
        written += f' title="{escape(label)}"'
        tag = next((mark.label for mark in shown if mark.part in {"post", "row", "board"}), "")
        if tag:
            written += f' data-tm="{escape(tag.partition(":")[0])}"'
    return written


@cache
def _layer_style() -> str:
    return (files("threadmill.console") / "static" / "layers.css").read_text("utf-8")
