"""Folds words into the one spelling in which they are compared, and lists words that many sites share."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files

_LETTERS = str.maketrans({"ı": "i", "ł": "l"})  # neither is a letter with an accent


def fold(text: str) -> str:
    """The text in lower case and without accents, as it is typed on any keyboard."""
    plain = text.casefold()
    if plain.isascii():
        return plain
    return _combining_marks().sub("", unicodedata.normalize("NFKD", plain)).translate(_LETTERS)


@cache
def _combining_marks() -> re.Pattern[str]:
    """All combining marks as a character class, which is far faster than a test of each letter."""
    marks = (chr(code) for code in range(0x300, 0x20000) if unicodedata.combining(chr(code)))
    return re.compile(f"[{''.join(marks)}]+")


@cache
def common_words(kind: str) -> frozenset[str]:
    """A list of data/known.json by its kind: free mail providers, common domains, generic names and so on."""
    text = files("threadmill.sites").joinpath("data/known.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text)[kind])
