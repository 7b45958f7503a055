"""One spelling of a text over languages and keyboards: what evidence is compared in."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LETTERS = str.maketrans({"ß": "ss", "ı": "i", "ł": "l"})


def fold(text: str) -> str:
    """Lower case without accents: one spelling over languages and keyboards."""
    plain = text.casefold()
    if plain.isascii():
        return plain
    return _accents().sub("", unicodedata.normalize("NFKD", plain)).translate(_LETTERS)


@cache
def _accents() -> re.Pattern[str]:
    """Every sign that only sits on another; a class of them is far faster than asking for each letter."""
    signs = (chr(code) for code in range(0x300, 0x20000) if unicodedata.combining(chr(code)))
    return re.compile(f"[{''.join(signs)}]+")
