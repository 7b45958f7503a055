"""Reads messages with labelled heads ("From: …", "Date: …"), as mail archives and trackers show them.

Such pages often have no element around a message: the page is read as the lines a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from itertools import pairwise
from urllib.parse import urljoin

from turbohtml import Element, Text

from threadmill.dates import DATE, find_dates
from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.records.date_columns import PageDate, has_date, read_page_dates
from threadmill.forum.records.page_outline import BLOCK_TAGS, INVISIBLE_TAGS, PageOutline
from threadmill.types import Link, Post, Quote

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


# The labels of a head, in the languages of common mail programs.
_LABELS = {
    "author": "from|author|sender|von|absender|autor|de|auteur|da|autore|van|afzender|fra|från|от|автор|od|"
    "nadawca|kimden|gönderen|lähettäjä|feladó|差出人|送信者|投稿者|发件人|寄件者|作者|보낸 사람|작성자",
    "date": "date|datum|fecha|data|дата|dato|tarih|päiväys|dátum|sent|gesendet|envoyé|enviado|inviato|"
    "verzonden|posted|日付|日時|送信日時|日期|发送时间|發送時間|날짜|보낸 날짜",
    "subject": "subject|betreff|objet|sujet|asunto|assunto|oggetto|onderwerp|тема|temat|ämne|emne|konu|aihe|"
    "předmět|tárgy|title|件名|主题|主題|제목",
    "other": "to|cc|an|para|aan|til|till|кому|do|kime|à|in[- ]reply[- ]to|references|message[- ]id|"
    "reply[- ]to|newsgroups|organi[sz]ation|user-agent|x-[\\w-]+|content-[\\w-]+|list-[\\w-]+|mime-version|"
    "宛先|收件人",
}
_LABEL = re.compile(
    r"\W{0,3}(?:"
    + "|".join(f"(?P<{role}>{words})" for role, words in _LABELS.items())
    + r")\s?[:：]\s*(?P<value>.*)",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(
    _LABEL.pattern.replace(r"\s?[:：]\s*(?P<value>.*)", r"(?P<value>)\s?[:：]?"), re.IGNORECASE
)
# Whether a page can have a head at all, asked of every page: a label of an author at the begin of a text.
_MAY_HAVE_HEAD = re.compile(rf"^\W{{0,3}}(?:{_LABELS['author']})(?:\s?[:：]|$)", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(
    r"[\w.+=*-]+(?:@|\s?(?:\(at\)|\[at\]|\{at\}|\bat\b)\s?)[\w*-]+(?:(?:\.|\sdot\s)[\w*.…-]*)*"
)
_IN_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|<([^<>]*)>")
_AROUND_NAME = " \t\"',;:@<>()[]|-–—·"
_QUOTED = re.compile(r"\s{0,3}(?:[>|]|&gt;)")
_SIGNATURE = "--"
_MAX_NAME = 80  # characters
_BEFORE_LINK = re.compile(r"[^:]{1,40}:\s*")
_GLUED_CLOCK = re.compile(r"(?<=\d{4}-\d\d-\d\d)[._,-](?=\d\d:\d\d)")  # "2026-10-08.07:21:00"
_MAX_GAP = 2  # lines between two lines of a head: a value may be wrapped
_MOSTLY_LINKS = 0.4
_LABEL_CELLS = frozenset(("dt", "th"))


@dataclass(slots=True)
class _Head:
    """The head of one message: which lines it takes, and what they say."""

    first: int
    last: int
    block: int
    author: str = ""
    date: str = ""
    labels: int = 0  # lines with a label
    roles: set[str] = field(default_factory=set)

    @property
    def is_whole(self) -> bool:
        """Whether somebody and a date are named, on two lines at least: one line is the byline of a post."""
        return bool(self.author and self.date) and self.labels >= 2


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages of a page as posts, and where they stand."""

    posts: tuple[Post, ...]
    spans: tuple[tuple[int, int], ...]  # ranges of elements


def find_messages(outline: PageOutline, now: datetime) -> Messages | None:
    """The messages of a page that have a labelled head. None when there is none."""
    labelled = bool(_MAY_HAVE_HEAD.search("\n".join(outline.segments)))
    addressed = any(href and href.startswith("mailto:") for href in outline.hrefs)
    if not labelled and not (addressed and "pre" in outline.tags):
        return None
    lines = read_lines(outline)
    heads = _first_of_each_place(outline, lines, _find_heads(outline, lines)) if labelled else []
    if not heads:
        heads = _find_plain_head(outline, lines)
    if not heads:
        return None
    dates = read_page_dates([PageDate(head.block, head.date) for head in heads], now)
    posts: list[Post] = []
    spans: list[tuple[int, int]] = []
    for number, (head, date) in enumerate(zip(heads, dates, strict=True)):
        if date is None:
            continue
        following = heads[number + 1] if number + 1 < len(heads) else None
        body = _trim(outline, _body_of(outline, lines, head, following, heads))
        text, quotes, signature = _split_body([line.text for line in body])
        posts.append(
            Post(
                text=text,
                html="\n".join(line.text for line in body),
                author=head.author,
                date=date,
                url=_permalink(outline, lines[head.first : head.last + 1]) if len(heads) > 1 else None,
                position=len(posts) + 1,
                quotes=quotes,
                signature=signature,
                links=_links_of(outline, body),
            )
        )
        blocks = {line.block for line in (*lines[head.first : head.last + 1], *body)}
        spans.append((min(blocks), max(outline.end[block] for block in blocks)))
    return Messages(tuple(posts), tuple(spans)) if any(post.text or post.quotes for post in posts) else None


# ---- heads ----


def _find_heads(outline: PageOutline, lines: Sequence[PageLine]) -> Iterator[_Head]:
    """Runs of labelled lines that name somebody and a date."""
    head: _Head | None = None
    for number, line in enumerate(lines):
        found = _read_label(outline, lines, number)
        if found is None:
            if head is not None and (number - head.last > _MAX_GAP or line.is_blank or line.is_rule):
                if head.is_whole:
                    yield head
                head = None
            continue
        role, value, last = found
        if head is not None and role in head.roles and role != "other":  # the head of the next message
            if head.is_whole:
                yield head
            head = None
        if head is None:
            head = _Head(number, last, line.block)
        _note(head, role, value)
        head.last = last
    if head is not None and head.is_whole:
        yield head


def _read_label(outline: PageOutline, lines: Sequence[PageLine], number: int) -> tuple[str, str, int] | None:
    """The role of a labelled line, its value, and the last line of the value."""
    text = lines[number].text
    match = _LABEL.fullmatch(text)
    if match is None:
        # A label in a cell of its own has its value in the next one. Two of them head the columns of a table.
        match = _LABEL_ALONE.fullmatch(text) if outline.tags[lines[number].block] in _LABEL_CELLS else None
        if match is None or number + 1 == len(lines) or outline.tags[lines[number + 1].block] in _LABEL_CELLS:
            return None
    role = next(name for name in _LABELS if match[name])
    if match["value"]:
        return role, match["value"], number
    if number + 1 < len(lines) and not lines[number + 1].is_blank and not lines[number + 1].is_rule:
        return role, lines[number + 1].text.strip(), number + 1
    return role, "", number


def _note(head: _Head, role: str, value: str) -> None:
    head.roles.add(role)
    head.labels += 1
    value = _GLUED_CLOCK.sub(" ", value)
    span = next((span for span in find_dates(value[:200]) if span.label == DATE), None)
    if role == "author" and not head.author:
        head.author = _name_in(value[: span.start] if span and span.start else value)
    if span is not None and (role == "date" or (role == "author" and not head.date)):
        head.date = _IN_BRACKETS.sub("", value[span.start :])
        head.roles.add("date")


def _name_in(value: str) -> str:
    """The name of the line "From": without the address, unless there is nothing else."""
    bare = _ADDRESS.sub("", _IN_BRACKETS.sub(lambda m: "" if _ADDRESS.search(m[0]) else m[0], value))
    in_brackets = next((part for m in _IN_BRACKETS.finditer(bare) for part in m.groups() if part), "")
    name = _IN_BRACKETS.sub("", bare).strip(_AROUND_NAME) or in_brackets.strip(_AROUND_NAME)
    if not name:
        address = _ADDRESS.search(value)
        name = address[0] if address else value.strip(_AROUND_NAME)
    return " ".join(name.split())[:_MAX_NAME]


def _find_plain_head(outline: PageOutline, lines: Sequence[PageLine]) -> list[_Head]:
    """A head without labels: a name with an address, a date below it, and then preformatted text."""
    for number, (line, below) in enumerate(pairwise(lines)):
        address = _ADDRESS.search(line.text)
        if not address or len(line.text) > 2 * _MAX_NAME or not line.text[: address.start()].strip():
            continue
        if not has_date(below.text) or len(below.text) > _MAX_NAME:
            continue
        head = _Head(number, number + 1, line.block, _name_in(line.text), below.text)
        body = _trim(outline, _body_of(outline, lines, head, None, [head]))
        if body and all(outline.tags[part.block] == "pre" for part in body):
            return [head]
    return []


def _take_other_labels(outline: PageOutline, lines: Sequence[PageLine], heads: Sequence[_Head]) -> None:
    """Let heads take the lines below them that are built like theirs: labels that no list knows."""
    for head in heads:
        shapes = {outline.paths[line.block] for line in lines[head.first : head.last + 1]}
        if len({line.block for line in lines[head.first : head.last + 1]}) < 2:
            continue  # preformatted text is one block
        while head.last + 1 < len(lines) and outline.paths[lines[head.last + 1].block] in shapes:
            head.last += 1


def _first_of_each_place(
    outline: PageOutline, lines: Sequence[PageLine], heads: Iterator[_Head]
) -> list[_Head]:
    """The heads that stand in places like that of the first, one in each place.

    Other heads are those of mails that were quoted or forwarded.
    """
    found: list[_Head] = []
    for head in heads:
        if found:
            alike = outline.paths[head.block] == outline.paths[found[0].block]
            if not alike or head.block == found[-1].block:
                continue
        found.append(head)
    if len(found) == 1:
        _take_other_labels(outline, lines, found)
    return found


# ---- bodies ----


def _body_of(
    outline: PageOutline,
    lines: Sequence[PageLine],
    head: _Head,
    following: _Head | None,
    heads: Sequence[_Head],
) -> list[PageLine]:
    """The first part with words below a head. Rules across the page, and the next head, end a part."""
    end = following.first if following else len(lines)
    around = _element_around(outline, heads, lines)
    parts: list[list[PageLine]] = [[]]
    for line in lines[head.last + 1 : end]:
        if not outline.is_under(line.block, around):
            break
        if line.is_rule:
            parts.append([])
        else:
            parts[-1].append(line)
    return next((part for part in parts if _has_words(outline, part)), [])


def _element_around(outline: PageOutline, heads: Sequence[_Head], lines: Sequence[PageLine]) -> int:
    """The element that holds all messages: that of all heads, or the lowest with words below the only one."""
    if len(heads) > 1:
        return reduce(outline.common_ancestor, [head.block for head in heads])
    below = lines[heads[0].last + 1 :]
    element = heads[0].block
    while element > 0 and not any(
        outline.is_under(line.block, element) and _has_words(outline, [line]) for line in below
    ):
        element = outline.parent[element]
    return element


def _has_words(outline: PageOutline, part: Sequence[PageLine]) -> bool:
    own = [line for line in part if not _is_menu(outline, line)]
    return any(any(character.isalnum() for character in line.text) for line in own)


def _is_menu(outline: PageOutline, line: PageLine) -> bool:
    """Whether a line is mostly links into the site, apart from a label before them: "Next message: …"."""
    label = _BEFORE_LINK.match(line.text)
    length = len(line.text.strip()) - (len(label[0]) if label and line.linked else 0)
    if line.linked < _MOSTLY_LINKS * max(1, length):
        return False
    return any(same_site(absolute_url(outline.base, href) or "", outline.base) for href, _ in line.links)


def _trim(outline: PageOutline, body: list[PageLine]) -> list[PageLine]:
    """A body without the menus above and below it."""
    first, last = 0, len(body)
    while first < last and (body[first].is_blank or _is_menu(outline, body[first])):
        first += 1
    while last > first and (body[last - 1].is_blank or _is_menu(outline, body[last - 1])):
        last -= 1
    return body[first:last]


def _split_body(lines: Sequence[str]) -> tuple[str, tuple[Quote, ...], str]:
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


def _take_intro(own: list[str]) -> str | None:
    """Take the line above a quotation away if it tells whose words follow: "anna wrote:"."""
    while own and not own[-1]:
        own.pop()
    if not own or not own[-1].rstrip().endswith((":", "：")):
        return None
    start = len(own) - 1
    if start and own[start - 1] and re.match(r"\s*(?:On|Am|Le|El|Il|Em|Op|Den|В)\b", own[start - 1]):
        start -= 1  # "On Tue, 3 May 2022, anna" may be wrapped before "wrote:"
    intro = " ".join(own[start:])
    del own[start:]
    dates = [span.end for span in find_dates(intro[:200]) if span.label == DATE]
    words = _ADDRESS.sub("", intro[max(dates, default=0) :])
    name = _IN_BRACKETS.sub("", words).strip(_AROUND_NAME + "\n").rsplit(" ", 1)[0]
    return name.strip(_AROUND_NAME) or None


def _permalink(outline: PageOutline, head: Sequence[PageLine]) -> str | None:
    """The first link of a head that leads to a page of the site."""
    for line in head:
        for href, _ in line.links:
            target = absolute_url(outline.base, href)
            if target and not href.startswith("#") and same_site(target, outline.base):
                return target
    return None


def _links_of(outline: PageOutline, body: Sequence[PageLine]) -> tuple[Link, ...]:
    found = []
    for line in body:
        for href, text in line.links:
            if not href.startswith(("#", "javascript:", "mailto:")):
                try:
                    found.append(Link(urljoin(outline.base, href), text, 0, 0))
                except ValueError:  # "http://[" is no URL
                    continue
    return tuple(found)
