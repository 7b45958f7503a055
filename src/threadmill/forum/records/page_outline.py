"""A parsed page as flat lists of elements and texts, so that later steps work with list indices."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from itertools import accumulate
from statistics import median
from types import MappingProxyType
from typing import Any, TypeVar

from turbohtml import Element, Text

from threadmill.forum.link_urls import leave_out_shared_token
from threadmill.page.parse.tree import Tree

# fmt: off
# Elements whose text a reader does not see as text of the page.
INVISIBLE_TAGS = frozenset((
    "audio", "canvas", "datalist", "head", "iframe", "math", "object", "script", "select", "style", "svg",
    "template", "textarea", "video",
))
# Elements that begin and end a line of text.
BLOCK_TAGS = frozenset((
    "address", "article", "aside", "blockquote", "br", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))
# Class names that tell the position or state of a row, not what kind of thing it is.
_STATE_CLASSES = frozenset((
    "odd", "even", "alt", "alternate", "first", "last", "clearfix", "cf", "active", "new", "unread",
))
# fmt: on
# Nor do those that tell a colour, which often changes from row to row: "light-bg-color topic-row".
_COLOUR_CLASS = re.compile(
    r"(?:^|[-_])(?:bg|bgcolou?r|background|colou?r|shade[ds]?)(?:[-_]|$)", re.IGNORECASE
)
_SYMBOL_FONTS = ("webdings", "wingdings", "marlett")
_TABLE_CELLS = frozenset(("td", "th"))
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_SPACE_IN_LINE = re.compile(r"[^\S\n]+")
_LINE_BREAKS = re.compile(r" ?\n[ \n]*")
_NUMBERED_ID = re.compile(r"([A-Za-z_-]{3,30})#$")  # "post_message_#"
_STYLE_CODE = re.compile(r"(?P<stem>[A-Za-z][\w-]*[-_])(?P<code>[\da-f]{5,12})$")  # "css-9aaab8"
_MIN_HASH = 6  # characters
# One hash of eight characters in 2,500 has no digit: "ebfafeba". No words are written with these six letters.
_HASH_IN_ID = re.compile(r"(?<![\da-z])(?:(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{6,40}|[a-f]{8,40})(?![\da-z])")
_ID_TOKEN = re.compile(r"[A-Za-z\d]{8,40}")
# A word and a hash of a usual length: "p47d2be75". The word ends in a letter that no hash has.
_WORD_AND_HASH = re.compile(
    r"[A-Za-z]*[g-z](?=\d*[a-f])(?=[a-f]*\d)(?:[\da-f]{8}|[\da-f]{10}|[\da-f]{12}|[\da-f]{16}|[\da-f]{20,40})"
)
_WORD_AND_HEX = re.compile(r"([A-Za-z]*[g-z])[\da-f]{8,40}")
_TURN = re.compile(r"[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])")
_MIN_TURNS = 4  # "post12Body" has two, "cG9zdDoxNzI" has six
CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")  # Chinese and Japanese characters
_SCRIPT_SAMPLE = 20_000  # characters from which the script of a page is known
# Larger pages are cut off here. The largest real thread page seen (930 kB) has 17,000 elements.
MAX_ELEMENTS = 50_000

_LEAST_BOXES = 3  # with a link without text over each
_MOST = 0.9  # of such links lead to places of their own
_USUAL = 0.6  # of the boxes have the words of a title at one place
_LEAST_LETTERS = 6  # of a usual title
_LETTER = re.compile(r"[^\W\d_]")

_OF_EACH_ELEMENT = (
    "elements", "tags", "symbols", "parent", "depth", "end", "hrefs", "text_from", "text_to",
)  # fmt: skip

_Found = TypeVar("_Found")


class PageOutline:
    """The visible elements and texts of a page, in document order.

    Elements and texts are known by their index. Element `i` with everything inside it is the range
    `i` to `end[i]`; its texts are the range `text_from[i]` to `text_to[i]` of `segments`.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.elements: list[Element] = []
        self.tags: list[str] = []
        self.symbols: list[str] = []  # tag and class: "div.post"
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.end: list[int] = []
        self.hrefs: list[str | None] = []
        self.segments: list[str] = []  # texts without the space around them
        self.segment_owner: list[int] = []  # the element each text stands in directly
        self.text_from: list[int] = []
        self.text_to: list[int] = []
        self._cells_seen: dict[int, int] = {}
        self.memory: dict[object, Any] = {}  # what `once_per_page` remembers
        root = tree.document.root
        if root is not None:
            self._flatten(root)
            self._part_style_codes()
            self.hrefs = leave_out_shared_token(self.hrefs, self.base)
            for link, title in list(_find_stretched_links(self)):
                self.hrefs[title], self.hrefs[link] = self.hrefs[link], None
                self.tags[title] = "a"

    def _flatten(self, root: Element) -> None:
        """Fill the lists. This loop runs over every node of a page."""
        tags, parents, segments = self.tags, self.parent, self.segments
        known: dict[tuple[str, str], str] = {}  # symbols by tag and classes
        stack: list[Any] = [root]  # nodes to come; a number is an element of which everything has been seen
        parent, depth = -1, 0
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is Text:
                text = node.data.strip()
                if text and not (parent >= 0 and tags[parent] == "font" and self._shows_symbols(parent)):
                    segments.append(text)
                    self.segment_owner.append(parent)
            elif kind is int:
                self.end[node] = len(tags)
                self.text_to[node] = len(segments)
                parent = parents[node]
                depth -= 1
            elif kind is Element:
                tag = node.tag
                if tag in INVISIBLE_TAGS or len(tags) >= MAX_ELEMENTS:
                    continue
                index = len(tags)
                self.elements.append(node)
                tags.append(tag)
                symbol = _symbol(node, tag, known)
                if tag in _TABLE_CELLS and parent >= 0:  # cells of a row often have no class: count them
                    number = self._cells_seen[parent] = self._cells_seen.get(parent, 0) + 1
                    symbol = f"{symbol}:{number}"
                self.symbols.append(symbol)
                parents.append(parent)
                self.depth.append(depth)
                self.end.append(0)
                self.hrefs.append(node.attr("href") if tag == "a" else None)
                self.text_from.append(len(segments))
                self.text_to.append(0)
                stack.append(index)
                stack.extend(reversed(node.children))
                parent = index
                depth += 1

    def _part_style_codes(self) -> None:
        """Give classes such as "css-683298" symbols of their own, where others are "css-9aaab8".

        A generator of styles made them. Such a number tells what a thing is, and not which one of several.
        """
        families: dict[tuple[str, int], dict[str, bool]] = {}  # by stem and length: is a code a number
        for symbol, element in zip(self.symbols, self.elements, strict=True):
            if (
                "#" in symbol
                and (name := _first_telling_class(element))
                and (match := _STYLE_CODE.match(name))
            ):
                family = families.setdefault((match["stem"], len(match["code"])), {})
                family[name] = match["code"].isdecimal()
        numbers = {
            name
            for family in families.values()
            if not all(family.values())
            for name, is_number in family.items()
            if is_number
        }
        for index, symbol in enumerate(self.symbols if numbers else ()):
            if "#" in symbol and (name := _first_telling_class(self.elements[index])) in numbers:
                cell = symbol.partition(":")[1:]
                self.symbols[index] = f"{self.tags[index]}.{name}{''.join(cell)}"

    def _shows_symbols(self, font: int) -> bool:
        """Whether a font draws pictures: its "8" is an arrow."""
        return str(self.elements[font].attr("face") or "").lower().startswith(_SYMBOL_FONTS)

    def as_root(self) -> PageOutline:
        """A new outline with the root of this page alone. Others may be added below it."""
        root = PageOutline.__new__(PageOutline)
        root.tree = self.tree
        for name in _OF_EACH_ELEMENT:
            setattr(root, name, list(getattr(self, name)[:1]))
        root.segments, root.segment_owner = [], []
        root._cells_seen, root.memory = {}, {}
        return root

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def children(self) -> list[list[int]]:
        """The child elements of each element."""
        found: list[list[int]] = [[] for _ in self.tags]
        for index, parent in enumerate(self.parent):
            if parent >= 0:
                found[parent].append(index)
        return found

    @cached_property
    def child_position(self) -> list[int]:
        """The position of each element among the children of its parent, from 0."""
        found = [0] * len(self.tags)
        for children in self.children:
            for position, child in enumerate(children):
                found[child] = position
        return found

    @cached_property
    def names(self) -> list[str]:
        """The symbol of each element; without a class, its id if that has a number: "div@post_message_#"."""
        found = list(self.symbols)
        for index, symbol in enumerate(self.symbols):
            if (
                "." not in symbol
                and (name := self.elements[index].attr("id"))
                and "#" in (shape := shape_of_id(name))
            ):
                found[index] = f"{symbol}@{shape[:40]}"
        self._name_hashes_alike(found)
        return found

    def _name_hashes_alike(self, names: list[str]) -> None:
        """Give "p01234567" the name of ids such as "p47d2be75": by chance this hash has no letters."""
        marked: dict[int, tuple[str, int]] = {}
        for index, name in enumerate(names):
            value = self.elements[index].attr("id") if "." not in name else None
            if value and (found := _WORD_AND_HEX.fullmatch(value)):
                marked[index] = found[1], len(value)
        hashes = Counter(key for index, key in marked.items() if names[index].endswith("@#"))
        for index, key in marked.items():
            if hashes[key] > 1:
                names[index] = names[index].partition("@")[0] + "@#"

    def chain(self, index: int, length: int) -> str:
        """The names of an element and of its nearest ancestors, outermost first: `length` names in all."""
        return self.chains(length)[index]

    def chains(self, length: int) -> list[str]:
        """The chains of all elements. One more, at the end, stands for what is above the root."""
        known: dict[int, list[str]] = self.memory.setdefault("chains", {})
        if length not in known:
            if length == 1:
                known[length] = [*self.names, ""]
            else:
                outer = self.chains(length - 1)
                pairs = zip(self.parent, self.names, strict=True)
                known[length] = [*(f"{outer[parent]}/{name}" for parent, name in pairs), f"{outer[-1]}/"]
        return known[length]

    @cached_property
    def in_link(self) -> list[bool]:
        """Whether each element is a link or stands in one."""
        inside: list[bool] = []
        for index, parent in enumerate(self.parent):
            inside.append(self.tags[index] == "a" or (parent >= 0 and inside[parent]))
        return inside

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The places of this page that a link can lead to: every `id`, and every `name` of a link."""
        ids = {element.attr("id") for element in self.elements}
        names = {
            element.attr("name") for tag, element in zip(self.tags, self.elements, strict=True) if tag == "a"
        }
        return frozenset(name for name in ids | names if name)

    @cached_property
    def text_before(self) -> list[int]:
        """Characters of text before each segment, and at last those of the whole page."""
        return [0, *accumulate(len(segment) for segment in self.segments)]

    @cached_property
    def unlinked_before(self) -> list[int]:
        """The same, without the text of links."""
        lengths = (
            0 if self.in_link[owner] else len(segment)
            for segment, owner in zip(self.segments, self.segment_owner, strict=True)
        )
        return [0, *accumulate(lengths)]

    @cached_property
    def script_density(self) -> float:
        """How many letters of an alphabet one character of this page is worth: 1, in Chinese up to 3."""
        text = "".join(self.segments)[:_SCRIPT_SAMPLE]
        return 1.0 + 2.0 * len(CJK.findall(text)) / len(text) if text else 1.0

    @cached_property
    def base(self) -> str:
        """The URL that links of the page are relative to."""
        try:
            return self.tree.document.base_url(self.tree.url) or self.tree.url
        except ValueError:
            return self.tree.url

    @cached_property
    def title(self) -> str:
        """The text of the title element."""
        found = self.tree.document.find("title")
        return found.text.strip() if found is not None else ""

    @cached_property
    def paths(self) -> list[int]:
        """A number for the symbols from the root down to each element; equal paths have equal numbers."""
        return self._number_paths(self.symbols)

    @cached_property
    def tag_paths(self) -> list[int]:
        """The same for tags and the numbers of cells, without classes."""
        pairs = zip(self.tags, self.symbols, strict=True)
        return self._number_paths(
            f"{tag}:{symbol.rpartition(':')[2]}" if tag in _TABLE_CELLS else tag for tag, symbol in pairs
        )

    def _number_paths(self, names: Iterable[str]) -> list[int]:
        numbers: dict[tuple[int, str], int] = {}
        found: list[int] = []
        for name, parent in zip(names, self.parent, strict=True):
            path = (found[parent] if parent >= 0 else -1, name)
            found.append(numbers.setdefault(path, len(numbers)))
        return found

    def text_length(self, index: int) -> int:
        """Characters of text in an element."""
        return self.text_before[self.text_to[index]] - self.text_before[self.text_from[index]]

    def unlinked_length(self, index: int) -> int:
        """Characters of text in an element that are in no link."""
        return self.unlinked_before[self.text_to[index]] - self.unlinked_before[self.text_from[index]]

    def text(self, index: int, limit: int = 1_000_000) -> str:
        """The text of an element in one line with single spaces; at most `limit` characters."""
        joined = " ".join(self.segments[self.text_from[index] : self.text_to[index]])[:limit]
        return _SPACE.sub(" ", joined)

    def attribute(self, index: int, name: str) -> str | None:
        """An attribute of an element."""
        return self.elements[index].attr(name)

    @cached_property
    def kinds(self) -> list[str]:
        """What kind of thing each element is: its symbol after those of its parent and grandparent."""
        return self._kinds_by(self.symbols, "/")

    @cached_property
    def loose_kinds(self) -> list[str]:
        """The same with the classes left out, except that of the grandparent."""
        return self._kinds_by(self.tags, "//")

    def _kinds_by(self, names: list[str], separator: str) -> list[str]:
        outer, inner = [*self.symbols, ""], [*names, ""]  # the parent of the root is at -1
        above = [*self.parent, -1]
        known: dict[tuple[str, str, str], str] = {}  # equal kinds are one string: it is hashed once
        found = []
        for name, parent in zip(names, self.parent, strict=True):
            key = (outer[above[parent]], inner[parent], name)
            found.append(known.get(key) or known.setdefault(key, f"{key[0]}{separator}{key[1]}/{name}"))
        return found

    def kind(self, index: int) -> str:
        """What kind of thing an element is."""
        return self.kinds[index]

    def ancestors(self, index: int) -> Iterator[int]:
        """The elements around an element, nearest first."""
        while (index := self.parent[index]) >= 0:
            yield index

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
        """The child of `ancestor` that holds `index`; `index` itself when both are the same element."""
        while index != ancestor and self.parent[index] != ancestor:
            index = self.parent[index]
        return index


def once_per_page(function: Callable[[PageOutline], _Found]) -> Callable[[PageOutline], _Found]:
    """The function with a memory: it is computed once for each page."""

    @wraps(function)
    def remembered(outline: PageOutline) -> _Found:
        if function not in outline.memory:
            outline.memory[function] = function(outline)
        found: _Found = outline.memory[function]
        return found

    return remembered


def _find_stretched_links(outline: PageOutline) -> Iterator[tuple[int, int]]:
    """The links without text that lie over boxes, each with the element in its box that has the title.

    Nothing else in such a box is a link. What names its own purpose (a label) is a button.
    """
    boxes: dict[int, list[int]] = defaultdict(list)
    for index, href in enumerate(outline.hrefs):
        if href and href[0] != "#" and _is_bare(outline, index):
            boxes[outline.paths[index]].append(index)
    for links in boxes.values():
        places = {outline.hrefs[index] for index in links}
        if len(links) >= _LEAST_BOXES and len(places) >= _MOST * len(links):
            yield from _find_titles(outline, links)


def _is_bare(outline: PageOutline, index: int) -> bool:
    """Whether a link has no content and no label, and is the only link in its box."""
    box = outline.parent[index]
    if outline.end[index] > index + 1 or outline.text_length(index) or box < 0:
        return False
    if outline.attribute(index, "title") or outline.attribute(index, "aria-label"):
        return False
    others = (outline.hrefs[other] for other in range(box, outline.end[box]) if other != index)
    return outline.text_length(box) > 0 and not any(others)


def _find_titles(outline: PageOutline, links: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each link with the words of its box at the place where the boxes have the longest words."""
    places: dict[int, dict[int, int]] = defaultdict(dict)  # path → link → element
    for link in links:
        for element in _elements_with_text(outline, outline.parent[link]):
            places[outline.paths[element]].setdefault(link, element)
    usual = [found for found in places.values() if len(found) >= _USUAL * len(links)]
    titles = max(usual, key=lambda found: _usual_letters(outline, found.values()), default={})
    different = {outline.text(element, 200) for element in titles.values()}
    varies = titles and 2 * len(different) >= len(titles)
    if varies and _usual_letters(outline, titles.values()) >= _LEAST_LETTERS:
        yield from titles.items()


def _elements_with_text(outline: PageOutline, box: int) -> Iterable[int]:
    owners = outline.segment_owner[outline.text_from[box] : outline.text_to[box]]
    return dict.fromkeys(owner for owner in owners if owner != box)


def _usual_letters(outline: PageOutline, elements: Iterable[int]) -> float:
    return median(len(_LETTER.findall(outline.text(element, 200))) for element in elements)


def _symbol(element: Element, tag: str, known: dict[tuple[str, str], str]) -> str:
    """The tag with a class, else with the words of an id; `known` remembers the symbols of classes."""
    classes = element.attr("class")
    if not classes:
        return _symbol_by_id(tag, element.attr("id"))
    symbol = known.get((tag, classes))
    if symbol is None:
        symbol = _symbol_by_class(tag, classes)
        if symbol is None:
            return _symbol_by_id(tag, element.attr("id"))
        known[tag, classes] = symbol
    return symbol


def _symbol_by_class(tag: str, classes: str) -> str | None:
    """The tag with the first class that tells a kind of thing, else a colour; numbers become "#"."""
    found = _telling_class(classes)
    return found and f"{tag}.{_DIGITS.sub('#', found)[:40]}"


def _telling_class(classes: str) -> str | None:
    telling = [name for name in classes.split() if name.lower() not in _STATE_CLASSES]
    return next((name for name in telling if not _COLOUR_CLASS.search(name)), next(iter(telling), None))


def _first_telling_class(element: Element) -> str | None:
    return _telling_class(element.attr("class") or "")


def _symbol_by_id(tag: str, element_id: str | None) -> str:
    """The tag, with the words of an id that ends in a number."""
    numbered = _NUMBERED_ID.match(shape_of_id(element_id)) if element_id else None
    return f"{tag}.{numbered[1]}#" if numbered else tag


def shape_of_id(element_id: str) -> str:
    """An id without what tells it from others: numbers, hashes and codes become "#"."""
    for code in codes_in_id(element_id):
        element_id = element_id.replace(code, "#", 1)
    return _DIGITS.sub("#", element_id)


def codes_in_id(name: str) -> list[str]:
    """The hashes in an id, and codes that mix letters and digits: "comment-ed92179a", "cG9zdDoxNzI"."""
    if len(name) < _MIN_HASH:
        return []
    mixed = (
        token
        for token in _ID_TOKEN.findall(name)
        if len(_TURN.findall(token)) >= _MIN_TURNS or _WORD_AND_HASH.fullmatch(token)
    )
    return [*_HASH_IN_ID.findall(name), *mixed]


def element_text(
    outline: PageOutline,
    index: int,
    without: frozenset[int] = frozenset(),
    replaced: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """The text of an element in the lines a reader sees; the elements in `without` are left out.

    For the elements in `replaced`, a line with the text given there stands instead.
    """
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
            if here in without or here in replaced:
                parts.append(f"\n{replaced.get(here, '')}\n")
                here = outline.end[here]
                continue
            here += 1
            if node.tag in BLOCK_TAGS:
                parts.append("\n")
                stack.append("\n")
            stack.extend(
                child for child in reversed(node.children) if type(child) is Element or type(child) is Text
            )
    return _LINE_BREAKS.sub("\n", _SPACE_IN_LINE.sub(" ", "".join(parts))).strip()
