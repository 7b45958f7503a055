"""Prepares a text for tokenising: masks markup and addresses, simplifies characters; offsets stay valid."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html import unescape
from typing import NamedTuple

MARKUP = "\x01"  # replaces a character of markup: no date crosses it
MASK = "\x02"  # replaces a character of an address: it holds no date

_TAG = re.compile(r"<[/!?a-zA-Z][^<>]*>")
_TAG_NAME = re.compile(r"</?([a-zA-Z0-9]+)")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_RAW_ELEMENTS = ("script", "style")
# A JSON member: name and value. The value of a date is short.
_JSON_MEMBER = re.compile(r'"([\w:@.-]{3,40})"\s{0,9}:\s{0,9}"?([^"{}\[\],]{4,60})')
# Attributes whose values are text for people or machines.
_READABLE_ATTRIBUTE = re.compile(
    r"datetime|title|content|data-[\w.:-]+|aria-label|alt|utime|timestamp|time|date|pubdate|value|data|unixtime"
)
_TIME_NAME = re.compile(r"time|date|stamp|utime|epoch|posted|created|updated|published|modified")
_CHUNK = re.compile(r"[^\s\x01]+")
_ADDRESS = re.compile(
    r"[(\[<\"']*(?:www\.|[\w.+-]+@[\w-]+\.|\.{0,2}/(?:[\w%~-]+/|[\w%~-]*[a-z])|[?&][\w-]+=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}(?::\d+)?/)"
)
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|bmp|webp|svg|pdf|zip|rar|7z|gz|xz|bz2|tar|tgz|exe|msi|apk|iso|deb|rpm|dmg|jar|dll|mp[34]|avi|mkv|"
    r"mov|wav|flac|txt|log|csv|docx?|xlsx?|pptx?|odt|torrent|php\d?|html?|aspx?|jsp|cgi|js|css|xml|json|py|sql|cfg|ini|bak)"
    r"(?![\w-])",
)


class ReadableAttribute(NamedTuple):
    """The offsets of a readable attribute value, and whether the attribute's name announces a time."""

    start: int
    end: int
    names_time: bool


def mask_markup(text: str) -> tuple[str, list[ReadableAttribute]]:
    """Replace tags by MARKUP characters, but keep the values of readable attributes."""
    if "<" not in text:
        return text, []
    pieces: list[str] = []
    attributes: list[ReadableAttribute] = []
    last = 0
    for match in _TAG.finditer(text):
        if match.start() < last:
            continue
        pieces.append(text[last : match.start()])
        pieces.append(_mask_tag(match.group(), match.start(), attributes))
        last = match.end()
        raw = _raw_element_name(match.group())
        if raw:
            last = _end_of_raw_element(text, raw, last)
            linked = "ld+json" in match.group().lower()
            script = text[match.end() : last]
            pieces.append(_mask_script(script, match.end(), attributes) if linked else MARKUP * len(script))
    pieces.append(text[last:])
    return "".join(pieces), attributes


def _raw_element_name(tag: str) -> str:
    """Return the name of the script or style element that a tag opens; empty when it opens neither."""
    if tag[1] not in "sS":
        return ""
    name = _TAG_NAME.match(tag)
    return name.group(1) if name and name.group(1).lower() in _RAW_ELEMENTS and tag[1] != "/" else ""


def _end_of_raw_element(text: str, name: str, start: int) -> int:
    close = text.find("</" + name, start)
    return close if close >= 0 else len(text)


def _mask_script(script: str, offset: int, attributes: list[ReadableAttribute]) -> str:
    """Mask linked data, but keep the values of its dates («"datePublished": "2020-05-05"») as attributes."""
    pieces: list[str] = []
    last = 0
    for match in _JSON_MEMBER.finditer(script):
        start, end = match.span(2)
        if start < last or not _TIME_NAME.search(match.group(1).lower()):
            continue
        attributes.append(ReadableAttribute(offset + start, offset + end, True))
        pieces += (MARKUP * (start - last), script[start:end])
        last = end
    pieces.append(MARKUP * (len(script) - last))
    return "".join(pieces)


def _mask_tag(tag: str, offset: int, attributes: list[ReadableAttribute]) -> str:
    if "=" not in tag or tag[1] in "/!?":
        return MARKUP * len(tag)
    pieces: list[str] = []
    last = 0
    for match in _ATTRIBUTE.finditer(tag, 1):
        value = match.group(2)
        if not value or not _READABLE_ATTRIBUTE.fullmatch(match.group(1).lower()):
            continue
        quote = 1 if value[0] in "\"'" else 0
        start, end = match.start(2) + quote, match.end(2) - quote
        names_time = bool(_TIME_NAME.search(match.group(1).lower()))
        attributes.append(ReadableAttribute(offset + start, offset + end, names_time))
        pieces += (MARKUP * (start - last), tag[start:end])
        last = end
    pieces.append(MARKUP * (len(tag) - last))
    return "".join(pieces)


def mask_addresses(text: str) -> str:
    """Mask URLs, paths, mail addresses and file names in a lower-case text."""
    if not any(mark in text for mark in ("/", "@", "_", "www.", "=")) and not _FILE.search(text):
        return text
    pieces: list[str] = []
    last = 0
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        cut = _address_start(chunk)
        if cut >= 0:
            pieces += (text[last : match.start() + cut], MASK * (len(chunk) - cut))
            last = match.end()
    pieces.append(text[last:])
    return "".join(pieces)


def _address_start(chunk: str) -> int:
    """Return where an address begins in a run without spaces; -1 when there is none."""
    scheme = chunk.find("://")
    if scheme >= 0:
        start = scheme
        while start and (chunk[start - 1].isalnum() or chunk[start - 1] in "+.-"):
            start -= 1
        return start
    if _ADDRESS.match(chunk) or _FILE.search(chunk):
        return 0
    if "_" in chunk and any(char.isalpha() for char in chunk):
        return 0
    return -1


_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}\d{0,2});")
# Characters that some languages print instead of ASCII. Each maps to one character, so offsets stay valid.
_PLAIN_CHARACTERS = {
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
def _folding_table() -> dict[int, str]:
    table = {ord(char): plain for char, plain in _PLAIN_CHARACTERS.items()}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    for code in range(0x80, 0xB000):  # beyond: Hangul, private use, scripts no forum uses
        char = chr(code)
        if char.isdecimal():
            table[code] = str(unicodedata.decimal(char))
        elif char.isspace():
            table[code] = " "
    return table


def fold(text: str) -> str:
    """Lower the case, turn digits into ASCII and separators into plain ones; the length stays the same."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_folding_table())
    folded = plain.lower()
    if len(folded) == len(text):
        return folded
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in plain)


def decode_entities(text: str) -> tuple[str, list[int] | None]:
    """Resolve character references; return the new text and the old offset of each of its characters.

    The offsets are None when nothing was resolved.
    """
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
