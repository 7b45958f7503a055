"""Cuts a tree into blocks of text at its block-level tags, in one walk that does little per node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from turbohtml import Document, DocumentFragment, Element, Node, Text

from threadmill.page.block import BREAK, Block, OpenLink

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SPECIAL = frozenset({"a", "br", "img"})
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "srcset")


@dataclass(frozen=True, slots=True)
class Rules:
    """Which tags end a block, which are not text at all, and how white space between nodes counts."""

    blocks: frozenset[str]
    skipped: frozenset[str]
    keeps_blank: bool = True  # a text node of nothing but white space parts the words around it
    enters_templates: bool = False
    keeps_images: bool = True


# What browsers' default style sheets show as blocks, table cells and list items, and <button>, because
# folding answers ("FAQ") write their questions in buttons.
_READER_BLOCKS = """
    address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
    nav ol option p pre search section summary table tbody td tfoot th thead tr ul
"""
_READER_SKIPPED = """
    applet area audio base canvas col colgroup datalist embed head iframe input link map math meta meter
    noembed noframes noscript object optgroup param progress script select source style svg template
    textarea track video wbr
"""
READER = Rules(frozenset(_READER_BLOCKS.split()), frozenset(_READER_SKIPPED.split()))

# jusText 3.0: PARAGRAPH_TAGS, and what its preprocessor kills; it unwraps <form>, so that parts nothing.
_JUSTEXT_BLOCKS = """
    blockquote body caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li
    optgroup option p pre table td tfoot th thead tr ul
"""
_JUSTEXT_SKIPPED = "applet button embed head iframe input layer object param script select style textarea"
JUSTEXT = Rules(
    frozenset(_JUSTEXT_BLOCKS.split()),
    frozenset(_JUSTEXT_SKIPPED.split()),
    keeps_blank=False,
    enters_templates=True,
    keeps_images=False,
)


@dataclass(slots=True)
class Cut:
    """The blocks of a page in reading order, and the frames (block-level elements) that hold them."""

    blocks: list[Block] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # frame → frame around it, -1 for the outermost
    elements: list[Element] = field(default_factory=list)  # frame → its element
    paths: list[str] = field(default_factory=list)  # frame → tags of the frames down to it


def cut(document: Document, rules: Rules = READER, hidden: Mapping[Node, str] | None = None) -> Cut:
    """Read a tree into blocks; what a reader does not see is cut into blocks of its own, with the reason."""
    walk = _Walk(rules, hidden or {})
    walk.run(document)
    return walk.cut


# What leaving an element asks for.
_NOTHING, _END_BLOCK, _END_LINK, _SHOW_AGAIN = range(4)


class _Walk:
    """The state of one walk over a tree."""

    __slots__ = (
        "after_break",
        "block",
        "cut",
        "frame",
        "heading",
        "hidden",
        "images",
        "link",
        "linked",
        "preformatted",
        "reason",
        "rules",
        "suspended",
    )

    def __init__(self, rules: Rules, hidden: Mapping[Node, str]) -> None:
        self.rules = rules
        self.hidden = hidden
        self.cut = Cut()
        self.block: Block | None = None
        self.frame = -1
        self.heading = 0
        self.images: list[OpenLink] = []
        self.link: OpenLink | None = None
        self.linked = False  # whether the open link already belongs to the open block
        self.after_break = False
        self.preformatted = 0
        self.reason = ""
        self.suspended: list[tuple[Block | None, str, int]] = []

    def run(self, root: Document) -> None:  # noqa: C901, PLR0912 -- a call per node costs a tenth of it all
        """Visit every node once; nesting costs no Python stack."""
        rules = self.rules
        skipped, blocks, keeps_blank, hidden = rules.skipped, rules.blocks, rules.keeps_blank, self.hidden
        stack: list[tuple[Iterator[Node], int]] = [(iter(root.children), _NOTHING)]
        while stack:
            children, at_end = stack[-1]
            for node in children:
                kind = type(node)
                if kind is Text:
                    data: str = node.data  # type: ignore[attr-defined]
                    if not data.isspace():
                        self.read(data)
                    elif keeps_blank and self.block is not None:
                        self.block.parts.append(data)
                elif kind is Element:
                    tag: str = node.tag  # type: ignore[attr-defined]
                    if tag in skipped:
                        continue
                    if hidden and node in hidden and self.reason == "":
                        stack.append((iter((node,)), self._suspend(hidden[node])))
                        break
                    if tag in blocks:
                        self.enter_block(node, tag)  # type: ignore[arg-type]
                        stack.append((iter(node.children), _END_BLOCK))
                        break
                    if tag in _SPECIAL:
                        inside = self.enter_special(node, tag)  # type: ignore[arg-type]
                    else:
                        self.after_break = False
                        inside = _shadowed(node) if "-" in tag else node.children  # type: ignore[arg-type]
                    if inside:
                        stack.append((iter(inside), _END_LINK if tag == "a" else _NOTHING))
                        break
                elif kind is DocumentFragment and rules.enters_templates:
                    stack.append((iter(node.children), _NOTHING))
                    break
            else:
                stack.pop()
                if at_end:
                    self.leave(at_end)
        self.flush()

    def read(self, data: str) -> None:
        """Take up a text node that shows something."""
        block = self.block or self._begin()
        self.after_break = False
        if self.link is not None:
            if not self.linked:
                self.link.first = len(block.parts)
                block.links.append(self.link)
                self.linked = True
            block.link_chars += len(" ".join(data.split())) + data[0].isspace() + data[-1].isspace()
        block.parts.append(data)

    def enter_block(self, element: Element, tag: str) -> None:
        """Go into a block-level element."""
        if self.block is not None or self.images:
            self.flush()
        if tag in HEADINGS:
            self.heading = HEADINGS[tag]
        elif tag == "pre":
            self.preformatted += 1
        cut = self.cut
        cut.paths.append(f"{cut.paths[self.frame]}.{tag}" if self.frame >= 0 else tag)
        cut.parents.append(self.frame)
        cut.elements.append(element)
        self.frame = len(cut.parents) - 1

    def enter_special(self, element: Element, tag: str) -> Sequence[Node]:
        """Take up a line break, an image or a link; gives back what is to be read inside it."""
        if tag == "br":
            self.line_break()
            return ()
        if tag == "img":
            self.image(element)
            return ()
        self.after_break = False
        inside = element.children
        if inside:
            self._open_link(element)
        return inside

    def leave(self, at_end: int) -> None:
        """Come out of an element."""
        if at_end == _END_LINK:
            self._close_link()
        elif at_end == _SHOW_AGAIN:
            self._resume()
        else:
            if self.block is not None or self.images:
                self.flush()
            tag = self.cut.elements[self.frame].tag
            if tag in HEADINGS:
                self.heading = 0
            elif tag == "pre":
                self.preformatted -= 1
            self.frame = self.cut.parents[self.frame]

    def line_break(self) -> None:
        """One <br> breaks the line, two end the block; inside <pre> they are lines only."""
        if self.after_break and not self.preformatted:
            self.flush()
        elif self.block is not None:
            self.block.parts.append(BREAK)
        self.after_break = True

    def image(self, element: Element) -> None:
        """Note an image where it stands; one that stands alone waits for the end of its block."""
        source = element.attr("src") or ""
        if not self.rules.keeps_images:
            return
        if not source or source.startswith("data:"):
            source = next(filter(None, map(element.attr, _LAZY_SOURCES)), "").partition(" ")[0]
        if source:
            at = len(self.block.parts) if self.block is not None else 0
            image = OpenLink(source, at, at, "image", " ".join((element.attr("alt") or "").split()))
            (self.images if self.block is None else self.block.links).append(image)

    def flush(self) -> None:
        """End the open block."""
        block = self.block
        if block is None:
            if not self.images:
                return
            block = self._begin()
        if self.linked and self.link is not None:  # the link goes on in the next block
            self.link.last = len(block.parts)
            self.link = OpenLink(self.link.target, 0, 0)
            self.linked = False
        block.finish()
        self.cut.blocks.append(block)
        self.block = None

    def _begin(self) -> Block:
        frame = self.frame
        path = self.cut.paths[frame] if frame >= 0 else ""
        # preformatted text stays that, whatever is nested in it
        tag = "pre" if self.preformatted else path.rpartition(".")[2] or "body"
        block = Block(tag, path, frame, self.heading, [], [], 0, self.reason)
        if self.images:
            block.links.extend(self.images)
            self.images = []
        self.block = block
        return block

    def _open_link(self, element: Element) -> None:
        self._close_link()
        target = element.attr("href")
        if target is not None or not self.rules.keeps_blank:  # jusText counts <a name> as a link too
            self.link = OpenLink(target or "", 0, 0)

    def _close_link(self) -> None:
        if self.linked and self.link is not None and self.block is not None:
            self.link.last = len(self.block.parts)
        self.link = None
        self.linked = False

    def _suspend(self, reason: str) -> int:
        """Hidden text must not get into the visible block it stands in, nor end it."""
        self.suspended.append((self.block, self.reason, self.heading))
        self.block = None
        self.reason = reason
        return _SHOW_AGAIN

    def _resume(self) -> None:
        if self.block is not None:
            self.flush()
        self.images = []
        self.block, self.reason, self.heading = self.suspended.pop()


def _shadowed(element: Element) -> Sequence[Node]:
    """What a custom element shows: its shadow tree where the page brings one along, then its own children."""
    shadow = element.shadow_root
    return element.children if shadow is None else (*shadow.children, *element.children)
