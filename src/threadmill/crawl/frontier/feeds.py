"""Feeds as sources of URLs: RSS 0.9 to 2.0, Atom, JSON Feed; the freshest news a forum gives away."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from threadmill.crawl.frontier.url_listing import MAX_ENTRIES, Collector, Listing
from threadmill.crawl.frontier.xml_stream import MAX_TEXT, read_xml

_PIECE = 65536
_ITEMS = {"item", "entry"}
_DATES = {"pubdate", "date", "updated", "published", "modified", "issued"}
# The later of two dates of one entry is when it changed; feeds name it so.
_CHANGED = {"updated", "modified"}
# For feeds that are not XML any more; every repetition is bounded, and each item is searched by itself.
_ITEM = re.compile(rb"<(?:item|entry)\b", re.IGNORECASE)
_LINK = re.compile(
    rb"<link\b[^>]{0,2000}?(?:\bhref=[\"']([^\"']{1,%d})|>\s{0,99}(?:<!\[CDATA\[)?\s{0,99}([^<\]\s]{1,%d}))"
    % (MAX_TEXT, MAX_TEXT),
    re.IGNORECASE,
)


def read_feed(body: bytes, url: str = "", limit: int = MAX_ENTRIES) -> Listing:
    """The entries of a feed; never raises for what is in it. What is no feed at all has no entries."""
    collector = Collector(url, limit)
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return collector.listing(_read_json(body, collector))
    visitor = _Visitor(collector)
    pieces = (body[at : at + _PIECE] for at in range(0, len(body), _PIECE))
    # White space before the XML declaration is common and, to expat, fatal.
    flaw = read_xml(pieces if body[:1] == b"<" else iter((body.lstrip(b" \t\r\n"),)), visitor)
    if flaw == "bad-xml":
        _rescue(body, collector)
    return collector.listing(visitor.flaw or flaw)


class _Visitor:
    """Gathers link and date of each <item> or <entry>."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._link = self._permalink = self._date = self._changed = ""
        self.flaw = ""

    def __call__(self, names: list[str], attributes: dict[str, str], text: str) -> None:
        name = names[-1]
        if name in _ITEMS:
            link = self._link or self._permalink
            if link and not self._collector.add(link, self._changed or self._date):
                self.flaw = "too-many"
            self._clear()
        elif len(names) > 1 and names[-2] in _ITEMS:
            self._take(name, attributes, text)

    def _take(self, name: str, attributes: dict[str, str], text: str) -> None:
        if name == "link":
            if attributes.get("rel", "alternate") == "alternate":
                self._link = self._link or attributes.get("href", "") or text
        elif name == "guid" and attributes.get("isPermaLink", "true") != "false":
            self._permalink = text if text.startswith(("http://", "https://")) else ""
        elif name in _DATES:
            if name in _CHANGED:
                self._changed = text
            else:
                self._date = self._date or text

    def _clear(self) -> None:
        self._link = self._permalink = self._date = self._changed = ""


def _rescue(body: bytes, collector: Collector) -> None:
    """From XML that broke: the first link of every item."""
    for item in _ITEM.split(body)[1:]:
        found = _LINK.search(item)
        link = (found.group(1) or found.group(2)).decode("utf-8", "replace") if found else ""
        if link and not collector.add(unescape(link)):
            break


def _read_json(body: bytes, collector: Collector) -> str:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError):
        return "bad-json"
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict) and not _add_item(item, collector):
            return "too-many"
    return ""


def _add_item(item: dict[str, Any], collector: Collector) -> bool:
    link = item.get("url") or item.get("external_url")
    date = item.get("date_modified") or item.get("date_published")
    if not isinstance(link, str):
        return True
    return collector.add(link, date if isinstance(date, str) else "")
