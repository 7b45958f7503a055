"""Cuts a tree into blocks of text at its block-level tags, in one walk over all nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from turbohtml import Document, DocumentFragment, Element, Node, Text

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Anchor, Block

# Native code reads these: they stand before it is loaded.
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
# Attributes that scripts copy into src when an image comes into view.
LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "srcset")
# What the walk does with an element, by its tag.
INLINE, BLOCK, SKIPPED, LINK, LINE_BREAK, IMAGE, CUSTOM = range(7)

_COMPILED = load_extension("cutting")


@dataclass(frozen=True, slots=True)
class CuttingRules:
    """Which tags end a block, which hold no text, and how white space between nodes counts."""

    blocks: frozenset[str]
    skipped: frozenset[str]
    keeps_blank: bool = True  # a text node of white space separates the words around it
    enters_templates: bool = False
    keeps_images: bool = True
    keeps_nodes: bool = False  # blocks keep their text nodes, for callers that change the tree


# Elements that browsers show as blocks, table cells and list items. Also <button>: lists of questions that
# unfold their answers write the questions in buttons. And <noscript>: in many forums it holds all text.
_READER_BLOCKS = """
    address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
    nav noscript ol option p pre search section summary table tbody td tfoot th thead tr ul
"""
_READER_SKIPPED = """
    applet area audio base canvas col colgroup datalist embed head iframe input link map math meta meter
    noembed noframes object optgroup param progress script select source style svg template textarea
    track video wbr
"""
READER = CuttingRules(frozenset(_READER_BLOCKS.split()), frozenset(_READER_SKIPPED.split()))

# jusText 3.0: its PARAGRAPH_TAGS, and the elements that its preprocessor removes. It unwraps <form>.
_JUSTEXT_BLOCKS = """
    blockquote body caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li
    optgroup option p pre table td tfoot th thead tr ul
"""
_JUSTEXT_SKIPPED = "applet button embed head iframe input layer object param script select style textarea"
JUSTEXT = CuttingRules(
    frozenset(_JUSTEXT_BLOCKS.split()),
    frozenset(_JUSTEXT_SKIPPED.split()),
    keeps_blank=False,
    enters_templates=True,
    keeps_images=False,
)


@dataclass(slots=True)
class Cut:
    """The blocks of a page in reading order, and the frames (block-level elements) that hold them.

    Outer frames come before inner ones. Lists of one length hold what is known of frames. A page has hundreds
    of frames and few tag paths, so what frames of one path share is kept once per path: its shape.
    """

    blocks: list[Block] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # the frame around each frame, -1 for the outermost
    elements: list[Element] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)  # the number of the tag path of each frame
    starts: list[int] = field(default_factory=list)  # the first block of each frame, -1 if it has none …
    ends: list[int] = field(default_factory=list)  # … and the block after its last
    paths: list[str] = field(default_factory=list)  # per shape: the tags of all frames down to it
    tags: list[str] = field(default_factory=list)  # per shape: its tag, "pre" for everything inside of <pre>
    headings: list[int] = field(default_factory=list)  # per shape: 1 to 6 inside of such a heading, else 0
    names: list[str | None] | None = None  # of frames, four each, once native code has read them
    typed: list[Element] | None = None  # all elements with a type of schema.org, once they were searched for
    document: Document | None = None
    has_base: bool = False  # somewhere is an element <base>: links may be relative to what it says

    def add_shape(self, outer: int, tag: str) -> int:
        """Add the shape of a tag inside of another shape, or of none (-1); returns its number."""
        inside = outer >= 0
        self.paths.append(f"{self.paths[outer]}.{tag}" if inside else tag)
        # preformatted text stays so, whatever is nested in it
        self.tags.append("pre" if inside and self.tags[outer] == "pre" else tag)
        self.headings.append(HEADINGS.get(tag) or (self.headings[outer] if inside else 0))
        return len(self.paths) - 1


def cut(document: Document, rules: CuttingRules = READER, hidden: Mapping[Node, str] | None = None) -> Cut:
    """Cut a tree into blocks. Hidden text gets blocks of its own, with the reason why it is hidden."""
    if _COMPILED is not None:
        found: Cut = _COMPILED.walk(
            document, rules, _codes(rules).copy(), dict(hidden or {}), Cut(document=document)
        )
        return found
    walk = _TreeWalk(rules, hidden or {})
    walk.cut.document = document
    walk.places[document] = (-1, None, "", walk.outermost)
    walk.run(document)
    return walk.finish()


def hidden_chars(blocks: Sequence[Block]) -> tuple[int, int]:
    """How many characters of these blocks are hidden, and how many characters there are."""
    if _COMPILED is not None:
        found: tuple[int, int] = _COMPILED.hidden_chars(blocks)
        return found
    return sum(len(block.text) for block in blocks if block.hidden), sum(len(block.text) for block in blocks)


# The shapes inside of a shape: tag → number of the shape, and the shapes inside of that.
_Inner = dict[str, tuple[int, "_Inner"]]
# The place of an element's text: its frame, the link around it, why it is hidden, the shapes inside of the
# frame. None: not text of the page. It is a plain tuple: hundreds are made per page, and most elements share
# that of their parent.
_Place = tuple[int, Element | None, str, _Inner]


@cache
def _codes(rules: CuttingRules) -> dict[str, int]:
    """Tag → what the walk does with it, for the tags that the rules name."""
    codes = {"a": LINK, "br": LINE_BREAK, "img": IMAGE}
    codes.update(dict.fromkeys(rules.skipped, SKIPPED))
    codes.update(dict.fromkeys(rules.blocks, BLOCK))
    return codes


class _TreeWalk:
    """The state of one walk over the nodes of a tree in document order.

    Every node finds the place of its parent, which came before it. Nothing is done at the end of an element:
    text in another place starts a new block.
    """

    __slots__ = ("codes", "cut", "hidden", "hidden_block", "outermost", "places", "rules")

    def __init__(self, rules: CuttingRules, hidden: Mapping[Node, str]) -> None:
        self.rules = rules
        self.hidden = hidden
        self.codes = _codes(rules).copy()  # a copy, because a hostile page may have a million different tags
        self.cut = Cut()
        self.outermost: _Inner = {}
        self.places: dict[Any, _Place | None] = {}
        self.hidden_block: Block | None = None

    def run(self, root: Any) -> None:  # noqa: C901, PLR0912, PLR0915 -- a call per node would cost too much
        """Visit every node below a root once, in document order."""
        codes, places, hidden = self.codes, self.places, self.hidden
        parents, elements, shapes = self.cut.parents, self.cut.elements, self.cut.shapes
        keeps_blank, keeps_nodes = self.rules.keeps_blank, self.rules.keeps_nodes
        block = Block("", "", -2)  # no frame has this number
        standing, is_kept = -2, False  # the block's frame; whether its white space is kept
        parts: list[str] = []  # the parts of the block's text, …
        length = 0  # … and how many characters they have
        linked: Any = None  # the link element of the anchor
        anchor: Anchor | None = None
        waiting: list[Anchor] = []  # images before the next text
        boundary, breaks, streak, parted, spaced, blank = True, 0, 0, False, False, ""
        for node in root.descendants:
            kind = type(node)
            if kind is Text:
                data: str = node.data
                if data.isspace():  # most text nodes; their place matters only if they separate words
                    if keeps_blank and not boundary and places[node.parent] is not None:
                        blank += data
                    continue
                place = places[node.parent]
                if place is None or not data:
                    continue
                frame, link, why, _ = place
                if why:
                    self._read_hidden(node, frame, why)
                    continue
                if boundary or standing != frame or (parted and not is_kept):
                    block = self._begin(frame, "")
                    standing, is_kept = frame, block.tag == "pre"
                    parts, length, linked, anchor = block.parts, 0, None, None
                    if waiting:
                        waiting = []
                visible = " ".join(data.split())
                size = len(visible)
                starts_blank, was_spaced, spaced = False, spaced, False
                if size != len(data):  # white space was removed, perhaps at the ends
                    starts_blank, spaced = data[0].isspace(), data[-1].isspace()
                if is_kept:
                    if parts:
                        between = "\n" * breaks or blank
                        parts.append(between)
                        length += len(between)
                    parts.append(data)
                    start, end = length + len(data) - len(data.lstrip()), length + len(data.rstrip())
                    length += len(data)
                else:
                    if parts:
                        if breaks:
                            parts.append("\n")
                            length += 1
                        elif was_spaced or starts_blank or blank:
                            parts.append(" ")
                            length += 1
                    parts.append(visible)
                    start = length
                    length = end = start + size
                if link is not None:
                    if linked is not link:
                        target = link.attr("href")
                        linked, anchor = link, None
                        if target is not None or not keeps_blank:  # jusText counts <a name> as a link too
                            anchor = Anchor(target or "", start, end)
                            block.anchors.append(anchor)
                    if anchor is not None:
                        anchor.end = end
                        block.link_chars += size + starts_blank + spaced
                if waiting:
                    for before in waiting:
                        before.start = before.end = start
                    waiting = []
                boundary, breaks, streak, parted, blank = False, 0, 0, False, ""
                if keeps_nodes:
                    block.nodes.append(node)
            elif kind is Element:
                place = places[node.parent]
                tag: str = node.tag
                try:
                    code = codes[tag]
                except KeyError:
                    code = codes[tag] = CUSTOM if "-" in tag else INLINE
                if tag == "base":
                    self.cut.has_base = True
                if place is None:  # content of a script, a drawing or a list of choices is no text
                    places[node] = None
                    boundary = boundary or code == BLOCK
                    continue
                if hidden and not place[2] and (why := hidden.get(node, "")) and code != IMAGE:
                    place = place[0], place[1], why, place[3]
                if code == BLOCK:
                    boundary = True
                    frame, link, why, inner = place
                    known = inner.get(tag)
                    if known is None:
                        known = inner[tag] = self.cut.add_shape(shapes[frame] if frame >= 0 else -1, tag), {}
                    places[node] = len(parents), link, why, known[1]
                    parents.append(frame)
                    elements.append(node)
                    shapes.append(known[0])
                elif code == INLINE:
                    streak = 0
                    places[node] = place
                elif code == LINK:
                    places[node] = place[0], node, place[2], place[3]
                elif code == SKIPPED:
                    streak = 0
                    places[node] = None
                elif code == LINE_BREAK:
                    breaks += 1
                    streak += 1
                    parted = parted or streak > 1
                elif code == IMAGE:
                    if not place[2] and (image := self._image(node)) is not None:
                        if boundary or standing != place[0]:
                            block = self._begin(place[0], "")
                            standing, is_kept = place[0], block.tag == "pre"
                            parts, length, linked, anchor, waiting = block.parts, 0, None, None, []
                            boundary = False
                        image.start = image.end = length
                        block.anchors.append(image)
                        waiting.append(image)
                else:
                    streak = 0
                    places[node] = place
                    if node.shadow_root is not None:
                        places[node.shadow_root] = place
                        self.run(node.shadow_root)
                        boundary = True
            elif kind is DocumentFragment:
                # the content of a template is shown only when a script takes it out
                places[node] = places[node.parent] if self.rules.enters_templates else None

    def _read_hidden(self, node: Any, frame: int, why: str) -> None:
        """Add hidden text to a block of its own. The visible block around it goes on after it."""
        block = self.hidden_block
        if block is None or block.frame != frame:
            block = self.hidden_block = self._begin(frame, why)
        block.parts.append(node.data)
        if self.rules.keeps_nodes:
            block.nodes.append(node)

    def _image(self, element: Element) -> Anchor | None:
        """The anchor of an image; None if it has no source."""
        if not self.rules.keeps_images:
            return None
        source = element.attr("src") or ""
        if not source or source.startswith("data:"):
            source = next(filter(None, map(element.attr, LAZY_SOURCES)), "").partition(" ")[0]
        if not source:
            return None
        return Anchor(source, 0, 0, "image", " ".join((element.attr("alt") or "").split()))

    def _begin(self, frame: int, hidden: str) -> Block:
        cut = self.cut
        if frame >= 0:
            shape = cut.shapes[frame]
            block = Block(cut.tags[shape], cut.paths[shape], frame, cut.headings[shape], hidden)
        else:
            block = Block("body", "", frame, 0, hidden)
        cut.blocks.append(block)
        return block

    def finish(self) -> Cut:
        """Join the text of the blocks, and find the blocks of each frame."""
        cut = self.cut
        parents = cut.parents
        starts = cut.starts = [-1] * len(parents)
        ends = cut.ends = [0] * len(parents)
        for i, block in enumerate(cut.blocks):
            if block.tag == "pre" or block.hidden:
                block.finish()
            else:
                block.text = "".join(block.parts)
            frame = block.frame
            if frame >= 0:
                ends[frame] = i + 1
            while frame >= 0 and starts[frame] < 0:
                starts[frame] = i
                frame = parents[frame]
        for frame in range(len(parents) - 1, -1, -1):
            parent = parents[frame]
            if parent >= 0 and ends[frame] > ends[parent]:
                ends[parent] = ends[frame]
        return cut
