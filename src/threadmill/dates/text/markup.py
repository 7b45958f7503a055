"""Tells the readable parts of an HTML fragment from its tags and addresses, each character at its place."""

from __future__ import annotations

import re
from typing import NamedTuple

BARRIER = "\x01"  # stands for markup: nothing that is one date crosses it
VEIL = "\x02"  # stands for an address: nothing in it is a date

_TAG = re.compile(r"<[/!?a-zA-Z][^<>]*>")
_TAG_NAME = re.compile(r"</?([a-zA-Z0-9]+)")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_RAW = ("script", "style")
# A name and its value in JSON; a date's value is short.
_STATEMENT = re.compile(r'"([\w:@.-]{3,40})"\s{0,9}:\s{0,9}"?([^"{}\[\],]{4,60})')
# Attributes whose values people or machines read as text.
_READABLE = re.compile(
    r"datetime|title|content|data-[\w.:-]+|aria-label|alt|utime|timestamp|time|date|pubdate|value|data|unixtime"
)
_TELLING = re.compile(r"time|date|stamp|utime|epoch|posted|created|updated|published|modified")
_CHUNK = re.compile(r"[^\s\x01]+")
_ADDRESS = re.compile(
    r"[(\[<\"']*(?:www\.|[\w.+-]+@[\w-]+\.|\.{0,2}/(?:[\w%~-]+/|[\w%~-]*[a-z])|[?&][\w-]+=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}(?::\d+)?/)"
)
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|bmp|webp|svg|pdf|zip|rar|7z|gz|xz|bz2|tar|tgz|exe|msi|apk|iso|deb|rpm|dmg|jar|dll|mp[34]|avi|mkv|"
    r"mov|wav|flac|txt|log|csv|docx?|xlsx?|pptx?|odt|torrent|php\d?|html?|aspx?|jsp|cgi|js|css|xml|json|py|sql|cfg|ini|bak)"
    r"(?![\w-])",
)


class Attribute(NamedTuple):
    """Where the value of a readable attribute stands, and whether its name promises a time."""

    start: int
    end: int
    telling: bool


def veil_markup(text: str) -> tuple[str, list[Attribute]]:
    """The text with tags replaced by barriers, except for the values of readable attributes."""
    if "<" not in text:
        return text, []
    pieces: list[str] = []
    attributes: list[Attribute] = []
    last = 0
    for match in _TAG.finditer(text):
        if match.start() < last:
            continue
        pieces.append(text[last : match.start()])
        pieces.append(_veil_tag(match.group(), match.start(), attributes))
        last = match.end()
        raw = _opens_raw(match.group())
        if raw:
            last = _end_of_raw(text, raw, last)
            linked = "ld+json" in match.group().lower()
            script = text[match.end() : last]
            pieces.append(_veil_script(script, match.end(), attributes) if linked else BARRIER * len(script))
    pieces.append(text[last:])
    return "".join(pieces), attributes


def _opens_raw(tag: str) -> str:
    """The name of the script or style sheet that a tag opens; empty when it opens none."""
    if tag[1] not in "sS":
        return ""
    name = _TAG_NAME.match(tag)
    return name.group(1) if name and name.group(1).lower() in _RAW and tag[1] != "/" else ""


def _end_of_raw(text: str, name: str, start: int) -> int:
    close = text.find("</" + name, start)
    return close if close >= 0 else len(text)


def _veil_script(script: str, offset: int, attributes: list[Attribute]) -> str:
    """Linked data names its dates («"datePublished": "2020-05-05"»): those values are kept, as attributes."""
    pieces: list[str] = []
    last = 0
    for match in _STATEMENT.finditer(script):
        start, end = match.span(2)
        if start < last or not _TELLING.search(match.group(1).lower()):
            continue
        attributes.append(Attribute(offset + start, offset + end, True))
        pieces += (BARRIER * (start - last), script[start:end])
        last = end
    pieces.append(BARRIER * (len(script) - last))
    return "".join(pieces)


def _veil_tag(tag: str, offset: int, attributes: list[Attribute]) -> str:
    if "=" not in tag or tag[1] in "/!?":
        return BARRIER * len(tag)
    pieces: list[str] = []
    last = 0
    for match in _ATTRIBUTE.finditer(tag, 1):
        value = match.group(2)
        if not value or not _READABLE.fullmatch(match.group(1).lower()):
            continue
        quote = 1 if value[0] in "\"'" else 0
        start, end = match.start(2) + quote, match.end(2) - quote
        telling = bool(_TELLING.search(match.group(1).lower()))
        attributes.append(Attribute(offset + start, offset + end, telling))
        pieces += (BARRIER * (start - last), tag[start:end])
        last = end
    pieces.append(BARRIER * (len(tag) - last))
    return "".join(pieces)


def veil_addresses(text: str) -> str:
    """The (lower-case) text with URLs, paths, mail addresses and file names made unreadable."""
    if not any(mark in text for mark in ("/", "@", "_", "www.", "=")) and not _FILE.search(text):
        return text
    pieces: list[str] = []
    last = 0
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        cut = _address_start(chunk)
        if cut >= 0:
            pieces += (text[last : match.start() + cut], VEIL * (len(chunk) - cut))
            last = match.end()
    pieces.append(text[last:])
    return "".join(pieces)


def _address_start(chunk: str) -> int:
    """Where in a run without spaces an address begins; -1 when there is none."""
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
