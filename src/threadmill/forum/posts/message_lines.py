"""Reads a message line by line, and tells the words of its author from menus, quotes and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from urllib.parse import urljoin

from turbohtml import Element, Text

from threadmill.dates import DATE, find_dates
from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.posts.quotes_and_signatures import (
    find_quote_intro,
    find_quotes,
    is_edit_note_alone,
    is_named_signature,
    read_quote,
)
from threadmill.forum.records.page_outline import BLOCK_TAGS, INVISIBLE_TAGS, PageOutline, element_text
from threadmill.types import Link, Quote

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


_BEGIN, _END = object(), object()  # of an element


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
        for index, what in _walk(outline):
            if isinstance(what, str):
                self._add_text(what)
            elif what is _BEGIN:
                self._begin_element(outline, index)
            else:
                self._end_element(outline, index)
        self._end_line()

    def _begin_element(self, outline: PageOutline, index: int) -> None:
        tag = outline.tags[index]
        if tag == "pre":
            self._keeps_space += 1
        if tag == "a":
            self._anchor = index
            if href := outline.hrefs[index]:
                self._links.append((href, outline.text(index, 200)))
        elif tag in BLOCK_TAGS:
            self._end_line()
            self._block = index
            if tag == "hr":
                self.lines.append(PageLine("", block=index, is_rule=True))

    def _end_element(self, outline: PageOutline, index: int) -> None:
        tag = outline.tags[index]
        if tag == "pre":
            self._keeps_space -= 1
        if tag == "a":
            self._anchor = -1
        elif tag in BLOCK_TAGS:
            self._end_line()
            self._block = outline.parent[index]

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


def _walk(outline: PageOutline) -> Iterator[tuple[int, str | object]]:
    """Every begin and end of a visible element, and every text, after the index of the element."""
    stack: list[tuple[Element | Text | None, int]] = [(outline.elements[0], -1)]
    here = 0
    size = len(outline)
    while stack:
        node, parent = stack.pop()
        if node is None:
            yield parent, _END
        elif type(node) is Text:
            yield parent, node.data
        elif isinstance(node, Element) and node.tag not in INVISIBLE_TAGS and here < size:
            index, here = here, here + 1
            yield index, _BEGIN
            stack.append((None, index))
            for child in reversed(node.children):
                if type(child) is Element or type(child) is Text:
                    stack.append((child, index))


# ---- the words of a message ----

# A name begins where a run of its characters begins: from every character on, a long run would take long.
ADDRESS = re.compile(
    r"(?<![\w.+=*-])[\w.+=*-]+(?:@|\s?(?:\(at\)|\[at\]|\{at\}|\bat\b)\s?)[\w*-]+(?:(?:\.|\sdot\s)[\w*.…-]*)*"
)
IN_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|<([^<>]*)>")
AROUND_NAME = " \t\"',;:@<>()[]|-–—·"
_QUOTED = re.compile(r"\s{0,3}(?:[>|]|&gt;)")
_SIGNATURE = "--"
_BEFORE_LINK = re.compile(r"[^:]{1,40}:\s*")
_MOSTLY_LINKS = 0.4


def has_words(outline: PageOutline, part: Sequence[PageLine]) -> bool:
    own = [line for line in part if not _is_menu(outline, line)]
    return any(any(character.isalnum() for character in line.text) for line in own)


def _is_menu(outline: PageOutline, line: PageLine) -> bool:
    """Whether a line is mostly links into the site, apart from a label before them: "Next message: …"."""
    label = _BEFORE_LINK.match(line.text)
    length = len(line.text.strip()) - (len(label[0]) if label and line.linked else 0)
    if line.linked < _MOSTLY_LINKS * max(1, length):
        return False
    return any(same_site(absolute_url(outline.base, href) or "", outline.base) for href, _ in line.links)


def trim_menus(outline: PageOutline, body: list[PageLine]) -> list[PageLine]:
    """A body without the menus above and below it.

    If it begins as preformatted text, all of it is: the mail was plain text. Below are signatures and notes
    of the site.
    """
    first, last = 0, len(body)
    while first < last and (body[first].is_blank or _is_menu(outline, body[first])):
        first += 1
    while last > first and (body[last - 1].is_blank or _is_menu(outline, body[last - 1])):
        last -= 1
    kept = body[first:last]
    if kept and outline.tags[kept[0].block] == "pre":
        return [line for line in kept if outline.tags[line.block] == "pre"]
    return kept


def split_mail_lines(lines: Sequence[str]) -> tuple[str, tuple[Quote, ...], str]:
    """The author's own words, what is quoted, and the signature."""
    signed = next((n for n, line in enumerate(lines) if n and line.rstrip() == _SIGNATURE), len(lines))
    own: list[str] = []
    quotes: list[Quote] = []
    quoted: list[str] = []
    for line in (*lines[:signed], ""):
        if _QUOTED.match(line):
            quoted.append(_QUOTED.sub("", line, count=1).strip())
            continue
        if quoted:
            quotes.append(Quote("\n".join(quoted).strip(), _take_intro(own)))
            quoted = []
        own.append(line.rstrip())
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip()
    return text, tuple(quotes), "\n".join(lines[signed + 1 :]).strip()


# Trackers write "(In reply to Anna from comment #3)" above a quotation, and "(In reply to comment #3)".
_IN_REPLY = re.compile(
    r"\(in reply to (?:(?P<name>[^()\n]{1,60}?) (?:from|in) )?comment #?\d{1,9}\)", re.IGNORECASE
)


def _take_intro(own: list[str]) -> str | None:
    """Take the line above a quotation away if it tells whose words follow: "anna wrote:"."""
    while own and not own[-1]:
        own.pop()
    if own and (reply := _IN_REPLY.fullmatch(own[-1].strip())):
        own.pop()
        return reply["name"]
    if not own or not own[-1].rstrip().endswith((":", "：")):
        return None
    start = len(own) - 1
    if start and own[start - 1] and re.match(r"\s*(?:On|Am|Le|El|Il|Em|Op|Den|В)\b", own[start - 1]):
        start -= 1  # "On Tue, 3 May 2022, anna" may be wrapped before "wrote:"
    intro = " ".join(own[start:])
    del own[start:]
    dates = [span.end for span in find_dates(intro[:200]) if span.label == DATE]
    words = ADDRESS.sub("", intro[max(dates, default=0) :])
    name = IN_BRACKETS.sub("", words).strip(AROUND_NAME + "\n").rsplit(" ", 1)[0]
    return name.strip(AROUND_NAME) or None


def links_of_lines(outline: PageOutline, body: Sequence[PageLine]) -> tuple[Link, ...]:
    found = []
    for line in body:
        for href, text in line.links:
            if not href.startswith(("#", "javascript:", "mailto:")):
                try:
                    found.append(Link(urljoin(outline.base, href), text, 0, 0))
                except ValueError:  # "http://[" is no URL
                    continue
    return tuple(found)


def split_elements(
    outline: PageOutline, lines: Sequence[PageLine]
) -> tuple[list[PageLine], tuple[Quote, ...], str, str]:
    """The lines that are the author's own, quotes that have an element, the signature and the edit note."""
    if not lines:
        return [], (), "", ""
    around = _element_around(outline, lines)
    signed = [
        index for line in lines if (index := _signature_around(outline, line.block, around)) is not None
    ]
    notes = [line.block for line in lines if line.block != around and is_edit_note_alone(outline, line.block)]
    own = _outside(outline, lines, (*signed, *notes)) or list(lines)
    quotes = _quotes_of(outline, own)
    left_out = [index for quote, intro in quotes.items() for index in (quote, intro) if index is not None]
    return (
        _outside(outline, own, left_out),
        tuple(read_quote(outline, quote, (), intro) for quote, intro in quotes.items()),
        element_text(outline, signed[0]) if signed else "",
        element_text(outline, notes[-1]) if notes else "",
    )


def _element_around(outline: PageOutline, lines: Sequence[PageLine]) -> int:
    return reduce(outline.common_ancestor, [line.block for line in lines])


def _outside(outline: PageOutline, lines: Sequence[PageLine], elements: Iterable[int]) -> list[PageLine]:
    """The lines that stand in none of the elements."""
    elements = list(elements)
    return [line for line in lines if not any(outline.is_under(line.block, index) for index in elements)]


def _quotes_of(outline: PageOutline, lines: Sequence[PageLine]) -> dict[int, int | None]:
    """The quotes among lines that have an element, each with the line above it that tells whose it is."""
    found = find_quotes(outline, _element_around(outline, lines))
    quotes = [quote for quote in found if any(outline.is_under(line.block, quote) for line in lines)]
    return {quote: find_quote_intro(outline, quote, ()) for quote in quotes}


def _signature_around(outline: PageOutline, index: int, around: int) -> int | None:
    """The element around a line that its markup calls a signature."""
    while index != around:
        if is_named_signature(outline, index):
            return index
        index = outline.parent[index]
    return None
