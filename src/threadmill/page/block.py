"""A block: one run of a page's text between block-level tags, with the links and images that stand in it."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    parts: list[str] = field(default_factory=list)
    links: list[OpenLink] = field(default_factory=list)
    link_chars: int = 0  # visible characters inside links
    hidden: str = ""  # why a reader does not see it
    text: str = ""

    def finish(self) -> None:
        """Join the parts with white space as a reader sees it."""
        if self.tag == "pre":
            self.text = "".join(self.parts).strip("\n").rstrip()
        elif len(self.parts) == 1:
            self.text = " ".join(self.parts[0].split())
        elif any(part is BREAK for part in self.parts):
            lines = "".join("\0" if part is BREAK else part for part in self.parts).split("\0")
            self.text = "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
        else:
            self.text = " ".join("".join(self.parts).split())

    def placed_links(self, addresses: Addresses) -> tuple[Link, ...]:
        """The links and images with their character offsets in the finished text."""
        if not self.links:
            return ()
        begins, ends = self._offsets()
        placed = []
        for link in self.links:
            start = begins[link.first] if link.first < len(begins) else len(self.text)
            end = max(start, ends[link.last - 1]) if link.last > link.first else start
            text = link.label if link.kind == "image" else self.text[start:end]
            placed.append(Link(addresses.absolute(link.target), text, start, end, link.kind))
        return tuple(placed)

    def _offsets(self) -> tuple[list[int], list[int]]:
        """Where the visible characters of every part begin and end in the finished text.

        The parts are followed through the text one by one: finishing changes nothing but white space.
        """
        begins, ends, at = [], [], 0
        text, keeps_space = self.text, self.tag == "pre"
        for part in self.parts:
            visible = part.strip()
            if not visible:
                begins.append(at)
                ends.append(at)
                continue
            while at < len(text) and text[at].isspace():
                at += 1
            begins.append(at)
            at += len(visible if keeps_space else " ".join(visible.split()))
            ends.append(at)
        return _forward(begins, self.parts), ends


def _forward(begins: list[int], parts: list[str]) -> list[int]:
    """Let a blank part begin where the next visible one does."""
    following = None
    for i in range(len(parts) - 1, -1, -1):
        if parts[i].strip():
            following = begins[i]
        elif following is not None:
            begins[i] = following
    return begins
