"""The outline of a page for the statistics of its site: its elements in order, and the texts they hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from html import unescape
from zlib import crc32

import turbohtml

# Elements whose content is no text for a reader.
UNREAD_TAGS = frozenset(
    ["script", "style", "template", "head", "svg", "math", "noframes", "iframe", "object"]
)
HEADING_TAGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
LINK_TAGS = frozenset(["a", "button", "option", "select", "label", "input"])
# Texts in them stand in one line with the texts beside them.
INLINE_TAGS = LINK_TAGS | {
    *("abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "img", "kbd", "mark", "q"),
    *("s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
}
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
# Separators between the name of a page and the name of its site in a title.
_TITLE_PARTS = re.compile(r"\s+[-–—|»«›·:/]+\s+|\s*[|»«›—]\s*")


# Numbers of chapters, permalinks, and separators of breadcrumbs.
_EDGE_SIGNS = " 0.,:;¶#§»«›‹<>|/\\-–—•·→←↑▸►▶◄()[]\"'“”"


class TextKind(IntEnum):
    """What a text is by itself, before the other pages are known."""

    PLAIN = 0
    LINK = 1  # inside a link or a control
    ECHO = 2  # repeats the page's title or one of its headings
    SIGNS = 3  # no letter in it: numbers, dates in numbers, separators


@dataclass(slots=True)
class TextOutline:
    """Elements in document order; the subtree of element i is i to ends[i] - 1."""

    tags: list[str] = field(default_factory=list)
    tokens: list[tuple[str, ...]] = field(default_factory=list)  # "#id" and ".class"
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # for each text: the element that holds it
    names: list[int] = field(default_factory=list)  # for each text: a number for its wording
    exact: list[int] = field(default_factory=list)  # the same, digits included
    lengths: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    linked: list[bool] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)  # texts of one line between block elements
    in_heading: list[bool] = field(default_factory=list)
    # Elements that may hold the page's title, with a number for their wording: main headings, and texts
    # outside of links that repeat the title when no heading does.
    titles: list[tuple[int, int]] = field(default_factory=list)
    captions: list[tuple[int, int, int]] = field(default_factory=list)  # with the number of the text

    def add_wording(self, text: str, exact: str) -> None:
        """Add a text in comparable form and as it is; only its digits may differ."""
        self.names.append(hash_wording(text))
        self.exact.append(self.names[-1] if text == exact else hash_wording(exact))
        self.lengths.append(len(text))

    def own_titles(self, shared: frozenset[int]) -> list[int]:
        """Return the elements that hold the page's own title, given the titles that several pages share."""
        found = [element for element, name in self.titles if name not in shared]
        if not found:
            captions = self.captions
            if len(captions) > 1:  # one of them may be the end of a trail: it stands in a line with links
                often = Counter(self.lines)
                captions = [caption for caption in captions if often[self.lines[caption[2]]] == 1]
            found = [element for element, name, _ in captions if name not in shared and len(captions) == 1]
        return found


def tokens_of(element: turbohtml.Element) -> tuple[str, ...]:
    """Return the id and classes of an element. A number in them (page-17, post9) stands for any number."""
    attributes = element.attrs
    if not attributes:
        return ()
    found = []
    name, classes = attributes.get("id"), attributes.get("class")
    if name and isinstance(name, str):
        found.append("#" + _DIGITS.sub("0", name))
    if classes:
        words = classes.split() if isinstance(classes, str) else classes
        found.extend("." + _DIGITS.sub("0", word) for word in sorted(set(words)))
    return tuple(found)


def body_of(document: turbohtml.Document) -> turbohtml.Element | None:
    """Return the element whose text a reader sees."""
    return document.find("body") or document.root


def normalise_text(text: str) -> str:
    """Return a text in comparable form: white space and digits do not count."""
    return _DIGITS.sub("0", " ".join(text.split()))


def hash_wording(text: str) -> int:
    """Return a number for a wording; 64 bits, because a site has millions of them."""
    data = text.encode("utf-8", "surrogatepass")
    return crc32(data) << 32 | crc32(data, 0x5BD1E995)


def title_and_heading_texts(document: turbohtml.Document) -> frozenset[str]:
    """Return the texts of a page's title and headings, in comparable form."""
    return _title_texts(document) | _heading_texts(document) | _neighbour_titles(document)


def _title_texts(document: turbohtml.Document) -> frozenset[str]:
    title = document.find("title")
    if title is None:
        return frozenset()
    return frozenset(_with_parts(title.text))


def _neighbour_titles(document: turbohtml.Document) -> frozenset[str]:
    """Return the titles of the pages before, behind and above, as `<link rel="up" title="…">` names them."""
    titles = (link.attrs.get("title") for link in document.iter_elements(["link"]))
    return frozenset(_comparable_text(title) for title in titles if isinstance(title, str)) - {""}


def _heading_texts(document: turbohtml.Document) -> frozenset[str]:
    return frozenset(_comparable_text(heading.text) for heading in document.iter_elements(HEADING_TAGS)) - {
        ""
    }


_TITLE = re.compile(rb"<title\b[^<>]*>([^<]*)", re.IGNORECASE)
_TITLE_WINDOW = 20_000  # bytes; a title further down is an accident


def title_parts(html: bytes) -> list[str]:
    """Return the title of a page and its parts in comparable form, without parsing the page."""
    found = _TITLE.search(html, 0, _TITLE_WINDOW)
    if found is None:
        return []
    return _with_parts(unescape(found.group(1).decode("utf-8", "replace")))


def _with_parts(title: str) -> list[str]:
    """A title and its parts in comparable form. Runs of spaces are made one first: they would take long."""
    single = " ".join(title.split())
    return [plain for plain in map(_comparable_text, [single, *_TITLE_PARTS.split(single)]) if plain]


def _comparable_text(text: str) -> str:
    return normalise_text(text).strip(_EDGE_SIGNS).casefold()


def text_kind(text: str, echoes: frozenset[str], *, linked: bool, heading: bool) -> TextKind:
    """Return what a normalised text is by itself."""
    if not _LETTER.search(text):
        return TextKind.SIGNS
    if not heading and _comparable_text(text) in echoes:
        return TextKind.ECHO
    return TextKind.LINK if linked else TextKind.PLAIN


def outline_texts(document: turbohtml.Document, titles: frozenset[str] = frozenset()) -> TextOutline:
    """Walk a tree once and outline its texts. A text that repeats another page's title is an echo too."""
    found = TextOutline()
    body = body_of(document)
    if body is None:
        return found
    by_title, by_headings = _title_texts(document), _heading_texts(document)
    neighbours = _neighbour_titles(document) - by_title - by_headings
    echoes = by_title | by_headings | titles
    unheaded = {said for said in by_title if not any(said in heading for heading in by_headings)}
    open_linked: list[bool] = []
    open_heading: list[bool] = []
    open_block: list[int] = []  # for each element: itself, or the block element around it
    blocks = 0
    for node, parent in _walk(body, found):
        if isinstance(node, turbohtml.Element):
            found.tags.append(node.tag)
            found.tokens.append(tokens_of(node) if parent >= 0 else ())
            found.parents.append(parent)
            found.ends.append(0)
            open_linked.append(node.tag in LINK_TAGS or (parent >= 0 and open_linked[parent]))
            open_heading.append(node.tag in HEADING_TAGS or (parent >= 0 and open_heading[parent]))
            is_inline = node.tag in INLINE_TAGS and parent >= 0
            open_block.append(open_block[parent] if is_inline else len(found.tags) - 1)
            blocks += not is_inline
            if node.tag == "h1":
                found.titles.append((len(found.tags) - 1, hash_wording(_comparable_text(node.text))))
        elif isinstance(node, turbohtml.Text):
            spaced = " ".join(node.data.split())
            text = _DIGITS.sub("0", spaced)
            if text:
                found.add_wording(text, spaced)
                found.owners.append(parent)
                heading = open_heading[parent]
                # the title of a neighbouring page leads there, whether it is a link or not
                linked = open_linked[parent] or bool(neighbours and _comparable_text(text) in neighbours)
                found.kinds.append(text_kind(text, echoes, linked=linked, heading=heading))
                found.linked.append(linked)
                found.lines.append((open_block[parent], blocks))
                found.in_heading.append(heading)
                if found.kinds[-1] == TextKind.ECHO and not linked:
                    plain = _comparable_text(text)
                    if plain in unheaded:
                        found.captions.append((parent, hash_wording(plain), len(found.names) - 1))
    return found


def _walk(body: turbohtml.Element, found: TextOutline) -> Iterator[tuple[turbohtml.Node, int]]:
    """Yield nodes in document order with the number of their parent; close subtrees in the outline."""
    yield body, -1
    levels: list[tuple[int, Iterator[turbohtml.Node]]] = [(0, iter(body.children))]
    while levels:
        parent, children = levels[-1]
        node = next(children, None)
        if node is None:
            levels.pop()
            found.ends[parent] = len(found.tags)
        elif isinstance(node, turbohtml.Text):
            yield node, parent
        elif isinstance(node, turbohtml.Element) and node.tag not in UNREAD_TAGS:
            yield node, parent
            levels.append((len(found.tags) - 1, iter(node.children)))
