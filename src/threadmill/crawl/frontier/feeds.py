"""Reads the URLs of feeds: RSS 0.9 to 2.0, Atom, JSON Feed."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from threadmill.crawl.frontier.url_listing import MAX_ENTRIES, URLCollector, URLListing
from threadmill.crawl.frontier.xml_stream import MAX_TEXT, read_xml

_PIECE = 65536
_ITEMS = {"item", "entry"}
_DATES = {"pubdate", "date", "updated", "published", "modified", "issued"}
# An entry may have two dates. These elements hold the date of the last change.
_CHANGED = {"updated", "modified"}
# For feeds with broken XML. Every repetition is bounded, and each item is searched on its own.
_ITEM = re.compile(rb"<(?:item|entry)\b", re.IGNORECASE)
_LINK = re.compile(
    rb"<link\b[^>]{0,2000}?(?:\bhref=[\"']([^\"']{1,%d})|>\s{0,99}(?:<!\[CDATA\[)?\s{0,99}([^<\]\s]{1,%d}))"
    % (MAX_TEXT, MAX_TEXT),
    re.IGNORECASE,
)


def read_feed(body: bytes, url: str = "", limit: int = MAX_ENTRIES) -> URLListing:
    """Read the entries of a feed. Never raises because of the content: what is no feed has no entries."""
    collector = URLCollector(url, limit)
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return collector.listing(_read_json(body, collector))
    handler = _FeedHandler(collector)
    pieces = (body[at : at + _PIECE] for at in range(0, len(body), _PIECE))
    # White space before the XML declaration is common, and expat rejects it.
    flaw = read_xml(pieces if body[:1] == b"<" else iter((body.lstrip(b" \t\r\n"),)), handler)
    if flaw == "bad-xml":
        _read_broken_xml(body, collector)
    return collector.listing(handler.flaw or flaw)


class _FeedHandler:
    """Collects link and date of each <item> or <entry>."""

    def __init__(self, collector: URLCollector) -> None:
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


def _read_broken_xml(body: bytes, collector: URLCollector) -> None:
    """Collect the first link of every item from broken XML."""
    for item in _ITEM.split(body)[1:]:
        found = _LINK.search(item)
        link = (found.group(1) or found.group(2)).decode("utf-8", "replace") if found else ""
        if link and not collector.add(unescape(link)):
            break


def _read_json(body: bytes, collector: URLCollector) -> str:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError):
        return "bad-json"
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict) and not _add_item(item, collector):
            return "too-many"
    return ""


def _add_item(item: dict[str, Any], collector: URLCollector) -> bool:
    link = item.get("url") or item.get("external_url")
    date = item.get("date_modified") or item.get("date_published")
    if not isinstance(link, str):
        return True
    return collector.add(link, date if isinstance(date, str) else "")
