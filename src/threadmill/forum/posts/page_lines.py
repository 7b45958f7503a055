"""The lines of a page as a reader sees them, for messages that no element holds together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from turbohtml import Element, Text

from threadmill.forum.records.page_outline import BLOCK_TAGS, INVISIBLE_TAGS, PageOutline

_ANY_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of text. A line without text is blank, or a rule across the page."""

    text: str  # as it stands, with the space before it where space counts
    links: tuple[tuple[str, str], ...] = ()  # URL and text of each link that begins in the line
    linked: int = 0  # characters that stand in links
    block: int = 0  # the element around the line
    is_rule: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nobody sees the line."""
        return not self.is_rule and not self.text.strip()

    @property
    def link_share(self) -> float:
        """The share of its text that stands in links."""
        return self.linked / len(self.text.strip()) if self.text.strip() else 0.0


def read_lines(outline: PageOutline) -> list[PageLine]:
    """The lines of a page in document order. Blank ones are kept only in preformatted text."""
    if not len(outline):
        return []
    return _LineReader(outline).lines


class _LineReader:
    """Walks a page once, in the order of the outline."""

    def __init__(self, outline: PageOutline) -> None:
        self.lines: list[PageLine] = []
        self._text: list[str] = []
        self._links: list[tuple[str, str]] = []
        self._linked = 0
        self._block = 0
        self._anchor = -1  # the link that is open
        self._keeps_space = 0  # how many elements around keep line breaks
        for event in _walk(outline):
            self._take(outline, *event)
        self._end_line()

    def _take(self, outline: PageOutline, index: int, text: str | None, closes: bool) -> None:
        if text is not None:
            self._add_text(text)
            return
        tag = outline.tags[index]
        if tag == "pre":
            self._keeps_space += -1 if closes else 1
        if tag == "a":
            self._anchor = -1 if closes else index
            href = outline.hrefs[index]
            if href and not closes:
                self._links.append((href, outline.text(index, 200)))
        elif tag in BLOCK_TAGS:
            self._end_line()
            self._block = outline.parent[index] if closes else index
            if tag == "hr" and not closes:
                self.lines.append(PageLine("", block=index, is_rule=True))

    def _add_text(self, text: str) -> None:
        if not self._keeps_space:
            self._add(_ANY_SPACE.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self._add(first)
        for line in others:
            self._end_line(keeps_blank=True)
            self._add(line)

    def _add(self, text: str) -> None:
        self._text.append(text)
        if self._anchor >= 0:
            self._linked += len(text.strip())

    def _end_line(self, *, keeps_blank: bool = False) -> None:
        text = "".join(self._text).rstrip()
        text = text if self._keeps_space else _ANY_SPACE.sub(" ", text).strip()
        if text or keeps_blank:
            self.lines.append(PageLine(text, tuple(self._links), self._linked, self._block))
        self._text, self._links, self._linked = [], [], 0


def _walk(outline: PageOutline) -> Iterator[tuple[int, str | None, bool]]:
    """Every begin and end of a visible element, and every text, with the index of the element."""
    stack: list[tuple[Element | Text | None, int]] = [(outline.elements[0], -1)]
    here = 0
    size = len(outline)
    while stack:
        node, parent = stack.pop()
        if node is None:
            yield parent, None, True
        elif type(node) is Text:
            yield parent, node.data, False
        elif isinstance(node, Element) and node.tag not in INVISIBLE_TAGS and here < size:
            index, here = here, here + 1
            yield index, None, False
            stack.append((None, index))
            for child in reversed(node.children):
                if type(child) is Element or type(child) is Text:
                    stack.append((child, index))
