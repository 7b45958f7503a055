"""The content of a sitemap or feed: URLs, each with the date of its last change if that is given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from threadmill.archive.header_values import read_http_date, read_iso_date

MAX_ENTRIES = 200_000  # four times the 50,000 that the sitemap protocol allows


@dataclass(frozen=True, slots=True)
class ListedURL:
    """One URL of a sitemap or feed."""

    url: str
    modified: datetime | None = None  # aware, UTC


@dataclass(frozen=True, slots=True)
class URLListing:
    """The content of one sitemap or feed."""

    entries: tuple[ListedURL, ...]
    sitemaps: tuple[ListedURL, ...] = ()  # further sitemaps, if the file is an index
    flaw: str = ""  # what is wrong with the file, if only a part could be read
    dropped: int = 0  # entries that are no http(s) URLs


class URLCollector:
    """Collects entries, each once, up to a limit. URLs are resolved against the URL of the file."""

    def __init__(self, base: str, limit: int = MAX_ENTRIES) -> None:
        self._base = base
        self._limit = limit
        self._pages: dict[str, ListedURL] = {}
        self._sitemaps: dict[str, ListedURL] = {}
        self._dropped = 0

    def add(self, url: str, modified: str = "", *, sitemap: bool = False) -> bool:
        """Add one entry. False if the limit is reached."""
        try:
            full = urljoin(self._base, "".join(url.split()) if "\n" in url else url.strip())
            known = urlsplit(full)
        except ValueError:
            self._dropped += 1
            return True
        if known.scheme not in {"http", "https"} or not known.netloc:
            self._dropped += 1
            return True
        found = self._sitemaps if sitemap else self._pages
        if len(found) >= self._limit and full not in found:
            return False
        found.setdefault(full, ListedURL(full, read_moment(modified)))
        return True

    def listing(self, flaw: str = "") -> URLListing:
        """Return everything that was added."""
        return URLListing(tuple(self._pages.values()), tuple(self._sitemaps.values()), flaw, self._dropped)


def read_moment(text: str) -> datetime | None:
    """Parse a W3C (ISO 8601) or RFC 822 date. None for anything else."""
    text = text.strip()
    if not text[:4].isdigit():
        return read_http_date(text)
    return read_iso_date(text + {4: "-01-01", 7: "-01"}.get(len(text), ""))  # a year or a month alone
