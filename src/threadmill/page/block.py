"""A block: one run of a page's text between block-level tags, with the links and images that stand in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from turbohtml import Node

from threadmill.page.address import Addresses
from threadmill.types import Link


@dataclass(slots=True)
class Anchor:
    """A link or image as its page writes it, and which characters of its block it covers."""

    target: str
    start: int
    end: int
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
    anchors: list[Anchor] = field(default_factory=list)
    link_chars: int = 0  # visible characters inside links
    text: str = ""
    nodes: tuple[Node, ...] = ()  # its text nodes, where the cut was asked to keep them

    def finish(self) -> None:
        """Join the parts with white space as a reader sees it."""
        if self.tag == "pre":
            self._finish_preformatted()
        elif self.hidden:  # nobody asks where its links stand
            self.text = " ".join("".join(self.parts).split())
        else:
            self.text = "".join(self.parts)

    def _finish_preformatted(self) -> None:
        """All white space is kept but empty lines around the text."""
        text = "".join(self.parts)
        self.text = text.strip("\n").rstrip()
        before = len(text) - len(text.lstrip("\n"))
        for anchor in self.anchors:
            anchor.start = min(max(anchor.start - before, 0), len(self.text))
            anchor.end = min(max(anchor.end - before, 0), len(self.text))

    def links(self, addresses: Addresses) -> tuple[Link, ...]:
        """The links and images with absolute addresses."""
        text, absolute = self.text, addresses.absolute
        return tuple(
            [
                Link(
                    absolute(a.target),
                    a.label if a.kind == "image" else text[a.start : a.end],
                    a.start,
                    a.end,
                    a.kind,
                )
                for a in self.anchors
            ]
        )
