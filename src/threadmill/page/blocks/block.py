"""A block: one run of a page's text between block-level tags, with the links and images that stand in it."""

from __future__ import annotations

from dataclasses import dataclass

from turbohtml import Node

from threadmill.page.parse.link_targets import LinkResolver
from threadmill.types import Link


@dataclass(slots=True)
class Anchor:
    """A link or image as its page writes it, and which characters of its block it covers."""

    target: str
    start: int
    end: int
    kind: str = "link"
    label: str = ""  # the alternative text of an image


class Block:
    """What the walk over the tree knows of one block; mutable, because it grows as the walk goes on.

    Written out, because a page has hundreds: a dataclass takes half as long again to make one.
    """

    __slots__ = (
        "anchors",
        "frame",
        "heading",
        "hidden",
        "link_chars",
        "nodes",
        "parts",
        "path",
        "tag",
        "text",
    )

    def __init__(self, tag: str, path: str, frame: int, heading: int = 0, hidden: str = "") -> None:
        self.tag = tag
        self.path = path
        self.frame = frame  # index into the frames of the cut
        self.heading = heading  # 1…6 when inside such a heading
        self.hidden = hidden  # why a reader does not see it
        self.parts: list[str] = []
        self.anchors: list[Anchor] = []
        self.link_chars = 0  # visible characters inside links
        self.text = ""
        self.nodes: tuple[Node, ...] = ()  # its text nodes, where the cut was asked to keep them

    def finish(self) -> None:
        """Join the parts of a hidden or preformatted block; of others that is all there is to do."""
        if self.tag == "pre":
            self._finish_preformatted()
        else:  # nobody asks where its links stand
            self.text = " ".join("".join(self.parts).split())

    def _finish_preformatted(self) -> None:
        """All white space is kept but empty lines around the text."""
        text = "".join(self.parts)
        self.text = text.strip("\n").rstrip()
        before = len(text) - len(text.lstrip("\n"))
        for anchor in self.anchors:
            anchor.start = min(max(anchor.start - before, 0), len(self.text))
            anchor.end = min(max(anchor.end - before, 0), len(self.text))

    def links(self, addresses: LinkResolver) -> tuple[Link, ...]:
        """The links and images with absolute addresses."""
        text, absolute, make = self.text, addresses.absolute, Link._make
        return tuple(
            [
                make(
                    (
                        absolute(a.target),
                        a.label if a.kind == "image" else text[a.start : a.end],
                        a.start,
                        a.end,
                        a.kind,
                    )
                )
                for a in self.anchors
            ]
        )
