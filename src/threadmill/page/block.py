"""A block: one run of a page's text between block-level tags, with the links and images that stand in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from turbohtml import Node

from threadmill.page.address import Addresses
from threadmill.types import Link

BREAK = "\n"  # what <br> leaves among a block's parts; told from a text node's line feed by identity


@dataclass(slots=True)
class OpenLink:
    """A link or image while its block is being read: which parts of the block it covers."""

    target: str
    first: int
    last: int
    kind: str = "link"
    label: str = ""  # the alternative text of an image


@dataclass(slots=True)
class Block:
    """What the walk over the tree knows of one block; mutable, because it grows as the walk goes on."""

    tag: str
    path: str
    frame: int  # index into the frames of the cut
    heading: int = 0  # 1…6 when inside such a heading
    hidden: str = ""  # why a reader does not see it
    parts: list[str] = field(default_factory=list)
    links: list[OpenLink] = field(default_factory=list)
    link_chars: int = 0  # visible characters inside links
    broken: bool = False  # whether <br> breaks its lines
    text: str = ""
    nodes: tuple[Node, ...] = ()  # its text nodes, where the cut was asked to keep them

    def finish(self) -> None:
        """Join the parts with white space as a reader sees it."""
        if self.tag == "pre":
            self.text = "".join(self.parts).strip("\n").rstrip()
        elif len(self.parts) == 1:
            self.text = " ".join(self.parts[0].split())
        elif self.broken:
            lines = "".join("\0" if part is BREAK else part for part in self.parts).split("\0")
            self.text = "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
        else:
            self.text = " ".join("".join(self.parts).split())

    def placed_links(self, addresses: Addresses) -> tuple[Link, ...]:
        """The links and images with their character offsets in the finished text."""
        text, absolute = self.text, addresses.absolute
        if len(self.parts) <= 1:  # most links: a block that is one, or a picture alone
            return tuple([self._placed_link(link, absolute(link.target)) for link in self.links])
        begins, ends = self._offsets()
        placed = []
        for link in self.links:
            start = begins[link.first] if link.first < len(begins) else len(text)
            end = max(start, ends[link.last - 1]) if link.last > link.first else start
            label = link.label if link.kind == "image" else text[start:end]
            placed.append(Link(absolute(link.target), label, start, end, link.kind))
        return tuple(placed)

    def _placed_link(self, link: OpenLink, url: str) -> Link:
        """A link or image of a block that is one text node or none."""
        if link.kind == "link":
            return Link(url, self.text, 0, len(self.text))
        at = len(self.text) if link.first else 0
        return Link(url, link.label, at, at, link.kind)

    def _offsets(self) -> tuple[list[int], list[int]]:
        """Where the visible characters of every part begin and end in the finished text.

        The parts are followed through the text one by one: finishing changes nothing but white space.
        """
        begins, ends, at, blank = [], [], 0, 0
        text, keeps_space = self.text, self.tag == "pre"
        for part in self.parts:
            visible = part.strip() if keeps_space else " ".join(part.split())
            if not visible:
                begins.append(at)
                ends.append(at)
                blank += 1
                continue
            while text[at : at + 1].isspace():
                at += 1
            for i in range(
                len(begins) - blank, len(begins)
            ):  # a blank part begins where the next visible one does
                begins[i] = at
            blank = 0
            begins.append(at)
            at += len(visible)
            ends.append(at)
        return begins, ends
