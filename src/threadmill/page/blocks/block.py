"""A block: the text between two block-level tags of a page, with its links and images."""

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
    """A block, which grows while the tree is walked.

    It is no dataclass: a page has hundreds of blocks, and a dataclass takes 1.5 times as long to make.
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
        self.nodes: list[Node] = []  # its text nodes, where the cut was asked to keep them

    def finish(self) -> None:
        """Join the parts of a hidden or preformatted block."""
        if self.tag == "pre":
            self._finish_preformatted()
        else:  # the places of links in hidden text are not needed
            self.text = " ".join("".join(self.parts).split())

    def _finish_preformatted(self) -> None:
        """Keep all white space except empty lines around the text."""
        text = "".join(self.parts)
        self.text = text.strip("\n").rstrip()
        before = len(text) - len(text.lstrip("\n"))
        for anchor in self.anchors:
            anchor.start = min(max(anchor.start - before, 0), len(self.text))
            anchor.end = min(max(anchor.end - before, 0), len(self.text))

    def links(self, resolver: LinkResolver) -> tuple[Link, ...]:
        """The links and images, with absolute URLs."""
        text, absolute, make = self.text, resolver.absolute, Link._make
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
