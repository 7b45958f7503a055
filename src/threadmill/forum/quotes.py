"""The parts of a body that are another's words: quotations, with whom they quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from threadmill.forum.outline import Outline
from threadmill.forum.words import text_of
from threadmill.types import Quote

_QUOTE_NAME = re.compile(r"quote|zitat|citat|citação|bbcode_?cit", re.IGNORECASE)
# "wrote:" in the languages of the forums we have seen; what follows the name in a quotation's header.
_SAID = re.compile(
    r"\s*[,:]?\s*\b(?:said|wrote|writes|schrieb|hat geschrieben|a écrit|écrit|escribió|dijo|ha scritto|"
    r"escreveu|schreef|skrev|kirjoitti|пишет|писал|написал|napisał|napsal|yazdı|posted|quote|zitat|citation|"
    r"originally)\b.*$|\s*(?:发表于|發表於|寫道|:|↑|»).*$",
    re.IGNORECASE | re.DOTALL,
)
_QUOTABLE = re.compile(r"^js|select|to-?quote|can-?quote|quotable|multi", re.IGNORECASE)
_NAME_ATTRIBUTE = re.compile(r"data-(?:\w+-)*(?:author|user-?name|quote|name|member)$")
_QUOTE_HEAD = re.compile(
    r"\W*(?:quote|zitat|citation|citaat|citat|citace|cita|cytat|"
    r"цитата|引用|alıntı|lainaus)\W*$|originally posted by",
    re.IGNORECASE,
)


def find_quotes(outline: Outline, body: int) -> list[int]:
    """The outermost quotations of a body."""
    found: list[int] = []
    index = body + 1
    while index < outline.end[body]:
        if _is_quote(outline, index):
            found.append(index)
            index = outline.end[index]
        else:
            index += 1
    return found


def _is_quote(outline: Outline, index: int) -> bool:
    if outline.tags[index] == "blockquote":
        return True
    if outline.tags[index] in {"a", "span", "button", "i", "img", "input"} or outline.text_length(index) < 3:
        return False
    return _called_quote(outline, index) or _is_quote_box(outline, index)


def _called_quote(outline: Outline, index: int) -> bool:
    """Whether a class says so; "select to quote" is what scripts call bodies one may quote from."""
    names = (outline.attribute(index, "class") or "").split()
    return any(_QUOTE_NAME.search(name) and not _QUOTABLE.search(name) for name in names)


def _is_quote_box(outline: Outline, index: int) -> bool:
    """A box in a post's text whose first words are only "quote" or "originally posted by …"."""
    if outline.tags[index] not in {"div", "table", "fieldset"}:
        return False
    first, last = outline.text_from[index], outline.text_to[index]
    if last - first < 2 or outline.segment_owner[first] == index:
        return False
    return bool(_QUOTE_HEAD.match(outline.segments[first]))


def read_quote(outline: Outline, index: int, authors: Iterable[str]) -> Quote:
    """Whom a quotation quotes and what."""
    heads = _headers(outline, index)
    said = " ".join(outline.text(head) for head in heads) or outline.attribute(index, "cite") or ""
    links = (outline.hrefs[i] for head in heads for i in range(head, outline.end[head]))
    url = next((href for href in links if href), None)
    name = _said_by_markup(outline, index) or _name(said, authors)
    return Quote(text_of(outline, index, frozenset((*heads, *_buttons(outline, index)))), name or None, url)


def _buttons(outline: Outline, index: int) -> Iterator[int]:
    """ "Click to expand" at the end of a quotation."""
    last = outline.text_to[index]
    for inner in range(index + 1, outline.end[index]):
        closes = outline.text_to[inner] == last and outline.text_length(inner) <= 40
        if closes and "expand" in (outline.attribute(inner, "class") or "").lower():
            yield inner


def _said_by_markup(outline: Outline, index: int) -> str | None:
    """The name in an attribute made for it, whatever the attribute is called."""
    for name, value in outline.elements[index].attrs.items():
        if _NAME_ATTRIBUTE.match(name) and isinstance(value, str) and 0 < len(value) <= 60:
            return value
    return None


def _headers(outline: Outline, index: int) -> list[int]:
    """The short first parts of a quotation that end before the quoted words: "Quote:", "anna wrote:"."""
    found: list[int] = []
    while len(found) < 3 and (head := _header(outline, index, found)) is not None:
        found.append(head)
    return found


def _header(outline: Outline, index: int, known: list[int]) -> int | None:
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
    named = [author for author in authors if author and author in said]
    if named:  # the longest: "Anna" is in "Anna-Maria wrote" too
        return max(named, key=len)
    return _SAID.sub("", said).strip(" :,\n\t") if len(said) <= 100 else ""
