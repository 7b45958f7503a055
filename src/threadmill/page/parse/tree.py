"""Parses a page, once: finds its encoding and makes the tree, which is handed on to all who need it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, AnyStr

import turbohtml
from turbohtml.detect import detect

from threadmill.native.loader import load_extension

_HEADER = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
# Browsers look at the first 1024 bytes. We look at four times as many, because some pages start with scripts.
# The repetitions are bounded: hostile pages must not cost time.
_META = re.compile(
    rb"<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})", re.IGNORECASE
)
_META_WINDOW = 4096
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TAGS = re.compile(rb"<[^<>]*>")
_LATIN = {"windows-1252", "iso-8859-1", "latin1", "latin-1", "iso8859-1", "us-ascii", "ascii", "iso-8859-15"}
_UTF8 = {"utf-8", "utf8"}

# Text in another encoding can be valid UTF-8 by accident for a character or two ("联通" in GBK), not for ten.
_PROOF_BYTES = 20
# In every one-byte encoding, scripts other than Latin have most of their letters above 0xBF. In Latin
# scripts, accented letters are fewer than a fifth (Vietnamese and Czech have the most).
_FOREIGN_SHARE = 0.4
_SAMPLE_BYTES = 65536  # bytes of text for the detector; a tenth of it gives the same answer


def choose_encoding(body: bytes, content_type: str = "") -> tuple[str | None, str | None]:
    """The label of a page's encoding, and its text if it was decoded to find the label.

    The label is None if a byte-order mark gives the encoding, or if nothing does.
    """
    if body.startswith(_BOMS):
        return None, None
    text = _as_utf8(body)
    label = _choose(body, content_type, is_utf8=text is not None)
    return label, text if label in _UTF8 else None


def _choose(body: bytes, content_type: str, *, is_utf8: bool) -> str | None:
    said = [label for label in (_in_header(content_type), _in_meta(body)) if label and _is_known(label)]
    if is_utf8:
        return _among_utf8(body, said)
    ordered = sorted(said, key=lambda label: label in _LATIN)  # "latin1" is what servers say by default
    for label in ordered:
        if _fits(body, label):
            return label
    return detect(_text_of(body)).encoding


def _in_header(content_type: str) -> str | None:
    found = _HEADER.search(content_type)
    return found.group(1).lower() if found else None


def _in_meta(body: bytes) -> str | None:
    found = _META.search(body[:_META_WINDOW])
    label = found.group(1).decode("ascii").lower() if found else None
    # a page whose <meta> is readable as ASCII is not in UTF-16, whatever the <meta> says (WHATWG, 13.2.3.2)
    return "utf-8" if label and label.startswith("utf-16") else label


@lru_cache(maxsize=256)
def _is_known(label: str) -> bool:
    try:
        codecs.lookup(f"whatwg-{label}")  # registered by turbohtml.detect
        turbohtml.parse(b"", encoding=label)  # codecs ignore signs around a name, the parser does not
    except (LookupError, UnicodeError, ValueError):
        return False
    return True


def _as_utf8(body: bytes) -> str | None:
    try:
        # A page that ends in the middle of a character is still UTF-8: "False" means that more may follow.
        return codecs.utf_8_decode(body, "strict", False)[0]
    except UnicodeDecodeError:
        return None


def _among_utf8(body: bytes, said: list[str]) -> str | None:
    """Valid UTF-8 is UTF-8, unless it is plain ASCII or too little to tell."""
    first = said[0] if said else None
    if first is None or first in _UTF8 or body.isascii():
        return first or (None if body.isascii() else "utf-8")
    if b"\x00" in body:  # English text in UTF-16 without a mark is valid UTF-8 too
        return first
    high = len(body) - len(body.translate(None, _HIGH))
    return "utf-8" if high >= _PROOF_BYTES else first


_HIGH = bytes(range(0x80, 0x100))


def _fits(body: bytes, label: str) -> bool:
    """Whether a page that is not valid UTF-8 can be read with this label."""
    if label in _LATIN:
        return _share_of_high_letters(_text_of(body)) < _FOREIGN_SHARE
    text = body.decode("utf-8", "replace") if label in _UTF8 else body.decode(f"whatwg-{label}")
    bad = text.count("\ufffd")
    # A few wrong bytes in a long page are errors. As many as there are good letters mean another encoding.
    return bad == 0 or bad <= sum(map(len, _NOT_ASCII.findall(text))) - bad


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_LETTERS = bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B))


def _share_of_high_letters(text: bytes) -> float:
    high = len(text) - len(text.translate(None, bytes(range(0xC0, 0x100))))
    low = len(text) - len(text.translate(None, _LETTERS))
    return high / (high + low) if high else 0.0


def _text_of(body: bytes) -> bytes:
    """The page without its tags: they are ASCII in every language."""
    return _TAGS.sub(b" ", body)[:_SAMPLE_BYTES]


# Elements whose self-closed form, <iframe/>, HTML never closes: it swallows the rest of the page.
NEVER_SELF_CLOSED = ("iframe", "script", "style", "title", "textarea", "noembed", "noframes", "xmp")

_COMPILED = load_extension("xhtml")

# No part can run past a "<" and come back, so hostile pages are read in linear time.
_ATTRIBUTES = rb"(?:[^<>\"'/]++|/(?!>)|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+"
# No author of HTML writes these; an XML serialiser does. The look ahead saves time: most tags fail at their
# first letter.
_XML_SIGN = re.compile(
    rb"<(?=[instxINSTX])(" + "|".join(NEVER_SELF_CLOSED).encode() + rb")\b" + _ATTRIBUTES + rb"/>(?!\s*</\1)",
    re.IGNORECASE,
)
_SELF_CLOSED = re.compile(
    rb"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|path|use|circle|rect)\b)"
    rb"([a-zA-Z][a-zA-Z0-9:-]*+)(" + _ATTRIBUTES + rb")/>"
)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page, the URL its links are relative to, and the encoding it was read in."""

    document: turbohtml.Document
    url: str
    encoding: str


def parse(html: str | bytes, url: str = "", content_type: str = "", *, positions: bool = False) -> Tree:
    """The tree of a page. Bytes are read in the encoding that fits them best."""
    if isinstance(html, str):
        return Tree(turbohtml.parse(close_title(html), positions=positions), url, "utf-8")
    html = close_title(close_empty_elements(html))
    label, text = choose_encoding(html, content_type)
    if text is not None:
        return Tree(turbohtml.parse(text, positions=positions), url, "UTF-8")
    document = turbohtml.parse(html, encoding=label, detect_encoding=True, positions=positions)
    return Tree(document, url, document.encoding or "utf-8")


_USUAL_TITLE_END = 10_000  # characters; most pages need no further look


def close_title(page: AnyStr) -> AnyStr:
    """The page with its title closed, if that was left open; else the page itself.

    HTML counts all that follows an open title as its text. Eight of 621 news pages are damaged in this way.
    """
    title, end, after, closing = _TITLE_SIGNS[type(page)]
    if 0 <= page.find(closing) <= _USUAL_TITLE_END:
        return page
    found = title.search(page)
    if found is None:
        return page
    last, stop = end.search(page, found.end()), after.search(page, found.end())
    if stop is None or (last is not None and last.start() < stop.start()):
        return page
    closed: AnyStr = page[: found.end()] + closing + page[found.end() :]
    return closed


def _title_signs(kind: Callable[[str], Any], closing: Any) -> tuple[Any, Any, Any, Any]:
    """A title with its text, its end, what never stands inside of a title, and what closes it."""
    signs = (r"<title\b[^<>]*+>[^<]*+", r"</title\b", r"</head\b|<body\b|<div\b|<table\b")
    return *(re.compile(kind(sign), re.IGNORECASE) for sign in signs), closing


_TITLE_SIGNS: dict[type, tuple[Any, Any, Any, Any]] = {
    str: _title_signs(str, "</title>"),
    bytes: _title_signs(str.encode, b"</title>"),
}


def close_empty_elements(page: bytes) -> bytes:
    """The page with its self-closed elements closed, if an XML serialiser wrote it; else the page itself."""
    found = _COMPILED.has_self_closed(page) if _COMPILED is not None else _XML_SIGN.search(page)
    if not found:
        return page
    return _SELF_CLOSED.sub(rb"<\1\2></\1>", page)
