"""Which way a link of a pager leads, by its words, its arrow and its marks."""

from __future__ import annotations

import re

from threadmill.forum.records.page_outline import PageOutline

# Words for "next" and "previous" are weak evidence: they only count when the address agrees.
_NEXT = re.compile(
    r"^\W*(?:next|weiter|nächste|suivant|siguiente|próxim|success?iv|volgende|далее|след|вперед|下一|下页|次|다음|"
    r"sonraki|następn|další|seuraava|nästa|neste|urm|selanjutnya|berikutnya|بعد)\w*(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"^\W*(?:prev|first|zurück|vorherig|erste|précéd|premi|anterior|primer|preced|prima|vorige|eerste|назад|пред|перв|"
    r"上一|首页|前|이전|처음|önceki|ilk|poprzed|pierwsz|předch|prvn|edellin|föreg|forrige|prethod)\w*\W*$",
    re.IGNORECASE,
)
_BACK_NAME = re.compile(r"(?:^|[-_ ])(?:prev|previous|first)(?:$|[-_ ])")
_ARROW_BACK = frozenset(("‹", "«", "<", "<<", "←", "≪", "◀", "⟨"))
_NEXT_NAME = re.compile(r"(?:^|[-_ ])next(?:$|[-_ ])")
_ARROW_NEXT = frozenset(("›", "»", ">", ">>", "→", "≫", "▶", "⟩"))


def is_next(outline: PageOutline, index: int) -> bool:
    """Whether a link says "next" in some way."""
    words = (
        outline.text(index, 60)
        or outline.attribute(index, "title")
        or outline.attribute(index, "aria-label")
        or ""
    )
    marks = f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
    return says_next(words) or bool(_NEXT_NAME.search(marks))


def says_next(words: str) -> bool:
    """Whether a text is a word or an arrow for "next"."""
    return bool(_NEXT.match(words)) or words.strip() in _ARROW_NEXT


def is_back(outline: PageOutline, index: int) -> bool:
    """Whether a link says "previous" or "first"."""
    words = outline.text(index, 24) or outline.attribute(index, "title") or ""
    marks = f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
    return words.strip() in _ARROW_BACK or bool(_BACK.match(words) or _BACK_NAME.search(marks))
