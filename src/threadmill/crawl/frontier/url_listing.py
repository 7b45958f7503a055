"""What sitemaps and feeds bring: URLs, each with the moment it last changed where that was told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

MAX_ENTRIES = 200_000  # the protocol says 50,000 per sitemap; four times that is still read


@dataclass(frozen=True, slots=True)
class Entry:
    """One URL a site tells of."""

    url: str
    modified: datetime | None = None  # aware, UTC


@dataclass(frozen=True, slots=True)
class Listing:
    """What one file told."""

    entries: tuple[Entry, ...]
    sitemaps: tuple[Entry, ...] = ()  # further sitemaps, where it was an index
    flaw: str = ""  # what was wrong with it, when only a part could be read
    dropped: int = 0  # entries that were no http(s) URL


class Collector:
    """Gathers entries, resolved against the file's own URL, each once, up to the limit."""

    def __init__(self, base: str, limit: int = MAX_ENTRIES) -> None:
        self._base = base
        self._limit = limit
        self._pages: dict[str, Entry] = {}
        self._sitemaps: dict[str, Entry] = {}
        self._dropped = 0

    def add(self, url: str, modified: str = "", *, sitemap: bool = False) -> bool:
        """Take one in; False when there is no room for more."""
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
        found.setdefault(full, Entry(full, read_moment(modified)))
        return True

    @property
    def is_empty(self) -> bool:
        """Has nothing been found yet?"""
        return not self._pages and not self._sitemaps

    def listing(self, flaw: str = "") -> Listing:
        """All that was taken in."""
        return Listing(tuple(self._pages.values()), tuple(self._sitemaps.values()), flaw, self._dropped)


def read_moment(text: str) -> datetime | None:
    """A W3C or RFC 822 date as machines write it; None for anything else."""
    text = text.strip()
    if not text or len(text) > 64:
        return None
    try:
        moment = _read_iso(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _read_iso(text: str) -> datetime:
    if len(text) == 4:
        return datetime(int(text), 1, 1, tzinfo=UTC)
    if len(text) == 7:
        return datetime.fromisoformat(f"{text}-01")
    return datetime.fromisoformat(text)
