"""Reads the URLs of sitemaps: urlset, index or plain text, gzipped or not, also from broken files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from threadmill.archive.content_encoding import stream_gunzip
from threadmill.crawl.frontier.url_listing import MAX_ENTRIES, URLCollector, URLListing
from threadmill.crawl.frontier.xml_stream import MAX_TEXT, read_xml

MAX_BYTES = 100_000_000  # twice what the sitemap protocol allows, uncompressed

# Every repetition is bounded, because this runs over arbitrary broken files.
_LOCATION = re.compile(
    rb"<(?:\w{1,20}:)?loc\s{0,9}>\s{0,99}(?:<!\[CDATA\[)?([^<\]]{1,%d})" % MAX_TEXT, re.IGNORECASE
)
_PIECE = 65536


def read_sitemap(body: bytes, url: str = "", limit: int = MAX_ENTRIES) -> URLListing:
    """Read the URLs of a sitemap, and the sitemaps of an index. Never raises because of the content."""
    collector = URLCollector(url, limit)
    first = next(_pieces(body), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    if not first.startswith(b"<") and b"\x00" not in first[:4]:
        return collector.listing(_read_text(body, collector))
    handler = _SitemapHandler(collector)
    flaw = read_xml(_pieces(body), handler)
    if flaw == "bad-xml":
        _read_broken_xml(body, collector)
    return collector.listing(handler.flaw or flaw)


def _pieces(body: bytes) -> Iterator[bytes]:
    """The file in pieces, uncompressed, up to MAX_BYTES."""
    if body[:2] == b"\x1f\x8b":
        return stream_gunzip(body, MAX_BYTES)
    return (body[start : start + _PIECE] for start in range(0, min(len(body), MAX_BYTES), _PIECE))


class _SitemapHandler:
    """Collects <url> and <sitemap> elements. A <loc> elsewhere, such as <image:loc>, does not count."""

    def __init__(self, collector: URLCollector) -> None:
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


def _read_broken_xml(body: bytes, collector: URLCollector) -> None:
    """Collect every <loc> that can be found in broken XML."""
    whole = b"".join(_pieces(body))
    index = b"<sitemapindex" in whole[:4096].lower()
    for found in _LOCATION.finditer(whole):
        text = unescape(found.group(1).decode("utf-8", "replace"))
        if not collector.add(text, sitemap=index):
            break


def _read_text(body: bytes, collector: URLCollector) -> str:
    """Read one URL per line. Lines that are no URLs are dropped."""
    rest = b""
    for piece in _pieces(body):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if not _add_line(line, collector):
                return "too-many"
        rest = rest[: MAX_TEXT + 1]
    return "" if _add_line(rest, collector) else "too-many"


def _add_line(line: bytes, collector: URLCollector) -> bool:
    text = line.decode("utf-8-sig", "replace").strip()
    if not text:
        return True
    # Without this check prose would be read as many relative URLs.
    usable = len(text) <= MAX_TEXT and text.lower().startswith(("http://", "https://"))
    return collector.add(text if usable else "invalid:")
