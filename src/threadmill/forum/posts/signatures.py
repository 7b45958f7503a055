"""The parts of a post that go with it but are not its words: signature and edit note."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from threadmill.forum.posts.quotes import find_quotes
from threadmill.forum.records.outline import Outline

_SIGNATURE_NAME = re.compile(r"signat|(?:^|[-_ ])sign?(?:$|[-_ ])", re.IGNORECASE)
_EDIT_NAME = re.compile(r"edit", re.IGNORECASE)
_MODERATOR_NAME = re.compile(r"moderat", re.IGNORECASE)  # "This thread was moved": not the author's words
EDIT_WORDS = re.compile(
    r"\bedited\b|\bmodified\b|\bbearbeitet\b|\bgeändert\b|\bmodifi|\bédit|\beditado\b|\bmodificato\b|\bgewijzigd\b|"
    r"редактировал|изменено|编辑|編輯|\bmuokattu\b|\bedytowan|\bupraven|\bdüzenle|\bredigerad\b|\bändrad\b|\beditat\b|\bedit:",
    re.IGNORECASE,
)


def find_asides(
    outline: Outline, bodies: dict[int, int], authors: dict[int, str], members: Sequence[Sequence[int]]
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
    outline: Outline, number: int, after: Iterable[int], signatures: dict[int, int], notes: dict[int, int]
) -> None:
    for index in after:
        if number not in signatures and _SIGNATURE_NAME.search(_named(outline, index)):
            signatures[number] = index
        elif number not in notes and _says_edit(outline, index):
            notes[number] = index


def _after(outline: Outline, body: int, members: Sequence[int]) -> Iterator[int]:
    """The elements of a record that say something after its body."""
    return (index for index in members if index >= outline.end[body] and outline.text_length(index) > 0)


def _named(outline: Outline, index: int) -> str:
    """All that page authors call an element."""
    said = (outline.attribute(index, name) or "" for name in ("class", "id", "data-role"))
    return " ".join(said)


def _says_edit(outline: Outline, index: int) -> bool:
    text = outline.text(index, 240)
    short = len(text) <= 220 and outline.tags[index] not in {"a", "button", "li"}
    return short and any(c.isdigit() for c in text) and bool(EDIT_WORDS.search(text))


def _is_edit_note(outline: Outline, index: int, body: int) -> bool:
    length = outline.text_length(index)
    if not 0 < length <= 220 or outline.tags[index] in {"a", "br"} or not _at_an_end(outline, index, body):
        return False
    if _MODERATOR_NAME.search(outline.symbols[index]):
        return True
    named = bool(_EDIT_NAME.search(outline.symbols[index]))
    return (named or any(c.isdigit() for c in outline.text(index))) and bool(
        EDIT_WORDS.search(outline.text(index))
    )


def _at_an_end(outline: Outline, index: int, body: int) -> bool:
    """Notes stand below the words, or above them."""
    below = outline.text_to[index] >= outline.text_to[body] - 3
    return below or outline.text_from[index] == outline.text_from[body]


def _repeated_ending(
    outline: Outline, body: int, seen: Counter[str], signatures: dict[int, int], number: int
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
