"""The parts of a body that are not its author's words: quotations, signature, edit note."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from threadmill.forum.outline import Outline
from threadmill.forum.words import text_of
from threadmill.types import Quote

_QUOTE_NAME = re.compile(r"quote|zitat|citat|citação|bbcode_?cit", re.IGNORECASE)
_SIGNATURE_NAME = re.compile(r"signat|(?:^|[-_ ])sig(?:$|[-_ ])", re.IGNORECASE)
_EDIT_NAME = re.compile(r"edit", re.IGNORECASE)
# "wrote:" in the languages of the forums we have seen; what follows the name in a quotation's header.
_SAID = re.compile(
    r"\s*[,:]?\s*\b(?:said|wrote|writes|schrieb|hat geschrieben|a écrit|écrit|escribió|dijo|ha scritto|"
    r"escreveu|schreef|skrev|kirjoitti|пишет|писал|написал|napisał|napsal|yazdı|posted|quote|zitat|citation|"
    r"originally)\b.*$|\s*(?:发表于|發表於|寫道|:|↑|»).*$",
    re.IGNORECASE | re.DOTALL,
)
EDIT_WORDS = re.compile(
    r"\bedited\b|\bmodified\b|\bbearbeitet\b|\bgeändert\b|\bmodifi|\bédit|\beditado\b|\bmodificato\b|\bgewijzigd\b|"
    r"редактировал|изменено|编辑|編輯|\bmuokattu\b|\bedytowan|\bupraven|\bdüzenle|\bredigerad\b|\bändrad\b|\beditat\b|\bedit:",
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
    return bool(_QUOTE_NAME.search(outline.symbols[index]))


def read_quote(outline: Outline, index: int, authors: Iterable[str]) -> Quote:
    """Whom a quotation quotes and what."""
    header = _header(outline, index)
    said = outline.text(header) if header is not None else outline.attribute(index, "cite") or ""
    without = frozenset((header,)) if header is not None else frozenset[int]()
    url = None
    if header is not None:
        url = next((h for i in range(header, outline.end[header]) if (h := outline.hrefs[i])), None)
    name = (
        outline.attribute(index, "data-quote")
        or outline.attribute(index, "data-username")
        or _name(said, authors)
    )
    return Quote(text_of(outline, index, without), name or None, url)


def _header(outline: Outline, index: int) -> int | None:
    """The short first part of a quotation that ends before the quoted words."""
    for child in range(index + 1, min(outline.end[index], index + 8)):
        length = outline.text_length(child)
        if outline.text_from[child] != outline.text_from[index] or length == 0:
            continue
        if (
            length <= 100
            and length < outline.text_length(index)
            and (outline.tags[child] == "cite" or _SAID.search(outline.text(child)))
        ):
            return child
    return None


def _name(said: str, authors: Iterable[str]) -> str:
    for author in authors:
        if author and said.startswith(author):
            return author
    return _SAID.sub("", said).strip(" :,\n\t") if len(said) <= 100 else ""


def find_asides(
    outline: Outline, bodies: dict[int, int], authors: dict[int, str]
) -> tuple[dict[int, int], dict[int, int]]:
    """Signature and edit note of each record, when they stand in its body."""
    signatures: dict[int, int] = {}
    notes: dict[int, int] = {}
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for number, body in bodies.items():
        for child in outline.children[body][-2:]:
            if outline.text_length(child) > 3:
                endings[authors.get(number, "")][outline.text(child, 300)] += 1
    for number, body in bodies.items():
        for index in range(body + 1, outline.end[body]):
            if _SIGNATURE_NAME.search(outline.symbols[index]):
                signatures.setdefault(number, index)
            elif _is_edit_note(outline, index, body):
                notes.setdefault(number, index)
        _repeated_ending(outline, body, endings[authors.get(number, "")], signatures, number)
    return signatures, notes


def _is_edit_note(outline: Outline, index: int, body: int) -> bool:
    length = outline.text_length(index)
    if (
        not 0 < length <= 220
        or outline.tags[index] in {"a", "br"}
        or outline.text_to[index] < outline.text_to[body] - 3
    ):
        return False
    named = bool(_EDIT_NAME.search(outline.symbols[index]))
    return (named or any(c.isdigit() for c in outline.text(index))) and bool(
        EDIT_WORDS.search(outline.text(index))
    )


def _repeated_ending(
    outline: Outline, body: int, seen: Counter[str], signatures: dict[int, int], number: int
) -> None:
    children = outline.children[body]
    if number in signatures or not children or not seen:
        return
    last = children[-1]
    own = outline.text_length(body) - outline.text_length(last)
    if own > 0 and outline.text_to[last] == outline.text_to[body] and seen[outline.text(last, 300)] >= 2:
        signatures[number] = last
