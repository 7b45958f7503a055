"""Splits a text into tokens, each with a class letter, so that the grammar can match a short string.

Before that, markup and addresses are masked, and characters are simplified. Offsets stay valid.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from html import unescape
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from threadmill.dates.lexicon import (
    MARKUP,
    UNKNOWN_WORD,
    DateLexicon,
    DateToken,
    DateTokenCache,
    WordSense,
    token_cache_for,
)

_WORD_JOIN = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")


class TokenisedText(NamedTuple):
    """The tokens of a text: their class letters as one string, with their offsets and meanings."""

    text: str  # folded; markup and addresses are masked
    letters: str  # one class letter per token
    starts: list[int]
    ends: list[int]
    numbers: Sequence[int]  # the value of a number, -1 for others
    senses: Sequence[tuple[WordSense, ...]]
    attributes: list[ReadableAttribute]
    original_offsets: list[int] | None  # of each character, before character references were resolved
    word_joins: frozenset[int]  # offsets between two words that lost the space between them

    @property
    def has_number(self) -> bool:
        """Whether the text has a number; without one, only words like «yesterday» and «Monday» are dates."""
        return any(number >= 0 for number in self.numbers)

    def attribute_at(self, offset: int) -> ReadableAttribute | None:
        """Return the readable attribute value that covers an offset."""
        index = bisect_right(self.attributes, offset, key=attrgetter("start")) - 1
        if index >= 0 and offset < self.attributes[index].end:
            return self.attributes[index]
        return None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Turn offsets of the folded text into offsets of the text as it was given."""
        if self.original_offsets is None:
            return start, end
        return self.original_offsets[start], self.original_offsets[end]


def tokenise(text: str, lexicon: DateLexicon) -> TokenisedText:
    """Split a text or an HTML fragment into tokens."""
    masked, attributes = mask_markup(text)
    original_offsets: list[int] | None = None
    if "&" in masked:
        masked, original_offsets = decode_entities(masked)
        if original_offsets is not None and attributes:
            attributes = _move_attributes(attributes, original_offsets)
    folded = mask_addresses(fold(masked))
    return _classify_tokens(folded, _find_word_joins(masked, folded), lexicon, attributes, original_offsets)


def _find_word_joins(text: str, folded: str) -> frozenset[int]:
    """Find where two words lost the space between them, as in text taken out of markup: «by SmithMarch 5»."""
    if not _WORD_JOIN.search(text):
        return frozenset()
    return frozenset(m.start() for m in _WORD_JOIN.finditer(text) if folded[m.start()] != MASK)


def _move_attributes(
    attributes: list[ReadableAttribute], original_offsets: list[int]
) -> list[ReadableAttribute]:
    """Move the offsets of attributes to where their values stand after character references were resolved."""
    new: dict[int, int] = {}
    for now, before in enumerate(original_offsets):
        new.setdefault(before, now)
    return [ReadableAttribute(new.get(a.start, 0), new.get(a.end, 0), a.names_time) for a in attributes]


def _split_joined_words(raw: list[str], word_joins: frozenset[int], known: DateTokenCache) -> list[str]:
    """Split tokens at word joins, but only in front of the name of a month or a weekday."""
    tokens: list[str] = []
    place = 0
    for token in raw:
        last = 0
        for cut in range(1, len(token)) if known[token].letter == UNKNOWN_WORD else ():
            if place + cut in word_joins and _is_month_or_weekday(
                known[_word_at(token, cut, word_joins, place)]
            ):
                tokens.append(token[last:cut])
                last = cut
        tokens.append(token[last:])
        place += len(token)
    return tokens


def _word_at(token: str, cut: int, word_joins: frozenset[int], place: int) -> str:
    end = next((at for at in range(cut + 1, len(token)) if place + at in word_joins), len(token))
    return token[cut:end]


def _is_month_or_weekday(token: DateToken) -> bool:
    return any(sense.role in {"month", "weekday"} for sense in token.senses)


def _classify_tokens(
    folded: str,
    word_joins: frozenset[int],
    lexicon: DateLexicon,
    attributes: list[ReadableAttribute],
    original_offsets: list[int] | None,
) -> TokenisedText:
    known = token_cache_for(lexicon)
    raw = known.split(folded)
    if word_joins:
        raw = _split_joined_words(raw, word_joins, known)
    tokens = [known[token] for token in raw]
    ends = list(accumulate(map(len, raw)))
    starts = [0, *ends][: len(ends)]  # the tokens cover the text without gaps
    if not tokens:
        return TokenisedText(folded, "", [], [], [], [], attributes, original_offsets, word_joins)
    letters, numbers, senses, phrases, _ = zip(*tokens, strict=True)
    if any(phrases):
        tokens, starts, ends = join_phrases(tokens, starts, ends)
        letters, numbers, senses, _, _ = zip(*tokens, strict=True)
    return TokenisedText(
        folded, "".join(letters), starts, ends, numbers, senses, attributes, original_offsets, word_joins
    )


# Characters that may stand between the words of a phrase.
_INSIDE_PHRASES = frozenset(" '-.")


def join_phrases(
    tokens: list[DateToken], starts: list[int], ends: list[int]
) -> tuple[list[DateToken], list[int], list[int]]:
    """Join the words of a phrase («il y a», «last week») into one token; return tokens, starts and ends."""
    joined: list[DateToken] = []
    first_of: list[int] = []
    last_of: list[int] = []
    index = 0
    while index < len(tokens):
        token, last = tokens[index], index
        if token.phrases:
            token, last = _find_phrase(tokens, index)
        joined.append(token)
        first_of.append(starts[index])
        last_of.append(ends[last])
        index = last + 1
    return joined, first_of, last_of


def _find_phrase(tokens: list[DateToken], index: int) -> tuple[DateToken, int]:
    """Return the phrase that begins at a token, or the token alone, and the index of its last token."""
    for phrase in tokens[index].phrases:
        last = _match_phrase(tokens, index, phrase.rest)
        if last and not (phrase.senses[0].role == "relunit" and _follows_number(tokens, index)):
            return DateToken(phrase.letter, -1, phrase.senses, (), tokens[index].word), last
    return tokens[index], index


def _follows_number(tokens: list[DateToken], index: int) -> bool:
    """Whether a number stands in front: Vietnamese «tuần trước» is last week, «2 tuần trước» 2 weeks ago."""
    index -= 1
    if index >= 0 and tokens[index].letter == " ":
        index -= 1
    return index >= 0 and tokens[index].number >= 0


def _match_phrase(tokens: list[DateToken], index: int, rest: tuple[str, ...]) -> int:
    """Return the index of a phrase's last token; 0 when the rest of its words does not follow."""
    count = len(tokens)
    for part in rest:
        index += 1
        gap = 0
        while index < count and gap < 3 and not tokens[index].word:
            if tokens[index].letter not in _INSIDE_PHRASES:
                return 0
            index, gap = index + 1, gap + 1
        if index >= count or not gap or tokens[index].word != part:
            return 0
    return index


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
