"""A page as the statistics of a site want it: its elements in order, and the texts they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from html import unescape
from zlib import crc32

import turbohtml

# What these hold is no text to a reader.
UNREAD = frozenset(["script", "style", "template", "head", "svg", "math", "noframes", "iframe", "object"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
# What stands between the name of a page and the name of its site in a title.
_TITLE_PARTS = re.compile(r"\s+[-–—|»«›·:/]+\s+|\s*[|»«›—]\s*")


# Numbers of chapters, permalinks, and what stands between the steps of a path.
_AROUND = " 0.,:;¶#§»«›‹<>|/\\-–—•·→←↑▸►▶◄()[]\"'“”"


class Kind(IntEnum):
    """What a text is by itself, before anything is known of the other pages."""

    PLAIN = 0
    LINK = 1  # inside a link or a control
    ECHO = 2  # says again what the page's title or one of its headings says
    SIGNS = 3  # no letter in it: numbers, dates in numbers, separators


@dataclass(slots=True)
class Outline:
    """Elements in document order; the subtree of element i is i … ends[i] - 1."""

    tags: list[str] = field(default_factory=list)
    tokens: list[tuple[str, ...]] = field(default_factory=list)  # "#id" and ".class"
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # of each text: the element that holds it
    names: list[int] = field(default_factory=list)  # of each text: a number for its wording
    lengths: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    linked: list[bool] = field(default_factory=list)
    in_heading: list[bool] = field(default_factory=list)
    # elements that may hold the page's title, and a number for what each says: first headings; and texts that
    # say what the title says, outside of links, if no heading does
    titles: list[tuple[int, int]] = field(default_factory=list)
    captions: list[tuple[int, int]] = field(default_factory=list)

    def own_titles(self, shared: frozenset[int]) -> list[int]:
        """The elements that hold the page's own title, given the titles that several pages have."""
        found = [element for element, name in self.titles if name not in shared]
        if not found and len(self.captions) == 1:
            found = [element for element, name in self.captions if name not in shared]
        return found


def tokens_of(element: turbohtml.Element) -> tuple[str, ...]:
    """The id and classes of an element; a number in one of them (page-17, post9) is any number."""
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
    """The element whose text a reader sees."""
    return document.find("body") or document.root


def normalise(text: str) -> str:
    """A text as it is compared: white space and digits do not count."""
    return _DIGITS.sub("0", " ".join(text.split()))


def name_of(text: str) -> int:
    """A number for a wording; 64 bits, for a site has millions of them."""
    data = text.encode("utf-8", "surrogatepass")
    return crc32(data) << 32 | crc32(data, 0x5BD1E995)


def echoes_of(document: turbohtml.Document) -> frozenset[str]:
    """What the title and the headings of a page say, in comparable form."""
    return _said_by_title(document) | _said_by_headings(document) | _said_by_links(document)


def _said_by_title(document: turbohtml.Document) -> frozenset[str]:
    title = document.find("title")
    if title is None:
        return frozenset()
    return frozenset(map(_plain, [title.text, *_TITLE_PARTS.split(title.text)])) - {""}


def _said_by_links(document: turbohtml.Document) -> frozenset[str]:
    """Titles of the pages before, behind and above, as <link rel="up" title="…"> in the head names them."""
    titles = (link.attrs.get("title") for link in document.iter_elements(["link"]))
    return frozenset(_plain(title) for title in titles if isinstance(title, str)) - {""}


def _said_by_headings(document: turbohtml.Document) -> frozenset[str]:
    return frozenset(_plain(heading.text) for heading in document.iter_elements(HEADINGS)) - {""}


_TITLE = re.compile(rb"<title\b[^<>]*>([^<]*)", re.IGNORECASE)
_TITLE_WINDOW = 20_000  # bytes; a title further down than that is an accident


def title_parts(html: bytes) -> list[str]:
    """The title of a page and its parts in comparable form, read without parsing the page."""
    found = _TITLE.search(html, 0, _TITLE_WINDOW)
    if found is None:
        return []
    title = unescape(found.group(1).decode("utf-8", "replace"))
    return [plain for plain in map(_plain, [title, *_TITLE_PARTS.split(title)]) if plain]


def _plain(text: str) -> str:
    return normalise(text).strip(_AROUND).casefold()


def kind_of(text: str, echoes: frozenset[str], *, linked: bool, heading: bool) -> Kind:
    """What a normalised text is by itself."""
    if not _LETTER.search(text):
        return Kind.SIGNS
    if not heading and _plain(text) in echoes:
        return Kind.ECHO
    return Kind.LINK if linked else Kind.PLAIN


def has_letters(text: str) -> bool:
    """Whether there is more to a text than numbers and signs."""
    return _LETTER.search(text) is not None


LINKING = frozenset(["a", "button", "option", "select", "label", "input"])


def outline_of(document: turbohtml.Document, titles: frozenset[str] = frozenset()) -> Outline:
    """Walk a tree once; a text that names another page of the site, by its title, is an echo too."""
    found = Outline()
    body = body_of(document)
    if body is None:
        return found
    by_title, by_headings = _said_by_title(document), _said_by_headings(document)
    neighbours = _said_by_links(document) - by_title - by_headings
    echoes = by_title | by_headings | titles
    unheaded = {said for said in by_title if not any(said in heading for heading in by_headings)}
    open_linked: list[bool] = []
    open_heading: list[bool] = []
    for node, parent in _walk(body, found):
        if isinstance(node, turbohtml.Element):
            above_linked = parent >= 0 and open_linked[parent]
            above_heading = parent >= 0 and open_heading[parent]
            found.tags.append(node.tag)
            found.tokens.append(tokens_of(node) if parent >= 0 else ())
            found.parents.append(parent)
            found.ends.append(0)
            open_linked.append(above_linked or node.tag in LINKING)
            open_heading.append(above_heading or node.tag in HEADINGS)
            if node.tag == "h1":
                found.titles.append((len(found.tags) - 1, name_of(_plain(node.text))))
        elif isinstance(node, turbohtml.Text):
            text = normalise(node.data)
            if text:
                found.owners.append(parent)
                found.names.append(name_of(text))
                found.lengths.append(len(text))
                heading = open_heading[parent]
                # a title of a page next to this one leads there, link or not
                linked = open_linked[parent] or bool(neighbours and _plain(text) in neighbours)
                found.kinds.append(kind_of(text, echoes, linked=linked, heading=heading))
                found.linked.append(linked)
                found.in_heading.append(heading)
                if found.kinds[-1] == Kind.ECHO and not linked:
                    plain = _plain(text)
                    if plain in unheaded:
                        found.captions.append((parent, name_of(plain)))
    return found


def _walk(body: turbohtml.Element, found: Outline) -> Iterator[tuple[turbohtml.Node, int]]:
    """Nodes in document order with the number of their parent; closes the subtrees in the outline."""
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
        elif isinstance(node, turbohtml.Element) and node.tag not in UNREAD:
            yield node, parent
            levels.append((len(found.tags) - 1, iter(node.children)))
