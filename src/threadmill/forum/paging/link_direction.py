"""Tells where a link of a pager leads: to the next page, back, or a step to older or newer posts."""

from __future__ import annotations

import re

from threadmill.forum.records.page_outline import PageOutline

# These words are weak evidence. They count only if the URL of the link agrees.
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
# Words for "older", "newer" and "more".
_STEP = re.compile(
    r"\b(?:old(?:er|est)|earlier|newer|later|more|ältere|älter|neuere|weitere|mehr|ouder|oudere|nieuwere|meer|ancien|"
    r"antérieur|précédent|récent|plus|antiguo|anterior|reciente|más|mais|vecchi|recenti|altri|starsze|nowsze|więcej|"
    r"starší|novější|další|äldre|nyare|eldre|nyere|ældre|vanhemmat|uudemmat|eski|yeni|daha|starij|novij|još)\w*|"
    r"старые|старее|ранее|новые|новее|ещё|еще|もっと|以前|過去|古い|更多|更早|上一|이전|더",
    re.IGNORECASE,
)
# The same in the `rel` and `class` attributes.
_NEXT_MARK = re.compile(r"(?:^|[-_ ])next(?:$|[-_ ])")
_BACK_MARK = re.compile(r"(?:^|[-_ ])(?:prev|previous|first)(?:$|[-_ ])")
_STEP_MARK = re.compile(r"(?:^|[-_ ])(?:older|newer|more|step|pag(?:er|ing|ination)|cursor)(?:$|[-_ ])")
_NEXT_ARROWS = frozenset(("›", "»", ">", ">>", "→", "≫", "▶", "⟩"))
_BACK_ARROWS = frozenset(("‹", "«", "<", "<<", "←", "≪", "◀", "⟨"))
_MAX_STEP_WORDS = 5  # a link with more words is a title


def is_next(outline: PageOutline, index: int) -> bool:
    """Whether the text, title, label or attributes of a link say "next"."""
    words = (
        outline.text(index, 60)
        or outline.attribute(index, "title")
        or outline.attribute(index, "aria-label")
        or ""
    )
    return says_next(words) or bool(_NEXT_MARK.search(_marks(outline, index)))


def says_next(words: str) -> bool:
    """Whether a text is a word or an arrow for "next"."""
    return bool(_NEXT.match(words)) or words.strip() in _NEXT_ARROWS


def is_back(outline: PageOutline, index: int) -> bool:
    """Whether a link says "previous" or "first"."""
    words = outline.text(index, 24) or outline.attribute(index, "title") or ""
    if words.strip() in _BACK_ARROWS:
        return True
    return bool(_BACK.match(words) or _BACK_MARK.search(_marks(outline, index)))


def is_step(outline: PageOutline, index: int) -> bool:
    """Whether a link says "older", "newer" or "more"."""
    words = outline.text(index, 60) or outline.attribute(index, "title") or ""
    if len(words.split()) > _MAX_STEP_WORDS:
        return False
    return bool(_STEP.search(words) or _STEP_MARK.search(_marks(outline, index)))


def _marks(outline: PageOutline, index: int) -> str:
    """What the `rel` and `class` attributes of a link say."""
    return f"{outline.attribute(index, 'rel') or ''} {outline.attribute(index, 'class') or ''}".lower()
