"""Brings a text into the one form the words are looked up in, every character kept at its place."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html import unescape

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}\d{0,2});")
# Printed in place of ASCII by one language or another; one character each, so that offsets stay true.
_ODD = {
    **dict.fromkeys("’ʼ‘´`ʻ′‛׳՚ꞌ‵ʹ", "'"),
    **dict.fromkeys("‐‑‒–—―−﹣⁃־", "-"),
    **dict.fromkeys("\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff", " "),
    **dict.fromkeys("،、﹐", ","),
    **dict.fromkeys("﹒。‧॰", "."),
    **dict.fromkeys("∶﹕", ":"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("（﹙「【", "("),
    **dict.fromkeys("）﹚」】", ")"),
    "°": "º",  # Italian «1° maggio»
    "İ": "i",
    "ς": "σ",
}


@cache
def _table() -> dict[int, str]:
    table = {ord(char): plain for char, plain in _ODD.items()}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    for code in range(0x80, 0xB000):  # beyond it stand Hangul, private use and scripts no forum has
        char = chr(code)
        if char.isdecimal():
            table[code] = str(unicodedata.decimal(char))
        elif char.isspace():
            table[code] = " "
    return table


def fold(text: str) -> str:
    """Lower case, ASCII digits, plain separators; exactly as long as the text."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_table())
    folded = plain.lower()
    if len(folded) == len(text):
        return folded
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in plain)


def decode_entities(text: str) -> tuple[str, list[int] | None]:
    """The text with character references resolved, and for each of its characters where it stood before."""
    if "&" not in text:
        return text, None
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for match in _ENTITY.finditer(text):
        plain = unescape(match.group())
        if plain == match.group():
            continue
        pieces += (text[last : match.start()], plain)
        places += range(last, match.start())
        places += [match.start()] * len(plain)
        last = match.end()
    if not pieces:
        return text, None
    pieces.append(text[last:])
    places += range(last, len(text) + 1)
    return "".join(pieces), places
