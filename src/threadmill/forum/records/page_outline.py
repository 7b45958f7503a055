"""A page's tree laid out once as flat arrays, so that every later question is arithmetic on indices."""

from __future__ import annotations

import re
from functools import cached_property

from turbohtml import Element, Text

from threadmill.page.parse.tree import Tree

# What no reader sees as text of the page.
INVISIBLE_TAGS = frozenset(
    [
        "script",
        "style",
        "template",
        "head",
        "select",
        "textarea",
        "svg",
        "iframe",
        "object",
        "datalist",
        "math",
        "canvas",
        "audio",
        "video",
    ]
)
_CELLS = frozenset(("td", "th"))
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
# A character of these scripts says what three letters of an alphabet do.
CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SAMPLE = 20_000  # characters that tell what a page is written in
_NUMBERED = re.compile(r"([A-Za-z_-]{3,30})\d+$")  # "post_message_123"
# Words that tell a row's parity or place, never what kind of thing it is.
_PLACE_WORDS = frozenset(
    ("odd", "even", "alt", "alternate", "first", "last", "clearfix", "cf", "active", "new", "unread")
)
# Pages beyond this are cut: the largest real thread page seen (930 kB) has 17,000 elements.
MAX_ELEMENTS = 50_000


class PageOutline:
    """Elements in document order; subtree i is [i, end[i]), its texts are [text_from[i], text_to[i])."""

    __slots__ = (
        "__dict__",
        "_cells_seen",
        "depth",
        "elements",
        "end",
        "hrefs",
        "parent",
        "segment_owner",
        "segments",
        "symbols",
        "tags",
        "text_from",
        "text_to",
        "tree",
    )

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.elements: list[Element] = []
        self.tags: list[str] = []
        self.symbols: list[str] = []  # tag with what the page's author called it
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.end: list[int] = []
        self.hrefs: list[str | None] = []
        self.segments: list[str] = []  # stripped texts
        self.segment_owner: list[int] = []
        self.text_from: list[int] = []
        self.text_to: list[int] = []
        self._cells_seen: dict[int, int] = {}
        root = tree.document.root
        if root is not None:
            self._lay_out(root)

    def _lay_out(self, root: Element) -> None:
        stack: list[tuple[Element | Text | None, int, int]] = [(root, -1, 0)]
        while stack:
            node, up, depth = stack.pop()
            if node is None:  # the way back: `up` is the element that ends here
                self.end[up] = len(self.tags)
                self.text_to[up] = len(self.segments)
            elif type(node) is Text:
                text = node.data.strip()
                if text:
                    self.segments.append(text)
                    self.segment_owner.append(up)
            elif len(self.tags) < MAX_ELEMENTS:
                self._enter(node, up, depth, stack)

    def _enter(
        self, element: Element, up: int, depth: int, stack: list[tuple[Element | Text | None, int, int]]
    ) -> None:
        tag = element.tag
        if tag in INVISIBLE_TAGS:
            return
        here = len(self.tags)
        self.elements.append(element)
        self.tags.append(tag)
        self.symbols.append(_symbol(tag, element.attr("class"), element.attr("id")))
        if tag in _CELLS and up >= 0:  # cells of a row without names differ by their place
            place = self._cells_seen[up] = self._cells_seen.get(up, 0) + 1
            self.symbols[-1] += f":{place}"
        self.parent.append(up)
        self.depth.append(depth)
        self.end.append(0)
        self.hrefs.append(element.attr("href") if tag == "a" else None)
        self.text_from.append(len(self.segments))
        self.text_to.append(0)
        stack.append((None, here, 0))
        for child in reversed(element.children):
            if type(child) is Element or type(child) is Text:
                stack.append((child, here, depth + 1))

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def children(self) -> list[list[int]]:
        """The child elements of each element."""
        found: list[list[int]] = [[] for _ in self.tags]
        for index, up in enumerate(self.parent):
            if up >= 0:
                found[up].append(index)
        return found

    @cached_property
    def names(self) -> list[str]:
        """Symbols; an element without a class goes by its numbered id: `<div id="post_message_12">`."""
        found = list(self.symbols)
        for index, symbol in enumerate(self.symbols):
            if "." not in symbol and (name := self.elements[index].attr("id")) and _DIGITS.search(name):
                found[index] = f"{symbol}@{_DIGITS.sub('#', name)[:40]}"
        return found

    def chain(self, index: int, length: int) -> str:
        """The names of an element and of those around it, outermost first."""
        found: list[str] = []
        while len(found) < length:
            found.append(self.names[index] if index >= 0 else "")
            index = self.parent[index] if index >= 0 else -1
        return "/".join(reversed(found))

    @cached_property
    def place(self) -> list[int]:
        """The how-manieth child of its parent each element is."""
        found = [0] * len(self.tags)
        for children in self.children:
            for place, child in enumerate(children):
                found[child] = place
        return found

    @cached_property
    def in_link(self) -> list[bool]:
        """Whether an element is a link or stands in one."""
        inside: list[bool] = []
        for index, up in enumerate(self.parent):
            inside.append(self.tags[index] == "a" or (up >= 0 and inside[up]))
        return inside

    @cached_property
    def text_before(self) -> list[int]:
        """How many characters of text stand before each segment; one more entry than segments."""
        return _running([len(segment) for segment in self.segments])

    @cached_property
    def unlinked_before(self) -> list[int]:
        """The same, counting only text that is no link."""
        lengths = [
            0 if self.in_link[owner] else len(segment)
            for segment, owner in zip(self.segments, self.segment_owner, strict=True)
        ]
        return _running(lengths)

    @cached_property
    def script_density(self) -> float:
        """How many letters of an alphabet a character of the page stands for: 1, in Chinese up to 3."""
        text = "".join(self.segments)[:_SAMPLE]
        return 1.0 + 2.0 * len(CJK.findall(text)) / len(text) if text else 1.0

    @cached_property
    def base(self) -> str:
        """What the page's links are relative to."""
        try:
            return self.tree.document.base_url(self.tree.url) or self.tree.url
        except ValueError:
            return self.tree.url

    @cached_property
    def title(self) -> str:
        """What the page calls itself."""
        found = self.tree.document.find("title")
        return found.text.strip() if found is not None else ""

    @cached_property
    def paths(self) -> list[int]:
        """Names the chain of symbols from the root down to each element; equal numbers mean equal chains."""
        names: dict[tuple[int, str], int] = {}
        found: list[int] = []
        for index, up in enumerate(self.parent):
            found.append(names.setdefault((found[up] if up >= 0 else -1, self.symbols[index]), len(names)))
        return found

    def text_length(self, index: int) -> int:
        """Characters of text in a subtree."""
        return self.text_before[self.text_to[index]] - self.text_before[self.text_from[index]]

    def unlinked_length(self, index: int) -> int:
        """Characters of text outside links in a subtree."""
        return self.unlinked_before[self.text_to[index]] - self.unlinked_before[self.text_from[index]]

    def text(self, index: int, limit: int = 1_000_000) -> str:
        """A subtree's text with single spaces."""
        joined = " ".join(self.segments[self.text_from[index] : self.text_to[index]])[:limit]
        return _SPACE.sub(" ", joined)

    def attribute(self, index: int, name: str) -> str | None:
        """An attribute of an element."""
        return self.elements[index].attr(name)

    def kind(self, index: int) -> str:
        """What an element is, by itself and the two elements around it."""
        up = self.parent[index]
        above = self.parent[up] if up >= 0 else -1
        symbols = self.symbols
        return f"{symbols[above] if above >= 0 else ''}/{symbols[up] if up >= 0 else ''}/{symbols[index]}"

    def loose_kind(self, index: int) -> str:
        """The same without the names that page authors give, but for the outermost."""
        up = self.parent[index]
        above = self.parent[up] if up >= 0 else -1
        outer = self.symbols[above] if above >= 0 else ""
        return f"{outer}//{self.tags[up] if up >= 0 else ''}/{self.tags[index]}"

    def is_under(self, index: int, ancestor: int) -> bool:
        """Whether an element is the other one or stands in it."""
        return ancestor <= index < self.end[ancestor]

    def common_ancestor(self, one: int, other: int) -> int:
        """The lowest element that holds both."""
        while one != other:
            if one > other:
                one = self.parent[one]
            else:
                other = self.parent[other]
        return one

    def child_towards(self, ancestor: int, index: int) -> int:
        """The child of an element in which the other stands; the element itself when they are one."""
        while index != ancestor and self.parent[index] != ancestor:
            index = self.parent[index]
        return index


def _symbol(tag: str, names: str | None, own: str | None) -> str:
    """The tag and the first class (or numbered id) that says what the thing is; all numbers are one."""
    for name in names.split() if names else ():
        if name.lower() not in _PLACE_WORDS:
            return f"{tag}.{_DIGITS.sub('#', name)[:40]}"
    numbered = _NUMBERED.match(own) if own else None
    return f"{tag}.{numbered[1]}#" if numbered else tag


def _running(lengths: list[int]) -> list[int]:
    total = 0
    sums = [0]
    for length in lengths:
        total += length
        sums.append(total)
    return sums


_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")


def element_text(outline: PageOutline, index: int, without: frozenset[int] = frozenset()) -> str:
    """The text of a subtree, without the subtrees named."""
    parts: list[str] = []
    stack: list[Element | Text | str] = [outline.elements[index]]
    here = index
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif type(node) is Text:
            parts.append(node.data.replace("\n", " "))
        elif node.tag not in INVISIBLE_TAGS:
            if here in without:
                here = outline.end[here]
                parts.append("\n")
                continue
            here += 1
            block = node.tag in _BLOCKS
            if block:
                parts.append("\n")
                stack.append("\n")
            stack.extend(
                child for child in reversed(node.children) if type(child) is Element or type(child) is Text
            )
    return _LINES.sub("\n", _SPACES.sub(" ", "".join(parts))).strip()
