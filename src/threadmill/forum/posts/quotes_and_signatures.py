"""The parts of a body that are another's words: quotations, with whom they quote."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from threadmill.forum.records.page_outline import PageOutline, element_text
from threadmill.types import Quote

_QUOTE_NAME = re.compile(r"quote|zitat|citat|citação|bbcode_?cit", re.IGNORECASE)
# "wrote:" in the languages of the forums we have seen; what follows the name in a quotation's header.
_SAID = re.compile(
    r"\s*[,:]?\s*\b(?:said|wrote|writes|schrieb|hat geschrieben|a écrit|écrit|escribió|dijo|ha scritto|"
    r"escreveu|schreef|skrev|kirjoitti|пишет|писал|написал|napisał|napsal|yazdı|posted|quote|zitat|citation|"
    r"originally)\b.*$|\s*(?:发表于|發表於|寫道|:|↑|»).*$",
    re.IGNORECASE | re.DOTALL,
)
_WROTE = re.compile(
    r"\b(?:said|wrote|writes|schrieb|geschrieben|écrit|escribió|dijo|scritto|escreveu|schreef|skrev|kirjoitti|"
    r"пишет|писала?|написала?|napisała?|napsala?|napisao|yazdı)\b|(?:发表于|發表於|寫道|写道|さんの投稿)",
    re.IGNORECASE,
)
_MAIL_MARK = (">", "&gt;")  # how mail quotes, and boards that grew from it
_HEADERS = frozenset(
    ("div", "p", "span", "b", "strong", "em", "i", "cite", "dt", "td", "th", "legend", "small")
)
_LONGEST_HEADER = 80  # characters: a name, a verb and a date
_LONGEST_NAME = 40  # characters
_LABEL = 20  # characters of a label above a quotation: "Quote:", "Zitat:"
_QUOTABLE = re.compile(r"^js|select|to-?quote|can-?quote|quotable|multi", re.IGNORECASE)
_NAME_ATTRIBUTE = re.compile(r"data-(?:\w+-)*(?:author|user-?name|quote|name|member)$")
_QUOTE_HEAD = re.compile(
    r"\W*(?:quote|zitat|citation|citaat|citat|citace|cita|cytat|"
    r"цитата|引用|alıntı|lainaus)\W*$|originally posted by",
    re.IGNORECASE,
)


def find_quotes(outline: PageOutline, body: int, authors: Collection[str] = ()) -> list[int]:
    """The outermost quotations of a body: by what they are called, or by "anna wrote:" above the words."""
    headed = _headed(outline, body, authors)
    found: list[int] = []
    index = body + 1
    while index < outline.end[body]:
        if index in headed or _is_quote(outline, index):
            found.append(index)
            index = outline.end[index]
        else:
            index += 1
    return found


def _is_quote(outline: PageOutline, index: int) -> bool:
    if outline.tags[index] == "blockquote":
        return True
    if outline.tags[index] in {"a", "span", "button", "i", "img", "input"} or outline.text_length(index) < 3:
        return False
    if _called_quote(outline, index) or _is_quote_box(outline, index):
        return True
    return outline.text(index, 8).startswith(_MAIL_MARK)


def _called_quote(outline: PageOutline, index: int) -> bool:
    """Whether a class says so; "select to quote" is what scripts call bodies one may quote from."""
    names = (outline.attribute(index, "class") or "").split()
    return any(_QUOTE_NAME.search(name) and not _QUOTABLE.search(name) for name in names)


def _is_quote_box(outline: PageOutline, index: int) -> bool:
    """A box in a post's text whose first words are only "quote" or "originally posted by …"."""
    if outline.tags[index] not in {"div", "table", "fieldset"}:
        return False
    first, last = outline.text_from[index], outline.text_to[index]
    if last - first < 2 or outline.segment_owner[first] == index:
        return False
    return bool(_QUOTE_HEAD.match(outline.segments[first]))


def _headed(outline: PageOutline, body: int, authors: Collection[str]) -> set[int]:
    """Boxes in a body that begin with a line which says who wrote what follows."""
    found = set()
    for index in range(body + 1, outline.end[body]):
        if outline.tags[index] not in _HEADERS or not 3 <= outline.text_length(index) <= _LONGEST_HEADER:
            continue
        if _says_who(outline.text(index), authors):
            box = _box(outline, index, body)
            if box is not None:
                found.add(box)
    return found


def _says_who(line: str, authors: Collection[str]) -> bool:
    """Whether a line is "anna wrote:"; a known name with a colon behind it says that in any language."""
    said = _WROTE.search(line)
    if said and said.start():
        return True
    return line.endswith(":") and any(author and line.startswith(author) for author in authors)


def _box(outline: PageOutline, header: int, body: int) -> int | None:
    """The smallest element around a header that has words after it, with the label that stands above."""
    box = header
    while outline.text_to[box] == outline.text_to[header]:
        box = outline.parent[box]
        if box <= body or outline.text_from[box] < outline.text_from[header]:
            return None
    while (up := outline.parent[box]) > body:
        more = outline.text_length(up) - outline.text_length(box)
        if more > _LABEL or outline.text_to[up] != outline.text_to[box]:
            break
        box = up
    return box


def find_quote_intro(outline: PageOutline, quote: int, authors: Collection[str]) -> int | None:
    """The line right above a quotation that says who is quoted: "@anna said:"."""
    siblings = outline.children[outline.parent[quote]]
    place = siblings.index(quote)
    if place == 0:
        return None
    line = siblings[place - 1]
    joined = outline.text_to[line] == outline.text_from[quote]  # no words between the two
    if not joined or outline.tags[line] not in _HEADERS or outline.text_length(line) > _LONGEST_HEADER:
        return None
    words = outline.text(line)
    return line if words.endswith(":") and _says_who(words.lstrip("@"), authors) else None


def read_quote(outline: PageOutline, index: int, authors: Collection[str], lead: int | None = None) -> Quote:
    """Whom a quotation quotes and what; the line above it may say whom."""
    heads = _headers(outline, index) or ([lead] if lead is not None else [])
    said = " ".join(outline.text(head) for head in heads) or outline.attribute(index, "cite") or ""
    links = (outline.hrefs[i] for head in heads for i in range(head, outline.end[head]))
    url = next((href for href in links if href), None)
    name = _said_by_markup(outline, index) or _name(said, authors)
    if not name and (link := _leading_link(outline, index, authors)) is not None:
        name = outline.text(link, _LONGEST_NAME).lstrip("@")
        heads, url = [*heads, link], url or outline.hrefs[link]
    return Quote(
        element_text(outline, index, frozenset((*heads, *_buttons(outline, index)))), name or None, url
    )


def _leading_link(outline: PageOutline, index: int, authors: Collection[str]) -> int | None:
    """The link a quotation begins with, if it names somebody who writes here or of whom it says "wrote"."""
    first = outline.text_from[index]
    if first == outline.text_to[index]:
        return None
    link = outline.segment_owner[first]
    while link > index and not outline.hrefs[link]:
        link = outline.parent[link]
    if link <= index or not 1 < outline.text_length(link) <= _LONGEST_NAME:
        return None
    after = outline.segments[outline.text_to[link]] if outline.text_to[link] < outline.text_to[index] else ""
    known = outline.text(link, _LONGEST_NAME).lstrip("@") in authors
    return link if known or _WROTE.match(after) else None


def _buttons(outline: PageOutline, index: int) -> Iterator[int]:
    """ "Click to expand" at the end of a quotation."""
    last = outline.text_to[index]
    for inner in range(index + 1, outline.end[index]):
        closes = outline.text_to[inner] == last and outline.text_length(inner) <= 40
        if closes and "expand" in (outline.attribute(inner, "class") or "").lower():
            yield inner


def _said_by_markup(outline: PageOutline, index: int) -> str | None:
    """The name in an attribute made for it, whatever the attribute is called."""
    for name, value in outline.elements[index].attrs.items():
        if _NAME_ATTRIBUTE.match(name) and isinstance(value, str) and 0 < len(value) <= 60:
            return value
    return None


def _headers(outline: PageOutline, index: int) -> list[int]:
    """The short first parts of a quotation that end before the quoted words: "Quote:", "anna wrote:"."""
    found: list[int] = []
    while len(found) < 3 and (head := _header(outline, index, found)) is not None:
        found.append(head)
    return found


def _header(outline: PageOutline, index: int, known: list[int]) -> int | None:
    start = outline.text_to[known[-1]] if known else outline.text_from[index]
    first = outline.end[known[-1]] if known else index + 1
    for child in range(first, min(outline.end[index], first + 8)):
        length = outline.text_length(child)
        if (
            outline.text_from[child] != start
            or length == 0
            or outline.text_to[child] >= outline.text_to[index]
        ):
            continue
        if (
            length <= 100
            and length < outline.text_length(index)
            and (outline.tags[child] == "cite" or _SAID.search(outline.text(child)))
        ):
            return child
    return None


def _name(said: str, authors: Iterable[str]) -> str:
    said = said.lstrip("@")
    named = [author for author in authors if author and author in said]
    if named:  # the longest: "Anna" is in "Anna-Maria wrote" too
        return max(named, key=len)
    return _SAID.sub("", said).strip(" :,\n\t") if len(said) <= 100 else ""


_SIGNATURE_NAME = re.compile(r"signat|(?:^|[-_ ])sign?(?:$|[-_ ])", re.IGNORECASE)
_EDIT_NAME = re.compile(r"edit", re.IGNORECASE)
_MODERATOR_NAME = re.compile(r"moderat", re.IGNORECASE)  # "This thread was moved": not the author's words
EDIT_WORDS = re.compile(
    r"\bedited\b|\bmodified\b|\bbearbeitet\b|\bgeändert\b|\bmodifi|\bédit|\beditado\b|\bmodificato\b|\bgewijzigd\b|"
    r"редактировал|изменено|编辑|編輯|\bmuokattu\b|\bedytowan|\bupraven|\bdüzenle|\bredigerad\b|\bändrad\b|\beditat\b|\bedit:",
    re.IGNORECASE,
)


def find_signatures_and_notes(
    outline: PageOutline, bodies: dict[int, int], authors: dict[int, str], members: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Signature and edit note of each record, in its body or after it."""
    signatures: dict[int, int] = {}
    notes: dict[int, int] = {}
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for number, body in bodies.items():
        last = [child for child in outline.children[body][-2:] if outline.text_length(child) > 3]
        # Once for each post: somebody may say the same thing twice in a row.
        endings[authors.get(number, "")].update({outline.text(child, 300) for child in last})
    for number, body in bodies.items():
        for index in range(body + 1, outline.end[body]):
            if _SIGNATURE_NAME.search(_named(outline, index)):
                signatures.setdefault(number, index)
            elif _is_edit_note(outline, index, body):
                notes.setdefault(number, index)
        _repeated_ending(outline, body, endings[authors.get(number, "")], signatures, number)
        _look_after(outline, number, _after(outline, body, members[number]), signatures, notes)
    return signatures, notes


def _look_after(
    outline: PageOutline, number: int, after: Iterable[int], signatures: dict[int, int], notes: dict[int, int]
) -> None:
    for index in after:
        if number not in signatures and _SIGNATURE_NAME.search(_named(outline, index)):
            signatures[number] = index
        elif number not in notes and _says_edit(outline, index):
            notes[number] = index


def _after(outline: PageOutline, body: int, members: Sequence[int]) -> Iterator[int]:
    """The elements of a record that say something after its body."""
    return (index for index in members if index >= outline.end[body] and outline.text_length(index) > 0)


def _named(outline: PageOutline, index: int) -> str:
    """All that page authors call an element."""
    said = (outline.attribute(index, name) or "" for name in ("class", "id", "data-role"))
    return " ".join(said)


def _says_edit(outline: PageOutline, index: int) -> bool:
    text = outline.text(index, 240)
    short = len(text) <= 220 and outline.tags[index] not in {"a", "button", "li"}
    return short and any(c.isdigit() for c in text) and bool(EDIT_WORDS.search(text))


def _is_edit_note(outline: PageOutline, index: int, body: int) -> bool:
    length = outline.text_length(index)
    if not 0 < length <= 220 or outline.tags[index] in {"a", "br"} or not _at_an_end(outline, index, body):
        return False
    if _MODERATOR_NAME.search(outline.symbols[index]):
        return True
    named = bool(_EDIT_NAME.search(outline.symbols[index]))
    return (named or any(c.isdigit() for c in outline.text(index))) and bool(
        EDIT_WORDS.search(outline.text(index))
    )


def _at_an_end(outline: PageOutline, index: int, body: int) -> bool:
    """Notes stand below the words, or above them."""
    below = outline.text_to[index] >= outline.text_to[body] - 3
    return below or outline.text_from[index] == outline.text_from[body]


def _repeated_ending(
    outline: PageOutline, body: int, seen: Counter[str], signatures: dict[int, int], number: int
) -> None:
    children = outline.children[body]
    if number in signatures or not children or not seen:
        return
    last = children[-1]
    quoted = sum(outline.text_length(quote) for quote in find_quotes(outline, body) if quote != last)
    own = outline.text_length(body) - outline.text_length(last) - quoted
    needed = 3 if outline.tags[last] == "p" else 2  # a paragraph may be a phrase somebody says often
    if own > 0 and outline.text_to[last] == outline.text_to[body] and seen[outline.text(last, 300)] >= needed:
        signatures[number] = last
