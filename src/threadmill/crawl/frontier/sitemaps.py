"""Sitemaps as sources of URLs: urlset, index, plain text, gzipped or not, whatever their state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from threadmill.archive.content_encoding import stream_gunzip
from threadmill.crawl.frontier.url_listing import MAX_ENTRIES, Collector, Listing
from threadmill.crawl.frontier.xml_stream import MAX_TEXT, read_xml

MAX_BYTES = 100_000_000  # twice what the protocol allows, uncompressed

# Every repetition is bounded: this runs over what strangers broke.
_LOCATION = re.compile(
    rb"<(?:\w{1,20}:)?loc\s{0,9}>\s{0,99}(?:<!\[CDATA\[)?([^<\]]{1,%d})" % MAX_TEXT, re.IGNORECASE
)
_PIECE = 65536


def read_sitemap(body: bytes, url: str = "", limit: int = MAX_ENTRIES) -> Listing:
    """The URLs of a sitemap and, of an index, the sitemaps it names; never raises for what is in it."""
    collector = Collector(url, limit)
    first = next(_pieces(body), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    if not first.startswith(b"<") and b"\x00" not in first[:4]:
        return collector.listing(_read_text(body, collector))
    visitor = _Visitor(collector)
    flaw = read_xml(_pieces(body), visitor)
    if flaw == "bad-xml":
        _rescue(body, collector)
    return collector.listing(visitor.flaw or flaw)


def _pieces(body: bytes) -> Iterator[bytes]:
    """The file piece by piece, uncompressed and bounded."""
    if body[:2] == b"\x1f\x8b":
        return stream_gunzip(body, MAX_BYTES)
    return (body[start : start + _PIECE] for start in range(0, min(len(body), MAX_BYTES), _PIECE))


class _Visitor:
    """Turns <url> and <sitemap> elements into entries; <image:loc> and its like are none."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._url = ""
        self._modified = ""
        self.flaw = ""

    def __call__(self, names: list[str], _: dict[str, str], text: str) -> None:
        name = names[-1]
        parent = names[-2] if len(names) > 1 else ""
        if parent in {"url", "sitemap"}:
            if name == "loc":
                self._url = text
            elif name == "lastmod":
                self._modified = text
        elif name in {"url", "sitemap"}:
            if self._url and not self._collector.add(self._url, self._modified, sitemap=name == "sitemap"):
                self.flaw = "too-many"
            self._url = self._modified = ""


def _rescue(body: bytes, collector: Collector) -> None:
    """From XML that broke: every <loc> that still stands as one."""
    whole = b"".join(_pieces(body))
    index = b"<sitemapindex" in whole[:4096].lower()
    for found in _LOCATION.finditer(whole):
        text = unescape(found.group(1).decode("utf-8", "replace"))
        if not collector.add(text, sitemap=index):
            break


def _read_text(body: bytes, collector: Collector) -> str:
    """One URL per line; a line that is none is dropped."""
    rest = b""
    for piece in _pieces(body):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if not _add_line(line, collector):
                return "too-many"
        rest = rest[: MAX_TEXT + 1]
    return "" if _add_line(rest, collector) else "too-many"


def _add_line(line: bytes, collector: Collector) -> bool:
    text = line.decode("utf-8-sig", "replace").strip()
    if not text:
        return True
    # Without a scheme it would be taken as relative, and a page of prose as many URLs.
    usable = len(text) <= MAX_TEXT and text.lower().startswith(("http://", "https://"))
    return collector.add(text if usable else "invalid:")
