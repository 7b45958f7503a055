"""Cuts a tree into blocks of text at its block-level tags, in one walk that does little per node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from turbohtml import Document, DocumentFragment, Element, Node, ShadowRoot, Text

from threadmill.page.block import BREAK, Block, OpenLink

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
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

    Only frames that hold text or pictures are kept, outer ones before inner ones. What is known of a frame
    stands in lists of one length.
    """

    blocks: list[Block] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # the frame around it, -1 for the outermost
    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)  # "pre" for all that is nested in preformatted text
    paths: list[str] = field(default_factory=list)  # tags of the frames down to it
    headings: list[int] = field(default_factory=list)  # 1…6 when inside such a heading
    starts: list[int] = field(default_factory=list)  # its first block …
    ends: list[int] = field(default_factory=list)  # … and the one after its last
    document: Document | None = None

    def add_frame(self, element: Element, tag: str, outer: int) -> int:
        """Note a block-level element; gives its number."""
        if outer >= 0:
            self.paths.append(f"{self.paths[outer]}.{tag}")
            # preformatted text stays that, whatever is nested in it
            self.tags.append("pre" if self.tags[outer] == "pre" else tag)
            self.headings.append(HEADINGS.get(tag) or self.headings[outer])
        else:
            self.paths.append(tag)
            self.tags.append(tag)
            self.headings.append(HEADINGS.get(tag, 0))
        self.parents.append(outer)
        self.elements.append(element)
        return len(self.parents) - 1


def cut(document: Document, rules: Rules = READER, hidden: Mapping[Node, str] | None = None) -> Cut:
    """Read a tree into blocks; what a reader does not see is cut into blocks of its own, with the reason."""
    walk = _Walk(rules, hidden or {})
    walk.cut.document = document
    walk.run((document.find("body") or document).descendants)
    return walk.finish()


# Where the text of an element stands: its frame, the link around it, why it is hidden. None: it is no text
# of the page. A plain tuple, because hundreds are made per page and most elements share that of their parent.
_Place = tuple[int, Element | None, str]
_OUTSIDE: _Place = (-1, None, "")

# What the walk does with an element, by its tag.
_INLINE, _BLOCK, _SKIPPED, _LINK, _LINE_BREAK, _IMAGE, _CUSTOM = range(7)


class _Codes(dict[str, int]):
    """Tag → what to do with it; tags that no rule names are asked for once."""

    def __missing__(self, tag: str) -> int:
        code = self[tag] = _CUSTOM if "-" in tag else _INLINE
        return code


@cache
def _codes(rules: Rules) -> _Codes:
    codes = _Codes({"a": _LINK, "br": _LINE_BREAK, "img": _IMAGE})
    codes.update(dict.fromkeys(rules.skipped, _SKIPPED))
    codes.update(dict.fromkeys(rules.blocks, _BLOCK))
    return codes


class _Places(dict[Any, _Place | None]):
    """Element → where its text stands, found when it is first asked for."""

    __slots__ = ("codes", "cut", "enters_templates", "hidden")

    def __init__(self, rules: Rules, hidden: Mapping[Node, str], cut: Cut) -> None:
        super().__init__({None: _OUTSIDE})
        self.codes = _Codes(_codes(rules))  # a copy: a hostile page may bring a million tags
        self.enters_templates = rules.enters_templates
        self.hidden = hidden
        self.cut = cut

    def __missing__(self, node: Any) -> _Place | None:
        """Where text directly inside an element stands; found from the nearest ancestor that is known."""
        unknown = [node]
        node = _outer(node)
        while node not in self:
            unknown.append(node)
            node = _outer(node)
        place = self[node]
        for element in reversed(unknown):
            if place is not None:
                place = self._inside(element, place)
            self[element] = place
        return place

    def _inside(self, element: Any, outer: _Place) -> _Place | None:
        if type(element) is not Element:
            # what a template holds is shown only when a script takes it out
            return None if type(element) is DocumentFragment and not self.enters_templates else outer
        frame, link, hidden = outer
        if self.hidden and not hidden:
            hidden = self.hidden.get(element, "")
            outer = frame, link, hidden
        tag = element.tag
        code = self.codes[tag]
        if code == _INLINE:
            return outer
        if code == _BLOCK:
            return self.cut.add_frame(element, tag, frame), link, hidden
        if code == _SKIPPED:
            return None
        return (frame, element, hidden) if code == _LINK else outer


def _outer(node: Any) -> Any:
    return node.host if type(node) is ShadowRoot else node.parent


class _Walk:
    """The state of one walk over the nodes of a tree in document order.

    Text decides what is looked at: where it stands is asked of its parent, once per parent. Elements without
    text cost next to nothing, and leaving an element needs no notice: text elsewhere starts a new block.
    """

    __slots__ = ("block", "cut", "hidden_block", "link", "linked", "places", "rules")

    def __init__(self, rules: Rules, hidden: Mapping[Node, str]) -> None:
        self.rules = rules
        self.cut = Cut()
        self.places = _Places(rules, hidden, self.cut)
        self.block: Block | None = None
        self.hidden_block: Block | None = None
        self.linked: Element | None = None  # the link element that the open link of the block stands for
        self.link: OpenLink | None = None

    def run(self, nodes: Iterable[Node]) -> None:  # noqa: C901, PLR0912 -- a call per node costs a tenth of it all
        """Visit every node once, in document order."""
        codes, places, read = self.places.codes, self.places, self.read
        keeps_blank, keeps_nodes = self.rules.keeps_blank, self.rules.keeps_nodes
        boundary, breaks, streak, parted, blank = True, 0, 0, False, ""
        for node in nodes:
            kind = type(node)
            if kind is Text:
                data: str = node.data  # type: ignore[attr-defined]
                if data.isspace():
                    if not boundary:
                        blank = blank + data if keeps_blank else ""
                    continue
                place = places[node.parent]
                if place is None:
                    continue
                if place[2]:
                    self._read_hidden(data, place)
                else:
                    read(data, place, boundary, parted, breaks, blank)
                    boundary, breaks, streak, parted, blank = False, 0, 0, False, ""
                if keeps_nodes:
                    self.remember(node, place)
            elif kind is Element:
                code = codes[node.tag]  # type: ignore[attr-defined]
                if code == _BLOCK:
                    boundary = True
                elif code == _LINE_BREAK:
                    breaks += 1
                    streak += 1
                    parted = parted or streak > 1
                elif code == _IMAGE:
                    if self.image(node, boundary):  # type: ignore[arg-type]
                        boundary = False
                elif code != _LINK:
                    streak = 0
                    if code == _CUSTOM and (shadow := node.shadow_root) is not None:  # type: ignore[attr-defined]
                        self.run(shadow.descendants)
                        boundary = True

    def read(  # noqa: PLR0917 -- what the walk has passed since the last text, kept in its local names
        self, data: str, place: _Place, boundary: bool, parted: bool, breaks: int, blank: str
    ) -> None:
        """Take up a text node that shows something."""
        frame, link, _ = place
        block = self.block
        if boundary or block is None or block.frame != frame or (parted and block.tag != "pre"):
            block = self.block = self._begin(frame, "")
        elif breaks and block.parts:
            block.parts.extend([BREAK] * breaks if block.tag == "pre" else [BREAK])
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
        block = self.hidden_block if place[2] else self.block
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
            link = self.linked, self.link
            block = self.hidden_block = self._begin(place[0], place[2])
            self.linked, self.link = link
        block.parts.append(data)

    def image(self, element: Element, boundary: bool) -> bool:
        """Note an image where it stands; says whether it is now part of the open block."""
        if not self.rules.keeps_images:
            return False
        source = element.attr("src") or ""
        if not source or source.startswith("data:"):
            source = next(filter(None, map(element.attr, _LAZY_SOURCES)), "").partition(" ")[0]
        if not source:
            return False
        place = self.places[element.parent]
        if place is None or place[2]:
            return False
        if boundary or self.block is None or self.block.frame != place[0]:
            self.block = self._begin(place[0], "")
        at = len(self.block.parts)
        alternative = " ".join((element.attr("alt") or "").split())
        self.block.links.append(OpenLink(source, at, at, "image", alternative))
        return True

    def _begin(self, frame: int, hidden: str) -> Block:
        cut = self.cut
        if frame >= 0:
            block = Block(cut.tags[frame], cut.paths[frame], frame, cut.headings[frame], hidden)
        else:
            block = Block("body", "", frame, 0, hidden)
        cut.blocks.append(block)
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
