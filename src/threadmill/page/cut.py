"""Cuts a tree into blocks of text at its block-level tags, in one walk that does little per node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from turbohtml import Document, DocumentFragment, Element, Node, ShadowRoot, Text

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
    """The blocks of a page in reading order, and the frames (block-level elements) that hold them.

    Only frames that hold text or pictures are kept, outer ones before inner ones.
    """

    blocks: list[Block] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # frame → frame around it, -1 for the outermost
    elements: list[Element] = field(default_factory=list)  # frame → its element
    paths: list[str] = field(default_factory=list)  # frame → tags of the frames down to it
    starts: list[int] = field(default_factory=list)  # frame → its first block …
    ends: list[int] = field(default_factory=list)  # … and the one after its last
    document: Document | None = None


def cut(document: Document, rules: Rules = READER, hidden: Mapping[Node, str] | None = None) -> Cut:
    """Read a tree into blocks; what a reader does not see is cut into blocks of its own, with the reason."""
    walk = _Walk(rules, hidden or {})
    walk.cut.document = document
    walk.run(document.descendants)
    return walk.finish()


# Where the text of an element stands: its frame, the link around it, the heading's level, whether it is
# preformatted, why it is hidden. A plain tuple: hundreds are made per page.
_Place = tuple[int, Element | None, int, bool, str]
_OUTSIDE: _Place = (-1, None, 0, False, "")


class _Walk:
    """The state of one walk over the nodes of a tree in document order.

    Text decides what is looked at: where it stands is asked of its parent, once per parent. Elements without
    text cost next to nothing, and leaving an element needs no notice: text elsewhere starts a new block.
    """

    __slots__ = ("block", "cut", "hidden", "hidden_block", "link", "linked", "places", "rules")

    def __init__(self, rules: Rules, hidden: Mapping[Node, str]) -> None:
        self.rules = rules
        self.hidden = hidden
        self.cut = Cut()
        self.places: dict[Any, _Place | None] = {
            None: _OUTSIDE
        }  # element → its place, None: no text of the page
        self.block: Block | None = None
        self.hidden_block: Block | None = None
        self.linked: Element | None = None  # the link element that the open link of the block stands for
        self.link: OpenLink | None = None

    def run(self, nodes: Iterable[Node]) -> None:  # noqa: C901, PLR0912 -- a call per node costs a tenth of it all
        """Visit every node once, in document order."""
        blocks, special, places, keeps_blank = (
            self.rules.blocks,
            _SPECIAL,
            self.places,
            self.rules.keeps_blank,
        )
        keeps_nodes = self.rules.keeps_nodes
        boundary, parted, breaks, streak, blank = True, False, 0, 0, ""
        for node in nodes:
            kind = type(node)
            if kind is Text:
                data: str = node.data  # type: ignore[attr-defined]
                if data.isspace():
                    blank = blank + data if keeps_blank else ""
                    continue
                parent = node.parent
                place = places[parent] if parent in places else self.find_place(parent)
                if place is not None:
                    self.read(data, place, boundary or (parted and not place[3]), breaks, blank)
                    if keeps_nodes:
                        self.remember(node, place)
                    if not place[4]:
                        boundary, parted, breaks, streak, blank = False, False, 0, 0, ""
            elif kind is Element:
                tag: str = node.tag  # type: ignore[attr-defined]
                if tag in blocks:
                    boundary = True
                elif tag in special:
                    if tag == "br":
                        breaks += 1
                        streak += 1
                        parted = parted or streak > 1
                    elif self.image(node, boundary):  # type: ignore[arg-type]
                        boundary = False
                else:
                    streak = 0
                    if "-" in tag and (shadow := node.shadow_root) is not None:  # type: ignore[attr-defined]
                        self.run(shadow.descendants)
                        boundary = True

    def find_place(self, node: Any) -> _Place | None:
        """Where text directly inside an element stands; found from the nearest ancestor that is known."""
        places, unknown = self.places, []
        while node not in places:
            unknown.append(node)
            node = node.host if type(node) is ShadowRoot else node.parent
        place = places[node]
        for element in reversed(unknown):
            if place is not None:
                if type(element) is Element:
                    place = self._inside(element, place)
                elif type(element) is DocumentFragment and not self.rules.enters_templates:
                    place = None
            places[element] = place
        return place

    def _inside(self, element: Element, outer: _Place) -> _Place | None:
        tag = element.tag
        rules = self.rules
        if tag in rules.blocks:
            frame, link, heading, preformatted, hidden = outer
            if self.hidden and not hidden:
                hidden = self.hidden.get(element, "")
            cut = self.cut
            paths = cut.paths
            paths.append(f"{paths[frame]}.{tag}" if frame >= 0 else tag)
            cut.parents.append(frame)
            cut.elements.append(element)
            frame = len(paths) - 1
            return frame, link, HEADINGS.get(tag, heading), preformatted or tag == "pre", hidden
        if tag in rules.skipped:
            return None
        if tag != "a" and not self.hidden:
            return outer
        frame, link, heading, preformatted, hidden = outer
        hidden = hidden or self.hidden.get(element, "")
        return frame, element if tag == "a" else link, heading, preformatted, hidden

    def read(self, data: str, place: _Place, boundary: bool, breaks: int, blank: str) -> None:
        """Take up a text node that shows something."""
        frame, link, _, preformatted, hidden = place
        if hidden:
            self._read_hidden(data, place)
            return
        block = self.block
        if boundary or block is None or block.frame != frame:
            block = self.block = self._begin(place)
        elif breaks and block.parts:
            block.parts.extend([BREAK] * breaks if preformatted else [BREAK])
            block.broken = True
        elif blank and block.parts:
            block.parts.append(blank)
        if link is not None:
            if self.linked is not link:
                self._open_link(link, block)
            if self.link is not None:
                self.link.last = len(block.parts) + 1
                block.link_chars += len(" ".join(data.split())) + data[0].isspace() + data[-1].isspace()
        block.parts.append(data)

    def remember(self, node: Node, place: _Place) -> None:
        """Note a text node with the block it went into."""
        block = self.hidden_block if place[4] else self.block
        if block is not None:
            block.nodes = (*block.nodes, node)

    def _open_link(self, element: Element, block: Block) -> None:
        target = element.attr("href")
        self.linked, self.link = element, None
        if target is not None or not self.rules.keeps_blank:  # jusText counts <a name> as a link too
            self.link = OpenLink(target or "", len(block.parts), 0)
            block.links.append(self.link)

    def _read_hidden(self, data: str, place: _Place) -> None:
        """Hidden text must not get into the visible block it stands in, nor end it."""
        block = self.hidden_block
        if block is None or block.frame != place[0]:
            visible, link = self.block, (self.linked, self.link)
            block = self.hidden_block = self._begin(place)
            self.block, (self.linked, self.link) = visible, link
        block.parts.append(data)

    def image(self, element: Element, boundary: bool) -> bool:
        """Note an image where it stands; says whether it is now part of the open block."""
        if not self.rules.keeps_images:
            return False
        source = element.attr("src") or ""
        if not source or source.startswith("data:"):
            source = next(filter(None, map(element.attr, _LAZY_SOURCES)), "").partition(" ")[0]
        parent = element.parent
        place = self.places[parent] if parent in self.places else self.find_place(parent)
        if not source or place is None or place[4]:
            return False
        if boundary or self.block is None or self.block.frame != place[0]:
            self.block = self._begin(place)
        at = len(self.block.parts)
        alternative = " ".join((element.attr("alt") or "").split())
        self.block.links.append(OpenLink(source, at, at, "image", alternative))
        return True

    def _begin(self, place: _Place) -> Block:
        frame, _, heading, preformatted, hidden = place
        path = self.cut.paths[frame] if frame >= 0 else ""
        # preformatted text stays that, whatever is nested in it
        tag = "pre" if preformatted else path.rpartition(".")[2] or "body"
        block = Block(tag, path, frame, heading, [], [], 0, hidden)
        self.cut.blocks.append(block)
        self.linked = self.link = None
        return block

    def finish(self) -> Cut:
        """Join the text of the blocks, and find out which of them each frame holds."""
        cut = self.cut
        parents = cut.parents
        starts = cut.starts = [-1] * len(parents)
        ends = cut.ends = [0] * len(parents)
        for i, block in enumerate(cut.blocks):
            block.finish()
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
