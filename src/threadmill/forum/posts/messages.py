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

from threadmill.dates import DATE, find_dates
from threadmill.forum.link_urls import absolute_url, same_site
from threadmill.forum.posts.author_names import AUTHOR_LABELS, labels_author, lines_of_texts
from threadmill.forum.posts.message_lines import (
    ADDRESS,
    AROUND_NAME,
    IN_BRACKETS,
    PageLine,
    has_words,
    links_of_lines,
    read_lines,
    split_elements,
    split_mail_lines,
    trim_menus,
)
from threadmill.forum.posts.quotes_and_signatures import split_signature
from threadmill.forum.records.date_columns import (
    PageDate,
    ends_as_sentence,
    find_date_in,
    has_date,
    read_page_dates,
)
from threadmill.forum.records.page_outline import PageOutline
from threadmill.types import Post

# The labels of a head, in the languages of common mail programs.
_LABELS = {
    "author": AUTHOR_LABELS,
    "date": "date|datum|fecha|data|дата|dato|tarih|päiväys|dátum|sent|gesendet|envoyé|enviado|inviato|"
    "verzonden|posted|日付|日時|送信日時|日期|发送时间|發送時間|날짜|보낸 날짜",
    "subject": "subject|betreff|objet|sujet|asunto|assunto|oggetto|onderwerp|тема|tema|temat|ämne|emne|"
    "konu|aihe|předmět|tárgy|title|件名|主题|主題|제목",
    "other": "to|cc|an|para|aan|til|till|кому|do|kime|à|in[- ]reply[- ]to|references|message[- ]id|"
    "reply[- ]to|newsgroups|organi[sz]ation|user-agent|x-[\\w-]+|content-[\\w-]+|list-[\\w-]+|mime-version|"
    "宛先|收件人",
}
_LABEL = re.compile(
    r"\W{0,3}(?:\d{1,9}\W{1,3})?(?:"  # the number of the message may stand before the first label
    + "|".join(f"(?P<{role}>{words})" for role, words in _LABELS.items())
    + r")\s?[:：]\s*(?P<value>.*)",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(
    _LABEL.pattern.replace(r"\s?[:：]\s*(?P<value>.*)", r"(?P<value>)\s?[:：]?"), re.IGNORECASE
)
# Whether a page can have a head at all: labels of something else than an author, each at the begin of a text.
_MAY_NAME_MORE = re.compile(
    rf"\W{{0,3}}(?:{'|'.join(words for role, words in _LABELS.items() if role != 'author')})(?:\s?[:：]|$)",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(r"\W{0,3}\w[^:：]{0,30}[:：]\s*\S")
_LABEL_IN_CELL = re.compile(r"[^.!?:：]{1,30}[:：]\s*")
_MAX_NAME = 80  # characters
_GLUED_CLOCK = re.compile(r"(?<=\d{4}-\d\d-\d\d)[._,-](?=\d\d:\d\d)")  # "2026-10-08.07:21:00"
_MIN_ALIKE = 2  # messages before the last one that show how many elements each has
_MAX_GAP = 2  # lines between two lines of a head: a value may be wrapped
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
    named = labels_author(outline)
    labelled = named and any(map(_MAY_NAME_MORE.match, lines_of_texts(outline)))
    # A head without labels stands before preformatted text.
    plain = "pre" in outline.tags and (
        named or any(href and href.startswith("mailto:") for href in outline.hrefs)
    )
    if not labelled and not plain:
        return None
    lines = read_lines(outline)
    heads = _first_of_each_place(outline, lines, _find_heads(outline, lines)) if labelled else []
    if not heads and plain:
        heads = _find_plain_head(outline, lines)
    if not heads:
        return None
    dates = read_page_dates([_date_of(outline, lines, head) for head in heads], now)
    lines = lines[: _end_of_last(outline, lines, heads)]
    posts: list[Post] = []
    spans: list[tuple[int, int]] = []
    for number, (head, date) in enumerate(zip(heads, dates, strict=True)):
        if date is None:
            continue
        following = heads[number + 1] if number + 1 < len(heads) else None
        body = trim_menus(outline, _body_of(outline, lines, head, following, heads))
        own, quoted, signed, note = split_elements(outline, body)
        text, quotes, signature = split_mail_lines([line.text for line in own])
        text, below = split_signature(text)
        posts.append(
            Post(
                text=text,
                html="\n".join(line.text for line in body),
                author=head.author,
                date=date,
                url=_permalink(outline, lines, head) if len(heads) > 1 else None,
                position=len(posts) + 1,
                quotes=(*quoted, *quotes),
                signature=signature or below or signed,
                edit_note=note,
                links=links_of_lines(outline, body),
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
            if head is not None and (number - head.last > _MAX_GAP or _ends_head(line)):
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


def _ends_head(line: PageLine) -> bool:
    """Whether no line of a head comes after a line. A value may be wrapped, but it is no sentence."""
    return line.is_blank or line.is_rule or ends_as_sentence(line.text)


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
        head.date = IN_BRACKETS.sub("", value[span.start :])
        head.roles.add("date")


def _date_of(outline: PageOutline, lines: Sequence[PageLine], head: _Head) -> PageDate:
    """The date of a head: "2 months ago" may have an exact date in an attribute."""
    for block in dict.fromkeys(line.block for line in lines[head.first : head.last + 1]):
        found = find_date_in(outline, block)
        if found and found.exact and found.text.strip() in head.date:
            return PageDate(head.block, head.date, found.exact)
    return PageDate(head.block, head.date)


def _name_in(value: str) -> str:
    """The name of the line "From": without the address, unless there is nothing else."""
    bare = ADDRESS.sub("", IN_BRACKETS.sub(lambda m: "" if ADDRESS.search(m[0]) else m[0], value))
    in_brackets = next((part for m in IN_BRACKETS.finditer(bare) for part in m.groups() if part), "")
    name = IN_BRACKETS.sub("", bare).strip(AROUND_NAME) or in_brackets.strip(AROUND_NAME)
    if not name:
        address = ADDRESS.search(value)
        name = address[0] if address else value.strip(AROUND_NAME)
    return " ".join(name.split())[:_MAX_NAME]


def _find_plain_head(outline: PageOutline, lines: Sequence[PageLine]) -> list[_Head]:
    """A head without labels: a name with an address, a date below it, and then preformatted text."""
    for number, (line, below) in enumerate(pairwise(lines)):
        address = ADDRESS.search(line.text) if len(line.text) <= 2 * _MAX_NAME else None
        if not address or not line.text[: address.start()].strip():
            continue
        if not has_date(below.text) or len(below.text) > _MAX_NAME:
            continue
        head = _Head(number, number + 1, line.block, _name_in(line.text), below.text)
        body = trim_menus(outline, _body_of(outline, lines, head, None, [head]))
        if body and all(outline.tags[part.block] == "pre" for part in body):
            return [head]
    return []


def _take_other_labels(outline: PageOutline, lines: Sequence[PageLine], heads: Sequence[_Head]) -> None:
    """Let heads take the lines below them that are built like theirs: labels that no list knows."""
    for head in heads:
        blocks = {line.block for line in lines[head.first : head.last + 1]}
        if len(blocks) < 2:
            _take_rest_of_block(outline, lines, head)
            continue
        shapes = {outline.paths[block] for block in blocks}
        while head.last + 1 < len(lines) and outline.paths[lines[head.last + 1].block] in shapes:
            head.last += 1


def _take_other_cells(outline: PageOutline, lines: Sequence[PageLine], head: _Head) -> None:
    """Let one of several heads take the rows of its table that have a label it does not know, and a value."""
    shapes = {outline.paths[line.block] for line in lines[head.first : head.last + 1]}
    while head.last + 1 < len(lines):
        label = lines[head.last + 1]
        if outline.paths[label.block] not in shapes or not _LABEL_IN_CELL.fullmatch(label.text):
            return
        value = lines[head.last + 2] if head.last + 2 < len(lines) else None
        in_row = value is not None and outline.parent[value.block] == outline.parent[label.block]
        head.last += 2 if in_row else 1


def _take_rest_of_block(outline: PageOutline, lines: Sequence[PageLine], head: _Head) -> None:
    """Let a head in one block take the rest of it, if that is all labels. Preformatted text is one block."""
    last = head.last
    while last + 1 < len(lines) and lines[last + 1].block == head.block and not lines[last + 1].is_rule:
        last += 1
    rest = lines[head.last + 1 : last + 1]
    if outline.tags[head.block] != "pre" and all(_ANY_LABEL.match(line.text) for line in rest):
        head.last = last


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
    for head in found:
        _take_other_cells(outline, lines, head)
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
    if following and outline.is_under(following.block, around) and following.block != around:
        # A subject may stand above the head in the same table. It begins the next message.
        part = outline.child_towards(around, following.block)
        while not outline.is_under(head.block, part) and outline.is_under(lines[end - 1].block, part):
            end -= 1
    parts: list[list[PageLine]] = [[]]
    for line in lines[head.last + 1 : end]:
        if not outline.is_under(line.block, around):
            break
        if line.is_rule:
            parts.append([])
        else:
            parts[-1].append(line)
    return next((part for part in parts if has_words(outline, part)), [])


def _element_around(outline: PageOutline, heads: Sequence[_Head], lines: Sequence[PageLine]) -> int:
    """The element that holds all messages: that of all heads, or the lowest with words below the only one."""
    if len(heads) > 1:
        return reduce(outline.common_ancestor, [head.block for head in heads])
    below = lines[heads[0].last + 1 :]
    element = heads[0].block
    while element > 0 and not any(
        outline.is_under(line.block, element) and has_words(outline, [line]) for line in below
    ):
        element = outline.parent[element]
    return element


def _permalink(outline: PageOutline, lines: Sequence[PageLine], head: _Head) -> str | None:
    """The first link of a head that leads to a page of the site: beside the author, it leads to a person."""
    inside = range(head.first, min(head.last + 1, len(lines)))  # a label may be the last line of the page
    for number in sorted(inside, key=lambda number: _names_author(outline, lines, number)):
        for href, _ in lines[number].links:
            target = absolute_url(outline.base, href)
            if target and not href.startswith("#") and same_site(target, outline.base):
                return target
    return None


def _names_author(outline: PageOutline, lines: Sequence[PageLine], number: int) -> bool:
    """Whether a line has the label of an author, or the value of such a label before it."""
    found = _read_label(outline, lines, number)
    above = _read_label(outline, lines, number - 1) if number and found is None else None
    return (found is not None and found[0] == "author") or (
        above is not None and above[0] == "author" and above[2] == number
    )


def _end_of_last(outline: PageOutline, lines: Sequence[PageLine], heads: Sequence[_Head]) -> int:
    """The line where the last of several messages ends: it has as many elements as each message before it.

    The number of all lines where the messages before it differ.
    """
    if len(heads) <= _MIN_ALIKE:
        return len(lines)
    around = reduce(outline.common_ancestor, [head.block for head in heads])
    parts = [
        (number, outline.child_towards(around, line.block))
        for number, line in enumerate(lines)
        if line.block != around and outline.is_under(line.block, around)
    ]
    sizes = {
        len(
            {part for number, part in parts if one.first <= number < other.first}
            - {part for number, part in parts if number == other.first}
        )
        for one, other in pairwise(heads)
    }
    if len(sizes) != 1:
        return len(lines)
    own = list(dict.fromkeys(part for number, part in parts if number >= heads[-1].first))
    cut = own[next(iter(sizes)) :]
    return next((number for number, part in parts if part in cut[:1]), len(lines))
