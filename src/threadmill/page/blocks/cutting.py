"""Cuts a tree into blocks of text at its block-level tags, in one walk that does little per node."""

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
    """Which tags end a block, which are not text at all, and how white space between nodes counts."""

    blocks: frozenset[str]
    skipped: frozenset[str]
    keeps_blank: bool = True  # a text node of nothing but white space parts the words around it
    enters_templates: bool = False
    keeps_images: bool = True
    keeps_nodes: bool = False  # blocks remember their text nodes, for those who change the tree


# What browsers' default style sheets show as blocks, table cells and list items, and <button>, because
# folding answers ("FAQ") write their questions in buttons; <noscript> holds the whole text of many forums.
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

# jusText 3.0: PARAGRAPH_TAGS, and what its preprocessor kills; it unwraps <form>, so that parts nothing.
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

    Outer frames come before inner ones. What is known of a frame stands in lists of one length; what frames
    of one tag path share is kept once per path, because a page has hundreds of frames and few paths.
    """

    blocks: list[Block] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # the frame around it, -1 for the outermost
    elements: list[Element] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)  # the number of its tag path
    starts: list[int] = field(default_factory=list)  # its first block, -1 when it holds none …
    ends: list[int] = field(default_factory=list)  # … and the one after its last
    paths: list[str] = field(default_factory=list)  # per shape: tags of the frames down to it
    tags: list[str] = field(default_factory=list)  # per shape; "pre" for all that is nested in such text
    headings: list[int] = field(default_factory=list)  # per shape: 1…6 when inside such a heading
    document: Document | None = None

    def add_shape(self, outer: int, tag: str) -> int:
        """Note a tag inside a frame of a known shape, or of none (-1); gives the new shape's number."""
        inside = outer >= 0
        self.paths.append(f"{self.paths[outer]}.{tag}" if inside else tag)
        # preformatted text stays that, whatever is nested in it
        self.tags.append("pre" if inside and self.tags[outer] == "pre" else tag)
        self.headings.append(HEADINGS.get(tag) or (self.headings[outer] if inside else 0))
        return len(self.paths) - 1


def cut(document: Document, rules: CuttingRules = READER, hidden: Mapping[Node, str] | None = None) -> Cut:
    """Read a tree into blocks; what a reader does not see is cut into blocks of its own, with the reason."""
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
    """How many characters of these blocks a reader does not see, and how many there are."""
    if _COMPILED is not None:
        found: tuple[int, int] = _COMPILED.hidden_chars(blocks)
        return found
    return sum(len(block.text) for block in blocks if block.hidden), sum(len(block.text) for block in blocks)


# What stands in frames of one tag path: tag → its shape, and what stands in frames of that.
_Inner = dict[str, tuple[int, "_Inner"]]
# Where the text of an element stands: its frame, the link around it, why it is hidden, what the frame holds.
# None: it is no text of the page. A plain tuple, because hundreds are made per page, and most elements share
# that of their parent.
_Place = tuple[int, Element | None, str, _Inner]


@cache
def _codes(rules: CuttingRules) -> dict[str, int]:
    """Tag → what to do with it, for tags that a rule names."""
    codes = {"a": LINK, "br": LINE_BREAK, "img": IMAGE}
    codes.update(dict.fromkeys(rules.skipped, SKIPPED))
    codes.update(dict.fromkeys(rules.blocks, BLOCK))
    return codes


class _TreeWalk:
    """The state of one walk over the nodes of a tree in document order.

    Every node finds the place of its parent, which came before it; leaving an element needs no notice: text
    elsewhere starts a new block.
    """

    __slots__ = ("codes", "cut", "hidden", "hidden_block", "outermost", "places", "rules")

    def __init__(self, rules: CuttingRules, hidden: Mapping[Node, str]) -> None:
        self.rules = rules
        self.hidden = hidden
        self.codes = _codes(rules).copy()  # a hostile page may bring a million tags
        self.cut = Cut()
        self.outermost: _Inner = {}
        self.places: dict[Any, _Place | None] = {}
        self.hidden_block: Block | None = None

    def run(self, root: Any) -> None:  # noqa: C901, PLR0912, PLR0915 -- a call a node is dear
        """Visit every node below a root once, in document order."""
        codes, places, hidden = self.codes, self.places, self.hidden
        parents, elements, shapes = self.cut.parents, self.cut.elements, self.cut.shapes
        keeps_blank, keeps_nodes = self.rules.keeps_blank, self.rules.keeps_nodes
        block = Block("", "", -2)  # no text stands in this frame
        standing, is_kept = -2, False  # the block's frame; its white space is kept
        parts: list[str] = []  # of the block's text, …
        length = 0  # … and how many characters they have
        linked: Any = None  # the link element that the anchor stands for
        anchor: Anchor | None = None
        waiting: list[Anchor] = []  # images that stand before the next text
        boundary, breaks, streak, parted, spaced, blank = True, 0, 0, False, False, ""
        for node in root.descendants:
            kind = type(node)
            if kind is Text:
                data: str = node.data
                if data.isspace():  # most texts: nobody asks where they stand when they part nothing
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
                if size != len(data):  # white space was taken out, perhaps at the ends
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
                    block.nodes = (*block.nodes, node)
            elif kind is Element:
                place = places[node.parent]
                tag: str = node.tag
                try:
                    code = codes[tag]
                except KeyError:
                    code = codes[tag] = CUSTOM if "-" in tag else INLINE
                if place is None:  # what a script, a drawing or a list of choices holds is no text
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
                # what a template holds is shown only when a script takes it out
                places[node] = places[node.parent] if self.rules.enters_templates else None

    def _read_hidden(self, node: Any, frame: int, why: str) -> None:
        """Hidden text must not get into the visible block it stands in, nor end it."""
        block = self.hidden_block
        if block is None or block.frame != frame:
            block = self.hidden_block = self._begin(frame, why)
        block.parts.append(node.data)
        if self.rules.keeps_nodes:
            block.nodes = (*block.nodes, node)

    def _image(self, element: Element) -> Anchor | None:
        """An image to be put where it stands; none when nothing says where it comes from."""
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
        """Join the text of the blocks, and find out which of them each frame holds."""
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
